#include "microslip/identify/modal_iwan_statistics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/identify/modal_iwan_evidence.hpp"
#include "microslip/identify/parameter_covariance.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr double poorly = 0.5;  // standard error in fit coordinates (relative, chi: absolute)
constexpr std::array<std::string_view, modal_iwan_size> coordinate_names = {"ln Kinf", "zeta0", "ln FS",
                                                                            "ln KT",   "chi",   "beta/(1+beta)"};

/// sum over rows i, k of w_i s_i w_k s_k c^|i-k| j_i j_k^T/e^4: rows of the Jacobian carry sqrt(w)/e already.
Eigen::MatrixXd spread_of_gradient(const ModalIwanResiduals& fit, const RowMatrix& jacobian,
                                   const RowEvidence& evidence) {
  const auto n = static_cast<Eigen::Index>(fit.points.size());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(jacobian.cols(), jacobian.cols());
  RowMatrix rows(n, jacobian.cols());
  for (int kind = 0; kind < 2; ++kind) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double weight = fit.points[static_cast<std::size_t>(i)].weight;
      const double scale = std::sqrt(weight * evidence.variance[static_cast<std::size_t>(2 * i + kind)]);
      rows.row(i) = scale * jacobian.row(2 * i + kind);
    }
    sum += correlated_squares(rows, evidence.correlation(kind));
  }
  return sum;
}

/// What the parameters move by when a row, its frequency and its damping, is left out, summed over all of them: large
/// where a few rows carry a parameter alone. `basis`: Jacobian times a matrix that makes its columns orthonormal.
Eigen::MatrixXd spread_of_left_out_rows(const RowMatrix& basis, const Eigen::VectorXd& residuals) {
  constexpr double least = 0.05;  // of what is left of a direction
  const Eigen::Index size = basis.cols();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size, size);
  for (Eigen::Index first = 0; first < basis.rows(); first += 2) {
    const RowMatrix row = basis.middleRows(first, 2);
    const SymmetricEigen left =
        symmetric_eigen(Eigen::MatrixXd(Eigen::MatrixXd::Identity(size, size) - row.transpose() * row));
    const Eigen::VectorXd pull = left.vectors.transpose() * (row.transpose() * residuals.segment(first, 2));
    const Eigen::VectorXd move = left.vectors * pull.cwiseQuotient(left.values.cwiseMax(least));
    sum += move * move.transpose();
  }
  return sum;
}

/// The larger of two covariances in every direction, the second being allowed twice the variance.
Eigen::MatrixXd larger_of(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const SymmetricEigen root = symmetric_eigen(a);
  if (!(root.values(0) > 0.0)) return a + b;
  const Eigen::MatrixXd half = root.vectors * root.values.cwiseSqrt().asDiagonal();
  const Eigen::MatrixXd back = root.values.cwiseSqrt().cwiseInverse().asDiagonal() * root.vectors.transpose();
  const SymmetricEigen ratio = symmetric_eigen(Eigen::MatrixXd(back * b * back.transpose()));
  const Eigen::MatrixXd turned = half * ratio.vectors;
  return turned * (0.5 * ratio.values).cwiseMax(1.0).asDiagonal() * turned.transpose();
}

ParameterCovariance covariance(const ModalIwanResiduals& fit, const FitVector& x,
                               const std::array<bool, modal_iwan_size>& free, RowEvidence& evidence) {
  if (std::none_of(free.begin(), free.end(), [](bool is) { return is; })) {
    return {Eigen::MatrixXd::Zero(modal_iwan_size, modal_iwan_size), Eigen::MatrixXd(modal_iwan_size, 0)};
  }
  const auto rows = 2 * static_cast<Eigen::Index>(fit.points.size());  // a bound on phi_max is no measurement
  Eigen::VectorXd residuals(static_cast<Eigen::Index>(fit.size()));
  RowMatrix all(residuals.size(), modal_iwan_size);
  fit.evaluate(x, {residuals.data(), fit.size()}, {all.data(), fit.size() * modal_iwan_size});
  const DeterminedDirections directions(all.topRows(rows), free);
  const RowMatrix& basis = directions.basis();
  evidence = row_evidence(fit, x, static_cast<int>(basis.cols()));
  const Eigen::MatrixXd spread = spread_of_gradient(fit, basis, evidence);
  return directions.covariance(larger_of(spread, spread_of_left_out_rows(basis, residuals)));
}

