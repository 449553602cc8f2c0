#pragma once
// Systems with rigid friction: those of Altamirano, Tien and D'Souza (2021), and small ones.

#include <numbers>
#include <vector>

#include "microslip/system/system.hpp"
#include "microslip/transient/events.hpp"

namespace microslip::testing {

/// n x 1: from one degree of freedom to another, -1 is the ground.
inline Eigen::MatrixXd link(int n, int from, int to) {
  Eigen::MatrixXd direction = Eigen::MatrixXd::Zero(n, 1);
  if (from >= 0) direction(from, 0) = -1.0;
  if (to >= 0) direction(to, 0) = 1.0;
  return direction;
}

/// n equal masses and springs in a row, the first spring to the ground.
inline LinearStructure mass_chain(int n, double mass, double stiffness, Damping damping) {
  std::vector<LumpedLink> springs;
  for (int i = 0; i < n; ++i) springs.push_back({i - 1, i, stiffness});
  return LinearStructure::lumped(std::vector<double>(static_cast<std::size_t>(n), mass), {}, springs, {},
                                 std::move(damping));
}

/// Section 3.1: m 1, c 1, k 50, normal load 9.5, mu_s 0.4, mu_k 0.2.
inline System one_mass(Signal normal = Signal(Constant{9.5})) {
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, 50.0}}, {{-1, 0, 1.0}}, ModalDamping{}),
                {Joint{"damper", Coulomb<double>(0.4, 0.2), link(1, -1, 0), std::move(normal)}});
}

/// Section 3.2.1: m 0.1, k 500, C = 0.01 K, friction 0.1 at the first mass.
inline System friction_chain(int n) {
  return System(mass_chain(n, 0.1, 500.0, RayleighDamping{0.0, 0.01}),
                {Joint{"damper", Coulomb<double>(0.1, 0.1), link(n, -1, 0)}});
}

/// Section 3.2.2: five masses 5000, k 3000, C = 0.01 K, a damper between masses place - 1 and place, 1 to 5.
inline System damped_building(int place, double friction) {
  return System(mass_chain(5, 5000.0, 3000.0, RayleighDamping{0.0, 0.01}),
                {Joint{"damper", Coulomb<double>(friction, friction), link(5, place - 2, place - 1)}});
}

inline Load sine_force(int n, int dof, double amplitude, double omega) {
  return {"force", Eigen::VectorXd::Unit(n, dof), Signal(Sine{amplitude, omega, 0.0}), false};
}

/// One period, after others from rest.
struct SteadyEvents {
  double amplitude = 0.0;          ///< half of the range of one degree of freedom, from samples and events
  std::vector<double> energy;      ///< of each joint
  std::vector<double> stuck_time;  ///< of each joint
  long events = 0;
  double energy_error = 0.0;
  Eigen::VectorXd q, v;  ///< at the end of the period
};

inline SteadyEvents steady_events(const System& system, std::span<const Load> loads, double omega, int periods, int dof,
                                  int length = 1) {
  const double period = 2.0 * std::numbers::pi / omega;
  EventsOptions options;
  options.duration = periods * period * (1.0 - 1e-12);
  options.step = period;
  NullSink nothing;
  const EventsResult first = simulate_events(system, loads, {}, {}, {}, nothing, nothing, options);
  if (first.motion.ending != Ending::completed) throw std::runtime_error(first.motion.message);
  MemorySink history, events;
  Record record;
  record.dofs = {dof};
  options.duration = length * period * (1.0 - 1e-12);
  options.step = period / 20000.0;
  const EventsResult last =
      simulate_events(system, loads, first.motion.q, first.motion.v, record, history, events, options);
  if (last.motion.ending != Ending::completed) throw std::runtime_error(last.motion.message);
  SteadyEvents result;
  double largest = -1e300;
  double smallest = 1e300;
  for (std::size_t i = 0; i < history.rows(); ++i) {
    largest = std::max(largest, history.at(i, 1));
    smallest = std::min(smallest, history.at(i, 1));
  }
  result.amplitude = 0.5 * (largest - smallest);
  result.energy = last.motion.energy.joints;
  result.events = last.events;
  result.energy_error = std::max(first.motion.energy.error, last.motion.energy.error);
  result.q = last.motion.q;
  result.v = last.motion.v;
  // Stuck until the event that ends it; what is stuck at both ends of the period is put together.
  result.stuck_time.assign(system.joints().size(), 0.0);
  std::vector<double> since(system.joints().size(), 0.0);
  std::vector<int> state(system.joints().size(), -2);
  for (std::size_t i = 0; i < events.rows(); ++i) {
    const auto joint = static_cast<std::size_t>(events.at(i, 1)) - 1;
    if (events.at(i, 2) == 0.0) result.stuck_time[joint] += events.at(i, 0) - since[joint];
    since[joint] = events.at(i, 0);
    state[joint] = static_cast<int>(events.at(i, 3));
  }
  for (std::size_t j = 0; j < state.size(); ++j) {
    if (state[j] == 0) result.stuck_time[j] += length * period - since[j];
  }
  return result;
}

}  // namespace microslip::testing
