#pragma once
// A measured force as a load: less its value at rest, nothing but the hit, and band-limited between its samples.
//
// Straight lines between samples, as they are often taken, are the band-limited signal under the gain
// (sin(pi f)/(pi f))^2, f over the sampling rate: 7 % too small at a seventh of it. Here points between the samples are
// made by numerics/resample.hpp, `points_a_sample` of them, so close that straight lines between these take
// (pi f/points_a_sample)^2/3 off: 1e-4 at 0.17 and 7e-4 at 0.45 of the sampling rate.

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "microslip/measurement/force_hits.hpp"

namespace microslip {

/// First sample and the one behind the last.
using SampleRange = std::pair<std::size_t, std::size_t>;

/// The samples that belong to a hit: while it lasts, and as long before and after. Nothing without a whole hit.
[[nodiscard]] std::optional<SampleRange> samples_of_hit(const ForceHits& hits, std::size_t count);

/// Mean of what is before the hit, away from it by its length; nothing where that is less than 16 samples.
[[nodiscard]] std::optional<double> force_at_rest(std::span<const double> force, const ForceHits& hits);

/// Points of a load in steps of the samples, counted from the first of the record.
struct ForcePoints {
  std::vector<double> places, values;
};
/// The samples of the range, zero outside. By straight lines: with a zero one step before and after.
[[nodiscard]] ForcePoints force_points(std::span<const double> force, const SampleRange& range, bool band_limited);

}  // namespace microslip
