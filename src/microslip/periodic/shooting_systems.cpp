#include "microslip/periodic/shooting_systems.hpp"

#include <stdexcept>

#include "microslip/periodic/followed_law.hpp"
#include "microslip/periodic/joint_receptance.hpp"

namespace microslip {

void require_shooting(const System& system, const HarmonicLoad& load) {
  if (system.components() > 0) require_mean_position(system, load);
  if (!system.modal_damping_is_diagonal()) {
    throw std::invalid_argument("shooting needs damping that does not couple the stuck modes: modal or rayleigh");
  }
  refuse_rigid_friction(system);
  for (const Joint& joint : system.joints()) {
    if (joint.directions.cols() != 1) {
      throw std::invalid_argument("joint \"" + joint.name + "\": shooting takes joints of one component");
    }
    const bool known = std::visit([]<class L>(const L&) { return FollowedLaw<L>; }, joint.law);
    if (!known) {
      throw std::invalid_argument("joint \"" + joint.name +
                                  "\": shooting does not know the memory of this law; harmonic balance does");
    }
  }
}

}  // namespace microslip
