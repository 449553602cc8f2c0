#pragma once
// Steady vibration the slow way: time integration until nothing changes any more.

#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip::testing {

/// direction * amplitude * cos(omega t).
inline Load cosine(const Eigen::VectorXd& direction, double amplitude, double omega) {
  return {"cosine", direction, Signal(Sine{amplitude, omega, 0.5 * std::numbers::pi}), false};
}

struct SteadyState {
  double amplitude = 0.0;     ///< half of the range, by the parabola through the largest samples
  Eigen::VectorXd harmonics;  ///< a_0, a_1, b_1, ... up to `count`
  double dissipated = 0.0;    ///< by all joints over the last period
};

/// `periods` periods of `steps` steps under the loads, which all have the frequency omega, then one more that is
/// evaluated at one degree of freedom.
inline SteadyState integrate_to_steady_state(const System& system, std::span<const Load> loads, double omega,
                                             int periods, int steps, int dof, int count,
                                             InitialConditions initial = {}) {
  const double period = 2.0 * std::numbers::pi / omega;
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.step = period / steps;
  options.tolerance = 1e-9;
  options.duration = periods * period * (1.0 - 1e-12);
  NullSink nothing;
  TransientResult first = simulate(system, loads, initial, {}, nothing, options);
  if (first.ending != Ending::completed) throw std::runtime_error(first.message);
  double before = 0.0;
  for (int j = 0; j < first.memory.joints(); ++j) before += first.memory.dissipated_energy(j);
  options.duration = period * (1.0 - 1e-12);
  MemorySink sink;
  Record record;
  record.dofs = {dof};
  const TransientResult last =
      simulate(system, loads, {first.q, first.v, std::move(first.memory)}, record, sink, options);
  if (last.ending != Ending::completed) throw std::runtime_error(last.message);

  SteadyState result;
  for (int j = 0; j < last.memory.joints(); ++j) result.dissipated += last.memory.dissipated_energy(j);
  result.dissipated -= before;
  std::vector<double> q = sink.column("q[" + system.structure().labels()[static_cast<std::size_t>(dof)] + "]");
  q.resize(static_cast<std::size_t>(steps));
  const auto n = q.size();
  const auto extreme = [&](double sign) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (sign * q[i] > sign * q[at]) at = i;
    }
    const double y0 = q[(at + n - 1) % n], y1 = q[at], y2 = q[(at + 1) % n];
    const double curvature = y0 - 2.0 * y1 + y2, slope = 0.5 * (y2 - y0);
    return y1 - 0.5 * slope * slope / curvature;
  };
  result.amplitude = 0.5 * (extreme(1.0) - extreme(-1.0));
  result.harmonics = Eigen::VectorXd::Zero(2 * count + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const double tau = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    result.harmonics(0) += q[i] / static_cast<double>(n);
    for (int h = 1; h <= count; ++h) {
      result.harmonics(2 * h - 1) += 2.0 * q[i] * std::cos(h * tau) / static_cast<double>(n);
      result.harmonics(2 * h) += 2.0 * q[i] * std::sin(h * tau) / static_cast<double>(n);
    }
  }
  return result;
}

/// q and v of all degrees of freedom at t = 0 of a periodic motion.
inline InitialConditions initial_state(HarmonicBalance& balance, const PeriodicOrbit& orbit) {
  std::vector<int> all;
  for (int i = 0; i < balance.system().size(); ++i) all.push_back(i);
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(orbit.deflection.data(), orbit.deflection.size());
  const Eigen::MatrixXd q = balance.displacements(y, orbit.omega, orbit.level, all);
  InitialConditions initial{q.row(0).transpose(), Eigen::VectorXd::Zero(q.cols()), {}};
  for (int h = 1; h <= orbit.harmonics; ++h) {
    initial.q += q.row(2 * h - 1).transpose();
    initial.v += h * orbit.omega * q.row(2 * h).transpose();
  }
  return initial;
}

}  // namespace microslip::testing
