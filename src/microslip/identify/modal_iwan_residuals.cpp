#include "microslip/identify/modal_iwan_residuals.hpp"

#include <cmath>
#include <limits>

namespace microslip {
namespace {

using DualNumber = Dual<modal_iwan_size>;

template <class T>
ModalIwanParameters<T> parameters_of(const std::array<T, modal_iwan_size>& x, double zeta_scale) {
  using std::exp;
  return {exp(x[0]), zeta_scale * x[1], exp(x[2]), exp(x[3]), x[4], x[5] / (1.0 - x[5])};
}

/// `store(i, omega/data - 1, ln(zeta/data))`, both over their errors and times sqrt(w).
template <class T, class Store>
void for_each_residual(const ModalIwanResiduals& fit, const ModalIwanModel<T>& model, Store&& store) {
  using std::log;
  for (std::size_t i = 0; i < fit.points.size(); ++i) {
    const AmplitudePoint& data = fit.points[i].data;
    const double weight = std::sqrt(fit.points[i].weight);
    const T q(data.q);
    store(i, (weight / fit.omega_error) * (model.omega(q, fit.omega_form) / data.omega - 1.0),
          (weight / fit.zeta_error) * log(model.zeta(q, fit.zeta_form) / data.zeta));
  }
}

/// Smooth enough: its square has a continuous slope.
template <class T>
T phi_max_residual(const ModalIwanResiduals& fit, const ModalIwanModel<T>& model) {
  using std::log;
  constexpr double stiffness = 100.0;
  if (!(model.phi_max() < T(fit.least_phi_max))) return T(0.0);
  return stiffness * log(fit.least_phi_max / model.phi_max());
}

}  // namespace

ModalIwanParameters<double> ModalIwanResiduals::parameters(const FitVector& x) const {
  return parameters_of(x, zeta_scale);
}

ModalIwanParameters<DualNumber> ModalIwanResiduals::parameters_with_derivatives(const FitVector& x) const {
  std::array<DualNumber, modal_iwan_size> variables;
  for (int k = 0; k < modal_iwan_size; ++k) variables[k] = DualNumber::variable(x[k], k);
  return parameters_of(variables, zeta_scale);
}

double ModalIwanResiduals::coordinate(int parameter, double value) const {
  switch (parameter) {
    case 1:
      return value / zeta_scale;
    case 4:
      return value;
    case 5:
      return std::isfinite(value) ? value / (1.0 + value) : 1.0;
    default:
      return std::log(value);
  }
}

FitVector ModalIwanResiduals::coordinates(const ModalIwanParameters<double>& p) const {
  FitVector x{};
  const auto values = as_array(p);
  for (int k = 0; k < modal_iwan_size; ++k) x[k] = coordinate(k, values[k]);
  return x;
}

bool ModalIwanResiduals::evaluate(const FitVector& x, std::span<double> residuals, std::span<double> jacobian) const {
  double check = 0.0;
  if (jacobian.empty()) {
    const ModalIwanModel<double> model(parameters(x));
    for_each_residual(*this, model, [&](std::size_t i, double omega, double zeta) {
      residuals[2 * i] = omega;
      residuals[2 * i + 1] = zeta;
      check += omega + zeta;
    });
    if (least_phi_max > 0.0) residuals[size() - 1] = phi_max_residual(*this, model);
    return std::isfinite(check);
  }
  const auto put = [&](std::size_t row, const DualNumber& value) {
    residuals[row] = value.value;
    check += value.value;
    for (int k = 0; k < modal_iwan_size; ++k) {
      jacobian[row * modal_iwan_size + k] = value.derivative[k];
      check += value.derivative[k];
    }
  };
  const ModalIwanModel<DualNumber> model(parameters_with_derivatives(x));
  for_each_residual(*this, model, [&](std::size_t i, const DualNumber& omega, const DualNumber& zeta) {
    put(2 * i, omega);
    put(2 * i + 1, zeta);
  });
  if (least_phi_max > 0.0) put(size() - 1, phi_max_residual(*this, model));
  return std::isfinite(check);
}

double ModalIwanResiduals::cost(const FitVector& x) const {
  double sum = 0.0;
  const ModalIwanModel<double> model(parameters(x));
  for_each_residual(*this, model, [&](std::size_t, double omega, double zeta) { sum += omega * omega + zeta * zeta; });
  if (least_phi_max > 0.0) sum += std::pow(phi_max_residual(*this, model), 2);
  return std::isfinite(sum) ? 0.5 * sum : std::numeric_limits<double>::infinity();
}

}  // namespace microslip
