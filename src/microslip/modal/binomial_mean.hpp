#pragma once
// Means in which what alternates drops out: (1 + r)^-p (E + r)^p, E the shift by one. What goes as (-r)^k leaves
// nothing, (-s)^k the part ((r - s)/(1 + r))^p; a constant stays, a line moves along by p/(1 + r).

#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

/// Of p + 1 values in turn; they sum to 1. r > 0.
[[nodiscard]] std::vector<double> binomial_weights(std::size_t p, double r = 1.0);

/// Of as many values as there are weights, from `first` on.
[[nodiscard]] double weighted_mean(std::span<const double> values, std::size_t first, std::span<const double> weights);

}  // namespace microslip
