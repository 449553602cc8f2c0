#include "microslip/periodic/event_map.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/periodic/flow_derivatives.hpp"

namespace microslip {

using namespace orbit_passage;

namespace {

/// Variations of the state at the start of a segment, on to its end, at fixed phases. The last column belongs to the
/// parameter: the steady motion is another one and, of the frequency, the segment takes another time.
void propagate(const Segment& segment, const Drive& drive, const SteadyChange& change, double duration, double omega,
               bool over_level, FlowColumns& columns) {
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
  shift = zero_state(flow);
  change.add(omega * (t + duration), shift.q, shift.v);
  columns.q.col(last) += shift.q.matrix();
  columns.v.col(last) += shift.v.matrix();
  if (over_level) return;
  FlowState rate;
  segment.state_rate(duration, rate);
  add_reference_rate(drive.motion, t + duration, -1.0, rate.q, rate.v);
  columns.q.col(last) -= (duration / omega) * rate.q.matrix();
  columns.v.col(last) -= (duration / omega) * rate.v.matrix();
}

/// Over an event. Saltation: it comes later by -dg/g', for that time the old rate holds and not the new one.
void pass_event(const Segment& before, const Segment& after, int function, double duration, double direct,
                const FlowTransition& transition, FlowColumns& columns) {
  const EventFunction& event = before.regime().events()[static_cast<std::size_t>(function)];
  const double slope = before.event_value(function, duration).second;
  Eigen::RowVectorXd delay = event.q[0].matrix().transpose() * columns.q;
  delay.noalias() += event.v[0].matrix().transpose() * columns.v;
  if (columns.d.rows() > 0) delay.noalias() += event.on_held.transpose() * columns.d;
  delay(delay.size() - 1) += direct;
  delay *= slope != 0.0 ? -1.0 / slope : 0.0;
  FlowState old_rate, jump, new_rate;
  before.state_rate(duration, old_rate);
  transition.apply(old_rate, jump);
  after.state_rate(0.0, new_rate);
  FlowColumns next;
  transition.apply(columns, nullptr, next);
  next.q.noalias() += (jump.q - new_rate.q).matrix() * delay;
  next.v.noalias() += (jump.v - new_rate.v).matrix() * delay;
  if (next.d.rows() > 0) next.d.noalias() += jump.d * delay;
  std::swap(columns, next);
}

}  // namespace

EventMap::EventMap(RegimeBook& book, const PeriodicLoad& load, const Sweep& sweep, double rate_scale)
    : book_(&book), load_(&load), sweep_(sweep), rate_scale_(rate_scale), transitions_(book.model()) {}

Eigen::Index EventMap::size(const Regime& regime) {
  return 2 * regime.flow().blocks() + static_cast<Eigen::Index>(regime.flow().stuck().size());
}

Eigen::VectorXd EventMap::pack(const FlowState& state) const {
  Eigen::VectorXd x(2 * state.q.size() + state.d.size());
  x << state.q.matrix(), state.v.matrix() / rate_scale_, state.d;
  return x;
}

/// Of the state at the start by itself.
FlowColumns EventMap::unit_columns(Eigen::Index blocks, Eigen::Index size) const {
  const Eigen::Index held = size - 2 * blocks;
  FlowColumns columns{Eigen::MatrixXd::Zero(blocks, size + 1), Eigen::MatrixXd::Zero(blocks, size + 1),
                      Eigen::MatrixXd::Zero(held, size + 1)};
  columns.q.leftCols(blocks).setIdentity();
  columns.v.middleCols(blocks, blocks).diagonal().setConstant(rate_scale_);
  columns.d.middleCols(2 * blocks, held).setIdentity();
  return columns;
}

FlowState EventMap::unpack(const Eigen::VectorXd& x, const Regime& regime) const {
  const Eigen::Index n = regime.flow().blocks();
  return {x.head(n).array(), rate_scale_ * x.segment(n, n).array(), x.tail(x.size() - 2 * n)};
}

bool EventMap::run(const MapPlace& from, const Eigen::VectorXd& x, double lambda, double phase, bool derivatives,
                   Arrival& arrival) {
  const double omega = sweep_.omega(lambda), level = sweep_.level(lambda);
  Excitation excitation(book_->model(), *load_, omega, level);
  ContactMotion motion(*book_, excitation);
  Eigen::VectorXd eta, rate;
  from.regime->flow().coordinates(unpack(x, *from.regime), eta, rate);
  const auto fail = [&] {
    message_ = motion.message();
    return false;
  };
  if (!motion.start_in(from.phase / omega, eta, rate, from.regime->states())) return fail();
  FlowColumns columns;
  if (derivatives) columns = unit_columns(from.regime->flow().blocks(), x.size());
  arrival.events.clear();
  const double end = phase / omega;
  constexpr std::size_t most_events = 100000;
  while (true) {
    if (!motion.find_end(end)) return fail();
    const Segment segment = motion.segment();
    const Regime& regime = segment.regime();
    const int function = motion.ends_with();
    const bool arrives = function < 0;
    const double duration = (arrives ? end : motion.until()) - segment.start();
    SteadyChange change;
    if (derivatives) {
      double origin = 0.0;
      const std::shared_ptr<const Drive> drive = excitation.drive(regime, 0.0, origin);
      change = sweep_.over_level ? steady_change_with_level(regime.flow(), omega, *load_)
                                 : steady_change(regime.flow(), drive->motion, omega, level, *load_);
      propagate(segment, *drive, change, duration, omega, sweep_.over_level, columns);
    }
    if (arrives) {
      FlowState state;
      segment.state(duration, state);
      arrival.place = {&regime, phase};
      arrival.x = pack(state);
      break;
    }
    if (arrival.events.size() > most_events || !motion.pass()) return fail();
    arrival.events.push_back(omega * (segment.start() + duration));
    if (!derivatives) continue;
    const EventFunction& event = regime.events()[static_cast<std::size_t>(function)];
    pass_event(segment, motion.segment(), function, duration, change.direct(event, arrival.events.back()),
               transitions_(regime.shared_flow(), motion.segment().regime().shared_flow()), columns);
  }
  if (!derivatives) return true;
  arrival.derivative.resize(arrival.x.size(), x.size() + 1);
  arrival.derivative << columns.q, columns.v / rate_scale_, columns.d;
  return arrival.derivative.allFinite();
}

}  // namespace microslip
