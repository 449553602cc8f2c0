#include "microslip/periodic/piecewise_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/gauss_legendre.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// Integral of tau^power exp(-i s tau) from 0 to `to`, s > 0, by parts.
Complex power_integral(int power, double s, double to) {
  const Complex is = i_unit * s;
  const Complex turn = std::exp(-is * to);
  Complex value = (1.0 - turn) / is;
  for (int k = 1; k <= power; ++k) value = (static_cast<double>(k) * value - std::pow(to, k) * turn) / is;
  return value;
}

/// Integral of exp(i r tau) from 0 to `to`.
Complex turn_integral(double r, double to) {
  if (std::abs(r * to) < 1e-8) return to * (1.0 + 0.5 * i_unit * r * to);
  return (std::exp(i_unit * (r * to)) - 1.0) / (i_unit * r);
}

/// The states of one contact around the whole motion, each once.
std::vector<int> state_cycle(const PiecewiseOrbit& orbit, std::size_t contact) {
  std::vector<int> states;
  for (const double sign : {1.0, -1.0}) {
    for (const OrbitArc& arc : orbit.arcs) {
      const int state = static_cast<int>(sign) * arc.regime->states()[contact];
      if (states.empty() || states.back() != state) states.push_back(state);
    }
    if (!orbit.antisymmetric) break;
  }
  while (states.size() > 1 && states.front() == states.back()) states.pop_back();
  return states;
}

int paper_case(std::vector<int> states) {
  const auto begins = std::find(states.begin(), states.end(), 1);
  if (begins == states.end()) return 0;
  std::rotate(states.begin(), begins, states.end());
  const std::vector<int> known[] = {{1, -1}, {1, 0, -1, 0}, {1, 0, -1}, {1, -1, 0}};
  for (int i = 0; i < 4; ++i) {
    if (states == known[i]) return i + 1;
  }
  return 0;
}

}  // namespace

/// Displacements of the measured degrees of freedom from the coordinates of a regime, row by row.
struct PiecewiseResponses::Weights {
  Eigen::MatrixXd q, v, d;
};

PiecewiseResponses::PiecewiseResponses(const System& system, std::span<const Load> loads, ResponseRecord record,
                                       const PiecewiseOptions& options)
    : PiecewiseResponses(PiecewiseModel(system, loads, options.modes), std::move(record), options) {}

PiecewiseResponses::PiecewiseResponses(PiecewiseModel model, ResponseRecord record, const PiecewiseOptions& options)
    : model_(std::move(model)),
      orbits_(model_, options.periods),
      record_(std::move(record)),
      options_(options),
      measured_(record_.dofs) {
  if (record_.peak_dof >= 0) measured_.push_back(record_.peak_dof);
}

const PiecewiseResponses::Weights& PiecewiseResponses::weights(const LinearFlow& flow) {
  std::shared_ptr<const Weights>& entry = weights_[&flow];
  if (entry) return *entry;
  Weights weights;
  const auto rows = static_cast<Eigen::Index>(measured_.size());
  weights.q.resize(rows, flow.blocks());
  weights.v.resize(rows, flow.blocks());
  weights.d.resize(rows, static_cast<Eigen::Index>(flow.stuck().size()));
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(model_.size());
  Eigen::ArrayXd q, v;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Eigen::VectorXd shape = model_.shapes().row(measured_[static_cast<std::size_t>(i)]).transpose();
    flow.weights(shape, none, q, v);
    weights.q.row(i) = q.matrix().transpose();
    weights.v.row(i) = v.matrix().transpose();
    weights.d.row(i) = (flow.held().transpose() * shape).transpose();
  }
  entry = std::make_shared<const Weights>(std::move(weights));
  return *entry;
}

