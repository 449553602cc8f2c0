#pragma once
// What can be asked of steady vibration.

#include <variant>
#include <vector>

namespace microslip {

/// The curve from omega `from` to `to` (either may be the larger), through folds. Starts with the motion near
/// options.start or, without one, with that at the end of the curve over level from 2 % of the load, found by
/// continuation: the one that a slow growth leads to, where that curve neither folds (see folded_growth) nor loses its
/// stability. By exact orbits: with the motion that settles.
struct OverFrequency {
  double level = 1.0;
  double from = 0.0, to = 0.0;
};

/// The curve through the motion near options.start at `omega`, both ways until it leaves the range between `from` and
/// `to`. Not by exact orbits.
struct ThroughFrequency {
  double level = 1.0;
  double omega = 0.0;
  double from = 0.0, to = 0.0;
};

/// The curve over the level of the load, at one frequency; both levels have the same sign. By exact orbits it begins
/// with the motion that settles from rest.
struct OverLevel {
  double omega = 0.0;
  double from = 0.0, to = 0.0;
};

/// Each frequency by itself: the motion that such a growth of the load leads to. With the fixed point, what the
/// iteration from the structure without joints leads to. By exact orbits, each begun at the motion of the one before.
struct AtFrequencies {
  double level = 1.0;
  std::vector<double> omegas;
};

/// What is asked for, by name: OverFrequency{.level = 2.0, .from = 1.0, .to = 3.0}.
using SteadyRequest = std::variant<OverFrequency, ThroughFrequency, OverLevel, AtFrequencies>;

/// Throws std::invalid_argument for numbers out of range.
void check_request(const SteadyRequest& request);

}  // namespace microslip
