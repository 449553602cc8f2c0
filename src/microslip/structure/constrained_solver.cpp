#include "microslip/structure/constrained_solver.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "microslip/numerics/dense.hpp"

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

SparseLdlt factors_of_free_bodies(const SparseMatrix& stiffness) {
  constexpr double maybe_rounding = 1e-7;
  return SparseLdlt(stiffness, TinyPivots::raise, maybe_rounding);
}

Eigen::MatrixXd motions_without_strain(const SparseMatrix& stiffness, const SparseLdlt& factors) {
  const Eigen::Index n = stiffness.rows(), count = static_cast<Eigen::Index>(factors.raised().size());
  if (count == 0) return Eigen::MatrixXd(n, 0);
  // K R = 0 means F R = E D E^T R: the motions are among F^-1 E; those of pivots that were small and no rounding are
  // sorted out by their energy.
  Eigen::MatrixXd answers = Eigen::MatrixXd::Zero(n, count);
  for (Eigen::Index i = 0; i < count; ++i) answers(factors.raised()[static_cast<std::size_t>(i)].row, i) = 1.0;
  factors.solve_in_place(answers);
  const Eigen::MatrixXd basis = orthogonal_columns(answers, count);
  const Eigen::MatrixXd energy = transpose_times(basis, Eigen::MatrixXd(stiffness * basis));
  const SymmetricEigen pairs = symmetric_eigen(0.5 * (energy + energy.transpose()));
  const Eigen::MatrixXd motions = times(basis, pairs.vectors);
  const SparseMatrix magnitude = stiffness.cwiseAbs();
  constexpr double strained = 1e-10;
  Eigen::Index free = 0;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::VectorXd size = motions.col(i).cwiseAbs();
    if (pairs.values(i) <= strained * size.dot(magnitude * size)) free = i + 1;
  }
  return motions.leftCols(free);
}

ConstrainedSolver::ConstrainedSolver(const SparseMatrix& stiffness, const SparseMatrix& constraints)
    : stiffness_(stiffness),
      constraints_(constraints),
      factors_(factors_of_free_bodies(stiffness)),
      motions_(motions_without_strain(stiffness, factors_)),
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
  const Eigen::MatrixXd multipliers = scale_.asDiagonal() * small_.solve(Eigen::MatrixXd(scale_.asDiagonal() * rest));
  x.noalias() -= answers_ * multipliers;
  return {std::move(x), multipliers.topRows(constraints_.rows())};
}

Eigen::MatrixXd ConstrainedSolver::solve(const Eigen::MatrixXd& f, const Eigen::MatrixXd& g) const {
  const Solution first = solve_once(f, g);
  const Eigen::MatrixXd force = f - stiffness_ * first.x - constraints_.transpose() * first.multipliers;
  const Eigen::MatrixXd means = g - constraints_ * first.x;
  return first.x + solve_once(force, means).x;
}

void ConstrainedSolver::solve_homogeneous(Eigen::Ref<Eigen::MatrixXd> f) const {
  factors_.solve_in_place(f);
  const Eigen::MatrixXd rest = rows_ * f;
  f.noalias() -= answers_ * (scale_.asDiagonal() * small_.solve(Eigen::MatrixXd(scale_.asDiagonal() * rest)));
}

SignCount constrained_modes_below(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                  const SparseMatrix& constraints, double place) {
  // The saddle point of K - place M has as many negative eigenvalues as it has constraints and modes below. Eliminated:
  // those of K - place M, and those of -G (K - place M)^-1 G^T.
  const SparseLdlt factors(SparseMatrix(stiffness - place * mass), TinyPivots::keep);
  Eigen::MatrixXd answers = Eigen::MatrixXd(SparseMatrix(constraints.transpose()));
  factors.solve_in_place(answers);
  const Eigen::MatrixXd schur = constraints * answers;
  // Its rounding: of the sums, and of the answers, which shows in what it lacks of symmetry. Both grow without limit as
  // the place comes near to a mode of the free structure. Translations and rotations have units of their own: made
  // comparable, which leaves the signs as they are.
  const Eigen::MatrixXd sums = SparseMatrix(constraints.cwiseAbs()) * answers.cwiseAbs();
  const Eigen::VectorXd scale = sums.diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt().cwiseInverse();
  const auto scaled = [&](const Eigen::MatrixXd& matrix) -> Eigen::MatrixXd {
    return scale.asDiagonal() * matrix * scale.asDiagonal();
  };
  const double rounding =
      std::numeric_limits<double>::epsilon() * scaled(sums).norm() + scaled(schur - schur.transpose()).norm();
  const Eigen::VectorXd values = symmetric_eigenvalues(scaled(0.5 * (schur + schur.transpose())));
  const auto positive = static_cast<int>((values.array() > 0.0).count());
  const bool clear = values.size() == 0 || values.cwiseAbs().minCoeff() > rounding;
  return {factors.negative() + positive - static_cast<int>(constraints.rows()), factors.rounding(), clear};
}

}  // namespace microslip
