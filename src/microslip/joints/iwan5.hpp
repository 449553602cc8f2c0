#pragma once
// Mignolet's five-parameter Iwan-type element, exact and continuous.
//
// Sliders of strength phi [length] with Segalman's distribution, Lacayo (4.3):
//   rho(phi) = R phi^chi on (0, phi_max) + S delta(phi - phi_max)
// A slider at x sticks until |u - x| reaches phi; then its spring drops to theta phi and it slides behind u,
//   x = u - s theta phi,   s = sign of the motion,
// until the motion reverses, when it sticks where it is. Lacayo (4.4), with the sign of (u - x) in the sliding force.
//
// The positions are a piecewise affine function of phi: x(phi) = a + b phi, b in {0, theta, -theta}, on a list of
// intervals. Moving to s, the stuck sliders of an interval slip from its lower end upwards, up to the front
//   phi* = s (u - a) / (1 + s b).
// Several fronts may be on their way at once, with stuck intervals between them. Each takes
//   (1 - theta) phi* rho(phi*) / (1 + s b)
// from the tangent, besides the stiffness of what slips. With theta = 1 a front may pass a whole interval at once
// (1 + s b = 0); the element is then Segalman's (iwan4.hpp).
//
// The intervals stand in the order of falling phi: a decaying motion appends at the end of the list. Each carries sums
// over itself and all above it, and the next deflections at which any of these slips; an evaluation walks up from
// phi = 0 to the highest front and takes the rest from the sums.
//
// The law has no return-point memory, and an unloading however small makes every slider stick: the force after a
// reversal of the noise of u differs from that of a monotonic motion. That is the model, not the implementation.
//
// Ref: Mignolet et al. 2015; Lacayo thesis, chapter 4, as corrected in docs/verification.md.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "microslip/joints/iwan4.hpp"
#include "microslip/joints/law.hpp"
#include "microslip/numerics/dual.hpp"

namespace microslip {

template <class T = double>
class Iwan5 {
 public:
  using Scalar = T;
  static constexpr MemoryKind memory = MemoryKind::sliders;
  static constexpr SliderCount sliders = SliderCount::many;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = false;
  static constexpr bool has_backbone = true;
  [[nodiscard]] static constexpr bool is_odd() { return true; }
  static constexpr bool exact_tangent = true;

  /// The sliders between `lower` and the next interval's lower end, or the slider S at phi_max (first of the list).
  struct Interval {
    T lower{};           ///< lower end [length]
    T lower_power{};     ///< lower^(chi+1)
    T anchor{};          ///< a of x(phi) = a + b phi; unused while the interval slips [length]
    int slope = 0;       ///< b / theta: -1, 0, 1
    bool slips = false;  ///< x(phi) = u - s theta phi, s the direction of the last motion

    // Sums over this interval and all above it; y = x - reference.
    T reference{};                      ///< [length]
    T stiffness{};                      ///< integral of rho, stuck sliders
    T offset{};                         ///< integral of rho y, stuck sliders
    T offset2{};                        ///< integral of rho y^2, stuck sliders
    T slipping{};                       ///< integral of rho, slipping sliders
    T slip_moment{};                    ///< integral of phi rho, slipping sliders
    T slip_moment2{};                   ///< integral of phi^2 rho, slipping sliders
    double next_up = 0.0;               ///< no stuck slider slips below this deflection when it grows [length]
    double next_down = 0.0;             ///< no stuck slider slips above this deflection when it falls [length]
    double lowest_slipping = 0.0;       ///< lowest strength that slips, infinite if none [length]
    std::size_t first_slipping = none;  ///< first interval of the list that slips
  };

  struct State {
    T u{};                            ///< current deflection [length]
    T dissipated{};                   ///< since the initial state [energy]
    int direction = 0;                ///< of the last motion; 0 before the first
    std::vector<Interval> intervals;  ///< by falling phi, the slider S first; empty: all sliders at 0
  };

  struct Trial : TrialBase<T> {
    T u{};
    int direction = 0;
    bool reverses = false;   ///< what slips sticks first
    std::size_t kept = 0;    ///< intervals at the head of the list in which nothing starts to slip
    std::size_t fronts = 0;  ///< intervals that are split by a front
  };

