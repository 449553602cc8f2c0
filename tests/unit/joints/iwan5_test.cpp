// The exact five-parameter element against single sliders, closed forms and the exact iwan4.
//
// Unless said otherwise the parameters are those of Lacayo's section 4.3 and tolerances are relative to K_T, F_S or
// F_S phi_max: 1e-12 means some thousand roundings, for sums over a history.

#include "microslip/joints/iwan5.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace microslip {
namespace iwan5_test {

constexpr double r_ = 7e5, s_ = 9e3, phi_max_ = 6e-4, chi_ = -0.6;

Iwan5<> lacayo(double theta) {
  return Iwan5<>::from_distribution(r_, s_, phi_max_, chi_, theta);
}

/// Integral of phi^n rho over (lower, upper), both below phi_max: R (upper^(chi+1+n) - lower^(chi+1+n)) / (chi+1+n).
double moment(int n, double lower, double upper) {
  const double p = chi_ + 1.0 + n;
  return r_ * (std::pow(upper, p) - std::pow(lower, p)) / p;
}
const double k_t = moment(0, 0.0, phi_max_) + s_;
const double f_s = moment(1, 0.0, phi_max_) + s_ * phi_max_;

template <class Law>
typename Law::Trial advance(const Law& law, typename Law::State& state, typename Law::Scalar u) {
  const auto trial = law.evaluate(state, {u});
  law.commit(state, trial);
  return trial;
}

/// Turning points of all sizes, small loops inside large ones, with excursions into macroslip that drift away.
std::vector<double> random_turns(unsigned seed, int count) {
  std::mt19937 generator(seed);
  const auto uniform = [&] { return static_cast<double>(generator()) / 4294967296.0; };
  std::vector<double> turns;
  double u = 0.0, direction = 1.0;
  for (int i = 0; i < count; ++i) {
    const double size = i % 29 == 28 ? 3.0 : std::pow(10.0, -2.5 * uniform());
    u += direction * phi_max_ * size * (0.2 + uniform());
    turns.push_back(u);
    direction = -direction;
  }
  return turns;
}

/// One slider by itself: sticks until s (u - x) >= phi, then slides at x = u - s theta phi until the motion turns.
struct SingleSlider {
  double phi, theta;
  double x = 0.0, u = 0.0;
  int direction = 0;
  bool slips = false;

  void move(double to) {
    const int s = to > u ? 1 : -1;
    if (s != direction) slips = false;
    direction = s;
    if (s * (to - x) >= phi) slips = true;
    if (slips) x = to - s * theta * phi;
    u = to;
  }
};

class Iwan5Theta : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(All, Iwan5Theta, ::testing::Values(0.05, 0.3, 0.7, 0.95, 1.0));

TEST_P(Iwan5Theta, EverySliderStandsWhereItWouldAlone) {
  const Iwan5<> law = lacayo(GetParam());
  Iwan5<>::State state;
  std::vector<SingleSlider> sliders;
  for (int i = 0; i < 300; ++i) sliders.push_back({phi_max_ * std::pow(10.0, -0.0101 * i), GetParam()});
  double u = 0.0;
  for (const double turn : random_turns(1, 400)) {
    for (int step = 1; step <= 3; ++step) {
      const double to = step == 3 ? turn : u + (turn - u) * step / 3.0;
      advance(law, state, to);
      for (SingleSlider& slider : sliders) slider.move(to);
    }
    u = turn;
    for (const SingleSlider& slider : sliders) {
      ASSERT_NEAR(law.slider_position(state, slider.phi), slider.x, 1e-13 * (phi_max_ + std::abs(u)))
          << "phi/phi_max " << slider.phi / phi_max_ << " at u/phi_max " << u / phi_max_;
    }
  }
}

/// Integral of the force over [a, b] from a committed state: adaptive Simpson, which closes in on kinks and drops.
double work_between(const Iwan5<>& law, const Iwan5<>::State& state, double a, double b, double tolerance, int depth) {
  const auto f = [&](double u) { return law.evaluate(state, {u}).force; };
  const double m = 0.5 * (a + b);
  const double coarse = (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b));
  const double left = (m - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + m)) + f(m));
  const double right = (b - m) / 6.0 * (f(m) + 4.0 * f(0.5 * (m + b)) + f(b));
  if (depth == 0 || std::abs(left + right - coarse) < 15.0 * tolerance) return left + right;
  return work_between(law, state, a, m, 0.5 * tolerance, depth - 1) +
         work_between(law, state, m, b, 0.5 * tolerance, depth - 1);
}

