#pragma once
// A study: a system, its loads and what to compute, as a TOML file gives them.

#include <string>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/input/load_definition.hpp"
#include "microslip/input/structure_facts.hpp"
#include "microslip/system/system.hpp"
#include "microslip/system/unit_labels.hpp"
#include "microslip/toml/study_error.hpp"

namespace microslip {

struct Study {
  std::string file;
  std::string text;  ///< of the file
  std::string title;
  UnitLabels units;
  System system;
  std::vector<LoadDefinition> loads;
  std::vector<AnalysisPointer> analyses;
  StructureFacts facts;
};

/// Reads the study and every file it names, builds the system and checks every analysis. Throws StudyError; nothing is
/// written.
[[nodiscard]] Study load_study(const std::string& path);

/// The same from text; `path` names it in messages and says where its files are.
[[nodiscard]] Study parse_study(std::string text, const std::string& path);

}  // namespace microslip
