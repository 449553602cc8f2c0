#include "microslip/identify/modal_iwan_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/identify/residual_correlation.hpp"

namespace microslip {
namespace {

/// What must be added to the variances that rows state so that the mean of square/variance is 1; 0 if it is less.
double rest_of(const std::vector<double>& squares, const std::vector<double>& stated) {
  const auto mean = [&](double rest) {
    double sum = 0.0;
    for (std::size_t i = 0; i < squares.size(); ++i) {
      if (squares[i] > 0.0) sum += squares[i] / (stated[i] + rest);
    }
    return sum / static_cast<double>(squares.size());
  };
  double high = 0.0;
  for (const double square : squares) high += square / static_cast<double>(squares.size());
  if (!(high > 0.0) || std::all_of(stated.begin(), stated.end(), [](double v) { return v == 0.0; })) return high;
  if (mean(1e-12 * high) <= 1.0) return 0.0;
  double low = 1e-12 * high;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (mean(middle) > 1.0 ? low : high) = middle;
  }
  return high;
}

/// What the mean over a window makes of a curve that bends in it, relative: frequency or damping. With the second
/// difference d over the window a parabola gives d/6, and a kink in its middle, as the onset of macroslip is one, d/4.
/// The weights of a least-squares slope, 1 - x^2 instead of 1, make less of both, d/10 and 3d/16.
double smoothed(const ModalIwanResiduals& residuals, const ModalIwanModel<double>& model, const AmplitudePoint& row,
                std::size_t kind) {
  if (!(row.span > 0.0)) return 0.0;
  const auto curve = [&](double q) {
    return std::log(kind == 0 ? model.omega(q, residuals.omega_form) : model.zeta(q, residuals.zeta_form));
  };
  constexpr double of_kink = 0.25, widest = 5.0;  // e^5 times its middle: few records are seen so far
  const double ratio = std::exp(std::min(row.span, widest));
  return of_kink * (curve(row.q * ratio) + curve(row.q / ratio) - 2.0 * curve(row.q));
}

}  // namespace

double RowEvidence::left_by(int parameters) const {
  return std::max(independent - parameters, 1.0);
}

RowEvidence row_evidence(const ModalIwanResiduals& residuals, const FitVector& x, int parameters) {
  const std::size_t n = residuals.points.size();
  std::vector<double> values(residuals.size());
  residuals.evaluate(x, values, {});
  RowEvidence result;
  std::array<std::vector<double>, 2> plain;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = residuals.points[i].weight;
      plain[kind].push_back(weight > 0.0 ? values[2 * i + kind] / std::sqrt(weight) : 0.0);
    }
    result.alike[kind] = alike_sum(plain[kind]);
    result.independent += static_cast<double>(n) / result.alike[kind];
  }
  // A variance of so few has the spread of Student's t: two more are taken off.
  const double freedom = result.left_by(parameters + 2) / result.independent;
  result.variance.resize(2 * n);
  const ModalIwanModel<double> model(residuals.parameters(x));
  for (std::size_t kind = 0; kind < 2; ++kind) {
    std::vector<double> squares(n), stated(n);
    for (std::size_t i = 0; i < n; ++i) {
      const AmplitudePoint& row = residuals.points[i].data;
      const double noise = kind == 0 ? row.omega_error / (row.omega * residuals.omega_error)
                                     : row.zeta_error / (row.zeta * residuals.zeta_error);
      const double form =
          residuals.zeta_form == ZetaForm::decrement ? row.zeta * row.zeta : 0.0;  // of the closed forms
      const double bias = std::hypot(form, smoothed(residuals, model, row, kind));
      const double share = bias / (kind == 0 ? residuals.omega_error : residuals.zeta_error);
      stated[i] = noise * noise + share * share;
      result.bias_cost += 0.5 * residuals.points[i].weight * share * share;
      squares[i] = plain[kind][i] * plain[kind][i] / freedom;
    }
    const double rest = rest_of(squares, stated);
    for (std::size_t i = 0; i < n; ++i) result.variance[2 * i + kind] = stated[i] + rest;
  }
  return result;
}

}  // namespace microslip
