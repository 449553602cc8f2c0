#include "microslip/measurement/force_hits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

constexpr double fallen_back = 0.05;      // of the largest force: quiet
constexpr double hit_from = 0.25;         // of the largest force
constexpr double beyond_noise = 6.0;      // standard deviations
constexpr double median_of_size = 0.674;  // standard deviations of Gaussian noise
constexpr std::size_t quiet_after = 10;   // lengths of a hit: it is over for good
constexpr double faint_from = 0.01;       // of the largest force: a pulse
constexpr std::size_t block_lengths = 4;  // of a hit: what drifts
constexpr std::size_t least_block = 32;   // samples: the median of fewer follows their noise
constexpr double few_counts = 100.0;      // of the largest force: more are finer than 5 % by any noise they hide
constexpr double off_count = 0.05;        // of a count: files round
constexpr std::size_t spread_parts = 4;   // of the last quarter: noise is in all of them, a hit is not

enum class Loudness : char { quiet, audible, hit };

/// Samples that come to a quarter of the largest size, and as many before and after each run of them.
std::vector<bool> set_aside(const std::vector<double>& force, double rest) {
  const std::size_t n = force.size();
  double largest = 0.0;
  for (const double value : force) largest = std::max(largest, std::abs(value - rest));
  const auto loud = [&](std::size_t i) { return std::abs(force[i] - rest) >= hit_from * largest; };
  std::vector<bool> aside(n, false);
  for (std::size_t begin = 0, end = 0; begin < n; begin = end + 1) {
    for (end = begin; end < n && loud(end); ++end) continue;
    const std::size_t length = end - begin;
    if (length == 0) continue;
    for (std::size_t i = begin - std::min(begin, length); i < std::min(n, end + length); ++i) aside[i] = true;
  }
  return aside;
}

/// Subtracts the value at rest, which may drift.
void remove_rest(std::vector<double>& force, double rest, const std::vector<bool>& aside) {
  constexpr std::size_t parts = 4;
  struct Node {
    double place, value;
  };
  std::vector<Node> nodes;
  const std::size_t n = force.size();
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = part * n / parts, end = (part + 1) * n / parts;
    std::vector<double> left;
    double places = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      if (aside[i]) continue;
      left.push_back(force[i]);
      places += static_cast<double>(i);
    }
    if (left.empty() || parts * left.size() < end - begin) continue;  // too few to stand for it
    const double place = places / static_cast<double>(left.size());
    nodes.push_back({place, median(std::move(left))});
  }
  if (nodes.empty()) nodes.push_back({0.0, rest});
  for (std::size_t i = 0, next = 0; i < n; ++i) {
    const auto place = static_cast<double>(i);
    while (next < nodes.size() && nodes[next].place < place) ++next;
    const Node& after = nodes[std::min(next, nodes.size() - 1)];
    const Node& before = nodes[next > 0 ? next - 1 : 0];
    const double share = after.place > before.place ? (place - before.place) / (after.place - before.place) : 0.0;
    force[i] -= before.value + share * (after.value - before.value);
  }
}

/// The count of a force that was rounded to few of them; 0 for another.
double coarse_count(const std::vector<double>& force, double rest) {
  double count = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (const double value : force) {
    const double distance = std::abs(value - rest);
    if (distance > 0.0) count = std::min(count, distance);
    largest = std::max(largest, distance);
  }
  if (largest > few_counts * count) return 0.0;
  const auto is_multiple = [&](double value) {
    const double counts = std::abs(value - rest) / count;
    return std::abs(counts - std::round(counts)) <= off_count;
  };
  return std::all_of(force.begin(), force.end(), is_multiple) ? count : 0.0;
}

/// Standard deviation of Gaussian noise that is rounded to 0 but for this share: share = erfc(count/(2 sqrt(2) s)).
double hidden_deviation(double count, double share) {
  double low = 0.0, high = 6.0;  // erfc(6) = 2e-17
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (std::erfc(middle) > share ? low : high) = middle;
  }
  return count / (2.0 * std::numbers::sqrt2 * high);
}

/// How large a force at rest gets by noise, from the last quarter. `count`: of a force of few of them, else 0.
double noise_limit(const std::vector<double>& sizes, double count, const std::vector<bool>& aside) {
  const std::size_t n = sizes.size(), first = n - (n + 3) / 4;
  const double middle = median({sizes.begin() + static_cast<std::ptrdiff_t>(first), sizes.end()});
  const double noise = beyond_noise / median_of_size * middle;
  if (!(count > 0.0) || middle > 0.5 * count) return noise;
  std::size_t left = 0, counts = 0, parts = 0;
  for (std::size_t part = 0; part < spread_parts; ++part) {
    const std::size_t before = counts, end = first + (part + 1) * (n - first) / spread_parts;
    for (std::size_t i = first + part * (n - first) / spread_parts; i < end; ++i) {
      if (aside[i]) continue;
      ++left;
      if (sizes[i] > 0.5 * count) ++counts;
    }
    if (counts > before) ++parts;
  }
  if (parts < spread_parts) return noise;
  const double share = static_cast<double>(counts) / static_cast<double>(left);
  return std::max(noise, beyond_noise * hidden_deviation(count, share) + 0.5 * count);
}

