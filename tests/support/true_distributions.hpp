#pragma once
// Distributions of slider strengths with closed forms, as Shetty's Paper III meets them: a power law, a U shape, two
// bumps. Each is a sum of powers R phi^chi on (0, phi_max), bumps c (1 - z^2)^2 with z = (phi - middle)/half, and S at
// phi_max.

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/identify/force_curve.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip::test {

struct TrueDistribution {
  struct Power {
    double r, chi;
  };
  struct Bump {
    double c, middle, half;
  };
  double phi_max = 1.0;
  double s = 0.0;
  std::vector<Power> powers;
  std::vector<Bump> bumps;

  [[nodiscard]] double density(double phi) const {
    double sum = 0.0;
    for (const Power& p : powers) sum += p.r * std::pow(phi, p.chi);
    for (const Bump& b : bumps) {
      const double z = (phi - b.middle) / b.half;
      if (std::abs(z) < 1.0) sum += b.c * std::pow(1.0 - z * z, 2);
    }
    return phi < phi_max ? sum : 0.0;
  }
  /// f(u) = integral of phi rho up to u + u (integral of rho beyond u + S)
  [[nodiscard]] double force(double u) const {
    const double x = std::min(u, phi_max);
    double sum = s * x;
    for (const Power& p : powers) {
      sum += p.r * (std::pow(x, p.chi + 2.0) / (p.chi + 2.0) +
                    x * (std::pow(phi_max, p.chi + 1.0) - std::pow(x, p.chi + 1.0)) / (p.chi + 1.0));
    }
    for (const Bump& b : bumps) {
      const double low = b.middle - b.half, high = b.middle + b.half, cut = std::clamp(x, low, high);
      sum += integral(b, low, cut, [](double phi) { return phi; }) +
             x * integral(b, cut, high, [](double) { return 1.0; });
    }
    return sum;
  }
  /// D(X) = 4 integral of phi (X - phi) rho up to X
  [[nodiscard]] double dissipation(double amplitude) const {
    const double x = std::min(amplitude, phi_max);
    double sum = amplitude > phi_max ? s * phi_max * (amplitude - phi_max) : 0.0;
    for (const Power& p : powers) {
      sum += p.r * (amplitude * std::pow(x, p.chi + 2.0) / (p.chi + 2.0) - std::pow(x, p.chi + 3.0) / (p.chi + 3.0));
    }
    for (const Bump& b : bumps) {
      const double low = b.middle - b.half, cut = std::clamp(x, low, b.middle + b.half);
      sum += integral(b, low, cut, [&](double phi) { return phi * (amplitude - phi); });
    }
    return 4.0 * sum;
  }
  [[nodiscard]] double slip_force() const { return force(phi_max); }
  [[nodiscard]] double stiffness() const {
    double sum = s;
    for (const Power& p : powers) sum += p.r * std::pow(phi_max, p.chi + 1.0) / (p.chi + 1.0);
    for (const Bump& b : bumps) sum += b.c * b.half * 16.0 / 15.0;
    return sum;
  }

  /// Even points up to `end` phi_max, with noise of the given share of F_S.
  [[nodiscard]] ForceCurve curve(int points, double end, double noise, std::uint64_t seed, bool log = false,
                                 double residual = 0.0) const {
    ForceCurve result;
    Normal normal(seed);
    for (int i = 1; i <= points; ++i) {
      const double share = static_cast<double>(i) / points;
      const double u = phi_max * end * (log ? std::pow(1e-3, 1.0 - share) : share);
      result.u.push_back(u);
      result.f.push_back(force(u) + residual * u + (noise > 0.0 ? noise * slip_force() * normal() : 0.0));
    }
    return result;
  }

 private:
  /// Gauss's rule with four points: exact, the integrands have degree 6.
  template <class Weight>
  static double integral(const Bump& b, double from, double to, Weight&& weight) {
    constexpr double node[] = {0.33998104358485626480, 0.86113631159405257522};
    constexpr double share[] = {0.65214515486254614263, 0.34785484513745385737};
    const double centre = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
      for (const double side : {-1.0, 1.0}) {
        const double phi = centre + side * half * node[i], z = (phi - b.middle) / b.half;
        sum += share[i] * b.c * std::pow(1.0 - z * z, 2) * weight(phi);
      }
    }
    return half * sum;
  }
};

/// Paper III, section 3: the four parameters of the beam with one bolt, F_S = 600.2, K_T = 7.786e5, chi = -0.367,
/// beta = 10.87; and its K_inf from the frequency 198.23 Hz.
inline constexpr double paper3_stiffness = 7.786e5;
inline constexpr double paper3_residual = 1551312.9 - paper3_stiffness;  // (2 pi 198.23)^2 = 1551312.9

/// K_T = paper3_stiffness in all of them; `end_share` of it in S.
inline TrueDistribution scaled_to_paper3(TrueDistribution d, double end_share) {
  d.s = 0.0;
  const double factor = paper3_stiffness * (1.0 - end_share) / d.stiffness();
  for (auto& p : d.powers) p.r *= factor;
  for (auto& b : d.bumps) b.c *= factor;
  d.s = paper3_stiffness * end_share;
  return d;
}

inline TrueDistribution power_law() {
  // phi_max = F_S (1 + beta)/(K_T (beta + (chi+1)/(chi+2)))
  constexpr double chi = -0.367, beta = 10.87;
  TrueDistribution d;
  d.phi_max = 600.2 * (1.0 + beta) / (paper3_stiffness * (beta + (chi + 1.0) / (chi + 2.0)));
  d.powers = {{1.0, chi}};
  return scaled_to_paper3(d, beta / (1.0 + beta));
}

/// Falls as a power, then rises towards macroslip: Fig. 4.
inline TrueDistribution u_shape() {
  TrueDistribution d = power_law();
  const double phi = d.phi_max;
  d.powers = {{std::pow(phi, 0.5), -0.5}, {8.0 * std::pow(phi, -6.0), 6.0}};
  return scaled_to_paper3(d, 0.1);
}

/// Two bolts, one after the other, on a power law: Fig. 9.
inline TrueDistribution two_bumps() {
  TrueDistribution d = power_law();
  const double phi = d.phi_max;
  d.powers = {{0.5 * std::pow(phi, 0.4), -0.4}};
  d.bumps = {{4.0, 0.15 * phi, 0.08 * phi}, {3.0, 0.75 * phi, 0.2 * phi}};
  return scaled_to_paper3(d, 0.0);
}

}  // namespace microslip::test
