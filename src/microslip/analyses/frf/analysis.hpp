#pragma once
// kind = "frf": steady vibration under harmonic loads over frequency.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/response/response_curves.hpp"

namespace microslip {

struct FrfAnalysis final : ResponseCurves {
  static constexpr std::string_view kind = "frf";
  FrfAnalysis() : ResponseCurves(kind) {}

  std::vector<double> levels;
  double from = 0.0, to = 0.0;  ///< omega of a curve; both 0: single frequencies [rad/time]
  std::vector<double> at;       ///< single frequencies [rad/time]
  double start_omega = 0.0;     ///< of the motion in motions.options.start; 0: none

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  /// Curves by harmonic balance, and exact orbits, begin near the first motion of the neighbour's.
  [[nodiscard]] WarmStart warm_start() const override;

  [[nodiscard]] Abscissa abscissa() const override;
  [[nodiscard]] bool has_curves() const override { return at.empty(); }
  [[nodiscard]] std::size_t curve_count() const override { return levels.size(); }
  [[nodiscard]] std::string curve_name(std::size_t curve) const override;
  [[nodiscard]] std::string range_in_words(const UnitLabels& units) const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_frf_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