/// Raises the loudness of each sample to that of this force; false for a constant one.
bool add_force(const std::vector<double>& force, std::vector<Loudness>& loudness) {
  const double rest = median({force.end() - static_cast<std::ptrdiff_t>((force.size() + 3) / 4), force.end()});
  if (std::all_of(force.begin(), force.end(), [&](double value) { return value == rest; })) return false;
  const std::vector<bool> aside = set_aside(force, rest);
  std::vector<double> sizes = force;
  remove_rest(sizes, rest, aside);
  double largest = 0.0;
  for (double& size : sizes) largest = std::max(largest, size = std::abs(size));
  const double quiet = std::max(fallen_back * largest, noise_limit(sizes, coarse_count(force, rest), aside));
  const double hit = std::max(hit_from * largest, quiet);
  for (std::size_t i = 0; i < force.size(); ++i) {
    const Loudness here = sizes[i] <= quiet ? Loudness::quiet : sizes[i] < hit ? Loudness::audible : Loudness::hit;
    loudness[i] = std::max(loudness[i], here);
  }
  return true;
}

/// Departures from lines between the medians of blocks of so many samples, from `first` on.
std::vector<double> departures(const std::vector<double>& force, std::size_t first, std::size_t block) {
  std::vector<double> nodes;
  for (std::size_t begin = first; begin + block <= force.size(); begin += block) {
    const auto from = force.begin() + static_cast<std::ptrdiff_t>(begin);
    nodes.push_back(median({from, from + static_cast<std::ptrdiff_t>(block)}));
  }
  if (nodes.size() == 1) nodes.push_back(nodes.front());
  std::vector<double> result;
  for (std::size_t i = first; i < force.size() && !nodes.empty(); ++i) {
    const double place = (static_cast<double>(i - first) + 0.5) / static_cast<double>(block) - 0.5;
    const auto before = std::min(static_cast<std::size_t>(std::max(place, 0.0)), nodes.size() - 2);
    const double share = place - static_cast<double>(before);
    result.push_back(force[i] - nodes[before] - share * (nodes[before + 1] - nodes[before]));
  }
  return result;
}

/// A pulse that stands out of what drifts more slowly than a hit is long, and of its noise.
std::optional<std::size_t> faint_hit(const std::vector<double>& force, std::size_t first, std::size_t length) {
  const double rest = median(force);
  double largest = 0.0;
  for (const double value : force) largest = std::max(largest, std::abs(value - rest));
  std::vector<double> sizes = departures(force, first, std::max(block_lengths * length, least_block));
  if (sizes.empty()) return {};
  for (double& size : sizes) size = std::abs(size);
  const double count = coarse_count(force, rest);  // a single one is no pulse
  const double noise = noise_limit(sizes, count, std::vector<bool>(sizes.size(), false));
  const double limit =
      std::max({faint_from * largest, noise, beyond_noise / median_of_size * median(sizes), 1.5 * count});
  const auto hit = std::find_if(sizes.begin(), sizes.end(), [&](double size) { return size > limit; });
  if (hit == sizes.end()) return {};
  return first + static_cast<std::size_t>(hit - sizes.begin());
}

/// The first of all forces, from ten lengths after the first hit on.
std::optional<std::size_t> faint_hit(const std::vector<const std::vector<double>*>& forces, std::size_t end,
                                     std::size_t length) {
  std::optional<std::size_t> first;
  for (const std::vector<double>* force : forces) {
    const auto here = faint_hit(*force, std::min(end + quiet_after * length, force->size()), length);
    if (here && (!first || *here < *first)) first = here;
  }
  return first;
}

}  // namespace

ForceHits force_hits(const std::vector<const std::vector<double>*>& forces, std::size_t least) {
  ForceHits hits;
  if (forces.empty()) return hits;
  std::vector<Loudness> loudness(forces.front()->size(), Loudness::quiet);
  for (const std::vector<double>* force : forces) hits.any = add_force(*force, loudness) || hits.any;
  const auto begin = std::find(loudness.begin(), loudness.end(), Loudness::hit);
  if (begin == loudness.end()) return hits;
  const auto loud = [](Loudness here) { return here != Loudness::quiet; };
  for (auto end = begin + 1;;) {
    const auto length = static_cast<std::size_t>(end - begin);
    const auto next = std::find_if(end, loudness.end(), loud);
    const bool over = static_cast<std::size_t>(next - end) >= std::max(least, quiet_after * length);
    if (next == loudness.end() && static_cast<std::size_t>(next - end) < least) return hits;
    if (over || next == loudness.end()) {
      hits.end = static_cast<std::size_t>(end - loudness.begin());
      const auto rise = std::find_if_not(std::make_reverse_iterator(begin), loudness.rend(), loud);
      hits.begin = static_cast<std::size_t>(rise.base() - loudness.begin());
      hits.second = faint_hit(forces, *hits.end, length);
      const auto loud_again = static_cast<std::size_t>(next - loudness.begin());
      if (next != loudness.end()) hits.second = std::min(loud_again, hits.second.value_or(loud_again));
      return hits;
    }
    end = next + 1;
  }
}

}  // namespace microslip
