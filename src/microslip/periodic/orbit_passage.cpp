#include "microslip/periodic/orbit_passage.hpp"

#include <algorithm>
#include <cmath>

namespace microslip::orbit_passage {

OrbitPassage::OrbitPassage(TransitionBook& transitions, const PeriodicLoad& load, const PiecewiseOrbit& orbit)
    : load_(&load) {
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
        &transitions(orbit.arcs[before(i, count)].regime->shared_flow(), orbit.arcs[i].regime->shared_flow()));
  }
  start_.resize(count);
  end_.resize(count);
  step_.resize(count);
}

void OrbitPassage::read(const PiecewiseOrbit& orbit, Eigen::VectorXd& x) const {
  x.resize(unknowns());
  const auto n = static_cast<Eigen::Index>(alive_.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    x(i) = orbit.end.q(alive_[static_cast<std::size_t>(i)]);
    x(n + i) = orbit.end.v(alive_[static_cast<std::size_t>(i)]);
  }
  for (std::size_t i = 0; i < held_.size(); ++i) x(2 * n + static_cast<Eigen::Index>(i)) = orbit.end.d(held_[i]);
  for (Eigen::Index i = 0; i < events_; ++i) x(free() + i) = orbit.arcs[static_cast<std::size_t>(i)].theta;
}

void OrbitPassage::write(const Eigen::VectorXd& x, PiecewiseOrbit& orbit) const {
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

void OrbitPassage::evaluate(const PiecewiseOrbit& orbit, Eigen::VectorXd& residual, bool all_states) {
  const std::size_t count = orbit.arcs.size();
  residual.resize(unknowns());
  drives_.resize(count);
  double origin = 0.0;
  for (std::size_t i = 0; i < count; ++i) drives_[i] = orbit.excitation->drive(*orbit.arcs[i].regime, 0.0, origin);
  const double sign = orbit.antisymmetric ? -1.0 : 1.0;
  const double t_end = (orbit.arcs.front().theta + orbit.span()) / orbit.omega;
  FlowState x = orbit.end;
  add_reference(drives_.back()->motion, t_end, 1.0, x.q, x.v);
  scale_ = 1e-300;
  rate_scale_ = 1e-300;
  if (events_ > 0) residual(free()) = event_at(orbit, count - 1, x, t_end);
  x.q *= sign;
  x.v *= sign;
  x.d *= sign;
  for (std::size_t i = 0; i < count; ++i) {
    // Of the last arc only what is left at its end counts.
    pass_arc(orbit, i, i + 1 == count && count > 1 && !all_states, i == 0 ? x : end_[i - 1]);
    if (i + 1 == count) break;
    residual(free() + static_cast<Eigen::Index>(i) + 1) = event_at(orbit, i, end_[i], orbit.end_of(i) / orbit.omega);
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

/// From the end of the arc before, `arrival`, to the end of this one; `partly`: only of blocks that do not die out.
void OrbitPassage::pass_arc(const PiecewiseOrbit& orbit, std::size_t i, bool partly, const FlowState& arrival) {
  const OrbitArc& arc = orbit.arcs[i];
  const double t = arc.theta / orbit.omega;
  const double duration = (orbit.end_of(i) - arc.theta) / orbit.omega;
  FlowState& start = start_[i];
  transitions_[i]->apply(arrival, start, partly ? &alive_ : nullptr);
  free_start_ = start;
  drives_[i]->motion.add(0.0, t, -1.0, free_start_.q, free_start_.v);
  arc.regime->flow().step(duration, step_[i]);
  FlowState& end = end_[i];
  const FlowStep& e = step_[i];
  end.q = e.e11 * free_start_.q + e.e12 * free_start_.v;
  end.v = e.e21 * free_start_.q + e.e22 * free_start_.v;
  drives_[i]->motion.add(duration, t, 1.0, end.q, end.v);
  end.d = start.d;
  scale_ = std::max({scale_, end.q.matrix().norm(), end.d.norm()});
  rate_scale_ = std::max({rate_scale_, end.v.matrix().norm(), scale_ * orbit.omega});
}

double OrbitPassage::event_at(const PiecewiseOrbit& orbit, std::size_t arc, const FlowState& x, double t) const {
  const auto function = static_cast<std::size_t>(orbit.arcs[arc].ended_by);
  const EventFunction& event = orbit.arcs[arc].regime->events()[function];
  double direct[3];
  drives_[arc]->direct[function].value(0.0, t, 0.0, direct);
  double value = direct[0] + (event.q[0] * x.q + event.v[0] * x.v).sum();
  if (x.d.size() > 0) value += event.on_held.dot(x.d);
  return value;
}

Eigen::MatrixXd OrbitPassage::monodromy(const PiecewiseOrbit& orbit) const {
  const std::size_t count = orbit.arcs.size();
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
    transitions_[i]->apply(out, nullptr, in);
    if (events_ > 0) add_saltation(orbit, i, out, in);
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
  for (std::size_t i = 0; i < held_.size(); ++i) result.row(2 * n + static_cast<Eigen::Index>(i)) = out.d.row(held_[i]);
  return result;
}

/// The event before an arc comes earlier or later, by `delay`: the motion goes on at another rate so long.
void OrbitPassage::add_saltation(const PiecewiseOrbit& orbit, std::size_t i, const FlowColumns& before_it,
                                 FlowColumns& after_it) const {
  const double omega = orbit.omega;
  const double sign = i == 0 && orbit.antisymmetric ? -1.0 : 1.0;  // the arc before the first is a mirror image
  const std::size_t previous = before(i, orbit.arcs.size());
  const OrbitArc& arc = orbit.arcs[i];
  const OrbitArc& old = orbit.arcs[previous];
  const auto function = static_cast<std::size_t>(old.ended_by);
  const EventFunction& event = old.regime->events()[function];
  const double t_old = old.theta / omega;
  const double duration = (orbit.end_of(previous) - old.theta) / omega;
  FlowState rate = rate_at(old.regime->flow(), drives_[previous]->motion, end_[previous], duration, t_old);
  double direct[3];
  drives_[previous]->direct[function].value(0.0, t_old + duration, 0.0, direct);
  const double slope = direct[1] + (event.q[0] * rate.q + event.v[0] * rate.v).sum();
  Eigen::RowVectorXd delay = event.q[0].matrix().transpose() * before_it.q;
  delay.noalias() += event.v[0].matrix().transpose() * before_it.v;
  if (before_it.d.rows() > 0) delay.noalias() += event.on_held.transpose() * before_it.d;
  delay *= -sign / slope;
  FlowState jump;
  transitions_[i]->apply(scaled(rate, sign), jump);
  const FlowState after = rate_at(arc.regime->flow(), drives_[i]->motion, start_[i], 0.0, arc.theta / omega);
  after_it.q.noalias() += (jump.q - after.q).matrix() * delay;
  after_it.v.noalias() += (jump.v - after.v).matrix() * delay;
  if (after_it.d.rows() > 0) after_it.d.noalias() += jump.d * delay;
}

}  // namespace microslip::orbit_passage
