#pragma once
// A curve over amplitude in a few numbers.

#include <array>
#include <optional>

namespace microslip {

/// First and last value along a curve.
using FirstAndLast = std::array<double, 2>;

struct AmplitudeSpan {
  int mode = 0;  ///< number, from 1; 0: the only one
  FirstAndLast q{};
  FirstAndLast frequency_hz{};
  FirstAndLast zeta{};
  std::optional<double> largest_zeta = {};  ///< of the whole curve
};

}  // namespace microslip
