#include "microslip/measurement/test_noise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "microslip/measurement/channel_faults.hpp"
#include "microslip/numerics/chance_beyond.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_quiet_before = 16;
constexpr double by_chance = 1e-6;  // that any two stretches of a channel differ
constexpr double moves = 4.0;       // times the least variance, and more than by chance: the structure is not at rest
constexpr std::size_t median_knows = 4;  // white_noise tells a variance as well as a fourth of its samples do
constexpr double rounding = 1e-12;       // of the largest value: numbers have no less noise

std::span<const double> quiet_part(const std::vector<double>& channel, const Hit& hit) {
  return std::span(channel).subspan(hit.quiet, hit.lead - hit.quiet);
}

/// A channel in the blocks of its hits.
struct Stretch {
  const std::vector<double>* channel;
  const Hit* hit;
};

/// Noise is no less than the rounding to counts, count^2/12.
void raise_to_counts(const std::vector<Stretch>& stretches, std::size_t samples, ChannelNoise& noise) {
  double floor = 0.0;
  for (const Stretch& each : stretches) {
    const auto block = std::span(*each.channel).subspan(each.hit->block, samples);
    double largest = 0.0;
    for (const double value : block) largest = std::max(largest, std::abs(value));
    const double count = count_of(block);
    floor = std::max({floor, count * count / 12.0, rounding * rounding * largest * largest});
  }
  for (double& variance : noise.variance) variance = std::max(variance, floor);
}

/// What is known of a channel before its hits.
struct Before {
  bool nothing = false;           ///< noise is from the last quarters of the blocks
  std::vector<double> level;      ///< by stretch: see TestNoise
  std::vector<std::size_t> loud;  ///< stretches before which it moves more than before others
};

/// Variance before a hit, and its degrees of freedom; 0: nothing is known.
struct QuietVariance {
  double variance = 0.0, freedom = 0.0;

  [[nodiscard]] bool known() const { return variance > 0.0 && freedom > 0.0; }
  /// By three standard deviations of its logarithm.
  [[nodiscard]] double at_most() const { return variance * std::exp(3.0 * std::sqrt(2.0 / freedom)); }
};

/// Degrees of freedom: those of all stretches by their lengths.
std::vector<QuietVariance> quiet_variances(const std::vector<std::span<const double>>& quiet,
                                           const ChannelNoise& noise) {
  std::vector<QuietVariance> result;
  for (const auto& stretch : quiet) {
    const ChannelNoise own = channel_noise(std::span(&stretch, 1));  // of short ones nothing
    if (!own.known()) {
      result.emplace_back();
      continue;
    }
    const double share = static_cast<double>(own.samples) / static_cast<double>(noise.samples);
    result.push_back({own.mean(), share * noise.freedom_of_mean()});
  }
  return result;
}

/// Those whose variance is larger than that of the quietest by more than both variances, as they are known, explain by
/// chance. The quietest is the one that can least be a loud one: a short stretch may be quiet by chance.
void compare_stretches(const std::vector<QuietVariance>& stretches, const ChannelNoise& noise, Before& before) {
  before.level.assign(stretches.size(), 1.0);
  std::size_t least = stretches.size();
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    if (!stretches[k].known()) continue;
    if (least == stretches.size() || stretches[k].at_most() < stretches[least].at_most()) least = k;
  }
  if (least == stretches.size()) return;
  const auto count = static_cast<double>(stretches.size());
  const double chance = by_chance / std::max(1.0, 0.5 * count * (count - 1.0));  // any pair might have been the one
  std::vector<std::size_t> alike;
  double sum = 0.0, weights = 0.0;
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    const QuietVariance &own = stretches[k], &quietest = stretches[least];
    if (!own.known()) continue;
    const double ratio = own.variance / quietest.variance;
    if (chance_of_variance_ratio(ratio, own.freedom, quietest.freedom) < chance) {
      before.level[k] = own.variance / noise.mean();
      if (ratio > moves) before.loud.push_back(k);
      continue;
    }
    alike.push_back(k);
    sum += own.freedom * own.variance;
    weights += own.freedom;
  }
  const auto known = std::count_if(stretches.begin(), stretches.end(), [](const auto& each) { return each.known(); });
  if (alike.size() == static_cast<std::size_t>(known)) return;
  for (const std::size_t k : alike) before.level[k] = sum / weights / noise.mean();
}

