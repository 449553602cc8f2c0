// Free decays of quasi-static modal analysis (modal/free_swing.hpp) against time integrations.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "microslip/modal/quasi_static_modal.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace free_swing_test {

constexpr double pi = std::numbers::pi;

/// One mass on a spring to the ground with one joint beside it.
System oscillator(Law law, double spring, double zeta = 0.0) {
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, spring}}, {}, ModalDamping{{zeta}}),
                {{"joint", std::move(law), testing::between(1, -1, 0)}});
}

/// Frequency and damping of a unit mass on a spring k, a damper c and the law, against half swings of the free motion
/// itself by small steps in time (velocity Verlet with 4000 steps a period: 1e-6). Loaded slowly to `start` times the
/// amplitude, let go, and looked at where the decay passes it.
template <class Law>
void expect_decay_of_free_motion(const Law& law, double k, const ModalCurve& curve, double start, double c = 0.0) {
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const ModalPoint& point : curve.points) {
    typename Law::State state;
    double u = start * point.q, v = 0.0, time = 0.0;
    law.commit(state, law.evaluate(state, {u}));
    const double h = 2.0 * pi / point.omega_ringdown / 4000;
    double force = k * u + law.evaluate(state, {u}).force;
    std::vector<std::pair<double, double>> tips = {{u, 0.0}};
    while (tips.size() < 200) {
      const double before = v;
      v -= 0.5 * h * (force + c * v);
      u += h * v;
      const auto trial = law.evaluate(state, {u});
      law.commit(state, trial);
      force = k * u + trial.force;
      v = (v - 0.5 * h * force) / (1.0 + 0.5 * h * c);
      time += h;
      if (before * v < 0.0) tips.emplace_back(std::abs(u), time - h * v / (v - before));
    }
    // Even and odd swings differ as long as the start is remembered: every other tip.
    const auto length = [&](std::size_t i) { return tips[i].first + tips[i - 1].first; };
    const auto amplitude = [&](std::size_t i) { return 0.5 * std::sqrt(length(i - 1) * length(i + 1)); };
    std::size_t i = 3;
    while (i + 3 < tips.size() && amplitude(i + 1) > point.q) ++i;
    const double share = std::log(amplitude(i) / point.q) / std::log(amplitude(i) / amplitude(i + 1));
    ASSERT_TRUE(share >= 0.0 && share <= 1.0) << share;
    const auto of = [&](auto&& value) { return (1.0 - share) * value(i) + share * value(i + 1); };
    const double d = of([&](std::size_t n) { return 0.5 * std::log(length(n - 1) / length(n + 1)); });
    const double omega = of([&](std::size_t n) {
      return 2.0 * pi * 2.0 / (tips[n + 1].second - tips[n - 1].second + tips[n].second - tips[n - 2].second);
    });
    const double zeta = d / std::hypot(pi, d);
    EXPECT_NEAR(point.omega_ringdown / omega, 1.0, 1e-4) << point.q;
    EXPECT_NEAR(point.zeta / zeta, 1.0, 5e-3) << point.q;
  }
}

/// Friction that saturates at 1.
BoucWen<double> bouc_wen_friction(double stiffness) {
  BoucWen<double>::Parameters p;
  p.k0 = stiffness;
  p.alpha = 0.0;
  p.beta = p.gamma = 0.5 * stiffness;
  p.n = 1.0;
  return BoucWen<double>(p);
}

// The loop of Bouc and Wen is not a Masing loop.
TEST(QuasiStaticModal, BoucWenDecaysAsItsFreeMotion) {
  const BoucWen<double> law = bouc_wen_friction(1.0);
  expect_decay_of_free_motion(law, 1.0, quasi_static_modal_analysis(oscillator(law, 1.0), 0, {0.05, 0.3, 4}), 1.15);
}

// Sliders that slipped once slip again from 2A = (1 + theta) phi on: a decay loses more than the same amplitude in a
// motion that grows (here 10 to 20 %).
TEST(QuasiStaticModal, Iwan5LosesMoreInADecay) {
  const double theta = 0.5;
  const auto law = Iwan5<double>::from_distribution(0.3, 0.5, 1.0, -0.4, theta);
  expect_decay_of_free_motion(law, 2.0, quasi_static_modal_analysis(oscillator(law, 2.0), 0, {0.1, 0.8, 3}),
                              1.15 * 2.0 / (1.0 + theta));
}

