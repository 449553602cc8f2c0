#pragma once
// kind = "orbit": one periodic motion in full.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/study/frf_analysis.hpp"

namespace microslip {

struct OrbitAnalysis {
  static constexpr std::string_view kind = "orbit";
  std::string name;
  FrfAnalysis motion;  ///< one level, one frequency
  int points = 512;    ///< parts of the period
  int sliders = 8;     ///< of each joint that has them
};

[[nodiscard]] OrbitAnalysis read_orbit_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] std::vector<std::string> table_parts(const OrbitAnalysis& analysis);
[[nodiscard]] std::string describe(const OrbitAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const OrbitAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const OrbitAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const OrbitAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const OrbitAnalysis& analysis, const AnalysisSummary& summary);
[[nodiscard]] std::string method_of(const OrbitAnalysis& analysis);

}  // namespace microslip
