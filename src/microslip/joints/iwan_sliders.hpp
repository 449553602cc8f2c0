#pragma once
// Iwan elements of finitely many sliders, as in the papers: for comparison with the exact elements (iwan4.hpp,
// iwan5.hpp), and for distributions that have no closed form.
//
// A slider of stiffness k [force/length] and strength phi [length] at position x [length]:
//   IwanSliders    F = k clamp(u - x, -phi, phi)
//   Iwan5Sliders   F = k (u - x) until |u - x| >= phi, then s theta k phi with x = u - s theta phi until the motion
//   turns
//
// Segalman's distribution rho(phi) = R phi^chi on (0, phi_max) + S delta(phi - phi_max) is cut into intervals; each
// becomes one slider with
//   k = integral of rho,   phi = centroid, integral of phi rho / integral of rho,
// which keeps K_T and F_S. The papers take the middle of the interval instead: F_S is then off.
// Error of the force with theta = 1: the front is inside one interval of width h at a time, and sliders at centroids
// are exact at its ends: 0 <= F_sliders - F_exact <= max of rho h^2 / 8 on the virgin curve, second order where rho is
// smooth. With theta < 1 each slip drops the force by (1 - theta) k phi: first order.
// Ref: Lacayo thesis, (4.13)-(4.21), with a flag for each slider instead of a count; Segalman 2005.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "microslip/joints/iwan4.hpp"
#include "microslip/joints/jenkins.hpp"
#include "microslip/joints/law.hpp"
#include "microslip/numerics/dual.hpp"

