#pragma once
// How the motion in a regime changes: in time, and with the frequency or the level of the load at a fixed phase.

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <vector>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/flow_transition.hpp"
#include "microslip/transient/contact_motion.hpp"

namespace microslip::orbit_passage {

using Complex = std::complex<double>;
/// Steady motion without the powers of time of bodies that drift: harmonics at phase time t, and constants.
inline void add_reference(const ForcedMotion& motion, double t, double factor, Eigen::ArrayXd& q, Eigen::ArrayXd& v) {
  for (const ForcedMotion::Term& term : motion.terms) {
    const Complex turn = factor * std::exp(i_unit * (term.omega * t));
    q += term.qa.real() * turn.real() - term.qa.imag() * turn.imag();
    v += term.va.real() * turn.real() - term.va.imag() * turn.imag();
  }
  q += factor * motion.q[0];
  v += factor * motion.v[0];
}

inline void add_reference_rate(const ForcedMotion& motion, double t, double factor, Eigen::ArrayXd& q,
                               Eigen::ArrayXd& v) {
  for (const ForcedMotion::Term& term : motion.terms) {
    const Complex turn = factor * i_unit * term.omega * std::exp(i_unit * (term.omega * t));
    q += (term.qa * turn).real();
    v += (term.va * turn).real();
  }
}

/// Change of the steady motion of a regime with frequency or level, at a fixed phase.
struct SteadyChange {
  struct Term {
    double multiple = 0.0;  ///< h
    Eigen::ArrayXcd q, v;
    Eigen::VectorXcd force;
  };
  std::vector<Term> terms;
  void add(double theta, Eigen::ArrayXd& q, Eigen::ArrayXd& v) const {
    for (const Term& term : terms) {
      const Complex turn = std::exp(i_unit * (term.multiple * theta));
      q += (term.q * turn).real();
      v += (term.v * turn).real();
    }
  }
  /// Of what the force itself adds to an event function.
  [[nodiscard]] double direct(const EventFunction& event, double theta) const {
    double sum = 0.0;
    if (event.on_force.size() == 0) return sum;
    for (const Term& term : terms) {
      if (term.force.size() == 0) continue;
      const Complex amplitude = (event.on_force.cast<Complex>().transpose() * term.force)(0);
      sum += (amplitude * std::exp(i_unit * (term.multiple * theta))).real();
    }
    return sum;
  }
};

[[nodiscard]] inline SteadyChange steady_change(const LinearFlow& flow, const ForcedMotion& motion, double omega,
                                                double level, const PeriodicLoad& load) {
  SteadyChange change;
  for (const ForcedMotion::Term& term : motion.terms) {
    SteadyChange::Term out;
    out.multiple = std::round(term.omega / omega);
    flow.harmonic_change(term.omega, term.qa, term.va, out.q, out.v);
    out.q *= out.multiple;
    out.v *= out.multiple;
    const auto h = static_cast<std::size_t>(out.multiple);
    if (h >= 1 && h <= load.ground.size() && !load.ground[h - 1].isZero(0.0)) {
      out.force = (out.multiple * level * load.of_ground_slope(term.omega)) * load.ground[h - 1];
      Eigen::ArrayXcd q, v;
      flow.harmonic(out.force, term.omega, q, v);
      out.q += q;
      out.v += v;
    }
    change.terms.push_back(std::move(out));
  }
  return change;
}

/// The same with the level: the answer to the loads that it scales, per unit.
[[nodiscard]] inline SteadyChange steady_change_with_level(const LinearFlow& flow, double omega,
                                                           const PeriodicLoad& load) {
  SteadyChange change;
  for (std::size_t h = 1; h <= load.force.size(); ++h) {
    SteadyChange::Term out;
    out.multiple = static_cast<double>(h);
    const double s = out.multiple * omega;
    out.force = load.force[h - 1] + load.of_ground(s) * load.ground[h - 1];
    if (out.force.isZero(0.0)) continue;
    flow.harmonic(out.force, s, out.q, out.v);
    change.terms.push_back(std::move(out));
  }
  return change;
}

/// Rate of all of the motion, from all of it.
[[nodiscard]] inline FlowState rate_at(const LinearFlow& flow, const ForcedMotion& motion, const FlowState& x,
                                       double tau, double shift) {
  FlowState rest = x;
  motion.add(tau, shift, -1.0, rest.q, rest.v);
  FlowState rate;
  flow.rate(rest.q, rest.v, rate.q, rate.v);
  motion.add_rate(tau, shift, 1.0, rate.q, rate.v);
  rate.d = Eigen::VectorXd::Zero(x.d.size());
  return rate;
}
[[nodiscard]] inline FlowState zero_state(const LinearFlow& flow) {
  return {Eigen::ArrayXd::Zero(flow.blocks()), Eigen::ArrayXd::Zero(flow.blocks()),
          Eigen::VectorXd::Zero(static_cast<Eigen::Index>(flow.stuck().size()))};
}
[[nodiscard]] inline FlowState scaled(FlowState state, double factor) {
  state.q *= factor;
  state.v *= factor;
  state.d *= factor;
  return state;
}
inline void put(const FlowState& state, Eigen::Index column, FlowColumns& out) {
  out.q.col(column) = state.q.matrix();
  out.v.col(column) = state.v.matrix();
  if (out.d.rows() > 0) out.d.col(column) = state.d;
}

}  // namespace microslip::orbit_passage
