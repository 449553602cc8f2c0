#include "microslip/measurement/hit_responses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "microslip/measurement/block_spectra.hpp"
#include "microslip/measurement/channel_faults.hpp"
#include "microslip/measurement/hit_agreement.hpp"
#include "microslip/measurement/line_range.hpp"
#include "microslip/measurement/test_noise.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_samples_a_block = 64;
constexpr double first_part = 12.0;  // over the block: further decay of the window of the first part
constexpr double end_of_block = 0.05;
constexpr double bias_told = 0.01;

/// What every sum over hits needs.
struct Estimation {
  const MeasuredTest& test;
  const HitOptions& options;
  const HitBlocks& blocks;
  const TestNoise& noise;
  const ChannelUse& use;
  Quantity quantity;
  std::vector<std::size_t> channels;    ///< those that can be used
  std::vector<std::string> references;  ///< each once
};

bool usable(const Estimation& with, std::size_t hit, std::size_t channel) {
  const MeasuredRecord& record = with.test.records[with.blocks.hits[hit].record];
  if (record.responses[channel].empty() || with.use.dead[with.blocks.hits[hit].record][channel]) return false;
  return !with.options.leave_out_overloads || !with.use.clipped[hit][channel];
}

/// Frequency of a line that is kept over the sampling rate.
double share_of(const BlockOptions& block, Eigen::Index k) {
  return static_cast<double>(block.first_line + static_cast<std::size_t>(k)) / static_cast<double>(block.samples);
}

/// Adds |F|^2 E|N|^2 of a hit, N the noise of a channel and of the offset that was taken off it.
void add_noise(const Estimation& with, const BlockSpectra& spectra, std::size_t hit, const BlockOptions& block,
               std::size_t channel, Eigen::VectorXd& sum) {
  const ChannelNoise& noise = with.noise.responses[channel];
  const double before = with.noise.before[channel];
  const double offset = before > 0.0 ? noise.variance.front() / before : 0.0;
  for (Eigen::Index k = 0; k < sum.size(); ++k) {
    const double own = noise.at(share_of(block, k)) * spectra.response_power + offset * spectra.offset_power(k);
    sum(k) += std::norm(spectra.force(k)) * own * with.noise.level[hit][channel];
  }
}

/// Adds |F|^2 E|M|^2 of a hit, M the noise of its force.
void add_force_noise(const Estimation& with, const BlockSpectra& spectra, std::size_t hit, const BlockOptions& block,
                     Eigen::VectorXd& sum) {
  const ChannelNoise& noise = with.noise.force[with.blocks.hits[hit].record];
  for (Eigen::Index k = 0; k < sum.size(); ++k) {
    sum(k) +=
        std::norm(spectra.force(k)) * noise.at(share_of(block, k)) * spectra.force_power * with.noise.force_level[hit];
  }
}

/// Response, error and coherence of one channel from its sums. `own` and `force`: sums of |F|^2 E|N|^2 and |F|^2 E|M|^2
/// over the hits, of the response's and of the force's noise, as far as they are independent from line to line.
void put_column(const Estimation& with, const ResponseSums& sums, const Eigen::VectorXd& own,
                const Eigen::VectorXd& force, Eigen::Index column, FrequencyResponses& into) {
  const Eigen::VectorXcd h = sums.response(with.options.estimator);
  into.values.col(column) = h;
  into.coherence.col(column) = sums.coherence();
  for (Eigen::Index k = 0; k < h.size(); ++k) {
    const double power = sums.ff(k);  // 0: no force at all
    into.error(k, column) = power > 0.0 ? std::sqrt(0.5 * (own(k) + std::norm(h(k)) * force(k))) / power
                                        : std::numeric_limits<double>::infinity();
  }
}

/// Sums of |F|^2, |F|^2 E|M|^2 and E|M|^2 over hits at a reference, M the noise of the force.
struct ForceSums {
  Eigen::VectorXd power, noise, noise_alone;
};

