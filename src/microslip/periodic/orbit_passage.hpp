#pragma once
// One way around a periodic motion of arcs: what does not close, and how it changes. Internal to piecewise orbits.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "microslip/periodic/flow_derivatives.hpp"
#include "microslip/periodic/flow_transition.hpp"
#include "microslip/periodic/piecewise_orbit.hpp"

namespace microslip::orbit_passage {

/// Free motion below exp of this is no unknown.
inline constexpr double died_out = -37.0;

inline std::size_t before(std::size_t arc, std::size_t count) {
  return arc == 0 ? count - 1 : arc - 1;
}

/// One way around the orbit: residuals, and on request their derivatives.
class OrbitPassage {
 public:
  /// `gone`: free motion that falls below exp of this on the last arc is no unknown.
  OrbitPassage(TransitionBook& transitions, const PeriodicLoad& load, const PiecewiseOrbit& orbit,
               double gone = died_out)
      : load_(&load) {
    const std::size_t count = orbit.arcs.size();
    const OrbitArc& last = orbit.arcs.back();
    const LinearFlow& flow = last.regime->flow();
    const double duration = (orbit.end_of(count - 1) - last.theta) / orbit.omega;
    for (Eigen::Index k = 0; k < flow.blocks(); ++k) {
      if (flow.decay()(k) * duration > gone) alive_.push_back(k);
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
          &transitions(orbit.arcs[before(i, count)].regime->shared_flow(), orbit.arcs[i].regime->shared_flow()));
    }
    start_.resize(count);
    end_.resize(count);
    step_.resize(count);
  }

  /// No other free motion of such an orbit, of the same events, is left at its end.
  [[nodiscard]] bool covers(const PiecewiseOrbit& orbit) const {
    const std::size_t last = orbit.arcs.size() - 1;
    const double duration = (orbit.end_of(last) - orbit.arcs[last].theta) / orbit.omega;
    const Eigen::ArrayXd& decay = orbit.arcs[last].regime->flow().decay();
    return (decay * duration > died_out).count() == (decay(alive_) * duration > died_out).count();
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

  /// Derivatives with respect to the unknowns and, in the last column, the frequency or the level; after evaluate().
  void derivatives(const PiecewiseOrbit& orbit, Eigen::MatrixXd& jacobian, bool over_level = false) {
    const std::size_t count = orbit.arcs.size();
    const double omega = orbit.omega;
    const double sign = orbit.antisymmetric ? -1.0 : 1.0;
    const double t_end = (orbit.arcs.front().theta + orbit.span()) / omega;
    const Eigen::Index z = free();
    const Eigen::Index columns = unknowns() + 1;
    jacobian = Eigen::MatrixXd::Zero(unknowns(), columns);
    changes_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const LinearFlow& flow = orbit.arcs[i].regime->flow();
      changes_.push_back(over_level ? steady_change_with_level(flow, omega, *load_)
                                    : steady_change(flow, drives_[i]->motion, omega, orbit.level, *load_));
    }

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

    FlowColumns in, out;
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
      // Other amplitudes and, of the frequency, shorter arcs.
      FlowState end_rate = rate_at(flow, drives_[i]->motion, end_[i], duration, t);
      FlowState other = end_rate;
      add_reference_rate(drives_[i]->motion, t + duration, -1.0, other.q, other.v);
      change = zero_state(flow);
      changes_[i].add(orbit.end_of(i), change.q, change.v);
      const double shorter = over_level ? 0.0 : duration / omega;
      in.q.col(columns - 1) += row(change.q - shorter * other.q).matrix();
      in.v.col(columns - 1) += row(change.v - shorter * other.v).matrix();
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
    FlowColumns in, out;
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
  [[nodiscard]] double event_at(const PiecewiseOrbit& orbit, std::size_t arc, const FlowState& x, double t) const {
    const auto function = static_cast<std::size_t>(orbit.arcs[arc].ended_by);
    const EventFunction& event = orbit.arcs[arc].regime->events()[function];
    double direct[3];
    drives_[arc]->direct[function].value(0.0, t, 0.0, direct);
    double value = direct[0] + (event.q[0] * x.q + event.v[0] * x.v).sum();
    if (x.d.size() > 0) value += event.on_held.dot(x.d);
    return value;
  }

  const PeriodicLoad* load_;
  std::vector<Eigen::Index> alive_, held_;
  Eigen::Index events_ = 0;
  std::vector<const FlowTransition*> transitions_;
  std::vector<std::shared_ptr<const Drive>> drives_;
  std::vector<FlowState> start_, end_;
  std::vector<FlowStep> step_;
  std::vector<SteadyChange> changes_;
  FlowState free_start_;
  double scale_ = 1.0, rate_scale_ = 1.0;
};

}  // namespace microslip::orbit_passage
