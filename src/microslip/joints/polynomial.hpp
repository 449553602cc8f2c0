#pragma once
// Polynomial spring: F = k_1 u + k_2 u^2 + ... + k_n u^n, conservative.
//
// With an Iwan element in parallel it is the IGNL model (Shetty IV). Even powers make it one-sided; a softening one has
// a limit load.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "microslip/joints/spring_parts.hpp"

namespace microslip {

template <class T = double>
class Polynomial : public SpringParts<T> {
 public:
  using typename SpringParts<T>::State;
  using typename SpringParts<T>::Trial;
  static constexpr bool straight_pieces = false;

  /// k_1 .. k_n [force/length^j], any finite values.
  explicit Polynomial(std::vector<T> coefficients) : coefficients_(std::move(coefficients)) {}

  [[nodiscard]] const std::vector<T>& coefficients() const { return coefficients_; }
  /// k_1 alone.
  [[nodiscard]] bool is_straight() const { return vanish(1, 1); }
  /// No even powers.
  [[nodiscard]] bool is_odd() const { return vanish(1, 2); }
  [[nodiscard]] static std::span<const T> corners() { return {}; }
  [[nodiscard]] int degree() const { return static_cast<int>(coefficients_.size()); }

  [[nodiscard]] Trial evaluate(const State& /*committed*/, const JointInput<T>& input) const {
    const BackbonePoint<T> point = backbone(input.u);
    Trial trial;
    trial.force = point.force;
    trial.stiffness = point.slope;
    trial.u = input.u;
    return trial;
  }

  [[nodiscard]] T stuck_stiffness() const { return coefficients_.empty() ? T(0.0) : coefficients_.front(); }
  /// No friction to slip: k_1.
  [[nodiscard]] T slipped_stiffness() const { return stuck_stiffness(); }
  [[nodiscard]] T stored_energy(const State& state) const { return backbone(state.u).work; }

  [[nodiscard]] BackbonePoint<T> backbone(T u) const {
    T force(0.0), slope(0.0), work(0.0);  // Horner, without the factors u, 1 and u^2
    for (std::size_t j = coefficients_.size(); j > 0; --j) {
      const T& k = coefficients_[j - 1];
      const auto power = static_cast<double>(j);
      force = force * u + k;
      slope = slope * u + power * k;
      work = work * u + k / (power + 1.0);
    }
    return {force * u, slope, work * u * u};
  }
  [[nodiscard]] T secant_stiffness(T amplitude) const {
    T secant(0.0);
    for (std::size_t j = coefficients_.size(); j > 0; --j) secant = secant * amplitude + coefficients_[j - 1];
    return secant;
  }

 private:
  /// Whether k_(j+1) = 0 for j = first, first + step, ...
  [[nodiscard]] bool vanish(std::size_t first, std::size_t step) const {
    for (std::size_t j = first; j < coefficients_.size(); j += step) {
      if (coefficients_[j] != T(0.0)) return false;
    }
    return true;
  }

  std::vector<T> coefficients_;
};

}  // namespace microslip
