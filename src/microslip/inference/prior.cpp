#include "microslip/inference/prior.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/numerics/normal_quantile.hpp"

namespace microslip {
namespace {

double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// A standard normal cut off at a and b. Shares are taken from the tail where they are small.
struct CutNormal {
  explicit CutNormal(const ResidualProblem::Parameter& p)
      : a((p.low - p.prior.mean) / p.prior.deviation),
        b((p.high - p.prior.mean) / p.prior.deviation),
        mass(a > 0.0 ? normal_share(-a) - normal_share(-b) : normal_share(b) - normal_share(a)) {}

  /// With the share `below` of what is between a and b, and `above` = 1 - below.
  [[nodiscard]] double at(double below, double above) const {
    const double lower = normal_share(a) * above + normal_share(b) * below;
    const double upper = normal_share(-a) * above + normal_share(-b) * below;
    const double y = lower < upper ? normal_quantile_below(lower) : -normal_quantile_below(upper);
    return std::clamp(y, a, b);
  }

  double a, b, mass;
};

}  // namespace

double prior_deviation(const ResidualProblem::Parameter& parameter) {
  const double width = parameter.high - parameter.low;
  if (!parameter.prior.normal) return width / std::sqrt(12.0);
  const CutNormal cut(parameter);
  // Far out in a tail the two terms below cancel; the density hardly bends there against an exponential.
  if (!(cut.mass > 1e-12)) return std::min(width / std::sqrt(12.0), parameter.prior.deviation);
  const double at_a = normal_density(cut.a), at_b = normal_density(cut.b);
  const double mean = (at_a - at_b) / cut.mass;
  const double variance = 1.0 + (cut.a * at_a - cut.b * at_b) / cut.mass - mean * mean;
  return std::min(parameter.prior.deviation * std::sqrt(std::max(variance, 1e-12)), width / std::sqrt(12.0));
}

double prior_quantile(const ResidualProblem::Parameter& parameter, double u) {
  if (!parameter.prior.normal)
    return std::clamp(parameter.low + u * (parameter.high - parameter.low), parameter.low, parameter.high);
  const CutNormal cut(parameter);
  return std::clamp(parameter.prior.mean + parameter.prior.deviation * cut.at(u, 1.0 - u), parameter.low,
                    parameter.high);
}

PriorPoint from_standard(const ResidualProblem::Parameter& parameter, double z) {
  const double width = parameter.high - parameter.low;
  if (!parameter.prior.normal) {
    const double x = z < 0.0 ? parameter.low + width * normal_share(z) : parameter.high - width * normal_share(-z);
    return {x, width * normal_density(z)};
  }
  const CutNormal cut(parameter);
  const double y = cut.at(normal_share(z), normal_share(-z));
  const double x = parameter.prior.mean + parameter.prior.deviation * y;
  return {std::clamp(x, parameter.low, parameter.high),
          parameter.prior.deviation * cut.mass * std::exp(0.5 * (y * y - z * z))};
}

double to_standard(const ResidualProblem::Parameter& parameter, double x, double most) {
  double below = 0.0, above = 0.0;
  if (parameter.prior.normal) {
    const CutNormal cut(parameter);
    const double y = (x - parameter.prior.mean) / parameter.prior.deviation;
    below = y > 0.0 ? 1.0 - (normal_share(-y) - normal_share(-cut.b)) / cut.mass
                    : (normal_share(y) - normal_share(cut.a)) / cut.mass;
    above = y > 0.0 ? (normal_share(-y) - normal_share(-cut.b)) / cut.mass
                    : 1.0 - (normal_share(y) - normal_share(cut.a)) / cut.mass;
  } else {
    below = (x - parameter.low) / (parameter.high - parameter.low);
    above = (parameter.high - x) / (parameter.high - parameter.low);
  }
  if (!(below > 0.0)) return -most;
  if (!(above > 0.0)) return most;
  return std::clamp(below < above ? normal_quantile_below(below) : -normal_quantile_below(above), -most, most);
}

}  // namespace microslip
