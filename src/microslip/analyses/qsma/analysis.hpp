#pragma once
// kind = "qsma": quasi-static modal analysis, frequency and damping over amplitude.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/amplitude_span.hpp"
#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/modal/quasi_static_modal.hpp"

namespace microslip {

inline constexpr Choice<LoadShape> load_shapes[] = {{"stuck", LoadShape::stuck}, {"slipped", LoadShape::slipped}};
inline constexpr Choice<OtherModes> other_mode_motions[] = {{"at_rest", OtherModes::at_rest},
                                                            {"vibrating", OtherModes::vibrating}};

struct QsmaAnalysis final : Analysis {
  static constexpr std::string_view kind = "qsma";
  QsmaAnalysis() : Analysis(kind) {}

  std::vector<int> modes;   ///< from 0
  std::vector<int> ratios;  ///< modes whose q_s/q are told
  LoadRamp ramp;
  QsmaOptions options;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<int> mode_numbers() const override;
  [[nodiscard]] std::string method_in_words() const override;
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
  [[nodiscard]] std::vector<HeadlineNumber> drawn_headline(const System& system) const override;
};

struct QsmaFacts final : Facts {
  struct Mode {
    int mode = 0;  ///< number, from 1
    FirstAndLast q{}, omega{}, zeta{};
    double largest_zeta = 0.0, q_of_largest_zeta = 0.0;
  };
  std::vector<Mode> modes;  ///< those with points
  std::size_t points = 0;
  long joint_evaluations = 0;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_qsma_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
