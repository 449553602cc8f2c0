#include "microslip/transient/regime.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Blocks whose oscillation decays in less than this part of a radian are bounded by |q| and |v|.
constexpr double oscillates = 0.05;

bool is_oscillation(const LinearFlow& flow, Eigen::Index k) {
  return flow.beta_squared()(k) > oscillates * flow.omega_squared()(k) && flow.omega_squared()(k) > 0.0;
}

/// Largest of exp(a t) sin(beta t)/beta or its overdamped form over t >= 0.
double largest_response(double a, double b2) {
  constexpr double e = 2.718281828459045;
  if (b2 >= 0.0) return a < 0.0 ? 1.0 / (e * -a) : std::numeric_limits<double>::infinity();
  const double beta = std::sqrt(-b2);
  const double slow = a + beta;
  const double by_rates = 1.0 / (2.0 * beta);
  return slow < 0.0 ? std::min(by_rates, 1.0 / (e * -slow)) : by_rates;
}

/// First positive zero of g + g1 h + g2 h^2/2 - l3 h^3/6 with g >= 0, up to `limit`: no zero of the function bounded by
/// it lies before.
double safe_step(double g, double g1, double g2, double l3, double limit) {
  if (g1 < 0.0 && g2 > 0.0 && g > 0.0) g2 = 0.0;  // one change of sign, one zero; a bound all the same
  const auto p = [&](double h) { return g + h * (g1 + h * (0.5 * g2 - h * l3 / 6.0)); };
  if (!(p(limit) < 0.0)) return limit;
  double low = 0.0;
  double high = limit;
  double h = g1 < 0.0 ? std::min(limit, -g / g1) : 0.5 * limit;
  for (int i = 0; i < 100; ++i) {
    const double value = p(h);
    (value < 0.0 ? high : low) = h;
    if (high - low <= 1e-8 * high) break;
    const double slope = g1 + h * (g2 - 0.5 * h * l3);
    double next = slope < 0.0 ? h - value / slope : low;
    if (std::abs(next - h) <= 1e-9 * h) next = h * (value < 0.0 ? 1.0 - 4e-9 : 1.0 + 4e-9);  // to its other side
    h = next > low && next < high ? next : 0.5 * (low + high);
  }
  return low;
}

}  // namespace

Regime::Regime(const PiecewiseModel& model, std::shared_ptr<const LinearFlow> flow, ContactStates states)
    : flow_(std::move(flow)), states_(std::move(states)) {
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(model.size());
  const auto& contacts = model.contacts();
  Eigen::Index held = 0;
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const Contact& contact = contacts[j];
    const auto number = static_cast<int>(j);
    if (contact.kind == Contact::Kind::spring) {
      const auto piece = static_cast<std::size_t>(states_[j]);
      EventFunction function;
      if (piece > 0) {
        function.constant = -contact.breaks[piece - 1];
        add(EventFunction::Kind::leaves_below, number, contact.b, none, function);
      }
      if (piece < contact.breaks.size()) {
        function.constant = contact.breaks[piece];
        add(EventFunction::Kind::leaves_above, number, -contact.b, none, function);
      }
      continue;
    }
    if (states_[j] != 0) {
      add(EventFunction::Kind::stops, number, none, states_[j] * contact.b, {});
      continue;
    }
    // f = reaction . (F - C eta' - K eta).
    const Eigen::VectorXd reaction = flow_->reaction().row(held++).transpose();
    for (const double sign : {1.0, -1.0}) {
      EventFunction function;
      function.level = contact.static_level;
      function.on_force = -sign * reaction;
      add(sign > 0.0 ? EventFunction::Kind::breaks_up : EventFunction::Kind::breaks_down, number,
          sign * (flow_->stiffness() * reaction), sign * (model.damping() * reaction), function);
    }
  }
}

