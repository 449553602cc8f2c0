#pragma once
// kind = "modes": frequencies stuck and slipped, damping ratios, shapes.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"

namespace microslip {

struct ModesAnalysis final : Analysis {
  static constexpr std::string_view kind = "modes";
  ModesAnalysis() : Analysis(kind) {}

  int count = 0;        ///< lowest modes
  bool in_full = true;  ///< all eigenvalues are computed, else the lowest by Lanczos' method

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
  [[nodiscard]] std::vector<HeadlineNumber> drawn_headline(const System& system) const override;
};

struct ModesFacts final : Facts {
  /// Least and largest value.
  struct Range {
    double low = 0.0, high = 0.0;
  };
  /// Of the modes that are not rigid.
  struct Elastic {
    Range frequency_hz_stuck, frequency_hz_slipped, zeta;
  };
  long modes = 0;
  long rigid_friction_joints = 0;
  long rigid_modes = 0;
  std::optional<Elastic> elastic;  ///< nothing where all modes are rigid

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_modes_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
