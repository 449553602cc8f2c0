#pragma once
// Modes that move the same joints, by averaging: each slips them by its own amplitude X_r, as if it moved alone. What
// that leaves out of the losses, at one moment of the motion:
//
// estimated  the losses at the amplitude of the sum, U_j = sum over r of |psi_jr| X_r; it finds the moment. Too much as
//            a rule, by far for a fast mode that rides on a slow one: its loops stay as small as they are
// walked     the joints themselves through sum over r of psi_jr X_r cos(omega_r t), X_r held; the power that each mode
//            gives them is the mean of f psi_jr x_r', under a Hann window, without the stuck stiffness, so that what
//            goes to and fro between the modes drops out. That takes some beats of the closest two modes
//
// Internal to simulate_by_averaging.

#include <span>
#include <vector>

#include "microslip/transient/averaging.hpp"

namespace microslip::averaging {

/// A mode and its amplitude.
struct ModeAt {
  const AveragedMode* mode = nullptr;
  double amplitude = 0.0;
};

/// U_j of each joint. `modes`: one or more, here and below.
[[nodiscard]] std::vector<double> joint_amplitudes(std::span<const ModeAt> modes);

/// The first joint that slips as a whole at these amplitudes; -1: none.
[[nodiscard]] int slipping_joint(std::span<const ModeAt> modes, std::span<const double> joint_amplitudes);

/// Beside what superposition tells.
struct LossLeftOut {
  double share = 0.0;    ///< of what all modes lose
  int mode = 0;          ///< that most of it belongs to, from 0
  double of_mode = 0.0;  ///< over what that one loses
  bool walked = false;   ///< else estimated
};

[[nodiscard]] LossLeftOut estimated_loss_left_out(std::span<const ModeAt> modes,
                                                  std::span<const double> joint_amplitudes, AveragingForm form);
/// The estimate, where a walk takes too many steps: the same on every machine.
[[nodiscard]] LossLeftOut walked_loss_left_out(const System& system, std::span<const ModeAt> modes,
                                               std::span<const double> joint_amplitudes, AveragingForm form);

}  // namespace microslip::averaging
