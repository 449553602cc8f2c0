// A user's own law: equal steps through the period with displacements and rates, until the forces repeat. The
// derivative is that of the present step only, which is all that such a law tells.

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/joint_transform.hpp"

namespace microslip {
namespace {

class CustomTransform final : public JointTransform {
 public:
  CustomTransform(const CustomLawHandle& law, const TransformSetting& setting)
      : JointTransform(setting), law_(law), basis_(size), slope_basis_(size), weighted_basis_(size) {}

 private:
  bool run(const double* u, double omega) override {
    constexpr int most_periods = 200;
    constexpr double settled = 1e-12;  // of the largest force, from period to period
    const int steps = std::max(samples, 8 * harmonics);
    const bool memory = law_.law().state_size() > 0;
    CustomLawHandle::State state = law_.initial_state();
    last_force_.assign(static_cast<std::size_t>(steps * components), 0.0);
    bool repeats = false;
    largest_ = 0.0;
    for (int period = 0; period < most_periods && !repeats; ++period) {
      change_ = 0.0;
      Eigen::Map<Eigen::VectorXd>(out_force, static_cast<Eigen::Index>(components) * size).setZero();
      if (out_jacobian != nullptr) out_jacobian->setZero();
      if (out_rate != nullptr) out_rate->setZero();
      for (int i = 0; i < steps; ++i) {
        const double at = two_pi * i / steps;
        set_basis(at, steps);
        const CustomInput input = input_at(at, omega, u);
        law_.evaluate_into(state, input, trial_);
        law_.commit(state, trial_);
        for (int row = 0; row < components; ++row) {
          add_force(row, last_force_[static_cast<std::size_t>(i * components + row)]);
          for (int column = 0; column < components; ++column) add_slopes(row, column, omega, input);
        }
      }
      evaluations += steps;
      repeats = !memory || (period > 0 && change_ <= settled * largest_);
    }
    return repeats;
  }

  /// e, its derivative by tau, and with the weight of one of `steps`.
  void set_basis(double at, int steps) {
    series_basis(harmonics, at, basis_.data());
    slope_basis_(0) = 0.0;
    for (int h = 1; h <= harmonics; ++h) {
      slope_basis_(2 * h - 1) = -h * basis_(2 * h);
      slope_basis_(2 * h) = h * basis_(2 * h - 1);
    }
    weighted_basis_ = norm(1) * two_pi / steps * basis_;
    weighted_basis_(0) *= 0.5;
  }

  [[nodiscard]] CustomInput input_at(double at, double omega, const double* u) const {
    CustomInput input;
    input.t = omega > 0.0 ? at / omega : 0.0;
    input.normal = normal;
    for (int c = 0; c < components; ++c) {
      const Eigen::Map<const Eigen::VectorXd> series(u + static_cast<std::ptrdiff_t>(c) * size, size);
      input.u[static_cast<std::size_t>(c)] = series.dot(basis_);
      input.v[static_cast<std::size_t>(c)] = omega * series.dot(slope_basis_);
    }
    return input;
  }

  /// `before`: the force a period ago.
  void add_force(int row, double& before) {
    const double force = trial_.force[static_cast<std::size_t>(row)];
    change_ = std::max(change_, std::abs(force - before));
    largest_ = std::max(largest_, std::abs(force));
    before = force;
    Eigen::Map<Eigen::VectorXd>(out_force + static_cast<std::ptrdiff_t>(row) * size, size) += force * weighted_basis_;
  }

  void add_slopes(int r, int c, double omega, const CustomInput& input) {
    const auto row = static_cast<std::size_t>(r), column = static_cast<std::size_t>(c);
    if (out_jacobian != nullptr) {
      out_jacobian->block(r * size, c * size, size, size).noalias() +=
          weighted_basis_ *
          (trial_.stiffness[row][column] * basis_ + omega * trial_.damping[row][column] * slope_basis_).transpose();
    }
    if (out_rate != nullptr && omega > 0.0) {
      out_rate->segment(r * size, size) += trial_.damping[row][column] * input.v[column] / omega * weighted_basis_;
    }
  }

  const CustomLawHandle& law_;
  CustomLawHandle::Trial trial_;
  Eigen::VectorXd basis_, slope_basis_, weighted_basis_;
  std::vector<double> last_force_;  // of each step and component
  double change_ = 0.0, largest_ = 0.0;
};

}  // namespace

std::unique_ptr<JointTransform> custom_transform(const Law& law, const TransformSetting& setting) {
  const auto* custom = std::get_if<CustomLawHandle>(&law);
  return custom == nullptr ? nullptr : std::make_unique<CustomTransform>(*custom, setting);
}

}  // namespace microslip
