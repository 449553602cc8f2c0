// Laws with sliders and no return-point memory (iwan5), from rest or a memory given: periods from reversal to reversal
// until forces and energies there repeat. Then one more, with nodes between the onsets of slip, where the force may
// jump. Derivatives by the deflections at the reversals travel along in dual numbers, eight reversals at a time; that
// by the present deflection is the law's tangent.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "microslip/numerics/dual.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/path_quadrature.hpp"

namespace microslip {
namespace {

/// 0: there are not so many.
double nth_largest_drop(const std::vector<SlipOnset<double>>& onsets, std::size_t n) {
  if (onsets.size() <= n) return 0.0;
  std::vector<double> drops;
  for (const SlipOnset<double>& onset : onsets) drops.push_back(onset.drop);
  const auto nth = drops.begin() + static_cast<std::ptrdiff_t>(n) - 1;
  std::nth_element(drops.begin(), nth, drops.end(), std::greater<>());
  return *nth;
}

template <SliderLaw L>
class SliderTransform final : public PathQuadrature {
 public:
  SliderTransform(const L& law, const TransformSetting& setting)
      : PathQuadrature(setting), law_(law), dual_law_(law.template with_scalar<Number>()), basis_(size) {}

  void begin_with(const JointMemory& memory, int joint) override {
    memory.visit(joint, [this]<class Other>(const Other&, const typename Other::State& state) {
      if constexpr (std::is_same_v<Other, L>) {
        start_ = state;
        dual_start_ = L::template with_scalar<Number>(state);
      }
    });
  }

 private:
  static constexpr std::size_t width = 8;
  using State = typename L::State;
  using Number = Dual<static_cast<int>(width)>;
  using DualLaw = decltype(std::declval<L>().template with_scalar<Number>());

  struct Jump {
    std::size_t onset;  // its place in the law's list
    double tau, loss;   // loss: F- - F+
    double rate;        // u'; 0: grazes, without a derivative
  };

  bool run(const double* u, double /*omega*/) override {
    if (!set_turns(u)) {
      const auto held = law_.evaluate(start_, {u[0], 0.0, 0.0, normal});
      stay_at_rest(held.force, held.stiffness, law_.stuck_stiffness(), u);
      return true;
    }
    State state = start_;
    int periods = 0;
    const bool repeats = settle(state, periods);
    settle_duals(out_jacobian != nullptr ? legs() : 0, periods);
    for (std::size_t leg = 0; leg < legs(); ++leg) walk(leg, u, state);
    if (out_jacobian != nullptr) add_derivatives();
    return repeats;
  }

  /// Force and stored energy there.
  std::array<double, 2> move_to(double at, State& state) const {
    const auto trial = law_.evaluate(state, {at, 0.0, 0.0, normal});
    law_.commit(state, trial);
    return {trial.force, law_.stored_energy(state)};
  }

  /// Periods until force and energy repeat at every turn; false: they do not.
  bool settle(State& state, int& periods) {
    constexpr int most_periods = 200;
    constexpr double settled = 1e-12;  // of the largest force, from period to period
    turn_values_.assign(legs(), {});
    std::array<double, 2> largest{};
    move_to(turns[0].value, state);
    bool repeats = false;
    while (!repeats && periods < most_periods) {
      std::array<double, 2> change{};
      for (std::size_t leg = 0; leg < legs(); ++leg) {
        const std::array<double, 2> now = move_to(turns[leg + 1].value, state);
        for (std::size_t k = 0; k < 2; ++k) {
          change[k] = std::max(change[k], std::abs(now[k] - turn_values_[leg][k]));
          largest[k] = std::max(largest[k], std::abs(now[k]));
        }
        turn_values_[leg] = now;
      }
      evaluations += static_cast<long>(legs());
      ++periods;
      repeats = periods > 1 && change[0] <= settled * largest[0] && change[1] <= settled * largest[1];
    }
    return repeats;
  }

  [[nodiscard]] int direction_of(std::size_t leg) const { return turns[leg + 1].value > turns[leg].value ? 1 : -1; }

  /// Forces, and with a Jacobian their slopes, over a leg: Gauss between reversals, jumps and, where they are few,
  /// corners.
  void walk(std::size_t leg, const double* u, State& state) {
    cut_at_onsets(leg, u, state);
    walk_leg(leg, u, [&] {
      for (std::size_t i = 0; i < count; ++i) {
        const auto trial = law_.evaluate(state, {deflection[i], 0.0, 0.0, normal});
        weighted_force[i] = weight[i] * trial.force;
        weighted_stiffness[i] = weight[i] * trial.stiffness;
      }
      add_nodes();
      for (std::size_t group = 0; group < duals_.size(); ++group) add_slopes(group);
    });
    if (out_jacobian != nullptr) add_jumps(leg);
    move_to(turns[leg + 1].value, state);
    for (std::size_t group = 0; group < duals_.size(); ++group) move_dual(group, leg + 1);
    ++evaluations;
  }

