#include <cmath>
#include <cstddef>

#include "microslip/numerics/constants.hpp"
#include "microslip/updating/modal_curve.hpp"

namespace microslip {
namespace {

/// What the laws say at a node, with the derivatives by their numbers.
struct NodeLaws {
  std::vector<LawNumber> x, g, loss;

  explicit NodeLaws(std::size_t joints) : x(joints), g(joints), loss(joints) {}

  void set(const std::vector<VirginCurve<LawNumber>>& laws, const double* u) {
    for (std::size_t j = 0; j < laws.size(); ++j) {
      const LawNumber deflection = LawNumber::variable(u[j], 0);
      const auto point = laws[j].at(deflection);
      const LawNumber stuck = laws[j].stuck_stiffness();
      x[j] = point.force - stuck * deflection;
      g[j] = point.slope - stuck;
      loss[j] = laws[j].loss(deflection);
    }
  }
};

}  // namespace

auto ModalCurveSolver::change_at(const ModeConstants& mode, const std::vector<VirginCurve<LawNumber>>& numbers,
                                 const std::vector<CurveDirection>& directions, double q, const double* u,
                                 const double* u1_of, const double* x_of, const double* g_of) const -> PointChange {
  using Vector = Eigen::VectorXd;
  const Eigen::Index joints = joints_, many = static_cast<Eigen::Index>(directions.size());
  const Eigen::Map<const Vector> x(x_of, joints), g(g_of, joints), u1(u1_of, joints);
  NodeLaws laws(static_cast<std::size_t>(joints));
  laws.set(numbers, u);
  // u'' = -(I + A' G)^-1 A' (dG/du u'^2);  lambda = (I + G A')^-1 dD/du = dD/du - G (I + A' G)^-1 A' dD/du
  Vector bend(joints), lambda(joints);
  for (Eigen::Index j = 0; j < joints; ++j) {
    bend(j) = laws.g[static_cast<std::size_t>(j)].gradient()[0] * u1(j) * u1(j);
    lambda(j) = laws.loss[static_cast<std::size_t>(j)].gradient()[0];
  }
  Vector u2 = -mode.compliance * bend;
  if (!solve_matrix(mode, g_of, u2.data())) u2.setZero();
  const Vector y = g.cwiseProduct(u1), y1 = bend + g.cwiseProduct(u2);
  Vector back = mode.compliance * lambda;
  if (!solve_matrix(mode, g_of, back.data())) back.setZero();
  lambda -= g.cwiseProduct(back);
  const Vector loss_by_x = -mode.compliance * lambda;  // an x of the joint's own moves D by so much

  PointChange change{Vector::Zero(many), Vector::Zero(many), Vector::Zero(many)};
  for (Eigen::Index p = 0; p < many; ++p) {
    const CurveDirection& direction = directions[static_cast<std::size_t>(p)];
    if (const ModeConstants* d = direction.constants; d != nullptr && d->beta.size() > 0) {
      const Vector moved_x = d->compliance * x, moved_y = d->compliance * y;
      change.excess(p) = d->beta.dot(x + q * y) - y.dot(moved_x);
      change.slope(p) = d->beta.dot(2.0 * y + q * y1) - y1.dot(moved_x) - y.dot(moved_y);
      change.loss(p) = lambda.dot(q * d->beta - moved_x);
    }
    for (const LawMotion& motion : direction.laws) {
      const auto j = static_cast<std::size_t>(motion.joint);
      const Eigen::Index i = motion.joint;
      const int number = motion.number + 1;
      const double dx = laws.x[j].gradient()[number], dg = laws.g[j].gradient()[number];
      change.excess(p) += motion.factor * u1(i) * dx;
      change.slope(p) += motion.factor * (u2(i) * dx + u1(i) * u1(i) * dg);
      change.loss(p) += motion.factor * (laws.loss[j].gradient()[number] + loss_by_x(i) * dx);
    }
  }
  return change;
}

void ModalCurveSolver::set_derivatives(const ModeConstants& mode, const std::vector<VirginCurve<LawNumber>>& numbers,
                                       const std::vector<CurveDirection>& directions, ModalCurveValues& result) {
  const Eigen::Index nodes = grid_->size(), many = static_cast<Eigen::Index>(directions.size());
  Eigen::MatrixXd d_excess = Eigen::MatrixXd::Zero(nodes, many), d_slope = d_excess, d_loss = d_excess;
  for (int node = 0; node < result.reached; ++node) {
    const std::size_t at = static_cast<std::size_t>(node) * static_cast<std::size_t>(joints_);
    const double q = grid_->nodes()[static_cast<std::size_t>(node)];
    const PointChange change = change_at(mode, numbers, directions, q, path_.u.data() + at, path_.u1.data() + at,
                                         path_.x.data() + at, path_.g.data() + at);
    d_excess.row(node) = change.excess.transpose();
    d_slope.row(node) = change.slope.transpose();
    d_loss.row(node) = change.loss.transpose();
  }
  std::vector<PointChange> before, after;
  std::vector<Eigen::VectorXd> motions;
  for (const Jump& jump : jumps_) {
    const auto at = [&](const Side& side) {
      return change_at(mode, numbers, directions, jump.q, side.u.data(), side.u1.data(), side.x.data(), side.g.data());
    };
    before.push_back(at(jump.before));
    after.push_back(at(jump.after));
    motions.push_back(motion_of(jump, mode, numbers, directions));
  }

  result.derivatives.assign(directions.size(), Eigen::MatrixXd::Zero(nodes, curve_columns));
  Eigen::MatrixXd d_harmonic = grid_->by_excess() * d_excess + grid_->by_slope() * d_slope;
  for (Eigen::Index p = 0; p < many; ++p) {
    const auto at_point = [&](const PiecePoint& at) -> std::array<double, 2> {
      const auto i = static_cast<Eigen::Index>(at.index);
      if (at.kind == PiecePoint::Kind::node) return {d_excess(i, p), d_slope(i, p)};
      const PointChange& change = at.kind == PiecePoint::Kind::before ? before[at.index] : after[at.index];
      return {change.excess(p), change.slope(p)};
    };
    const ModeConstants* d = directions[static_cast<std::size_t>(p)].constants;
    const double d_stiffness = d != nullptr ? d->stiffness : 0.0, d_damping = d != nullptr ? d->damping : 0.0;
    Eigen::MatrixXd& columns = result.derivatives[static_cast<std::size_t>(p)];
    for (int node = grid_->first(); node < result.reached; ++node) {
      const auto i = static_cast<std::size_t>(node);
      const double q = grid_->nodes()[i], s = path_.excess[i], loss = path_.loss[i];
      double d_k1 = d_stiffness + d_harmonic(node, p) + jump_part(node, at_point);
      for (std::size_t k = 0; k < jumps_.size(); ++k) {  // a jump of the slope that moves
        d_k1 += harmonic_of_jump(jumps_[k].q, q) * (jumps_[k].before.slope - jumps_[k].after.slope) * motions[k](p);
      }
      const double tangent = mode.stiffness + path_.slope[i], omega = result.values(node, omega_ringdown_column);
      const double d_omega = omega > 0.0 ? 0.5 * d_k1 / omega : 0.0;
      columns(node, omega_ringdown_column) = d_omega;
      const double d_lost = d_loss(node, p) + pi * q * q * (d_damping * omega + mode.damping * d_omega);
      columns(node, zeta_column) = d_lost / (two_pi * q * q * tangent) -
                                   result.values(node, zeta_column) * (d_stiffness + d_slope(node, p)) / tangent;
      columns(node, omega_column) = 0.5 * (d_stiffness + d_excess(node, p) / q) / result.values(node, omega_column);
      const double load = mode.stiffness * q + s, d_load = d_stiffness * q + d_excess(node, p);
      const double root = std::sqrt(mode.stiffness);
      columns(node, zeta_secant_column) = (d_loss(node, p) - loss * d_load / load) / (two_pi * q * load) +
                                          0.5 * (d_damping - 0.5 * mode.damping * d_stiffness / mode.stiffness) / root;
    }
  }
}

}  // namespace microslip
