#include "microslip/identify/modal_iwan_statistics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double nothing = 1e-7;       // of the largest singular value: a direction that does not move the curves
constexpr double in_direction = 1e-5;  // share of a quantity's gradient in such directions
constexpr double poorly = 0.5;         // standard error in fit coordinates (relative, chi: absolute)
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<std::string_view, modal_iwan_size> coordinate_names = {"ln Kinf", "zeta0", "ln FS",
                                                                            "ln KT",   "chi",   "beta/(1+beta)"};

/// Covariance of the fit coordinates along the determined directions, and the others.
struct Covariance {
  Eigen::MatrixXd matrix;   ///< 6 x 6, zero for parameters that are not free
  Eigen::MatrixXd nowhere;  ///< 6 x undetermined directions, orthonormal

  /// Standard error of a quantity with this gradient.
  [[nodiscard]] double error(const Eigen::VectorXd& gradient) const {
    if ((nowhere.transpose() * gradient).norm() > in_direction * gradient.norm()) return infinity;
    return std::sqrt(std::max(0.0, gradient.dot(matrix * gradient)));
  }
};

/// sum of w^2 s^2/e^4 j j^T: rows of the Jacobian carry sqrt(w)/e already.
Eigen::MatrixXd spread_of_gradient(const ModalIwanResiduals& fit, const Eigen::VectorXd& residuals,
                                   const RowMatrix& jacobian, double freedom) {
  const auto n = static_cast<Eigen::Index>(fit.points.size());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(jacobian.cols(), jacobian.cols());
  for (int kind = 0; kind < 2; ++kind) {
    double variance = 0.0;  // of residuals over e, unweighted
    for (Eigen::Index i = 0; i < n; ++i) {
      const double weight = fit.points[static_cast<std::size_t>(i)].weight;
      if (weight > 0.0) variance += residuals(2 * i + kind) * residuals(2 * i + kind) / weight;
    }
    variance /= static_cast<double>(n) * freedom;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double weight = fit.points[static_cast<std::size_t>(i)].weight;
      sum += (weight * variance) * jacobian.row(2 * i + kind).transpose() * jacobian.row(2 * i + kind);
    }
  }
  return sum;
}

Covariance covariance(const ModalIwanResiduals& fit, const FitVector& x,
                      const std::array<bool, modal_iwan_size>& free) {
  const auto rows = 2 * static_cast<Eigen::Index>(fit.points.size());  // a bound on phi_max is no measurement
  Eigen::VectorXd residuals(static_cast<Eigen::Index>(fit.size()));
  RowMatrix all(residuals.size(), modal_iwan_size);
  fit.evaluate(x, {residuals.data(), fit.size()}, {all.data(), fit.size() * modal_iwan_size});
  std::vector<int> columns;
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (free[k]) columns.push_back(k);
  }
  const auto count = static_cast<Eigen::Index>(columns.size());
  Covariance result{Eigen::MatrixXd::Zero(modal_iwan_size, modal_iwan_size), Eigen::MatrixXd(modal_iwan_size, 0)};
  if (count == 0) return result;
  RowMatrix jacobian(rows, count);
  for (Eigen::Index k = 0; k < count; ++k) jacobian.col(k) = all.col(columns[static_cast<std::size_t>(k)]).head(rows);

  const RightSingular svd = right_singular(triangle_of(jacobian));
  const Eigen::VectorXd& singular = svd.values;
  const Eigen::Index kept = (singular.array() > nothing * singular(0)).count();
  const Eigen::MatrixXd determined = svd.v.leftCols(kept);
  const Eigen::MatrixXd inverse =
      determined * singular.head(kept).array().square().inverse().matrix().asDiagonal() * determined.transpose();
  const double freedom = 1.0 - static_cast<double>(kept) / static_cast<double>(rows);
  const Eigen::MatrixXd small = inverse * spread_of_gradient(fit, residuals, jacobian, freedom) * inverse;

  result.nowhere = Eigen::MatrixXd::Zero(modal_iwan_size, count - kept);
  for (Eigen::Index k = 0; k < count; ++k) {
    const int at = columns[static_cast<std::size_t>(k)];
    result.nowhere.row(at) = svd.v.row(k).tail(count - kept);
    for (Eigen::Index l = 0; l < count; ++l) result.matrix(at, columns[static_cast<std::size_t>(l)]) = small(k, l);
  }
  return result;
}

Estimate estimate(const Dual<modal_iwan_size>& quantity, const Covariance& covariance) {
  const Eigen::Map<const Eigen::VectorXd> gradient(quantity.gradient(), modal_iwan_size);
  return {quantity.value, covariance.error(gradient)};
}

void add_message(const std::string& text, ModalIwanFit& fit) {
  fit.message += (fit.message.empty() ? "" : "; ") + text;
}

/// "ln FS +0.71, ln KT -0.70".
std::string direction(const Eigen::VectorXd& vector) {
  std::vector<std::string> parts;
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (std::abs(vector(k)) > 5e-3) parts.push_back(fmt::format("{} {:+.2f}", coordinate_names[k], vector(k)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void tell_undetermined(const Covariance& covariance, const std::array<bool, modal_iwan_size>& free, double q_max,
                       ModalIwanFit& fit) {
  if (fit.undetermined.empty()) return;
  if (fit.macroslip_points == 0 && free[0] && free[3]) {
    add_message(
        fmt::format("the data do not reach macroslip (q up to {:.4g}): they determine omega0^2 = Kinf + KT, R, chi and "
                    "zeta0, but {} only in these combinations; fix some of them or add data of larger amplitude",
                    q_max, fmt::join(fit.undetermined, ", ")),
        fit);
    return;
  }
  std::vector<std::string> directions;
  for (Eigen::Index k = 0; k < covariance.nowhere.cols(); ++k)
    directions.push_back(direction(covariance.nowhere.col(k)));
  add_message(fmt::format("the data do not determine {}: the curves stay as they are along ({})",
                          fmt::join(fit.undetermined, ", "), fmt::join(directions, ") and (")),
              fit);
}

}  // namespace

void add_statistics(const ModalIwanResiduals& residuals, const FitVector& x,
                    const std::array<bool, modal_iwan_size>& free, ModalIwanFit& fit) {
  const Covariance covariance_of_x = covariance(residuals, x, free);
  const auto parameters = residuals.parameters_with_derivatives(x);
  const auto quantities = as_array(parameters);
  std::vector<std::string> poor;
  for (int k = 0; k < modal_iwan_size; ++k) {
    fit.errors[k] = estimate(quantities[k], covariance_of_x).error;
    if (!free[k]) continue;
    if (!std::isfinite(fit.errors[k])) {
      fit.undetermined.emplace_back(modal_iwan_names[k]);
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
  if (!poor.empty()) {
    add_message(fmt::format("poorly determined, with a standard error above half of it: {}", fmt::join(poor, ", ")),
                fit);
  }
}

}  // namespace microslip
