#include "microslip/modal/decay_anchor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/joints/law_traits.hpp"

namespace microslip {
DecayAnchor::DecayAnchor(const System& system, int harmonics)
    : system_(&system), harmonics_(harmonics), series_(series_size(harmonics)), scanner_(harmonics) {}

bool DecayAnchor::set(const Eigen::VectorXd& motion) {
  constexpr double alike = 1e-9;  // of X
  const std::size_t joints = system_->joints().size();
  shifts_.assign(joints, {});
  std::vector<double> half_range(joints, 0.0), farthest(joints, 0.0), zero(joints, 0.0);
  for (std::size_t j = 0; j < joints; ++j) {
    const auto& extrema = scanner_.extrema(motion.data() + static_cast<Eigen::Index>(j) * series_);
    const Law& law = system_->joints()[j].law;
    if (extrema.empty() || !remembers(law) || remembers_decay(law) || is_custom(law)) continue;
    const auto by_value = [](const auto& p, const auto& q) { return p.value < q.value; };
    const auto [low, high] = std::minmax_element(extrema.begin(), extrema.end(), by_value);
    const auto outermost = std::abs(low->value) > std::abs(high->value) ? low : high;
    const double x = 0.5 * (high->value - low->value), far = std::abs(outermost->value);
    if (std::abs(far - x) <= alike * x) continue;
    half_range[j] = x;
    farthest[j] = far;
    Shift& shift = shifts_[j];
    shift.u = outermost->value;
    shift.series.resize(series_);
    shift.series(0) = 1.0;
    for (int h = 1; h <= harmonics_; ++h) {
      shift.series(2 * h - 1) = std::cos(h * outermost->tau);
      shift.series(2 * h) = std::sin(h * outermost->tau);
    }
  }
  JointMemory memory = system_->initial_memory();
  JointResponse near = memory.make_response(), away = near;
  memory.evaluate(half_range.data(), zero.data(), 0.0, near);
  memory.evaluate(farthest.data(), zero.data(), 0.0, away);
  bool any = false;
  for (std::size_t j = 0; j < joints; ++j) {
    shifts_[j].stiffness = near.stiffness[j] - away.stiffness[j];
    any = any || shifts_[j].stiffness != 0.0;
  }
  if (!any) clear();
  return any;
}

void DecayAnchor::add(std::size_t joint, const double* motion, double* force, Eigen::MatrixXd* tangent) const {
  const Shift& shift = shifts_[joint];
  if (shift.stiffness == 0.0) return;
  const Eigen::Map<const Eigen::VectorXd> series(motion, series_);
  force[0] += shift.stiffness * (shift.series.dot(series) - shift.u);
  if (tangent != nullptr) tangent->row(0) += shift.stiffness * shift.series;
}

double DecayAnchor::stored_energy(const Eigen::VectorXd& motion, const Eigen::VectorXd* then) {
  JointMemory memory = system_->initial_memory();
  JointResponse response = memory.make_response();
  std::vector<std::vector<double>> paths;
  std::size_t longest = 0;
  for (std::size_t j = 0; j < system_->joints().size(); ++j) {
    std::vector<double> path, extrema;
    const auto go_along = [&](const Eigen::VectorXd& all) {
      const double* series = all.data() + static_cast<Eigen::Index>(j) * series_;
      extrema.clear();
      for (const auto& extremum : scanner_.extrema(series)) extrema.push_back(extremum.value);
      const auto outermost = std::max_element(extrema.begin(), extrema.end(),
                                              [](double p, double q) { return std::abs(p) < std::abs(q); });
      path.insert(path.end(), path.empty() ? outermost : extrema.begin(), extrema.end());
      path.insert(path.end(), extrema.begin(), extrema.end());  // on the closed loop
      path.push_back(series_at(series, harmonics_, 0.0).value);
    };
    go_along(motion);
    if (then != nullptr) go_along(*then);
    longest = std::max(longest, path.size());
    paths.push_back(std::move(path));
  }
  std::vector<double> u(paths.size(), 0.0), zero = u;
  for (std::size_t i = 0; i < longest; ++i) {
    for (std::size_t c = 0; c < paths.size(); ++c) {
      const std::size_t missing = longest - paths[c].size();
      if (i >= missing) u[c] = paths[c][i - missing];
    }
    memory.evaluate(u.data(), zero.data(), 0.0, response);
    memory.commit();
  }
  double sum = 0.0;
  for (int j = 0; j < memory.joints(); ++j) sum += memory.stored_energy(j);
  return sum;
}

}  // namespace microslip
