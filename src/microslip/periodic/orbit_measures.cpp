#include "microslip/periodic/orbit_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Of an arc [time].
double duration_of(const PiecewiseOrbit& orbit, std::size_t arc) {
  return std::max(0.0, (orbit.end_of(arc) - orbit.arcs[arc].theta) / orbit.omega);
}

}  // namespace

const OrbitMeasures::Weights& OrbitMeasures::weights(const LinearFlow& flow) {
  std::shared_ptr<const Weights>& entry = weights_[&flow];
  if (entry) return *entry;
  Weights weights;
  const auto rows = static_cast<Eigen::Index>(dofs_.size());
  weights.q.resize(rows, flow.blocks());
  weights.v.resize(rows, flow.blocks());
  weights.d.resize(rows, static_cast<Eigen::Index>(flow.stuck().size()));
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(model_->size());
  Eigen::ArrayXd q, v;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Eigen::VectorXd shape = model_->shapes().row(dofs_[static_cast<std::size_t>(i)]).transpose();
    flow.weights(shape, none, q, v);
    weights.q.row(i) = q.matrix().transpose();
    weights.v.row(i) = v.matrix().transpose();
    weights.d.row(i) = (flow.held().transpose() * shape).transpose();
  }
  entry = std::make_shared<const Weights>(std::move(weights));
  return *entry;
}

/// The largest and the smallest of some displacements around an orbit.
class OrbitMeasures::RangeSearch {
 public:
  RangeSearch(OrbitMeasures& of, const PiecewiseOrbit& orbit, std::size_t skip)
      : of_(&of), orbit_(&orbit), skip_(static_cast<Eigen::Index>(skip)) {
    const std::size_t rows = of.dofs_.size() - skip;
    best_.assign(2 * rows, -std::numeric_limits<double>::infinity());
    ground_.resize(static_cast<Eigen::Index>(rows));
    for (std::size_t i = 0; i < rows; ++i) {
      ground_(static_cast<Eigen::Index>(i)) = of.model_->ground_shape()(of.dofs_[skip + i]);
    }
    moves_ = !ground_.isZero(0.0);
  }

  [[nodiscard]] std::vector<double> amplitudes() {
    for (std::size_t arc = 0; arc < orbit_->arcs.size(); ++arc) scan(arc);
    // Half a radian of the fastest part apart, samples tell a top to some (1/2)^4/384 of its height: all that come that
    // near to the largest are looked at.
    for (const Top& top : tops_) {
      if (top.value >= best_[top.of] - 1e-3 * (best_[top.of] + best_[top.of ^ 1U])) refine(top);
    }
    std::vector<double> amplitude(best_.size() / 2);
    for (std::size_t i = 0; i < amplitude.size(); ++i) {
      const double largest = best_[2 * i], smallest = -best_[2 * i + 1];
      amplitude[i] = orbit_->antisymmetric ? std::max(largest, -smallest) : 0.5 * (largest - smallest);
    }
    return amplitude;
  }

 private:
  /// Between two samples of an arc.
  struct Top {
    std::size_t of;  ///< place in best_
    double value;    ///< about
    std::size_t arc;
    double low = 0.0, high = 0.0;
  };
  struct Sample {
    double tau = 0.0;
    Eigen::VectorXd x, dx;
  };

  /// Displacement of the ground, or its rate.
  [[nodiscard]] double base(double t, bool rate) const {
    Complex sum = 0.0;
    for (std::size_t h = 1; h <= of_->load_->base.size(); ++h) {
      const double s = static_cast<double>(h) * orbit_->omega;
      sum += (rate ? i_unit * s : Complex(1.0)) * of_->load_->base[h - 1] * std::exp(i_unit * (s * t));
    }
    return orbit_->level * sum.real();
  }

  void sample(const Segment& segment, const Weights& w, double tau, Sample& out) {
    const Eigen::Index rows = ground_.size();
    segment.state(tau, state_);
    segment.state_rate(tau, rate_);
    out.tau = tau;
    out.x.noalias() = w.q.bottomRows(rows) * state_.q.matrix();
    out.dx.noalias() = w.q.bottomRows(rows) * rate_.q.matrix();
    if (!segment.regime().flow().real_modes()) {
      out.x.noalias() += w.v.bottomRows(rows) * state_.v.matrix();
      out.dx.noalias() += w.v.bottomRows(rows) * rate_.v.matrix();
    }
    if (state_.d.size() > 0) out.x.noalias() += w.d.bottomRows(rows) * state_.d;
    if (!moves_) return;
    out.x += base(segment.start() + tau, false) * ground_;
    out.dx += base(segment.start() + tau, true) * ground_;
  }

