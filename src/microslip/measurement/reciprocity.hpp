#pragma once
// Responses by Maxwell's reciprocity, H_cr = H_rc.

#include <string>
#include <vector>

#include "microslip/io/channel_name.hpp"
#include "microslip/measurement/frequency_responses.hpp"
#include "microslip/measurement/modal_lines.hpp"

namespace microslip {

/// One channel and several references (a roving hammer): the references become channels, the channel their reference,
/// with parts. Anything else stays as it is.
[[nodiscard]] MeasuredResponses roving_as_channels(MeasuredResponses data);

/// Sentences where of two references, each with a channel at its point, the response of the first point to the second
/// is not that of the second to the first, by 7 % and five standard errors: gains of channels over those of hammers
/// differ, and with them the sizes of shapes. `driving`: for each reference the channel at its point.
[[nodiscard]] std::vector<std::string> references_that_disagree(const ModalLines& lines,
                                                                const std::vector<SignedChannel>& driving);

}  // namespace microslip
