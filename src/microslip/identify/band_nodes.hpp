#pragma once
// Bands over x > 0, a deflection or an amplitude, are found at some points, the nodes, and interpolated between them.
// What has a band may be any power of x, and a chord is no band of it: low/value and high/value are interpolated,
// straight lines over ln x, times the value of each point.

#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

struct BandEnds {
  double low = 0.0, high = 0.0;
};

/// Some of the points, ascending x > 0, the first and the last among them, `most` >= 2 at the most: so that the longest
/// stretch of ln x + 4 x/x_last from one to the next that skips points is as short as can be.
[[nodiscard]] std::vector<std::size_t> band_nodes(std::span<const double> x, std::size_t most);

struct BandNode {
  double x = 0.0, value = 0.0;
  BandEnds ends;
};

/// Of a point between two nodes with a value >= 0 of its own. Beside a value of 0: from 0 to the chord; beside a lower
/// end of 0: from 0.
[[nodiscard]] BandEnds band_between(const BandNode& left, const BandNode& right, double x, double value);

}  // namespace microslip
