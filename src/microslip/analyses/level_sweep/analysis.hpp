#pragma once
// kind = "level_sweep": steady vibration under harmonic loads over the level of the load, at fixed frequencies.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/response/response_curves.hpp"

namespace microslip {

struct LevelSweepAnalysis final : ResponseCurves {
  static constexpr std::string_view kind = "level_sweep";
  LevelSweepAnalysis() : ResponseCurves(kind) {}

  std::vector<double> levels;  ///< first and last
  std::vector<double> at;      ///< a curve at each of these frequencies [rad/time]

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;

  [[nodiscard]] Abscissa abscissa() const override;
  [[nodiscard]] bool has_curves() const override { return true; }
  [[nodiscard]] std::size_t curve_count() const override { return at.size(); }
  [[nodiscard]] std::string curve_name(std::size_t curve) const override;
  [[nodiscard]] std::string range_in_words(const UnitLabels& units) const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_level_sweep_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
