#pragma once
// Do hits agree? Of a channel that is loose, turned or of another gain in one of them the average is wrong, and noise
// before the hits does not tell.

#include <string>
#include <vector>

#include "microslip/measurement/frequency_responses.hpp"

namespace microslip {

/// Sentences where a channel, or all of them, is larger or smaller after one hit than after the others, by 7 % and five
/// standard errors. `hits`: responses from single hits, in parts of those names.
[[nodiscard]] std::vector<std::string> hits_that_differ(const std::vector<MeasuredResponses::Part>& hits);

}  // namespace microslip
