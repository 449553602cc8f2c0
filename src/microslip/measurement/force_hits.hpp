#pragma once
// When the forces of a record hit: the first time, and whether they do so again.
//
// Each force, less its value at rest, is taken over its largest value. At rest it is at the median of the last quarter
// of the record. A transducer may drift: what comes to a quarter of the largest value, and as long before and after,
// is set aside, and the medians of what is left of each quarter of the record are joined by straight lines, which a
// short second hit does not move. The median of its size in the last quarter is 0.674 standard deviations of the noise.
// A force is
//   quiet   up to 5 % or six standard deviations of its noise, what is more (one sample in 5e8 is beyond by chance);
//   a hit   from a quarter, or where it ceases to be quiet if that is more.
// Noise of few counts may be 0 most of the time. Where all values of a force lie whole counts from rest, up to 100 of
// them, and each quarter of the last quarter has some that are not at rest, without what is set aside, their share p is
// that of Gaussian noise rounded to counts c, p = erfc(c/(2 sqrt(2) s)), and noise is up to 6 s + c/2. Departures that
// are no counts are no noise, however many they are.
// A faint second hit is a pulse: it departs by 1 % and six standard deviations from the lines between medians of blocks
// of four times the length of the first one, ten lengths after it or later. Undershoots and drifts are slower.
// A force that never ceases to be quiet is noise alone and makes no hit; but it moves. A sample is as loud as its
// loudest force.

#include <cstddef>
#include <optional>
#include <vector>

namespace microslip {

struct ForceHits {
  bool any = false;  ///< a force moves at all, be it noise: without an end there is no hit to be found
  std::optional<std::size_t>
      begin;                       ///< first sample of the first hit that is not quiet; there is one if there is an end
  std::optional<std::size_t> end;  ///< first sample after the first hit
  std::optional<std::size_t> second;  ///< first sample after that which is not quiet, or a pulse
};

/// The first hit is over when every force has been quiet for ten times as long as the hit so far, or to the end of the
/// record, and for `least` samples; else it has no end. Forces are of equal length.
[[nodiscard]] ForceHits force_hits(const std::vector<const std::vector<double>*>& forces, std::size_t least);

}  // namespace microslip