void Regime::add(EventFunction::Kind kind, int contact, const Eigen::VectorXd& on_u, const Eigen::VectorXd& on_rate,
                 EventFunction function) {
  function.kind = kind;
  function.contact = contact;
  flow_->weights(on_u, on_rate, function.q[0], function.v[0]);
  function.on_held = flow_->held().transpose() * on_u;
  const Eigen::ArrayXd& a = flow_->decay();
  const Eigen::ArrayXd& w2 = flow_->omega_squared();
  for (int i = 1; i < 4; ++i) {
    function.q[i] = -w2 * function.v[i - 1];
    function.v[i] = function.q[i - 1] + 2.0 * a * function.v[i - 1];
  }
  function.third[0].resize(flow_->blocks());
  function.third[1].resize(flow_->blocks());
  for (Eigen::Index k = 0; k < flow_->blocks(); ++k) {
    if (is_oscillation(*flow_, k)) {
      const Complex mu(a(k), std::sqrt(flow_->beta_squared()(k)));
      function.third[0](k) = std::abs(function.q[0](k) + function.v[0](k) * mu) * w2(k) * std::sqrt(w2(k));
      function.third[1](k) = 0.0;
    } else {
      function.third[0](k) = std::abs(function.q[3](k));
      function.third[1](k) = std::abs(function.v[3](k));
    }
  }
  events_.push_back(std::move(function));
}

int Regime::event(int contact, EventFunction::Kind kind) const {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].contact == contact && events_[i].kind == kind) return static_cast<int>(i);
  }
  return -1;
}

ForceTerms Regime::force(const PiecewiseModel& model, const ForceTerms& loads,
                         const std::vector<ForceTerms>& normals) const {
  ForceTerms result = loads;
  for (std::size_t j = 0; j < states_.size(); ++j) {
    const Contact& contact = model.contacts()[j];
    if (contact.kind == Contact::Kind::spring) {
      result.constant -= contact.offset[static_cast<std::size_t>(states_[j])] * contact.b;
    } else if (states_[j] != 0) {
      result.add(contact.b, -contact.kinetic_level * states_[j], normals[j]);
    }
  }
  return result;
}

void Drive::Known::value(double tau, double shift, double held, double out[3]) const {
  out[0] = held + polynomial[0] + tau * (polynomial[1] + tau * (polynomial[2] + tau * polynomial[3]));
  out[1] = polynomial[1] + tau * (2.0 * polynomial[2] + 3.0 * tau * polynomial[3]);
  out[2] = 2.0 * polynomial[2] + 6.0 * tau * polynomial[3];
  for (const Term& term : terms) {
    const Complex is = i_unit * term.omega;
    const double angle = term.omega * (tau + shift);
    const Complex turn(std::cos(angle), std::sin(angle));
    const Complex value = (term.a + tau * term.b) * turn;
    const Complex growth = term.b * turn;
    out[0] += value.real();
    out[1] += (is * value + growth).real();
    out[2] += (is * (is * value + 2.0 * growth)).real();
  }
}

double Drive::Known::third(double until) const {
  double bound = 6.0 * std::abs(polynomial[3]);
  for (const Term& term : terms) {
    const double w = term.omega;
    bound += w * w * (w * (std::abs(term.a) + until * std::abs(term.b)) + 3.0 * std::abs(term.b));
  }
  return bound;
}

