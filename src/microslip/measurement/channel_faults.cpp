#include "microslip/measurement/channel_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

constexpr double fewest_counts = 100.0;
constexpr double rest = 0.1;  // of the range

/// Samples in runs of three and more exactly at the level from which both neighbours fall farther than a round top can:
/// a parabola that stays within d over n samples is ((n + 1)/(n - 1))^2 d lower one sample farther, at most. Noise adds
/// to d; but where what a sample brings that those before it do not tell (normal, deviation s) is much larger than a
/// count, tops with noise are not flat: the next sample is equal to this one by a chance p of count/(sqrt(2 pi) s) at
/// most. One run of n holds the largest sample of all, p^(n-1); the others may be anywhere among N and come to it by
/// chance too, N p^n.
std::size_t flat_samples(std::span<const double> values, double level, double count, double deviation, double fresh) {
  constexpr std::size_t least = 3;
  constexpr double noise = 4.0;  // deviations
  constexpr double by_chance = 1e-6;
  const double equal = fresh > 0.0 ? count / (std::sqrt(two_pi) * fresh) : 1.0;
  const double among = static_cast<double>(values.size());
  std::size_t flat = 0, in_counts = 0;
  double chance = 1.0;
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end + 1) {
    for (end = begin; end < values.size() && values[end] == level; ++end) continue;
    if (end - begin < least || begin == 0 || end == values.size()) continue;
    const auto length = static_cast<double>(end - begin);
    const double fall = std::min(std::abs(values[begin - 1] - level), std::abs(values[end] - level));
    const auto falls_farther = [&](double within) {
      return fall > std::pow((length + 1.0) / (length - 1.0), 2.0) * within + within;
    };
    if (falls_farther(count + noise * deviation)) flat += end - begin;
    if (!falls_farther(count)) continue;
    chance *= std::pow(equal, length - 1.0) * (in_counts > 0 ? std::min(1.0, among * equal) : 1.0);
    in_counts += end - begin;
  }
  return chance < by_chance ? in_counts : flat;
}

/// Samples in runs near the level that nine times as far below it are hardly longer.
std::size_t level_samples(std::span<const double> values, double level, double middle, double range, double count,
                          double deviation) {
  constexpr double near_deviations = 8.0;  // the level is up to 4 above the cut, a sample up to 4 below
  constexpr double of_range = 0.02, farther = 9.0;
  constexpr std::size_t least = 4, longer = 2;
  const double near = near_deviations * deviation + count;
  if (near > of_range * range) return 0;
  const auto off = [&](std::size_t i) { return std::abs(values[i] - level); };
  std::size_t clipped = 0;
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end + 1) {
    for (end = begin; end < values.size() && off(end) <= near; ++end) continue;
    if (end - begin < least) continue;
    std::size_t from = begin, to = end;
    while (from > 0 && off(from - 1) <= farther * near) --from;
    while (to < values.size() && off(to) <= farther * near) ++to;
    if (from == 0 || to == values.size() || to - from >= longer * (end - begin)) continue;
    const auto at_rest = [&](std::size_t i) { return std::abs(values[i] - middle) <= rest * range; };
    if (!at_rest(from - 1) || !at_rest(to)) clipped += end - begin;  // else a box
  }
  return clipped;
}

}  // namespace

bool is_dead(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

std::vector<bool> dead_channels(const MeasuredRecord& record) {
  std::vector<bool> dead;
  for (const std::vector<double>& channel : record.responses) dead.push_back(!channel.empty() && is_dead(channel));
  return dead;
}

void tell_dead(const MeasuredTest& test, const std::vector<std::vector<bool>>& dead, std::vector<std::string>& notes) {
  for (std::size_t c = 0; c < test.channels.size(); ++c) {
    std::vector<std::string> records;
    std::size_t there = 0;
    for (std::size_t r = 0; r < test.records.size(); ++r) {
      if (!test.records[r].responses[c].empty()) ++there;
      if (dead[r][c]) records.push_back(test.records[r].name);
    }
    if (records.empty()) continue;
    notes.push_back(
        records.size() == there
            ? fmt::format("channel {} is dead, all of its values are the same: it is left out", test.channels[c])
            : fmt::format("channel {} is dead in {} (all of its values are the same): it is averaged over "
                          "the other records",
                          test.channels[c], fmt::join(records, ", ")));
  }
}

double count_of(std::span<const double> values) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double distance = std::abs(values[i] - values[i - 1]);
    if (distance > 0.0) least = std::min(least, distance);
  }
  return std::isfinite(least) ? least : 0.0;
}

std::size_t clipped_samples(std::span<const double> values, double deviation, double fresh) {
  if (values.empty() || is_dead(values)) return 0;
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  const double low = *least, high = *largest, range = high - low, count = count_of(values);
  if (range < fewest_counts * count) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  std::size_t clipped = 0;
  for (const double level : {low, high}) {
    if (!(std::abs(level - *middle) > rest * range)) continue;
    clipped += std::max(flat_samples(values, level, count, deviation, fresh),
                        level_samples(values, level, *middle, range, count, deviation));
  }
  return clipped;
}

}  // namespace microslip
