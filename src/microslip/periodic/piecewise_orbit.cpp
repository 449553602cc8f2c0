#include "microslip/periodic/piecewise_orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace microslip {
namespace {

using Complex = std::complex<double>;
constexpr Complex i_unit(0.0, 1.0);
constexpr double two_pi = 2.0 * std::numbers::pi;
/// Free motion below exp of this is no unknown.
constexpr double died_out = -37.0;
/// Arcs may be this much shorter than nothing: events at the same instant [rad].
constexpr double same_instant = 1e-9;
/// Forces this close to the static level, relative, may stick or slip: orbits are this exact.
constexpr double marginal = 1e-8;

std::size_t before(std::size_t arc, std::size_t count) {
  return arc == 0 ? count - 1 : arc - 1;
}

/// Steady motion without the powers of time of bodies that drift: harmonics at phase time t, and constants.
void add_reference(const ForcedMotion& motion, double t, double factor, Eigen::ArrayXd& q, Eigen::ArrayXd& v) {
  for (const ForcedMotion::Term& term : motion.terms) {
    const Complex turn = factor * std::exp(i_unit * (term.omega * t));
    q += term.qa.real() * turn.real() - term.qa.imag() * turn.imag();
    v += term.va.real() * turn.real() - term.va.imag() * turn.imag();
  }
  q += factor * motion.q[0];
  v += factor * motion.v[0];
}

void add_reference_rate(const ForcedMotion& motion, double t, double factor, Eigen::ArrayXd& q, Eigen::ArrayXd& v) {
  for (const ForcedMotion::Term& term : motion.terms) {
    const Complex turn = factor * i_unit * term.omega * std::exp(i_unit * (term.omega * t));
    q += (term.qa * turn).real();
    v += (term.va * turn).real();
  }
}

Eigen::Index count_alive(const LinearFlow& flow, double duration) {
  return (flow.decay() * duration > died_out).count();
}

}  // namespace

double PiecewiseOrbit::span() const {
  return two_pi * periods * (antisymmetric ? 0.5 : 1.0);
}

double PiecewiseOrbit::end_of(std::size_t arc) const {
  return arc + 1 < arcs.size() ? arcs[arc + 1].theta : arcs.front().theta + span();
}

int PiecewiseOrbit::events() const {
  if (arcs.empty() || arcs.front().ended_by < 0) return 0;
  return static_cast<int>(arcs.size()) * (antisymmetric ? 2 : 1);
}

double PiecewiseOrbit::period() const {
  return two_pi * periods / omega;
}

Segment PiecewiseOrbit::segment(std::size_t arc) const {
  const OrbitArc& a = arcs[arc];
  double origin = 0.0;
  std::shared_ptr<const Drive> drive = excitation->drive(*a.regime, 0.0, origin);
  return Segment(*a.regime, std::move(drive), a.theta / omega, origin, a.start);
}

/// Many variations of a state side by side.
struct PiecewiseOrbits::Columns {
  Eigen::MatrixXd q, v, d;
};

/// State of one regime in the coordinates of the next.
class PiecewiseOrbits::Transition {
 public:
  Transition(const PiecewiseModel& model, const LinearFlow& from, const LinearFlow& to) : to_(&to) {
    same_ = &from == &to;
    if (same_) return;
    real_ = from.real_modes() && to.real_modes();
    if (!real_) {
      fill_full(from, to);
      return;
    }
    Eigen::MatrixXd held(model.size(), static_cast<Eigen::Index>(to.stuck().size()));
    for (std::size_t i = 0; i < to.stuck().size(); ++i) {
      held.col(static_cast<Eigen::Index>(i)) = model.contacts()[static_cast<std::size_t>(to.stuck()[i])].b;
    }
    rate_ = to.shape_q().transpose() * from.shape_q();
    rows_ = rate_;
    held_to_q_ = to.shape_q().transpose() * from.held();
    q_of_held_ = to.shape_q().transpose() * to.held();
    q_to_held_ = held.transpose() * from.shape_q();
    held_to_held_ = held.transpose() * from.held();
  }

  /// With `rows`, only these blocks; the others are zero.
  void apply(const FlowState& in, FlowState& out, const std::vector<Eigen::Index>* rows = nullptr) const {
    if (same_) {
      out = in;
      return;
    }
    if (!real_) {
      Eigen::VectorXd x(in.q.size() + in.v.size() + in.d.size());
      x << in.q.matrix(), in.v.matrix(), in.d;
      const Eigen::VectorXd y = full_ * x;
      const Eigen::Index n = to_->blocks();
      out.q = y.head(n).array();
      out.v = y.segment(n, n).array();
      out.d = y.tail(y.size() - 2 * n);
      return;
    }
    out.d.noalias() = q_to_held_ * in.q.matrix();
    if (in.d.size() > 0) out.d.noalias() += held_to_held_ * in.d;
    Eigen::MatrixX2d both(in.q.size(), 2);
    both << in.q.matrix(), in.v.matrix();
    Eigen::MatrixX2d image(rate_.rows(), 2);
    if (rows == nullptr) {
      image.noalias() = rate_ * both;
      if (in.d.size() > 0) image.col(0).noalias() += held_to_q_ * in.d;
      if (out.d.size() > 0) image.col(0).noalias() -= q_of_held_ * out.d;
    } else {
      image.setZero();
      for (const Eigen::Index row : *rows) {
        image.row(row).noalias() = rows_.row(row) * both;
        if (in.d.size() > 0) image(row, 0) += held_to_q_.row(row).dot(in.d);
        if (out.d.size() > 0) image(row, 0) -= q_of_held_.row(row).dot(out.d);
      }
    }
    out.q = image.col(0).array();
    out.v = image.col(1).array();
  }

  /// The rows `rows` of the blocks only; empty: all.
  void apply(const Columns& in, const std::vector<Eigen::Index>* rows, Columns& out) const {
    if (same_) {
      if (rows == nullptr) {
        out = in;
      } else {
        out.q = in.q(*rows, Eigen::all);
        out.v = in.v(*rows, Eigen::all);
        out.d = in.d;
      }
      return;
    }
    if (!real_) {
      Eigen::MatrixXd x(in.q.rows() + in.v.rows() + in.d.rows(), in.q.cols());
      x << in.q, in.v, in.d;
      const Eigen::MatrixXd y = full_ * x;
      const Eigen::Index n = to_->blocks();
      const auto pick = [&](Eigen::Index first) {
        Eigen::MatrixXd part = y.middleRows(first, n);
        return rows == nullptr ? part : Eigen::MatrixXd(part(*rows, Eigen::all));
      };
      out.q = pick(0);
      out.v = pick(n);
      out.d = y.bottomRows(y.rows() - 2 * n);
      return;
    }
    out.d.noalias() = q_to_held_ * in.q;
    if (in.d.rows() > 0) out.d.noalias() += held_to_held_ * in.d;
    const auto part = [&](const Eigen::MatrixXd& matrix) -> Eigen::MatrixXd { return matrix(*rows, Eigen::all); };
    if (rows == nullptr) {
      out.q.noalias() = rate_ * in.q;
      out.v.noalias() = rate_ * in.v;
      if (in.d.rows() > 0) out.q.noalias() += held_to_q_ * in.d;
      if (out.d.rows() > 0) out.q.noalias() -= q_of_held_ * out.d;
    } else {
      const Eigen::MatrixXd rate = part(rate_);
      out.q.noalias() = rate * in.q;
      out.v.noalias() = rate * in.v;
      if (in.d.rows() > 0) out.q.noalias() += part(held_to_q_) * in.d;
      if (out.d.rows() > 0) out.q.noalias() -= part(q_of_held_) * out.d;
    }
  }