Drive make_drive(const Regime& regime, const ForceTerms& force, const std::vector<ForceTerms>& normals) {
  Drive drive;
  drive.motion = regime.flow().forced(force);
  for (const EventFunction& function : regime.events()) {
    Drive::Known known;
    const auto at = [&](double omega) -> Drive::Known::Term& {
      for (auto& term : known.terms) {
        if (term.omega == omega) return term;
      }
      known.terms.push_back({omega, 0.0, 0.0});
      return known.terms.back();
    };
    if (function.on_force.size() > 0) {
      for (const HarmonicForce& term : force.harmonics) {
        auto& out = at(term.omega);
        out.a += (function.on_force.cast<Complex>().transpose() * term.a)(0);
        out.b += (function.on_force.cast<Complex>().transpose() * term.b)(0);
      }
      known.polynomial[0] += function.on_force.dot(force.constant);
      known.polynomial[1] += function.on_force.dot(force.slope);
    }
    if (function.level != 0.0) {
      const ForceTerms& normal = normals[static_cast<std::size_t>(function.contact)];
      for (const HarmonicForce& term : normal.harmonics) {
        auto& out = at(term.omega);
        out.a += function.level * term.a(0);
        out.b += function.level * term.b(0);
      }
      known.polynomial[0] += function.level * normal.constant(0);
      known.polynomial[1] += function.level * normal.slope(0);
    }
    known.polynomial[0] += function.constant;
    drive.direct.push_back(known);
    for (const ForcedMotion::Term& term : drive.motion.terms) {
      auto& out = at(term.omega);
      out.a += (term.qa * function.q[0] + term.va * function.v[0]).sum();
      if (term.grows) out.b += (term.qb * function.q[0] + term.vb * function.v[0]).sum();
    }
    for (int i = 0; i <= drive.motion.degree; ++i) {
      known.polynomial[i] += (drive.motion.q[i] * function.q[0] + drive.motion.v[i] * function.v[0]).sum();
    }
    drive.events.push_back(std::move(known));
  }
  return drive;
}

Segment::Segment(const Regime& regime, std::shared_ptr<const Drive> drive, double start, double harmonic_origin,
                 FlowState state)
    : regime_(&regime),
      drive_(std::move(drive)),
      start_(start),
      shift_(start - harmonic_origin),
      q0_(std::move(state.q)),
      v0_(std::move(state.v)),
      held_(std::move(state.d)) {
  drive_->motion.add(0.0, shift_, -1.0, q0_, v0_);
  for (const EventFunction& function : regime.events()) {
    constant_.push_back(held_.size() > 0 ? function.on_held.dot(held_) : 0.0);
  }
}

void Segment::free_at(double tau, Eigen::Index alive, Eigen::ArrayXd& q, Eigen::ArrayXd& v) const {
  const LinearFlow& flow = regime_->flow();
  const double* a = flow.decay().data();
  const double* w2 = flow.omega_squared().data();
  for (Eigen::Index k = 0; k < alive; ++k) {
    double c = 0.0, s = 0.0;
    flow.swing(k, tau, c, s);
    const double q0 = q0_(k);
    const double v0 = v0_(k);
    q(k) = (c - a[k] * s) * q0 + s * v0;
    v(k) = (c + a[k] * s) * v0 - w2[k] * s * q0;
  }
}

void Segment::state(double tau, FlowState& out) const {
  const Eigen::Index n = regime_->flow().blocks();
  out.q.resize(n);
  out.v.resize(n);
  free_at(tau, n, out.q, out.v);
  drive_->motion.add(tau, shift_, 1.0, out.q, out.v);
  out.d = held_;
}

void Segment::state_rate(double tau, FlowState& out) const {
  const Eigen::Index n = regime_->flow().blocks();
  Eigen::ArrayXd q(n), v(n);
  free_at(tau, n, q, v);
  regime_->flow().rate(q, v, out.q, out.v);
  drive_->motion.add_rate(tau, shift_, 1.0, out.q, out.v);
  out.d = Eigen::VectorXd::Zero(held_.size());
}

std::pair<double, double> Segment::event_value(int function, double tau) const {
  const Eigen::Index n = regime_->flow().blocks();
  Eigen::ArrayXd q(n), v(n);
  free_at(tau, n, q, v);
  const auto f = static_cast<std::size_t>(function);
  const EventFunction& event = regime_->events()[f];
  double known[3];
  drive_->events[f].value(tau, shift_, constant_[f], known);
  return {known[0] + (event.q[0] * q + event.v[0] * v).sum(), known[1] + (event.q[1] * q + event.v[1] * v).sum()};
}

