#pragma once
// One suite that every scalar law passes. To put a law through it, write a case and instantiate:
//
//   struct MyCase {
//     static constexpr const char* name = "My";
//     static constexpr std::array<double, 2> parameters = {3.0, 0.5};
//     static constexpr double scale = 1.0;             // deflection at which the law is well into its nonlinearity
//     static constexpr bool odd = true;                // after a far swing both tips are alike
//     static constexpr double work_tolerance = 1e-8;   // see WorkIsStoredPlusDissipated
//     template <class T>
//     static MyLaw<T> make(const std::array<T, 2>& p) { return MyLaw<T>(p[0], p[1]); }
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(My, LawSuite, ::testing::Types<MyCase>, LawCaseName);

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "microslip/joints/law.hpp"
#include "microslip/numerics/dual.hpp"

namespace microslip::law_suite {

/// Reversal points of a random motion, +-3 times the scale; the same everywhere.
inline std::vector<double> random_history(double scale, int steps, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<double> history;
  for (int i = 0; i < steps; ++i)
    history.push_back(scale * 6.0 * (static_cast<double>(generator()) / 4294967296.0 - 0.5));
  return history;
}

template <class Law>
auto step(const Law& law, typename Law::State& state, typename Law::Scalar u) {
  JointInput<typename Law::Scalar> input;
  input.u = u;
  auto trial = law.evaluate(state, input);
  law.commit(state, trial);
  return trial;
}

template <class Law>
auto look(const Law& law, const typename Law::State& state, typename Law::Scalar u) {
  JointInput<typename Law::Scalar> input;
  input.u = u;
  return law.evaluate(state, input);
}

/// Forces at the points of a history.
template <class Law>
std::vector<typename Law::Scalar> forces(const Law& law, const std::vector<typename Law::Scalar>& history) {
  typename Law::State state;
  std::vector<typename Law::Scalar> result;
  for (const auto& u : history) result.push_back(step(law, state, u).force);
  return result;
}

/// Stored and dissipated energy at the end of a history.
template <class Law>
std::vector<typename Law::Scalar> energies(const Law& law, const std::vector<typename Law::Scalar>& history) {
  typename Law::State state;
  for (const auto& u : history) step(law, state, u);
  return {law.stored_energy(state), law.dissipated_energy(state)};
}

inline double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double v : values) result = std::max(result, std::abs(v));
  return result;
}

}  // namespace microslip::law_suite

struct LawCaseName {
  template <class Case>
  static std::string GetName(int /*index*/) {
    return Case::name;
  }
};

template <class Case>
class LawSuite : public ::testing::Test {
 protected:
  using Law = decltype(Case::template make<double>(Case::parameters));
  static constexpr std::size_t parameter_count = Case::parameters.size();
  static Law law() { return Case::template make<double>(Case::parameters); }
  static std::vector<double> history(unsigned seed, int steps = 40) {
    return microslip::law_suite::random_history(Case::scale, steps, seed);
  }
};
TYPED_TEST_SUITE_P(LawSuite);

// The central difference is the mean of dF/du between u - h and u + h, so it lies within the spread of the tangent over
// that interval, kinks included; 1e-8 of the stiffness for rounding (eps F/h, h = 1e-6 scale, gives 1e-10 to 1e-9).
TYPED_TEST_P(LawSuite, TangentIsTheDerivativeOfTheForce) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  const auto history = this->history(1, 400);
  const double h = 1e-6 * TypeParam::scale;
  typename TestFixture::Law::State state;
  int sharp = 0;
  double before = 0.0;
  double stiffest = law.stuck_stiffness();
  for (const double u : history) {
    const auto low = look(law, state, u - h);
    const auto mid = look(law, state, u);
    const auto high = look(law, state, u + h);
    if (std::abs(u - before) > 2.0 * h) {
      stiffest = std::max(stiffest, std::abs(mid.stiffness));
      const auto [least, most] = std::minmax({low.stiffness, mid.stiffness, high.stiffness});
      const double difference = (high.force - low.force) / (2.0 * h);
      EXPECT_LE(std::abs(difference - mid.stiffness), (most - least) + 1e-8 * stiffest) << "at u = " << u;
      if (most - least <= 1e-4 * stiffest) ++sharp;
    }
    EXPECT_EQ(mid.damping, 0.0);
    step(law, state, u);
    before = u;
  }
  EXPECT_GE(sharp, 360);  // the bound above is tight for nine in ten
}

