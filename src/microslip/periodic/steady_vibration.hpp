#pragma once
// Steady vibration under harmonic loads: curves with folds over frequency or over the level of the load
// (pseudo-arclength continuation), or single frequencies; by harmonic balance, by shooting or by exact orbits.

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/steady_request.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

/// Never throws for lack of convergence: see `ending`, the points up to there are kept. Throws std::invalid_argument
/// for requests, records and options out of range, and like HarmonicBalance, by shooting PeriodMap, by exact orbits
/// PiecewiseModel. These take other periodic loads too: PiecewiseResponses::answer.
[[nodiscard]] FrequencyResponse steady_vibration(const System& system, const HarmonicLoad& load,
                                                 const SteadyRequest& request, const ResponseRecord& record,
                                                 const FrequencyResponseOptions& options = {},
                                                 const Observer& observer = {});

}  // namespace microslip
