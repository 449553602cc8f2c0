#include "microslip/analyses/fit_ignl/over_amplitude.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/identify/ignl_errors.hpp"

namespace microslip {
namespace {

std::vector<double> spaced(double from, double to, int points, bool log) {
  std::vector<double> q;
  for (int i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / (points - 1);
    q.push_back(i == points - 1 ? to : log ? from * std::pow(to / from, share) : from + (to - from) * share);
  }
  return q;
}

std::vector<double> amplitudes(const FitIgnlAnalysis& analysis, const IgnlFit& fit) {
  if (analysis.from) return spaced(*analysis.from, *analysis.to, analysis.points, analysis.log);
  // As far as both turning points stay within the data: of many candidates the last that does.
  const double lowest = std::max(fit.friction.u.front(), 1e-3 * fit.end);
  double to = lowest;
  for (const IgnlPoint& point : ignl_curve(fit.model, spaced(lowest, fit.end, 1000, false)).points) {
    if (!within_data(fit, point)) break;
    to = point.q;
  }
  return to > lowest ? spaced(lowest, to, analysis.points, analysis.log) : std::vector<double>{lowest};
}

/// Of friction through points: results of either side, and two standard errors.
IgnlBand point_band(const IgnlOverAmplitude& curves, std::vector<double> errors, double IgnlPoint::*quantity) {
  constexpr double widened = 2.0;  // standard errors that bounds lie outside
  IgnlBand band;
  band.error = std::move(errors);
  for (std::size_t i = 0; i < curves.main.points.size(); ++i) {
    double low = curves.main.points[i].*quantity, high = low;
    for (const auto* side : {&curves.positive, &curves.negative}) {
      if (!*side || i >= (*side)->points.size()) continue;
      low = std::min(low, (*side)->points[i].*quantity);
      high = std::max(high, (*side)->points[i].*quantity);
    }
    band.low.push_back(std::max(low - widened * band.error[i], 0.0));
    band.high.push_back(high + widened * band.error[i]);
  }
  return band;
}

IgnlBands bands_of(const IgnlCurves& data, const IgnlFitOptions& options, const IgnlFit& fit,
                   const std::vector<double>& q, const IgnlOverAmplitude& curves, const Observer& observer) {
  if (fit.sliders) return ignl_bands(data, options, fit, q, curves.main, observer);
  IgnlErrors errors = ignl_errors(data, options, fit, q, ignl_fits_again, observer);
  return {point_band(curves, std::move(errors.omega), &IgnlPoint::omega),
          point_band(curves, std::move(errors.zeta), &IgnlPoint::zeta)};
}

IgnlBands unknown_bands(std::size_t points) {
  const std::vector<double> none(points, std::numeric_limits<double>::quiet_NaN());
  return {{none, none, none}, {none, none, none}};
}

}  // namespace

IgnlOverAmplitude ignl_over_amplitude(const FitIgnlAnalysis& analysis, const IgnlCurves& curves, const IgnlFit& fit,
                                      const Observer& observer) {
  const std::vector<double> q = amplitudes(analysis, fit);
  IgnlOverAmplitude result;
  result.main = ignl_curve(fit.model, q);
  if (fit.positive_model) result.positive = ignl_curve(*fit.positive_model, q);
  if (fit.negative_model) result.negative = ignl_curve(*fit.negative_model, q);
  bool stopped = false;
  result.bands = bands_of(curves, analysis.options, fit, q, result, [&](double fraction) {
    stopped = stopped || !observer(fraction);
    return !stopped;
  });
  result.interrupted = stopped;
  if (stopped) result.bands = unknown_bands(q.size());
  return result;
}

bool within_data(const IgnlFit& fit, const IgnlPoint& point) {
  constexpr double rounding = 1.0 + 1e-9;
  return point.q <= rounding * fit.end && point.upper <= rounding * fit.upper_end &&
         point.lower >= rounding * fit.lower_end;
}

IgnlAmplitudes amplitudes_above(const IgnlCurve& curve, const std::vector<double>& error, double IgnlPoint::*quantity,
                                double share) {
  IgnlAmplitudes result;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const IgnlPoint& p = curve.points[i];
    if (error[i] < share * p.*quantity) continue;
    if (result.count++ == 0) result.from = p.q;
    result.to = p.q;
  }
  return result;
}

}  // namespace microslip
