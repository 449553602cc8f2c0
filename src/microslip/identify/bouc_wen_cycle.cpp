#include "microslip/identify/bouc_wen_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace microslip {
namespace {

constexpr int most_iterations = 200;
constexpr double tolerance = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

BoucWenCycle cycle_of_amplitude(const BoucWen<double>& law, double amplitude) {
  const auto& p = law.parameters();
  BoucWenCycle cycle;
  cycle.amplitude = amplitude;
  BoucWen<double>::State tip;
  tip.u = amplitude;
  tip.direction = 1;
  JointInput<double> down;
  down.u = -amplitude;
  // z* is below A X for gamma > 0 and below z_max always. The sum z(-X; z*) + z* grows with z*: bisect where Newton
  // would leave the bracket.
  double low = 0.0, high = law.saturation();
  tip.z = std::min(p.a * amplitude, 0.5 * high);
  for (int i = 0; i < most_iterations; ++i) {
    const auto trial = law.evaluate(tip, down);
    const double sum = trial.z + tip.z;
    if (!std::isfinite(sum)) return cycle;
    (sum > 0.0 ? high : low) = tip.z;
    const double step = sum / (1.0 + trial.gain);
    if (std::abs(step) <= tolerance * tip.z || high - low <= tolerance * high) {
      const double hysteretic = (1.0 - p.alpha) * p.k0;
      cycle.found = true;
      cycle.z = tip.z;
      cycle.force = p.alpha * p.k0 * amplitude + hysteretic * tip.z;
      cycle.dissipation = 2.0 * trial.dissipated;
      cycle.tip_slope = p.alpha * p.k0 + hysteretic * 2.0 * trial.slope / (1.0 + trial.gain);
      return cycle;
    }
    const double newton = tip.z - step;
    tip.z = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  return cycle;
}

BoucWenCycle cycle_of_force(const BoucWen<double>& law, double force, double beside) {
  const auto& p = law.parameters();
  const double stiffest = law.stuck_stiffness() + beside;
  BoucWenCycle cycle;
  if (law.slipped_stiffness() + beside <= 0.0 && force >= (1.0 - p.alpha) * p.k0 * law.saturation()) return cycle;
  double low = 0.0, high = std::numeric_limits<double>::infinity();
  double amplitude = force / stiffest;
  for (int i = 0; i < most_iterations; ++i) {
    cycle = cycle_of_amplitude(law, amplitude);
    if (!cycle.found) return cycle;
    const double excess = cycle.force + beside * amplitude - force;
    (excess > 0.0 ? high : low) = amplitude;
    const double step = excess / (cycle.tip_slope + beside);
    cycle.force += beside * amplitude;
    if (std::abs(step) <= tolerance * amplitude || high - low <= tolerance * amplitude) return cycle;
    const double newton = amplitude - step;
    amplitude = newton > low && newton < high ? newton : std::isfinite(high) ? 0.5 * (low + high) : 2.0 * low;
  }
  cycle.found = false;
  return cycle;
}

BoucWen<double>::Parameters bouc_wen_like(const PowerSlope<double>& iwan, double residual) {
  const double n = iwan.power, stiffness = iwan.stiffness;
  if (!(n - 1.0 > -0.99)) throw std::invalid_argument("bouc_wen: n = 1 + chi must be >= 0.01");
  BoucWen<double>::Parameters p;
  p.k0 = stiffness + residual;
  p.alpha = residual / p.k0;
  p.a = 1.0;
  p.n = n;
  p.beta = n * iwan.softening / ((n + 1.0) * stiffness);
  p.gamma = iwan.softening / stiffness;
  return p;
}

BoucWenAdmissibility admissibility(const BoucWen<double>::Parameters& p) {
  BoucWenAdmissibility result;
  const double loading = p.beta + p.gamma, unloading = p.gamma - p.beta;
  const auto level = [&](double b) {
    return b > 0.0 ? std::pow(p.a / b, 1.0 / p.n) : std::numeric_limits<double>::infinity();
  };
  result.law = p.k0 > 0.0 && p.alpha >= 0.0 && p.alpha <= 1.0 && p.a > 0.0 && p.beta > 0.0 && loading > 0.0 &&
               p.n >= 0.01 && std::isfinite(p.k0 + p.a + p.beta + p.gamma + p.n);
  result.bounded = p.beta >= 0.0 && loading > 0.0;
  result.ikhouane = !result.bounded ? 0 : unloading <= 0.0 ? 1 : 2;
  result.passive = std::abs(p.gamma) <= p.beta;
  result.dissipates = p.beta > 0.0;
  result.z_max = level(loading);
  result.z_basin = level(unloading);
  return result;
}

}  // namespace microslip