void PiecewiseResponses::amplitudes(const PiecewiseOrbit& orbit, std::size_t skip, std::vector<double>& amplitude) {
  const auto rows = static_cast<Eigen::Index>(measured_.size() - skip);
  const auto dof = [&](Eigen::Index row) { return measured_[skip + static_cast<std::size_t>(row)]; };
  struct Top {
    std::size_t of;  ///< which of the next
    double value;    ///< about
    std::size_t arc;
    double low = 0.0, high = 0.0;  ///< it lies between
  };
  // Largest, and smallest with its sign turned, of each row; and all tops between two samples.
  std::vector<double> best(2 * static_cast<std::size_t>(rows), -std::numeric_limits<double>::infinity());
  std::vector<Top> tops;
  Eigen::VectorXd ground = Eigen::VectorXd::Zero(rows);
  for (Eigen::Index i = 0; i < rows; ++i) ground(i) = model_.ground_shape()(dof(i));
  const auto base = [&](double t, bool rate) {
    Complex sum = 0.0;
    for (std::size_t h = 1; h <= orbits_.load().base.size(); ++h) {
      const double s = static_cast<double>(h) * orbit.omega;
      sum += (rate ? i_unit * s : Complex(1.0)) * orbits_.load().base[h - 1] * std::exp(i_unit * (s * t));
    }
    return orbit.level * sum.real();
  };
  const bool moves = !ground.isZero(0.0);
  const double base_speed = moves ? orbit.omega * static_cast<double>(orbits_.load().base.size()) : 0.0;
  FlowState state, rate;
  Eigen::VectorXd x, dx, x_before, dx_before;
  for (std::size_t a = 0; a < orbit.arcs.size(); ++a) {
    const Segment segment = orbit.segment(a);
    const Weights& w = weights(orbit.arcs[a].regime->flow());
    const double duration = std::max(0.0, (orbit.end_of(a) - orbit.arcs[a].theta) / orbit.omega);
    double tau = 0.0;
    double tau_before = 0.0;
    bool first = true;
    while (true) {
      segment.state(tau, state);
      segment.state_rate(tau, rate);
      x.noalias() = w.q.bottomRows(rows) * state.q.matrix();
      dx.noalias() = w.q.bottomRows(rows) * rate.q.matrix();
      if (!orbit.arcs[a].regime->flow().real_modes()) {
        x.noalias() += w.v.bottomRows(rows) * state.v.matrix();
        dx.noalias() += w.v.bottomRows(rows) * rate.v.matrix();
      }
      if (state.d.size() > 0) x.noalias() += w.d.bottomRows(rows) * state.d;
      if (moves) {
        x += base(segment.start() + tau, false) * ground;
        dx += base(segment.start() + tau, true) * ground;
      }
      for (Eigen::Index i = 0; i < rows; ++i) {
        for (int side = 0; side < 2; ++side) {
          const double sign = side == 0 ? 1.0 : -1.0;
          const std::size_t k = 2 * static_cast<std::size_t>(i) + static_cast<std::size_t>(side);
          best[k] = std::max(best[k], sign * x(i));
          if (first || !(sign * dx_before(i) > 0.0 && sign * dx(i) < 0.0)) continue;
          // Top of the cubic through both ends.
          const double h = tau - tau_before;
          const double s = dx_before(i) / (dx_before(i) - dx(i));
          const double top = sign * (x_before(i) + s * s * (3.0 - 2.0 * s) * (x(i) - x_before(i)) +
                                     h * s * (1.0 - s) * ((1.0 - s) * dx_before(i) - s * dx(i)));
          tops.push_back({k, top, a, tau_before, tau});
        }
      }
      if (tau >= duration) break;
      const double speed = std::max(segment.fastest(tau, 1e-8), base_speed);
      tau_before = tau;
      x_before = x;
      dx_before = dx;
      first = false;
      const double step = speed > 0.0 ? 0.5 / speed : duration;
      tau = tau + 1.2 * step >= duration ? duration : tau + step;
    }
  }
  // Zero of the rate between two samples. Half a radian of the fastest part apart, they tell a top to some (1/2)^4/384
  // of its height: all that come that near to the largest are looked at.
  for (const Top& b : tops) {
    const std::size_t k = b.of;
    if (b.value < best[k] - 1e-3 * (best[k] + best[k ^ 1U])) continue;
    const auto i = static_cast<Eigen::Index>(k / 2);
    const Eigen::Index row = i + static_cast<Eigen::Index>(skip);
    const double sign = k % 2 == 0 ? 1.0 : -1.0;
    const Segment segment = orbit.segment(b.arc);
    const Weights& w = weights(orbit.arcs[b.arc].regime->flow());
    const auto slope = [&](double tau) {
      segment.state_rate(tau, rate);
      double value = w.q.row(row).dot(rate.q.matrix()) + w.v.row(row).dot(rate.v.matrix());
      if (moves) value += ground(i) * base(segment.start() + tau, true);
      return sign * value;
    };
    double low = b.low, high = b.high;
    double f_low = slope(low), f_high = slope(high);
    // The top is flat: 1e-7 of the bracket is 1e-14 of the height.
    for (int iteration = 0; iteration < 60 && high - low > 1e-7 * (b.high - b.low); ++iteration) {
      double middle = low - f_low * (high - low) / (f_high - f_low);
      if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
      const double f = slope(middle);
      if (f > 0.0) {
        low = middle;
        f_low = f;
        f_high *= 0.5;  // Illinois
      } else {
        high = middle;
        f_high = f;
        f_low *= 0.5;
      }
      if (f == 0.0) break;
    }
    const double tau = 0.5 * (low + high);
    segment.state(tau, state);
    double value = w.q.row(row).dot(state.q.matrix()) + w.v.row(row).dot(state.v.matrix());
    if (state.d.size() > 0) value += w.d.row(row).dot(state.d);
    if (moves) value += ground(i) * base(segment.start() + tau, false);
    best[k] = std::max(best[k], sign * value);
  }
  amplitude.resize(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < amplitude.size(); ++i) {
    const double largest = best[2 * i], smallest = -best[2 * i + 1];
    amplitude[i] = orbit.antisymmetric ? std::max(largest, -smallest) : 0.5 * (largest - smallest);
  }
}