  /// Images of unit values of the q and v of some blocks and of some stuck positions, times `sign`, into the first
  /// columns of `out` (sized by the caller, zero).
  void units(const std::vector<Eigen::Index>& blocks, const std::vector<Eigen::Index>& held, Eigen::Index from_blocks,
             double sign, Columns& out) const {
    const auto n = static_cast<Eigen::Index>(blocks.size());
    const auto m = static_cast<Eigen::Index>(held.size());
    if (same_) {
      for (Eigen::Index i = 0; i < n; ++i) {
        out.q(blocks[static_cast<std::size_t>(i)], i) = sign;
        out.v(blocks[static_cast<std::size_t>(i)], n + i) = sign;
      }
      for (Eigen::Index i = 0; i < m; ++i) out.d(held[static_cast<std::size_t>(i)], 2 * n + i) = sign;
      return;
    }
    if (!real_) {
      const Eigen::Index to = to_->blocks();
      const auto put = [&](Eigen::Index source, Eigen::Index column) {
        out.q.col(column) = sign * full_.col(source).head(to);
        out.v.col(column) = sign * full_.col(source).segment(to, to);
        out.d.col(column) = sign * full_.col(source).tail(full_.rows() - 2 * to);
      };
      for (Eigen::Index i = 0; i < n; ++i) {
        put(blocks[static_cast<std::size_t>(i)], i);
        put(from_blocks + blocks[static_cast<std::size_t>(i)], n + i);
      }
      for (Eigen::Index i = 0; i < m; ++i) put(2 * from_blocks + held[static_cast<std::size_t>(i)], 2 * n + i);
      return;
    }
    const Eigen::MatrixXd rate = sign * rate_(Eigen::all, blocks);
    out.q.leftCols(n) = rate;
    out.v.middleCols(n, n) = rate;
    if (m > 0) out.q.middleCols(2 * n, m) = sign * held_to_q_(Eigen::all, held);
    if (out.d.rows() > 0) {
      out.d.leftCols(n) = sign * q_to_held_(Eigen::all, blocks);
      if (m > 0) out.d.middleCols(2 * n, m) = sign * held_to_held_(Eigen::all, held);
      out.q.leftCols(n).noalias() -= q_of_held_ * out.d.leftCols(n);
      if (m > 0) out.q.middleCols(2 * n, m).noalias() -= q_of_held_ * out.d.middleCols(2 * n, m);
    }
  }

 private:
  void fill_full(const LinearFlow& from, const LinearFlow& to) {
    const Eigen::Index a = from.blocks();
    const Eigen::Index b = to.blocks();
    const auto sa = static_cast<Eigen::Index>(from.stuck().size());
    const auto sb = static_cast<Eigen::Index>(to.stuck().size());
    full_.resize(2 * b + sb, 2 * a + sa);
    FlowState in{Eigen::ArrayXd::Zero(a), Eigen::ArrayXd::Zero(a), Eigen::VectorXd::Zero(sa)};
    FlowState out;
    Eigen::VectorXd eta, rate;
    for (Eigen::Index c = 0; c < full_.cols(); ++c) {
      double& unit = c < a ? in.q(c) : c < 2 * a ? in.v(c - a) : in.d(c - 2 * a);
      unit = 1.0;
      from.coordinates(in, eta, rate);
      to.state(eta, rate, out);
      full_.col(c) << out.q.matrix(), out.v.matrix(), out.d;
      unit = 0.0;
    }
  }

  const LinearFlow* to_;
  bool same_ = false;
  bool real_ = false;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;  ///< rate_ by rows
  Eigen::MatrixXd rate_, held_to_q_, q_of_held_, q_to_held_, held_to_held_, full_;
};

/// One way around the orbit: residuals, and on request their derivatives.
class PiecewiseOrbits::Passage {
 public:
  Passage(PiecewiseOrbits& owner, const PiecewiseOrbit& orbit) : owner_(&owner) {
    const std::size_t count = orbit.arcs.size();
    const OrbitArc& last = orbit.arcs.back();
    const LinearFlow& flow = last.regime->flow();
    const double duration = (orbit.end_of(count - 1) - last.theta) / orbit.omega;
    for (Eigen::Index k = 0; k < flow.blocks(); ++k) {
      if (flow.decay()(k) * duration > died_out) alive_.push_back(k);
    }
    for (std::size_t i = 0; i < flow.stuck().size(); ++i) {
      const auto contact = static_cast<std::size_t>(flow.stuck()[i]);
      const bool frozen = std::all_of(orbit.arcs.begin(), orbit.arcs.end(),
                                      [&](const OrbitArc& arc) { return arc.regime->states()[contact] == 0; });
      if (!frozen) held_.push_back(static_cast<Eigen::Index>(i));
    }
    events_ = orbit.arcs.front().ended_by < 0 ? 0 : static_cast<Eigen::Index>(count);
    for (std::size_t i = 0; i < count; ++i) {
      transitions_.push_back(
          &owner.transition(orbit.arcs[before(i, count)].regime->shared_flow(), orbit.arcs[i].regime->shared_flow()));
    }
    start_.resize(count);
    end_.resize(count);
    step_.resize(count);
  }

  [[nodiscard]] Eigen::Index free() const {
    return 2 * static_cast<Eigen::Index>(alive_.size()) + static_cast<Eigen::Index>(held_.size());
  }
  [[nodiscard]] Eigen::Index unknowns() const { return free() + events_; }
  [[nodiscard]] Eigen::Index events() const { return events_; }

  /// Unknowns of an orbit, and back.
  void read(const PiecewiseOrbit& orbit, Eigen::VectorXd& x) const {
    x.resize(unknowns());
    const auto n = static_cast<Eigen::Index>(alive_.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      x(i) = orbit.end.q(alive_[static_cast<std::size_t>(i)]);
      x(n + i) = orbit.end.v(alive_[static_cast<std::size_t>(i)]);
    }
    for (std::size_t i = 0; i < held_.size(); ++i) x(2 * n + static_cast<Eigen::Index>(i)) = orbit.end.d(held_[i]);
    for (Eigen::Index i = 0; i < events_; ++i) x(free() + i) = orbit.arcs[static_cast<std::size_t>(i)].theta;
  }
  void write(const Eigen::VectorXd& x, PiecewiseOrbit& orbit) const {
    const auto n = static_cast<Eigen::Index>(alive_.size());
    orbit.end.q.setZero();
    orbit.end.v.setZero();
    for (Eigen::Index i = 0; i < n; ++i) {
      orbit.end.q(alive_[static_cast<std::size_t>(i)]) = x(i);
      orbit.end.v(alive_[static_cast<std::size_t>(i)]) = x(n + i);
    }
    for (std::size_t i = 0; i < held_.size(); ++i) orbit.end.d(held_[i]) = x(2 * n + static_cast<Eigen::Index>(i));
    for (Eigen::Index i = 0; i < events_; ++i) orbit.arcs[static_cast<std::size_t>(i)].theta = x(free() + i);
  }