  /// The sliders' distribution, and theta: kinetic over static friction, 0 < theta <= 1.
  Iwan5(const Iwan4Backbone<T>& distribution, T theta)
      : distribution_(distribution),
        theta_(theta),
        gap_{1.0 - theta, T(1.0), 1.0 + theta},
        power_(distribution.chi() + 1.0),
        scale_{distribution.r() / power_, distribution.r() / (power_ + 1.0), distribution.r() / (power_ + 2.0)} {
    distribution_.tabulate();
    lambda_ = distribution.r() * (power_ + 1.0 - theta * power_) / (power_ * (power_ + 1.0));
    using std::pow;
    const T w = pow(distribution.phi_max(), power_);  // as in the distribution's own stiffness: at rest both agree
    second_moment_ = distribution.phi_max() * distribution.phi_max() * (scale_[2] * w + distribution.s());
    write(virgin_.data(), 0, distribution.phi_max(), w, T(0.0), 0, false);
    write(virgin_.data(), 1, T(0.0), T(0.0), T(0.0), 0, false);
  }
  static Iwan5 from_distribution(T r, T s, T phi_max, T chi, T theta) {
    return Iwan5(Iwan4Backbone<T>::from_distribution(r, s, phi_max, chi), theta);
  }
  /// F_S: force at which a motion from rest would reach macroslip if theta were 1; in macroslip it is theta F_S.
  static Iwan5 from_physical(T macroslip_force, T stiffness, T chi, T beta, T theta) {
    return Iwan5(Iwan4Backbone<T>::from_physical(macroslip_force, stiffness, chi, beta), theta);
  }

  [[nodiscard]] const Iwan4Backbone<T>& distribution() const { return distribution_; }
  [[nodiscard]] T theta() const { return theta_; }
  /// In other numbers, from R, S, phi_max and chi.
  template <class U>
  [[nodiscard]] Iwan5<U> with_scalar() const {
    const auto& d = distribution_;
    return Iwan5<U>::from_distribution(U(d.r()), U(d.s()), U(d.phi_max()), U(d.chi()), U(theta_));
  }
  template <class U>
  [[nodiscard]] static typename Iwan5<U>::State with_scalar(const State& state) {
    typename Iwan5<U>::State result{U(state.u), U(state.dissipated), state.direction, {}};
    for (const Interval& x : state.intervals) {
      result.intervals.push_back({U(x.lower), U(x.lower_power), U(x.anchor), x.slope, x.slips, U(x.reference),
                                  U(x.stiffness), U(x.offset), U(x.offset2), U(x.slipping), U(x.slip_moment),
                                  U(x.slip_moment2), x.next_up, x.next_down, x.lowest_slipping, x.first_slipping});
    }
    return result;
  }
  /// (4.35): sliders of strengths up to 2 X/(1 + theta) slip, if they have slipped before.
  [[nodiscard]] T decay_reach() const { return 2.0 / (1.0 + theta_); }
  [[nodiscard]] T stuck_stiffness() const { return distribution_.initial_slope(); }
  [[nodiscard]] T slipped_stiffness() const { return T(0.0); }
  [[nodiscard]] T max_slider_strength() const { return distribution_.phi_max(); }

  [[nodiscard]] Trial evaluate(const State& committed, const JointInput<T>& input) const;
  void commit(State& state, const Trial& trial) const;

  /// Integral of rho (u - x)^2 / 2.
  [[nodiscard]] T stored_energy(const State& state) const {
    const Interval& all = list_of(state).last();
    const T y = state.u - all.reference;
    return 0.5 * (y * (all.stiffness * y - 2.0 * all.offset) + all.offset2 + theta_ * theta_ * all.slip_moment2);
  }
  [[nodiscard]] T dissipated_energy(const State& state) const { return state.dissipated; }

  [[nodiscard]] T slipped_fraction(const State& state) const {
    return list_of(state).last().slipping / stuck_stiffness();
  }
  [[nodiscard]] T slider_position(const State& state, T phi) const;
  /// u = a + s (1 + s b) phi at the ends of every interval that sticks, or would after a reversal.
  void list_onsets(const State& state, int direction, std::vector<SlipOnset<T>>& onsets) const;

