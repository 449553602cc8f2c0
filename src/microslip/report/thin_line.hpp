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

/// Strokes that reach no pixel without ink are left out, for lines that fill an area. All points in the rectangle from
/// the origin to (width, height).
[[nodiscard]] std::vector<Spot> only_new_ink(const std::vector<Spot>& line, double width, double height, double pixel);

/// Dots: one for each square of `grid` px, without breaks.
[[nodiscard]] std::vector<Spot> thin_dots(const std::vector<Spot>& dots, double grid);
/// Which these are.
[[nodiscard]] std::vector<std::size_t> kept_dots(const std::vector<Spot>& dots, double grid);

}  // namespace microslip