// First law, on every leg of the history. The quadrature is asked for 1e-11 F_S phi_max a leg of a few F_S phi_max.
TEST_P(Iwan5Theta, WorkIsStoredOrDissipated) {
  const Iwan5<> law = lacayo(GetParam());
  Iwan5<>::State state;
  const double unit = f_s * phi_max_;
  EXPECT_EQ(law.stored_energy(state), 0.0);
  EXPECT_EQ(law.dissipated_energy(state), 0.0);
  for (const double turn : random_turns(2, 120)) {
    const double work = work_between(law, state, state.u, turn, 1e-11 * unit, 45);
    const double stored = law.stored_energy(state), dissipated = law.dissipated_energy(state);
    const double middle = 0.3 * state.u + 0.7 * turn;
    advance(law, state, middle);
    EXPECT_GE(law.dissipated_energy(state), dissipated);
    advance(law, state, turn);
    EXPECT_GE(law.dissipated_energy(state), dissipated);
    EXPECT_GE(law.stored_energy(state), 0.0);
    ASSERT_NEAR(law.stored_energy(state) - stored + law.dissipated_energy(state) - dissipated, work, 1e-10 * unit);
  }
}

// Rate independence: a leg in one step or in many.
TEST_P(Iwan5Theta, StepsOfALegDoNotMatter) {
  const Iwan5<> law = lacayo(GetParam());
  Iwan5<>::State one, many;
  for (const double turn : random_turns(3, 300)) {
    const double from = many.u;
    for (int i = 1; i < 17; ++i) advance(law, many, from + (turn - from) * i / 17.0);
    const auto a = advance(law, one, turn), b = advance(law, many, turn);
    ASSERT_NEAR(a.force, b.force, 1e-12 * f_s);
    ASSERT_NEAR(a.stiffness, b.stiffness, 1e-12 * k_t);
    ASSERT_NEAR(law.stored_energy(one), law.stored_energy(many), 1e-12 * f_s * phi_max_);
    ASSERT_NEAR(law.dissipated_energy(one), law.dissipated_energy(many), 1e-12 * law.dissipated_energy(one));
    ASSERT_EQ(one.intervals.size(), many.intervals.size());
  }
}

// Central differences with h = 1e-7 phi_max: rounding eps F_S/h is 2e-9 K_T; the third derivative near a front of
// strength phi adds K_T (h/phi)^2, at most 1e-8 K_T for the moves of 1e-3 phi_max and more made here.
TEST_P(Iwan5Theta, TangentIsTheSlopeOfTheForce) {
  const Iwan5<> law = lacayo(GetParam());
  Iwan5<>::State state;
  const double h = 1e-7 * phi_max_;
  int checked = 0;
  for (const double turn : random_turns(4, 400)) {
    for (int i = 1; i <= 5; ++i) {
      const double u = state.u + (turn - state.u) * i / 5.0;
      const auto low = law.evaluate(state, {u - h}), at = law.evaluate(state, {u}), high = law.evaluate(state, {u + h});
      const bool kink = low.fronts != high.fronts || low.kept != high.kept;
      if (!kink) {
        ASSERT_NEAR((high.force - low.force) / (2.0 * h), at.stiffness, 1e-7 * k_t) << "u/phi_max " << u / phi_max_;
        ++checked;
      }
    }
    advance(law, state, turn);
  }
  EXPECT_GT(checked, 1900);  // of 2000: a kink within h of the point is rare
}