// The same element of finitely many sliders.
TEST(QuasiStaticModal, SlidersOfIwan5LoseMoreInADecay) {
  const double theta = 0.5;
  const auto distribution = Iwan4Backbone<double>::from_distribution(0.3, 0.5, 1.0, -0.4);
  const LoadRamp ramp = {0.1, 0.8, 3};
  const ModalCurve exact = quasi_static_modal_analysis(oscillator(Iwan5<double>(distribution, theta), 2.0), 0, ramp);
  const Iwan5Sliders<double> sliders(slider_grid(distribution, 400), theta);
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(sliders, 2.0), 0, ramp);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  ASSERT_EQ(curve.points.size(), exact.points.size());
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    EXPECT_NEAR(curve.points[i].q / exact.points[i].q, 1.0, 1e-3);
    EXPECT_NEAR(curve.points[i].zeta / exact.points[i].zeta, 1.0, 0.01) << exact.points[i].q;
  }
}

/// A decay of a unit mass on a spring, a damper c and the law, let go at `start`: tips and their times; velocity Verlet
/// with 4000 steps of the period 2 pi/omega, 1e-6.
struct Decay {
  std::vector<double> tip, time;

  Decay(const BoucWen<double>& law, double k, double c, double omega, double start, std::size_t swings) {
    BoucWen<double>::State state;
    law.commit(state, law.evaluate(state, {start}));
    const double h = 2.0 * pi / omega / 4000;
    double u = start, v = 0.0, force = k * u + law.evaluate(state, {u}).force;
    tip.push_back(start);
    time.push_back(0.0);
    for (int i = 1; tip.size() <= swings; ++i) {
      const double before = v;
      v -= 0.5 * h * (force + c * v);
      u += h * v;
      const auto trial = law.evaluate(state, {u});
      law.commit(state, trial);
      force = k * u + trial.force;
      v = (v - 0.5 * h * force) / (1.0 + 0.5 * h * c);
      if (before * v < 0.0) {
        tip.push_back(u);
        time.push_back(h * (i - v / (v - before)));
      }
    }
  }
  [[nodiscard]] double length(std::size_t swing) const { return std::abs(tip[swing] - tip[swing - 1]); }
  /// Of the swings before and after this one.
  [[nodiscard]] double amplitude(std::size_t swing) const {
    return 0.5 * std::sqrt(length(swing - 1) * length(swing + 1));
  }
  [[nodiscard]] double zeta(std::size_t swing) const {
    const double d = 0.5 * std::log(length(swing - 1) / length(swing + 1));
    return d / std::hypot(pi, d);
  }
  [[nodiscard]] double omega(std::size_t swing) const {
    return 4.0 * pi / (time[swing + 1] - time[swing - 1] + time[swing] - time[swing - 2]);
  }
};

// Friction, and linear damping of the stuck mode, which is heavy beside what is left in macroslip: a swing takes more
// than a seventh. There, the third to the fifth swing from the start that leads to the amplitude.
// The work of each step is within 1e-6 of the energy, 1e-4 of what a swing loses. In microslip, the decay as above.
TEST(QuasiStaticModal, BoucWenBesideLinearDamping) {
  const BoucWen<double> law = bouc_wen_friction(20.0);
  const double zeta = 0.01, c = 2.0 * zeta * std::sqrt(21.0);
  const System system = oscillator(law, 1.0, zeta);
  expect_decay_of_free_motion(law, 1.0, quasi_static_modal_analysis(system, 0, {0.05, 0.1, 3}), 1.25, c);
  const ModalCurve curve = quasi_static_modal_analysis(system, 0, {6.0, 12.0, 4});
  EXPECT_EQ(curve.message, "");
  for (const ModalPoint& point : curve.points) {
    ASSERT_TRUE(std::isfinite(point.omega_ringdown)) << point.q;
    double low = point.q, high = 8.0 * point.q;
    const auto decay_from = [&](double start) { return Decay(law, 1.0, c, point.omega_ringdown, start, 5); };
    for (int i = 0; i < 30; ++i) {
      const double start = 0.5 * (low + high);
      (decay_from(start).amplitude(4) < point.q ? low : high) = start;
    }
    const Decay decay = decay_from(low);
    EXPECT_NEAR(point.zeta / decay.zeta(4), 1.0, 3e-4) << point.q;
    EXPECT_NEAR(point.omega_ringdown / decay.omega(4), 1.0, 1e-4) << point.q;
  }
}

