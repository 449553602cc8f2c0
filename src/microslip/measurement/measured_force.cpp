#include "microslip/measurement/measured_force.hpp"

#include <algorithm>

#include "microslip/numerics/resample.hpp"

namespace microslip {
namespace {

constexpr std::size_t least_at_rest = 16;
constexpr std::size_t points_a_sample = 32;       // of a hit
constexpr std::size_t least_points_a_sample = 4;  // of a record that is very long
constexpr std::size_t most_points = 8'000'000;

/// Samples of the length of a hit.
std::size_t length_of(const ForceHits& hits) {
  return *hits.end - *hits.begin;
}

}  // namespace

std::optional<SampleRange> samples_of_hit(const ForceHits& hits, std::size_t count) {
  if (!hits.begin || !hits.end) return std::nullopt;
  const std::size_t length = length_of(hits), begin = *hits.begin;
  std::size_t end = std::min(count, *hits.end + length);
  if (hits.second) end = std::min(end, *hits.second);
  return SampleRange{begin - std::min(begin, length), end};
}

std::optional<double> force_at_rest(std::span<const double> force, const ForceHits& hits) {
  if (!hits.begin || !hits.end) return std::nullopt;
  const std::size_t before = *hits.begin - std::min(*hits.begin, length_of(hits));
  if (before < least_at_rest) return std::nullopt;
  double sum = 0.0;
  for (std::size_t i = 0; i < before; ++i) sum += force[i];
  return sum / static_cast<double>(before);
}

ForcePoints force_points(std::span<const double> force, const SampleRange& range, bool band_limited) {
  const std::span<const double> kept = force.subspan(range.first, range.second - range.first);
  ForcePoints points;
  const auto first = static_cast<double>(range.first), count = static_cast<double>(kept.size());
  if (!band_limited) {
    points.places.push_back(first - 1.0);
    points.values.push_back(0.0);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      points.places.push_back(first + static_cast<double>(i));
      points.values.push_back(kept[i]);
    }
    points.places.push_back(first + count);
    points.values.push_back(0.0);
    return points;
  }
  const Resampler between;
  const std::size_t each = std::clamp(most_points / kept.size(), least_points_a_sample, points_a_sample);
  const double step = 1.0 / static_cast<double>(each), begin = -between.reach();
  const auto number = static_cast<std::size_t>((count - 1.0 + 2.0 * between.reach()) / step) + 1;
  points.values = between.at(kept, begin, step, number);
  points.places.resize(number);
  for (std::size_t i = 0; i < number; ++i) points.places[i] = first + begin + step * static_cast<double>(i);
  return points;
}

}  // namespace microslip
