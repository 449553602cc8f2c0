#include <fmt/format.h>
#include <fmt/ranges.h>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/averaging_analysis.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/transient_analysis.hpp"

namespace microslip {

std::vector<Figure> figures(const AveragingAnalysis& analysis, const System& system) {
  const bool history = !analysis.psd || !analysis.psd->only;
  std::vector<Figure> result = history_figures(system, analysis.record, history, analysis.psd.has_value());
  if (!history) return result;
  // From rest the amplitude begins at 0, and a logarithm has nowhere to begin.
  const bool moving = analysis.q.size() > 0 || analysis.v.size() > 0;
  const Axis amplitude = modal_amplitude_axis(moving);
  result.push_back(
      figure_of("amplitude", "Amplitude of the mode over time", time_axis(), amplitude, {curve_of("", "time", "X")}));
  result.push_back(figure_of("frequency", "Frequency over amplitude", amplitude, {"frequency", "rad/time", false},
                             {curve_of("", "X", "omega")}, "Of the steady cycle at the amplitude of the moment."));
  result.push_back(figure_of("damping", "Damping over amplitude", amplitude, damping_ratio_axis(false),
                             {curve_of("", "X", "zeta")},
                             "Of the equivalent oscillator while a load acts, of the decay when free."));
  return result;
}

std::string in_words(const AveragingAnalysis& analysis, const AnalysisSummary& summary, const UnitLabels& units) {
  const auto time = number_in(summary.facts, "time");
  if (!time) return no_result(summary);
  std::string words = fmt::format("The mode over {}", quantity(*time, "time", units));
  if (!analysis.loads.empty()) words += fmt::format(" under {}", fmt::join(names_of(analysis.loads), ", "));
  words += fmt::format(": its largest amplitude is {}",
                       quantity(number_in(summary.facts, "largest_X").value_or(0.0), "sqrt(mass) length", units));
  if (summary.facts.contains("largest_displacement")) {
    const auto& largest = summary.facts["largest_displacement"];
    words += fmt::format(", the largest recorded displacement {} of degree of freedom {}",
                         quantity(number_in(largest, "value").value_or(0.0), "length", units),
                         largest.value("dof", std::string()));
  }
  words += ".";
  if (const auto macroslip = number_in(summary.facts, "macroslip_time")) {
    words += fmt::format(" A joint slips as a whole from t = {} on, where averaging is a guess.",
                         quantity(*macroslip, "time", units));
  }
  return words;
}

std::string method_of(const AveragingAnalysis&) {
  return "averaging";
}

std::string how(const AveragingAnalysis& analysis, const AnalysisSummary& summary) {
  return fmt::format(
      "Averaging: closed forms of the joints' steady cycles ({} form) at the amplitude of the moment, no history. {} "
      "under load and {} of free decay, {} evaluations; tolerance {} a step.",
      analysis.options.form == AveragingForm::secant ? "secant" : "tangent",
      count_of(summary.facts.value("forced_steps", 0L), "step"),
      count_of(summary.facts.value("free_steps", 0L), "piece"), summary.facts.value("evaluations", 0L),
      number(analysis.options.tolerance));
}

}  // namespace microslip
