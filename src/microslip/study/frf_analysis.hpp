#pragma once
// kind = "frf": steady vibration under harmonic loads over frequency.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/periodic/frequency_response.hpp"
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
  ResponseRecord record;
  bool shooting = false;  ///< else harmonic balance
  FrequencyResponseOptions options;
};

[[nodiscard]] FrfAnalysis read_frf_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] std::vector<std::string> table_parts(const FrfAnalysis& analysis);
[[nodiscard]] std::string describe(const FrfAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const FrfAnalysis& analysis, AnalysisRun& with);

}  // namespace microslip
