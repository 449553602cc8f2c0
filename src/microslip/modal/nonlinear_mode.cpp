#include "microslip/modal/nonlinear_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "microslip/modal/mode_curve.hpp"
#include "microslip/modal/mode_lag.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

/// Without joints every amplitude has the stuck mode itself: omega_0, zeta_0, energy omega_0^2 a^2/2.
NonlinearModePoint linear_point(const System& system, int mode, double amplitude) {
  const double omega = system.stuck_modes().omega(mode);
  NonlinearModePoint point;
  point.amplitude = point.q = amplitude;
  point.omega = omega;
  point.zeta = point.zeta_secant = system.damping_ratios()(mode);
  point.energy = 0.5 * omega * omega * amplitude * amplitude;
  point.harmonics = 1;
  point.modal = Eigen::MatrixXcd::Zero(system.stuck_modes().omega.size(), 2);
  point.modal(mode, 1) = amplitude;
  return point;
}

}  // namespace

void check_nonlinear_mode(const System& system, int mode, const std::vector<double>& amplitudes) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument("nonlinear mode: " + what);
  };
  const Modes& modes = system.stuck_modes();
  const auto count = static_cast<int>(modes.omega.size());
  require(mode >= 0 && mode < count, fmt::format("there are modes 1 to {}, not {}", count, mode + 1));
  require(mode >= modes.rigid, fmt::format("mode {} is a rigid motion", mode + 1));
  require(
      system.modal_damping_is_diagonal() && system.structure().dampers().empty() && system.joint_damping().isZero(0.0),
      "the damping must be modal: one ratio a stuck mode");
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const Joint& joint = system.joints()[j];
    require(joint.directions.cols() == 1, "joint \"" + joint.name + "\" has several components");
    for (Eigen::Index r = 0; r < modes.rigid; ++r) {
      const double moved = std::abs(modes.shapes.col(r).dot(joint.directions.col(0)));
      require(moved <= 1e-8 * modes.shapes.col(r).cwiseAbs().maxCoeff() * joint.directions.cwiseAbs().sum(),
              "joint \"" + joint.name + "\" moves a rigid mode");
    }
  }
  require(!amplitudes.empty() && amplitudes.front() > 0.0, "amplitudes must be > 0");
  for (std::size_t i = 1; i < amplitudes.size(); ++i) {
    require(amplitudes[i] > amplitudes[i - 1], "amplitudes must grow");
  }
}

NonlinearModeCurve nonlinear_mode(const System& system, int mode, const std::vector<double>& amplitudes,
                                  const NonlinearModeOptions& options, const Observer& observer) {
  check_nonlinear_mode(system, mode, amplitudes);
  NonlinearModeCurve curve;
  curve.mode = mode;
  if (system.components() == 0) {
    for (const double amplitude : amplitudes) curve.points.push_back(linear_point(system, mode, amplitude));
    return curve;
  }
  ModeCurve walk(system, mode, options);
  int nothing_at = 0;  // amplitudes
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    if (observer && !observer(static_cast<double>(i) / static_cast<double>(amplitudes.size()))) {
      curve.ending = Ending::interrupted;
      curve.message = "interrupted";
      return curve;
    }
    int iterations = 0;
    if (!walk.go_to(std::log(amplitudes[i]), iterations)) {
      if (nothing_at++ == 0) {
        curve.ending = Ending::no_convergence;
        curve.message = fmt::format("mode {}: no motion found at amplitude {:.6g}", mode + 1, amplitudes[i]);
        if (!walk.lost().empty()) curve.message += ": " + walk.lost();
      }
      continue;
    }
    curve.points.push_back(walk.point());
    curve.points.back().iterations = iterations;
  }
  if (nothing_at > 1) add_note(fmt::format("nor at {} more", nothing_at - 1), curve.message);
  const auto missing = std::count_if(curve.points.begin(), curve.points.end(),
                                     [](const NonlinearModePoint& point) { return std::isnan(point.zeta); });
  if (missing > 0) {
    const bool energies = std::any_of(curve.points.begin(), curve.points.end(),
                                      [](const NonlinearModePoint& point) { return std::isnan(point.energy); });
    add_note(fmt::format("mode {}: no ring-down, {}, at {} of {} amplitudes, where {} missing", mode + 1,
                         energies ? "no motion found beside it, or a mean deflection too large to follow its decay"
                                  : "or no motion found beside it",
                         missing, curve.points.size(), energies ? "zeta and energy are" : "zeta is"),
             curve.message);
  }
  for (const std::string& remark : walk.remarks())
    add_note(fmt::format("mode {}: {}", mode + 1, remark), curve.message);
  const std::string lags = lags_in_words(curve);
  add_note(lags, curve.message);
  return curve;
}

Eigen::VectorXcd first_harmonic_shape(const System& system, const NonlinearModePoint& point) {
  return times(system.stuck_modes().shapes, Eigen::VectorXcd(point.modal.col(1)));
}

std::vector<double> frequencies_under(const System& system, const NonlinearModePoint& point,
                                      const Eigen::VectorXcd& force) {
  const double a = point.amplitude, w2 = point.omega * point.omega, z = point.zeta_secant;
  const double modal_force = std::abs(first_harmonic_shape(system, point).dot(force)) / a;
  // W^4 - 2 w^2 (1 - 2 zeta^2) W^2 + w^4 - (p/a)^2 = 0.
  const double middle = w2 * (1.0 - 2.0 * z * z);
  const double root = middle * middle - w2 * w2 + std::pow(modal_force / a, 2);
  std::vector<double> result;
  if (root < 0.0) return result;
  for (const double sign : {-1.0, 1.0}) {
    const double square = middle + sign * std::sqrt(root);
    if (square > 0.0) result.push_back(std::sqrt(square));
  }
  return result;
}

}  // namespace microslip
