#pragma once
// The closed loop of a law with return-point memory under a periodic deflection, cut into branches.
//
// The extremum of largest |u| lies on the virgin curve; from there the period is walked once. A reversal hangs on the
// one below it, from whose branch it was reached:
//   F_r = F_b +- 2 F0(|u_r - u_b|/2),   dF_r = F0' (du_r - du_b) + dF_b
// and the first one on the virgin curve, F_r = +- F0(|u_r|), dF_r = F0'(|u_r|) du_r.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "microslip/numerics/fourier_series.hpp"

namespace microslip {

struct MasingLoop {
  struct Reversal {
    double tau = 0.0;
    double u = 0.0;
    double f = 0.0;      ///< hysteretic force
    double slope = 0.0;  ///< F0' on arrival: of the branch below, of the virgin curve for the first
    int below = -1;      ///< the reversal whose branch leads here; -1: the virgin curve
  };
  /// A piece of a branch.
  struct Piece {
    double from = 0.0, to = 0.0;      ///< tau, ascending from the first reversal over one period
    double u_from = 0.0, u_to = 0.0;  ///< deflections there
    int reversal = 0;                 ///< that the branch left
    double direction = 1.0;
    bool corner = false;  ///< `from` is that reversal
  };
  std::vector<Reversal> reversals;  ///< in the order of the walk
  std::vector<Piece> pieces;        ///< the same
};

/// Straight lines between the corners.
template <class Shape>
[[nodiscard]] bool is_made_of_lines(const Shape& shape) {
  if constexpr (requires { shape.curve(); }) {
    return std::ranges::all_of(shape.curve().pieces(), [](const auto& piece) { return piece.curvature == 0.0; });
  } else {
    return requires {
      shape.grid();
    };  // sliders
  }
}

/// Walks the loop into `loop`, whose storage is used again; `stack` is workspace. At least two extrema. Pieces end
/// where macroslip begins, and at the `corners` of the backbone, ascending, before that.
template <class Shape>
void walk_masing_loop(const Shape& shape, const double* u, int harmonics,
                      const std::vector<SeriesScanner::Extremum>& extrema, MasingLoop& loop, std::vector<int>& stack,
                      std::span<const double> corners = {}) {
  auto& reversals = loop.reversals;
  auto& pieces = loop.pieces;
  reversals.clear();
  pieces.clear();
  stack.clear();
  std::size_t first = 0;
  for (std::size_t i = 1; i < extrema.size(); ++i) {
    if (std::abs(extrema[i].value) > std::abs(extrema[first].value)) first = i;
  }
  const double u0 = extrema[first].value;
  const auto start = shape.at(std::abs(u0));
  reversals.push_back({extrema[first].tau, u0, u0 < 0.0 ? -start.force : start.force, start.slope, -1});
  stack.push_back(0);

  // A piece of the present branch, cut where its slope jumps.
  const auto add = [&](double direction, double from, double u_from, double to, double u_to, bool corner) {
    const double u_reversal = reversals[static_cast<std::size_t>(stack.back())].u;
    const auto cut_at = [&](double strength) {
      const double u_cut = u_reversal + 2.0 * direction * strength;
      if (!(direction * (u_to - u_cut) > 0.0 && direction * (u_from - u_cut) < 0.0)) return;
      const double cut = invert_series(u, harmonics, from, to, u_cut);
      if (cut > from) pieces.push_back({from, cut, u_from, u_cut, stack.back(), direction, corner});
      from = cut;
      u_from = u_cut;
      corner = false;
    };
    for (const double strength : corners) cut_at(strength);
    cut_at(shape.yield());
    if (to > from) pieces.push_back({from, to, u_from, u_to, stack.back(), direction, corner});
  };

  double at = extrema[first].tau;
  double u_at = u0;
  for (std::size_t leg = 1; leg <= extrema.size(); ++leg) {
    const auto& end = extrema[(first + leg) % extrema.size()];
    double to = end.tau;
    while (to <= at) to += 2.0 * std::numbers::pi;
    const double direction = end.value > u_at ? 1.0 : -1.0;
    bool corner = true;
    const auto closing = [&] { return reversals[static_cast<std::size_t>(stack[stack.size() - 2])].u; };
    while (stack.size() >= 3 && direction * (end.value - closing()) > 0.0) {
      const double u_close = closing();
      const double close = invert_series(u, harmonics, at, to, u_close);
      add(direction, at, u_at, close, u_close, corner);
      stack.resize(stack.size() - 2);
      at = close;
      u_at = u_close;
      corner = false;
    }
    add(direction, at, u_at, to, end.value, corner);
    if (leg < extrema.size()) {
      const MasingLoop::Reversal below = reversals[static_cast<std::size_t>(stack.back())];
      const auto point = shape.at(0.5 * std::abs(end.value - below.u));
      reversals.push_back({to, end.value, below.f + 2.0 * direction * point.force, point.slope, stack.back()});
      stack.push_back(static_cast<int>(reversals.size()) - 1);
    }
    at = to;
    u_at = end.value;
  }
}

}  // namespace microslip