TEST_P(Iwan5Theta, VirginCurveIsMignoletsAndDropsAtPhiMax) {
  const double theta = GetParam();
  const Iwan5<> law = lacayo(theta);
  // (4.6)
  const double lambda = r_ * (chi_ + 2.0 - theta * (chi_ + 1.0)) / ((chi_ + 1.0) * (chi_ + 2.0));
  const Iwan5<>::State rest;
  for (const double x : {1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999999}) {
    const double u = x * phi_max_;
    const double force = k_t * u - lambda * std::pow(u, chi_ + 2.0);  // (4.5)
    const double slope = k_t - lambda * (chi_ + 2.0) * std::pow(u, chi_ + 1.0);
    for (const double sign : {1.0, -1.0}) {
      const auto trial = law.evaluate(rest, {sign * u});
      EXPECT_NEAR(trial.force, sign * force, 1e-14 * f_s);
      EXPECT_NEAR(trial.stiffness, slope, 1e-13 * k_t);
      EXPECT_NEAR(law.backbone(sign * u).force, sign * force, 1e-14 * f_s);
      EXPECT_NEAR(law.backbone(sign * u).slope, slope, 1e-13 * k_t);
      EXPECT_NEAR(law.backbone(sign * u).work, work_between(law, rest, 0.0, sign * u, 1e-14 * f_s * phi_max_, 40),
                  1e-12 * f_s * phi_max_);
    }
  }
  for (const double x : {1.0, 1.5, 40.0}) {
    EXPECT_NEAR(law.evaluate(rest, {-x * phi_max_}).force, -theta * f_s, 1e-14 * f_s);
    EXPECT_NEAR(law.backbone(x * phi_max_).force, theta * f_s, 1e-14 * f_s);
    EXPECT_EQ(law.evaluate(rest, {x * phi_max_}).stiffness, 0.0);
    EXPECT_EQ(law.backbone(x * phi_max_).slope, 0.0);
  }
  const double just_below = std::nextafter(phi_max_, 0.0);
  EXPECT_NEAR(law.backbone(just_below).force - law.backbone(phi_max_).force, s_ * (1.0 - theta) * phi_max_,
              1e-14 * f_s);
  EXPECT_NEAR(law.backbone(2.0 * phi_max_).work - law.backbone(just_below).work, theta * f_s * phi_max_,
              1e-14 * f_s * phi_max_);
  EXPECT_EQ(law.stuck_stiffness(), law.evaluate(rest, {0.0}).stiffness);
  EXPECT_NEAR(law.stuck_stiffness(), k_t, 1e-14 * k_t);
  EXPECT_EQ(law.slipped_stiffness(), 0.0);
  EXPECT_EQ(law.max_slider_strength(), phi_max_);
}

// After growing motion the loop of amplitude X has the virgin curve's tips and the closed forms' area.
TEST_P(Iwan5Theta, SteadyLoopsHaveTheClosedFormsDissipation) {
  const double theta = GetParam();
  const Iwan5<> law = lacayo(theta);
  Iwan5<>::State state;
  for (const double x : {1e-3, 0.1, 0.4, 0.8, 0.99, 1.01, 2.0, 10.0}) {
    const double amplitude = x * phi_max_;
    advance(law, state, amplitude);
    advance(law, state, -amplitude);
    const double before = law.dissipated_energy(state);
    const double bottom = law.evaluate(state, {-amplitude}).force;
    const double top = advance(law, state, amplitude).force;
    advance(law, state, -amplitude);
    const double loop = law.dissipated_energy(state) - before;
    const double secant = (top - bottom) / (2.0 * amplitude);
    double area = 0.0, slope = 0.0;
    if (x < 1.0) {  // (4.7), (4.8)
      const double p = std::pow(amplitude, chi_ + 3.0);
      area = r_ * (2.0 * theta * (chi_ + 4.0) + (1.0 - 3.0 * theta * theta) * (chi_ + 2.0)) * p /
             ((chi_ + 3.0) * (chi_ + 2.0));
      slope = k_t - r_ * (chi_ + 2.0 - theta * (chi_ + 1.0)) / ((chi_ + 1.0) * (chi_ + 2.0)) *
                        std::pow(amplitude, chi_ + 1.0);
    } else {  // every slider twice a cycle: (1 - theta^2) phi^2/2 in the drop, theta phi over 2 X - (1 + theta) phi
      const double m1 = f_s, m2 = moment(2, 0.0, phi_max_) + s_ * phi_max_ * phi_max_;
      area = (1.0 - theta * theta) * m2 + 2.0 * theta * (2.0 * amplitude * m1 - (1.0 + theta) * m2);
      slope = theta * f_s / amplitude;
    }
    EXPECT_NEAR(loop, area, 1e-12 * area + 1e-15 * law.dissipated_energy(state));
    EXPECT_NEAR(law.dissipation(amplitude), area, 1e-13 * area);
    EXPECT_NEAR(secant, slope, 1e-12 * k_t);
    EXPECT_NEAR(law.secant_stiffness(amplitude), slope, 1e-13 * k_t);
  }
  EXPECT_EQ(law.secant_stiffness(0.0), law.stuck_stiffness());
  EXPECT_EQ(law.dissipation(0.0), 0.0);
}