ForceSums force_sums(const Estimation& with, const std::vector<BlockSpectra>& spectra,
                     const std::vector<std::size_t>& hits, const BlockOptions& block, const std::string& reference) {
  ForceSums sums{Eigen::VectorXd::Zero(static_cast<Eigen::Index>(block.lines)), {}, {}};
  sums.noise = sums.noise_alone = sums.power;
  for (const std::size_t hit : hits) {
    const std::size_t record = with.blocks.hits[hit].record;
    if (with.test.records[record].reference != reference) continue;
    for (Eigen::Index k = 0; k < sums.power.size(); ++k) {
      const double power = std::norm(spectra[hit].force(k));
      const double noise =
          with.noise.force[record].at(share_of(block, k)) * spectra[hit].force_power * with.noise.force_level[hit];
      sums.power(k) += power;
      sums.noise(k) += power * noise;
      sums.noise_alone(k) += noise;
    }
  }
  return sums;
}

/// Is the noise of the force a smooth factor over the lines, the same for all channels? Under a force window, if all
/// of them are averaged over the same hits.
bool noise_is_common(const Estimation& with, const std::vector<std::size_t>& hits, const std::string& reference) {
  if (!with.options.force_window) return false;
  return std::all_of(hits.begin(), hits.end(), [&](std::size_t hit) {
    const Hit& of = with.blocks.hits[hit];
    if (of.second) return false;
    return with.test.records[of.record].reference != reference ||
           std::all_of(with.channels.begin(), with.channels.end(),
                       [&](std::size_t channel) { return usable(with, hit, channel); });
  });
}

/// Responses to every reference from these hits.
std::vector<FrequencyResponses> combined(const Estimation& with, const std::vector<BlockSpectra>& spectra,
                                         const std::vector<std::size_t>& hits, const BlockOptions& block, double step) {
  std::vector<FrequencyResponses> result;
  const auto lines = static_cast<Eigen::Index>(block.lines), columns = static_cast<Eigen::Index>(with.channels.size());
  const double length = static_cast<double>(block.samples) * step;
  for (const std::string& reference : with.references) {
    FrequencyResponses into;
    into.reference = reference;
    into.quantity = with.quantity;
    into.window_decay = block.decay / step;
    into.block = length;
    into.frequency = LineRange{block.first_line, block.lines, length}.frequencies();
    const ForceSums force = force_sums(with, spectra, hits, block, reference);
    const bool smooth = noise_is_common(with, hits, reference);
    if (smooth) into.force_error = (0.5 * force.noise.array()).sqrt() / force.power.array();
    into.values.resize(lines, columns);
    into.error.resize(lines, columns);
    into.coherence.resize(lines, columns);
    for (Eigen::Index c = 0; c < columns; ++c) {
      const std::size_t channel = with.channels[static_cast<std::size_t>(c)];
      ResponseSums sums(lines);
      Eigen::VectorXd own = Eigen::VectorXd::Zero(lines), of_force = own;
      for (const std::size_t hit : hits) {
        const Hit& of = with.blocks.hits[hit];
        if (with.test.records[of.record].reference != reference || !usable(with, hit, channel)) continue;
        const BlockSpectra& each = spectra[hit];
        sums.add(each.force, each.responses.col(static_cast<Eigen::Index>(channel)));
        add_noise(with, each, hit, block, channel, own);
        if (!smooth) add_force_noise(with, each, hit, block, of_force);
        into.force_amplitude = std::max(into.force_amplitude, std::abs(of.peak));
      }
      into.noise_freedom = fewer_degrees(into.noise_freedom, with.noise.responses[channel].freedom());
      into.averages = c == 0 ? sums.averages : std::min(into.averages, sums.averages);
      put_column(with, sums, own, of_force, c, into);
      into.channels.push_back(with.test.channels[channel]);
    }
    if (into.averages > 0) result.push_back(std::move(into));
  }
  return result;
}

