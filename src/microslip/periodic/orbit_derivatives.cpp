// How closure and events of an orbit change with its unknowns and with the frequency, exactly: E (T f- - f+) for the
// time of an event, f-, f+ the rates before and after.

#include <utility>

#include "microslip/periodic/orbit_passage.hpp"

namespace microslip::orbit_passage {

/// Carries the derivatives with respect to all unknowns, and in the last column the frequency, from arc to arc.
class OrbitPassage::Derivatives {
 public:
  Derivatives(const OrbitPassage& passage, const PiecewiseOrbit& orbit, Eigen::MatrixXd& jacobian)
      : passage_(passage),
        orbit_(orbit),
        jacobian_(jacobian),
        omega_(orbit.omega),
        theta_end_(orbit.arcs.front().theta + orbit.span()),
        z_(passage.free()),
        columns_(passage.unknowns() + 1),
        reference_rate_(zero_state(orbit.arcs.back().regime->flow())),
        reference_change_(reference_rate_) {
    jacobian_ = Eigen::MatrixXd::Zero(passage.unknowns(), columns_);
    for (std::size_t i = 0; i < orbit.arcs.size(); ++i) {
      changes_.push_back(steady_change(orbit.arcs[i].regime->flow(), passage.drives_[i]->motion, orbit.omega,
                                       orbit.level, *passage.load_));
    }
    add_reference_rate(passage.drives_.back()->motion, theta_end_ / omega_, 1.0, reference_rate_.q, reference_rate_.v);
    changes_.back().add(theta_end_, reference_change_.q, reference_change_.v);
  }

  void run() {
    if (passage_.events_ > 0) set_first_event();
    for (std::size_t i = 0; i < orbit_.arcs.size(); ++i) {
      const bool final = i + 1 == orbit_.arcs.size();
      rows_ = final ? &passage_.alive_ : nullptr;
      if (i == 0) {
        set_start(final);
      } else {
        passage_.transitions_[i]->apply(in_, rows_, out_);
      }
      begin_arc(i);
      cross_arc(i);
      if (final) {
        close();
      } else {
        set_event(i);
      }
    }
  }

 private:
  /// Of blocks that matter on the arc at hand.
  [[nodiscard]] Eigen::ArrayXd row(const Eigen::ArrayXd& values) const {
    return rows_ == nullptr ? values : Eigen::ArrayXd(values(*rows_));
  }

  /// Event 0, at z.
  void set_first_event() {
    const auto n = static_cast<Eigen::Index>(passage_.alive_.size());
    const auto m = static_cast<Eigen::Index>(passage_.held_.size());
    const auto function = static_cast<std::size_t>(orbit_.arcs.back().ended_by);
    const EventFunction& event = orbit_.arcs.back().regime->events()[function];
    for (Eigen::Index i = 0; i < n; ++i) {
      jacobian_(z_, i) = event.q[0](passage_.alive_[static_cast<std::size_t>(i)]);
      jacobian_(z_, n + i) = event.v[0](passage_.alive_[static_cast<std::size_t>(i)]);
    }
    for (Eigen::Index i = 0; i < m; ++i) {
      jacobian_(z_, 2 * n + i) = event.on_held(passage_.held_[static_cast<std::size_t>(i)]);
    }
    double direct[3];
    passage_.drives_.back()->direct[function].value(0.0, theta_end_ / omega_, 0.0, direct);
    jacobian_(z_, z_) = (direct[1] + (event.q[0] * reference_rate_.q + event.v[0] * reference_rate_.v).sum()) / omega_;
    jacobian_(z_, columns_ - 1) = (event.q[0] * reference_change_.q + event.v[0] * reference_change_.v).sum() +
                                  changes_.back().direct(event, theta_end_);
  }

  /// The free motion z and the steady one of the last arc, in the first.
  void set_start(bool final) {
    const LinearFlow& flow = orbit_.arcs.front().regime->flow();
    const double sign = orbit_.antisymmetric ? -1.0 : 1.0;
    const FlowTransition& transition = *passage_.transitions_[0];
    out_.q = Eigen::MatrixXd::Zero(flow.blocks(), columns_);
    out_.v = Eigen::MatrixXd::Zero(flow.blocks(), columns_);
    out_.d = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(flow.stuck().size()), columns_);
    transition.units(passage_.alive_, passage_.held_, orbit_.arcs.back().regime->flow().blocks(), sign, out_);
    FlowState moved;
    if (passage_.events_ > 0) {
      transition.apply(scaled(reference_rate_, sign / omega_), moved);
      put(moved, z_, out_);
    }
    transition.apply(scaled(reference_change_, sign), moved);
    put(moved, columns_ - 1, out_);
    if (final) {
      in_ = std::move(out_);
      out_.q = in_.q(passage_.alive_, Eigen::all);
      out_.v = in_.v(passage_.alive_, Eigen::all);
      out_.d = in_.d;
    }
  }

