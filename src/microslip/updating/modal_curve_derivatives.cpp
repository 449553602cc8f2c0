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

/// d s, d s' and d D at a node.
struct ExcessChange {
  double excess = 0.0, slope = 0.0, loss = 0.0;
};

using Vector = Eigen::VectorXd;

}  // namespace

void ModalCurveSolver::set_derivatives(const ModeConstants& mode, const std::vector<VirginCurve<LawNumber>>& numbers,
                                       const std::vector<CurveDirection>& directions, ModalCurveValues& result) {
  const auto count = static_cast<std::size_t>(joints_);
  const Eigen::Index joints = joints_, nodes = grid_->size();
  const auto many = static_cast<Eigen::Index>(directions.size());
  Eigen::MatrixXd d_excess = Eigen::MatrixXd::Zero(nodes, many), d_slope = d_excess, d_loss = d_excess;
  NodeLaws laws(count);
  Vector y1(joints), u2(joints), bend(joints), lambda(joints), back(joints);
  for (int node = 0; node < result.reached; ++node) {
    const std::size_t at = static_cast<std::size_t>(node) * count;
    const double q = grid_->nodes()[static_cast<std::size_t>(node)];
    const Eigen::Map<const Vector> x(&path_.x[at], joints), g(&path_.g[at], joints), u1(&path_.u1[at], joints);
    laws.set(numbers, &path_.u[at]);
    // u'' = -(I + A' G)^-1 A' (dG/du u'^2);  lambda = (I + G A')^-1 dD/du = dD/du - G (I + A' G)^-1 A' dD/du
    for (Eigen::Index j = 0; j < joints; ++j) {
      bend(j) = laws.g[static_cast<std::size_t>(j)].gradient()[0] * u1(j) * u1(j);
      lambda(j) = laws.loss[static_cast<std::size_t>(j)].gradient()[0];
    }
    u2.noalias() = -mode.compliance * bend;
    if (!solve_matrix(mode, g.data(), u2.data())) u2.setZero();
    const Vector y = g.cwiseProduct(u1);
    y1 = bend + g.cwiseProduct(u2);
    back.noalias() = mode.compliance * lambda;
    if (!solve_matrix(mode, g.data(), back.data())) back.setZero();
    lambda -= g.cwiseProduct(back);
    const Vector loss_by_x = -mode.compliance * lambda;  // an x of the joint's own moves D by so much

    for (Eigen::Index p = 0; p < many; ++p) {
      const CurveDirection& direction = directions[static_cast<std::size_t>(p)];
      ExcessChange change;
      if (const ModeConstants* d = direction.constants; d != nullptr && d->beta.size() > 0) {
        const Vector moved_x = d->compliance * x, moved_y = d->compliance * y;
        change.excess = d->beta.dot(x + q * y) - y.dot(moved_x);
        change.slope = d->beta.dot(2.0 * y + q * y1) - y1.dot(moved_x) - y.dot(moved_y);
        change.loss = lambda.dot(q * d->beta - moved_x);
      }
      for (const LawMotion& motion : direction.laws) {
        const auto j = static_cast<std::size_t>(motion.joint);
        const Eigen::Index i = motion.joint;
        const int number = motion.number + 1;
        const double dx = laws.x[j].gradient()[number], dg = laws.g[j].gradient()[number];
        change.excess += motion.factor * u1(i) * dx;
        change.slope += motion.factor * (u2(i) * dx + u1(i) * u1(i) * dg);
        change.loss += motion.factor * (laws.loss[j].gradient()[number] + loss_by_x(i) * dx);
      }
      d_excess(node, p) = change.excess;
      d_slope(node, p) = change.slope;
      d_loss(node, p) = change.loss;
    }
  }

  result.derivatives.assign(directions.size(), Eigen::MatrixXd::Zero(nodes, curve_columns));
  const Eigen::MatrixXd d_harmonic = grid_->by_excess() * d_excess + grid_->by_slope() * d_slope;
  for (Eigen::Index p = 0; p < many; ++p) {
    const ModeConstants* d = directions[static_cast<std::size_t>(p)].constants;
    const double d_stiffness = d != nullptr ? d->stiffness : 0.0, d_damping = d != nullptr ? d->damping : 0.0;
    Eigen::MatrixXd& columns = result.derivatives[static_cast<std::size_t>(p)];
    for (int node = grid_->first(); node < result.reached; ++node) {
      const auto i = static_cast<std::size_t>(node);
      const double q = grid_->nodes()[i], s = path_.excess[i], loss = path_.loss[i];
      const double tangent = mode.stiffness + path_.slope[i], omega = result.values(node, omega_ringdown_column);
      const double d_omega = omega > 0.0 ? 0.5 * (d_stiffness + d_harmonic(node, p)) / omega : 0.0;
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
