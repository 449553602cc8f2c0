#pragma once
// Responses by Maxwell's reciprocity, H_cr = H_rc.

#include "microslip/measurement/frequency_responses.hpp"

namespace microslip {

/// One channel and several references (a roving hammer): the references become channels, the channel their reference,
/// with parts. Anything else stays as it is.
[[nodiscard]] MeasuredResponses roving_as_channels(MeasuredResponses data);

}  // namespace microslip