/// From what is before all hits; else white noise from the last quarters of the blocks.
ChannelNoise noise_in(const std::vector<Stretch>& stretches, std::size_t samples, Before& before) {
  std::vector<std::span<const double>> quiet;
  for (const Stretch& each : stretches) quiet.push_back(quiet_part(*each.channel, *each.hit));
  ChannelNoise noise = channel_noise(quiet);
  compare_stretches(quiet_variances(quiet, noise), noise, before);
  before.nothing = !noise.known() && !stretches.empty();
  if (before.nothing) {
    double sum = 0.0;
    for (const Stretch& each : stretches) {
      const auto tail = std::span(*each.channel).subspan(each.hit->block + samples - samples / 4, samples / 4);
      const double deviation = white_noise(tail);
      sum += deviation * deviation / static_cast<double>(stretches.size());
      noise.samples += tail.size() / median_knows;
    }
    noise.variance = {sum};
  }
  raise_to_counts(stretches, samples, noise);
  return noise;
}

}  // namespace

TestNoise noise_of_test(const MeasuredTest& test, const HitBlocks& blocks) {
  TestNoise result;
  std::vector<std::string> tails;
  std::vector<bool> moved(blocks.hits.size(), false);
  result.level.assign(blocks.hits.size(), std::vector<double>(test.channels.size(), 1.0));
  result.force_level.assign(blocks.hits.size(), 1.0);
  const auto take = [&](const std::vector<Stretch>& stretches, const std::string& name, const auto& level_of) {
    Before before;
    ChannelNoise noise = noise_in(stretches, blocks.samples, before);
    if (before.nothing) tails.push_back(name);
    for (std::size_t k = 0; k < stretches.size(); ++k) {
      level_of(static_cast<std::size_t>(stretches[k].hit - blocks.hits.data())) = before.level[k];
    }
    for (const std::size_t k : before.loud)
      moved[static_cast<std::size_t>(stretches[k].hit - blocks.hits.data())] = true;
    return noise;
  };
  for (std::size_t c = 0; c < test.channels.size(); ++c) {
    std::vector<Stretch> stretches;
    double before = 0.0;
    for (const Hit& hit : blocks.hits) {
      const std::vector<double>& channel = test.records[hit.record].responses[c];
      if (channel.empty() || is_dead(channel)) continue;
      stretches.push_back({&channel, &hit});
      const auto quiet = static_cast<double>(hit.lead - hit.quiet);
      const double known = quiet >= fewest_quiet_before ? quiet : static_cast<double>(blocks.samples / 4);
      before = before > 0.0 ? std::min(before, known) : known;
    }
    result.responses.push_back(stretches.empty() ? ChannelNoise{}
                                                 : take(stretches, test.channels[c], [&](std::size_t hit) -> double& {
                                                     return result.level[hit][c];
                                                   }));
    result.before.push_back(before);
  }
  for (std::size_t k = 0; k < test.records.size(); ++k) {
    std::vector<Stretch> stretches;
    for (const Hit& hit : blocks.hits) {
      if (hit.record == k) stretches.push_back({&test.records[k].force, &hit});
    }
    result.force.push_back(stretches.empty()
                               ? ChannelNoise{}
                               : take(stretches, "the force of " + test.records[k].name,
                                      [&](std::size_t hit) -> double& { return result.force_level[hit]; }));
  }
  if (!tails.empty()) {
    result.notes.push_back(
        fmt::format("nothing is recorded before the hits ({}): noise is taken as white, from the last "
                    "quarter of the blocks",
                    fmt::join(tails, ", ")));
  }
  for (std::size_t k = 0; k < moved.size(); ++k) {
    if (moved[k]) {
      result.notes.push_back(
          fmt::format("hit {}: before it channels move more than before others: the structure still moves, or there is "
                      "more noise; it counts as noise of that hit",
                      k + 1));
    }
  }
  return result;
}

ChannelUse channel_use(const MeasuredTest& test, const HitBlocks& blocks, const TestNoise& noise) {
  ChannelUse use;
  const auto is_clipped = [&](const std::vector<double>& channel, const Hit& hit, const ChannelNoise& of) {
    const auto around = std::span(channel).subspan(hit.lead, hit.block - hit.lead + blocks.samples);
    return clipped_samples(around, std::sqrt(of.mean()), of.fresh_deviation()) > 0;
  };
  for (const Hit& hit : blocks.hits) {
    const MeasuredRecord& record = test.records[hit.record];
    use.force_clipped.push_back(is_clipped(record.force, hit, noise.force[hit.record]));
    std::vector<bool> clipped;
    for (std::size_t c = 0; c < record.responses.size(); ++c) {
      const std::vector<double>& channel = record.responses[c];
      clipped.push_back(!channel.empty() && is_clipped(channel, hit, noise.responses[c]));
    }
    use.clipped.push_back(std::move(clipped));
  }
  for (const MeasuredRecord& record : test.records) use.dead.push_back(dead_channels(record));
  return use;
}

}  // namespace microslip