  /// Residual of closure and events; keeps the states of the arcs.
  void evaluate(const PiecewiseOrbit& orbit, Eigen::VectorXd& residual, bool all_states = false) {
    const std::size_t count = orbit.arcs.size();
    const double omega = orbit.omega;
    residual.resize(unknowns());
    drives_.resize(count);
    double origin = 0.0;
    for (std::size_t i = 0; i < count; ++i) drives_[i] = orbit.excitation->drive(*orbit.arcs[i].regime, 0.0, origin);
    const double sign = orbit.antisymmetric ? -1.0 : 1.0;
    const double t_end = (orbit.arcs.front().theta + orbit.span()) / omega;
    FlowState x = orbit.end;
    add_reference(drives_.back()->motion, t_end, 1.0, x.q, x.v);
    scale_ = 1e-300;
    rate_scale_ = 1e-300;
    if (events_ > 0) residual(free()) = event_at(orbit, count - 1, x, t_end);
    x.q *= sign;
    x.v *= sign;
    x.d *= sign;
    for (std::size_t i = 0; i < count; ++i) {
      const OrbitArc& arc = orbit.arcs[i];
      const LinearFlow& flow = arc.regime->flow();
      const double t = arc.theta / omega;
      const double duration = (orbit.end_of(i) - arc.theta) / omega;
      // Of the last arc only what is left at its end counts.
      const bool partly = i + 1 == count && count > 1 && !all_states;
      transitions_[i]->apply(x, start_[i], partly ? &alive_ : nullptr);
      FlowState& start = start_[i];
      free_start_ = start;
      drives_[i]->motion.add(0.0, t, -1.0, free_start_.q, free_start_.v);
      flow.step(duration, step_[i]);
      FlowState& end = end_[i];
      const FlowStep& e = step_[i];
      end.q = e.e11 * free_start_.q + e.e12 * free_start_.v;
      end.v = e.e21 * free_start_.q + e.e22 * free_start_.v;
      drives_[i]->motion.add(duration, t, 1.0, end.q, end.v);
      end.d = start.d;
      scale_ = std::max({scale_, end.q.matrix().norm(), end.d.norm()});
      rate_scale_ = std::max({rate_scale_, end.v.matrix().norm(), scale_ * omega});
      if (i + 1 < count) {
        residual(free() + static_cast<Eigen::Index>(i) + 1) = event_at(orbit, i, end, orbit.end_of(i) / omega);
        x = end;
      }
    }
    FlowState rest = end_.back();
    add_reference(drives_.back()->motion, t_end, -1.0, rest.q, rest.v);
    const auto n = static_cast<Eigen::Index>(alive_.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index k = alive_[static_cast<std::size_t>(i)];
      residual(i) = rest.q(k) - orbit.end.q(k);
      residual(n + i) = rest.v(k) - orbit.end.v(k);
    }
    for (std::size_t i = 0; i < held_.size(); ++i) {
      residual(2 * n + static_cast<Eigen::Index>(i)) = rest.d(held_[i]) - orbit.end.d(held_[i]);
    }
  }