namespace microslip {

enum class SliderPlacement { centroid, midpoint };

/// Factor between the widths of neighbouring intervals, exp(9/n): the ratio of the last to the first stays e^9 whatever
/// n, so that the sliders converge to the exact element; a fixed factor (1.2 in the papers) does not.
inline double default_slider_spacing(int intervals) {
  return std::exp(9.0 / intervals);
}

/// Ends of `intervals` intervals of (0, 1), each `spacing` times as wide as the one before it; Lacayo (4.13).
inline std::vector<double> geometric_fractions(int intervals, double spacing) {
  if (intervals < 1)
    throw std::invalid_argument("sliders: need at least one interval, got " + std::to_string(intervals));
  if (!(spacing > 0.0) || !std::isfinite(spacing)) {
    throw std::invalid_argument("sliders: spacing must be > 0, got " + std::to_string(spacing));
  }
  std::vector<double> ends(static_cast<std::size_t>(intervals) + 1);
  const double rate = std::log(spacing);
  for (int i = 0; i <= intervals; ++i) {
    // (a^i - 1)/(a^n - 1); for a > 1 from the upper end, so that a^n may overflow
    const double share = static_cast<double>(i) / intervals;
    double fraction = share;
    if (rate > 0.0) {
      fraction = std::exp(rate * (i - intervals)) * std::expm1(-rate * i) / std::expm1(-rate * intervals);
    } else if (rate < 0.0) {
      fraction = std::expm1(rate * i) / std::expm1(rate * intervals);
    }
    ends[static_cast<std::size_t>(i)] = fraction;
  }
  return ends;
}

/// Ends of intervals of (0, 1) for which rho h^2 is the same in all, h ~ phi^(-chi/2): the smallest error of the force
/// that `intervals` sliders can have (theta = 1), about R phi_max^(chi+2) / (2 (2 + chi)^2 n^2).
inline std::vector<double> equal_error_fractions(int intervals, double chi) {
  std::vector<double> ends = geometric_fractions(intervals, 1.0);
  for (double& end : ends) end = std::pow(end, 2.0 / (2.0 + chi));
  return ends;
}

/// One slider for each interval between `fractions` of phi_max, which grow from 0 to 1, and the slider S at phi_max.
template <class T>
SliderGrid<T> slider_grid(const Iwan4Backbone<T>& distribution, const std::vector<double>& fractions,
                          SliderPlacement placement = SliderPlacement::centroid) {
  using std::pow;
  const T phi_max = distribution.phi_max(), power = distribution.chi() + 1.0;
  const T total = distribution.r() * pow(phi_max, power) / power;  // integral of R phi^chi
  SliderGrid<T> grid;
  double lower = 0.0;
  for (const double upper : fractions) {
    if (!(upper > lower && upper >= std::numeric_limits<double>::min())) continue;
    grid.stiffness.push_back(total * (pow(T(upper), power) - pow(T(lower), power)));
    if (placement ==
        SliderPlacement::centroid) {  // with q = lower/upper, (chi+1)/(chi+2) (1 - q^(chi+2))/(1 - q^(chi+1))
      const T q(lower / upper);
      const T share = power / (power + 1.0) * (1.0 - pow(q, power + 1.0)) / (1.0 - pow(q, power));
      grid.strength.push_back(upper * share * phi_max);
    } else {
      grid.strength.push_back(0.5 * (lower + upper) * phi_max);
    }
    lower = upper;
  }
  grid.stiffness.push_back(distribution.s());
  grid.strength.push_back(phi_max);
  return grid;
}

/// The grid of the papers: geometric intervals.
template <class T>
SliderGrid<T> slider_grid(const Iwan4Backbone<T>& distribution, int intervals, double spacing,
                          SliderPlacement placement = SliderPlacement::centroid) {
  return slider_grid(distribution, geometric_fractions(intervals, spacing), placement);
}
template <class T>
SliderGrid<T> slider_grid(const Iwan4Backbone<T>& distribution, int intervals) {
  return slider_grid(distribution, intervals, default_slider_spacing(intervals));
}

namespace detail {

/// Sums over sliders run in `lanes` independent partial sums, which the compiler turns into vector instructions without
/// reordering anything; the arrays are padded to a multiple of it with sliders of no stiffness.
inline constexpr std::size_t lanes = 8;

template <class T>
struct LaneSum {
  std::array<T, lanes> part{};
  T& operator[](std::size_t lane) { return part[lane]; }
  [[nodiscard]] T total() const {
    return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
  }
};

template <class Trial>
Trial not_a_number(Trial trial) {
  trial.force = trial.stiffness = std::numeric_limits<double>::quiet_NaN();
  return trial;
}

/// What both slider elements share: the padded grid and sums over it.
template <class T>
class SliderSet {
 public:
  explicit SliderSet(const SliderGrid<T>& grid) : count_(grid.stiffness.size()) {
    if (count_ == 0 || grid.strength.size() != count_) {
      throw std::invalid_argument("sliders: need as many strengths as stiffnesses, and at least one");
    }
    const std::size_t padded = (count_ + lanes - 1) / lanes * lanes;
    stiffness_ = grid.stiffness;
    strength_ = grid.strength;
    stiffness_.resize(padded, T(0.0));
    strength_.resize(padded, grid.strength.back());
    zeros_.resize(padded, T(0.0));
    total_ = T(0.0);
    for (const T& k : grid.stiffness) total_ += k;
    strongest_ = grid.strength[0];
    for (const T& phi : grid.strength) {
      if (phi > strongest_) strongest_ = phi;
    }
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t padded() const { return stiffness_.size(); }
  [[nodiscard]] const T* stiffness() const { return stiffness_.data(); }
  [[nodiscard]] const T* strength() const { return strength_.data(); }
  [[nodiscard]] const T* zeros() const { return zeros_.data(); }
  [[nodiscard]] const T& total() const { return total_; }
  [[nodiscard]] const T& strongest() const { return strongest_; }

  /// The slider whose strength is nearest to phi.
  [[nodiscard]] std::size_t nearest(const T& phi) const {
    using std::abs;
    std::size_t best = 0;
    for (std::size_t i = 1; i < count_; ++i) {
      if (abs(strength_[i] - phi) < abs(strength_[best] - phi)) best = i;
    }
    return best;
  }

  /// Sum of k (u - x)^2 / 2.
  [[nodiscard]] T stored(const T& u, const T* position) const {
    LaneSum<T> sum;
    for (std::size_t i = 0; i < padded(); i += lanes) {
      for (std::size_t j = 0; j < lanes; ++j) {
        const T y = u - position[i + j];
        sum[j] += stiffness_[i + j] * y * y;
      }
    }
    return 0.5 * sum.total();
  }

  /// Virgin curve at u; the springs of slipping sliders are deflected by theta phi.
  [[nodiscard]] BackbonePoint<T> backbone(const T& u, const T& theta) const {
    using std::abs;
    const T x = abs(u);
    BackbonePoint<T> point;
    for (std::size_t i = 0; i < count_; ++i) {
      const T& k = stiffness_[i];
      const T& phi = strength_[i];
      if (x >= phi) {
        point.force += theta * k * phi;
        point.work += k * phi * (0.5 * phi + theta * (x - phi));
      } else {  // x is not a number: so is the force
        point.force += k * x;
        point.slope += k;
        point.work += 0.5 * k * x * x;
      }
    }
    if (u < T(0.0)) point.force = -point.force;
    return point;
  }

  /// Per cycle of amplitude X reached by growing motion: sum over phi <= X of (1+theta)(1-3theta) k phi^2 + 4 theta k
  /// phi X.
  [[nodiscard]] T dissipation(const T& amplitude, const T& theta) const {
    T sum = T(0.0) * amplitude;
    for (std::size_t i = 0; i < count_; ++i) {
      const T& phi = strength_[i];
      if (phi <= amplitude) {
        sum += stiffness_[i] * phi * ((1.0 + theta) * (1.0 - 3.0 * theta) * phi + 4.0 * theta * amplitude);
      }
    }
    return sum;
  }

 private:
  std::size_t count_;
  std::vector<T> stiffness_, strength_, zeros_;
  T total_{}, strongest_{};
};

}  // namespace detail

/// Parallel Jenkins elements: iwan4 (residual = 0) and iwan6 (residual = Kinf) of finitely many sliders.
template <class T = double>
class IwanSliders {
 public:
  using Scalar = T;
  static constexpr MemoryKind memory = MemoryKind::reversals;
  static constexpr SliderCount sliders = SliderCount::many;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = false;
  static constexpr bool has_backbone = true;
  [[nodiscard]] static constexpr bool is_odd() { return true; }

