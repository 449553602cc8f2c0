#pragma once
// One mode with one scalar joint: the same step as ModalStepper and JointEquation, but in registers and with the law
// known to the compiler. Single oscillators are what modal models of joints are made of.
//
// A step waits for the one before it only through the joint force x. With z* the motion without it and a force of
// load - psi x,
//   z = z* - b1 psi x,   next z* = T z* + b0 load + b1 next load - c psi x,   c = T b1 + b0
// so that all but the last term is ready before x is.

#include <cmath>

#include "microslip/numerics/lanes.hpp"
#include "microslip/system/joint_equation.hpp"
#include "microslip/transient/scheme.hpp"

namespace microslip {

struct OscillatorCoefficients {
  OscillatorCoefficients(const DiagonalScheme& scheme, double psi_, const JointCompliance& compliance_, double stuck_,
                         double damping_, double step_);

  double transition[9], from_old[3], from_new[3];
  double from_joint[3];  ///< c psi
  double psi;            ///< joint deflection per modal displacement
  double compliance;     ///< A of the joint equation
  double stuck;          ///< k of the joint
  double damping;        ///< modal
  double step;
};

struct Oscillator {
  double d = 0.0, v = 0.0, a = 0.0;  ///< modal motion
  double force = 0.0;                ///< total modal force g at the current time
  double free[3] = {};               ///< z* of the next step, but for its load
  bool ready = false;                ///< `free` is of this motion; steps are the same however many are done at a time
  double x[4] = {};                  ///< joint force now and in the three steps before
  int history = 0;                   ///< how many of the older ones count
  double u = 0.0, joint_force = 0.0;
  double input = 0.0, dissipated = 0.0;           ///< energies so far
  double input_power = 0.0, damping_power = 0.0;  ///< now
  long evaluations = 0;
};

/// `count` steps; load(n) is the modal force of the loads after step n = 0, 1, ... Returns the steps done: fewer when
/// the joint equation did not converge in one, which is then still to do.
template <class Law, class LoadAt>
long run_oscillator(const OscillatorCoefficients& coefficients, Oscillator& oscillator, const Law& law,
                    typename Law::State& state, LoadAt&& load, long count, const TransientOptions& options) {
  // Neither the rate nor the normal load is known here, nor the time: only rigid friction and users' laws ask for them.
  static_assert(!Law::needs_rates && !Law::rigid_friction);
  const OscillatorCoefficients k = coefficients;  // local copies: the compiler knows that nothing else changes them
  Oscillator o = oscillator;
  typename Law::Trial trial{};
  long done = 0;
  if (!o.ready) {
    for (int i = 0; i < 3; ++i) {
      const double* t = k.transition + 3 * i;
      o.free[i] = t[0] * o.d + t[1] * o.v + t[2] * o.a + k.from_old[i] * o.force;
    }
    o.ready = true;
  }
  for (; done < count; ++done) {
    const double loaded = load(done);
    const double d = o.free[0] + k.from_new[0] * loaded;
    const double v = o.free[1] + k.from_new[1] * loaded;
    const double a = o.free[2] + k.from_new[2] * loaded;
    const double u_star = k.psi * d;
    double x = o.history >= 3 ? 4.0 * (o.x[0] + o.x[2]) - 6.0 * o.x[1] - o.x[3] : o.x[0];
    double deflection = 0.0;
    const auto evaluate = [&](double u) -> const typename Law::Trial& {
      trial = law.evaluate(state, {.u = u});
      deflection = u;
      return trial;
    };
    const NewtonOutcome outcome =
        solve_single(evaluate, k.stuck, k.compliance, u_star, options.tolerance, options.max_iterations, x);
    o.evaluations += outcome.evaluations;
    if (!outcome.converged) break;
    law.commit(state, trial);
    o.u = deflection;
    o.joint_force = trial.force;
    const double joint = k.psi * x;
    o.d = d - k.from_new[0] * joint;
    o.v = v - k.from_new[1] * joint;
    o.a = a - k.from_new[2] * joint;
    o.force = loaded - joint;
    for (int i = 0; i < 3; ++i) {
      const double* t = k.transition + 3 * i;
      o.free[i] = (t[0] * d + t[1] * v + t[2] * a + k.from_old[i] * loaded) - k.from_joint[i] * x;
    }
    o.x[3] = o.x[2];
    o.x[2] = o.x[1];
    o.x[1] = o.x[0];
    o.x[0] = x;
    if (o.history < 3) o.history++;
    const double input_power = loaded * o.v;
    o.input += 0.5 * k.step * (o.input_power + input_power);
    o.input_power = input_power;
    const double damping_power = k.damping * o.v * o.v;
    o.dissipated += 0.5 * k.step * (o.damping_power + damping_power);
    o.damping_power = damping_power;
  }
  oscillator = o;
  return done;
}

inline OscillatorCoefficients::OscillatorCoefficients(const DiagonalScheme& scheme, double psi_,
                                                      const JointCompliance& compliance_, double stuck_,
                                                      double damping_, double step_)
    : psi(psi_), compliance(compliance_.displacement(0, 0)), stuck(stuck_), damping(damping_), step(step_) {
  // The mode is the first lane of the first block.
  for (int i = 0; i < 9; ++i) transition[i] = scheme.transition[i * lane_count];
  for (int i = 0; i < 3; ++i) from_old[i] = scheme.from_old[i * lane_count];
  for (int i = 0; i < 3; ++i) from_new[i] = scheme.from_new[i * lane_count];
  for (int i = 0; i < 3; ++i) {
    from_joint[i] = from_old[i];
    for (int j = 0; j < 3; ++j) from_joint[i] += transition[3 * i + j] * from_new[j];
    from_joint[i] *= psi;
  }
}

}  // namespace microslip