/// The middle of its decay shifts by as much as a swing takes.
BoucWen<double> drifting() {
  BoucWen<double>::Parameters p;
  p.k0 = 10.0;
  p.alpha = 0.1;
  p.beta = 0.6;
  p.gamma = 0.4;
  p.n = 1.5;
  return BoucWen<double>(p);
}

// Decays from other starts pass the amplitude with another memory, which changes zeta by the order of pi zeta, and so
// does what places an amplitude within a swing: no more than by that.
TEST(QuasiStaticModal, HeavyBoucWenDecaysAsItsFreeMotion) {
  const BoucWen<double> law = drifting();
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(law, 2.0), 0, {6.5, 10.0, 8});
  std::vector<Decay> decays;
  for (const double start : {1.2, 1.7, 2.4, 3.4, 4.8}) decays.emplace_back(law, 2.0, 0.0, 3.2, start, 6);
  int compared = 0;
  for (const ModalPoint& point : curve.points) {
    for (const Decay& decay : decays) {
      for (std::size_t swing = 2; swing + 2 <= 5; ++swing) {
        const double above = decay.amplitude(swing), below = decay.amplitude(swing + 1);
        if (point.q > above || point.q < below) continue;
        const double zeta = std::lerp(decay.zeta(swing), decay.zeta(swing + 1), (above - point.q) / (above - below));
        EXPECT_NEAR(point.zeta / zeta, 1.0, pi * zeta) << point.q;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 8);
}

// As in NonlinearMode.NeighbouringRowsOfBoucWenAreSmooth: |d^2 ln zeta/d(ln q)^2| < 1, and what the start leaves is of
// second order. The decrement goes through 0.15, where motions without such a memory are looked at over fewer swings.
TEST(QuasiStaticModal, RowsOfHeavyBoucWenAreSmooth) {
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(drifting(), 2.0), 0, {6.5, 12.0, 30});
  ASSERT_EQ(curve.points.size(), 30u);
  for (std::size_t i = 1; i + 1 < curve.points.size(); ++i) {
    const ModalPoint &before = curve.points[i - 1], &point = curve.points[i], &after = curve.points[i + 1];
    const double step = std::log(after.q / point.q);
    const double bend = std::log(before.zeta * after.zeta / std::pow(point.zeta, 2));
    EXPECT_LT(std::abs(bend), step * step + std::pow(pi * point.zeta, 2)) << point.q;
  }
}

// Sliders evenly spread up to 1, on no spring: F0(u) = u - u^2/2, and from macroslip a motion comes back no farther
// than F0(1) = 1/2 drives it. A swing of half-length X from the force F ends where no work is left, F = X - X^2/3, at
// the force 2 F0(X) - F. The third and the fourth have half-lengths of 0.345 and 0.295 at most: amplitudes beyond their
// mean, where the loop takes more than 0.15 in a swing, have no decay but that of the first swings.
TEST(QuasiStaticModal, EarlySwingsAreCounted) {
  std::vector<double> half_length;
  double force = 0.5;
  for (int swing = 1; swing <= 4; ++swing) {
    const double x = 1.5 * (1.0 - std::sqrt(1.0 - 4.0 / 3.0 * force));
    half_length.push_back(x);
    force = 2.0 * x - x * x - force;
  }
  const double settled = std::sqrt(half_length[2] * half_length[3]);
  const double early = std::sqrt(half_length[1] * half_length[2]);
  const double from = 0.374, to = 0.38;  // D/(2 alpha q) = q/3/(1 - q/2) > 0.15
  ASSERT_TRUE(settled < from && to < early) << settled << ' ' << early;
  const auto law = Iwan5<double>::from_distribution(1.0, 0.0, 1.0, 0.0, 1.0);
  const auto load = [](double q) { return q - 0.5 * q * q; };
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(law, 1e-6), 0, {load(from), load(to), 2});
  EXPECT_NE(curve.message.find("no decay but that of the first swings at 2 of 2"), std::string::npos) << curve.message;
  for (const ModalPoint& point : curve.points) EXPECT_TRUE(std::isfinite(point.zeta));
}

