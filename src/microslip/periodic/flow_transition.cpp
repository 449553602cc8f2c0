#include "microslip/periodic/flow_transition.hpp"

#include "microslip/numerics/dense.hpp"

namespace microslip {

FlowTransition::FlowTransition(const PiecewiseModel& model, const LinearFlow& from, const LinearFlow& to) : to_(&to) {
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
  rate_ = transpose_times(to.shape_q(), from.shape_q());
  rows_ = rate_;
  held_to_q_ = transpose_times(to.shape_q(), from.held());
  q_of_held_ = transpose_times(to.shape_q(), to.held());
  q_to_held_ = transpose_times(held, from.shape_q());
  held_to_held_ = transpose_times(held, from.held());
}

void FlowTransition::apply(const FlowState& in, FlowState& out, const std::vector<Eigen::Index>* rows) const {
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

void FlowTransition::apply(const FlowColumns& in, const std::vector<Eigen::Index>* rows, FlowColumns& out) const {
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

void FlowTransition::units(const std::vector<Eigen::Index>& blocks, const std::vector<Eigen::Index>& held,
                           Eigen::Index from_blocks, double sign, FlowColumns& out) const {
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

void FlowTransition::fill_full(const LinearFlow& from, const LinearFlow& to) {
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

const FlowTransition& TransitionBook::operator()(const std::shared_ptr<const LinearFlow>& from,
                                                 const std::shared_ptr<const LinearFlow>& to) {
  std::shared_ptr<const FlowTransition>& result = transitions_[{from.get(), to.get()}];
  if (!result) result = std::make_shared<const FlowTransition>(*model_, *from, *to);
  return *result;
}

}  // namespace microslip
