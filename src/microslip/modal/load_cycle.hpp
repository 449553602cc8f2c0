#pragma once
// A full cycle of the load, from +alpha down to -alpha and up again, for joints that do not obey the Masing rules.

#include "microslip/modal/modal_equilibrium.hpp"

namespace microslip {

struct LoadCycle {
  bool converged = false;
  double half_range = 0.0;   ///< Q: half of the way between the tips
  double dissipation = 0.0;  ///< of all joints
};

class LoadCycler {
 public:
  /// The mode must outlive it. `steps`: of a leg.
  LoadCycler(const QuasiStaticMode& mode, double tolerance, int max_iterations, int steps);

  /// From what `tip` has committed, its load being alpha > 0; `tip` itself stays as it is.
  [[nodiscard]] LoadCycle run(const ModalEquilibrium& tip);
  [[nodiscard]] long evaluations() const { return path_.evaluations(); }

 private:
  bool leg(double from, double to);
  bool go_to(double alpha);

  ModalEquilibrium path_;
  std::vector<double> cosine_;  ///< of psi from 0 to pi: alpha = a cos(psi) on each leg
};

}  // namespace microslip