void PiecewiseResponses::first_harmonics(const PiecewiseOrbit& orbit, PiecewisePoint& point) {
  // 2/T int q exp(-i omega t) dt, each arc in closed form: int x = (i s - J)^-1 (x(0) - x(tau) exp(-i s tau)) for what
  // is free.
  const double s = orbit.omega;
  const Complex is = i_unit * s;
  Eigen::VectorXcd sum = Eigen::VectorXcd::Zero(static_cast<Eigen::Index>(measured_.size()));
  FlowState start, end;
  for (std::size_t a = 0; a < orbit.arcs.size(); ++a) {
    const OrbitArc& arc = orbit.arcs[a];
    const LinearFlow& flow = arc.regime->flow();
    const double duration = std::max(0.0, (orbit.end_of(a) - arc.theta) / orbit.omega);
    const double t = arc.theta / orbit.omega;
    double origin = 0.0;
    const auto drive = orbit.excitation->drive(*arc.regime, 0.0, origin);
    const ForcedMotion& motion = drive->motion;
    const Segment segment = orbit.segment(a);
    segment.state(0.0, start);
    segment.state(duration, end);
    motion.add(0.0, t, -1.0, start.q, start.v);
    motion.add(duration, t, -1.0, end.q, end.v);
    const Complex turn = std::exp(-is * duration);
    const Eigen::ArrayXcd fq = start.q - end.q * turn;
    const Eigen::ArrayXcd fv = start.v - end.v * turn;
    const Eigen::ArrayXcd z = flow.omega_squared() - s * s - 2.0 * is * flow.decay();
    Eigen::ArrayXcd iq = ((is - 2.0 * flow.decay()) * fq + fv) / z;
    Eigen::ArrayXcd iv = (is * fv - flow.omega_squared() * fq) / z;
    for (const ForcedMotion::Term& term : motion.terms) {
      const Complex forward = 0.5 * std::exp(i_unit * (term.omega * t)) * turn_integral(term.omega - s, duration);
      const Complex backward = 0.5 * std::exp(-i_unit * (term.omega * t)) * turn_integral(-term.omega - s, duration);
      iq += term.qa * forward + term.qa.conjugate() * backward;
      iv += term.va * forward + term.va.conjugate() * backward;
    }
    for (int k = 0; k <= motion.degree; ++k) {
      const Complex integral = power_integral(k, s, duration);
      iq += motion.q[k] * integral;
      iv += motion.v[k] * integral;
    }
    const Weights& w = weights(flow);
    Eigen::VectorXcd part = times(w.q, Eigen::VectorXcd(iq.matrix()));
    if (!flow.real_modes()) part += times(w.v, Eigen::VectorXcd(iv.matrix()));
    if (segment.regime().flow().stuck().size() > 0) {
      part += power_integral(0, s, duration) * (w.d * start.d).cast<Complex>();
    }
    sum += std::exp(-is * t) * part;
  }
  sum *= 2.0 / orbit.period() * (orbit.antisymmetric ? 2.0 : 1.0);
  point.harmonic1.resize(measured_.size());
  point.phase1.resize(measured_.size());
  for (std::size_t i = 0; i < measured_.size(); ++i) {
    Complex value = sum(static_cast<Eigen::Index>(i));
    if (!orbits_.load().base.empty())
      value += orbit.level * orbits_.load().base[0] * model_.ground_shape()(measured_[i]);
    point.harmonic1[i] = std::abs(value);
    point.phase1[i] = std::arg(value);
  }
}