double Segment::fastest(double tau, double weight) const {
  const LinearFlow& flow = regime_->flow();
  const Eigen::Index n = flow.blocks();
  double result = 0.0;
  for (const auto& known : drive_->direct) {
    for (const auto& term : known.terms) result = std::max(result, term.omega);
  }
  if (n == 0) return result;
  Eigen::ArrayXd q(n), v(n);
  free_at(tau, n, q, v);
  const Eigen::ArrayXd speed = flow.omega_squared().sqrt().max(2.0 * flow.decay().abs());
  Eigen::ArrayXd forced_q = q;
  Eigen::ArrayXd forced_v = v;
  drive_->motion.add(tau, shift_, 1.0, forced_q, forced_v);
  const double level =
      weight * std::max(forced_v.abs().maxCoeff(), (forced_q * flow.omega_squared().sqrt()).abs().maxCoeff());
  for (Eigen::Index k = 0; k < n; ++k) {
    if (speed(k) > result && std::abs(v(k)) + std::abs(q(k)) * speed(k) > level) result = speed(k);
  }
  for (const auto& term : drive_->motion.terms) result = std::max(result, term.omega);
  return result;
}

namespace {

/// The free motion at one instant, as far as it has not died out, and bounds of it from there on.
struct FreeMotion {
  Eigen::Index alive;
  Eigen::ArrayXd q, v;
  Eigen::ArrayXd size0, size1;  ///< of q; of its rate, where a block does not oscillate
};

void bound_blocks(const LinearFlow& flow, FreeMotion& free) {
  const Eigen::ArrayXd& a = flow.decay();
  const Eigen::ArrayXd& w2 = flow.omega_squared();
  const Eigen::ArrayXd& b2 = flow.beta_squared();
  for (Eigen::Index k = 0; k < free.alive; ++k) {
    const double along = free.v(k) - a(k) * free.q(k);
    if (b2(k) > oscillates * w2(k) && w2(k) > 0.0) {
      free.size0(k) = std::sqrt(free.q(k) * free.q(k) + along * along / b2(k));
      free.size1(k) = 0.0;
    } else if (w2(k) == 0.0 && a(k) == 0.0) {
      free.size0(k) = free.size1(k) = 0.0;  // drifts: no third derivative
    } else {
      const double response = largest_response(a(k), b2(k));
      const double acceleration = 2.0 * a(k) * free.v(k) - w2(k) * free.q(k);
      free.size0(k) = std::abs(free.q(k)) + std::abs(along) * response;
      free.size1(k) = std::abs(free.v(k)) + std::abs(acceleration - a(k) * free.v(k)) * response;
    }
  }
}

/// An event function: its value, rate and acceleration, what rounding makes of the first two, and a bound of its third
/// derivative up to the limit.
struct EventValue {
  double g[3];
  double noise, noise1, bound;
};

EventValue value_of_event(const EventFunction& event, const Drive::Known& known, double constant,
                          const FreeMotion& free, double tau, double shift, double limit) {
  EventValue out;
  double* g = out.g;
  known.value(tau, shift, constant, g);
  double noise = std::abs(g[0]);
  double noise1 = std::abs(g[1]);
  for (const auto& term : known.terms) {
    const double size = std::abs(term.a) + tau * std::abs(term.b);
    noise += size;
    noise1 += size * term.omega;
  }
  double bound = known.third(limit);
  double sum[3] = {0.0, 0.0, 0.0};
  double sizes[2] = {0.0, 0.0};
  const double *q_0 = event.q[0].data(), *v_0 = event.v[0].data(), *q_1 = event.q[1].data(), *v_1 = event.v[1].data(),
               *q_2 = event.q[2].data(), *v_2 = event.v[2].data(), *t_0 = event.third[0].data(),
               *t_1 = event.third[1].data();
  for (Eigen::Index k = 0; k < free.alive; ++k) {
    const double gq = q_0[k] * free.q(k);
    const double gv = v_0[k] * free.v(k);
    sum[0] += gq + gv;
    sizes[0] += std::abs(gq) + std::abs(gv);
    const double hq = q_1[k] * free.q(k);
    const double hv = v_1[k] * free.v(k);
    sum[1] += hq + hv;
    sizes[1] += std::abs(hq) + std::abs(hv);
    sum[2] += q_2[k] * free.q(k) + v_2[k] * free.v(k);
    bound += t_0[k] * free.size0(k) + t_1[k] * free.size1(k);
  }
  for (int i = 0; i < 3; ++i) g[i] += sum[i];
  out.noise = 4.0 * epsilon * (noise + sizes[0]);
  out.noise1 = 16.0 * epsilon * (noise1 + sizes[1]);
  out.bound = bound;
  return out;
}

}  // namespace

