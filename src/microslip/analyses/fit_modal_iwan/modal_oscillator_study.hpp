#pragma once
// Modal oscillators as a study file of their own: unit masses to ground, each with a spring Kinf, an exact Iwan element
// and the damping of its stuck mode, ready to run.

#include <string>
#include <vector>

#include "microslip/identify/modal_iwan_model.hpp"

namespace microslip {

struct ModalOscillator {
  int mode = 0;  ///< number, from 1
  ModalIwanParameters<double> parameters;
  double q_low = 0.0;  ///< amplitudes that it was fitted over
  double q_high = 0.0;
  std::string remark;  ///< for people; may be empty
};

/// `origin`: what they were fitted to, for people.
[[nodiscard]] std::string modal_oscillator_study(std::vector<ModalOscillator> oscillators, const std::string& origin);

}  // namespace microslip
