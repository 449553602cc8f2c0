#pragma once
// Long curves for the first view of a page: which points to keep.

#include <cstddef>
#include <vector>

namespace microslip {

/// Curves with more points are thinned for the first view; zooming in shows the rest.
inline constexpr std::size_t first_view_points = 4000;

/// Of every run of neighbours within one of `columns` columns of the x axis (of its logarithm with `log`) the first,
/// the lowest, the highest and the last remain: no peak is lost, and no point moves. A history has at most 4 *
/// `columns` points then; a curve that goes to and fro as many for each of its passes. Gaps (not finite) remain, one
/// each.
[[nodiscard]] std::vector<std::size_t> thin_curve(const std::vector<double>& x, const std::vector<double>& y, bool log,
                                                  std::size_t columns);

}  // namespace microslip