Segment::Found Segment::next_event(double limit, const std::vector<int>& from_zero) const {
  const LinearFlow& flow = regime_->flow();
  const auto& events = regime_->events();
  Found found;
  const std::size_t count = events.size();
  const auto ends = [&](double at, int function) {
    found.tau = at;
    found.function = function;
    return found;
  };
  if (count == 0) return ends(limit, -1);
  FreeMotion free{flow.blocks(), q0_, v0_, Eigen::ArrayXd(flow.blocks()), Eigen::ArrayXd(flow.blocks())};
  std::vector<bool> at_zero(count, false);
  for (const int f : from_zero) at_zero[static_cast<std::size_t>(f)] = true;
  const double time_scale = std::abs(start_);
  constexpr long most_evaluations = 200000;
  double tau = 0.0;
  while (found.evaluations < most_evaluations) {
    if (found.evaluations > 0) free_at(tau, free.alive, free.q, free.v);
    ++found.evaluations;
    // Blocks that have died out; the last ones go first where damping grows with frequency.
    while (free.alive > 0 && flow.decay()(free.alive - 1) * tau < -40.0) --free.alive;
    bound_blocks(flow, free);
    const double left = limit - tau;
    double step = left;
    int nearest = -1;
    for (std::size_t f = 0; f < count; ++f) {
      auto [g, noise, noise1, bound] =
          value_of_event(events[f], drive_->events[f], constant_[f], free, tau, shift_, limit);
      if (at_zero[f]) {
        // Only what follows the zero counts: the rate, or the acceleration where the rate vanishes too.
        g[0] = 0.0;
        // A release at fs = fk begins with neither; g[2]/bound is the time over which the function changes.
        // The release itself is known to the rounding of time.
        const double late = 64.0 * epsilon * time_scale * std::abs(g[2]);
        if (std::abs(g[1]) <= std::max({noise1, late, 1e-8 * g[2] * (g[2] / std::max(bound, 1e-300))})) g[1] = 0.0;
        const bool leaves = g[1] > 0.0 || (g[1] == 0.0 && g[2] > 0.0);
        if (!leaves) return ends(0.0, static_cast<int>(f));
      } else if (g[0] <= noise) {
        // At the zero; the rate tells the rest of the way.
        const double rest = g[1] < 0.0 ? -g[0] / g[1] : 0.0;
        return ends(std::clamp(tau + rest, 0.0, limit), static_cast<int>(f));
      }
      const double safe = safe_step(g[0], g[1], g[2], bound, left);
      if (safe < step) {
        step = safe;
        nearest = static_cast<int>(f);
      }
    }
    if (nearest < 0) return ends(limit, -1);
    if (step <= 2.0 * epsilon * (time_scale + tau) && !at_zero[static_cast<std::size_t>(nearest)]) {
      return ends(tau + step, nearest);
    }
    tau += step;
    std::fill(at_zero.begin(), at_zero.end(), false);
  }
  found.tau = tau;
  found.lost = true;
  return found;
}

const Regime& RegimeBook::operator[](const ContactStates& states) {
  std::unique_ptr<Regime>& regime = regimes_[states];
  if (regime) return *regime;
  ContactStates key = states;
  for (std::size_t j = 0; j < key.size(); ++j) {
    if (model_->contacts()[j].kind == Contact::Kind::friction) key[j] = key[j] != 0 ? 1 : 0;
  }
  std::shared_ptr<const LinearFlow>& flow = flows_[key];
  if (!flow) flow = std::make_shared<const LinearFlow>(*model_, key);
  regime = std::make_unique<Regime>(*model_, flow, states);
  return *regime;
}

}  // namespace microslip
