#pragma once
// Numbers as a reader wants them: engineering notation, and the ticks of an axis with their labels.
// Unicode text (×, −, superscripts). long double inside, so that an axis from 1e-320 or to 1e308 is an axis like
// others.

#include <string>
#include <vector>

namespace microslip {

/// "0.0676", "12.35×10⁶", "−4.2×10⁻⁹", "∞", "–" (not a number). Plain from 1e-3 to below 1e4 and
/// for whole numbers below 1e5, exponents that are multiples of three elsewhere; `digits` significant ones, zeros at
/// the end left out.
[[nodiscard]] std::string engineering(double value, int digits = 4);
/// The same with all of the digits, zeros at the end too: what is printed as 2.000.
[[nodiscard]] std::string engineering_in_full(double value, int digits);

/// "10⁻³".
[[nodiscard]] std::string power_of_ten(int exponent);

struct Ticks {
  std::vector<long double> values;
  std::vector<std::string> labels;  ///< of (value - offset) / 10^exponent
  std::vector<long double> minor;   ///< between them, no label
  std::string note;                 ///< what the labels leave out: "×10⁻³", "+12.34", empty
};

/// About `wanted` ticks at multiples of 1, 2 or 5 times a power of ten. Needs low < high, finite.
[[nodiscard]] Ticks linear_ticks(long double low, long double high, int wanted);
/// At powers of ten, or at every few of them; below a decade as on a linear axis. Needs 0 < low < high, finite.
[[nodiscard]] Ticks log_ticks(long double low, long double high, int wanted);

}  // namespace microslip
