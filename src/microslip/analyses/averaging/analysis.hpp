#pragma once
// kind = "averaging": the motion of modes in time, the joints by the closed forms of their steady cycle.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/motion/history_analysis.hpp"
#include "microslip/transient/averaging.hpp"

namespace microslip {

inline constexpr Choice<AveragingForm> averaging_forms[] = {{"tangent", AveragingForm::tangent},
                                                            {"secant", AveragingForm::secant}};

struct AveragingAnalysis final : HistoryAnalysis {
  static constexpr std::string_view kind = "averaging";
  AveragingAnalysis() : HistoryAnalysis(kind) {}

  AveragingOptions options;
  InitialConditions initial;  ///< no memory
  int modes = 1;              ///< that move

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::string method_in_words() const override;
};

struct AveragingFacts final : Facts {
  long forced_steps = 0;
  long free_steps = 0;
  long evaluations = 0;                  ///< of the closed forms
  double time = 0.0;                     ///< reached
  double largest = 0.0;                  ///< X [sqrt(mass) length]
  std::optional<double> macroslip_time;  ///< nothing: no joint slipped as a whole
  HistoryFacts history;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] std::string in_a_line() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_averaging_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