// Dual numbers through 40 reversals against central differences of the whole history, forces and energies: with respect
// to every parameter, to all inputs at once (a random direction) and to the first input. Steps 1e-5 of each quantity:
// rounding gives about 1e-10, curvature 1e-9 (more where a branch is short: F'' of a power law is not bounded at a
// reversal); kinks are missed.
TYPED_TEST_P(LawSuite, DerivativesThroughTheHistory) {
  using namespace microslip;
  using namespace microslip::law_suite;
  constexpr std::size_t count = TestFixture::parameter_count;
  using D = Dual<static_cast<int>(count) + 2>;
  const auto history = this->history(2);
  const auto direction = random_history(1.0, 40, 3);
  const double scale = TypeParam::scale;

  std::array<D, count> parameters;
  for (std::size_t i = 0; i < count; ++i) parameters[i] = D::variable(TypeParam::parameters[i], static_cast<int>(i));
  std::vector<D> inputs;
  for (std::size_t i = 0; i < history.size(); ++i) {
    D u(history[i]);
    u.derivative[count] = direction[i] * scale;
    u.derivative[count + 1] = i == 0 ? scale : 0.0;
    inputs.push_back(u);
  }
  const auto dual_law = TypeParam::template make<D>(parameters);
  const auto exact = forces(dual_law, inputs);
  const auto exact_energies = energies(dual_law, inputs);
  const auto plain = forces(this->law(), history);
  const double size = largest(plain);
  // Same branches, same numbers, to rounding (fused operations and extra terms of series differ).
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(exact[i].value, plain[i], 1e-14 * size) << "step " << i;

  for (std::size_t k = 0; k < count + 2; ++k) {
    const double h = k < count ? 1e-5 * std::max(std::abs(TypeParam::parameters[k]), 0.1) : 1e-5;
    const auto differences = [&](const auto& quantity) {
      const auto shifted = [&](double by) {
        auto p = TypeParam::parameters;
        auto u = history;
        if (k < count) p[k] += by;
        if (k == count) {
          for (std::size_t i = 0; i < u.size(); ++i) u[i] += by * scale * direction[i];
        }
        if (k == count + 1) u[0] += by * scale;
        return quantity(TypeParam::template make<double>(p), u);
      };
      const auto high = shifted(h);
      const auto low = shifted(-h);
      std::vector<double> result;
      for (std::size_t i = 0; i < high.size(); ++i) result.push_back((high[i] - low[i]) / (2.0 * h));
      return result;
    };
    const auto force = differences([](const auto& law, const auto& u) { return forces(law, u); });
    for (std::size_t i = 0; i < force.size(); ++i) {
      const double tolerance = 1e-6 * (largest(force) + 1e-3 * size);
      EXPECT_NEAR(exact[i].derivative[k], force[i], tolerance) << "direction " << k << ", step " << i;
    }
    const auto energy = differences([](const auto& law, const auto& u) { return energies(law, u); });
    for (std::size_t i = 0; i < energy.size(); ++i) {
      const double tolerance = 1e-6 * (largest(energy) + 1e-3 * size * scale);
      EXPECT_NEAR(exact_energies[i].derivative[k], energy[i], tolerance) << "energy " << i << ", direction " << k;
    }
  }
}

TYPED_TEST_P(LawSuite, DiscardedTrialLeavesNoTrace) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  const auto history = this->history(4);
  typename TestFixture::Law::State quiet, disturbed;
  for (std::size_t i = 0; i < history.size(); ++i) {
    for (const double factor : {-2.0, -0.3, 0.1, 0.9, 5.0})
      static_cast<void>(look(law, disturbed, factor * TypeParam::scale));
    const auto a = step(law, quiet, history[i]);
    const auto b = step(law, disturbed, history[i]);
    ASSERT_EQ(a.force, b.force);
    ASSERT_EQ(a.stiffness, b.stiffness);
    ASSERT_EQ(law.stored_energy(quiet), law.stored_energy(disturbed));
    ASSERT_EQ(law.dissipated_energy(quiet), law.dissipated_energy(disturbed));
  }
}