void PiecewiseResponses::friction(const PiecewiseOrbit& orbit, PiecewisePoint& point) const {
  static const GaussRule rule = gauss_legendre(8);
  const std::size_t joints = model_.joints();
  point.friction_energy.assign(joints, 0.0);
  point.stick_fraction.assign(joints, 0.0);
  point.cases.assign(joints, 0);
  FlowState state;
  Eigen::VectorXd eta, rate;
  const double halves = orbit.antisymmetric ? 2.0 : 1.0;
  for (std::size_t c = 0; c < model_.contacts().size(); ++c) {
    const Contact& contact = model_.contacts()[c];
    if (contact.kind != Contact::Kind::friction) continue;
    const bool constant = std::holds_alternative<Constant>(contact.normal.kind());
    double stuck = 0.0;
    double energy = 0.0;
    for (std::size_t a = 0; a < orbit.arcs.size(); ++a) {
      const int sign = orbit.arcs[a].regime->states()[c];
      const LinearFlow& flow = orbit.arcs[a].regime->flow();
      const double span = orbit.end_of(a) - orbit.arcs[a].theta;
      if (sign == 0) {
        stuck += span;
        continue;
      }
      const Segment segment = orbit.segment(a);
      const double duration = std::max(0.0, span / orbit.omega);
      if (constant) {
        segment.state(0.0, state);
        flow.coordinates(state, eta, rate);
        const double from = contact.b.dot(eta);
        segment.state(duration, state);
        flow.coordinates(state, eta, rate);
        const double level = contact.kinetic_level * orbit.excitation->normal(static_cast<int>(c), 0.0);
        energy += sign * level * (contact.b.dot(eta) - from);
        continue;
      }
      for (double tau = 0.0; tau < duration;) {
        const double speed = segment.fastest(tau, 1e-9);
        const double panel = speed > 0.0 ? std::min(1.0 / speed, duration - tau) : duration - tau;
        for (std::size_t k = 0; k < rule.node.size(); ++k) {
          const double at = tau + panel * rule.node[k];
          segment.state(at, state);
          flow.coordinates(state, eta, rate);
          const double level =
              contact.kinetic_level * orbit.excitation->normal(static_cast<int>(c), segment.start() + at);
          energy += panel * rule.weight[k] * sign * level * contact.b.dot(rate);
        }
        tau += panel;
      }
    }
    const auto joint = static_cast<std::size_t>(contact.joint);
    point.friction_energy[joint] = energy * halves / orbit.periods;
    point.stick_fraction[joint] = stuck / orbit.span();
    point.cases[joint] = paper_case(state_cycle(orbit, c));
  }
}

PiecewisePoint PiecewiseResponses::measure(const PiecewiseOrbit& orbit) {
  PiecewisePoint point;
  point.omega = orbit.omega;
  point.level = orbit.level;
  point.events = orbit.events();
  point.iterations = orbit.iterations;
  point.error = orbit.error;
  amplitudes(orbit, 0, point.amplitude);
  first_harmonics(orbit, point);
  if (record_.peak_dof >= 0) {
    point.peak_amplitude = point.amplitude.back();
    point.peak_motion = std::polar(point.harmonic1.back(), point.phase1.back());
    for (auto* values : {&point.amplitude, &point.harmonic1, &point.phase1}) values->pop_back();
  }
  friction(orbit, point);
  if (options_.stability) point.multiplier = orbits_.multipliers(orbit).cwiseAbs().maxCoeff();
  return point;
}

