#pragma once
// What every kind of analysis is read from and runs with. A kind is one header and one source: a plain struct with
// `kind` and `name`, a reader, and the overloads `table_parts`, `describe` and `run`.

#include <string>
#include <vector>

#include "microslip/report/results.hpp"
#include "microslip/study/load_definition.hpp"
#include "microslip/study/table_reader.hpp"
#include "microslip/system/observer.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

/// The study so far, for the reader of an analysis.
struct StudyParts {
  const System& system;
  const std::vector<LoadDefinition>& loads;
};

/// A run of one analysis.
struct AnalysisRun {
  const System& system;
  Results& results;
  Observer observer;
};

}  // namespace microslip
