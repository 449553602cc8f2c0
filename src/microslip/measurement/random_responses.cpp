#include "microslip/measurement/random_responses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "microslip/measurement/channel_faults.hpp"
#include "microslip/measurement/line_range.hpp"
#include "microslip/numerics/fft.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_in_a_segment = 16;
constexpr std::size_t default_segments = 16;

std::vector<double> hann_window(std::size_t samples) {
  std::vector<double> window(samples);
  for (std::size_t j = 0; j < samples; ++j) {
    window[j] = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(samples));
  }
  return window;
}

/// Spectra of one segment of a channel.
class SegmentTransform {
 public:
  SegmentTransform(std::size_t segment, const LineRange& lines)
      : window_(hann_window(segment)), lines_(lines), fft_(segment), work_(segment) {}

  void transform(const std::vector<double>& channel, std::size_t from, Eigen::VectorXcd& to) {
    double mean = 0.0;
    for (std::size_t j = 0; j < work_.size(); ++j) mean += channel[from + j] / static_cast<double>(work_.size());
    for (std::size_t j = 0; j < work_.size(); ++j) work_[j] = window_[j] * (channel[from + j] - mean);
    fft_.forward(work_);
    to.resize(static_cast<Eigen::Index>(lines_.count));
    for (std::size_t l = 0; l < lines_.count; ++l) to(static_cast<Eigen::Index>(l)) = work_[lines_.first + l];
  }

 private:
  std::vector<double> window_;
  LineRange lines_;
  Fft fft_;
  std::vector<std::complex<double>> work_;
};

/// To first order H2 and Hv turn by the same angle as H1, and their sizes change by less than that; in the mean they
/// are H/g^2 and H/g, g^2 the coherence.
double error_over_that_of_h1(FrfEstimator estimator, double coherence) {
  return estimator == FrfEstimator::H1   ? 1.0
         : estimator == FrfEstimator::H2 ? 1.0 / coherence
                                         : 1.0 / std::sqrt(coherence);
}

/// Neighbours under a Hann window share noise and force: both spectra have the correlations -2/3 and 1/6 of lines one
/// and two apart, their product, which the error is, the squares.
Eigen::VectorXcd hann_correlation() {
  return Eigen::Vector2cd(4.0 / 9.0, 1.0 / 36.0);
}

FrequencyResponses from_sums(const std::vector<ResponseSums>& sums, const std::vector<std::string>& channels,
                             const RandomOptions& options, double share_independent) {
  FrequencyResponses into;
  const Eigen::Index lines = sums.front().ff.size(), columns = static_cast<Eigen::Index>(sums.size());
  into.channels = channels;
  into.line_correlation = hann_correlation();
  into.values.resize(lines, columns);
  into.error.resize(lines, columns);
  into.coherence.resize(lines, columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    const ResponseSums& of = sums[static_cast<std::size_t>(c)];
    into.values.col(c) = of.response(options.estimator);
    into.coherence.col(c) = of.coherence();
    const double averages = share_independent * of.averages;
    for (Eigen::Index k = 0; k < lines; ++k) {
      const double coherence = into.coherence(k, c), unexplained = of.xx(k) * (1.0 - coherence);
      into.error(k, c) = averages > 1.0 && of.ff(k) > 0.0 && coherence > 0.0
                             ? std::sqrt(0.5 * unexplained / (of.ff(k) * (averages - 1.0))) *
                                   error_over_that_of_h1(options.estimator, coherence)
                             : std::numeric_limits<double>::infinity();
    }
    into.averages = c == 0 ? of.averages : std::min(into.averages, of.averages);
  }
  return into;
}

/// Channels that move in a record. What is dead, and in which records, is told.
std::vector<std::size_t> moving_channels(const MeasuredTest& test, const std::vector<std::vector<bool>>& dead,
                                         std::vector<std::string>& notes) {
  std::vector<std::size_t> channels;
  tell_dead(test, dead, notes);
  for (std::size_t c = 0; c < test.channels.size(); ++c) {
    std::size_t alive = 0, clipped = 0;
    for (std::size_t r = 0; r < test.records.size(); ++r) {
      const std::vector<double>& channel = test.records[r].responses[c];
      if (!channel.empty() && !dead[r][c]) ++alive;
      if (!channel.empty() && clipped_samples(channel) > 0) ++clipped;
    }
    if (alive == 0) continue;
    if (clipped > 0) {
      notes.push_back(fmt::format("channel {} is clipped in {} of {} records: its responses are too small there",
                                  test.channels[c], clipped, test.records.size()));
    }
    channels.push_back(c);
  }
  return channels;
}