double PiecewiseResponses::peak_amplitude(const PiecewiseOrbit& orbit) {
  std::vector<double> amplitude;
  amplitudes(orbit, measured_.size() - 1, amplitude);
  return amplitude.front();
}

bool PiecewiseResponses::begin(double omega, double level, PiecewiseOrbit& orbit) {
  const bool near = near_.q.size() > 0 && orbits_.find_near(near_, omega, level, orbit);
  if (!near && !orbits_.find(omega, level, orbit)) return false;
  first_ = orbits_.seed(orbit);
  return true;
}

bool PiecewiseResponses::maximise(PiecewiseOrbit orbit, double low, double high, PiecewisePoint& point) {
  // Brent's search for a maximum; every trial begins at the best motion so far.
  constexpr double golden = 0.3819660112501051;
  const auto value = [&](double omega, PiecewiseOrbit& trial) {
    return orbits_.follow(omega, orbit.level, trial) ? peak_amplitude(trial) : std::nan("");
  };
  double x = orbit.omega;
  double w = x, v = x;
  double fx = peak_amplitude(orbit);
  double fw = fx, fv = fx;
  double step = 0.0, before_last = 0.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double middle = 0.5 * (low + high);
    const double tolerance = 2e-9 * x;
    if (std::abs(x - middle) <= 2.0 * tolerance - 0.5 * (high - low)) break;
    double p = 0.0, q = 0.0, r = 0.0;
    if (std::abs(before_last) > tolerance) {
      r = (x - w) * (fx - fv);
      q = (x - v) * (fx - fw);
      p = (x - v) * q - (x - w) * r;
      q = 2.0 * (q - r);
      if (q > 0.0) p = -p;
      q = std::abs(q);
    }
    const double old = before_last;
    before_last = step;
    if (q != 0.0 && std::abs(p) < std::abs(0.5 * q * old) && p > q * (low - x) && p < q * (high - x)) {
      step = p / q;
      const double trial = x + step;
      if (trial - low < 2.0 * tolerance || high - trial < 2.0 * tolerance) step = x < middle ? tolerance : -tolerance;
    } else {
      before_last = (x < middle ? high : low) - x;
      step = golden * before_last;
    }
    if (std::abs(step) < tolerance) step = step > 0.0 ? tolerance : -tolerance;
    const double u = x + step;
    PiecewiseOrbit trial = orbit;
    const double fu = value(u, trial);
    if (!std::isfinite(fu)) return false;
    if (fu >= fx) {
      (u >= x ? low : high) = x;
      v = w;
      fv = fw;
      w = x;
      fw = fx;
      x = u;
      fx = fu;
      orbit = std::move(trial);
    } else {
      (u < x ? low : high) = u;
      if (fu >= fw || w == x) {
        v = w;
        fv = fw;
        w = u;
        fw = fu;
      } else if (fu >= fv || v == x || v == w) {
        v = u;
        fv = fu;
      }
    }
  }
  point = measure(orbit);
  return true;
}

bool PiecewiseResponses::peak(double level, double from, double to, PiecewisePoint& point) {
  PiecewiseOrbit orbit;
  if (!begin(0.5 * (from + to), level, orbit)) return false;
  return maximise(std::move(orbit), from, to, point);
}

PiecewiseResponse PiecewiseResponses::at(double level, std::span<const double> omegas, const Observer& observer) {
  PiecewiseResponse result;
  PiecewiseOrbit orbit;
  bool have = false;
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    if (observer && !observer(static_cast<double>(i) / static_cast<double>(omegas.size()))) {
      result.ending = Ending::interrupted;
      result.message = "interrupted";
      return result;
    }
    have = have ? orbits_.follow(omegas[i], level, orbit) : begin(omegas[i], level, orbit);
    if (have) {
      result.points.push_back(measure(orbit));
      continue;
    }
    result.ending = Ending::no_convergence;
    add_note(orbits_.message(), result.message);
  }
  return result;
}

}  // namespace microslip
