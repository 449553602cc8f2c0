#include "microslip/identify/modal_iwan_starts.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

struct Start {
  ModalIwanParameters<double> parameters;
  double phi_max = 0.0;
  double cost = 0.0;
};

/// K_inf and K_T of omega^2 = K_inf + K_T h(q), least squares of the relative error; both kept positive.
void fit_stiffnesses(const ModalIwanResiduals& residuals, const std::vector<double>& h, double omega2,
                     ModalIwanParameters<double>& p) {
  double one = 0.0, cross = 0.0, square = 0.0, by_one = 0.0, by_h = 0.0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double inverse = 1.0 / (residuals.points[i].data.omega * residuals.points[i].data.omega);
    const double weight = residuals.points[i].weight;
    one += weight * inverse * inverse;
    cross += weight * inverse * inverse * h[i];
    square += weight * inverse * inverse * h[i] * h[i];
    by_one += weight * inverse;
    by_h += weight * inverse * h[i];
  }
  const double determinant = one * square - cross * cross;
  p.k_t = determinant > 1e-12 * one * square ? (one * by_h - cross * by_one) / determinant : 0.3 * omega2;
  p.k_t = std::clamp(p.k_t, 1e-4 * omega2, 0.9 * omega2);
  p.k_inf = std::clamp((by_one - p.k_t * cross) / one, 0.05 * omega2, omega2);
}

/// zeta is linear in zeta0: least squares of the relative error, within what the smallest damping allows.
void fit_background(const ModalIwanResiduals& residuals, ModalIwanParameters<double>& p) {
  const double trial = residuals.zeta_scale;
  p.zeta0 = 0.0;
  const ModalIwanModel<double> without(p);
  p.zeta0 = trial;
  const ModalIwanModel<double> with(p);
  double square = 0.0, product = 0.0;
  for (const WeightedPoint& point : residuals.points) {
    const ZetaForm form = residuals.zeta_form == ZetaForm::secant ? ZetaForm::secant : ZetaForm::tangent;
    const double joint = without.zeta(point.data.q, form) / point.data.zeta;
    const double gain = with.zeta(point.data.q, form) / point.data.zeta - joint;
    square += point.weight * gain * gain;
    product += point.weight * gain * (1.0 - joint);
  }
  p.zeta0 = trial * std::clamp(product / square, 0.01, 0.99);
}

}  // namespace

std::vector<ModalIwanParameters<double>> modal_iwan_starts(
    const ModalIwanResiduals& residuals, const std::array<std::optional<double>, modal_iwan_size>& fixed, int count) {
  const double q_low = residuals.points.front().data.q, q_high = residuals.points.back().data.q;
  double omega2 = 0.0;
  for (const WeightedPoint& point : residuals.points) omega2 = std::max(omega2, point.data.omega * point.data.omega);
  std::vector<double> chis = {-0.1, -0.3, -0.5, -0.7, -0.85}, betas = {0.2, 1.0, 5.0}, limits;
  if (fixed[4]) chis = {*fixed[4]};
  if (fixed[5]) betas = {*fixed[5]};
  for (double phi = 4.0 * q_high; phi > 0.5 * q_low; phi /= 1.6) limits.push_back(phi);

  std::vector<double> h(residuals.points.size());
  std::vector<Start> best;
  for (const double phi_max : limits) {
    Start here;
    for (const double chi : chis) {
      for (const double beta : betas) {
        ModalIwanParameters<double> p;
        p.chi = chi;
        p.beta = beta;
        const double share = (beta + (chi + 1.0) / (chi + 2.0)) / (1.0 + beta);  // F_S/(K_T phi_max)
        const auto unit = Iwan4Backbone<double>::from_physical(share * phi_max, 1.0, chi, beta);
        const Iwan4Harmonic<double> harmonic(unit);
        for (std::size_t i = 0; i < h.size(); ++i) {
          const double q = residuals.points[i].data.q;
          h[i] = residuals.omega_form == OmegaForm::secant ? unit.at(q).force / q : harmonic.stiffness(q);
        }
        fit_stiffnesses(residuals, h, omega2, p);
        if (fixed[0]) p.k_inf = *fixed[0];
        if (fixed[3]) p.k_t = *fixed[3];
        p.f_s = fixed[2].value_or(share * phi_max * p.k_t);
        fit_background(residuals, p);
        if (fixed[1]) p.zeta0 = *fixed[1];
        const double cost = residuals.cost(residuals.coordinates(p));
        if (std::isfinite(cost) && (here.phi_max == 0.0 || cost < here.cost)) here = {p, phi_max, cost};
      }
    }
    if (here.phi_max > 0.0) best.push_back(here);
  }
  std::stable_sort(best.begin(), best.end(), [](const Start& a, const Start& b) { return a.cost < b.cost; });
  if (best.size() > static_cast<std::size_t>(count)) best.resize(static_cast<std::size_t>(count));
  std::vector<ModalIwanParameters<double>> starts;
  for (const Start& start : best) starts.push_back(start.parameters);
  return starts;
}

}  // namespace microslip