  struct State {
    T u{};                    ///< current deflection [length]
    T dissipated{};           ///< since the initial state [energy]
    std::vector<T> position;  ///< x of each slider [length]; empty: all at 0
  };
  /// The sliders move in `commit`.
  struct Trial : TrialBase<T> {
    T u{};
  };

  /// The backbone at x >= 0 without the residual spring, of a law that outlives it.
  struct Shape {
    const IwanSliders* law;
    [[nodiscard]] BackboneSlope<T> at(T x) const {
      const auto point = law->backbone(x);
      const T residual = law->residual_;
      return {point.force - residual * x, point.slope - residual};
    }
    [[nodiscard]] T yield() const { return law->max_slider_strength(); }
    [[nodiscard]] T initial_slope() const { return law->stuck_stiffness() - law->residual_; }
    /// The strengths of all sliders but the strongest.
    [[nodiscard]] std::vector<T> corners() const {
      std::vector<T> corners = law->grid().strength;
      std::erase_if(corners, [end = yield()](const T& phi) { return !(phi < end); });
      return corners;
    }
    [[nodiscard]] SliderGrid<T> grid() const { return law->grid(); }
  };

  /// `residual`: stiffness of a spring in parallel, what is left in macroslip [force/length].
  explicit IwanSliders(const SliderGrid<T>& grid, T residual = T(0.0)) : sliders_(grid), residual_(residual) {}

  [[nodiscard]] std::size_t count() const { return sliders_.count(); }
  [[nodiscard]] SliderGrid<T> grid() const {
    return {{sliders_.stiffness(), sliders_.stiffness() + count()},
            {sliders_.strength(), sliders_.strength() + count()}};
  }
  [[nodiscard]] Shape shape() const { return {this}; }
  [[nodiscard]] T residual() const { return residual_; }
  [[nodiscard]] T stuck_stiffness() const { return sliders_.total() + residual_; }
  [[nodiscard]] T slipped_stiffness() const { return residual_; }
  [[nodiscard]] T max_slider_strength() const { return sliders_.strongest(); }

