#include "microslip/periodic/alternating_transform.hpp"

#include "microslip/joints/law_traits.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/joint_transform.hpp"

namespace microslip {
namespace {

/// Rigid friction: its force is no function of u, see refuse_rigid_friction.
class NoTransform final : public JointTransform {
 public:
  using JointTransform::JointTransform;

 private:
  bool run(const double* /*u*/, double /*omega*/) override { return false; }
};

/// There is a transform for it.
template <class L>
constexpr bool is_transformed() {
  if constexpr (UsersLaw<L> || RigidFrictionLaw<L>) {
    return true;
  } else {
    static_assert(!L::needs_rates, "only the rates of custom laws are sampled");
    return SpringLaw<L> || MasingLaw<L> || FadingLaw<L> || SliderLaw<L>;
  }
}

std::unique_ptr<JointTransform> make_transform(const Law& law, const TransformSetting& setting) {
  std::visit([]<class L>(const L&) { static_assert(is_transformed<L>(), "how does this law remember?"); }, law);
  for (const auto make : {spring_transform, masing_transform, fading_transform, slider_transform, custom_transform}) {
    if (auto transform = make(law, setting)) return transform;
  }
  return std::make_unique<NoTransform>(setting);
}

}  // namespace

double work_per_period(const double* force, const double* deflection, int harmonics) {
  double work = 0.0;
  for (int h = 1; h <= harmonics; ++h) {
    work += h * (force[2 * h - 1] * deflection[2 * h] - force[2 * h] * deflection[2 * h - 1]);
  }
  return pi * work;
}

AlternatingTransform::AlternatingTransform(const Law& law, double normal, int harmonics, int samples)
    : transform_(make_transform(law, {normal, harmonics, samples, components_of(law)})) {}
AlternatingTransform::~AlternatingTransform() = default;
AlternatingTransform::AlternatingTransform(AlternatingTransform&&) noexcept = default;
AlternatingTransform& AlternatingTransform::operator=(AlternatingTransform&&) noexcept = default;

void AlternatingTransform::begin_with(const JointMemory& memory, int joint) {
  transform_->begin_with(memory, joint);
}

int AlternatingTransform::components() const {
  return transform_->components;
}
int AlternatingTransform::harmonics() const {
  return transform_->harmonics;
}
int AlternatingTransform::samples() const {
  return transform_->samples;
}
long AlternatingTransform::evaluations() const {
  return transform_->evaluations;
}
bool AlternatingTransform::evaluate(const double* deflection, double omega, double* force, Eigen::MatrixXd* jacobian,
                                    Eigen::VectorXd* rate) {
  return transform_->evaluate(deflection, omega, force, jacobian, rate);
}

}  // namespace microslip