  void scan(std::size_t arc) {
    const Segment segment = orbit_->segment(arc);
    const Weights& w = of_->weights(orbit_->arcs[arc].regime->flow());
    const double duration = duration_of(*orbit_, arc);
    const double base_speed = moves_ ? orbit_->omega * static_cast<double>(of_->load_->base.size()) : 0.0;
    double tau = 0.0;
    for (bool first = true;; first = false) {
      sample(segment, w, tau, here_);
      compare(arc, first);
      if (tau >= duration) return;
      const double speed = std::max(segment.fastest(tau, 1e-8), base_speed);
      const double step = speed > 0.0 ? 0.5 / speed : duration;
      std::swap(before_, here_);
      tau = tau + 1.2 * step >= duration ? duration : tau + step;
    }
  }

  /// The sample here, and tops since the one before.
  void compare(std::size_t arc, bool first) {
    for (std::size_t k = 0; k < best_.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k / 2);
      const double sign = k % 2 == 0 ? 1.0 : -1.0;
      best_[k] = std::max(best_[k], sign * here_.x(i));
      if (first || !(sign * before_.dx(i) > 0.0 && sign * here_.dx(i) < 0.0)) continue;
      // Top of the cubic through both ends.
      const double h = here_.tau - before_.tau;
      const double s = before_.dx(i) / (before_.dx(i) - here_.dx(i));
      const double top = sign * (before_.x(i) + s * s * (3.0 - 2.0 * s) * (here_.x(i) - before_.x(i)) +
                                 h * s * (1.0 - s) * ((1.0 - s) * before_.dx(i) - s * here_.dx(i)));
      tops_.push_back({k, top, arc, before_.tau, here_.tau});
    }
  }

  /// Zero of the rate between two samples.
  void refine(const Top& top) {
    const auto i = static_cast<Eigen::Index>(top.of / 2);
    const Eigen::Index row = i + skip_;
    const double sign = top.of % 2 == 0 ? 1.0 : -1.0;
    const Segment segment = orbit_->segment(top.arc);
    const Weights& w = of_->weights(orbit_->arcs[top.arc].regime->flow());
    const auto slope = [&](double tau) {
      segment.state_rate(tau, rate_);
      double value = w.q.row(row).dot(rate_.q.matrix()) + w.v.row(row).dot(rate_.v.matrix());
      if (moves_) value += ground_(i) * base(segment.start() + tau, true);
      return sign * value;
    };
    double low = top.low, high = top.high;
    double f_low = slope(low), f_high = slope(high);
    // The top is flat: 1e-7 of the bracket is 1e-14 of the height.
    for (int iteration = 0; iteration < 60 && high - low > 1e-7 * (top.high - top.low); ++iteration) {
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
    segment.state(tau, state_);
    double value = w.q.row(row).dot(state_.q.matrix()) + w.v.row(row).dot(state_.v.matrix());
    if (state_.d.size() > 0) value += w.d.row(row).dot(state_.d);
    if (moves_) value += ground_(i) * base(segment.start() + tau, false);
    best_[top.of] = std::max(best_[top.of], sign * value);
  }

  OrbitMeasures* of_;
  const PiecewiseOrbit* orbit_;
  Eigen::Index skip_;
  std::vector<double> best_;  ///< largest, and smallest with its sign turned, of each row
  std::vector<Top> tops_;
  Eigen::VectorXd ground_;
  bool moves_ = false;  ///< the ground does
  FlowState state_, rate_;
  Sample here_, before_;
};

std::vector<double> OrbitMeasures::amplitudes(const PiecewiseOrbit& orbit, std::size_t skip) {
  return RangeSearch(*this, orbit, skip).amplitudes();
}

