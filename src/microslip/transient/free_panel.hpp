#pragma once
// A piece of the free decay of an averaged mode.

#include <cmath>

#include "microslip/numerics/chebyshev.hpp"
#include "microslip/transient/averaging.hpp"

namespace microslip {

/// A piece of free decay. Time and phase are integrals over y = ln X, dt/dy = -1/(zeta omega) and
/// dphase/dy = -sqrt(1 - zeta^2)/zeta: Chebyshev series in s, from y = low (s = -1) to low + 2 half (s = 1).
struct FreePanel {
  static constexpr std::size_t points = 10;
  using Series = ChebyshevPanel<points>;
  Series time, phase;
  double low = 0.0, half = 0.0;

  [[nodiscard]] double amplitude(double s) const { return std::exp(low + half * (1.0 + s)); }
  [[nodiscard]] AveragedMode::Rates rates(double s) const {
    const double p = phase.value(s);  // sqrt(1 - zeta^2)/zeta
    AveragedMode::Rates r;
    r.zeta = r.zeta_forced = 1.0 / std::sqrt(1.0 + p * p);
    r.omega = 1.0 / (r.zeta * time.value(s));
    return r;
  }
  /// s at a time after the start of the panel, which is later than that of s = `high`: Newton within brackets.
  [[nodiscard]] double find(double t, double high) const {
    double s = high, low_s = -1.0;
    for (int i = 0; i < 60; ++i) {
      const double late = time.from_top(s) - t;
      (late < 0.0 ? high : low_s) = s;
      double next = s + late / (half * time.value(s));
      if (!(next >= low_s && next <= high)) next = 0.5 * (low_s + high);
      const bool done = std::abs(next - s) < 1e-14;
      s = next;
      if (done) break;
    }
    return s;
  }
};

}  // namespace microslip