  /// Derivatives with respect to the unknowns and, in the last column, the frequency; after evaluate().
  void derivatives(const PiecewiseOrbit& orbit, Eigen::MatrixXd& jacobian) {
    const std::size_t count = orbit.arcs.size();
    const double omega = orbit.omega;
    const double sign = orbit.antisymmetric ? -1.0 : 1.0;
    const double t_end = (orbit.arcs.front().theta + orbit.span()) / omega;
    const Eigen::Index z = free();
    const Eigen::Index columns = unknowns() + 1;
    jacobian = Eigen::MatrixXd::Zero(unknowns(), columns);
    changes_.clear();
    for (std::size_t i = 0; i < count; ++i) changes_.push_back(frequency_change(orbit, i));

    const LinearFlow& last = orbit.arcs.back().regime->flow();
    const ForcedMotion& last_motion = drives_.back()->motion;
    FlowState reference_rate = zero_state(last);
    add_reference_rate(last_motion, t_end, 1.0, reference_rate.q, reference_rate.v);
    FlowState reference_change = zero_state(last);
    changes_.back().add(orbit.arcs.front().theta + orbit.span(), reference_change.q, reference_change.v);
    const auto n = static_cast<Eigen::Index>(alive_.size());
    const auto m = static_cast<Eigen::Index>(held_.size());

    // Event 0, at z.
    if (events_ > 0) {
      const int function = orbit.arcs.back().ended_by;
      const EventFunction& event = orbit.arcs.back().regime->events()[static_cast<std::size_t>(function)];
      for (Eigen::Index i = 0; i < n; ++i) {
        jacobian(z, i) = event.q[0](alive_[static_cast<std::size_t>(i)]);
        jacobian(z, n + i) = event.v[0](alive_[static_cast<std::size_t>(i)]);
      }
      for (Eigen::Index i = 0; i < m; ++i) jacobian(z, 2 * n + i) = event.on_held(held_[static_cast<std::size_t>(i)]);
      double direct[3];
      drives_.back()->direct[static_cast<std::size_t>(function)].value(0.0, t_end, 0.0, direct);
      jacobian(z, z) = (direct[1] + (event.q[0] * reference_rate.q + event.v[0] * reference_rate.v).sum()) / omega;
      jacobian(z, columns - 1) = (event.q[0] * reference_change.q + event.v[0] * reference_change.v).sum() +
                                 changes_.back().direct(event, orbit.arcs.front().theta + orbit.span());
    }

    Columns in, out;
    for (std::size_t i = 0; i < count; ++i) {
      const OrbitArc& arc = orbit.arcs[i];
      const LinearFlow& flow = arc.regime->flow();
      const bool final = i + 1 == count;
      const std::vector<Eigen::Index>* rows = final ? &alive_ : nullptr;
      const double t = arc.theta / omega;
      const double duration = (orbit.end_of(i) - arc.theta) / omega;
      if (i == 0) {
        out.q = Eigen::MatrixXd::Zero(flow.blocks(), columns);
        out.v = Eigen::MatrixXd::Zero(flow.blocks(), columns);
        out.d = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(flow.stuck().size()), columns);
        transitions_[0]->units(alive_, held_, last.blocks(), sign, out);
        FlowState moved;
        if (events_ > 0) {
          transitions_[0]->apply(scaled(reference_rate, sign / omega), moved);
          put(moved, z, out);
        }
        transitions_[0]->apply(scaled(reference_change, sign), moved);
        put(moved, columns - 1, out);
        if (final) {
          in = std::move(out);
          out.q = in.q(alive_, Eigen::all);
          out.v = in.v(alive_, Eigen::all);
          out.d = in.d;
        }
      } else {
        transitions_[i]->apply(in, rows, out);
      }
      const auto row = [&](const Eigen::ArrayXd& values) -> Eigen::ArrayXd {
        return rows == nullptr ? values : Eigen::ArrayXd(values(*rows));
      };
      if (events_ > 0) {
        // The event that began the arc: less its own rate.
        FlowState rate = rate_at(flow, drives_[i]->motion, start_[i], 0.0, t);
        out.q.col(z + static_cast<Eigen::Index>(i)) -= row(rate.q).matrix() / omega;
        out.v.col(z + static_cast<Eigen::Index>(i)) -= row(rate.v).matrix() / omega;
      }
      FlowState change = zero_state(flow);
      changes_[i].add(arc.theta, change.q, change.v);
      out.q.col(columns - 1) -= row(change.q).matrix();
      out.v.col(columns - 1) -= row(change.v).matrix();
      // Propagate.
      const auto e11 = row(step_[i].e11), e12 = row(step_[i].e12), e21 = row(step_[i].e21), e22 = row(step_[i].e22);
      in.q.noalias() = e11.matrix().asDiagonal() * out.q;
      in.q.noalias() += e12.matrix().asDiagonal() * out.v;
      in.v.noalias() = e21.matrix().asDiagonal() * out.q;
      in.v.noalias() += e22.matrix().asDiagonal() * out.v;
      in.d = out.d;
      // Frequency: shorter arcs, other amplitudes.
      FlowState end_rate = rate_at(flow, drives_[i]->motion, end_[i], duration, t);
      FlowState other = end_rate;
      add_reference_rate(drives_[i]->motion, t + duration, -1.0, other.q, other.v);
      change = zero_state(flow);
      changes_[i].add(orbit.end_of(i), change.q, change.v);
      in.q.col(columns - 1) += row(change.q - (duration / omega) * other.q).matrix();
      in.v.col(columns - 1) += row(change.v - (duration / omega) * other.v).matrix();
      if (final) {
        for (Eigen::Index c = 0; c < columns; ++c) {
          jacobian.col(c).segment(0, n) = in.q.col(c);
          jacobian.col(c).segment(n, n) = in.v.col(c);
          for (Eigen::Index k = 0; k < m; ++k) jacobian(2 * n + k, c) = in.d(held_[static_cast<std::size_t>(k)], c);
        }
        if (events_ > 0) {
          jacobian.col(z).segment(0, n) += row(end_rate.q - reference_rate.q).matrix() / omega;
          jacobian.col(z).segment(n, n) += row(end_rate.v - reference_rate.v).matrix() / omega;
        }
        jacobian.col(columns - 1).segment(0, n) -= row(reference_change.q).matrix();
        jacobian.col(columns - 1).segment(n, n) -= row(reference_change.v).matrix();
        for (Eigen::Index k = 0; k < z; ++k) jacobian(k, k) -= 1.0;
        break;
      }
      // The event that ends the arc.
      const auto function = static_cast<std::size_t>(arc.ended_by);
      const EventFunction& event = arc.regime->events()[function];
      const Eigen::Index at = z + static_cast<Eigen::Index>(i) + 1;
      jacobian.row(at) = event.q[0].matrix().transpose() * in.q;
      jacobian.row(at).noalias() += event.v[0].matrix().transpose() * in.v;
      if (in.d.rows() > 0) jacobian.row(at).noalias() += event.on_held.transpose() * in.d;
      double direct[3];
      drives_[i]->direct[function].value(0.0, t + duration, 0.0, direct);
      jacobian(at, at) += (direct[1] + (event.q[0] * end_rate.q + event.v[0] * end_rate.v).sum()) / omega;
      jacobian(at, columns - 1) += changes_[i].direct(event, orbit.end_of(i));
      put(scaled(end_rate, 1.0 / omega), at, in);
    }
  }

  /// Change of the free motion around the orbit, the events moving with it; after evaluate().
  [[nodiscard]] Eigen::MatrixXd monodromy(const PiecewiseOrbit& orbit) {
    const std::size_t count = orbit.arcs.size();
    const double omega = orbit.omega;
    const double sign = orbit.antisymmetric ? -1.0 : 1.0;
    const Eigen::Index z = free();
    const LinearFlow& last = orbit.arcs.back().regime->flow();
    const auto n = static_cast<Eigen::Index>(alive_.size());
    Columns in, out;
    out.q = Eigen::MatrixXd::Zero(last.blocks(), z);
    out.v = Eigen::MatrixXd::Zero(last.blocks(), z);
    out.d = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(last.stuck().size()), z);
    for (Eigen::Index i = 0; i < n; ++i) {
      out.q(alive_[static_cast<std::size_t>(i)], i) = sign;
      out.v(alive_[static_cast<std::size_t>(i)], n + i) = sign;
    }
    for (std::size_t i = 0; i < held_.size(); ++i) out.d(held_[i], 2 * n + static_cast<Eigen::Index>(i)) = sign;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t previous = before(i, count);
      const OrbitArc& arc = orbit.arcs[i];
      const LinearFlow& flow = arc.regime->flow();
      const double s = i == 0 ? sign : 1.0;  // the arc before the first is a mirror image
      transitions_[i]->apply(out, nullptr, in);
      if (events_ > 0) {
        const OrbitArc& old = orbit.arcs[previous];
        const auto function = static_cast<std::size_t>(old.ended_by);
        const EventFunction& event = old.regime->events()[function];
        const double t_old = old.theta / omega;
        const double duration = (orbit.end_of(previous) - old.theta) / omega;
        FlowState rate = rate_at(old.regime->flow(), drives_[previous]->motion, end_[previous], duration, t_old);
        double direct[3];
        drives_[previous]->direct[function].value(0.0, t_old + duration, 0.0, direct);
        const double slope = direct[1] + (event.q[0] * rate.q + event.v[0] * rate.v).sum();
        Eigen::RowVectorXd delay = event.q[0].matrix().transpose() * out.q;
        delay.noalias() += event.v[0].matrix().transpose() * out.v;
        if (out.d.rows() > 0) delay.noalias() += event.on_held.transpose() * out.d;
        delay *= -s / slope;
        FlowState jump;
        transitions_[i]->apply(scaled(rate, s), jump);
        const FlowState after = rate_at(flow, drives_[i]->motion, start_[i], 0.0, arc.theta / omega);
        in.q.noalias() += (jump.q - after.q).matrix() * delay;
        in.v.noalias() += (jump.v - after.v).matrix() * delay;
        if (in.d.rows() > 0) in.d.noalias() += jump.d * delay;
      }
      const FlowStep& e = step_[i];
      out.q = e.e11.matrix().asDiagonal() * in.q;
      out.q += e.e12.matrix().asDiagonal() * in.v;
      out.v = e.e21.matrix().asDiagonal() * in.q;
      out.v += e.e22.matrix().asDiagonal() * in.v;
      out.d = in.d;
    }
    Eigen::MatrixXd result(z, z);
    result.topRows(n) = out.q(alive_, Eigen::all);
    result.middleRows(n, n) = out.v(alive_, Eigen::all);
    for (std::size_t i = 0; i < held_.size(); ++i)
      result.row(2 * n + static_cast<Eigen::Index>(i)) = out.d.row(held_[i]);
    return result;
  }

  void keep_states(PiecewiseOrbit& orbit) const {
    for (std::size_t i = 0; i < start_.size(); ++i) orbit.arcs[i].start = start_[i];
  }
  /// Sizes of displacements and rates, for what counts as small.
  [[nodiscard]] double scale(Eigen::Index unknown) const {
    const auto n = static_cast<Eigen::Index>(alive_.size());
    if (unknown >= free()) return 1.0;
    return unknown >= n && unknown < 2 * n ? rate_scale_ : scale_;
  }

 private:
  /// Change of the steady motion of a regime with frequency, at a fixed phase.
  struct Change {
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

  [[nodiscard]] Change frequency_change(const PiecewiseOrbit& orbit, std::size_t arc) const {
    const LinearFlow& flow = orbit.arcs[arc].regime->flow();
    Change change;
    for (const ForcedMotion::Term& term : drives_[arc]->motion.terms) {
      Change::Term out;
      out.multiple = std::round(term.omega / orbit.omega);
      flow.harmonic_change(term.omega, term.qa, term.va, out.q, out.v);
      out.q *= out.multiple;
      out.v *= out.multiple;
      const auto h = static_cast<std::size_t>(out.multiple);
      if (h >= 1 && h <= owner_->load_.ground.size() && !owner_->load_.ground[h - 1].isZero(0.0)) {
        out.force = (-2.0 * out.multiple * term.omega * orbit.level) * owner_->load_.ground[h - 1];
        Eigen::ArrayXcd q, v;
        flow.harmonic(out.force, term.omega, q, v);
        out.q += q;
        out.v += v;
      }
      change.terms.push_back(std::move(out));
    }
    return change;
  }

  [[nodiscard]] double event_at(const PiecewiseOrbit& orbit, std::size_t arc, const FlowState& x, double t) const {
    const auto function = static_cast<std::size_t>(orbit.arcs[arc].ended_by);
    const EventFunction& event = orbit.arcs[arc].regime->events()[function];
    double direct[3];
    drives_[arc]->direct[function].value(0.0, t, 0.0, direct);
    double value = direct[0] + (event.q[0] * x.q + event.v[0] * x.v).sum();
    if (x.d.size() > 0) value += event.on_held.dot(x.d);
    return value;
  }

  /// Rate of all of the motion, from all of it.
  [[nodiscard]] static FlowState rate_at(const LinearFlow& flow, const ForcedMotion& motion, const FlowState& x,
                                         double tau, double shift) {
    FlowState rest = x;
    motion.add(tau, shift, -1.0, rest.q, rest.v);
    FlowState rate;
    flow.rate(rest.q, rest.v, rate.q, rate.v);
    motion.add_rate(tau, shift, 1.0, rate.q, rate.v);
    rate.d = Eigen::VectorXd::Zero(x.d.size());
    return rate;
  }
  [[nodiscard]] static FlowState zero_state(const LinearFlow& flow) {
    return {Eigen::ArrayXd::Zero(flow.blocks()), Eigen::ArrayXd::Zero(flow.blocks()),
            Eigen::VectorXd::Zero(static_cast<Eigen::Index>(flow.stuck().size()))};
  }
  [[nodiscard]] static FlowState scaled(FlowState state, double factor) {
    state.q *= factor;
    state.v *= factor;
    state.d *= factor;
    return state;
  }
  static void put(const FlowState& state, Eigen::Index column, Columns& out) {
    out.q.col(column) = state.q.matrix();
    out.v.col(column) = state.v.matrix();
    if (out.d.rows() > 0) out.d.col(column) = state.d;
  }

  PiecewiseOrbits* owner_;
  std::vector<Eigen::Index> alive_, held_;
  Eigen::Index events_ = 0;
  std::vector<const Transition*> transitions_;
  std::vector<std::shared_ptr<const Drive>> drives_;
  std::vector<FlowState> start_, end_;
  std::vector<FlowStep> step_;
  std::vector<Change> changes_;
  FlowState free_start_;
  double scale_ = 1.0, rate_scale_ = 1.0;
};

