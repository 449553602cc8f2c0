#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numbers>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/frf_estimate/analysis.hpp"
#include "microslip/analyses/frf_estimate/tables.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/measurement/channel_faults.hpp"

namespace microslip {
namespace {

/// Channels of a record, whose signals are in the table.
std::vector<std::string> recorded(const FrfEstimateAnalysis& analysis, const MeasuredRecord& record) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < record.responses.size(); ++c) {
    if (!record.responses[c].empty()) names.push_back(analysis.test.channels[c]);
  }
  return names;
}

Figure spectrogram_figure(const FrfEstimateAnalysis& analysis) {
  Figure figure;
  figure.name = "spectrogram";
  figure.title = "Spectrum of the strongest response over time";
  figure.kind = FigureKind::map;
  figure.x = time_axis();
  figure.y = frequency_axis();
  figure.z = {"amplitude", unit_of(analysis.quantity), true};
  Curve curve = curve_of(spectrogram_part, "time", "frequency_hz");
  curve.z = "amplitude";
  figure.curves = {curve};
  figure.caption = "Modes are lines that fade; a line that bends is a frequency that depends on amplitude.";
  return figure;
}

}  // namespace

std::vector<Figure> FrfEstimateAnalysis::figures(const System&) const {
  const std::vector<std::string> names = pairs();
  std::vector<Figure> result = {
      each_over("magnitude", "Size of the frequency responses", "", "frequency_hz", frequency_axis(), "abs",
                {"response over force", response_unit(), true}, names),
      each_over("phase", "Phase of the frequency responses", "", "frequency_hz", frequency_axis(), "phase",
                {"phase", "rad", false}, names),
      each_over("coherence", "Coherence", "", "frequency_hz", frequency_axis(), "coherence", {"coherence", "-", false},
                names,
                "The share of the response that the force explains. Of a single hit it is 1, whatever the noise."),
      each_over("error", "Standard error of the frequency responses", "", "frequency_hz", frequency_axis(), "error",
                {"error of either part", response_unit(), true}, names)};
  for (Curve& curve : result[1].curves) curve.period = 2.0 * std::numbers::pi;
  Figure force = figure_of("force", "Force over time", time_axis(), {"force", "force", false},
                           {curve_of(signals_part, "time", "force")});
  result.push_back(std::move(force));
  result.push_back(each_over("signals", "Responses over time", signals_part, "time", time_axis(), "x",
                             {word_of(quantity, quantities), unit_of(quantity), false},
                             recorded(*this, test.records.front())));
  if (!random) {
    result.push_back(figure_of("windows", "Windows", time_axis(), {"window", "-", false},
                               {curve_of(signals_part, "time", "force_window", "of the force"),
                                curve_of(signals_part, "time", "exponential_window", "of force and responses")},
                               "Of the strongest hit."));
  }
  result.push_back(spectrogram_figure(*this));
  return result;
}

std::string FrfEstimateAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<FrfEstimateFacts>();
  if (facts == nullptr) return words::no_result(summary);
  std::string words =
      fmt::format("{} to {} from {}", words::count_of(static_cast<long>(facts->channels.size()), "response"),
                  fmt::join(facts->references, ", "), words::count_of(facts->averages, random ? "segment" : "hit"));
  words +=
      fmt::format(", {} to {}, {} apart.", words::number(facts->band_low),
                  words::frequency_text(facts->band_high, units), words::frequency_text(facts->resolution_hz, units));
  words += fmt::format(" The error of a line is {} of its size in the middle.", words::percent(facts->relative_error));
  if (facts->window_decay > 0.0) {
    words += fmt::format(" The exponential window adds {} to the decay rate of every mode.",
                         words::quantity(facts->window_decay, "1/time", units));
  }
  return words;
}

std::string FrfEstimateAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<FrfEstimateFacts>();
  std::string words = fmt::format("{} from ", word_of(estimator(), frf_estimators));
  if (random) {
    words += fmt::format("segments under a Hann window that overlap by {}", words::percent(segments.overlap));
    if (facts != nullptr)
      words += fmt::format(", as good as {} independent ones", words::number(facts->effective_averages));
    return words + ". Errors from the part of the response that the force does not explain.";
  }
  words +=
      hits.force_window ? "blocks that begin with the hit, the force under a window" : "blocks that begin with the hit";
  if (facts != nullptr && facts->window_decay > 0.0) words += ", force and response under an exponential one";
  return words + ". Errors from the noise of force and responses before the hits.";
}

std::string FrfEstimateAnalysis::method_in_words() const {
  return word_of(estimator(), frf_estimators);
}

}  // namespace microslip