/// Channels with a hit that can be used for every reference; what is left out is told.
std::vector<std::size_t> usable_channels(Estimation& with, const std::vector<std::size_t>& hits,
                                         std::vector<std::string>& notes) {
  std::vector<std::size_t> channels;
  tell_dead(with.test, with.use.dead, notes);
  for (std::size_t c = 0; c < with.test.channels.size(); ++c) {
    const std::string& name = with.test.channels[c];
    std::size_t served = 0, clipped = 0;
    std::set<std::string> references;
    for (const std::size_t hit : hits) {
      if (usable(with, hit, c)) references.insert(with.test.records[with.blocks.hits[hit].record].reference);
      served += usable(with, hit, c) ? 1 : 0;
      clipped += with.use.clipped[hit][c] ? 1 : 0;
    }
    if (clipped > 0) {
      notes.push_back(fmt::format("channel {} is clipped in {} of {} hits{}", name, clipped, hits.size(),
                                  !with.options.leave_out_overloads ? ", and kept as asked for"
                                  : served > 0                      ? ": it is averaged over the others"
                                                                    : ": it is left out"));
    }
    if (served > 0 && references.size() < with.references.size()) {
      notes.push_back(fmt::format("channel {} has no usable hit at one of the references: it is left out", name));
    }
    if (references.size() == with.references.size()) channels.push_back(c);
  }
  return channels;
}

BlockOptions block_options(const HitOptions& options, std::size_t samples, double step) {
  BlockOptions block;
  block.samples = samples;
  block.force_window = options.force_window;
  block.decay = options.window_decay * step;
  if (options.window_end < 1.0) block.decay = -std::log(options.window_end) / static_cast<double>(samples);
  const LineRange lines = LineRange::in_band(options.band_low, options.band_high, samples, step);
  block.first_line = lines.first;
  block.lines = lines.count;
  return block;
}

/// The share of its largest value at which a response ends.
double tail_of(const MeasuredTest& test, const Hit& hit, std::size_t samples, const std::vector<ChannelNoise>& noise) {
  double share = 0.0;
  const MeasuredRecord& record = test.records[hit.record];
  for (std::size_t c = 0; c < record.responses.size(); ++c) {
    const std::vector<double>& channel = record.responses[c];
    if (channel.empty() || !noise[c].known()) continue;
    const double offset = offset_before(channel, hit, samples);
    const auto tail = static_cast<std::size_t>(std::ceil(end_of_block * static_cast<double>(samples)));
    double largest = 0.0, end = 0.0;
    for (std::size_t i = hit.block; i < hit.block + samples; ++i) {
      const double value = channel[i] - offset;
      largest = std::max(largest, std::abs(value));
      if (i + tail >= hit.block + samples) end += value * value / static_cast<double>(tail);
    }
    const double moved = std::sqrt(2.0 * std::max(0.0, end - 1.5 * noise[c].mean()));
    if (largest > 0.0) share = std::max(share, moved / largest);
  }
  return share;
}

HitFacts facts_of_hit(const Estimation& with, std::size_t k, double step) {
  HitFacts facts;
  facts.hit = with.blocks.hits[k];
  const MeasuredRecord& record = with.test.records[facts.hit.record];
  facts.time = record.time(facts.hit.begin);
  facts.duration = static_cast<double>(facts.hit.end - facts.hit.begin) * step;
  if (facts.hit.second) facts.double_hit = static_cast<double>(*facts.hit.second - facts.hit.begin) * step;
  facts.force_clipped = with.use.force_clipped[k];
  facts.overloads = facts.force_clipped ? 1 : 0;
  const auto& clipped = with.use.clipped[k];
  facts.overloads += static_cast<int>(std::count(clipped.begin(), clipped.end(), true));
  facts.used = !(facts.force_clipped && with.options.leave_out_overloads) &&
               !(facts.hit.second && with.options.leave_out_double_hits);
  const double deviation = std::sqrt(with.noise.force[facts.hit.record].mean());
  if (deviation > 0.0) facts.force_to_noise = std::abs(facts.hit.peak) / deviation;
  for (std::size_t c = 0; c < record.responses.size(); ++c) {
    const std::vector<double>& channel = record.responses[c];
    const double noise = std::sqrt(with.noise.responses[c].mean());
    if (channel.empty() || with.use.dead[facts.hit.record][c] || !(noise > 0.0)) continue;
    const double offset = offset_before(channel, facts.hit, with.blocks.samples);
    double largest = 0.0;
    for (std::size_t i = facts.hit.block; i < facts.hit.block + with.blocks.samples; ++i) {
      largest = std::max(largest, std::abs(channel[i] - offset));
    }
    const double ratio = largest / noise;
    facts.response_to_noise = facts.response_to_noise > 0.0 ? std::min(facts.response_to_noise, ratio) : ratio;
  }
  return facts;
}

