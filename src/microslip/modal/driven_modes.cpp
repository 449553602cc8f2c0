#include "microslip/modal/driven_modes.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {

DrivenModeEstimate::DrivenModeEstimate(const QuasiStaticMode& mode) : mode_(mode.mode) {
  const System& system = *mode.system;
  const Modes& stuck = system.stuck_modes();
  psi_ = transpose_times(stuck.shapes, system.directions());
  stiffness_ = stuck.omega.cwiseAbs2();
  damping_ = system.modal_damping().diagonal();
  if (system.components() > 0) damping_ += (psi_ * system.joint_damping()).cwiseProduct(psi_).rowwise().sum();
  for (const Damper& damper : system.structure().dampers()) {
    const Eigen::VectorXd rate = transpose_times(stuck.shapes, damper.direction);
    damping_ += damper.coefficient * rate.cwiseAbs2();
  }
  harmonics_.resize(system.components(), last_harmonic - first_harmonic + 1);
}

/// X_h = (1/pi) integral of x e^(-i h theta), by the trapezoidal rule.
void DrivenModeEstimate::set_harmonics(const CycleTrace& cycle) {
  const std::size_t points = cycle.q.size();
  const auto components = static_cast<std::size_t>(harmonics_.rows());
  theta_.resize(points);
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t tip = i <= cycle.turn ? 0 : points - 1;
    const double middle = 0.5 * (cycle.q[tip] + cycle.q[cycle.turn]);
    const double half = 0.5 * (cycle.q[tip] - cycle.q[cycle.turn]);
    const double angle = std::acos(std::clamp((cycle.q[i] - middle) / half, -1.0, 1.0));
    theta_[i] = i <= cycle.turn ? angle : two_pi - angle;
  }
  harmonics_.setZero();
  for (std::size_t i = 0; i < points; ++i) {
    const double before = theta_[i > 0 ? i - 1 : 0], after = theta_[i + 1 < points ? i + 1 : i];
    const double weight = 0.5 * (after - before) / pi;
    const std::complex<double> turn = std::polar(1.0, -theta_[i]);
    std::complex<double> factor = weight * std::polar(1.0, -(first_harmonic - 1) * theta_[i]);
    for (Eigen::Index h = 0; h < harmonics_.cols(); ++h) {
      factor *= turn;
      for (std::size_t c = 0; c < components; ++c) {
        harmonics_(static_cast<Eigen::Index>(c), h) += cycle.x[i * components + c] * factor;
      }
    }
  }
}

DrivenModes DrivenModeEstimate::operator()(const CycleTrace& cycle, double omega) {
  DrivenModes result;
  if (harmonics_.rows() == 0 || cycle.turn == 0 || cycle.turn + 1 >= cycle.q.size()) return result;
  set_harmonics(cycle);
  double most = 0.0;
  for (Eigen::Index s = 0; s < psi_.rows(); ++s) {
    if (s == mode_) continue;
    for (Eigen::Index k = 0; k < harmonics_.cols(); ++k) {
      const int h = first_harmonic + static_cast<int>(k);
      const double w = h * omega;
      std::complex<double> force = 0.0;
      for (Eigen::Index c = 0; c < psi_.cols(); ++c) force += psi_(s, c) * harmonics_(c, k);
      const double answer = std::norm(force) / std::norm(std::complex(stiffness_(s) - w * w, w * damping_(s)));
      const double loss = pi * omega * damping_(s) * h * h * answer;
      if (!std::isfinite(loss)) continue;  // undamped, in resonance
      result.loss += loss;
      if (loss <= most) continue;
      most = loss;
      result.mode = static_cast<int>(s);
      result.harmonic = h;
    }
  }
  return result;
}

}  // namespace microslip
