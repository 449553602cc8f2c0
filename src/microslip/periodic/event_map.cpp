#include "microslip/periodic/event_map.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/periodic/flow_derivatives.hpp"

namespace microslip {

using namespace orbit_passage;

namespace {

/// Variations of the state at the start of a segment, on to its end, at fixed phases. The last column belongs to the
/// frequency: the segment takes another time, and its steady motion is another one.
void propagate(const Segment& segment, const Drive& drive, const SteadyChange& change, double duration, double omega,
               FlowColumns& columns) {
  const LinearFlow& flow = segment.regime().flow();
  const Eigen::Index last = columns.q.cols() - 1;
  const double t = segment.start();
  FlowState shift = zero_state(flow);
  change.add(omega * t, shift.q, shift.v);
  columns.q.col(last) -= shift.q.matrix();
  columns.v.col(last) -= shift.v.matrix();
  FlowStep e;
  flow.step(duration, e);
  const Eigen::MatrixXd q = e.e11.matrix().asDiagonal() * columns.q + e.e12.matrix().asDiagonal() * columns.v;
  columns.v = (e.e21.matrix().asDiagonal() * columns.q + e.e22.matrix().asDiagonal() * columns.v).eval();
  columns.q = q;
  FlowState rate;
  segment.state_rate(duration, rate);
  add_reference_rate(drive.motion, t + duration, -1.0, rate.q, rate.v);
  shift = zero_state(flow);
  change.add(omega * (t + duration), shift.q, shift.v);
  columns.q.col(last) += (shift.q - (duration / omega) * rate.q).matrix();
  columns.v.col(last) += (shift.v - (duration / omega) * rate.v).matrix();
}

}  // namespace

EventMap::EventMap(RegimeBook& book, const PeriodicLoad& load, double level, double rate_scale)
    : book_(&book), load_(&load), level_(level), rate_scale_(rate_scale), transitions_(book.model()) {}

Eigen::Index EventMap::size(const Regime& regime) {
  return 2 * regime.flow().blocks() + static_cast<Eigen::Index>(regime.flow().stuck().size());
}

Eigen::VectorXd EventMap::pack(const FlowState& state) const {
  Eigen::VectorXd x(2 * state.q.size() + state.d.size());
  x << state.q.matrix(), state.v.matrix() / rate_scale_, state.d;
  return x;
}

FlowState EventMap::unpack(const Eigen::VectorXd& x, const Regime& regime) const {
  const Eigen::Index n = regime.flow().blocks();
  return {x.head(n).array(), rate_scale_ * x.segment(n, n).array(), x.tail(x.size() - 2 * n)};
}

namespace {

/// Derivatives with respect to x and, none, the frequency at the start: q, v over `rate_scale`, d.
FlowColumns start_columns(Eigen::Index n, Eigen::Index size, double rate_scale) {
  FlowColumns columns;
  columns.q = Eigen::MatrixXd::Zero(n, size + 1);
  columns.v = columns.q;
  columns.d = Eigen::MatrixXd::Zero(size - 2 * n, size + 1);
  columns.q.leftCols(n).setIdentity();
  columns.v.middleCols(n, n).diagonal().setConstant(rate_scale);
  columns.d.middleCols(2 * n, size - 2 * n).setIdentity();
  return columns;
}

/// Saltation: the event comes later by -dg/g', for that time the old rate holds and not the new one.
void add_event(const Segment& segment, int function, double duration, const SteadyChange& change, double phase,
               const FlowTransition& transition, const Segment& next_segment, FlowColumns& columns) {
  const EventFunction& event = segment.regime().events()[static_cast<std::size_t>(function)];
  const double slope = segment.event_value(function, duration).second;
  Eigen::RowVectorXd delay = event.q[0].matrix().transpose() * columns.q;
  delay.noalias() += event.v[0].matrix().transpose() * columns.v;
  if (columns.d.rows() > 0) delay.noalias() += event.on_held.transpose() * columns.d;
  delay(delay.size() - 1) += change.direct(event, phase);
  delay *= slope != 0.0 ? -1.0 / slope : 0.0;
  FlowState before, jump, after;
  FlowColumns next;
  segment.state_rate(duration, before);
  transition.apply(before, jump);
  next_segment.state_rate(0.0, after);
  transition.apply(columns, nullptr, next);
  next.q.noalias() += (jump.q - after.q).matrix() * delay;
  next.v.noalias() += (jump.v - after.v).matrix() * delay;
  if (next.d.rows() > 0) next.d.noalias() += jump.d * delay;
  columns = std::move(next);
}

}  // namespace

bool EventMap::run(const MapPlace& from, const Eigen::VectorXd& x, double omega, double phase, bool derivatives,
                   Arrival& arrival) {
  Excitation excitation(book_->model(), *load_, omega, level_);
  ContactMotion motion(*book_, excitation);
  Eigen::VectorXd eta, rate;
  from.regime->flow().coordinates(unpack(x, *from.regime), eta, rate);
  if (!motion.start_in(from.phase / omega, eta, rate, from.regime->states())) {
    message_ = motion.message();
    return false;
  }
  FlowColumns columns;
  if (derivatives) columns = start_columns(from.regime->flow().blocks(), x.size(), rate_scale_);
  arrival.events.clear();
  const double end = phase / omega;
  constexpr std::size_t most_events = 100000;
  while (true) {
    if (!motion.find_end(end)) {
      message_ = motion.message();
      return false;
    }
    const Segment segment = motion.segment();
    const Regime& regime = segment.regime();
    const int function = motion.ends_with();
    const bool arrives = function < 0;
    const double duration = (arrives ? end : motion.until()) - segment.start();
    double origin = 0.0;
    const std::shared_ptr<const Drive> drive = excitation.drive(regime, 0.0, origin);
    SteadyChange change;
    if (derivatives) {
      change = steady_change(regime.flow(), drive->motion, omega, level_, *load_);
      propagate(segment, *drive, change, duration, omega, columns);
    }
    if (arrives) {
      FlowState state;
      segment.state(duration, state);
      arrival.place = {&regime, phase};
      arrival.x = pack(state);
      break;
    }
    if (arrival.events.size() > most_events || !motion.pass()) {
      message_ = motion.message();
      return false;
    }
    arrival.events.push_back(omega * (segment.start() + duration));
    if (!derivatives) continue;
    const FlowTransition& transition = transitions_(regime.shared_flow(), motion.segment().regime().shared_flow());
    add_event(segment, function, duration, change, arrival.events.back(), transition, motion.segment(), columns);
  }
  if (derivatives) {
    arrival.derivative.resize(arrival.x.size(), x.size() + 1);
    arrival.derivative << columns.q, columns.v / rate_scale_, columns.d;
    return arrival.derivative.allFinite();
  }
  return true;
}

}  // namespace microslip