// By hand, theta = 1/2: up to 2e-4, back to 1e-4, up to 2.2e-4.
//   phi < 1e-4/1.5           slid back, then up again: x = u - phi/2
//   1e-4/1.5 < phi < 2e-4    stuck at 2e-4 - phi/2; would slip at 2e-4 + phi/2
//   2e-4 < phi < 2.2e-4      slip for the first time
//   phi > 2.2e-4             never moved
TEST(Iwan5, SlipNeedNotBeContiguous) {
  const Iwan5<> law = lacayo(0.5);
  Iwan5<>::State state;
  advance(law, state, 2e-4);
  advance(law, state, 1e-4);
  const auto trial = advance(law, state, 2.2e-4);
  const double low = 1e-4 / 1.5, u = 2.2e-4;
  EXPECT_DOUBLE_EQ(law.slider_position(state, 5e-5), u - 0.5 * 5e-5);
  EXPECT_DOUBLE_EQ(law.slider_position(state, 1e-4), 2e-4 - 0.5 * 1e-4);
  EXPECT_DOUBLE_EQ(law.slider_position(state, 2.1e-4), u - 0.5 * 2.1e-4);
  EXPECT_EQ(law.slider_position(state, 3e-4), 0.0);
  EXPECT_EQ(law.slider_position(state, phi_max_), 0.0);
  const double force = 0.5 * moment(1, 0.0, low) + (u - 2e-4) * moment(0, low, 2e-4) + 0.5 * moment(1, low, 2e-4) +
                       0.5 * moment(1, 2e-4, u) + u * (moment(0, u, phi_max_) + s_);
  EXPECT_NEAR(trial.force, force, 1e-14 * f_s);
  EXPECT_NEAR(trial.stiffness, moment(0, low, 2e-4) + moment(0, u, phi_max_) + s_ - 0.5 * r_ * std::pow(u, chi_ + 1.0),
              1e-13 * k_t);
  EXPECT_NEAR(law.slipped_fraction(state), (moment(0, 0.0, low) + moment(0, 2e-4, u)) / k_t, 1e-14);
  EXPECT_EQ(state.intervals.size(), 5u);

  // From here the middle interval has its own front, s (u - 2e-4)/(1 - theta), besides the virgin one.
  const auto two = law.evaluate(state, {2.6e-4});
  EXPECT_EQ(two.fronts, 2u);
  const double middle = 1.2e-4, top = 2.6e-4;
  EXPECT_NEAR(two.stiffness,
              moment(0, middle, 2e-4) + moment(0, top, phi_max_) + s_ - 0.5 * r_ * std::pow(top, chi_ + 1.0) -
                  0.5 * r_ * std::pow(middle, chi_ + 1.0) / 0.5,
              1e-13 * k_t);
}