Estimate estimate(const Dual<modal_iwan_size>& quantity, const ParameterCovariance& covariance) {
  const Eigen::Map<const Eigen::VectorXd> gradient(quantity.gradient(), modal_iwan_size);
  return {quantity.value, covariance.error(gradient)};
}

/// "ln FS +0.71, ln KT -0.70".
std::string direction(const Eigen::VectorXd& vector) {
  std::vector<std::string> parts;
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (std::abs(vector(k)) > 5e-3) parts.push_back(fmt::format("{} {:+.2f}", coordinate_names[k], vector(k)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void tell_undetermined(const ParameterCovariance& covariance, const std::array<bool, modal_iwan_size>& free,
                       double q_max, ModalIwanFit& fit) {
  if (fit.undetermined.empty()) return;
  if (fit.macroslip_points == 0 && free[0] && free[3]) {
    add_note(
        fmt::format("the data do not reach macroslip (q up to {:.4g}): they determine omega0^2 = Kinf + KT, R, chi and "
                    "zeta0, but {} only in these combinations; fix some of them or add data of larger amplitude",
                    q_max, fmt::join(fit.undetermined, ", ")),
        fit.message);
    return;
  }
  std::vector<std::string> directions;
  for (Eigen::Index k = 0; k < covariance.nowhere.cols(); ++k)
    directions.push_back(direction(covariance.nowhere.col(k)));
  add_note(fmt::format("the data do not determine {}: the curves stay as they are along ({})",
                       fmt::join(fit.undetermined, ", "), fmt::join(directions, ") and (")),
           fit.message);
}

}  // namespace

void add_statistics(const ModalIwanResiduals& residuals, const FitVector& x,
                    const std::array<bool, modal_iwan_size>& free, const std::array<bool, modal_iwan_size>& fitted,
                    ModalIwanFit& fit) {
  RowEvidence evidence;
  const ParameterCovariance covariance_of_x = covariance(residuals, x, fitted, evidence);
  fit.independent = evidence.independent;
  const auto parameters = residuals.parameters_with_derivatives(x);
  const auto quantities = as_array(parameters);
  std::vector<std::string> poor;
  for (int k = 0; k < modal_iwan_size; ++k) {
    fit.errors[k] = fitted[k] ? estimate(quantities[k], covariance_of_x).error : 0.0;
    if (!std::isfinite(fit.errors[k])) {  // also at a bound, where the others can make up for it
      fit.undetermined.emplace_back(modal_iwan_names[k]);
    } else if (!free[k]) {
      fit.errors[k] = 0.0;
    } else if (std::sqrt(covariance_of_x.matrix(k, k)) > poorly) {
      poor.emplace_back(modal_iwan_names[k]);
    }
  }
  for (int k = 0; k < modal_iwan_size; ++k) {
    for (int l = 0; l < modal_iwan_size; ++l) {
      const double product = std::sqrt(covariance_of_x.matrix(k, k) * covariance_of_x.matrix(l, l));
      const bool known = free[k] && free[l] && std::isfinite(fit.errors[k]) && std::isfinite(fit.errors[l]);
      fit.correlation[k][l] = !known || !(product > 0.0) ? std::numeric_limits<double>::quiet_NaN()
                              : k == l                   ? 1.0
                                                         : covariance_of_x.matrix(k, l) / product;
    }
  }
  const ModalIwanModel<Dual<modal_iwan_size>> model(parameters);
  fit.omega0 = estimate(model.omega0(), covariance_of_x);
  fit.phi_max = estimate(model.phi_max(), covariance_of_x);
  fit.r = estimate(model.joint().r(), covariance_of_x);
  fit.s = estimate(model.joint().s(), covariance_of_x);
  tell_undetermined(covariance_of_x, free, residuals.points.back().data.q, fit);
  const auto count = std::count(free.begin(), free.end(), true);
  double largest = 0.0;  // of the standard errors, in fit coordinates
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (free[k] && std::isfinite(fit.errors[k])) largest = std::max(largest, covariance_of_x.matrix(k, k));
  }
  if (evidence.independent < static_cast<double>(count) + 2.0 && std::sqrt(largest) > 0.01) {
    add_note(fmt::format("of {} frequencies and damping ratios only {:.1f} are independent, hardly more than the "
                         "parameters: their standard errors are guesses",
                         2 * residuals.points.size(), evidence.independent),
             fit.message);
  }
  if (!poor.empty()) {
    add_note(fmt::format("poorly determined, with a standard error above half of it: {}", fmt::join(poor, ", ")),
             fit.message);
  }
}

}  // namespace microslip
