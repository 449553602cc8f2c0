#pragma once
// The closed loop of a law with fading memory under a periodic deflection: z at its reversals, and where z passes zero.
//
// Between two reversals the flow z_1 = Z(z_0, u_1 - u_0) is exact, so that z(T) = z(0) is solved by Newton over the
// reversals alone. At z = 0 the slope dz/du of a Bouc-Wen law has a corner (|z|^n): whoever integrates over the period
// ends a piece there.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include "microslip/joints/law.hpp"
#include "microslip/numerics/fourier_series.hpp"

namespace microslip {

/// The extrema in turn from that of largest |u|, and this one again a period later.
inline void list_turns(const std::vector<SeriesScanner::Extremum>& extrema,
                       std::vector<SeriesScanner::Extremum>& turns) {
  const auto farther = [](const auto& a, const auto& b) { return std::abs(a.value) < std::abs(b.value); };
  const auto first = std::max_element(extrema.begin(), extrema.end(), farther);
  turns.assign(first, extrema.end());
  for (auto extremum = extrema.begin(); extremum <= first; ++extremum) {
    turns.push_back({extremum->tau + 2.0 * std::numbers::pi, extremum->value});
  }
}

struct FadingLoop {
  bool closed = false;
  double gain = 1.0;      ///< dz(T)/dz(0)
  std::vector<double> z;  ///< at each turn
  long evaluations = 0;
};

/// The loop through `turns` (list_turns). Where it forgets nothing (1 - gain is rounding), it is the
/// one that a first loading to the farthest turn leads to.
template <FadingLaw L>
void close_fading_loop(const L& law, double normal, const std::vector<SeriesScanner::Extremum>& turns,
                       FadingLoop& loop) {
  constexpr int most_iterations = 200;
  using State = typename L::State;
  const double start = law.evaluate(State{}, {turns.front().value, 0.0, 0.0, normal}).z;
  double z = start, last_miss = std::numeric_limits<double>::infinity();
  loop.closed = false;
  loop.evaluations = 1;
  for (int iteration = 0; iteration < most_iterations && !loop.closed; ++iteration) {
    State state{};
    state.u = turns.front().value;
    state.z = z;
    loop.z.assign(1, z);
    loop.gain = 1.0;
    for (std::size_t i = 1; i < turns.size(); ++i) {
      const auto trial = law.evaluate(state, {turns[i].value, 0.0, 0.0, normal});
      loop.gain *= trial.gain;
      law.commit(state, trial);
      loop.z.push_back(state.z);
    }
    loop.evaluations += static_cast<long>(turns.size());
    const double miss = state.z - z, largest = std::max(std::abs(z), std::abs(start));
    const bool rounding = std::abs(miss) <= 1e-12 * largest && std::abs(miss) >= last_miss;
    loop.closed = std::abs(miss) <= 1e-14 * largest || rounding || 1.0 - loop.gain <= 1e-12;
    last_miss = std::abs(miss);
    if (!loop.closed) z += miss / (1.0 - loop.gain);
  }
}

/// A state at `u` with z there.
template <FadingLaw L>
[[nodiscard]] typename L::State fading_state(double u, double z) {
  typename L::State state{};
  state.u = u;
  state.z = z;
  return state;
}

/// tau at which z passes `level` between turns `leg` and `leg + 1` of the series u; not a number: it does not.
template <FadingLaw L>
[[nodiscard]] double passage_of_fading_loop(const L& law, double normal,
                                            const std::vector<SeriesScanner::Extremum>& turns, const FadingLoop& loop,
                                            std::size_t leg, double level, const double* u, int harmonics) {
  const bool below = loop.z[leg] < level;
  if (!((loop.z[leg] - level) * (loop.z[leg + 1] - level) < 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const auto state = fading_state<L>(turns[leg].value, loop.z[leg]);
  double low = turns[leg].value, high = turns[leg + 1].value, at = 0.5 * (low + high);
  constexpr int most = 100;
  for (int i = 0; i < most && low != high; ++i) {  // Newton between bounds; z is monotonic
    const auto trial = law.evaluate(state, {at, 0.0, 0.0, normal});
    if (trial.z == level) break;
    ((trial.z < level) == below ? low : high) = at;
    const double next = at - (trial.z - level) / trial.slope;
    const bool inside = (next - low) * (next - high) < 0.0;
    const double to = inside ? next : 0.5 * (low + high);
    if (std::abs(to - at) <= 1e-15 * std::abs(turns[leg + 1].value - turns[leg].value)) break;
    at = to;
  }
  return invert_series(u, harmonics, turns[leg].tau, turns[leg + 1].tau, at);
}

}  // namespace microslip
