#include "microslip/joints/virgin_curve.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "microslip/joints/law_traits.hpp"
#include "microslip/joints/make_law.hpp"

namespace microslip {
namespace {

/// The numbers of a law by their names.
template <class T>
struct NamedNumbers {
  const LawSpec& spec;
  std::span<const T> values;

  [[nodiscard]] bool has(std::string_view key) const { return spec.has(key); }
  [[nodiscard]] T operator()(std::string_view key) const {
    for (std::size_t i = 0; i < spec.numbers.size(); ++i) {
      if (spec.numbers[i].first == key) return values[i];
    }
    return T(spec.number(key));
  }
  [[nodiscard]] T or_zero(std::string_view key) const { return has(key) ? (*this)(key) : T(0.0); }
};

/// As catalogue.cpp makes them of plain numbers.
template <class T>
Iwan4Backbone<T> iwan4_of(const NamedNumbers<T>& n) {
  if (n.has("FS")) return Iwan4Backbone<T>::from_physical(n("FS"), n("KT"), n("chi"), n("beta"));
  if (n.has("share")) return Iwan4Backbone<T>::from_share(n("KT"), n("chi"), n("phi_max"), n("share"));
  return Iwan4Backbone<T>::from_distribution(n("R"), n("S"), n("phi_max"), n("chi"));
}

std::invalid_argument no_curve(const LawSpec& spec) {
  return std::invalid_argument(fmt::format("{} has no virgin curve that is known with its derivatives", spec.law));
}

}  // namespace

std::vector<LawNumber> law_numbers(const LawSpec& spec) {
  std::vector<LawNumber> numbers;
  for (const auto& [key, value] : spec.numbers) {
    numbers.push_back(LawNumber::variable(value, static_cast<int>(numbers.size()) + 1));
  }
  return numbers;
}

bool has_virgin_curve(const LawSpec& spec) {
  const Law law = make_law(spec);
  const LawInfo& info = *find_law(spec.law);
  return obeys_masing_rules(law) && info.points == PointsOf::nothing && !info.series;
}

template <class T>
VirginCurve<T>::VirginCurve(const LawSpec& spec, std::span<const T> numbers) {
  const NamedNumbers<T> n{spec, numbers};
  const LawInfo* info = find_law(spec.law);
  if (info == nullptr || numbers.size() != spec.numbers.size()) throw no_curve(spec);
  if (info->iwan && !n.has("theta")) {
    const Iwan4Backbone<T> exact = iwan4_of(n);
    residual_ = n.or_zero("Kinf");
    stuck_ = exact.initial_slope() + residual_;
    yield_ = exact.yield();
    if (!n.has("sliders")) {
      const T chi = exact.chi();
      softening_ = exact.r() / (chi + 1.0);
      force_share_ = 1.0 / (chi + 2.0);
      loss_share_ = 4.0 * (chi + 1.0) * force_share_ / (chi + 3.0);
      shape_.template emplace<Iwan4Backbone<T>>(exact);
      return;
    }
    const auto count = static_cast<int>(value_of(n("sliders")));
    const double spacing = n.has("spacing") ? value_of(n("spacing")) : default_slider_spacing(count);
    const IwanSliders<T> law(slider_grid(exact, count, spacing));
    stuck_ = law.stuck_stiffness() + residual_;
    yield_ = law.max_slider_strength();
    shape_.template emplace<IwanSliders<T>>(law);
  } else if (spec.law == "jenkins") {
    const Jenkins<T> law(n("kt"), n("fs"));
    stuck_ = law.stuck_stiffness();
    yield_ = law.max_slider_strength();
    shape_.template emplace<Jenkins<T>>(law);
  } else if (spec.law == "iwan_uniform") {
    residual_ = n.or_zero("alpha") * n("k");
    stuck_ = n("k") + residual_;
    yield_ = 2.0 * n("fq") / n("k");
    shape_.template emplace<IwanUniformBackbone<T>>(n("k"), n("fq"));
  } else if (spec.law == "linear") {
    residual_ = stuck_ = n("k");
  } else {
    throw no_curve(spec);
  }
}

template <class T>
auto VirginCurve<T>::at(const T& u) const -> Point {
  const bool negative = u < T(0.0);
  const T x = negative ? -u : u;
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> Point {
        if constexpr (std::is_same_v<Shape, std::monostate>) {
          return {residual_ * u, residual_};
        } else if constexpr (requires { shape.yield(); }) {
          const auto point = shape.at(x);
          return {(negative ? -point.force : point.force) + residual_ * u, point.slope + residual_};
        } else {
          const auto point = shape.backbone(u);
          return {point.force + residual_ * u, point.slope + residual_};
        }
      },
      shape_);
}

/// Of Segalman's element -R x^(chi+2)/((chi+1)(chi+2)), no difference of large numbers.
template <class T>
auto VirginCurve<T>::slip(const T& u) const -> Point {
  const auto* iwan = std::get_if<Iwan4Backbone<T>>(&shape_);
  const bool negative = u < T(0.0);
  const T x = negative ? -u : u;
  if (iwan == nullptr || !(x < yield_)) {
    const Point point = at(u);
    return {point.force - stuck_ * u, point.slope - stuck_};
  }
  const T softening = softening_ * iwan->raised(x);
  const T force = -x * softening * force_share_;
  return {negative ? -force : force, -softening};
}

/// 4 R X^(chi+3)/((chi+2)(chi+3)), by the slope's R X^(chi+1)/(chi+1).
template <class T>
T VirginCurve<T>::loss(const T& u, const Point& slip) const {
  const bool negative = u < T(0.0);
  if (!std::holds_alternative<Iwan4Backbone<T>>(shape_) || !((negative ? -u : u) < yield_)) return loss(u);
  return -loss_share_ * u * u * slip.slope;
}

template <class T>
T VirginCurve<T>::loss(const T& u) const {
  const T x = u < T(0.0) ? -u : u;
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> T {
        if constexpr (std::is_same_v<Shape, std::monostate>) {
          return T(0.0);
        } else {
          return shape.dissipation(x);
        }
      },
      shape_);
}

template class VirginCurve<double>;
template class VirginCurve<LawNumber>;

}  // namespace microslip
