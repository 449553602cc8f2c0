#include "microslip/joints/driven_joint.hpp"

#include <limits>

namespace microslip {
namespace {

JointMemory memory_of_one(const Law& law, double normal) {
  const Law* laws[1] = {&law};
  const double normals[1] = {normal};
  return JointMemory(laws, normals);
}

}  // namespace

DrivenJoint::DrivenJoint(const Law& law, double normal)
    : memory_(memory_of_one(law, normal)), response_(memory_.make_response()), trial_(response_) {}

void DrivenJoint::move_to(double u, double v, double t) {
  memory_.evaluate(&u, &v, t, response_);
  memory_.commit();
  u_ = u;
}

double DrivenJoint::force_at(double u, double v, double t) {
  memory_.evaluate(&u, &v, t, trial_);
  return trial_.force[0];
}

double DrivenJoint::slipped_share() const {
  return memory_.visit(0, []<class L>(const L& law, const auto& state) -> double {
    if constexpr (L::sliders != SliderCount::none) return law.slipped_fraction(state);
    return std::numeric_limits<double>::quiet_NaN();
  });
}

double DrivenJoint::slider_position(double phi) const {
  return memory_.visit(0, [phi]<class L>(const L& law, const auto& state) -> double {
    if constexpr (L::sliders != SliderCount::none) return law.slider_position(state, phi);
    return std::numeric_limits<double>::quiet_NaN();
  });
}

}  // namespace microslip
