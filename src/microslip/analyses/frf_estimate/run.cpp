#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "microslip/analyses/frf_estimate/analysis.hpp"
#include "microslip/analyses/frf_estimate/tables.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

constexpr double tail_told = 0.01;  // of the largest response

FrfEstimateFacts facts_of_responses(const FrfEstimateAnalysis& analysis, const std::vector<FrequencyResponses>& of) {
  FrfEstimateFacts facts;
  for (const MeasuredRecord& record : analysis.test.records) facts.records.push_back(record.name);
  const FrequencyResponses& first = of.front();
  facts.channels = first.channels;
  facts.lines = first.frequency.size();
  facts.band_low = first.frequency(0);
  facts.band_high = first.frequency(first.frequency.size() - 1);
  if (facts.lines > 1) facts.resolution_hz = first.frequency(1) - first.frequency(0);
  facts.window_decay = first.window_decay;
  facts.averages = first.averages;
  std::vector<double> ratios;
  for (const FrequencyResponses& each : of) {
    facts.references.push_back(each.reference);
    facts.averages = std::min<long>(facts.averages, each.averages);
    facts.force_amplitude = std::max(facts.force_amplitude, each.force_amplitude);
    for (Eigen::Index k = 0; k < each.values.size(); ++k) {
      const double size = std::abs(each.values.data()[k]), error = each.error.data()[k];
      if (size > 0.0 && std::isfinite(error)) ratios.push_back(error / size);
    }
  }
  if (!ratios.empty()) facts.relative_error = percentile(ratios, 0.5);
  return facts;
}

/// What is worth knowing of a single hit, of what is cut off and of the noise of the force.
void tell_of_hits(const FrfEstimateAnalysis& analysis, const FrfEstimateFacts& facts, AnalysisSummary& summary) {
  if (facts.averages == 1) {
    add_remark("with a single hit the coherence is 1 whatever the noise; the errors are from the noise before it",
               summary);
  }
  if (facts.window_decay > 0.0) {
    add_remark(fmt::format("the window is in the responses: a fit of the files needs window_decay = {:.6g}, one by "
                           "`from` knows it",
                           facts.window_decay),
               summary);
  }
  if (facts.tail > tail_told && facts.window_decay == 0.0) {
    add_remark(fmt::format("responses end at {:.2g} of their largest value: poles are right all the same, sizes hold a "
                           "factor 1 - exp(pole {:.4g}), and the slower a mode decays the more it is off 1",
                           facts.tail, 1.0 / facts.resolution_hz),
               summary);
  }
  if (facts.biased_from > 0.0 && analysis.estimator() != FrfEstimator::H2) {
    add_message(
        fmt::format(
            "at some lines from {:.5g} on noise of the force makes {} too small by more than {} %, {:.2g} % at the "
            "most: end band_hz where the hammer has no force",
            facts.biased_from, word_of(analysis.estimator(), frf_estimators),
            analysis.estimator() == FrfEstimator::Hv ? 0.5 : 1.0,
            (analysis.estimator() == FrfEstimator::Hv ? 50.0 : 100.0) * facts.force_bias),
        summary);
  }
}

/// A record need not have any of the responses.
bool has_responses(const MeasuredRecord& record) {
  return std::any_of(record.responses.begin(), record.responses.end(),
                     [](const std::vector<double>& channel) { return !channel.empty(); });
}

void tell_notes(const FrfEstimateAnalysis& analysis, const std::vector<std::string>& of_estimate, Results& results,
                AnalysisSummary& summary) {
  const std::string units = foreign_units(analysis.units, results.units());
  if (!units.empty()) {
    add_message(units, summary);
    results.doubt(analysis.name, "a channel is in another unit than the study");
  }
  for (const auto* notes : {&analysis.notes, &of_estimate}) {
    for (const std::string& note : *notes) add_message(note, summary);
  }
}

AnalysisSummary without_result(const std::vector<std::string>& notes, bool stopped) {
  AnalysisSummary summary;
  summary.ending = stopped ? Ending::interrupted : Ending::no_convergence;
  summary.message = stopped ? "stopped" : fmt::format("{}", fmt::join(notes, "; "));
  return summary;
}

void write_all(const FrfEstimateAnalysis& analysis, const MeasuredResponses& responses, const ShownBlock& block,
               Results& results, AnalysisSummary& summary) {
  write_responses(analysis, responses.references, results, summary);
  write_signals(analysis, block, results, summary);
  results.text(analysis.file_of_responses(), universal_responses(responses.references));
  summary.files.push_back(analysis.file_of_responses());
  results.leave(analysis.name, responses);
}