PiecewiseOrbits::PiecewiseOrbits(const PiecewiseModel& model, int periods)
    : model_(&model), periods_(periods), load_(model.periodic()), book_(model) {
  if (periods % 2 == 0) load_.antisymmetric = false;
}

const PiecewiseOrbits::Transition& PiecewiseOrbits::transition(const std::shared_ptr<const LinearFlow>& from,
                                                               const std::shared_ptr<const LinearFlow>& to) {
  std::shared_ptr<const Transition>& result = transitions_[{from.get(), to.get()}];
  if (!result) result = std::make_shared<const Transition>(*model_, *from, *to);
  return *result;
}

bool PiecewiseOrbits::newton(PiecewiseOrbit& orbit, const OrbitTangent* along) {
  constexpr int most_iterations = 25;
  constexpr double small_phase = 2e-12;
  constexpr double small_motion = 2e-11;
  Passage passage(*this, orbit);
  const Eigen::Index size = passage.unknowns() + (along != nullptr ? 1 : 0);
  Eigen::VectorXd x, residual, step;
  Eigen::MatrixXd jacobian;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  passage.read(orbit, x);
  const Eigen::VectorXd x_first = x;
  const double omega_first = orbit.omega;
  orbit.iterations = 0;
  bool fresh = false;  // the factors belong to this point
  bool have = false;
  double last = std::numeric_limits<double>::infinity();
  while (orbit.iterations < most_iterations) {
    ++orbit.iterations;
    passage.evaluate(orbit, residual, size == 0);
    if (size == 0) {
      passage.keep_states(orbit);
      orbit.error = 0.0;
      return true;
    }
    if (!residual.allFinite()) return false;
    if (!have) {
      passage.derivatives(orbit, jacobian);
      Eigen::MatrixXd matrix = jacobian.leftCols(passage.unknowns());
      if (along != nullptr) {
        matrix.resize(size, size);
        matrix.topRows(size - 1) = jacobian;
        matrix.bottomRows(1).setZero();
        matrix.row(size - 1).segment(passage.free(), passage.events()) = along->theta.transpose();
        matrix(size - 1, size - 1) = along->omega;
      }
      lu.compute(matrix);
      ++factorisations_;
      have = true;
      fresh = true;
    }
    Eigen::VectorXd right(size);
    right.head(passage.unknowns()) = residual;
    if (along != nullptr) {
      right(size - 1) = along->theta.dot(x.segment(passage.free(), passage.events()) -
                                         x_first.segment(passage.free(), passage.events())) +
                        along->omega * (orbit.omega - omega_first);
    }
    step = -lu.solve(right);
    if (!step.allFinite()) return false;
    double phase = 0.0;
    double motion = 0.0;
    for (Eigen::Index i = 0; i < passage.unknowns(); ++i) {
      const double s = std::abs(step(i)) / passage.scale(i);
      (i >= passage.free() ? phase : motion) = std::max(i >= passage.free() ? phase : motion, s);
    }
    const double length = std::max(phase, motion);
    if (!fresh && length > 0.1 * last) {  // the old factors lead nowhere
      have = false;
      --orbit.iterations;
      last = std::numeric_limits<double>::infinity();
      if (length > 10.0) return false;
      continue;
    }
    // Events keep their order: none passes another by more than most of the arc between them.
    double factor = phase > 0.5 ? 0.5 / phase : 1.0;
    for (std::size_t i = 0; passage.events() > 0 && i < orbit.arcs.size(); ++i) {
      const auto here = passage.free() + static_cast<Eigen::Index>(i);
      const bool wraps = i + 1 == orbit.arcs.size();
      const double shrink = step(here) - (wraps ? step(passage.free()) : step(here + 1));
      const double length_of_arc = orbit.end_of(i) - orbit.arcs[i].theta;
      if (shrink > 0.8 * std::max(length_of_arc, same_instant)) {
        factor = std::min(factor, 0.8 * std::max(length_of_arc, same_instant) / shrink);
      }
    }
    if (factor < 1e-3) return false;
    x += factor * step.head(passage.unknowns());
    if (along != nullptr) {
      orbit.omega += factor * step(size - 1);
      if (!(orbit.omega > 0.0)) return false;
      orbit.excitation = std::make_shared<Excitation>(*model_, load_, orbit.omega, orbit.level);
    }
    passage.write(x, orbit);
    orbit.error = phase;
    if (factor == 1.0 && phase < small_phase && motion < small_motion) {
      passage.evaluate(orbit, residual, true);
      passage.keep_states(orbit);
      orbit.slope.resize(0);
      if (along == nullptr) orbit.slope = -lu.solve(jacobian.col(passage.unknowns()));
      return true;
    }
    // Close by, the same factors serve again.
    have = factor == 1.0 && length < 1e-3;
    fresh = false;
    last = factor == 1.0 ? length : std::numeric_limits<double>::infinity();
  }
  return false;
}