/// Each arc in closed form: int x = (i s - J)^-1 (x(0) - x(tau) exp(-i s tau)) for what is free.
Eigen::VectorXcd OrbitMeasures::arc_integral(const PiecewiseOrbit& orbit, std::size_t a) {
  const double s = orbit.omega;
  const Complex is = i_unit * s;
  const OrbitArc& arc = orbit.arcs[a];
  const LinearFlow& flow = arc.regime->flow();
  const double duration = duration_of(orbit, a);
  const double t = arc.theta / orbit.omega;
  double origin = 0.0;
  const auto drive = orbit.excitation->drive(*arc.regime, 0.0, origin);
  const ForcedMotion& motion = drive->motion;
  const Segment segment = orbit.segment(a);
  FlowState start, end;
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
  if (!flow.stuck().empty()) part += power_integral(0, s, duration) * (w.d * start.d).cast<Complex>();
  return std::exp(-is * t) * part;
}

Eigen::VectorXcd OrbitMeasures::first_harmonics(const PiecewiseOrbit& orbit) {
  // 2/T int q exp(-i omega t) dt.
  Eigen::VectorXcd sum = Eigen::VectorXcd::Zero(static_cast<Eigen::Index>(dofs_.size()));
  for (std::size_t arc = 0; arc < orbit.arcs.size(); ++arc) sum += arc_integral(orbit, arc);
  sum *= 2.0 / orbit.period() * (orbit.antisymmetric ? 2.0 : 1.0);
  if (load_->base.empty()) return sum;
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    sum(static_cast<Eigen::Index>(i)) += orbit.level * load_->base[0] * model_->ground_shape()(dofs_[i]);
  }
  return sum;
}

double OrbitMeasures::sliding_energy(const PiecewiseOrbit& orbit, std::size_t arc, std::size_t c) const {
  static const GaussRule rule = gauss_legendre(8);
  const Contact& contact = model_->contacts()[c];
  const LinearFlow& flow = orbit.arcs[arc].regime->flow();
  const int sign = orbit.arcs[arc].regime->states()[c];
  const Segment segment = orbit.segment(arc);
  const double duration = duration_of(orbit, arc);
  FlowState state;
  Eigen::VectorXd eta, rate;
  const auto look = [&](double tau) {
    segment.state(tau, state);
    flow.coordinates(state, eta, rate);
  };
  const auto level = [&](double t) { return contact.kinetic_level * orbit.excitation->normal(static_cast<int>(c), t); };
  if (std::holds_alternative<Constant>(contact.normal.kind())) {
    look(0.0);
    const double from = contact.b.dot(eta);
    look(duration);
    return sign * level(0.0) * (contact.b.dot(eta) - from);
  }
  double energy = 0.0;
  for (double tau = 0.0; tau < duration;) {
    const double speed = segment.fastest(tau, 1e-9);
    const double panel = speed > 0.0 ? std::min(1.0 / speed, duration - tau) : duration - tau;
    for (std::size_t k = 0; k < rule.node.size(); ++k) {
      const double at = tau + panel * rule.node[k];
      look(at);
      energy += panel * rule.weight[k] * sign * level(segment.start() + at) * contact.b.dot(rate);
    }
    tau += panel;
  }
  return energy;
}

void OrbitMeasures::friction(const PiecewiseOrbit& orbit, ResponsePoint& point) const {
  point.dissipation.assign(model_->joints(), 0.0);
  point.exact->stick_fraction.assign(model_->joints(), 0.0);
  point.exact->cases.assign(model_->joints(), 0);
  const double halves = orbit.antisymmetric ? 2.0 : 1.0;
  for (std::size_t c = 0; c < model_->contacts().size(); ++c) {
    if (model_->contacts()[c].kind != Contact::Kind::friction) continue;
    double stuck = 0.0;
    double energy = 0.0;
    for (std::size_t a = 0; a < orbit.arcs.size(); ++a) {
      if (orbit.arcs[a].regime->states()[c] == 0) {
        stuck += orbit.end_of(a) - orbit.arcs[a].theta;
      } else {
        energy += sliding_energy(orbit, a, c);
      }
    }
    const auto joint = static_cast<std::size_t>(model_->contacts()[c].joint);
    point.dissipation[joint] = energy * halves / orbit.periods;
    point.exact->stick_fraction[joint] = stuck / orbit.span();
    point.exact->cases[joint] = paper_case(state_cycle(orbit, c));
  }
}

}  // namespace microslip
