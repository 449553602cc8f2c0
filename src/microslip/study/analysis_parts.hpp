#pragma once
// What every kind of analysis is read from and runs with. A kind is one header and one source: a plain struct with
// `kind` and `name`, a reader, and the overloads `table_parts`, `describe` and `run`; for the report `figures`,
// `in_words` and `how` (declared_report.hpp).

#include <any>
#include <string>
#include <vector>

#include "microslip/report/figure.hpp"
#include "microslip/report/results.hpp"
#include "microslip/study/load_definition.hpp"
#include "microslip/study/table_reader.hpp"
#include "microslip/system/observer.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

/// An analysis further up in the study, which another may name as the source of its data.
struct EarlierAnalysis {
  std::string kind;
  std::string name;
  std::vector<int> modes;  ///< numbers, from 1, that its main table will hold; empty: not known before it runs
};

/// The study so far, for the reader of an analysis.
struct StudyParts {
  const System& system;
  const std::vector<LoadDefinition>& loads;
  std::vector<EarlierAnalysis> earlier;
};

/// Whether neighbouring combinations of a parameter study run one after the other, each from what the one before left.
/// A kind that can has the overload `WarmStart warm_start_of(const X&)`.
enum class WarmStart {
  never,
  if_asked,  ///< with warm_start = true: it may lead to another of several solutions
  always     ///< but with warm_start = false: it cannot
};

/// A run of one analysis. An analysis with an overload of `sources`, a list of names, finds the rows of their main
/// tables in results.kept(name).
struct AnalysisRun {
  const System& system;
  Results& results;
  Observer observer;
  /// What the neighbouring combination of a parameter study left, for a good start, and the place to leave something
  /// for the next one. Null elsewhere, and where no warm start is wanted.
  std::any* neighbour = nullptr;
};

}  // namespace microslip