TEST(Iwan5, WithThetaOneIsIwan4) {
  const auto distribution = Iwan4Backbone<>::from_distribution(r_, s_, phi_max_, chi_);
  const Iwan5<> law(distribution, 1.0);
  const Iwan4<> masing(distribution);
  Iwan5<>::State state;
  Iwan4<>::State reference;
  double drift = 0.0;
  for (const double turn : random_turns(5, 3000)) {
    const double from = state.u;
    for (int i = 1; i <= 4; ++i) {
      const double u = i == 4 ? turn : from + (turn - from) * i / 4.0;
      const auto a = advance(law, state, u);
      const auto b = advance(masing, reference, u);
      drift = std::max(drift, std::abs(u));
      // Positions are known to eps |u|, forces to K_T times that, the tangent R phi*^(chi+1) to some 1e2 times that:
      // the steps are longer than 1e-4 phi_max.
      const double rounding = 1e-15 * drift / phi_max_;
      ASSERT_NEAR(a.force, b.force, 1e-13 * f_s + k_t * phi_max_ * rounding);
      ASSERT_NEAR(a.stiffness, b.stiffness, k_t * (1e-13 + 1e2 * rounding));
    }
    const double energy = 1e-12 * (law.dissipated_energy(state) + f_s * phi_max_);
    ASSERT_NEAR(law.stored_energy(state), masing.stored_energy(reference), energy);
    ASSERT_NEAR(law.dissipated_energy(state), masing.dissipated_energy(reference), energy);
    for (const double phi : {0.01, 0.1, 0.4, 0.8, 1.0}) {
      ASSERT_NEAR(law.slider_position(state, phi * phi_max_), masing.slider_position(reference, phi * phi_max_),
                  1e-14 * drift);
    }
  }
}

// (4.35), (4.36) as printed, with u_max below phi_max; a slow decay, then a closed loop.
TEST_P(Iwan5Theta, RingDownLoopsHaveTheClosedForms) {
  const double theta = GetParam();
  const Iwan5<> law = lacayo(theta);
  Iwan5<>::State state;
  const double u_max = 0.9 * phi_max_;
  double amplitude = u_max;
  advance(law, state, amplitude);
  for (const double x : {0.85, 0.5, 0.2, 0.05}) {
    const double u0 = x * phi_max_;
    while (amplitude * 0.995 > u0) advance(law, state, state.u > 0.0 ? -(amplitude *= 0.995) : (amplitude *= 0.995));
    if (state.u > 0.0) advance(law, state, -u0);
    advance(law, state, u0);
    advance(law, state, -u0);
    const double before = law.dissipated_energy(state), bottom = law.evaluate(state, {-u0}).force;
    const double top = advance(law, state, u0).force;
    advance(law, state, -u0);
    double secant = 0.0, area = 0.0;
    if (u0 < 0.5 * (1.0 + theta) * u_max) {
      const double bracket = r_ * ((1.0 - theta) * chi_ + 2.0);
      secant = k_t -
               bracket / ((chi_ + 2.0) * (chi_ + 1.0) * (1.0 + theta)) * std::pow(2.0 * u0 / (1.0 + theta), chi_ + 1.0);
      area =
          bracket * std::pow(2.0 * u0, chi_ + 3.0) / ((chi_ + 3.0) * (chi_ + 2.0) * std::pow(1.0 + theta, chi_ + 2.0));
    } else {
      secant = theta * r_ * std::pow(u_max, chi_ + 2.0) / ((chi_ + 2.0) * u0) + k_t -
               r_ * std::pow(u_max, chi_ + 1.0) / (chi_ + 1.0);
      area = (1.0 + theta) * (1.0 - 3.0 * theta) * r_ * std::pow(u_max, chi_ + 3.0) / (chi_ + 3.0) +
             4.0 * theta * r_ * std::pow(u_max, chi_ + 2.0) * u0 / (chi_ + 2.0);
    }
    EXPECT_NEAR(law.ringdown_secant_stiffness(u0, u_max), secant, 1e-13 * k_t);
    EXPECT_NEAR(law.ringdown_dissipation(u0, u_max), area, 1e-13 * area);
    EXPECT_NEAR((top - bottom) / (2.0 * u0), secant, 1e-12 * k_t);
    EXPECT_NEAR(law.dissipated_energy(state) - before, area, 1e-12 * f_s * phi_max_);
  }
  // Reduces to (4.7) and (4.8) for u0 = u_max, and to K_T at rest.
  EXPECT_NEAR(law.ringdown_secant_stiffness(u_max, u_max), law.secant_stiffness(u_max), 1e-13 * k_t);
  EXPECT_EQ(law.ringdown_secant_stiffness(0.0, u_max), law.stuck_stiffness());
}

