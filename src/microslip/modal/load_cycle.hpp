#pragma once
// A full cycle of the load, from +alpha down to -alpha and up again, for joints that do not obey the Masing rules.
//
// With alpha = a cos(psi) on each leg and q = mean + Q cos(t) between its ends, the first harmonic of the loop,
// integrated by parts, is
//   K1 = 1/(pi Q) * sum over both legs of the integral of sin(t) |d alpha|,
// by the trapezoidal rule in psi, which converges fast: both sines vanish at the tips.

#include "microslip/modal/modal_equilibrium.hpp"

namespace microslip {

struct LoadCycle {
  bool converged = false;
  double half_range = 0.0;      ///< Q: half of the way between the tips
  double dissipation = 0.0;     ///< of all joints
  double first_harmonic = 0.0;  ///< K1
};

class LoadCycler {
 public:
  /// The mode must outlive it. `steps`: of a leg.
  LoadCycler(const QuasiStaticMode& mode, double tolerance, int max_iterations, int steps);

  /// From what `tip` has committed, its load being alpha > 0, raised to (1 + stretch) alpha first; `tip` itself stays
  /// as it is.
  [[nodiscard]] LoadCycle run(const ModalEquilibrium& tip, double stretch = 0.0);
  [[nodiscard]] long evaluations() const { return path_.evaluations(); }

 private:
  bool leg(double from, double to);
  bool go_to(double alpha);

  ModalEquilibrium path_;
  std::vector<double> cosine_;  ///< of psi from 0 to pi
  std::vector<double> q_;       ///< along both legs
};

}  // namespace microslip
