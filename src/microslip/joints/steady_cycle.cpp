#include "microslip/joints/steady_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/incomplete_beta.hpp"

namespace microslip {
namespace steady {
namespace {

/// Below it X^2 underflows: the joint is stuck.
constexpr double smallest_amplitude = 1e-150;

/// Angle t at which the branch of amplitude X has come to slope F0'(y), y = X (1 - cos t)/2.
double angle_at(double y, double amplitude) {
  return 2.0 * std::asin(std::sqrt(std::min(1.0, y / amplitude)));
}

/// Integral of sin^2 from 0 to t.
double sine_square(double t) {
  return 0.5 * (t - std::sin(t) * std::cos(t));
}

}  // namespace

PowerLaw::PowerLaw(double stiffness, double softening, double power, double end, double end_force, double residual)
    : stiffness_(stiffness),
      softening_(softening),
      power_(power),
      end_(end),
      end_force_(end_force),
      residual_(residual),
      harmonic_(8.0 / pi * incomplete_beta(1.0, power + 1.5)),
      loss_(4.0 * power / (pi * (power + 1.0) * (power + 2.0))),
      offset_(end * (4.0 * end_force - pi * end * loss_ * softening * std::pow(end, power))) {}

SteadyCycle PowerLaw::at(double amplitude) const {
  SteadyCycle cycle;
  const double softening = softening_ * std::pow(amplitude, power_);
  if (amplitude < end_) {
    cycle.secant = stiffness_ - softening / (power_ + 1.0);
    cycle.harmonic = stiffness_ - harmonic_ * softening;
    cycle.energy = stiffness_ - softening;
    cycle.loss = loss_ * softening;
  } else {
    // As above with both integrals ending at z = end/X.
    const double z = end_ / amplitude;
    cycle.secant = end_force_ / amplitude;
    cycle.harmonic = stiffness_ * 2.0 / pi * sine_square(angle_at(end_, amplitude)) -
                     softening * 8.0 / pi * incomplete_beta(z, power_ + 1.5);
    cycle.loss = (4.0 * end_force_ * amplitude - offset_) / (pi * amplitude * amplitude);
  }
  cycle.secant += residual_;
  cycle.harmonic += residual_;
  cycle.energy += residual_;
  return cycle;
}

Sliders::Sliders(std::vector<double> stiffness, std::vector<double> strength, double residual)
    : stiffness_(std::move(stiffness)), strength_(std::move(strength)), residual_(residual) {}

SteadyCycle Sliders::at(double amplitude) const {
  SteadyCycle cycle{residual_, residual_, residual_, 0.0};
  for (std::size_t i = 0; i < stiffness_.size(); ++i) {
    const double k = stiffness_[i];
    if (amplitude <= strength_[i]) {
      cycle.secant += k;
      cycle.harmonic += k;
      cycle.energy += k;
      continue;
    }
    const double share = strength_[i] / amplitude;
    cycle.secant += k * share;
    cycle.harmonic += k * 2.0 / pi * sine_square(angle_at(strength_[i], amplitude));
    cycle.loss += k * 4.0 / pi * share * (1.0 - share);
  }
  return cycle;
}

double Sliders::macroslip() const {
  return *std::max_element(strength_.begin(), strength_.end());
}

SteadyCycle Table::at(double amplitude) const {
  if (amplitude < smallest_amplitude) {
    const double stuck = backbone_.initial_slope() + residual_;
    return {stuck, stuck, stuck, 0.0};
  }
  // Slope s + c (y - x) on each parabola, y = X (1 - cos t)/2.
  double sum = 0.0;
  double from = 0.0;  // angle
  for (const auto& piece : backbone_.curve().pieces()) {
    if (piece.x >= amplitude) break;
    const double to = angle_at(std::min(piece.x + piece.length, amplitude), amplitude);
    const double mean = piece.slope + piece.curvature * (0.5 * amplitude - piece.x);
    const double cubes = std::pow(std::sin(to), 3) - std::pow(std::sin(from), 3);
    sum += mean * (sine_square(to) - sine_square(from)) - piece.curvature * amplitude * cubes / 6.0;
    from = to;
  }
  const auto tip = backbone_.at(amplitude);
  return {tip.force / amplitude + residual_, 2.0 / pi * sum + residual_, tip.slope + residual_,
          backbone_.dissipation(amplitude) / (pi * amplitude * amplitude)};
}

std::vector<double> Table::corners() const {
  std::vector<double> corners;
  for (const auto& piece : backbone_.curve().pieces()) corners.push_back(piece.x + piece.length);
  return corners;
}

OddSpring::OddSpring(const std::vector<double>& coefficients) {
  double factor = 1.0;  // 2 C(j+1, (j+1)/2)/2^(j+1) for j = 1
  for (std::size_t i = 0; i < coefficients.size(); i += 2) {
    secant_.push_back(coefficients[i]);
    harmonic_.push_back(factor * coefficients[i]);
    const auto j = static_cast<double>(i + 1);
    factor *= (j + 2.0) / (j + 3.0);
  }
}

SteadyCycle OddSpring::at(double amplitude) const {
  const double square = amplitude * amplitude;
  SteadyCycle cycle;
  for (std::size_t i = secant_.size(); i > 0; --i) {
    cycle.secant = cycle.secant * square + secant_[i - 1];
    cycle.harmonic = cycle.harmonic * square + harmonic_[i - 1];
  }
  cycle.energy = cycle.secant;
  return cycle;
}

double OddSpring::macroslip() const {
  return std::numeric_limits<double>::infinity();
}

}  // namespace steady

std::optional<SteadyCycleLaw> SteadyCycleLaw::of(const Law& law) {
  return std::visit(
      []<class L>(const L& l) -> std::optional<SteadyCycleLaw> {
        if constexpr (requires { l.shape().power_slope(); }) {
          const PowerSlope<double> p = l.shape().power_slope();
          return SteadyCycleLaw(steady::PowerLaw(p.stiffness, p.softening, p.power, p.end, p.end_force, l.residual()));
        } else if constexpr (requires { l.shape().grid(); }) {
          SliderGrid<double> grid = l.shape().grid();
          return SteadyCycleLaw(steady::Sliders(std::move(grid.stiffness), std::move(grid.strength), l.residual()));
        } else if constexpr (requires { l.shape().curve(); }) {
          return SteadyCycleLaw(steady::Table(l.shape(), l.residual()));
        } else if constexpr (requires { l.coefficients(); }) {
          if (l.is_odd()) return SteadyCycleLaw(steady::OddSpring(l.coefficients()));
        }
        return std::nullopt;
      },
      law);
}

}  // namespace microslip
