#pragma once
// A study: a system, its loads and what to compute, as a TOML file gives them.

#include <string>
#include <variant>
#include <vector>

#include "microslip/report/unit_labels.hpp"
#include "microslip/study/averaging_analysis.hpp"
#include "microslip/study/fit_bouc_wen_analysis.hpp"
#include "microslip/study/fit_ignl_analysis.hpp"
#include "microslip/study/fit_iwan_distribution_analysis.hpp"
#include "microslip/study/fit_modal_iwan_analysis.hpp"
#include "microslip/study/frf_analysis.hpp"
#include "microslip/study/load_definition.hpp"
#include "microslip/study/modes_analysis.hpp"
#include "microslip/study/nonlinear_mode_analysis.hpp"
#include "microslip/study/orbit_analysis.hpp"
#include "microslip/study/parameter_study_analysis.hpp"
#include "microslip/study/qsma_analysis.hpp"
#include "microslip/study/ringdown_analysis.hpp"
#include "microslip/study/structure_facts.hpp"
#include "microslip/study/study_error.hpp"
#include "microslip/study/transient_analysis.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

/// To add a kind: its struct here, its reader in read_analyses.cpp.
using Analysis =
    std::variant<ModesAnalysis, TransientAnalysis, AveragingAnalysis, QsmaAnalysis, RingdownAnalysis,
                 FitModalIwanAnalysis, FrfAnalysis, LevelSweepAnalysis, OrbitAnalysis, NonlinearModeAnalysis,
                 FitIwanDistributionAnalysis, FitBoucWenAnalysis, FitIgnlAnalysis, ParameterStudyAnalysis>;

[[nodiscard]] std::string_view kind_of(const Analysis& analysis);
[[nodiscard]] const std::string& name_of(const Analysis& analysis);
/// One line for people.
[[nodiscard]] std::string describe(const Analysis& analysis);
/// Names of the CSV files, without ending.
[[nodiscard]] std::vector<std::string> table_names(const Analysis& analysis);

struct Study {
  std::string file;
  std::string text;  ///< of the file
  std::string title;
  UnitLabels units;
  System system;
  std::vector<LoadDefinition> loads;
  std::vector<Analysis> analyses;
  StructureFacts facts;
};

/// Reads the study and every file it names, builds the system and checks every analysis. Throws StudyError; nothing is
/// written.
[[nodiscard]] Study load_study(const std::string& path);

/// The same from text; `path` names it in messages and says where its files are.
[[nodiscard]] Study parse_study(std::string text, const std::string& path);

}  // namespace microslip
