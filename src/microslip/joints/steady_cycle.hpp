#pragma once
// What a joint does over one steady cycle u = X cos(theta), in closed form: stiffness, loss and stored energy as
// functions of the amplitude X.
//
// A Masing loop leaves the tip (X, F0(X)) along F0(X) - 2 F0((X - u)/2). Its cosine coefficient over X, integrated by
// parts, is a mean of the slope of the backbone,
//
//   K1(X) = (2/pi) integral from 0 to pi of F0'(X (1 - cos t)/2) sin^2 t dt
//
//   Iwan, microslip   K_T - R X^(chi+1)/(chi+1) * (8/pi) B(chi + 5/2, 3/2),   B: beta function; macroslip: incomplete
//   slider k, phi     k (t - sin t cos t)/pi,   cos t = 1 - 2 phi/X   (X > phi)
//   table of points   slope linear in u between its points: t, sin t and sin^3 t at their ends
//   odd power k u^j   k X^(j-1) * 2 C(j+1, (j+1)/2)/2^(j+1)
//
// The sine coefficient is D/(pi X^2) for any loop. Energy: a Masing loop stores X F0 - W at its tip, whose derivative
// is X F0'; an elastic spring has dE/dX = F. See docs/theory.md, "Averaging".

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "microslip/joints/any_law.hpp"

namespace microslip {

struct SteadyCycle {
  double secant = 0.0;    ///< F/X at the tip [force/length]
  double harmonic = 0.0;  ///< K1, first harmonic of the force in phase with u, over X [force/length]
  double energy = 0.0;    ///< (dE/dX)/X, E the energy stored at the tip [force/length]
  double loss = 0.0;      ///< D/(pi X^2): first harmonic in phase with the velocity, over X [force/length]
};

namespace steady {

/// Slope K_T - softening u^power up to the end, then the residual: Segalman's Iwan elements and the uniform one.
class PowerLaw {
 public:
  PowerLaw(double stiffness, double softening, double power, double end, double end_force, double residual);
  [[nodiscard]] SteadyCycle at(double amplitude) const;
  [[nodiscard]] double macroslip() const { return end_; }
  [[nodiscard]] std::vector<double> corners() const { return {end_}; }

 private:
  double stiffness_, softening_, power_, end_, end_force_, residual_;
  double harmonic_;  ///< (8/pi) B(power + 3/2, 3/2)
  double loss_;      ///< 4 power/(pi (power+1)(power+2))
  double offset_;    ///< 4 end F - D(end)
};

/// Jenkins elements in parallel.
class Sliders {
 public:
  Sliders(std::vector<double> stiffness, std::vector<double> strength, double residual);
  [[nodiscard]] SteadyCycle at(double amplitude) const;
  [[nodiscard]] double macroslip() const;
  [[nodiscard]] std::vector<double> corners() const { return strength_; }

 private:
  std::vector<double> stiffness_, strength_;
  double residual_;
};

/// Backbone of parabolas.
class Table {
 public:
  Table(TableBackbone<double> backbone, double residual) : backbone_(std::move(backbone)), residual_(residual) {}
  [[nodiscard]] SteadyCycle at(double amplitude) const;
  [[nodiscard]] double macroslip() const { return backbone_.yield(); }
  [[nodiscard]] std::vector<double> corners() const;

 private:
  TableBackbone<double> backbone_;
  double residual_;
};

/// Elastic spring of odd powers k_1 u + k_3 u^3 + ...
class OddSpring {
 public:
  explicit OddSpring(const std::vector<double>& coefficients);  ///< of u, u^2, ...; the even ones are 0
  [[nodiscard]] SteadyCycle at(double amplitude) const;
  [[nodiscard]] double macroslip() const;
  [[nodiscard]] std::vector<double> corners() const { return {}; }

 private:
  std::vector<double> secant_, harmonic_;  ///< of X^0, X^2, ...
};

}  // namespace steady

class SteadyCycleLaw {
 public:
  /// Nothing for laws without closed forms. A law has them whose shape() tells its power_slope(), its grid() of sliders
  /// or its curve(), or that is odd and tells its coefficients().
  static std::optional<SteadyCycleLaw> of(const Law& law);

  /// amplitude >= 0
  [[nodiscard]] SteadyCycle at(double amplitude) const {
    return std::visit([amplitude](const auto& law) { return law.at(amplitude); }, law_);
  }
  /// phi_max: all sliders slip beyond it; infinite for an elastic spring.
  [[nodiscard]] double macroslip() const {
    return std::visit([](const auto& law) { return law.macroslip(); }, law_);
  }
  /// Amplitudes where the closed forms are not smooth.
  [[nodiscard]] std::vector<double> corners() const {
    return std::visit([](const auto& law) { return law.corners(); }, law_);
  }

 private:
  using Any = std::variant<steady::PowerLaw, steady::Sliders, steady::Table, steady::OddSpring>;
  explicit SteadyCycleLaw(Any law) : law_(std::move(law)) {}
  Any law_;
};

}  // namespace microslip
