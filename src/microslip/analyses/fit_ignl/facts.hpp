#pragma once
// What kind = "fit_ignl" tells of a fit.

#include "microslip/analyses/fit_ignl/over_amplitude.hpp"

namespace microslip {

/// Of a fit that was not interrupted; `negative`: its stuck curve reaches to the negative side.
[[nodiscard]] FitIgnlFacts ignl_facts(const IgnlFit& fit, bool negative);
/// Adds first and last amplitude, and standard errors unless interrupted.
void add_ignl_facts(const IgnlOverAmplitude& over, FitIgnlFacts& facts);

/// "stuck", "slipping".
[[nodiscard]] std::string curve_word(const FitIgnlFacts::Limit& limit);

}  // namespace microslip