  /// (4.5) up to phi_max: F = K_T u - Lambda u^(chi+2); theta F_S beyond, after a drop of S (1 - theta) phi_max.
  [[nodiscard]] BackbonePoint<T> backbone(T u) const;
  /// (4.8) per cycle of amplitude X after growing motion; with the moments m1, m2 of the sliders below X,
  ///   D = (1 + theta)(1 - 3 theta) m2 + 4 theta X m1,
  /// which holds in macroslip too.
  [[nodiscard]] T dissipation(T amplitude) const { return ringdown_dissipation(amplitude, amplitude); }
  /// (4.7); theta F_S / X in macroslip.
  [[nodiscard]] T secant_stiffness(T amplitude) const {
    return amplitude == T(0.0) ? stuck_stiffness() : backbone(amplitude).force / amplitude;
  }
  /// Slope between the tips of the closed loop of amplitude u0 <= u_max after a slow decay from u_max, (4.35):
  ///   K = K_T - m0 + theta m1 / u0,   m0, m1: moments of the sliders with phi < min(2 u0/(1 + theta), u_max).
  [[nodiscard]] T ringdown_secant_stiffness(T u0, T u_max) const;
  /// Dissipation of that loop, (4.36): D = (1 + theta)(1 - 3 theta) m2 + 4 theta u0 m1.
  [[nodiscard]] T ringdown_dissipation(T u0, T u_max) const;

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  /// Integrals of rho, phi rho and phi^2 rho.
  struct Moments {
    T zeroth{}, first{}, second{};
  };
  struct List {
    const Interval* data;
    std::size_t size;
    [[nodiscard]] const Interval& last() const { return data[size - 1]; }
  };
  enum class Slip { nowhere, up_to_front, everywhere };
  struct Front {
    Slip slip = Slip::nowhere;
    T phi{};   ///< phi* [length]
    T path{};  ///< s (u - a) [length]
    T gap{};   ///< 1 + s b
  };

  [[nodiscard]] List list_of(const State& state) const {
    if (state.intervals.empty()) return {virgin_.data(), virgin_.size()};
    return {state.intervals.data(), state.intervals.size()};
  }

  /// Between `lower` and `upper`, given with their powers ^(chi+1).
  [[nodiscard]] Moments moments(const T& lower, const T& lower_power, const T& upper, const T& upper_power) const {
    const T width = upper - lower, power_width = upper_power - lower_power;  // so that no width is no moment
    return {scale_[0] * power_width, scale_[1] * (power_width * upper + lower_power * width),
            scale_[2] * (power_width * upper * upper + lower_power * width * (upper + lower))};
  }
  /// Of the i-th interval.
  [[nodiscard]] Moments moments(const Interval* list, std::size_t i) const {
    if (i == 0) return delta_moments();
    return moments(list[i].lower, list[i].lower_power, list[i - 1].lower, list[i - 1].lower_power);
  }
  [[nodiscard]] Moments delta_moments() const {
    const T s = distribution_.s(), phi = distribution_.phi_max();
    return {s, s * phi, s * phi * phi};
  }
  /// Of all sliders up to `phi`.
  [[nodiscard]] Moments moments_up_to(const T& phi) const {
    if (phi >= distribution_.phi_max()) return {stuck_stiffness(), distribution_.yield_force(), second_moment_};
    return moments(T(0.0), T(0.0), phi, distribution_.raised(phi));
  }
  /// Of the sliders that slip in the closed loop of amplitude u0: those with phi < 2 u0/(1 + theta), if they have
  /// slipped before, i.e. phi < u_max.
  [[nodiscard]] Moments ringdown_moments(const T& u0, const T& u_max) const {
    const T reach = 2.0 * u0 / gap_[2];
    const T highest = u0 > u_max ? u0 : u_max;
    return moments_up_to(reach < highest ? reach : highest);
  }