/// The share of the force's noise in |F|^2, and from where on it is told.
void tell_force_bias(const Estimation& with, const std::vector<BlockSpectra>& spectra,
                     const std::vector<std::size_t>& hits, const BlockOptions& block, HitEstimate& estimate) {
  for (const std::string& reference : with.references) {
    const ForceSums force = force_sums(with, spectra, hits, block, reference);
    for (Eigen::Index k = 0; k < force.power.size(); ++k) {
      const double share = force.power(k) > 0.0 ? std::min(1.0, force.noise_alone(k) / force.power(k)) : 1.0;
      estimate.force_bias = std::max(estimate.force_bias, share);
      const double frequency = share_of(block, k) / estimate.step;
      if (share <= bias_told || (estimate.biased_from > 0.0 && frequency >= estimate.biased_from)) continue;
      estimate.biased_from = frequency;
    }
  }
}

/// Noise of the force that is part of `error`, as if each channel had its own, is common to all: a fit knows its modes
/// less well than it says.
void tell_common_noise(const Estimation& with, const std::vector<BlockSpectra>& spectra,
                       const std::vector<std::size_t>& hits, const BlockOptions& block, HitEstimate& estimate) {
  constexpr double much = 0.1;  // of the variance, where responses are strong
  double of_force = 0.0, all = 0.0;
  for (const FrequencyResponses& of : estimate.responses.references) {
    if (of.force_error.size() > 0) continue;
    const ForceSums force = force_sums(with, spectra, hits, block, of.reference);
    for (Eigen::Index k = 0; k < of.frequency.size(); ++k) {
      const double relative = 0.5 * force.noise(k) / (force.power(k) * force.power(k));
      for (Eigen::Index c = 0; c < of.values.cols(); ++c) {
        const double square = std::norm(of.values(k, c)), variance = of.error(k, c) * of.error(k, c);
        if (!(variance > 0.0) || !std::isfinite(variance)) continue;
        of_force += square * std::min(1.0, square * relative / variance);
        all += square;
      }
    }
  }
  if (!(of_force > much * all)) return;
  estimate.notes.emplace_back(
      "noise of the force is common to all channels (no force window, double hits, or other hits behind each channel): "
      "the errors that a modal_fit states may be too small, by up to the square root of the number of channels, and "
      "parts of the data differ by as much more");
}

/// Spectra of the hits that are used, others empty; nothing when it was stopped.
std::vector<BlockSpectra> spectra_of(const MeasuredTest& test, const HitBlocks& blocks,
                                     const std::vector<std::size_t>& hits, const BlockOptions& block, double from,
                                     const std::function<bool(double)>& go_on) {
  std::vector<BlockSpectra> spectra(blocks.hits.size());
  for (std::size_t k = 0; k < hits.size(); ++k) {
    if (go_on && !go_on(from + 0.5 * static_cast<double>(k) / static_cast<double>(hits.size()))) return {};
    const Hit& hit = blocks.hits[hits[k]];
    spectra[hits[k]] = block_spectra(test.records[hit.record], hit, block);
  }
  return spectra;
}

void tell_lengths(const MeasuredTest& test, const HitOptions& options, std::vector<std::string>& notes) {
  if (options.duration > 0.0) return;
  const auto shorter = [](const MeasuredRecord& a, const MeasuredRecord& b) { return a.force.size() < b.force.size(); };
  const auto least = std::min_element(test.records.begin(), test.records.end(), shorter);
  const auto most = std::max_element(test.records.begin(), test.records.end(), shorter);
  if (least->force.size() == most->force.size()) return;
  notes.push_back(
      fmt::format("records differ in length, {} samples ({}) to {} ({}): what is beyond the shortest is not used",
                  least->force.size(), least->name, most->force.size(), most->name));
}

