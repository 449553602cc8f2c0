#pragma once
// Steady vibration under harmonic loads over frequency, by shooting: the same results as frequency_response.hpp, by
// another way.
//
// The unknowns of a curve are the motion of the modes at the start of a period and z of Bouc-Wen joints; the reversals
// are eliminated, so that they may come and go along it. The steps of a period are doubled until the amplitudes change
// by less than `tolerance` (a third of the change from half as many steps is the estimate), or given.

#include <vector>

#include "microslip/periodic/frequency_response.hpp"

namespace microslip {

/// As frequency_response. Throws std::invalid_argument like PeriodMap too. `harmonics` and `samples` of the options
/// only concern the motion that the curve starts from.
[[nodiscard]] FrequencyResponse shooting_response(const System& system, const HarmonicLoad& load, double level,
                                                  double from, double to, const ResponseRecord& record,
                                                  const FrequencyResponseOptions& options = {},
                                                  const Observer& observer = {});

/// As frequency_response_through.
[[nodiscard]] FrequencyResponse shooting_response_through(const System& system, const HarmonicLoad& load, double level,
                                                          double omega, double from, double to,
                                                          const ResponseRecord& record,
                                                          const FrequencyResponseOptions& options,
                                                          const Observer& observer = {});

/// As level_response.
[[nodiscard]] FrequencyResponse shooting_levels(const System& system, const HarmonicLoad& load, double omega,
                                                double from, double to, const ResponseRecord& record,
                                                const FrequencyResponseOptions& options = {},
                                                const Observer& observer = {});

/// As responses_at.
[[nodiscard]] FrequencyResponse shooting_at(const System& system, const HarmonicLoad& load, double level,
                                            const std::vector<double>& omegas, const ResponseRecord& record,
                                            const FrequencyResponseOptions& options = {},
                                            const Observer& observer = {});

}  // namespace microslip
