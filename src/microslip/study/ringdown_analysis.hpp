#pragma once
// kind = "ringdown": amplitude, frequency and damping along a ring-down, simulated or measured.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/modal/hilbert.hpp"
#include "microslip/modal/ringdown.hpp"
#include "microslip/study/measured_motion.hpp"
#include "microslip/study/transient_analysis.hpp"

namespace microslip {

struct RingdownAnalysis {
  static constexpr std::string_view kind = "ringdown";
  std::string name;
  std::optional<TransientAnalysis> transient;  ///< this or
  std::optional<MeasuredMotion> measured;      ///< that
  std::optional<double> start;                 ///< measured: empty: at the largest value
  std::vector<int> modes;                      ///< numbers, from 1; empty: the dominating one
  bool hilbert = false;
  RingdownOptions turning_points;
  HilbertOptions hilbert_options;
  std::optional<std::pair<double, double>> band;  ///< [1/time]
  double most_other = 0.1;                        ///< ratio of another mode up to which a row is clean
  double spectrum_to = 0.0;                       ///< [1/time]; 0: five times the highest frequency found
};

[[nodiscard]] RingdownAnalysis read_ringdown_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] std::vector<std::string> table_parts(const RingdownAnalysis& analysis);
[[nodiscard]] std::string describe(const RingdownAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const RingdownAnalysis& analysis, AnalysisRun& with);
/// Of the signals whose spectrum is told.
[[nodiscard]] std::string spectrum_unit(const RingdownAnalysis& analysis);
[[nodiscard]] std::vector<Figure> figures(const RingdownAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const RingdownAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const RingdownAnalysis& analysis, const AnalysisSummary& summary);
[[nodiscard]] std::string method_of(const RingdownAnalysis& analysis);

}  // namespace microslip