bool PiecewiseOrbits::holds(const PiecewiseOrbit& orbit) {
  const std::size_t count = orbit.arcs.size();
  if (orbit.arcs.front().ended_by < 0) {
    const Segment::Found found = orbit.segment(0).next_event(orbit.period(), {});
    return found.function < 0 && !found.lost;
  }
  Eigen::VectorXd eta, rate;
  FlowState end;
  for (std::size_t i = 0; i < count; ++i) {
    const OrbitArc& arc = orbit.arcs[i];
    const double span = orbit.end_of(i) - arc.theta;
    if (span < -same_instant) return false;
    const std::size_t previous = before(i, count);
    const Segment segment = orbit.segment(i);
    ContactStates mirrored = orbit.arcs[previous].regime->states();
    if (i == 0 && orbit.antisymmetric) {
      for (int& state : mirrored) state = -state;
    }
    if (span > same_instant) {
      const Regime& before_it = book_[mirrored];
      int function = orbit.arcs[previous].ended_by;
      if (i == 0 && orbit.antisymmetric) {
        const EventFunction& event = orbit.arcs[previous].regime->events()[static_cast<std::size_t>(function)];
        EventFunction::Kind kind = event.kind;
        if (kind == EventFunction::Kind::breaks_up) {
          kind = EventFunction::Kind::breaks_down;
        } else if (kind == EventFunction::Kind::breaks_down) {
          kind = EventFunction::Kind::breaks_up;
        }
        function = before_it.event(event.contact, kind);
      }
      const auto zeros = functions_from_zero(*model_, before_it, function, *arc.regime);
      const double duration = span / orbit.omega;
      const Segment::Found found = segment.next_event(duration + 1e-6 / orbit.omega, zeros);
      if (found.lost || found.function < 0) return false;
      if (std::abs(found.tau - duration) * orbit.omega > 1e-7) return false;
      if (found.function != arc.ended_by) {
        // Another event at the same instant may come first.
        if (std::abs(segment.event_value(found.function, duration).first) >
            1e-6 * (1e-300 + std::abs(segment.event_value(found.function, 0.5 * duration).first))) {
          return false;
        }
      }
    }
    // The regime after it.
    const double t = orbit.end_of(i) / orbit.omega;
    segment.state(span / orbit.omega, end);
    arc.regime->flow().coordinates(end, eta, rate);
    ContactStates states = arc.regime->states();
    const EventFunction& event = arc.regime->events()[static_cast<std::size_t>(arc.ended_by)];
    const auto j = static_cast<std::size_t>(event.contact);
    int released = -1;
    int sign = 0;
    if (event.kind == EventFunction::Kind::leaves_below) states[j] -= 1;
    if (event.kind == EventFunction::Kind::leaves_above) states[j] += 1;
    if (event.kind == EventFunction::Kind::breaks_up || event.kind == EventFunction::Kind::breaks_down) {
      released = event.contact;
      sign = event.kind == EventFunction::Kind::breaks_up ? 1 : -1;
    }
    ContactStates expected = orbit.arcs[i + 1 < count ? i + 1 : 0].regime->states();
    if (i + 1 == count && orbit.antisymmetric) {
      for (int& state : expected) state = -state;
    }
    // Where sticking is marginal, a little more or less of it may be meant.
    const auto at_rest = contacts_at_rest(*model_, *arc.regime, arc.ended_by);
    const auto leads_on = [&](double favour) {
      ContactStates choice = states;
      return choose_regime(*orbit.excitation, t, eta, rate, at_rest, released, sign, choice, favour) &&
             choice == expected;
    };
    if (!leads_on(0.0) && !leads_on(marginal) && !leads_on(-marginal)) return false;
  }
  return true;
}

