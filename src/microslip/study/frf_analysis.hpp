#pragma once
// kind = "frf": steady vibration under harmonic loads over frequency; kind = "level_sweep": over the level of the load.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/study/analysis_parts.hpp"

namespace microslip {

struct FrfAnalysis {
  static constexpr std::string_view kind = "frf";
  std::string name;
  std::vector<std::string> loads;
  HarmonicLoad load;
  std::vector<double> levels;
  double from = 0.0, to = 0.0;  ///< omega of a curve; both 0: single frequencies [rad/time]
  std::vector<double> at;       ///< single frequencies [rad/time]
  double start_omega = 0.0;     ///< of the motion in options.start; 0: none
  bool over_level = false;      ///< a curve from the first to the last of `levels` at each frequency of `at`
  ResponseRecord record;
  bool shooting = false;   ///< else harmonic balance
  bool piecewise = false;  ///< else harmonic balance: exact orbits of piecewise-linear systems
  FrequencyResponseOptions options;
  std::vector<Load> piecewise_loads;
  PiecewiseOptions piecewise_options;
  bool one_motion = false;  ///< piecewise: there is one at each frequency
};

struct LevelSweepAnalysis {
  static constexpr std::string_view kind = "level_sweep";
  std::string name;
  FrfAnalysis curves;
};

/// The unknowns of harmonic balance are deflections of joints: a structure without joints gets a spring of no stiffness
/// at a degree of freedom.
[[nodiscard]] System with_idle_joint(const System& system, int dof);
[[nodiscard]] FrfAnalysis read_frf_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] LevelSweepAnalysis read_level_sweep_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] std::vector<std::string> table_parts(const LevelSweepAnalysis& analysis);
[[nodiscard]] std::string describe(const LevelSweepAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const LevelSweepAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const LevelSweepAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const LevelSweepAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const LevelSweepAnalysis& analysis, const AnalysisSummary& summary);
[[nodiscard]] std::string method_of(const LevelSweepAnalysis& analysis);
[[nodiscard]] std::vector<std::string> table_parts(const FrfAnalysis& analysis);
[[nodiscard]] std::string describe(const FrfAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const FrfAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const FrfAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const FrfAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const FrfAnalysis& analysis, const AnalysisSummary& summary);
[[nodiscard]] std::string method_of(const FrfAnalysis& analysis);
/// method = "piecewise_linear".
[[nodiscard]] AnalysisSummary run_piecewise(const FrfAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::string describe_piecewise(const FrfAnalysis& analysis);
/// level, omega, ..., phase1[..]: what every method tells first. Special points have their type before it.
[[nodiscard]] std::vector<Column> motion_columns(const ResponseRecord& record, const System& system, bool special);

/// Curves by harmonic balance begin near the first motion of the neighbour's.
[[nodiscard]] WarmStart warm_start_of(const FrfAnalysis& analysis);

/// Curves, not motions at single frequencies?
[[nodiscard]] bool has_curves(const FrfAnalysis& analysis);

/// Does its table say what is stable?
[[nodiscard]] bool tells_stability(const FrfAnalysis& analysis, const System& system);

}  // namespace microslip
