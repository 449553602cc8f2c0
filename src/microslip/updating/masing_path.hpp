#pragma once
// Forces of a joint that obeys the Masing rules along a given path of its deflection, as sums over its virgin curve F0:
//
//   f(u) = s0 F0(|t_1|) + sum over k of s_k 2 F0(|t_k - t_(k-1)|/2) + s 2 F0(|u - t_n|/2),   s: signs
//
// with the turning points t_1, .., t_n that are still remembered: each branch is the virgin curve twice as large, a
// loop that closes is forgotten, and beyond the first turning point the virgin curve goes on. Which deflections and
// signs is decided by the path alone, so that the sums are the same whatever the numbers of the law, and so are their
// derivatives. Ref: Masing 1926; docs/theory.md, "The exact Masing element".

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace microslip {

struct MasingPath {
  std::vector<double> deflections;  ///< > 0, where F0 is needed
  /// Of each row of the path: number of a deflection and its factor, 1 or 2 with a sign.
  std::vector<std::vector<std::pair<std::size_t, double>>> rows;
};

/// From rest at 0.
[[nodiscard]] MasingPath masing_path(std::span<const double> u);

/// Of one cycle, as it is when it has settled: `u` from the middle of its range, and the force to a constant.
[[nodiscard]] MasingPath settled_masing_path(std::span<const double> u);

}  // namespace microslip
