#pragma once
// Long curves for a picture of finite resolution: fewer points, the same picture.

#include <cstddef>
#include <vector>

namespace microslip {

/// A place on the paper [px]. NaN in either breaks the line.
struct Spot {
  double x = 0.0, y = 0.0;
};

/// Of every run of neighbours within one column of `column` px only the first, the lowest, the highest and the last
/// remain, in their order: no peak is lost and no point moves. Works for loops as for histories. Breaks remain, one
/// each.
[[nodiscard]] std::vector<Spot> thin_line(const std::vector<Spot>& line, double column);

/// Strokes that repeat others are left out: a line that fills an area (a million random points) ends with at most
/// about `most` points. Ends of strokes are compared on a grid that is as fine as that allows.
[[nodiscard]] std::vector<Spot> without_repeats(std::vector<Spot> line, double grid, std::size_t most);

/// Dots: one for each square of `grid` px, without breaks.
[[nodiscard]] std::vector<Spot> thin_dots(const std::vector<Spot>& dots, double grid);

}  // namespace microslip
