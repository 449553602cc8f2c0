#include "microslip/structure/large_modes.hpp"

#ifdef MICROSLIP_CHOLMOD
#include <Eigen/CholmodSupport>
#endif
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/sparse_ldlt.hpp"
#include "microslip/structure/lanczos.hpp"

namespace microslip {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// The shift, against the typical K(i,i)/M(i,i), the square of the highest frequency: below the elastic modes, and far
/// above the rounding of the rigid ones.
constexpr double shift_share = 1e-8;

/// -s > 0 such that K - s M is positive definite.
double shift_below_zero(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  std::vector<double> ratios;
  for (Eigen::Index i = 0; i < mass.rows(); ++i) {
    const double m = mass.coeff(i, i), k = stiffness.coeff(i, i);
    if (m > 0.0 && k > 0.0) ratios.push_back(k / m);
  }
  if (ratios.empty()) throw std::invalid_argument("the structure has no degree of freedom with mass and stiffness");
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return shift_share * *middle;
}

#ifdef MICROSLIP_CHOLMOD

/// (K - s M)^-1 by CHOLMOD; counting stays with our factors, which need no definite matrix.
class DefiniteSolver {
 public:
  explicit DefiniteSolver(const SparseMatrix& matrix) : factors_(matrix) {
    if (factors_.info() != Eigen::Success) {
      throw std::invalid_argument("the stiffness or the mass matrix is indefinite, or a motion has neither of them");
    }
  }
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> columns) const {
    columns = Eigen::MatrixXd(factors_.solve(Eigen::MatrixXd(columns)));
  }
  static SignCount negative_of(const SparseMatrix& matrix) {
    const SparseLdlt factors(matrix, TinyPivots::keep);
    return {factors.negative(), factors.rounding()};
  }

 private:
  Eigen::CholmodSupernodalLLT<SparseMatrix> factors_;
};

#else

/// (K - s M)^-1 by our own factors.
class DefiniteSolver {
 public:
  explicit DefiniteSolver(const SparseMatrix& matrix) : factors_(matrix) {
    if (factors_.negative() > 0) {
      throw std::invalid_argument(fmt::format(
          "the stiffness or the mass matrix is indefinite: below zero there are {} modes", factors_.negative()));
    }
    if (!factors_.raised().empty()) {
      throw std::invalid_argument(fmt::format("degree of freedom {} has neither stiffness nor mass of its own",
                                              factors_.raised().front().row + 1));
    }
  }
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> columns) const { factors_.solve_in_place(columns); }
  /// Negative eigenvalues of another matrix of the same structure; the end of solving.
  SignCount negative_of(const SparseMatrix& matrix) {
    factors_.factor(matrix, TinyPivots::keep);
    return {factors_.negative(), factors_.rounding()};
  }

 private:
  SparseLdlt factors_;
};

#endif

/// Removes what `shapes` hold from displacements (in the inner product of M).
void remove_modes(const Eigen::MatrixXd& shapes, const Eigen::MatrixXd& mass_shapes, Eigen::MatrixXd& x) {
  x -= times(shapes, transpose_times(mass_shapes, x));
}

/// K x = b in the complement of the modes, by the factors of K - s M: every round leaves s/omega^2 of the error, omega
/// of the first mode left out.
Eigen::MatrixXd static_rest(const SparseMatrix& stiffness, const SparseMatrix& mass, const DefiniteSolver& factors,
                            const Eigen::MatrixXd& shapes, const Eigen::MatrixXd& directions) {
  constexpr int most_rounds = 50;
  const Eigen::MatrixXd mass_shapes = mass * shapes;
  Eigen::MatrixXd load = directions;
  remove_modes(mass_shapes, shapes, load);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(load.rows(), load.cols()), residual = load;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round) {
    factors.solve_in_place(residual);
    remove_modes(shapes, mass_shapes, residual);
    x += residual;
    residual = load - stiffness * x;
    remove_modes(mass_shapes, shapes, residual);
    const double now = residual.norm();
    if (now <= epsilon * load.norm() || now > 0.5 * before) break;
    before = now;
  }
  return x;
}

}  // namespace

Modes lowest_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, int count, const Eigen::MatrixXd& statics) {
  const Eigen::Index n = mass.rows();
  constexpr Eigen::Index beyond = 3;  // pairs behind the wanted ones: where to count
  if (count < 1 || count + beyond >= n) {
    throw std::invalid_argument(fmt::format("the number of modes must be from 1 to {}, got {}", n - beyond - 1, count));
  }
  const double shift = shift_below_zero(stiffness, mass);
  DefiniteSolver factors(stiffness + shift * mass);
  const RitzPairs pairs =
      lowest_pairs([&](auto x) { factors.solve_in_place(x); }, stiffness, mass, -shift, count + beyond);
  Eigen::MatrixXd rest;
  if (statics.cols() > 0) {
    const Eigen::MatrixXd shapes = pairs.shapes.leftCols(count);
    rest = static_rest(stiffness, mass, factors, shapes, statics);
  }
  // A repeated eigenvalue may hide from Lanczos.
  check_count(
      pairs, count, [&](double place) { return factors.negative_of(stiffness - place * mass); }, "modes");

  Modes modes;
  RitzPairs tail;
  if (rest.cols() > 0) tail = ritz(stiffness, mass, rest);
  const Eigen::Index extra = tail.values.size();
  modes.omega.resize(count + extra);
  modes.shapes.resize(n, count + extra);
  modes.shapes.leftCols(count) = pairs.shapes.leftCols(count);
  if (extra > 0) modes.shapes.rightCols(extra) = tail.shapes;
  const SparseMatrix magnitude = stiffness.cwiseAbs();
  for (Eigen::Index i = 0; i < count + extra; ++i) {
    auto shape = modes.shapes.col(i);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    if (shape(largest) < 0.0) shape = -shape;
    const double energy = i < count ? pairs.values(i) : tail.values(i - count);
    const Eigen::VectorXd terms = shape.cwiseAbs();
    const double rounding = 200.0 * epsilon * terms.dot(magnitude * terms);  // of phi^T K phi
    if (i < count && energy <= rounding) {
      modes.omega(i) = 0.0;
      modes.rigid++;
    } else {
      modes.omega(i) = std::sqrt(std::max(energy, 0.0));
    }
  }
  return modes;
}

}  // namespace microslip