void PiecewiseOrbits::arrange(PiecewiseOrbit& orbit, std::vector<OrbitArc> arcs, std::vector<FlowState> ends) {
  const std::size_t count = arcs.size();
  orbit.antisymmetric = false;
  if (load_.antisymmetric && count % 2 == 0 && arcs.front().ended_by >= 0) {
    const std::size_t half = count / 2;
    const double turn = std::numbers::pi * periods_;
    bool mirrored = true;
    for (std::size_t i = 0; i < half && mirrored; ++i) {
      const auto& a = arcs[i].regime->states();
      const auto& b = arcs[i + half].regime->states();
      for (std::size_t j = 0; j < a.size(); ++j) mirrored = mirrored && a[j] == -b[j];
      mirrored = mirrored && std::abs(arcs[i + half].theta - arcs[i].theta - turn) < 0.3 * turn;
    }
    for (std::size_t j = 0; j < arcs.front().regime->states().size() && mirrored; ++j) {
      const bool frozen =
          std::all_of(arcs.begin(), arcs.end(), [&](const OrbitArc& arc) { return arc.regime->states()[j] == 0; });
      mirrored = !frozen;
    }
    if (mirrored) {
      orbit.antisymmetric = true;
      arcs.resize(half);
      ends.resize(half);
    }
  }
  const std::size_t kept = arcs.size();
  const double span = orbit.span();
  // The arc with the least left at its end comes last.
  std::size_t best = kept - 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kept && arcs.front().ended_by >= 0; ++i) {
    const double end = i + 1 < kept ? arcs[i + 1].theta : arcs.front().theta + span;
    const double duration = (end - arcs[i].theta) / orbit.omega;
    const auto left = static_cast<double>(count_alive(arcs[i].regime->flow(), duration)) - 1e-3 * duration;
    if (left < least) {
      least = left;
      best = i;
    }
  }
  const std::size_t first = (best + 1) % kept;
  const double turns = two_pi * periods_ * std::floor(arcs[first].theta / (two_pi * periods_));
  // What wraps around comes one span later, mirrored where the halves are.
  const auto mirror = [&](OrbitArc& arc) {
    if (!orbit.antisymmetric) return;
    ContactStates states = arc.regime->states();
    for (int& state : states) state = -state;
    const Regime& other = book_[states];
    const EventFunction& event = arc.regime->events()[static_cast<std::size_t>(arc.ended_by)];
    EventFunction::Kind kind = event.kind;
    if (kind == EventFunction::Kind::breaks_up) {
      kind = EventFunction::Kind::breaks_down;
    } else if (kind == EventFunction::Kind::breaks_down) {
      kind = EventFunction::Kind::breaks_up;
    }
    arc.ended_by = other.event(event.contact, kind);
    arc.regime = &other;
  };
  orbit.arcs.clear();
  for (std::size_t i = 0; i < kept; ++i) {
    const std::size_t from = (first + i) % kept;
    OrbitArc arc = arcs[from];
    arc.theta -= turns;
    if (from < first && first != 0) {
      arc.theta += span;
      mirror(arc);
    }
    orbit.arcs.push_back(std::move(arc));
  }
  // Free motion at the end of the last arc.
  OrbitArc& last = orbit.arcs.back();
  orbit.end = ends[best];
  const bool turned = best < first && first != 0;
  if (turned && orbit.antisymmetric) {
    orbit.end.q *= -1.0;
    orbit.end.v *= -1.0;
    orbit.end.d *= -1.0;
  }
  double origin = 0.0;
  const auto drive = orbit.excitation->drive(*last.regime, 0.0, origin);
  add_reference(drive->motion, orbit.end_of(kept - 1) / orbit.omega, -1.0, orbit.end.q, orbit.end.v);
  if (last.ended_by < 0) {
    orbit.end.q.setZero();
    orbit.end.v.setZero();
  }
}

bool PiecewiseOrbits::simulate(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate, int count,
                               PiecewiseOrbit& orbit) {
  ContactMotion motion(book_, *orbit.excitation);
  const double period = orbit.period();
  if (!motion.start(t, eta, rate)) {
    message_ = motion.message();
    return false;
  }
  const double window = t + (count - 1) * period;
  const double end = t + count * period;
  std::vector<OrbitArc> arcs;
  std::vector<FlowState> ends;           // ends[i]: of the arc before arc i
  const Regime* first_regime = nullptr;  // of the arc that the first event in the window ends
  int first_function = -1;
  double now = t;
  time_ = t;
  constexpr long most_events = 1000000;
  long events = 0;
  while (now < end) {
    if (!motion.find_end(end)) {
      message_ = motion.message();
      return false;
    }
    now = motion.until();
    const int function = motion.ends_with();
    if (now >= end) break;
    const bool counts = function >= 0 && now > window;
    if (counts) {
      ends.emplace_back();
      motion.segment().state(now - motion.segment().start(), ends.back());
      if (arcs.empty()) {
        first_regime = &motion.segment().regime();
        first_function = function;
      } else {
        arcs.back().ended_by = function;
      }
    }
    if (!motion.pass()) {
      message_ = motion.message();
      return false;
    }
    if (counts) arcs.push_back({&motion.segment().regime(), now * orbit.omega, -1, {}});
    if (++events > most_events) {
      message_ = fmt::format("more than {} events in {} periods", most_events, count);
      return false;
    }
  }
  // State at the end, for going on.
  FlowState last;
  motion.segment().state(end - motion.segment().start(), last);
  motion.segment().regime().flow().coordinates(last, eta_, rate_);
  time_ = end;
  if (arcs.empty()) {
    OrbitArc arc{&motion.segment().regime(), t * orbit.omega, -1, {}};
    arrange(orbit, {arc}, {last});
    return true;
  }
  if (arcs.back().regime != first_regime) {
    message_ = "the motion has not the period asked for";
    return false;
  }
  arcs.back().ended_by = first_function;
  std::rotate(ends.begin(), ends.begin() + 1, ends.end());  // now of arc i itself
  arrange(orbit, std::move(arcs), std::move(ends));
  return true;
}

bool PiecewiseOrbits::settle(PiecewiseOrbit& orbit, double t, Eigen::VectorXd eta, Eigen::VectorXd rate,
                             int most_periods) {
  int done = 0;
  for (int count = 1; done < most_periods; count *= 2) {
    const bool simulated = simulate(t, eta, rate, count, orbit);
    done += count;
    if (simulated && newton(orbit, nullptr) && holds(orbit)) return true;
    if (!simulated && time_ <= t) return false;
    t = time_;
    eta = eta_;
    rate = rate_;
  }
  const std::string reason = settled_period(orbit, t, eta, rate);
  message_ = fmt::format("no periodic motion found at omega = {:.9g} within {} periods from the start: {}", orbit.omega,
                         done, reason);
  return false;
}

std::string PiecewiseOrbits::settled_period(PiecewiseOrbit& orbit, double t, Eigen::VectorXd eta,
                                            Eigen::VectorXd rate) {
  constexpr int longest = 12;
  constexpr double close = 1e-5;  // of the motion, so slowly does it still change
  const Eigen::VectorXd first = eta;
  double size = first.norm();
  for (int n = 1; n <= longest; ++n) {
    time_ = t;
    static_cast<void>(simulate(t, eta, rate, 1, orbit));
    if (time_ <= t) return message_;
    t = time_;
    eta = eta_;
    rate = rate_;
    size = std::max(size, eta.norm());
    if ((eta - first).norm() > close * size) continue;
    if (n == 1) return "it settles too slowly";
    return fmt::format("the motion repeats after {} periods of the load, ask for period = {}", n * periods_,
                       n * periods_);
  }
  return fmt::format("the motion does not repeat within {} periods", longest * periods_);
}