// The same point again gives the committed trial's force, to rounding.
TYPED_TEST_P(LawSuite, CommitKeepsTheForceOfTheTrial) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  const auto history = this->history(5);
  const double size = largest(forces(law, history));
  typename TestFixture::Law::State state;
  for (const double u : history) {
    const double force = step(law, state, u).force;
    EXPECT_NEAR(look(law, state, u).force, force, 1e-14 * size);
  }
}

// Rate independence: seven unequal pieces of each step lead to the same point, 1e-13 of the largest force (rounding of
// the pieces adds up over 40 steps).
TYPED_TEST_P(LawSuite, SplittingAStepChangesNothing) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  const auto history = this->history(6);
  const double size = largest(forces(law, history));
  typename TestFixture::Law::State whole, split;
  double before = 0.0;
  for (const double u : history) {
    const double force = step(law, whole, u).force;
    for (const double part : {0.01, 0.2, 0.35, 0.351, 0.7, 0.999}) step(law, split, before + part * (u - before));
    EXPECT_NEAR(step(law, split, u).force, force, 1e-13 * size);
    before = u;
    const double energy = size * TypeParam::scale;
    EXPECT_NEAR(law.stored_energy(whole), law.stored_energy(split), 1e-12 * energy);
    EXPECT_NEAR(law.dissipated_energy(whole), law.dissipated_energy(split), 1e-12 * energy * 40.0);
  }
}

// Work by Gauss quadrature (3 points, 400 pieces a step) against the closed forms, relative to the sum of |F du|. A
// kink of dk within a piece of length h costs up to dk h^2/8, that is 1e-5 for a law of straight lines; a smooth one
// reaches 1e-8.
TYPED_TEST_P(LawSuite, WorkIsStoredPlusDissipated) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  const auto history = this->history(7, 20);
  constexpr int pieces = 400;
  constexpr double node = 0.7745966692414834;  // sqrt(3/5)
  typename TestFixture::Law::State state;
  double work = 0.0;
  double path = 0.0;
  double before = 0.0;
  double dissipated = 0.0;
  EXPECT_EQ(law.stored_energy(state), 0.0);
  EXPECT_EQ(law.dissipated_energy(state), 0.0);
  for (const double u : history) {
    const double h = (u - before) / pieces;
    for (int i = 0; i < pieces; ++i) {
      const double middle = before + (i + 0.5) * h;
      const double mean =
          (5.0 * look(law, state, middle - 0.5 * node * h).force + 8.0 * look(law, state, middle).force +
           5.0 * look(law, state, middle + 0.5 * node * h).force) /
          18.0;
      work += mean * h;
      path += std::abs(mean * h);
      step(law, state, i + 1 == pieces ? u : before + (i + 1) * h);
    }
    before = u;
    EXPECT_NEAR(work, law.stored_energy(state) + law.dissipated_energy(state), TypeParam::work_tolerance * path);
    if constexpr (requires { TypeParam::may_give_back; }) continue;
    EXPECT_GE(law.dissipated_energy(state), dissipated - 1e-13 * path);
    dissipated = law.dissipated_energy(state);
  }
}

// The initial loading follows the backbone; its slope is the tangent and its work the energy put in.
TYPED_TEST_P(LawSuite, VirginCurveIsTheBackbone) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  if constexpr (TestFixture::Law::has_backbone) {
    for (const double x : {-4.0, -1.3, -0.4, -1e-3, 1e-9, 0.01, 0.2, 0.77, 1.0, 1.9, 30.0}) {
      const double u = x * TypeParam::scale;
      typename TestFixture::Law::State state;
      const auto point = law.backbone(u);
      const auto trial = step(law, state, u);
      EXPECT_NEAR(point.force, trial.force, 1e-14 * std::abs(trial.force)) << x;
      EXPECT_NEAR(point.slope, trial.stiffness, 1e-14 * std::abs(trial.stiffness)) << x;
      const double energy = law.stored_energy(state) + law.dissipated_energy(state);
      EXPECT_NEAR(point.work, energy, 1e-13 * std::abs(energy)) << x;
    }
  }
}

