#pragma once
// Isolas: closed curves of motions over frequency, detached from the curve that the start of the range leads to. No
// slow sweep of the frequency finds them; a blow does, or a level that rises and falls again.
//
// At a fixed frequency all motions lie on a curve over the level, which goes on through folds: between the level L_1
// of a fold where it turns back and L_2 of the next, where it turns forth again, it has several motions at one level,
// and so has the response over frequency, on one curve or on several. So the level is swept at frequencies all over the
// range; where the sweep passes the level asked for, the motion is looked for on the curves known so far, and where it
// is on none of them a new curve is followed through it. An isola is born where L_2 is least over the frequency: where
// an L_2 above the level is less than the same fold's at the sweeps before and behind, its least one between these is
// looked for as well, whatever other folds there are.

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/steady_request.hpp"

namespace microslip {

/// Adds to a response over frequency its detached curves, with sweeps up to `options.isolas` times its level, and tells
/// of them. The observer is asked with fractions from a half on.
void add_isolas(const System& system, const HarmonicLoad& load, const OverFrequency& asked,
                const ResponseRecord& record, const FrequencyResponseOptions& options, const Observer& observer,
                FrequencyResponse& result);

}  // namespace microslip