  [[nodiscard]] Trial evaluate(const State& committed, const JointInput<T>& input) const {
    using std::abs;
    constexpr std::size_t lanes = detail::lanes;
    Trial trial;
    trial.u = input.u;
    if (std::isnan(value_of(input.u - committed.u))) return detail::not_a_number(trial);
    const T* k = sliders_.stiffness();
    const T* phi = sliders_.strength();
    const T* x = positions(committed);
    const T u = input.u;
    const double rounding = epsilon * std::abs(value_of(u));
    detail::LaneSum<T> force, stiffness;
    for (std::size_t i = 0; i < sliders_.padded(); i += lanes) {
      for (std::size_t j = 0; j < lanes; ++j) {
        const T y = u - x[i + j];
        const T limit = phi[i + j];
        const T clamped = y > limit ? limit : (y < -limit ? -limit : y);
        force[j] += k[i + j] * clamped;
        stiffness[j] += abs(y) >= slip_limit(limit, rounding) ? T(0.0) : k[i + j];
      }
    }
    trial.force = force.total() + residual_ * u;
    trial.stiffness = stiffness.total() + residual_;
    return trial;
  }

  /// A slipping slider dissipates k phi per length.
  void commit(State& state, const Trial& trial) const {
    using std::abs;
    constexpr std::size_t lanes = detail::lanes;
    if (state.position.empty()) state.position.assign(sliders_.padded(), T(0.0));
    const T u = trial.u;
    const T* k = sliders_.stiffness();
    const T* phi = sliders_.strength();
    T* x = state.position.data();
    detail::LaneSum<T> dissipated;
    for (std::size_t i = 0; i < sliders_.padded(); i += lanes) {
      for (std::size_t j = 0; j < lanes; ++j) {
        const T y = u - x[i + j];
        const T limit = phi[i + j];
        const T behind = u - limit, ahead = u + limit;
        const T moved = y > limit ? behind : (y < -limit ? ahead : x[i + j]);
        dissipated[j] += k[i + j] * limit * abs(moved - x[i + j]);
        x[i + j] = moved;
      }
    }
    state.dissipated += dissipated.total();
    state.u = trial.u;
  }

  [[nodiscard]] T stored_energy(const State& state) const {
    return sliders_.stored(state.u, positions(state)) + 0.5 * residual_ * state.u * state.u;
  }
  [[nodiscard]] T dissipated_energy(const State& state) const { return state.dissipated; }

  [[nodiscard]] BackbonePoint<T> backbone(T u) const {
    BackbonePoint<T> point = sliders_.backbone(u, T(1.0));
    point.force += residual_ * u;
    point.slope += residual_;
    point.work += 0.5 * residual_ * u * u;
    return point;
  }
  /// Sum over phi < X of 4 k phi (X - phi).
  [[nodiscard]] T dissipation(T amplitude) const { return sliders_.dissipation(amplitude, T(1.0)); }
  [[nodiscard]] T secant_stiffness(T amplitude) const {
    return amplitude == T(0.0) ? stuck_stiffness() : backbone(amplitude).force / amplitude;
  }
  /// Of the slider whose strength is nearest to phi.
  [[nodiscard]] T slider_position(const State& state, T phi) const { return positions(state)[sliders_.nearest(phi)]; }
  [[nodiscard]] T slipped_fraction(const State& state) const {
    using std::abs;
    const T* x = positions(state);
    const double rounding = epsilon * std::abs(value_of(state.u));
    T slipping(0.0);
    for (std::size_t i = 0; i < sliders_.count(); ++i) {
      if (abs(state.u - x[i]) >= slip_limit(sliders_.strength()[i], rounding)) slipping += sliders_.stiffness()[i];
    }
    return slipping / sliders_.total();
  }

 private:
  [[nodiscard]] const T* positions(const State& state) const {
    return state.position.empty() ? sliders_.zeros() : state.position.data();
  }
  static constexpr double epsilon = 2.0 * std::numeric_limits<double>::epsilon();

  /// For the tangent a slider left at x = u - phi still slips, though u - x is phi up to the rounding of both only.
  static T slip_limit(const T& phi, double rounding) { return (1.0 - epsilon) * phi - rounding; }