// A loop after a decay from macroslip: every slider has slipped, also the one at phi_max.
TEST(Iwan5, RingDownFromMacroslip) {
  const Iwan5<> law = lacayo(0.3);
  Iwan5<>::State state;
  const double u_max = 2.0 * phi_max_;
  advance(law, state, u_max);
  advance(law, state, -1.4 * phi_max_);
  for (const double x : {1.2, 0.9, 0.7, 0.6, 0.3}) {  // all sliders slip down to (1 + theta)/2 = 0.65
    const double u0 = x * phi_max_;
    advance(law, state, u0);
    const double before = law.dissipated_energy(state), top = advance(law, state, -u0).force;
    const double bottom = advance(law, state, u0).force;
    EXPECT_NEAR((bottom - top) / (2.0 * u0), law.ringdown_secant_stiffness(u0, u_max), 1e-12 * k_t) << x;
    EXPECT_NEAR(law.dissipated_energy(state) - before, law.ringdown_dissipation(u0, u_max), 1e-12 * f_s * phi_max_)
        << x;
    if (x > 0.65) {
      EXPECT_NEAR(law.ringdown_secant_stiffness(u0, u_max), 0.3 * f_s / u0, 1e-13 * k_t);
    }
    advance(law, state, -u0);
  }
}

// 1e5 cycles of decay: the list holds one interval a half-cycle, an evaluation touches its end only, the loop at the
// end is that of the closed form, and macroslip forgets it all.
TEST(Iwan5, LongDecayKeepsItsMemoryAtTheEndOfTheList) {
  const double theta = 0.3;
  const Iwan5<> law = lacayo(theta);
  Iwan5<>::State state;
  const int half_cycles = 200000;
  std::size_t touched = 0;
  double u0 = 0.0;
  for (int i = 0; i < half_cycles; ++i) {
    u0 = phi_max_ * (0.9 - 0.8 * i / half_cycles);
    const double turn = i % 2 == 0 ? u0 : -u0, from = state.u;
    for (int step = 1; step <= 4; ++step) {
      const auto trial = law.evaluate(state, {from + (turn - from) * step / 4.0});
      if (i > 0) touched = std::max(touched, std::max<std::size_t>(state.intervals.size(), 2) - trial.kept);
      law.commit(state, trial);
    }
  }
  EXPECT_LE(touched, 3u);
  // one interval a half-cycle since the front fell below (1 + theta)/2 u_max
  EXPECT_GT(state.intervals.size(), static_cast<std::size_t>(0.6 * half_cycles));

  const double u_max = 0.9 * phi_max_;
  advance(law, state, u0);
  const double bottom = advance(law, state, -u0).force, before = law.dissipated_energy(state);
  const double top = advance(law, state, u0).force;
  advance(law, state, -u0);
  EXPECT_NEAR((top - bottom) / (2.0 * u0), law.ringdown_secant_stiffness(u0, u_max), 1e-10 * k_t);
  EXPECT_NEAR(law.dissipated_energy(state) - before, law.ringdown_dissipation(u0, u_max), 1e-11 * f_s * phi_max_);
  EXPECT_NEAR(law.slipped_fraction(state), moment(0, 0.0, 2.0 * u0 / (1.0 + theta)) / k_t, 1e-10);

  // each slider against itself alone, on the coarse path
  for (const double x : {0.05, 0.2, 0.35, 0.7, 0.95, 1.0}) {
    SingleSlider slider{x * phi_max_, theta};
    for (int i = 0; i < half_cycles; ++i) {
      const double turn = phi_max_ * (0.9 - 0.8 * i / half_cycles);
      slider.move(i % 2 == 0 ? turn : -turn);
    }
    for (const double turn : {u0, -u0, u0, -u0}) slider.move(turn);
    EXPECT_NEAR(law.slider_position(state, slider.phi), slider.x, 1e-14 * phi_max_) << x;
  }

  EXPECT_NEAR(advance(law, state, 3.0 * phi_max_).force, theta * f_s, 1e-14 * f_s);
  EXPECT_EQ(state.intervals.size(), 2u);
  EXPECT_NEAR(law.stored_energy(state), 0.5 * theta * theta * (moment(2, 0.0, phi_max_) + s_ * phi_max_ * phi_max_),
              1e-14 * f_s * phi_max_);
}

