#pragma once
// One joint whose deflection is prescribed: no structure, no equation to solve.

#include "microslip/joints/joint_memory.hpp"

namespace microslip {

/// A joint of one component that has never moved. Refers to the law, which must outlive it.
class DrivenJoint {
 public:
  /// `normal`: load of rigid friction [force].
  explicit DrivenJoint(const Law& law, double normal = 0.0);

  /// Goes on in one step to u, at rate v and time t.
  void move_to(double u, double v, double t);
  /// Force at u, if it went there now: the joint stays where it is.
  [[nodiscard]] double force_at(double u, double v, double t);

  [[nodiscard]] double deflection() const { return u_; }
  [[nodiscard]] double force() const { return response_.force[0]; }
  [[nodiscard]] double stiffness() const { return response_.stiffness[0]; }  ///< tangent of the last step
  [[nodiscard]] double stored_energy() const { return memory_.stored_energy(0); }
  [[nodiscard]] double dissipated_energy() const { return memory_.dissipated_energy(0); }
  /// Share of its stuck stiffness that slips; NaN: the law has no sliders.
  [[nodiscard]] double slipped_share() const;
  /// Of the slider of strength phi; NaN: the law has no sliders.
  [[nodiscard]] double slider_position(double phi) const;

 private:
  JointMemory memory_;
  JointResponse response_, trial_;
  double u_ = 0.0;
};

}  // namespace microslip
