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
  /// Both must outlive it. `refinements`: halvings of a step over which the tangent changes by much.
  RampWalker(ModalEquilibrium& equilibrium, const QuasiStaticMode& mode, int refinements)
      : equilibrium_(&equilibrium), mode_(&mode), refinements_(refinements) {}

  /// Commits one more point on the way to `alpha`, which is above the committed load.
  RampStep step_towards(double alpha);
  /// The largest load that was found.
  [[nodiscard]] double limit() const { return limit_; }

 private:
  [[nodiscard]] bool bends_sharply() const;
  [[nodiscard]] bool is_flat() const;
  RampStep step_in_displacement(double alpha);
  /// The point of load alpha between the committed displacement and `high`.
  bool find_load(double alpha, double high);
  /// A point beyond a drop of the load that has the committed load again.
  bool jump_over_drop();

  ModalEquilibrium* equilibrium_;
  const QuasiStaticMode* mode_;
  int refinements_;
  double limit_ = 0.0;
};

}  // namespace microslip
