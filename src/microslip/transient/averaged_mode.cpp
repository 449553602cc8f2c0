// A mode that is averaged: its steady cycles, frequency and damping.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "microslip/joints/law_traits.hpp"
#include "microslip/joints/make_law.hpp"
#include "microslip/transient/averaging.hpp"

namespace microslip {

std::string AveragedMode::obstacle(const System& system) {
  const Modes& modes = system.stuck_modes();
  if (modes.rigid > 0) {
    return fmt::format(
        "averaging is for modes that vibrate, and {} of this structure are rigid: take transient, or "
        "constrain_rigid_body "
        "= true, which leaves them out",
        modes.rigid);
  }
  const Eigen::VectorXd ratios = system.damping_ratios();
  for (int r = 0; r < system.computed_modes(); ++r) {
    if (ratios(r) >= 0.0 && ratios(r) < 1.0) continue;
    return fmt::format("averaging needs damping ratios from 0 to 1, stuck mode {} has {:g}: take transient", r + 1,
                       ratios(r));
  }
  // Each mode is averaged as if it moved alone: what couples them linearly would be lost.
  if (system.computed_modes() > 1 && !(system.modal_damping_is_diagonal() && system.structure().dampers().empty() &&
                                       system.joint_damping().isZero(0.0))) {
    return "averaging of several modes needs damping that does not couple them: modal, or Rayleigh damping of the mass "
           "alone (rayleigh = [a, 0]), no dampers and no joint with damping; take transient";
  }
  for (const Joint& joint : system.joints()) {
    if (is_rigid_friction(joint.law)) {
      return fmt::format(
          "averaging does not take the rigid friction (coulomb) of joint \"{}\": take transient with "
          "method = \"events\"",
          joint.name);
    }
    if (SteadyCycleLaw::of(joint.law)) continue;
    return fmt::format(
        "averaging needs the closed forms of a steady cycle, and the law of joint \"{}\" has none; it "
        "takes {}. transient takes every law",
        joint.name, laws_that([](const Law& law) { return SteadyCycleLaw::of(law).has_value(); }));
  }
  return "";
}

AveragedMode::AveragedMode(const System& system, int mode) {
  if (const std::string why = obstacle(system); !why.empty()) throw std::invalid_argument(why);
  if (mode < 0 || mode >= system.computed_modes()) {
    throw std::invalid_argument(
        fmt::format("averaging: there are modes 1 to {}, got {}", system.computed_modes(), mode + 1));
  }
  stuck_omega_ = system.stuck_modes().omega(mode);
  damping_ = 2.0 * stuck_omega_ * system.damping_ratios()(mode);
  structure_ = stuck_omega_ * stuck_omega_;
  macroslip_ = std::numeric_limits<double>::infinity();
  const Eigen::VectorXd directions = system.directions().transpose() * system.stuck_modes().shapes.col(mode);
  for (int j = 0; j < static_cast<int>(system.joints().size()); ++j) {
    const double direction = directions(system.offset(j));
    parts_.push_back({*SteadyCycleLaw::of(system.joints()[j].law), direction});
    structure_ -= direction * direction * system.stuck_joint_stiffness()(j, j);
    if (direction == 0.0) continue;
    const SteadyCycleLaw& law = parts_.back().law;
    if (const double at = law.macroslip() / std::abs(direction); at < macroslip_) {
      macroslip_ = at;
      macroslip_joint_ = j;
    }
    for (const double corner : law.corners()) corners_.push_back(corner / std::abs(direction));
  }
  std::sort(corners_.begin(), corners_.end());
}

SteadyCycle AveragedMode::at(double amplitude) const {
  SteadyCycle sum{structure_, structure_, structure_, 0.0};
  for (const Part& part : parts_) {
    const SteadyCycle cycle = part.law.at(std::abs(part.direction) * amplitude);
    const double square = part.direction * part.direction;
    sum.secant += square * cycle.secant;
    sum.harmonic += square * cycle.harmonic;
    sum.energy += square * cycle.energy;
    sum.loss += square * cycle.loss;
  }
  return sum;
}

}  // namespace microslip
