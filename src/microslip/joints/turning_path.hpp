#pragma once
// A deflection that goes from 0 through turning points, as a vibration does: by a quarter of a sine to the first, then
// by half a cosine from each to the next.

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace microslip {

struct TurningPath {
  std::vector<double> turns;  ///< [length]
  double period = 1.0;        ///< of two branches [time]
  int parts = 500;            ///< of a branch from turn to turn; the way to the first has half as many

  struct Point {
    double t = 0.0, u = 0.0, v = 0.0;
  };

  [[nodiscard]] std::size_t branches() const { return turns.size(); }
  [[nodiscard]] int steps(std::size_t branch) const { return branch == 0 ? (parts + 1) / 2 : parts; }
  [[nodiscard]] double start(std::size_t branch) const { return branch == 0 ? 0.0 : turns[branch - 1]; }

  /// After `step` of the steps(branch) steps.
  [[nodiscard]] Point at(std::size_t branch, int step) const {
    const double share = static_cast<double>(step) / steps(branch), omega = 2.0 * std::numbers::pi / period;
    const double from = start(branch), to = turns[branch];
    if (branch == 0) {
      const double angle = 0.5 * std::numbers::pi * share;
      return {0.25 * period * share, step == steps(branch) ? to : to * std::sin(angle), to * omega * std::cos(angle)};
    }
    const double angle = std::numbers::pi * share, begin = period * (0.5 * static_cast<double>(branch) - 0.25);
    const double u = from + 0.5 * (to - from) * (1.0 - std::cos(angle));
    return {begin + 0.5 * period * share, step == steps(branch) ? to : u, 0.5 * (to - from) * omega * std::sin(angle)};
  }
};

}  // namespace microslip
