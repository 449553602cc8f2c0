#pragma once
// When the forces of a record hit: the first time, and whether they do so again.
//
// Each force, less its value at rest, is taken over its largest value. At rest it is in the last quarter of the record
// (median, which a short second hit does not move), where the median of its size is 0.674 standard deviations of the
// noise. A force is
//   quiet   up to 5 % or six standard deviations of its noise, what is more (one sample in 5e8 is beyond by chance);
//   a hit   from a quarter, or where it ceases to be quiet if that is more.
// A force that never ceases to be quiet is noise alone and does not count. A sample is as loud as its loudest force.

#include <cstddef>
#include <optional>
#include <vector>

namespace microslip {

struct ForceHits {
  bool any = false;                   ///< a force moves at all
  std::optional<std::size_t> end;     ///< first sample after the first hit
  std::optional<std::size_t> second;  ///< first sample after that which is not quiet
};

/// The first hit is over when every force has been quiet for ten times as long as the hit so far, or to the end of the
/// record, and for `least` samples; else it has no end. Forces are of equal length.
[[nodiscard]] ForceHits force_hits(const std::vector<const std::vector<double>*>& forces, std::size_t least);

}  // namespace microslip