  /// The event that began the arc, less its own rate; its steady motion.
  void begin_arc(std::size_t i) {
    const OrbitArc& arc = orbit_.arcs[i];
    const LinearFlow& flow = arc.regime->flow();
    if (passage_.events_ > 0) {
      const Eigen::Index event = z_ + static_cast<Eigen::Index>(i);
      FlowState rate = rate_at(flow, passage_.drives_[i]->motion, passage_.start_[i], 0.0, arc.theta / omega_);
      out_.q.col(event) -= row(rate.q).matrix() / omega_;
      out_.v.col(event) -= row(rate.v).matrix() / omega_;
    }
    FlowState change = zero_state(flow);
    changes_[i].add(arc.theta, change.q, change.v);
    out_.q.col(columns_ - 1) -= row(change.q).matrix();
    out_.v.col(columns_ - 1) -= row(change.v).matrix();
  }

  void cross_arc(std::size_t i) {
    const OrbitArc& arc = orbit_.arcs[i];
    const LinearFlow& flow = arc.regime->flow();
    const ForcedMotion& motion = passage_.drives_[i]->motion;
    const FlowStep& step = passage_.step_[i];
    const auto e11 = row(step.e11), e12 = row(step.e12), e21 = row(step.e21), e22 = row(step.e22);
    in_.q.noalias() = e11.matrix().asDiagonal() * out_.q;
    in_.q.noalias() += e12.matrix().asDiagonal() * out_.v;
    in_.v.noalias() = e21.matrix().asDiagonal() * out_.q;
    in_.v.noalias() += e22.matrix().asDiagonal() * out_.v;
    in_.d = out_.d;
    // Frequency: shorter arcs, other amplitudes.
    const double t = arc.theta / omega_;
    const double duration = (orbit_.end_of(i) - arc.theta) / omega_;
    end_rate_ = rate_at(flow, motion, passage_.end_[i], duration, t);
    FlowState other = end_rate_;
    add_reference_rate(motion, t + duration, -1.0, other.q, other.v);
    FlowState change = zero_state(flow);
    changes_[i].add(orbit_.end_of(i), change.q, change.v);
    in_.q.col(columns_ - 1) += row(change.q - (duration / omega_) * other.q).matrix();
    in_.v.col(columns_ - 1) += row(change.v - (duration / omega_) * other.v).matrix();
  }

  /// What is left at the end of the last arc, less z.
  void close() {
    const auto n = static_cast<Eigen::Index>(passage_.alive_.size());
    const auto m = static_cast<Eigen::Index>(passage_.held_.size());
    for (Eigen::Index c = 0; c < columns_; ++c) {
      jacobian_.col(c).segment(0, n) = in_.q.col(c);
      jacobian_.col(c).segment(n, n) = in_.v.col(c);
      for (Eigen::Index k = 0; k < m; ++k) {
        jacobian_(2 * n + k, c) = in_.d(passage_.held_[static_cast<std::size_t>(k)], c);
      }
    }
    if (passage_.events_ > 0) {
      jacobian_.col(z_).segment(0, n) += row(end_rate_.q - reference_rate_.q).matrix() / omega_;
      jacobian_.col(z_).segment(n, n) += row(end_rate_.v - reference_rate_.v).matrix() / omega_;
    }
    jacobian_.col(columns_ - 1).segment(0, n) -= row(reference_change_.q).matrix();
    jacobian_.col(columns_ - 1).segment(n, n) -= row(reference_change_.v).matrix();
    for (Eigen::Index k = 0; k < z_; ++k) jacobian_(k, k) -= 1.0;
  }

  /// The event that ends the arc.
  void set_event(std::size_t i) {
    const OrbitArc& arc = orbit_.arcs[i];
    const double t = arc.theta / omega_;
    const double duration = (orbit_.end_of(i) - arc.theta) / omega_;
    const auto function = static_cast<std::size_t>(arc.ended_by);
    const EventFunction& event = arc.regime->events()[function];
    const Eigen::Index at = z_ + static_cast<Eigen::Index>(i) + 1;
    jacobian_.row(at) = event.q[0].matrix().transpose() * in_.q;
    jacobian_.row(at).noalias() += event.v[0].matrix().transpose() * in_.v;
    if (in_.d.rows() > 0) jacobian_.row(at).noalias() += event.on_held.transpose() * in_.d;
    double direct[3];
    passage_.drives_[i]->direct[function].value(0.0, t + duration, 0.0, direct);
    jacobian_(at, at) += (direct[1] + (event.q[0] * end_rate_.q + event.v[0] * end_rate_.v).sum()) / omega_;
    jacobian_(at, columns_ - 1) += changes_[i].direct(event, orbit_.end_of(i));
    put(scaled(end_rate_, 1.0 / omega_), at, in_);
  }

  const OrbitPassage& passage_;
  const PiecewiseOrbit& orbit_;
  Eigen::MatrixXd& jacobian_;
  double omega_, theta_end_;
  Eigen::Index z_, columns_;  // of them z: of the free motion
  FlowState reference_rate_, reference_change_, end_rate_;
  std::vector<SteadyChange> changes_;
  const std::vector<Eigen::Index>* rows_ = nullptr;
  FlowColumns in_, out_;  // at the end of an arc, and at the start of the next
};

void OrbitPassage::derivatives(const PiecewiseOrbit& orbit, Eigen::MatrixXd& jacobian) const {
  Derivatives(*this, orbit, jacobian).run();
}

}  // namespace microslip::orbit_passage