AnalysisSummary run_hits(const FrfEstimateAnalysis& analysis, AnalysisRun& with) {
  const HitEstimate estimate = responses_of_hits(analysis.test, analysis.quantity, analysis.hits, with.observer);
  if (estimate.stopped || estimate.responses.references.empty())
    return without_result(estimate.notes, estimate.stopped);
  AnalysisSummary summary = completed_summary();
  tell_notes(analysis, estimate.notes, with.results, summary);
  for (const std::string& doubt : estimate.doubts) add_message(doubt, summary);
  if (!estimate.doubts.empty()) with.results.doubt(analysis.name, estimate.doubts.front());
  FrfEstimateFacts facts = facts_of_responses(analysis, estimate.responses.references);
  facts.hits = static_cast<long>(estimate.hits.size());
  facts.force_bias = estimate.force_bias;
  facts.biased_from = estimate.biased_from;
  facts.tail = estimate.tail;
  tell_of_hits(analysis, facts, summary);
  const auto rank = [&](const HitFacts& hit) {
    return std::tuple(hit.used, has_responses(analysis.test.records[hit.hit.record]), std::abs(hit.hit.peak));
  };
  const auto stronger = [&](const HitFacts& a, const HitFacts& b) { return rank(a) < rank(b); };
  const Hit& shown = std::max_element(estimate.hits.begin(), estimate.hits.end(), stronger)->hit;
  write_hits(analysis, estimate.hits, with.results, summary);
  write_all(analysis, estimate.responses,
            {shown.record, shown.lead, shown.block - shown.lead + estimate.samples, &shown, estimate.decay},
            with.results, summary);
  summary.sum_up(std::move(facts));
  return summary;
}

AnalysisSummary run_random(const FrfEstimateAnalysis& analysis, AnalysisRun& with) {
  const RandomEstimate estimate =
      responses_of_random(analysis.test, analysis.quantity, analysis.segments, with.observer);
  if (estimate.stopped || estimate.responses.references.empty())
    return without_result(estimate.notes, estimate.stopped);
  AnalysisSummary summary = completed_summary();
  tell_notes(analysis, estimate.notes, with.results, summary);
  FrfEstimateFacts facts = facts_of_responses(analysis, estimate.responses.references);
  facts.effective_averages = estimate.averages;
  if (estimate.averages < 2.0) {
    add_message("fewer than two averages: neither coherence nor errors are known; a coarser resolution_hz gives more",
                summary);
  }
  const auto& records = analysis.test.records;
  const auto shown =
      static_cast<std::size_t>(std::find_if(records.begin(), records.end(), has_responses) - records.begin());
  write_all(analysis, estimate.responses, {shown, 0, records[shown].force.size(), nullptr, 0.0}, with.results, summary);
  summary.sum_up(std::move(facts));
  return summary;
}

}  // namespace

ordered_json FrfEstimateFacts::to_json() const {
  ordered_json json;
  json["records"] = records;
  json["references"] = references;
  json["channels"] = channels;
  if (hits > 0) json["hits"] = hits;
  json["averages"] = averages;
  if (effective_averages > 0.0) json["effective_averages"] = effective_averages;
  json["lines"] = lines;
  json["resolution_hz"] = resolution_hz;
  json["band_hz"] = {band_low, band_high};
  json["window_decay"] = window_decay;
  if (force_amplitude > 0.0) json["force_amplitude"] = force_amplitude;
  if (hits > 0) json["force_noise_bias"] = force_bias;
  if (biased_from > 0.0) json["biased_from_hz"] = biased_from;
  if (hits > 0) json["tail"] = tail;
  json["relative_error"] = relative_error;
  return json;
}

std::vector<std::string> FrfEstimateAnalysis::pairs() const {
  std::vector<std::string> references, pairs;
  for (const MeasuredRecord& record : test.records) {
    if (std::find(references.begin(), references.end(), record.reference) == references.end()) {
      references.push_back(record.reference);
    }
  }
  for (const std::string& reference : references) {
    for (const std::string& channel : test.channels) pairs.push_back(fmt::format("{}/{}", channel, reference));
  }
  return pairs;
}

std::string FrfEstimateAnalysis::response_unit() const {
  return unit_of(quantity) + "/force";
}

ordered_json FrfEstimateAnalysis::settings() const {
  ordered_json json;
  for (const MeasuredRecord& record : test.records) json["records"].push_back(record.name);
  json["channels"] = test.channels;
  json["quantity"] = word_of(quantity, quantities);
  json["excitation"] = word_of(random, excitations);
  json["estimator"] = word_of(estimator(), frf_estimators);
  const double low = random ? segments.band_low : hits.band_low, high = random ? segments.band_high : hits.band_high;
  if (high > 0.0) json["band_hz"] = {low, high};
  if (random) {
    json["segment"] = segments.segment;
    json["overlap"] = segments.overlap;
    return json;
  }
  if (hits.duration > 0.0) json["duration"] = hits.duration;
  json["force_window"] = hits.force_window;
  if (hits.window_decay > 0.0) {
    json["exponential_window_decay"] = hits.window_decay;
  } else {
    json["exponential_window_end"] = hits.window_end;
  }
  json["double_hits"] = word_of(hits.leave_out_double_hits, faulty_hits);
  json["overloads"] = word_of(hits.leave_out_overloads, faulty_hits);
  return json;
}

std::string FrfEstimateAnalysis::describe() const {
  return fmt::format("{} by {} from {}, {}", words::count_of(static_cast<long>(test.channels.size()), "response"),
                     word_of(estimator(), frf_estimators),
                     words::count_of(static_cast<long>(test.records.size()), "record"),
                     random ? "random excitation" : "hammer hits");
}

std::vector<std::string> FrfEstimateAnalysis::tables() const {
  if (random) return {"", signals_part, spectrogram_part};
  return {"", hits_part, signals_part, spectrogram_part};
}

AnalysisSummary FrfEstimateAnalysis::run(AnalysisRun& with) const {
  return random ? run_random(*this, with) : run_hits(*this, with);
}

}  // namespace microslip