// Derivatives of force, tangent and energies through a history, with respect to R, S, phi_max, chi, theta and the size
// of the motion, against central differences with relative step 1e-6: their error is some 1e-12 of truncation and 1e-10
// of rounding, times up to 1e3 where a front of small strength or the drift amplifies it.
using Dual6 = Dual<6>;
TEST(Iwan5, DualNumbersCarryDerivativesThroughTheHistory) {
  const std::vector<double> turns = random_turns(6, 150);
  const double base[6] = {r_, s_, phi_max_, chi_, 0.35, 1.0};
  struct Output {
    double value[4];
  };
  const auto run = [&](const double* p, std::vector<Output>& outputs) {
    const auto law = Iwan5<>::from_distribution(p[0], p[1], p[2], p[3], p[4]);
    Iwan5<>::State state;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      advance(law, state, p[5] * turns[i]);
      const double next = i + 1 < turns.size() ? turns[i + 1] : 0.0;
      const auto trial = law.evaluate(state, {p[5] * (0.6 * turns[i] + 0.4 * next)});
      outputs.push_back({{trial.force, trial.stiffness, law.stored_energy(state), law.dissipated_energy(state)}});
    }
  };
  Dual6 p[6];
  for (int j = 0; j < 6; ++j) p[j] = Dual6::variable(base[j], j);
  const auto law = Iwan5<Dual6>::from_distribution(p[0], p[1], p[2], p[3], p[4]);
  Iwan5<Dual6>::State state;
  std::vector<std::array<Dual6, 4>> exact;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    advance(law, state, p[5] * turns[i]);
    const double next = i + 1 < turns.size() ? turns[i + 1] : 0.0;
    const auto trial = law.evaluate(state, {p[5] * (0.6 * turns[i] + 0.4 * next)});
    exact.push_back({trial.force, trial.stiffness, law.stored_energy(state), law.dissipated_energy(state)});
  }
  std::vector<Output> values;
  run(base, values);
  for (int j = 0; j < 6; ++j) {
    const double h = 1e-6 * std::abs(base[j]);
    double low[6], high[6];
    std::copy(base, base + 6, low);
    std::copy(base, base + 6, high);
    low[j] -= h;
    high[j] += h;
    std::vector<Output> below, above;
    run(low, below);
    run(high, above);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const double scale[4] = {f_s, k_t, f_s * phi_max_, f_s * phi_max_ + values[i].value[3]};
      for (int q = 0; q < 4; ++q) {
        const double difference = (above[i].value[q] - below[i].value[q]) / (2.0 * h);
        ASSERT_NEAR(exact[i][q].value, values[i].value[q], 1e-12 * scale[q]);
        ASSERT_NEAR(exact[i][q].derivative[j] * std::abs(base[j]), difference * std::abs(base[j]), 1e-6 * scale[q])
            << "parameter " << j << " quantity " << q << " turn " << i;
      }
    }
  }
}

