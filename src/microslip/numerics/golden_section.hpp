#pragma once
// Least value of a function with one minimum, by golden section.

namespace microslip {

/// The place of the minimum within (low, high), to `tolerance`.
template <class Function>
double golden_section(double low, double high, double tolerance, Function&& value) {
  constexpr double g = 0.6180339887498949;
  double a = high - g * (high - low), b = low + g * (high - low);
  double at_a = value(a), at_b = value(b);
  while (high - low > tolerance) {
    if (at_a <= at_b) {
      high = b, b = a, at_b = at_a;
      a = high - g * (high - low);
      at_a = value(a);
    } else {
      low = a, a = b, at_a = at_b;
      b = low + g * (high - low);
      at_b = value(b);
    }
  }
  return at_a <= at_b ? a : b;
}

}  // namespace microslip
