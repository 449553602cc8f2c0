#pragma once
// Walks up a modal curve from load to load: in steps short enough to resolve its bends, and where the load alone cannot
// lead on, by prescribing the modal displacement.

#include "microslip/modal/modal_equilibrium.hpp"

namespace microslip {

enum class RampStep {
  advanced,
  limit_load,     ///< the load cannot rise: see limit()
  no_convergence  ///< Newton found no equilibrium
};

class RampWalker {
 public:
  /// Both must outlive it. `refinements`: a step over which the curve bends sharply is halved down to 2^-refinements of
  /// the way from target to target.
  RampWalker(ModalEquilibrium& equilibrium, const QuasiStaticMode& mode, int refinements)
      : equilibrium_(&equilibrium), mode_(&mode), refinements_(refinements) {}

  /// Commits one more point on the way to `alpha`, which is above the committed load.
  RampStep step_towards(double alpha);
  /// The largest load that was found.
  [[nodiscard]] double limit() const { return limit_; }
  /// The tangent jumps within the last step, however short.
  [[nodiscard]] bool passed_kink() const { return passed_kink_; }

 private:
  [[nodiscard]] bool tangent_jumps() const;
  [[nodiscard]] bool bends_sharply() const;
  RampStep advance();
  [[nodiscard]] bool is_flat() const;
  RampStep step_in_displacement(double alpha);
  /// The point of load alpha between the committed displacement and `high`.
  bool find_load(double alpha, double high);
  /// A point beyond a drop of the load that has the committed load again.
  bool jump_over_drop();

  ModalEquilibrium* equilibrium_;
  const QuasiStaticMode* mode_;
  int refinements_;
  double target_ = 0.0;
  double shortest_ = 0.0;  ///< step of the load on the way to the target
  double limit_ = 0.0;
  bool passed_kink_ = false;
};

}  // namespace microslip
