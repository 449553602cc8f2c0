#pragma once
// Where the half-cycles of a noisy signal begin and end.

#include <span>
#include <vector>

namespace microslip {

/// Zeros of the signal, in samples. One counts when the other side is then reached beyond 4 times the noise and a fifth
/// of the last half-cycle: ripples of noise and of weak other modes do not. They begin with the first half-cycle that
/// reaches floor times the noise and end with the last of those that follow; what there is of a half-cycle before the
/// first zero need not reach it.
[[nodiscard]] std::vector<double> zero_crossings(std::span<const double> y, double noise, double floor);

}  // namespace microslip