void PiecewiseOrbits::middle(const PiecewiseOrbit& orbit, double& t, Eigen::VectorXd& eta,
                             Eigen::VectorXd& rate) const {
  std::size_t longest = 0;
  double length = -1.0;
  for (std::size_t i = 0; i < orbit.arcs.size(); ++i) {
    const double span = orbit.end_of(i) - orbit.arcs[i].theta;
    if (span > length) {
      length = span;
      longest = i;
    }
  }
  const Segment segment = orbit.segment(longest);
  FlowState state;
  segment.state(0.5 * length / orbit.omega, state);
  orbit.arcs[longest].regime->flow().coordinates(state, eta, rate);
  t = (orbit.arcs[longest].theta + 0.5 * length) / orbit.omega;
}

PiecewiseOrbit PiecewiseOrbits::blank(double omega, double level) const {
  PiecewiseOrbit orbit;
  orbit.omega = omega;
  orbit.level = level;
  orbit.periods = periods_;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  return orbit;
}

OrbitSeed PiecewiseOrbits::seed(const PiecewiseOrbit& orbit) const {
  double t = 0.0;
  Eigen::VectorXd eta, rate;
  middle(orbit, t, eta, rate);
  return {t * orbit.omega, model_->shapes() * eta, model_->shapes() * rate};
}

bool PiecewiseOrbits::find_near(const OrbitSeed& seed, double omega, double level, PiecewiseOrbit& orbit) {
  orbit = blank(omega, level);
  if (seed.q.size() != model_->projection().cols()) return false;
  constexpr int most_periods = 63;
  return settle(orbit, seed.phase / omega, model_->projection() * seed.q, model_->projection() * seed.v, most_periods);
}

bool PiecewiseOrbits::find(double omega, double level, PiecewiseOrbit& orbit) {
  orbit = blank(omega, level);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model_->size());
  const bool springs = std::any_of(model_->contacts().begin(), model_->contacts().end(),
                                   [](const Contact& contact) { return contact.kind == Contact::Kind::spring; });
  if (!springs) {
    // Vibration without friction.
    Eigen::VectorXcd eta = Eigen::VectorXcd::Zero(model_->size());
    Eigen::VectorXcd rate = eta;
    for (std::size_t h = 1; h <= load_.force.size(); ++h) {
      const double s = static_cast<double>(h) * omega;
      const Eigen::VectorXcd force = level * (load_.force[h - 1] - s * s * load_.ground[h - 1]);
      Eigen::VectorXcd x;
      if (model_->proportional()) {
        x = force.cwiseQuotient(
            (model_->omega_squared().array() - s * s + i_unit * s * model_->damping().diagonal().array()).matrix());
      } else {
        Eigen::MatrixXcd z = (i_unit * s * model_->damping()).eval();
        z.diagonal() += (model_->omega_squared().array() - s * s).matrix().cast<Complex>();
        x = z.partialPivLu().solve(force);
      }
      eta += x;
      rate += i_unit * s * x;
    }
    if (eta.allFinite() && settle(orbit, 0.0, eta.real(), rate.real(), 31)) return true;
  }
  return settle(orbit, 0.0, rest, rest, 4095);
}

bool PiecewiseOrbits::follow(double omega, double level, PiecewiseOrbit& orbit, bool near_only) {
  if (orbit.arcs.empty()) return find(omega, level, orbit);
  const PiecewiseOrbit old = orbit;
  orbit.omega = omega;
  orbit.level = level;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  if (level == old.level && orbit.slope.size() > 0) {
    const Passage passage(*this, orbit);
    if (passage.unknowns() == orbit.slope.size()) {
      Eigen::VectorXd x;
      passage.read(orbit, x);
      // Not where arcs would turn over.
      const double turn = (omega - old.omega) * orbit.slope.tail(passage.events()).cwiseAbs().maxCoeff();
      if (std::abs(turn) < 0.2) {
        x += (omega - old.omega) * orbit.slope;
        passage.write(x, orbit);
      }
    }
  }
  if (newton(orbit, nullptr) && holds(orbit)) return true;
  double t = 0.0;
  Eigen::VectorXd eta, rate;
  middle(old, t, eta, rate);
  orbit = old;
  orbit.omega = omega;
  orbit.level = level;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  if (settle(orbit, t * old.omega / omega, eta, rate, near_only ? 3 : 255)) return true;
  return !near_only && find(omega, level, orbit);
}

PiecewiseOrbits::Correction PiecewiseOrbits::correct(const OrbitTangent& tangent, PiecewiseOrbit& orbit) {
  if (!newton(orbit, &tangent)) return Correction::none;
  return holds(orbit) ? Correction::found : Correction::other_events;
}

bool PiecewiseOrbits::repair(PiecewiseOrbit& orbit) {
  std::vector<std::size_t> order(orbit.arcs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto span = [&](std::size_t arc) { return orbit.end_of(arc) - orbit.arcs[arc].theta; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return span(a) > span(b); });
  constexpr std::size_t most_tries = 3;
  FlowState state;
  Eigen::VectorXd eta, rate;
  for (std::size_t i = 0; i < std::min(most_tries, order.size()); ++i) {
    const std::size_t arc = order[i];
    const double half = 0.5 * span(arc) / orbit.omega;
    orbit.segment(arc).state(half, state);
    orbit.arcs[arc].regime->flow().coordinates(state, eta, rate);
    PiecewiseOrbit other = blank(orbit.omega, orbit.level);
    if (!simulate(orbit.arcs[arc].theta / orbit.omega + half, eta, rate, 1, other)) continue;
    if (!newton(other, nullptr) || !holds(other)) continue;
    orbit = std::move(other);
    return true;
  }
  return false;
}

bool PiecewiseOrbits::tangent(const PiecewiseOrbit& orbit, OrbitTangent& tangent) {
  Passage passage(*this, orbit);
  Eigen::VectorXd residual;
  passage.evaluate(orbit, residual);
  if (passage.unknowns() == 0) {
    tangent.theta.resize(0);
    tangent.omega = 1.0;
    return true;
  }
  Eigen::MatrixXd jacobian;
  passage.derivatives(orbit, jacobian);
  const Eigen::VectorXd slope =
      -jacobian.leftCols(passage.unknowns()).partialPivLu().solve(jacobian.col(passage.unknowns()));
  tangent.theta = slope.segment(passage.free(), passage.events());
  tangent.omega = 1.0;
  return slope.allFinite();
}

Eigen::VectorXcd PiecewiseOrbits::multipliers(const PiecewiseOrbit& orbit) {
  Passage passage(*this, orbit);
  Eigen::VectorXd residual;
  passage.evaluate(orbit, residual, true);
  if (passage.free() == 0) return Eigen::VectorXcd::Zero(1);
  Eigen::VectorXcd result = passage.monodromy(orbit).eigenvalues();
  if (orbit.antisymmetric) result = result.cwiseProduct(result).eval();
  return result;
}

}  // namespace microslip
