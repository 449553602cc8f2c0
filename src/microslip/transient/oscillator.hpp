#pragma once
// One mode with one scalar joint: the same step as ModalStepper and JointEquation, but in registers and with the law
// known to the compiler. Single oscillators are what modal models of joints are made of.

#include <cmath>

#include "microslip/numerics/lanes.hpp"
#include "microslip/system/joint_equation.hpp"
#include "microslip/transient/scheme.hpp"

namespace microslip {

struct OscillatorCoefficients {
  OscillatorCoefficients(const DiagonalScheme& scheme, double psi_, const JointCompliance& compliance_, double stuck_,
                         double damping_, double step_);

  double transition[9], from_old[3], from_new[3];
  double psi;         ///< joint deflection per modal displacement
  double compliance;  ///< A of the joint equation
  double stuck;       ///< k of the joint
  double damping;     ///< modal
  double step;
  bool uses_old_force;
};

struct Oscillator {
  double d = 0.0, v = 0.0, a = 0.0;  ///< modal motion
  double force = 0.0;                ///< total modal force g at the current time
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
  const OscillatorCoefficients k = coefficients;  // local copies: the compiler knows that nothing else changes them
  Oscillator o = oscillator;
  typename Law::Trial trial{};
  long done = 0;
  for (; done < count; ++done) {
    const double loaded = load(done);
    double d = k.transition[0] * o.d + k.transition[1] * o.v + k.transition[2] * o.a + k.from_new[0] * loaded;
    double v = k.transition[3] * o.d + k.transition[4] * o.v + k.transition[5] * o.a + k.from_new[1] * loaded;
    double a = k.transition[6] * o.d + k.transition[7] * o.v + k.transition[8] * o.a + k.from_new[2] * loaded;
    if (k.uses_old_force) {
      d += k.from_old[0] * o.force;
      v += k.from_old[1] * o.force;
      a += k.from_old[2] * o.force;
    }
    const double u_star = k.psi * d;
    double x = o.history >= 3 ? 4.0 * (o.x[0] + o.x[2]) - 6.0 * o.x[1] - o.x[3] : o.x[0];
    double deflection = 0.0;
    const auto evaluate = [&](double u) -> const typename Law::Trial& {
      trial = law.evaluate(state, {u, 0.0, 0.0, 0.0});
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
    : psi(psi_),
      compliance(compliance_.displacement(0, 0)),
      stuck(stuck_),
      damping(damping_),
      step(step_),
      uses_old_force(scheme.uses_old_force) {
  // The mode is the first lane of the first block.
  for (int i = 0; i < 9; ++i) transition[i] = scheme.transition[i * lane_count];
  for (int i = 0; i < 3; ++i) from_old[i] = scheme.from_old[i * lane_count];
  for (int i = 0; i < 3; ++i) from_new[i] = scheme.from_new[i * lane_count];
}

}  // namespace microslip