  detail::SliderSet<T> sliders_;
  T residual_;
};

/// Mignolet's five-parameter element of finitely many sliders. The tangent is the stiffness of the stuck sliders: it
/// does not show the drops of the force, of which the exact element's tangent holds the mean.
template <class T = double>
class Iwan5Sliders {
 public:
  using Scalar = T;
  static constexpr MemoryKind memory = MemoryKind::sliders;
  static constexpr SliderCount sliders = SliderCount::many;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = false;
  static constexpr bool has_backbone = true;
  [[nodiscard]] static constexpr bool is_odd() { return true; }
  static constexpr bool exact_tangent = false;

  struct State {
    T u{};                     ///< current deflection [length]
    T dissipated{};            ///< since the initial state [energy]
    int direction = 0;         ///< of the last motion, and of every slider that slips
    std::vector<T> position;   ///< x of each slider [length]; empty: all at 0
    std::vector<T> threshold;  ///< s (u - x) from which it slips: phi, or -infinity while it does [length]
  };
  /// The sliders move in `commit`.
  struct Trial : TrialBase<T> {
    T u{};
    int direction = 0;
    bool reverses = false;  ///< what slips sticks first
  };

  /// theta: kinetic over static friction, 0 < theta <= 1.
  Iwan5Sliders(const SliderGrid<T>& grid, T theta) : sliders_(grid), theta_(theta) {}

  [[nodiscard]] std::size_t count() const { return sliders_.count(); }
  [[nodiscard]] T theta() const { return theta_; }
  /// In other numbers.
  template <class U>
  [[nodiscard]] static typename Iwan5Sliders<U>::State with_scalar(const State& state) {
    return {U(state.u),
            U(state.dissipated),
            state.direction,
            {state.position.begin(), state.position.end()},
            {state.threshold.begin(), state.threshold.end()}};
  }
  template <class U>
  [[nodiscard]] Iwan5Sliders<U> with_scalar() const {
    const SliderGrid<T> plain = grid();
    SliderGrid<U> other;
    other.stiffness.assign(plain.stiffness.begin(), plain.stiffness.end());
    other.strength.assign(plain.strength.begin(), plain.strength.end());
    return Iwan5Sliders<U>(other, U(theta_));
  }
  /// As of Iwan5.
  [[nodiscard]] T decay_reach() const { return 2.0 / (1.0 + theta_); }
  [[nodiscard]] SliderGrid<T> grid() const {
    return {{sliders_.stiffness(), sliders_.stiffness() + sliders_.count()},
            {sliders_.strength(), sliders_.strength() + sliders_.count()}};
  }
  [[nodiscard]] T stuck_stiffness() const { return sliders_.total(); }
  [[nodiscard]] T slipped_stiffness() const { return T(0.0); }
  [[nodiscard]] T max_slider_strength() const { return sliders_.strongest(); }

  [[nodiscard]] Trial evaluate(const State& committed, const JointInput<T>& input) const {
    constexpr std::size_t lanes = detail::lanes;
    Trial trial;
    trial.u = input.u;
    const T travel = input.u - committed.u;
    if (std::isnan(value_of(travel))) return detail::not_a_number(trial);
    const int moved = sign_of(travel);
    trial.direction = moved != 0 ? moved : committed.direction;
    trial.reverses = trial.direction != committed.direction && committed.direction != 0;
    const T s(static_cast<double>(trial.direction));
    const T su = s * input.u;
    const T theta = theta_;
    const T* k = sliders_.stiffness();
    const T* phi = sliders_.strength();
    const T* x = positions(committed);
    const T* threshold = thresholds(committed, trial.reverses);
    detail::LaneSum<T> force, stiffness;  // of s F
    for (std::size_t i = 0; i < sliders_.padded(); i += lanes) {
      for (std::size_t j = 0; j < lanes; ++j) {
        const T y = su - s * x[i + j];
        const T kinetic = theta * phi[i + j];
        const bool slips = y >= threshold[i + j];
        force[j] += k[i + j] * (slips ? kinetic : y);
        stiffness[j] += slips ? T(0.0) : k[i + j];
      }
    }
    trial.force = trial.direction < 0 ? -force.total() : force.total();
    trial.stiffness = stiffness.total();
    return trial;
  }

