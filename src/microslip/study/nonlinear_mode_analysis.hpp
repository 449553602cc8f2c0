#pragma once
// kind = "nonlinear_mode": frequency, damping and shape of a mode over amplitude, with every harmonic, and the response
// of the mode alone to a harmonic load.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/modal/nonlinear_mode.hpp"
#include "microslip/periodic/joint_receptance.hpp"
#include "microslip/study/analysis_parts.hpp"

namespace microslip {

struct NonlinearModeAnalysis {
  static constexpr std::string_view kind = "nonlinear_mode";
  std::string name;
  std::vector<int> modes;          ///< from 0
  std::vector<double> amplitudes;  ///< first harmonic of the modal displacement, growing
  NonlinearModeOptions options;
  std::vector<std::string> loads;  ///< of the response; empty: none
  Eigen::VectorXcd force;          ///< their complex amplitude
  std::vector<double> levels;
};

[[nodiscard]] NonlinearModeAnalysis read_nonlinear_mode_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] std::vector<std::string> table_parts(const NonlinearModeAnalysis& analysis);
[[nodiscard]] std::string describe(const NonlinearModeAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const NonlinearModeAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const NonlinearModeAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const NonlinearModeAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const NonlinearModeAnalysis& analysis, const AnalysisSummary& summary);
[[nodiscard]] std::string method_of(const NonlinearModeAnalysis& analysis);

}  // namespace microslip
