#include <fmt/format.h>
#include <fmt/ranges.h>

#include "microslip/analyses/averaging/analysis.hpp"
#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {

std::vector<Figure> AveragingAnalysis::figures(const System& system) const {
  const bool history = has_history(psd);
  std::vector<Figure> result = history_figures(system, record, history, psd.has_value());
  if (!history) return result;
  // From rest the amplitude begins at 0, and a logarithm has nowhere to begin.
  const bool moving = initial.q.size() > 0 || initial.v.size() > 0;
  const Axis amplitude = modal_amplitude_axis(moving);
  if (modes > 1) {
    std::vector<std::string> numbers;
    for (int r = 1; r <= modes; ++r) numbers.push_back(std::to_string(r));
    result.push_back(
        each_over("amplitude", "Amplitudes of the modes over time", "", "time", time_axis(), "X", amplitude, numbers));
    result.push_back(each_over("damping", "Damping of the modes over time", "", "time", time_axis(), "zeta",
                               damping_ratio_axis(false), numbers));
    return result;
  }
  result.push_back(
      figure_of("amplitude", "Amplitude of the mode over time", time_axis(), amplitude, {curve_of("", "time", "X")}));
  result.push_back(figure_of("frequency", "Frequency over amplitude", amplitude, {"frequency", "rad/time", false},
                             {curve_of("", "X", "omega")}, "Of the steady cycle at the amplitude of the moment."));
  result.push_back(figure_of("damping", "Damping over amplitude", amplitude, damping_ratio_axis(false),
                             {curve_of("", "X", "zeta")},
                             "Of the equivalent oscillator while a load acts, of the decay when free."));
  return result;
}

std::string AveragingAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<AveragingFacts>();
  if (facts == nullptr) return words::no_result(summary);
  std::string words = fmt::format("{} over {}", modes > 1 ? fmt::format("{} modes", modes) : "The mode",
                                  words::quantity(facts->time, "time", units));
  if (!loads.empty()) words += fmt::format(" under {}", fmt::join(load_names(), ", "));
  words += fmt::format(": {} largest amplitude is {}", modes > 1 ? "the" : "its",
                       words::quantity(facts->largest, "sqrt(mass) length", units));
  if (const auto& largest = facts->history.largest_displacement) {
    words += fmt::format(", the largest recorded displacement {} of degree of freedom {}",
                         words::quantity(largest->value, "length", units), largest->dof);
  }
  words += ".";
  if (facts->macroslip_time) {
    words += fmt::format(" A joint slips as a whole from t = {} on, where averaging is a guess.",
                         words::quantity(*facts->macroslip_time, "time", units));
  }
  return words;
}

std::string AveragingAnalysis::method_in_words() const {
  return "averaging";
}

std::string AveragingAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<AveragingFacts>();
  const AveragingFacts counts = facts != nullptr ? *facts : AveragingFacts{};
  return fmt::format(
      "Averaging: closed forms of the joints' steady cycles ({} form) at the amplitude of the moment, no history{}. {} "
      "under load and {} of free decay, {} evaluations; tolerance {} a step.",
      word_of(options.form, averaging_forms),
      modes > 1 ? "; each mode as if it moved the joints alone, their motions added" : "",
      words::count_of(counts.forced_steps, "step"), words::count_of(counts.free_steps, "piece"), counts.evaluations,
      words::number(options.tolerance));
}

}  // namespace microslip