void tell_hits(const std::vector<HitFacts>& hits, std::vector<std::string>& notes) {
  for (std::size_t k = 0; k < hits.size(); ++k) {
    if (hits[k].double_hit > 0.0) {
      notes.push_back(fmt::format("hit {} is a double hit, {:.3g} apart{}", k + 1, hits[k].double_hit,
                                  hits[k].used ? ": kept, without a force window" : ": left out"));
    }
    if (hits[k].force_clipped && !hits[k].used) {
      notes.push_back(
          fmt::format("hit {}: the force is clipped, it is left out (it is flat at its largest values; if the pulse "
                      "itself is: overloads = \"keep\")",
                      k + 1));
    }
  }
}

}  // namespace

HitEstimate responses_of_hits(const MeasuredTest& test, Quantity quantity, const HitOptions& options,
                              const std::function<bool(double)>& go_on) {
  HitEstimate estimate;
  estimate.step = test.records.front().step;
  HitBlocks blocks = find_hits(test, options.duration);
  estimate.notes = blocks.notes;
  estimate.samples = blocks.samples;
  tell_lengths(test, options, estimate.notes);
  if (blocks.hits.empty() || blocks.samples < fewest_samples_a_block) {
    estimate.notes.emplace_back("no hit has a block of 64 samples: there is nothing to estimate");
    return estimate;
  }
  const TestNoise noise = noise_of_test(test, blocks);
  const ChannelUse use = channel_use(test, blocks, noise);
  estimate.notes.insert(estimate.notes.end(), noise.notes.begin(), noise.notes.end());
  Estimation with{test, options, blocks, noise, use, quantity, {}, {}};
  std::vector<std::size_t> hits;
  for (std::size_t k = 0; k < blocks.hits.size(); ++k) {
    estimate.hits.push_back(facts_of_hit(with, k, estimate.step));
    if (!estimate.hits.back().used) continue;
    hits.push_back(k);
    const std::string& reference = test.records[blocks.hits[k].record].reference;
    if (std::find(with.references.begin(), with.references.end(), reference) == with.references.end()) {
      with.references.push_back(reference);
    }
    estimate.tail = std::max(estimate.tail, tail_of(test, blocks.hits[k], blocks.samples, noise.responses));
  }
  tell_hits(estimate.hits, estimate.notes);
  with.channels = usable_channels(with, hits, estimate.notes);
  BlockOptions block = block_options(options, blocks.samples, estimate.step);
  estimate.decay = block.decay / estimate.step;
  if (hits.empty() || with.channels.empty() || block.lines == 0) {
    estimate.notes.emplace_back(block.lines == 0 ? "no line lies in band_hz" : "no hit and channel is left to use");
    return estimate;
  }
  std::vector<BlockSpectra> spectra = spectra_of(test, blocks, hits, block, 0.0, go_on);
  estimate.stopped = spectra.empty();
  if (estimate.stopped) return estimate;
  estimate.responses.references = combined(with, spectra, hits, block, estimate.step);
  tell_force_bias(with, spectra, hits, block, estimate);
  tell_common_noise(with, spectra, hits, block, estimate);
  const std::vector<std::size_t> all_channels = with.channels;
  std::vector<MeasuredResponses::Part> singles;
  for (const std::size_t hit : hits.size() > 1 ? hits : std::vector<std::size_t>{}) {
    with.channels.clear();  // those that the hit has
    std::copy_if(all_channels.begin(), all_channels.end(), std::back_inserter(with.channels),
                 [&](std::size_t channel) { return usable(with, hit, channel); });
    std::vector<FrequencyResponses> alone = combined(with, spectra, {hit}, block, estimate.step);
    if (alone.empty()) continue;
    singles.push_back({fmt::format("hit {}", hit + 1), std::move(alone)});
    if (with.channels == all_channels) estimate.responses.parts.push_back(singles.back());
  }
  with.channels = all_channels;
  const std::vector<std::string> differences = hits_that_differ(singles);
  estimate.doubts.insert(estimate.doubts.end(), differences.begin(), differences.end());
  block.decay += first_part / static_cast<double>(block.samples);
  spectra = spectra_of(test, blocks, hits, block, 0.5, go_on);
  estimate.stopped = spectra.empty();
  if (estimate.stopped) return estimate;
  estimate.responses.parts.push_back(
      {fmt::format("first {:.3g}", static_cast<double>(block.samples) * estimate.step / first_part),
       combined(with, spectra, hits, block, estimate.step), true});
  return estimate;
}

}  // namespace microslip