  /// Dissipation: (1 - theta^2) k phi^2 / 2 when a slider starts to slip, theta k phi per length afterwards.
  void commit(State& state, const Trial& trial) const {
    constexpr std::size_t lanes = detail::lanes;
    if (state.position.empty()) {
      state.position.assign(sliders_.padded(), T(0.0));
      state.threshold.assign(sliders_.strength(), sliders_.strength() + sliders_.padded());
    }
    const T s(static_cast<double>(trial.direction));
    const T u = trial.u, theta = theta_;
    const T slides = theta * s * (u - state.u);
    const T drop = 0.5 * (1.0 - theta * theta);
    const T released(-std::numeric_limits<double>::infinity());
    const T* k = sliders_.stiffness();
    const T* phi = sliders_.strength();
    T* x = state.position.data();
    T* threshold = state.threshold.data();
    if (trial.reverses) std::copy(phi, phi + sliders_.padded(), threshold);
    detail::LaneSum<T> dissipated;
    for (std::size_t i = 0; i < sliders_.padded(); i += lanes) {
      for (std::size_t j = 0; j < lanes; ++j) {
        const T y = s * (u - x[i + j]);
        const T limit = phi[i + j];
        const bool slipped = threshold[i + j] < T(0.0);
        const bool slips = y >= threshold[i + j];
        const T starts = drop * limit + theta * (y - limit);
        const T energy = k[i + j] * limit * (slipped ? slides : starts);
        const T sliding = u - s * theta * limit;
        dissipated[j] += slips ? energy : T(0.0);
        x[i + j] = slips ? sliding : x[i + j];
        threshold[i + j] = slips ? released : limit;
      }
    }
    state.dissipated += dissipated.total();
    state.u = trial.u;
    state.direction = trial.direction;
  }

  [[nodiscard]] T stored_energy(const State& state) const { return sliders_.stored(state.u, positions(state)); }
  [[nodiscard]] T dissipated_energy(const State& state) const { return state.dissipated; }

  [[nodiscard]] BackbonePoint<T> backbone(T u) const { return sliders_.backbone(u, theta_); }
  /// Sum over phi <= X of (1 + theta)(1 - 3 theta) k phi^2 + 4 theta k phi X.
  [[nodiscard]] T dissipation(T amplitude) const { return sliders_.dissipation(amplitude, theta_); }
  [[nodiscard]] T secant_stiffness(T amplitude) const {
    return amplitude == T(0.0) ? stuck_stiffness() : backbone(amplitude).force / amplitude;
  }
  /// Of the slider whose strength is nearest to phi.
  [[nodiscard]] T slider_position(const State& state, T phi) const { return positions(state)[sliders_.nearest(phi)]; }
  void list_onsets(const State& state, int direction, std::vector<SlipOnset<T>>& onsets) const {
    onsets.clear();
    const T* x = positions(state);
    const T* threshold = thresholds(state, direction != state.direction);
    for (std::size_t i = 0; i < sliders_.count(); ++i) {
      const T phi = sliders_.strength()[i];
      if (threshold[i] < T(0.0)) continue;  // slips already
      onsets.push_back({x[i] + static_cast<double>(direction) * phi, (1.0 - theta_) * sliders_.stiffness()[i] * phi});
    }
  }
  [[nodiscard]] T slipped_fraction(const State& state) const {
    const T* threshold = thresholds(state, false);
    T slipping(0.0);
    for (std::size_t i = 0; i < sliders_.count(); ++i) {
      if (threshold[i] < T(0.0)) slipping += sliders_.stiffness()[i];
    }
    return slipping / sliders_.total();
  }

 private:
  [[nodiscard]] const T* positions(const State& state) const {
    return state.position.empty() ? sliders_.zeros() : state.position.data();
  }
  [[nodiscard]] const T* thresholds(const State& state, bool all_stuck) const {
    return all_stuck || state.threshold.empty() ? sliders_.strength() : state.threshold.data();
  }

  detail::SliderSet<T> sliders_;
  T theta_;
};

}  // namespace microslip
