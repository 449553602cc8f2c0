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
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double errors_aside = 2.0;
/// A derived quantity that moves by one error when a parameter is moved by two has the correlation 1/2 with it. If the
/// parameter is flat, its error is more than sqrt(10) times as large as stated, and that of the quantity more than
/// sqrt(1 + 9/4) = 1.8 times.
constexpr double error_of_derived = 1.0;

void call_undetermined(int parameter, ModalIwanFit& fit) {
  fit.errors[parameter] = infinity;
  for (int k = 0; k < modal_iwan_size; ++k) {
    fit.correlation[parameter][k] = fit.correlation[k][parameter] = std::numeric_limits<double>::quiet_NaN();
  }
  fit.undetermined.emplace_back(modal_iwan_names[parameter]);
}

constexpr int derived_size = 4;
constexpr std::array<std::string_view, derived_size> derived_names = {"omega0", "phi_max", "R", "S"};

std::array<Estimate*, derived_size> derived(ModalIwanFit& fit) {
  return {&fit.omega0, &fit.phi_max, &fit.r, &fit.s};
}

std::array<double, derived_size> derived_at(const ModalIwanResiduals& residuals, const FitVector& x) {
  const ModalIwanModel<double> model(residuals.parameters(x));
  return {model.omega0(), model.phi_max(), model.joint().r(), model.joint().s()};
}

/// By more than so many of its standard errors, and by a percent.
bool is_elsewhere(double value, const Estimate& chosen, double errors) {
  const double change = std::abs(value - chosen.value);
  return std::isfinite(chosen.error) && change > 0.01 * std::abs(chosen.value) && change > errors * chosen.error;
}

/// Standard error of a coordinate: that of the parameter over d parameter/d coordinate.
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
    result[k] = column ? (*column)(k) : infinity;
  }
  return result;
}

}  // namespace

void add_other_minima(const ModalIwanResiduals& residuals, const std::vector<FitMinimum>& minima,
                      const std::array<bool, modal_iwan_size>& free, ModalIwanFit& fit) {
  std::vector<std::string> others;
  const auto chosen = as_array(fit.parameters);
  const auto estimates = derived(fit);
  std::array<bool, modal_iwan_size> moves{};
  std::array<bool, derived_size> derived_moves{};
  for (std::size_t i = 1; i < minima.size(); ++i) {
    const auto other = as_array(residuals.parameters(minima[i].x));
    const auto other_derived = derived_at(residuals, minima[i].x);
    std::vector<std::string> values;
    for (int k = 0; k < modal_iwan_size; ++k) {
      if (!free[k] || !is_elsewhere(other[k], {chosen[k], fit.errors[k]}, errors_aside)) continue;
      moves[k] = true;
      values.push_back(fmt::format("{} = {:.4g}", modal_iwan_names[k], other[k]));
    }
    for (int d = 0; d < derived_size; ++d) {
      if (!is_elsewhere(other_derived[d], *estimates[d], errors_aside)) continue;
      derived_moves[d] = true;
      values.push_back(fmt::format("{} = {:.4g}", derived_names[d], other_derived[d]));
    }
    if (!values.empty()) others.push_back(fmt::format("{}", fmt::join(values, ", ")));
  }
  if (others.empty()) return;
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (moves[k]) call_undetermined(k, fit);
  }
  for (int d = 0; d < derived_size; ++d) {
    if (derived_moves[d]) estimates[d]->error = infinity;
  }
  add_note(fmt::format("another minimum fits as well, with {}: these are undetermined", fmt::join(others, "; or ")),
           fit.message);
}

void add_flat_profiles(const ModalIwanResiduals& residuals, const FitVector& x, const FitBox& box,
                       const std::array<bool, modal_iwan_size>& free, ModalIwanFit& fit) {
  constexpr double flat = 0.1, tolerance = 1e-6, farthest = 3.0;  // the last of a coordinate
  constexpr double rounding = 1e-16;
  constexpr int iterations = 30;
  const FitMinimum centre = minimise(residuals, x, box, iterations, 1e-10);
  if (!centre.usable || centre.cost < rounding * static_cast<double>(residuals.size())) return;
  const FitVector inverse = inverse_curvatures(residuals, centre.x, free);
  const auto at_centre = derived_at(residuals, centre.x);
  const auto estimates = derived(fit);
  std::array<bool, derived_size> derived_moves{};
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
      if (!profile.usable || !(profile.cost - centre.cost < flat * promised)) continue;
      is_flat = true;
      const auto moved_to = derived_at(residuals, profile.x);
      for (int d = 0; d < derived_size; ++d) {
        const Estimate before{at_centre[d], estimates[d]->error};
        derived_moves[d] = derived_moves[d] || is_elsewhere(moved_to[d], before, error_of_derived);
      }
    }
    if (!is_flat) continue;
    call_undetermined(k, fit);
    names.emplace_back(modal_iwan_names[k]);
  }
  if (names.empty()) return;
  std::vector<std::string_view> with_them;
  for (int d = 0; d < derived_size; ++d) {
    if (!derived_moves[d]) continue;
    estimates[d]->error = infinity;
    with_them.push_back(derived_names[d]);
  }
  add_note(fmt::format("undetermined: {}, which may be moved by more than two standard errors without a worse fit{}{}",
                       fmt::join(names, ", "), with_them.empty() ? "" : ", and with that ", fmt::join(with_them, ", ")),
           fit.message);
}

}  // namespace microslip
