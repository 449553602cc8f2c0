#pragma once
// Channels that are recorded later or earlier than others, or all of them than the force.
//
// A delay t of a channel turns its modal constants by -2 pi f t at the frequency f of each mode, where those of normal
// modes are real. So of every channel the t is sought that leaves least of the phases, up to turns by pi (the sign of a
// component), within two periods of the highest mode. What is left holds noise and that modes are not quite normal: an
// imaginary part of r times the mode's mean size, r from the median of all that is left; where more is left of a
// channel, its error is larger by as much. A delay counts where three modes or more show it, no other one explains the
// phases nearly as well, and what is left is less than 0.15 rad. A damper at the place of the force turns the modes in
// all channels, and nearly in proportion to f: it cannot be told from a delay of them all.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/measurement/measured_modes.hpp"
#include "microslip/measurement/modal_basis.hpp"
#include "microslip/measurement/modal_polish.hpp"

namespace microslip {

struct ChannelDelay {
  double delay = 0.0, error = 0.0;  ///< [time], standard error
  bool known = false;
};

/// `constants`: modal constants, channels x modes; `error`: their standard errors, of a part, over their sizes.
[[nodiscard]] std::vector<ChannelDelay> channel_delays(const Eigen::MatrixXcd& constants, const Eigen::MatrixXd& error,
                                                       const Eigen::VectorXd& frequency_hz);

/// Sentences where delays of three channels or more are known: the delay that most of them have against the force, and
/// of a channel against most of them, each where it is ten standard errors and turns the highest mode by 3 degrees.
/// (Ten, since what is left of the phases is taken as independent from mode to mode: a strong damper turns them
/// together.)
[[nodiscard]] std::vector<std::string> delays_that_show(const ModalLines& lines, const ModalPolish& fit,
                                                        const ModalTerms& terms, const MeasuredModes& modes);

}  // namespace microslip