// dF/du of the trial itself.
TEST(Iwan5, DualInputGivesTheTangent) {
  const auto law = Iwan5<Dual<1>>::from_distribution(r_, s_, phi_max_, chi_, 0.3);
  Iwan5<Dual<1>>::State state;
  for (const double turn : random_turns(7, 300)) {
    const auto trial = law.evaluate(state, {Dual<1>::variable(0.5 * (state.u.value + turn), 0)});
    ASSERT_NEAR(trial.force.derivative[0], trial.stiffness.value, 1e-11 * k_t);
    advance(law, state, Dual<1>(turn));
  }
}

TEST(Iwan5, DiscardedTrialsLeaveNoTrace) {
  const Iwan5<> law = lacayo(0.3);
  Iwan5<>::State undisturbed, disturbed;
  std::mt19937 generator(8);
  for (const double turn : random_turns(8, 300)) {
    for (int i = 0; i < 5; ++i) {
      const double u = phi_max_ * (static_cast<double>(generator()) / 2147483648.0 - 1.0);
      const auto first = law.evaluate(disturbed, {u}), again = law.evaluate(disturbed, {u});
      ASSERT_EQ(first.force, again.force);
      ASSERT_EQ(first.stiffness, again.stiffness);
    }
    ASSERT_EQ(advance(law, undisturbed, turn).force, advance(law, disturbed, turn).force);
    ASSERT_EQ(law.stored_energy(undisturbed), law.stored_energy(disturbed));
    ASSERT_EQ(law.dissipated_energy(undisturbed), law.dissipated_energy(disturbed));
  }
}

// The force at the committed point is the one that was committed, and a step of no length changes nothing.
TEST_P(Iwan5Theta, StandingStillChangesNothing) {
  const Iwan5<> law = lacayo(GetParam());
  Iwan5<>::State state;
  for (const double turn : random_turns(9, 200)) {
    const auto trial = advance(law, state, turn);
    const double energy = law.dissipated_energy(state);
    const std::size_t size = state.intervals.size();
    const double rounding = 1e-15 * (phi_max_ + std::abs(turn));
    for (int i = 0; i < 3; ++i) {
      const auto still = advance(law, state, turn);
      ASSERT_NEAR(still.force, trial.force, 1e-13 * f_s + k_t * rounding);
      ASSERT_NEAR(still.stiffness, trial.stiffness, 1e-12 * k_t);
    }
    ASSERT_EQ(law.dissipated_energy(state), energy);
    ASSERT_EQ(state.intervals.size(), size);
  }
}

TEST_P(Iwan5Theta, NotANumberInNotANumberOut) {
  const Iwan5<> law = lacayo(GetParam());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Iwan5<>::State state;
  EXPECT_TRUE(std::isnan(law.evaluate(state, {nan}).force));
  for (const double u : {1e-4, -2e-4, 7e-4}) {
    advance(law, state, u);
    EXPECT_TRUE(std::isnan(law.evaluate(state, {nan}).force));
    EXPECT_TRUE(std::isnan(law.evaluate(state, {nan}).stiffness));
  }
  advance(law, state, nan);  // committed by mistake: it must not be forgotten
  EXPECT_TRUE(std::isnan(law.evaluate(state, {1e-4}).force));
  EXPECT_TRUE(std::isnan(law.backbone(nan).force));
  EXPECT_TRUE(std::isnan(law.secant_stiffness(nan)));
  EXPECT_TRUE(std::isnan(law.dissipation(nan)));
  EXPECT_TRUE(std::isnan(law.ringdown_secant_stiffness(nan, 1e-4)));
}

TEST(Iwan5, PhysicalParametersGiveTheStiffnessAndTheMacroslipForce) {
  const auto law = Iwan5<>::from_physical(f_s, k_t, chi_, s_ / (k_t - s_), 0.3);
  EXPECT_NEAR(law.max_slider_strength(), phi_max_, 1e-14 * phi_max_);
  EXPECT_NEAR(law.distribution().r(), r_, 1e-12 * r_);
  EXPECT_NEAR(law.distribution().s(), s_, 1e-12 * s_);
  EXPECT_NEAR(law.evaluate({}, {1.0}).force, 0.3 * f_s, 1e-14 * f_s);
}

}  // namespace iwan5_test
}  // namespace microslip