// A cycle between +-X after the first loading dissipates `dissipation(X)` and has its tip at `secant_stiffness(X)`,
// 1e-12 of F X.
TYPED_TEST_P(LawSuite, SteadyCycleHasItsClosedForms) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  if constexpr (microslip::TellsDissipation<typename TestFixture::Law>) {
    for (const double x : {1e-3, 0.1, 0.5, 1.0, 1.7, 4.0, 100.0}) {
      const double amplitude = x * TypeParam::scale;
      typename TestFixture::Law::State state;
      const double tip = step(law, state, amplitude).force;
      for (int cycle = 0; cycle < 3; ++cycle) {
        const double before = law.dissipated_energy(state);
        for (const double part : {0.3, -0.5, -1.0, -0.2, 0.9}) step(law, state, part * amplitude);
        EXPECT_NEAR(step(law, state, amplitude).force, tip, 1e-13 * std::abs(tip)) << x;
        EXPECT_NEAR(law.dissipated_energy(state) - before, law.dissipation(amplitude),
                    1e-12 * std::abs(tip) * amplitude)
            << x;
      }
      if constexpr (microslip::TellsSecant<typename TestFixture::Law>) {
        EXPECT_NEAR(law.secant_stiffness(amplitude) * amplitude, tip, 1e-14 * std::abs(tip)) << x;
      }
    }
  } else {
    static_assert(!microslip::closes_at_once(TestFixture::Law::memory),
                  "a law with return-point memory offers its dissipation per cycle");
  }
}

// 1e-12 of the scale: the tangent at rest, but for a power law that has softened by up to the square root of 1e-12.
TYPED_TEST_P(LawSuite, TinyAmplitudesAreLinear) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  typename TestFixture::Law::State state;
  const double rest = look(law, state, 0.0).force;  // preload
  const double stiffness = law.stuck_stiffness();
  for (const double x : {1e-12, -1e-12, 0.5e-12, 1e-12, 0.0}) {
    const double u = x * TypeParam::scale;
    const auto trial = step(law, state, u);
    const double tolerance = 1e-5 * stiffness * 1e-12 * TypeParam::scale + 1e-15 * std::abs(rest);
    EXPECT_NEAR(trial.force - rest, stiffness * u, tolerance);
    EXPECT_NEAR(trial.stiffness, stiffness, 1e-5 * stiffness);
    const double energy = stiffness * std::pow(1e-12 * TypeParam::scale, 2);
    EXPECT_NEAR(law.dissipated_energy(state), 0.0, 1e-5 * energy);
  }
}

// 1e6 times the scale and back: finite, odd laws stay odd (1e-9: the state keeps deflections to eps 1e6), and the next
// motion within the scale starts from a clean tangent.
TYPED_TEST_P(LawSuite, LargeAmplitudesKeepTheirAccuracy) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  typename TestFixture::Law::State state;
  const double far = 1e6 * TypeParam::scale;
  const auto up = step(law, state, far);
  ASSERT_TRUE(std::isfinite(up.force));
  const auto down = step(law, state, -far);
  ASSERT_TRUE(std::isfinite(down.force));
  if (TypeParam::odd) {
    EXPECT_NEAR(down.force, -up.force, 1e-9 * std::abs(up.force));
  }
  const auto again = step(law, state, far);
  EXPECT_NEAR(again.force, up.force, 1e-9 * std::abs(up.force));
  EXPECT_TRUE(std::isfinite(law.stored_energy(state)));
  EXPECT_TRUE(std::isfinite(law.dissipated_energy(state)));
  EXPECT_GE(law.dissipated_energy(state), 0.0);
}

// A NaN deflection gives a NaN force, from rest and in the middle of a history, and the state is still good.
TYPED_TEST_P(LawSuite, NanInGivesNanOut) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  typename TestFixture::Law::State state;
  EXPECT_TRUE(std::isnan(look(law, state, nan).force));
  for (const double u : this->history(8)) {
    EXPECT_TRUE(std::isnan(look(law, state, nan).force)) << u;
    EXPECT_TRUE(std::isfinite(step(law, state, u).force));
  }
}

