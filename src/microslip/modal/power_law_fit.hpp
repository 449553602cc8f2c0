#pragma once
// Power law of a damping curve: zeta = c q^(chi + 1) + zeta_0. Ref: Lacayo thesis, (3.32).

#include <span>

namespace microslip {

struct PowerLawFit {
  bool found = false;  ///< false: fewer than four points, or a damping that does not depend on the amplitude
  double c = 0.0;
  double chi = 0.0;             ///< of an Iwan element in microslip
  double zeta_0 = 0.0;          ///< background damping, >= 0
  double residual = 0.0;        ///< root mean square of the relative error of zeta
  double from = 0.0, to = 0.0;  ///< amplitudes that it was fitted over
};

/// Least squares of the relative error, every stretch of log q counting alike: a ring-down spends most of its cycles at
/// small amplitudes. Points with q <= 0 or zeta <= 0 do not count.
[[nodiscard]] PowerLawFit fit_power_law(std::span<const double> q, std::span<const double> zeta);

}  // namespace microslip
