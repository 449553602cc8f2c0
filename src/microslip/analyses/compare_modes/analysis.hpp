#pragma once
// kind = "compare_modes": measured modes against those of the model at the same points.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/compare_modes/comparison.hpp"
#include "microslip/measurement/measured_modes.hpp"

namespace microslip {

inline constexpr Choice<MassReduction> mass_reductions[] = {{"serep", MassReduction::by_modes},
                                                            {"static", MassReduction::by_statics}};

struct CompareModesAnalysis final : Analysis {
  static constexpr std::string_view kind = "compare_modes";
  CompareModesAnalysis() : Analysis(kind) {}

  std::string from;                       ///< name of a modal_fit, or
  std::optional<MeasuredModes> measured;  ///< of a file
  std::string file;                       ///< its name
  ComparisonOptions options;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override;
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
};

struct CompareModesFacts final : Facts {
  struct Pair {
    int measured = 0, model = 0;  ///< numbers
    double frequency_hz = 0.0, frequency_hz_model = 0.0, difference = 0.0, mac = 0.0;
  };
  long points = 0;
  std::vector<Pair> pairs;
  std::vector<int> alone;        ///< measured modes without a partner
  std::vector<int> model_alone;  ///< modes of the model without one, within the measured frequencies

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_compare_modes_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
