#include "microslip/structure/constrained_solver.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

namespace microslip {
namespace {

SparseMatrix with_raised(const SparseMatrix& constraints, const std::vector<SparseLdlt::Raised>& raised) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < constraints.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(constraints, j); entry; ++entry) {
      entries.emplace_back(entry.row(), entry.col(), entry.value());
    }
  }
  for (std::size_t r = 0; r < raised.size(); ++r) {
    entries.emplace_back(constraints.rows() + static_cast<Eigen::Index>(r), raised[r].row, -1.0);
  }
  SparseMatrix rows(constraints.rows() + static_cast<Eigen::Index>(raised.size()), constraints.cols());
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

}  // namespace

ConstrainedSolver::ConstrainedSolver(const SparseMatrix& stiffness, const SparseMatrix& constraints)
    : stiffness_(stiffness),
      constraints_(constraints),
      factors_(stiffness),
      rows_(with_raised(constraints, factors_.raised())),
      answers_(Eigen::MatrixXd(SparseMatrix(rows_.transpose()))) {
  if (factors_.negative() > 0) throw std::invalid_argument("the stiffness matrix is indefinite");
  factors_.solve_in_place(answers_);
  Eigen::MatrixXd small = rows_ * answers_;
  for (std::size_t r = 0; r < factors_.raised().size(); ++r) {
    const Eigen::Index place = constraints.rows() + static_cast<Eigen::Index>(r);
    small(place, place) -= 1.0 / factors_.raised()[r].by;
  }
  // Translations, rotations and raised entries have units of their own: made comparable.
  scale_ = (rows_ * answers_).diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  if (!scale_.allFinite()) throw std::invalid_argument("a boundary coordinate depends on no degree of freedom");
  small = (scale_.asDiagonal() * small * scale_.asDiagonal()).eval();
  small_.compute(small);
  constexpr double singular = 1e-13;
  if (small.rows() > 0 && !(small_.rcond() > singular)) {
    throw std::invalid_argument(
        "the boundary does not hold the structure, or its coordinates depend on each other: a motion without strain is "
        "left when all of them are held");
  }
}

ConstrainedSolver::Solution ConstrainedSolver::solve_once(const Eigen::MatrixXd& f, const Eigen::MatrixXd& g) const {
  Eigen::MatrixXd x = f;
  factors_.solve_in_place(x);
  Eigen::MatrixXd rest = rows_ * x;
  rest.topRows(g.rows()) -= g;
  const Eigen::MatrixXd multipliers = scale_.asDiagonal() * small_.solve(scale_.asDiagonal() * rest);
  x.noalias() -= answers_ * multipliers;
  return {std::move(x), multipliers.topRows(constraints_.rows())};
}

Eigen::MatrixXd ConstrainedSolver::solve(const Eigen::MatrixXd& f, const Eigen::MatrixXd& g) const {
  const Solution first = solve_once(f, g);
  const Eigen::MatrixXd force = f - stiffness_ * first.x - constraints_.transpose() * first.multipliers;
  const Eigen::MatrixXd means = g - constraints_ * first.x;
  return first.x + solve_once(force, means).x;
}

Eigen::MatrixXd ConstrainedSolver::free_boundary_motions() const {
  // K R = 0 means F R = E D E^T R: the motions are F^-1 E.
  const Eigen::MatrixXd motions = answers_.rightCols(free_motions());
  const Eigen::MatrixXd forces = stiffness_ * motions;
  const Eigen::MatrixXd scale = stiffness_.cwiseAbs() * motions.cwiseAbs();
  constexpr double strained = 1e-8;  // a pivot that was small, but no rounding: a very soft structure
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < motions.cols(); ++i) {
    if (forces.col(i).norm() <= strained * scale.col(i).norm()) free.push_back(i);
  }
  Eigen::MatrixXd seen(constraints_.rows(), static_cast<Eigen::Index>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i)
    seen.col(static_cast<Eigen::Index>(i)) = constraints_ * motions.col(free[i]);
  return seen;
}

void ConstrainedSolver::solve_homogeneous(Eigen::Ref<Eigen::MatrixXd> f) const {
  factors_.solve_in_place(f);
  const Eigen::MatrixXd rest = rows_ * f;
  f.noalias() -= answers_ * (scale_.asDiagonal() * small_.solve(scale_.asDiagonal() * rest));
}

int constrained_modes_below(const SparseMatrix& stiffness, const SparseMatrix& mass, const SparseMatrix& constraints,
                            double place) {
  // The saddle point of K - place M has as many negative eigenvalues as it has constraints and modes below. Eliminated:
  // those of K - place M, and those of -G (K - place M)^-1 G^T.
  const SparseLdlt factors(SparseMatrix(stiffness - place * mass), TinyPivots::keep);
  Eigen::MatrixXd answers = Eigen::MatrixXd(SparseMatrix(constraints.transpose()));
  factors.solve_in_place(answers);
  const Eigen::MatrixXd schur = constraints * answers;
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (schur + schur.transpose()), Eigen::EigenvaluesOnly)
          .eigenvalues();
  const auto positive = static_cast<int>((values.array() > 0.0).count());
  return factors.negative() + positive - static_cast<int>(constraints.rows());
}

}  // namespace microslip