  void cut_at_onsets(std::size_t leg, const double* u, const State& state) {
    constexpr std::size_t most_corners = 32;  // to cut at; slopes of more are smooth enough
    constexpr std::size_t most_jumps = 64;    // between two reversals, to end pieces at: the largest
    constexpr double grazing = 1e-8;          // u' over the range of a leg: too near a reversal for a derivative
    cuts.clear();
    jumps_.clear();
    const auto& from = turns[leg];
    const auto& to = turns[leg + 1];
    const int direction = direction_of(leg);
    law_.list_onsets(state, direction, onsets_);
    const bool few = onsets_.size() <= most_corners;
    const double least_drop = nth_largest_drop(onsets_, most_jumps);
    for (std::size_t i = 0; i < onsets_.size(); ++i) {
      const double level = onsets_[i].u;
      const bool jumps_here = onsets_[i].drop > 0.0 && onsets_[i].drop >= least_drop;
      if (!(few || jumps_here) || !(direction * (level - from.value) > 0.0)) continue;
      if (!(direction * (to.value - level) > 0.0)) continue;
      const double tau_cut = invert_series(u, harmonics, from.tau, to.tau, level);
      if (tau_cut > from.tau && tau_cut < to.tau) cuts.push_back(tau_cut);
      if (!jumps_here) continue;
      const double rate = series_at(u, harmonics, tau_cut).slope;
      const bool grazes = !(direction * rate > grazing * std::abs(to.value - from.value));
      jumps_.push_back({i, tau_cut, direction * onsets_[i].drop, grazes ? 0.0 : rate});
    }
    std::sort(cuts.begin(), cuts.end());
  }

  /// The state at the first turn, after so many periods, with its derivatives by so many turns.
  void settle_duals(std::size_t number, int periods) {
    duals_.assign((number + width - 1) / width, dual_start_);
    for (std::size_t group = 0; group < duals_.size(); ++group) {
      move_dual(group, 0);
      for (int period = 0; period < periods; ++period) {
        for (std::size_t leg = 0; leg < legs(); ++leg) move_dual(group, leg + 1);
      }
    }
  }

  void move_dual(std::size_t group, std::size_t turn) {
    Number u(turns[turn].value);
    const auto place = static_cast<std::size_t>(place_of(turn));
    if (place / width == group) u.derivative[place % width] = 1.0;
    dual_law_.commit(duals_[group], dual_law_.evaluate(duals_[group], {u, Number(0.0), 0.0, normal}));
  }

  /// By the turns of a group, at the nodes.
  void add_slopes(std::size_t group) {
    const std::size_t first = group * width, number = std::min<std::size_t>(width, legs() - first);
    slopes_.setZero(static_cast<Eigen::Index>(used), static_cast<Eigen::Index>(width));
    for (std::size_t i = 0; i < count; ++i) {
      const auto trial = dual_law_.evaluate(duals_[group], {Number(deflection[i]), Number(0.0), 0.0, normal});
      for (std::size_t k = 0; k < number; ++k) {
        slopes_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = trial.force.gradient()[k];
      }
    }
    add_basis_sums(slopes_, by_turn.middleCols(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(number)));
  }

  /// Where a jump F- - F+ at tau_m moves, the integral of F e changes by (F- - F+) e(tau_m) d tau_m, with
  /// u' d tau_m = du_m - e(tau_m) du.
  void add_jumps(std::size_t leg) {
    for (const Jump& jump : jumps_) {
      if (jump.rate != 0.0) add_moving_point(jump.tau, jump.loss / jump.rate);
    }
    for (std::size_t group = 0; group < duals_.size() && !jumps_.empty(); ++group) {
      const std::size_t first = group * width, number = std::min<std::size_t>(width, legs() - first);
      dual_law_.list_onsets(duals_[group], direction_of(leg), dual_onsets_);
      for (const Jump& jump : jumps_) {
        if (jump.rate == 0.0) continue;
        const Number& level = dual_onsets_.at(jump.onset).u;
        series_basis(harmonics, jump.tau, basis_.data());
        basis_ *= norm(1) * jump.loss / jump.rate;
        basis_(0) *= 0.5;
        for (std::size_t k = 0; k < number; ++k) {
          by_turn.col(static_cast<Eigen::Index>(first + k)) += level.derivative[k] * basis_;
        }
      }
    }
  }

  const L& law_;
  DualLaw dual_law_;
  State start_{};  // before the first period
  typename DualLaw::State dual_start_{};
  std::vector<typename DualLaw::State> duals_;      // of the derivatives by eight turns each
  Eigen::MatrixXd slopes_;                          // by these, at the nodes of a piece
  Eigen::VectorXd basis_;                           // where the force jumps
  std::vector<std::array<double, 2>> turn_values_;  // force and stored energy at the end of each leg
  std::vector<Jump> jumps_;                         // of the force in the present leg
  std::vector<SlipOnset<double>> onsets_;
  std::vector<SlipOnset<Number>> dual_onsets_;
};

}  // namespace

std::unique_ptr<JointTransform> slider_transform(const Law& law, const TransformSetting& setting) {
  return std::visit(
      [&]<class L>(const L& l) -> std::unique_ptr<JointTransform> {
        if constexpr (SliderLaw<L>) return std::make_unique<SliderTransform<L>>(l, setting);
        return nullptr;
      },
      law);
}

}  // namespace microslip
