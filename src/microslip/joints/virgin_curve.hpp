#pragma once
// The virgin curve of a law that obeys the Masing rules: force, slope and loss of a cycle as functions of the
// deflection and of the numbers that a study gives the law.
//
//   T = double     values
//   T = LawNumber  and their exact derivatives: direction 0 is the deflection, 1 + i the i-th number of the LawSpec
//
// A joint that is only ever loaded stays on this curve: all that a modal curve needs of it, without any memory.

#include <span>
#include <variant>
#include <vector>

#include "microslip/joints/catalogue.hpp"
#include "microslip/numerics/dual.hpp"

namespace microslip {

/// A law has at most so many numbers (iwan6 with sliders).
inline constexpr int most_law_numbers = 7;
using LawNumber = Dual<most_law_numbers + 1>;

/// The numbers of a law, each a direction of its own.
[[nodiscard]] std::vector<LawNumber> law_numbers(const LawSpec& spec);

template <class T>
class VirginCurve {
 public:
  struct Point {
    T force{};
    T slope{};
  };

  /// `numbers`: as many as those of the law, in the same order, in the place of its own. Throws std::invalid_argument
  /// for a law without such a curve, see has_virgin_curve.
  VirginCurve(const LawSpec& spec, std::span<const T> numbers);

  [[nodiscard]] Point at(const T& u) const;
  /// at(u) less the spring that the joint is at rest: what slipping takes.
  [[nodiscard]] Point slip(const T& u) const;
  /// Of a cycle of amplitude |u|, dissipated [energy].
  [[nodiscard]] T loss(const T& u) const;
  /// The same where slip(u) is known.
  [[nodiscard]] T loss(const T& u, const Point& slip) const;
  /// Slope at rest and in macroslip.
  [[nodiscard]] T stuck_stiffness() const { return stuck_; }
  [[nodiscard]] T slipped_stiffness() const { return residual_; }
  /// |u| from which on everything slips, where the slope jumps; 0: there is none [length].
  [[nodiscard]] T yield() const { return yield_; }

 private:
  using Shape = std::variant<std::monostate, Jenkins<T>, Iwan4Backbone<T>, IwanUniformBackbone<T>, IwanSliders<T>>;

  Shape shape_;  ///< none: a straight spring
  T residual_{}, stuck_{}, yield_{};
  T softening_{}, force_share_{}, loss_share_{};  ///< of Segalman's element, see slip() and loss()
};

extern template class VirginCurve<double>;
extern template class VirginCurve<LawNumber>;

/// A straight spring, or one of the Masing laws whose numbers can be varied: all but a backbone of points.
[[nodiscard]] bool has_virgin_curve(const LawSpec& spec);

}  // namespace microslip