/// A unit mass on a unit spring, with a stop of stiffness k from the deflection 1 on: the tip p beyond the stop and the
/// tip -n on the other side have the same energy, (p^2 + k (p - 1)^2)/2 = n^2/2 = E. A weak damper c takes c J in a
/// cycle,
///   J/2 = integral from -n to p of v dq = pi n^2/2 - S(n, 1) + w S(p - u0, 1 - u0),   w^2 = 1 + k,   u0 = k/w^2,
/// S(r, x) being the area under a circle of radius r from x on, and the half-range A falls in a swing by
///   d = c J/2 (dA/dE)/A,   2 dA/dE = 1/n + 1/(p + k (p - 1)) .
double decrement_beside_stop(double half_range, double k, double c) {
  const auto other_tip = [&](double p) { return std::sqrt(p * p + k * (p - 1.0) * (p - 1.0)); };
  double low = 1.0, high = 2.0 * half_range;
  for (int i = 0; i < 60; ++i) {
    const double p = 0.5 * (low + high);
    (0.5 * (p + other_tip(p)) < half_range ? low : high) = p;
  }
  const double p = low, n = other_tip(p), w = std::sqrt(1.0 + k), u0 = k / (w * w);
  const auto area = [](double r, double x) {
    return 0.5 * (r * r * (0.5 * pi - std::asin(x / r)) - x * std::sqrt(r * r - x * x));
  };
  const double action = 0.5 * pi * n * n - area(n, 1.0) + w * area(p - u0, 1.0 - u0);
  return c * action * 0.5 * (1.0 / n + 1.0 / (p + k * (p - 1.0))) / half_range;
}

// Just behind the onset of contact the middle has hardly moved, but the two sides differ: damping there must not tell
// which side the decay began on. That of every other swing does, by a whole swing's change of d, some 0.35 pi zeta of d
// with this stop; two pairs of swings differ in the second order. They are means over 1.5 swings to either side, which
// along a curve whose slope falls from 0 to -0.35 within 0.03 behind the onset is up to 12/2 * 1.25 (pi zeta)^2 off d.
// Rows begin where all that is compared is behind the onset.
TEST(QuasiStaticModal, DampingJustBehindAStopHasNoSide) {
  const double k = 1.0, zeta = 0.0045, second_order = std::pow(pi * zeta, 2);
  const auto curve_from = [&](int from, int to) {
    const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{zeta}}),
                        {{"stop", Gap<double>(k, 1.0), testing::between(1, from, to)}});
    return quasi_static_modal_analysis(system, 0, {1.0, 1.3, 40});
  };
  const ModalCurve one = curve_from(-1, 0), other = curve_from(0, -1);
  int compared = 0;
  for (const ModalPoint& point : one.points) {  // rows beside the corner are added to each
    const auto there = std::find_if(other.points.begin(), other.points.end(),
                                    [&](const ModalPoint& mirrored) { return mirrored.alpha == point.alpha; });
    if (there == other.points.end() || point.q < std::exp(3.0 * pi * zeta) || point.q > 1.15) continue;
    const double d = decrement_beside_stop(point.q, k, 2.0 * zeta);
    EXPECT_NEAR(point.zeta / there->zeta, 1.0, 5.0 * second_order) << point.q;
    EXPECT_NEAR(point.zeta / (d / std::hypot(pi, d)), 1.0, 10.0 * second_order) << point.q;
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

}  // namespace free_swing_test
}  // namespace microslip