  /// How far the sliders between `lower` and `upper` that stick at (a, b) slip when u is reached in direction s.
  [[nodiscard]] Front front(const T& anchor, int slope, int s, const T& u, const T& lower, const T& upper) const {
    Front result;
    result.path = s > 0 ? u - anchor : anchor - u;
    result.gap = gap_[static_cast<std::size_t>(1 + s * slope)];
    if (!(result.gap > T(0.0))) {
      result.slip = result.path >= T(0.0) ? Slip::everywhere : Slip::nowhere;
      return result;
    }
    result.phi = result.path / result.gap;
    if (result.phi >= upper) {
      result.slip = Slip::everywhere;
    } else if (result.phi >= lower) {
      result.slip = Slip::up_to_front;
    }
    return result;
  }

  /// Puts an interval at `position`, below the one before it, with its sums.
  void write(Interval* list, std::size_t position, const T& lower, const T& lower_power, const T& anchor, int slope,
             bool slips) const;

  Iwan4Backbone<T> distribution_;
  T theta_;
  std::array<T, 3> gap_;              ///< 1 + s b for s b / theta = -1, 0, 1
  T power_;                           ///< chi + 1
  std::array<T, 3> scale_;            ///< R/(chi+1), R/(chi+2), R/(chi+3)
  T lambda_{};                        ///< (4.6)
  T second_moment_{};                 ///< integral of phi^2 rho
  std::array<Interval, 2> virgin_{};  ///< the list of the initial state
};

template <class T>
void Iwan5<T>::write(Interval* list, std::size_t position, const T& lower, const T& lower_power, const T& anchor,
                     int slope, bool slips) const {
  Interval x;
  x.lower = lower;
  x.lower_power = lower_power;
  x.anchor = anchor;
  x.slope = slope;
  x.slips = slips;

  const Interval* above = position > 0 ? &list[position - 1] : nullptr;
  const Moments m = above ? moments(lower, lower_power, above->lower, above->lower_power) : delta_moments();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (above) {
    x.reference = slips ? above->reference : anchor;
    const T shift = above->reference - x.reference;
    x.stiffness = above->stiffness;
    x.offset = above->offset + above->stiffness * shift;
    x.offset2 = above->offset2 + shift * (2.0 * above->offset + above->stiffness * shift);
    x.slipping = above->slipping;
    x.slip_moment = above->slip_moment;
    x.slip_moment2 = above->slip_moment2;
    x.next_up = above->next_up;
    x.next_down = above->next_down;
    x.lowest_slipping = above->lowest_slipping;
    x.first_slipping = above->first_slipping;
  } else {
    x.reference = slips ? T(0.0) : anchor;
    x.next_up = infinity;
    x.next_down = -infinity;
    x.lowest_slipping = infinity;
  }

  if (slips) {
    x.slipping += m.zeroth;
    x.slip_moment += m.first;
    x.slip_moment2 += m.second;
    x.lowest_slipping = value_of(lower);
    if (x.first_slipping == none) x.first_slipping = position;
  } else {
    const T b = static_cast<double>(slope) * theta_;
    x.stiffness += m.zeroth;
    x.offset += b * m.first;
    x.offset2 += b * b * m.second;
    // A little on the safe side: whether a slider slips is decided by its front alone.
    const double phi = value_of(lower), a = value_of(anchor);
    const double rounding = 4.0 * epsilon * (std::abs(a) + 2.0 * phi);
    x.next_up = std::min(x.next_up, a + phi * (1.0 + value_of(b)) - rounding);
    x.next_down = std::max(x.next_down, a - phi * (1.0 - value_of(b)) + rounding);
  }
  list[position] = x;
}

template <class T>
auto Iwan5<T>::evaluate(const State& committed, const JointInput<T>& input) const -> Trial {
  Trial trial;
  const T& u = input.u;
  trial.u = u;
  trial.direction = committed.direction;
  const T travel = u - committed.u;
  if (std::isnan(value_of(travel))) {
    trial.force = trial.stiffness = T(std::numeric_limits<double>::quiet_NaN());
    return trial;
  }
  const int moved = sign_of(travel);
  if (moved != 0) trial.direction = moved;
  const int s = trial.direction;
  trial.reverses = s != committed.direction && committed.direction != 0;

  const List list = list_of(committed);
  // May any slider of this interval or above it start to slip?
  const auto reached = [&](const Interval& x) {
    if (s == 0) return false;
    if (s > 0 ? value_of(u) >= x.next_up : value_of(u) <= x.next_down) return true;
    const double path = std::abs(value_of(travel));
    return trial.reverses && path >= x.lowest_slipping * (1.0 + value_of(theta_)) * (1.0 - 8.0 * epsilon);
  };
  const T sliding = static_cast<double>(s) * theta_;  // spring deflection over phi of what slips to s

  for (std::size_t i = list.size; i-- > 0;) {
    const Interval& x = list.data[i];
    if (!reached(x)) {
      trial.kept = i + 1;
      trial.force += x.stiffness * (u - x.reference) - x.offset;
      trial.stiffness += x.stiffness;
      if (trial.reverses) {  // sticks at u_c + s theta phi, u_c the committed deflection
        trial.force += x.slipping * travel - sliding * x.slip_moment;
        trial.stiffness += x.slipping;
      } else {
        trial.force += sliding * x.slip_moment;
      }
      break;
    }
    if (x.slips && !trial.reverses) {
      trial.force += sliding * moments(list.data, i).first;
      continue;
    }
    const T& anchor = x.slips ? committed.u : x.anchor;
    const int slope = x.slips ? s : x.slope;
    const T& upper = i > 0 ? list.data[i - 1].lower : x.lower;
    const Front at = front(anchor, slope, s, u, x.lower, upper);
    if (at.slip == Slip::everywhere) {
      trial.force += sliding * moments(list.data, i).first;
      continue;
    }
    Moments stuck;
    if (at.slip == Slip::nowhere) {
      stuck = moments(list.data, i);
    } else {
      const T front_power = distribution_.raised(at.phi);
      const Moments slipped = moments(x.lower, x.lower_power, at.phi, front_power);
      stuck = moments(at.phi, front_power, upper, list.data[i - 1].lower_power);
      trial.force += sliding * slipped.first;
      trial.stiffness -= gap_[0] * distribution_.r() * front_power / at.gap;
      ++trial.fronts;
    }
    trial.force += stuck.zeroth * (u - anchor) - static_cast<double>(slope) * theta_ * stuck.first;
    trial.stiffness += stuck.zeroth;
  }
  return trial;
}

/// Dissipation of a slider that slips at travel phi (1 + s b) of the path s (u - a): (1 - theta^2) phi^2 rho / 2 in the
/// drop, theta phi rho per length afterwards.
template <class T>
void Iwan5<T>::commit(State& state, const Trial& trial) const {
  const T travel = trial.u - state.u;
  if (std::isnan(value_of(travel)) || trial.direction == 0) {
    state.u = trial.u;
    return;
  }
  std::vector<Interval>& list = state.intervals;
  if (list.empty()) list.assign(virgin_.begin(), virgin_.end());
  const int s = trial.direction;
  const std::size_t size = list.size();

  std::size_t begin = trial.kept;
  if (trial.reverses) {
    begin = std::min(begin, list.back().first_slipping);
  } else {
    state.dissipated += theta_ * list.back().slip_moment * (s > 0 ? travel : -travel);
  }

  // The intervals from `begin` on are written anew, at `to`; those still to be read stand `fronts` places further on.
  T upper = list[begin > 0 ? begin - 1 : 0].lower;
  T upper_power = list[begin > 0 ? begin - 1 : 0].lower_power;
  if (trial.fronts > 0) {
    list.resize(size + trial.fronts);
    const auto head = list.begin();
    std::move_backward(head + static_cast<std::ptrdiff_t>(begin), head + static_cast<std::ptrdiff_t>(size), list.end());
  }
  std::size_t to = begin;
  const auto emit = [&](const T& lower, const T& lower_power, const T& anchor, int slope, bool slips) {
    if (slips && to >= 2 && list[to - 1].slips) --to;
    write(list.data(), to++, lower, lower_power, anchor, slope, slips);
  };
  const auto starts_to_slip = [&](const Moments& m, const Front& at) {
    state.dissipated += 0.5 * (1.0 - theta_ * theta_) * m.second + theta_ * (at.path * m.first - at.gap * m.second);
  };

  for (std::size_t from = begin + trial.fronts; from < list.size(); ++from) {
    const Interval x = list[from];
    const bool is_delta = from == trial.fronts;
    if (x.slips && !trial.reverses) {
      emit(x.lower, x.lower_power, T(0.0), 0, true);
    } else {
      const T anchor = x.slips ? state.u : x.anchor;
      const int slope = x.slips ? s : x.slope;
      const Front at = front(anchor, slope, s, trial.u, x.lower, upper);
      if (at.slip == Slip::nowhere) {
        emit(x.lower, x.lower_power, anchor, slope, false);
      } else if (at.slip == Slip::everywhere) {
        starts_to_slip(is_delta ? delta_moments() : moments(x.lower, x.lower_power, upper, upper_power), at);
        emit(x.lower, x.lower_power, T(0.0), 0, true);
      } else {
        const T front_power = distribution_.raised(at.phi);
        starts_to_slip(moments(x.lower, x.lower_power, at.phi, front_power), at);
        emit(at.phi, front_power, anchor, slope, false);
        if (at.phi > x.lower) emit(x.lower, x.lower_power, T(0.0), 0, true);
      }
    }
    upper = x.lower;
    upper_power = x.lower_power;
  }
  list.resize(to);
  state.u = trial.u;
  state.direction = s;
}

template <class T>
auto Iwan5<T>::slider_position(const State& state, T phi) const -> T {
  const List list = list_of(state);
  std::size_t below = 0, end = list.size - 1;  // the first interval whose lower end is not above phi
  while (below < end) {
    const std::size_t middle = (below + end) / 2;
    if (list.data[middle].lower <= phi) {
      end = middle;
    } else {
      below = middle + 1;
    }
  }
  const Interval& x = list.data[below];
  if (x.slips) return state.u - static_cast<double>(state.direction) * theta_ * phi;
  return x.anchor + static_cast<double>(x.slope) * theta_ * phi;
}

template <class T>
void Iwan5<T>::list_onsets(const State& state, int direction, std::vector<SlipOnset<T>>& onsets) const {
  onsets.clear();
  const List list = list_of(state);
  const bool reverses = direction != state.direction;
  for (std::size_t i = 0; i < list.size; ++i) {
    const Interval& x = list.data[i];
    if (x.slips && !reverses) continue;
    const T& anchor = x.slips ? state.u : x.anchor;
    const int slope = x.slips ? direction : x.slope;
    const T reach = static_cast<double>(direction) * gap_[static_cast<std::size_t>(1 + direction * slope)];
    onsets.push_back({anchor + reach * x.lower, i == 0 ? gap_[0] * distribution_.s() * x.lower : T(0.0)});
    if (i > 0) onsets.push_back({anchor + reach * list.data[i - 1].lower, T(0.0)});
  }
}

template <class T>
auto Iwan5<T>::backbone(T u) const -> BackbonePoint<T> {
  using std::abs;
  const T x = abs(u), phi_max = distribution_.phi_max();
  const bool macro = x >= phi_max;
  const T y = macro ? phi_max : x;
  const T softening = lambda_ * distribution_.raised(y);  // Lambda y^(chi+1)
  BackbonePoint<T> point;
  point.work = y * y * (0.5 * stuck_stiffness() - softening / (power_ + 2.0));
  if (macro) {
    point.force = theta_ * distribution_.yield_force();
    point.work += point.force * (x - phi_max);
  } else {
    point.force = y * (stuck_stiffness() - softening);
    point.slope = stuck_stiffness() - (power_ + 1.0) * softening;
  }
  if (u < T(0.0)) point.force = -point.force;
  return point;
}

template <class T>
auto Iwan5<T>::ringdown_secant_stiffness(T u0, T u_max) const -> T {
  if (u0 == T(0.0)) return stuck_stiffness();
  const Moments m = ringdown_moments(u0, u_max);
  return stuck_stiffness() - m.zeroth + theta_ * m.first / u0;
}

template <class T>
auto Iwan5<T>::ringdown_dissipation(T u0, T u_max) const -> T {
  const Moments m = ringdown_moments(u0, u_max);
  return gap_[2] * (1.0 - 3.0 * theta_) * m.second + 4.0 * theta_ * u0 * m.first;
}

}  // namespace microslip