/// Samples of a segment: as asked for, within the shortest record, even.
std::size_t segment_samples(const MeasuredTest& test, std::size_t asked) {
  std::size_t total = 0, shortest = test.records.front().force.size();
  for (const MeasuredRecord& record : test.records) {
    total += record.force.size();
    shortest = std::min(shortest, record.force.size());
  }
  const std::size_t wanted = asked > 0 ? asked : fast_length_above(std::max<std::size_t>(1, total / default_segments));
  const std::size_t segment = std::max(std::min(wanted, shortest), fewest_in_a_segment);
  return segment - segment % 2;
}

/// Sums over the segments of a record, by channel; nothing when it was stopped.
std::vector<ResponseSums> sums_of_record(const MeasuredRecord& record, const std::vector<bool>& dead,
                                         const std::vector<std::size_t>& channels, std::size_t samples, std::size_t hop,
                                         SegmentTransform& segment, const LineRange& lines,
                                         const std::function<bool(double)>& go_on) {
  std::vector<ResponseSums> sums(channels.size(), ResponseSums(static_cast<Eigen::Index>(lines.count)));
  Eigen::VectorXcd force, response;
  for (std::size_t from = 0; from + samples <= record.force.size(); from += hop) {
    if (go_on && !go_on(static_cast<double>(from) / static_cast<double>(record.force.size()))) return {};
    segment.transform(record.force, from, force);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      if (record.responses[channels[c]].empty() || dead[channels[c]]) continue;
      segment.transform(record.responses[channels[c]], from, response);
      sums[c].add(force, response);
    }
  }
  return sums;
}

}  // namespace

double independent_segments(std::size_t segment, std::size_t hop, int count) {
  const std::vector<double> window = hann_window(segment);
  double power = 0.0;
  for (const double w : window) power += w * w;
  double sum = 1.0;
  for (int k = 1; k < count && static_cast<std::size_t>(k) * hop < segment; ++k) {
    double overlap = 0.0;
    for (std::size_t j = static_cast<std::size_t>(k) * hop; j < segment; ++j) {
      overlap += window[j] * window[j - static_cast<std::size_t>(k) * hop];
    }
    const double rho = overlap / power;
    sum += 2.0 * (1.0 - static_cast<double>(k) / count) * rho * rho;
  }
  return count / sum;
}

RandomEstimate responses_of_random(const MeasuredTest& test, Quantity quantity, const RandomOptions& options,
                                   const std::function<bool(double)>& go_on) {
  RandomEstimate estimate;
  estimate.step = test.records.front().step;
  estimate.segment = segment_samples(test, options.segment);
  const LineRange lines = LineRange::in_band(options.band_low, options.band_high, estimate.segment, estimate.step);
  std::vector<std::vector<bool>> dead;
  for (const MeasuredRecord& record : test.records) dead.push_back(dead_channels(record));
  const std::vector<std::size_t> channels = moving_channels(test, dead, estimate.notes);
  if (channels.empty() || lines.count == 0) {
    estimate.notes.emplace_back(lines.count == 0 ? "no line lies in band_hz" : "no channel is left to use");
    return estimate;
  }
  const auto hop = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::llround((1.0 - options.overlap) * static_cast<double>(estimate.segment))));
  SegmentTransform segment(estimate.segment, lines);
  std::vector<ResponseSums> all(channels.size(), ResponseSums(static_cast<Eigen::Index>(lines.count)));
  std::vector<std::vector<ResponseSums>> alone;
  const auto records = static_cast<double>(test.records.size());
  for (const MeasuredRecord& record : test.records) {
    const auto part = [&](double done) { return go_on((static_cast<double>(alone.size()) + done) / records); };
    alone.push_back(sums_of_record(record, dead[alone.size()], channels, estimate.segment, hop, segment, lines,
                                   go_on ? std::function<bool(double)>(part) : nullptr));
    estimate.stopped = alone.back().empty();
    if (estimate.stopped) return estimate;
    for (std::size_t c = 0; c < channels.size(); ++c) all[c].add(alone.back()[c]);
    estimate.segments += static_cast<int>((record.force.size() - estimate.segment) / hop) + 1;
  }
  estimate.averages = independent_segments(estimate.segment, hop, estimate.segments);
  std::vector<std::string> names;
  for (const std::size_t c : channels) names.push_back(test.channels[c]);
  const auto finished = [&](const std::vector<ResponseSums>& sums) {
    FrequencyResponses result = from_sums(sums, names, options, estimate.averages / estimate.segments);
    result.reference = test.records.front().reference;
    result.quantity = quantity;
    result.frequency = lines.frequencies();
    return result;
  };
  estimate.responses.references.push_back(finished(all));
  for (std::size_t k = 0; k < alone.size() && alone.size() > 1; ++k) {
    const auto silent = [](const ResponseSums& sums) { return sums.averages == 0; };
    if (std::any_of(alone[k].begin(), alone[k].end(), silent)) continue;
    estimate.responses.parts.push_back({test.records[k].name, {finished(alone[k])}});
  }
  return estimate;
}

}  // namespace microslip
