#pragma once

#include "microslip/periodic/frequency_response.hpp"

namespace microslip::testing {

/// The same by shooting.
inline FrequencyResponseOptions by_shooting(FrequencyResponseOptions options = {}) {
  options.method = SteadyMethod::shooting;
  return options;
}

}  // namespace microslip::testing
