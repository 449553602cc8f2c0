#pragma once
// Steady vibration under harmonic loads: curves with folds over frequency or over the level of the load
// (pseudo-arclength continuation), or single frequencies; by harmonic balance or by shooting.

#include <variant>
#include <vector>

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

/// The curve from omega `from` to `to` (either may be the larger), through folds. Starts with the motion near
/// options.start or, without one, with that at the end of the curve over level from 2 % of the load, found by
/// continuation: the one that a slow growth leads to, where that curve neither folds (see folded_growth) nor loses its
/// stability.
struct OverFrequency {
  double level = 1.0;
  double from = 0.0, to = 0.0;
};

/// The curve through the motion near options.start at `omega`, both ways until it leaves the range between `from` and
/// `to`.
struct ThroughFrequency {
  double level = 1.0;
  double omega = 0.0;
  double from = 0.0, to = 0.0;
};

/// The curve over the level of the load, at one frequency; both levels have the same sign.
struct OverLevel {
  double omega = 0.0;
  double from = 0.0, to = 0.0;
};

/// Each frequency by itself: the motion that such a growth of the load leads to. With the fixed point, what the
/// iteration from the structure without joints leads to.
struct AtFrequencies {
  double level = 1.0;
  std::vector<double> omegas;
};

/// What is asked for, by name: OverFrequency{.level = 2.0, .from = 1.0, .to = 3.0}.
using SteadyRequest = std::variant<OverFrequency, ThroughFrequency, OverLevel, AtFrequencies>;

/// Never throws for lack of convergence: see `ending`, the points up to there are kept. Throws std::invalid_argument
/// for requests, records and options out of range, and like HarmonicBalance and, by shooting, PeriodMap.
[[nodiscard]] FrequencyResponse steady_vibration(const System& system, const HarmonicLoad& load,
                                                 const SteadyRequest& request, const ResponseRecord& record,
                                                 const FrequencyResponseOptions& options = {},
                                                 const Observer& observer = {});

}  // namespace microslip
