// Laws with sliders and no return-point memory (iwan5): periods from reversal to reversal until forces and energies
// there repeat. Then one more, with nodes between the onsets of slip, where the force may jump; then all of it again
// with dual numbers, eight coefficients at a time.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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
  SliderTransform(const L& law, const TransformSetting& setting) : PathQuadrature(setting), law_(law) {}

 private:
  static constexpr int width = 8;
  using State = typename L::State;
  using Number = Dual<width>;

  struct Jump {
    std::size_t leg, onset;  // onset: its place in the law's list
    double tau, loss;        // loss: F- - F+
    double rate;             // u'; 0: grazes, without a derivative
  };

  bool run(const double* u, double /*omega*/) override {
    if (!set_turns(u)) {
      const auto point = law_.backbone(u[0]);
      stay_at_rest(point.force, point.slope, law_.stuck_stiffness(), u);
      return true;
    }
    State state{};
    int periods = 0;
    const bool repeats = settle(state, periods);
    set_slip_path(state, u);
    add_forces(state);
    if (out_jacobian != nullptr) add_jacobian(law_.template with_scalar<Number>(), periods);
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

  /// path_* of a period from `state` at the first turn: Gauss between reversals, jumps and, where they are few,
  /// corners.
  void set_slip_path(State state, const double* u) {
    cuts.clear();
    leg_ends.clear();
    jumps_.clear();
    for (std::size_t leg = 0; leg < legs(); ++leg) {
      law_.list_onsets(state, direction_of(leg), onsets_);
      cuts.push_back(turns[leg].tau);
      cut_at_onsets(leg, u);
      std::sort(cuts.begin() + static_cast<std::ptrdiff_t>(leg_ends.empty() ? 0 : leg_ends.back()), cuts.end());
      leg_ends.push_back(cuts.size());
      law_.commit(state, law_.evaluate(state, {turns[leg + 1].value, 0.0, 0.0, normal}));
    }
    set_path(u);
  }
  [[nodiscard]] int direction_of(std::size_t leg) const { return turns[leg + 1].value > turns[leg].value ? 1 : -1; }

  void cut_at_onsets(std::size_t leg, const double* u) {
    constexpr std::size_t most_corners = 32;  // to cut at; slopes of more are smooth enough
    constexpr std::size_t most_jumps = 64;    // between two reversals, to end pieces at: the largest
    constexpr double grazing = 1e-8;          // u' over the range of a leg: too near a reversal for a derivative
    const auto& from = turns[leg];
    const auto& to = turns[leg + 1];
    const int direction = direction_of(leg);
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
      jumps_.push_back({leg, i, tau_cut, direction * onsets_[i].drop, grazes ? 0.0 : rate});
    }
  }

  void add_forces(State& state) {
    std::size_t at = 0;
    for (std::size_t leg = 0; leg < legs(); ++leg) {
      for (; at < leg_ends[leg]; ++at) {
        add_force(static_cast<Eigen::Index>(at), law_.evaluate(state, {path_u[at], 0.0, 0.0, normal}).force);
      }
      move_to(turns[leg + 1].value, state);
    }
    evaluations += static_cast<long>(at + legs());
  }

  /// `l`: the law in dual numbers.
  template <class DualLaw>
  void add_jacobian(const DualLaw& l, int periods) {
    path_slope.resize(width, static_cast<Eigen::Index>(path_u.size()));
    for (int first = 0; first < size; first += width) {
      const int columns = std::min(width, size - first);
      typename DualLaw::State state{};
      move_dual(l, 0, first, columns, state);
      for (int period = 0; period < periods; ++period) {
        for (std::size_t leg = 0; leg < legs(); ++leg) move_dual(l, leg + 1, first, columns, state);
      }
      walk_dual_period(l, first, columns, state);
      add_slopes(first, columns);
    }
  }

  /// With the derivatives first, ..., first + columns - 1 of a list.
  template <class Derivatives>
  [[nodiscard]] static Number seeded(double value, const Derivatives& derivatives, int first, int columns) {
    Number number(value);
    for (int k = 0; k < columns; ++k) number.derivative[static_cast<std::size_t>(k)] = derivatives(first + k);
    return number;
  }
  template <class DualLaw>
  void move_dual(const DualLaw& l, std::size_t turn, int first, int columns, typename DualLaw::State& state) {
    series_basis_at(turns[turn].tau, start_basis);
    const Number u = seeded(turns[turn].value, start_basis, first, columns);
    l.commit(state, l.evaluate(state, {u, Number(0.0), 0.0, normal}));
  }

  /// path_slope, and what moving jumps add.
  template <class DualLaw>
  void walk_dual_period(const DualLaw& l, int first, int columns, typename DualLaw::State& state) {
    std::size_t at = 0, jump = 0;
    for (std::size_t leg = 0; leg < legs(); ++leg) {
      for (; at < leg_ends[leg]; ++at) {
        const auto node = static_cast<Eigen::Index>(at);
        const Number u = seeded(path_u[at], path_basis.col(node), first, columns);
        const auto trial = l.evaluate(state, {u, Number(0.0), 0.0, normal});
        path_slope.col(node) = Eigen::Map<const Eigen::VectorXd>(trial.force.gradient(), width);
      }
      if (jump < jumps_.size() && jumps_[jump].leg == leg) l.list_onsets(state, direction_of(leg), dual_onsets_);
      for (; jump < jumps_.size() && jumps_[jump].leg == leg; ++jump) {
        add_jump(jumps_[jump], dual_onsets_.at(jumps_[jump].onset).u, first, columns);
      }
      move_dual(l, leg + 1, first, columns, state);
    }
  }

  /// Where a jump F- - F+ at tau_m moves, the integral of F e changes by (F- - F+) e(tau_m) d tau_m, with
  /// u' d tau_m = du_m - e(tau_m) du.
  void add_jump(const Jump& jump, const Number& level, int first, int columns) {
    if (jump.rate == 0.0) return;
    series_basis_at(jump.tau, start_basis);
    for (int k = 0; k < columns; ++k) {
      const double moved = (level.derivative[static_cast<std::size_t>(k)] - start_basis(first + k)) / jump.rate;
      for (int row = 0; row < size; ++row) {
        (*out_jacobian)(row, first + k) += norm(row) * jump.loss * moved * start_basis(row);
      }
    }
  }

  const L& law_;
  std::vector<std::array<double, 2>> turn_values_;  // force and stored energy at the end of each leg
  std::vector<Jump> jumps_;                         // of the force, leg by leg
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
