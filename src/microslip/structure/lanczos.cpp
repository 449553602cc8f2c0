#include "microslip/structure/lanczos.hpp"

#include <Spectra/SymGEigsShiftSolver.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr double tolerance = 1e-12;
constexpr int most_restarts = 300;

/// The inverse for Spectra.
class InverseProduct {
 public:
  using Scalar = double;
  InverseProduct(const Inverse& inverse, Eigen::Index size) : inverse_(&inverse), size_(size) {}
  [[nodiscard]] Eigen::Index rows() const { return size_; }
  [[nodiscard]] Eigen::Index cols() const { return size_; }
  void set_shift(double) const {}
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Eigen::MatrixXd> result(y, size_, 1);
    result = Eigen::Map<const Eigen::MatrixXd>(x, size_, 1);
    (*inverse_)(result);
  }

 private:
  const Inverse* inverse_;
  Eigen::Index size_;
};

/// M x for Spectra.
class MassProduct {
 public:
  using Scalar = double;
  explicit MassProduct(const SparseMatrix& mass) : mass_(&mass) {}
  [[nodiscard]] Eigen::Index rows() const { return mass_->rows(); }
  [[nodiscard]] Eigen::Index cols() const { return mass_->rows(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Eigen::VectorXd>(y, rows()).noalias() = *mass_ * Eigen::Map<const Eigen::VectorXd>(x, rows());
  }

 private:
  const SparseMatrix* mass_;
};

}  // namespace

RitzPairs ritz(const SparseMatrix& stiffness, const SparseMatrix& mass, const Eigen::MatrixXd& columns) {
  const RitzPairs none{Eigen::VectorXd(0), Eigen::MatrixXd(columns.rows(), 0)};
  if (columns.cols() == 0) return none;
  Eigen::MatrixXd scaled = columns;
  for (Eigen::Index c = 0; c < scaled.cols(); ++c) {
    const double size = std::sqrt(std::max(0.0, scaled.col(c).dot(mass * scaled.col(c))));
    if (size > 0.0) scaled.col(c) /= size;
  }
  const Eigen::MatrixXd m = transpose_times(scaled, Eigen::MatrixXd(mass * scaled));
  const SymmetricEigen gram = symmetric_eigen(m);
  constexpr double dependent = 1e-12;
  Eigen::Index kept = 0;
  while (kept < m.rows() && gram.values(m.rows() - 1 - kept) > dependent) ++kept;
  if (kept == 0) return none;
  const Eigen::MatrixXd orthonormal = times(scaled, Eigen::MatrixXd(gram.vectors.rightCols(kept))) *
                                      gram.values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::MatrixXd k = transpose_times(orthonormal, Eigen::MatrixXd(stiffness * orthonormal));
  const SymmetricEigen pairs = symmetric_eigen(k);
  return {pairs.values, times(orthonormal, pairs.vectors)};
}

RitzPairs lowest_pairs(const Inverse& inverse, const SparseMatrix& stiffness, const SparseMatrix& mass, double shift,
                       Eigen::Index wanted) {
  InverseProduct product(inverse, mass.rows());
  MassProduct mass_product(mass);
  const Eigen::Index vectors = std::min<Eigen::Index>(mass.rows(), std::max<Eigen::Index>(2 * wanted, wanted + 30));
  Spectra::SymGEigsShiftSolver<InverseProduct, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(
      product, mass_product, wanted, vectors, shift);
  // A start in the range of the operator: a singular M has directions that no power of the operator would remove.
  Eigen::VectorXd start(mass.rows());
  std::uint32_t state = 1;  // the same study, the same numbers
  for (double& value : start) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<double>(state) / 4294967296.0 - 0.5;
  }
  const Eigen::VectorXd random = mass * start;
  product.perform_op(random.data(), start.data());
  solver.init(start.data());
  const Eigen::Index found =
      solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance, Spectra::SortRule::LargestMagn);
  if (solver.info() != Spectra::CompInfo::Successful || found < wanted) {
    throw std::runtime_error(
        fmt::format("{} of {} modes converged in {} restarts of Lanczos", found, wanted, most_restarts));
  }
  return ritz(stiffness, mass, solver.eigenvectors(wanted));
}

std::pair<Eigen::Index, double> gap_behind(const Eigen::VectorXd& values, Eigen::Index count) {
  Eigen::Index best = count;
  double widest = -1.0;
  for (Eigen::Index i = count; i < values.size(); ++i) {
    const double gap = (values(i) - values(i - 1)) / std::max(std::abs(values(i)), 1e-300);
    if (gap <= widest) continue;
    widest = gap;
    best = i;
  }
  return {best, 0.5 * (values(best - 1) + values(best))};
}

void check_count(const RitzPairs& pairs, Eigen::Index count, const std::function<SignCount(double place)>& count_below,
                 const std::string& what) {
  const Eigen::Index below = gap_behind(pairs.values, count).first;
  const double low = pairs.values(below - 1), high = pairs.values(below);
  const double shape = std::max(pairs.shapes.col(below - 1).squaredNorm(), pairs.shapes.col(below).squaredNorm());
  std::string found;
  int lead = 0;  // unsure counts that agree, less those that do not
  for (const double share : {0.5, 0.4, 0.6, 0.3, 0.7}) {
    const double place = low + share * (high - low);
    const SignCount counted = count_below(place);
    const bool agrees = counted.below == below;
    const bool sure = counted.clear && counted.rounding * shape < std::min(place - low, high - place);
    lead += agrees ? 1 : -1;
    if (agrees && (sure || lead == 2)) return;
    if (agrees) continue;
    found = fmt::format("{} {} were found below omega^2 = {:.6g}, where there are {} by Sylvester's law", below, what,
                        place, counted.below);
    if (sure) throw std::runtime_error(found + "; ask for another number of modes");
  }
  throw std::runtime_error(found + ", but rounding hides the signs that tell; ask for another number of modes");
}

}  // namespace microslip