// is_odd: the forces of a mirrored history are the mirrored forces, and those of a law that is not odd are not.
TYPED_TEST_P(LawSuite, IsOddAsItSays) {
  using namespace microslip::law_suite;
  const auto law = this->law();
  const auto history = this->history(9);
  std::vector<double> mirrored;
  for (const double u : history) mirrored.push_back(-u);
  const auto there = forces(law, history), back = forces(law, mirrored);
  double difference = 0.0;
  for (std::size_t i = 0; i < there.size(); ++i) difference = std::max(difference, std::abs(there[i] + back[i]));
  if (law.is_odd()) {
    EXPECT_LE(difference, 1e-13 * largest(there));
  } else {
    EXPECT_GT(difference, 1e-3 * largest(there));
  }
}

// The law keeps its contract in double and in dual numbers, and what it says of its memory is what its forces show.
// Bounds: rounding of the sums that are compared.
TYPED_TEST_P(LawSuite, IsWhatItSays) {
  using namespace microslip;
  using namespace microslip::law_suite;
  using L = typename TestFixture::Law;
  static_assert(JointLaw<L>);
  static_assert(JointLaw<decltype(TypeParam::template make<Dual<2>>({}))>);
  const auto law = this->law();
  const auto history = this->history(10);
  const double unit = largest(forces(law, history));
  if constexpr (SpringLaw<L>) {
    const auto corners = law.corners();
    EXPECT_TRUE(std::is_sorted(corners.begin(), corners.end()));
    typename L::State state;
    for (const double u : history) {
      const double force = step(law, state, u).force;
      EXPECT_EQ(force, look(law, {}, u).force);
      const auto piece =
          static_cast<std::size_t>(std::lower_bound(corners.begin(), corners.end(), u) - corners.begin());
      if constexpr (L::straight_pieces) {
        EXPECT_NEAR(force, law.slope(piece) * u + law.offset(piece), 1e-14 * unit);
      }
      if (law.is_straight()) {
        EXPECT_NEAR(force, law.stuck_stiffness() * u, 1e-14 * unit);
      }
      if (law.degree() > 0 && corners.empty()) {  // the differences of that order vanish in the next
        double difference = 0.0, binomial = 1.0;
        for (int k = 0; k <= law.degree() + 1; ++k) {
          difference += (k % 2 == 0 ? binomial : -binomial) * look(law, {}, u + 0.1 * k * TypeParam::scale).force;
          binomial *= static_cast<double>(law.degree() + 1 - k) / (k + 1);
        }
        EXPECT_NEAR(difference, 0.0, 1e-11 * (unit + largest(forces(law, {u + TypeParam::scale}))));
      }
    }
    EXPECT_EQ(law.dissipated_energy(state), 0.0);
  }
  if constexpr (MasingLaw<L>) {
    for (const double u : history) {
      const double x = std::abs(u);
      EXPECT_NEAR(law.shape().at(x).force + law.residual() * x, law.backbone(x).force, 1e-14 * unit);
      EXPECT_NEAR(law.shape().at(x).slope + law.residual(), law.backbone(x).slope, 1e-14 * law.stuck_stiffness());
    }
    EXPECT_EQ(law.shape().yield(), law.max_slider_strength());
    EXPECT_EQ(law.residual(), law.slipped_stiffness());
    EXPECT_NEAR(law.shape().initial_slope() + law.residual(), law.stuck_stiffness(), 1e-14 * law.stuck_stiffness());
    EXPECT_NEAR(law.shape().at(2.0 * law.shape().yield()).slope, 0.0, 1e-14 * law.stuck_stiffness());
    const auto corners = law.shape().corners();
    EXPECT_TRUE(std::is_sorted(corners.begin(), corners.end()));
    for (const double corner : corners) EXPECT_LT(corner, law.shape().yield());
  }
  if constexpr (FadingLaw<L>) {
    const auto rest = look(law, {}, 0.0);
    EXPECT_NEAR(law.slipped_stiffness() + law.z_stiffness() * rest.slope, law.stuck_stiffness(),
                1e-14 * law.stuck_stiffness());
    typename L::State state;
    for (const double u : history) {  // where it is says all: a state of u and z alone goes on the same
      typename L::State bare{};
      bare.u = state.u;
      bare.z = state.z;
      EXPECT_EQ(look(law, bare, u).force, look(law, state, u).force);
      const auto trial = step(law, state, u);
      EXPECT_NEAR(trial.force, law.slipped_stiffness() * u + law.z_stiffness() * trial.z, 1e-14 * unit);
      EXPECT_NEAR(trial.stiffness, law.slipped_stiffness() + law.z_stiffness() * trial.slope,
                  1e-14 * law.stuck_stiffness());
      const double h = 1e-6 * TypeParam::scale;  // gain: half the difference over z, 1e-9 of rounding, kinks at z = 0
      auto more = bare, less = bare;
      more.z += h;
      less.z -= h;
      const double high = look(law, more, u).z, low = look(law, less, u).z;
      if (low * high > 0.0 && bare.z * more.z > 0.0 && bare.z * less.z > 0.0) {
        EXPECT_NEAR((high - low) / (2.0 * h), trial.gain, 1e-5);
      }
    }
  }
  if constexpr (SliderLaw<L>) {
    EXPECT_EQ(forces(law.template with_scalar<double>(), history), forces(law, history));
    EXPECT_GE(law.decay_reach(), 1.0);
    // F falls by `drop`, along the motion, where a slider begins to slip, and nowhere else by more than the tangent
    // says.
    typename L::State state{};
    for (const double u : history) step(law, state, u);
    std::vector<SlipOnset<double>> onsets;
    for (const int direction : {-1, 1}) {
      law.list_onsets(state, direction, onsets);
      std::sort(onsets.begin(), onsets.end(),
                [&](const auto& a, const auto& b) { return direction * (a.u - b.u) < 0.0; });
      const double h = 1e-9 * TypeParam::scale, most = 2.0 * h * 1.01 * law.stuck_stiffness();
      for (std::size_t i = 0; i < onsets.size(); ++i) {
        if (!(direction * (onsets[i].u - state.u) > 2.0 * h)) continue;
        double drop = 0.0;
        for (const auto& other : onsets) drop += std::abs(other.u - onsets[i].u) < h ? other.drop : 0.0;
        const double before = look(law, state, onsets[i].u - direction * h).force;
        const double after = look(law, state, onsets[i].u + direction * h).force;
        EXPECT_NEAR(direction * (before - after), drop, most);
      }
      // On a grid: falls beyond the tangent that are larger than `least` are those listed.
      constexpr int steps = 4000;
      const double du = 6.0 * TypeParam::scale / steps, least = 4.0 * du * law.stuck_stiffness();
      double listed = 0.0, listed_large = 0.0, found = 0.0;
      auto last = look(law, state, state.u + direction * du);
      for (const auto& onset : onsets) {
        const double way = direction * (onset.u - state.u);
        if (!(way > du && way < (steps + 1) * du)) continue;
        listed += onset.drop;
        listed_large += onset.drop > 2.0 * least ? onset.drop : 0.0;
      }
      for (int i = 1; i <= steps; ++i) {
        const auto next = look(law, state, state.u + direction * (i + 1) * du);
        const double fall = 0.5 * du * (last.stiffness + next.stiffness) - direction * (next.force - last.force);
        found += fall > least ? fall : 0.0;
        last = next;
      }
      EXPECT_GE(found, listed_large - least * static_cast<double>(onsets.size()));
      EXPECT_LE(found, listed + least * static_cast<double>(onsets.size()));
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(LawSuite, TangentIsTheDerivativeOfTheForce, DerivativesThroughTheHistory,
                            DiscardedTrialLeavesNoTrace, CommitKeepsTheForceOfTheTrial, SplittingAStepChangesNothing,
                            WorkIsStoredPlusDissipated, VirginCurveIsTheBackbone, SteadyCycleHasItsClosedForms,
                            TinyAmplitudesAreLinear, LargeAmplitudesKeepTheirAccuracy, NanInGivesNanOut, IsOddAsItSays,
                            IsWhatItSays);
