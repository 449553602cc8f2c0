#include "microslip/identify/modal_iwan_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/identify/modal_iwan_statistics.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double errors_aside = 2.0;

void call_undetermined(int parameter, ModalIwanFit& fit) {
  fit.errors[parameter] = std::numeric_limits<double>::infinity();
  for (int k = 0; k < modal_iwan_size; ++k) {
    fit.correlation[parameter][k] = fit.correlation[k][parameter] = std::numeric_limits<double>::quiet_NaN();
  }
  fit.undetermined.emplace_back(modal_iwan_names[parameter]);
}

/// Standard error of a coordinate: d parameter/d coordinate is 1/(derivative of the coordinate).
double coordinate_error(const ModalIwanResiduals& residuals, const FitVector& x, int parameter,
                        const ModalIwanFit& fit) {
  const auto derivative = as_array(residuals.parameters_with_derivatives(x))[parameter].derivative[parameter];
  return fit.errors[parameter] / std::abs(derivative);
}

/// (H^-1)_kk of the free coordinates, H = J^T J; infinite where that is singular.
FitVector inverse_curvatures(const ModalIwanResiduals& residuals, const FitVector& x,
                             const std::array<bool, modal_iwan_size>& free) {
  std::vector<double> values(residuals.size());
  RowMatrix jacobian(static_cast<Eigen::Index>(residuals.size()), modal_iwan_size);
  residuals.evaluate(x, values, {jacobian.data(), residuals.size() * modal_iwan_size});
  Eigen::MatrixXd h = jacobian.transpose() * jacobian;
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (free[k]) continue;
    h.row(k).setZero();
    h.col(k).setZero();
    h(k, k) = 1.0;
  }
  FitVector result{};
  for (int k = 0; k < modal_iwan_size; ++k) {
    const auto column = solve_if_regular(h, Eigen::VectorXd::Unit(modal_iwan_size, k));
    result[k] = column ? (*column)(k) : std::numeric_limits<double>::infinity();
  }
  return result;
}

}  // namespace

void add_other_minima(const ModalIwanResiduals& residuals, const std::vector<FitMinimum>& minima,
                      const std::array<bool, modal_iwan_size>& free, ModalIwanFit& fit) {
  std::vector<std::string> others;
  const auto chosen = as_array(fit.parameters);
  std::array<bool, modal_iwan_size> moves{};
  for (std::size_t i = 1; i < minima.size(); ++i) {
    const auto other = as_array(residuals.parameters(minima[i].x));
    std::vector<std::string> values;
    for (int k = 0; k < modal_iwan_size; ++k) {
      const double change = std::abs(other[k] - chosen[k]);
      if (!free[k] || !std::isfinite(fit.errors[k]) || change <= 0.01 * std::abs(chosen[k])) continue;
      if (change <= errors_aside * fit.errors[k]) continue;
      moves[k] = true;
      values.push_back(fmt::format("{} = {:.4g}", modal_iwan_names[k], other[k]));
    }
    if (!values.empty()) others.push_back(fmt::format("{}", fmt::join(values, ", ")));
  }
  if (others.empty()) return;
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (moves[k]) call_undetermined(k, fit);
  }
  add_message(fmt::format("another minimum fits as well, with {}: these are undetermined", fmt::join(others, "; or ")),
              fit);
}

void add_flat_profiles(const ModalIwanResiduals& residuals, const FitVector& x, const FitBox& box,
                       const std::array<bool, modal_iwan_size>& free, ModalIwanFit& fit) {
  constexpr double flat = 0.1, tolerance = 1e-6, farthest = 3.0;  // the last of a coordinate
  constexpr double rounding = 1e-16;
  constexpr int iterations = 30;
  const FitMinimum centre = minimise(residuals, x, box, iterations, 1e-10);
  if (!centre.usable || centre.cost < rounding * static_cast<double>(residuals.size())) return;
  const FitVector inverse = inverse_curvatures(residuals, centre.x, free);
  std::vector<std::string> names;
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (!free[k] || !std::isfinite(fit.errors[k]) || !(fit.errors[k] > 0.0) || !std::isfinite(inverse[k])) continue;
    const double aside = errors_aside * coordinate_error(residuals, x, k, fit);
    if (!(aside < farthest)) continue;  // poorly determined as it is
    bool is_flat = false;
    for (const double step : {-aside, aside}) {
      FitVector moved = centre.x;
      moved[k] = std::clamp(moved[k] + step, box.low[k], box.high[k]);
      const double way = moved[k] - centre.x[k], promised = 0.5 * way * way / inverse[k];
      if (!(promised > 1e-3 * centre.cost)) continue;  // too little to see
      FitBox held = box;
      held.held[k] = true;
      const FitMinimum profile = minimise(residuals, moved, held, iterations, tolerance);
      is_flat = is_flat || (profile.usable && profile.cost - centre.cost < flat * promised);
    }
    if (!is_flat) continue;
    call_undetermined(k, fit);
    names.emplace_back(modal_iwan_names[k]);
  }
  if (names.empty()) return;
  add_message(fmt::format("undetermined: {}, which may be moved by more than two standard errors without a worse fit",
                          fmt::join(names, ", ")),
              fit);
}

}  // namespace microslip
