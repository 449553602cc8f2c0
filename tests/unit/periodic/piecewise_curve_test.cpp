// Curves of piecewise-linear orbits where events come and go: the map over a period, curves with stops through their
// folds and unstable branches, against motion from event to event.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/periodic/event_map.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "support/friction_systems.hpp"

namespace microslip {
namespace piecewise_curve_test {

constexpr double pi = std::numbers::pi;

struct StopCase {
  double rayleigh, fs, fk_low, k, gap, force, from, to;
};

/// Five masses, two dampers, a stop at the last mass.
System chain_with_a_stop(const StopCase& c, double absolute_damping = 0.0) {
  return System(testing::mass_chain(5, 1.0, 100.0, RayleighDamping{absolute_damping, c.rayleigh, true}),
                {Joint{"low", Coulomb<double>(c.fs, c.fk_low), testing::link(5, -1, 0)},
                 Joint{"high", Coulomb<double>(c.fs, c.fs), testing::link(5, 2, 3)},
                 Joint{"stop", Gap<double>(c.k, c.gap), testing::link(5, -1, 4)}});
}

// Derivatives by the state, the frequency and the level against differences: central ones are off by h^2, so that from
// h to h/2 their error falls to a quarter; the extrapolation of both is compared, off by h^4 and by rounding over h.
TEST(EventMap, Derivatives) {
  const System system = chain_with_a_stop({0.01, 0.3, 0.2, 30.0, 0.15, 1.0, 0.0, 0.0}, 0.05);
  Load loads[] = {testing::sine_force(5, 4, 1.0, 3.0),
                  {"base", Eigen::VectorXd::Ones(5), Signal(Sine{0.02, 3.0, 0.4}), true}};
  const PiecewiseModel model(system, loads);
  RegimeBook book(model);
  const PeriodicLoad load = model.periodic();
  EventMap map(book, load, Sweep::over_frequency(1.0), 3.0);
  // A state on the way of a motion: both dampers slide or stick, the stop is open.
  Eigen::VectorXd eta = Eigen::VectorXd::Zero(model.size());
  Eigen::VectorXd rate = eta;
  const double omega = 3.1;
  Excitation excitation(model, load, omega, 1.0);
  ContactMotion motion(book, excitation);
  ASSERT_TRUE(motion.start(0.0, eta, rate));
  const double start = 20.0;
  while (motion.until() < start) {
    ASSERT_TRUE(motion.find_end(start));
    if (motion.ends_with() < 0) break;
    ASSERT_TRUE(motion.pass());
  }
  FlowState state;
  motion.segment().state(start - motion.segment().start(), state);
  const MapPlace place{&motion.segment().regime(), start * omega};
  const Eigen::VectorXd x = map.pack(state);
  const double end = place.phase + 2.0 * pi;
  for (const Sweep& sweep : {Sweep::over_frequency(1.0), Sweep::over_levels(omega)}) {
    SCOPED_TRACE(sweep.name());
    EventMap along(book, load, sweep, 3.0);
    const double lambda = sweep.over_level ? 1.0 : omega;
    EventMap::Arrival at, plus, minus;
    ASSERT_TRUE(along.run(place, x, lambda, end, true, at)) << along.message();
    EXPECT_GE(at.events.size(), 6u);
    const double size = at.derivative.cwiseAbs().maxCoeff();
    for (Eigen::Index i = sweep.over_level ? x.size() : 0; i <= x.size(); ++i) {
      const auto difference = [&](double h) {
        const bool by_state = i < x.size();
        const Eigen::VectorXd step = by_state ? Eigen::VectorXd(h * Eigen::VectorXd::Unit(x.size(), i)) : 0.0 * x;
        const double change = by_state ? 0.0 : h;
        EXPECT_TRUE(along.run(place, x + step, lambda + change, end, false, plus));
        EXPECT_TRUE(along.run(place, x - step, lambda - change, end, false, minus));
        return Eigen::VectorXd((plus.x - minus.x) / (2.0 * h));
      };
      const double h = 2e-5;
      const Eigen::VectorXd extrapolated = (4.0 * difference(0.5 * h) - difference(h)) / 3.0;
      // Rounding: 1e-15 of states of size 1 over h, and the digits that events lose.
      EXPECT_LT((extrapolated - at.derivative.col(i)).norm(), 1e-8 * std::max(1.0, size)) << i;
    }
  }
}

// Curves through folds where arcs vanish and appear on unstable branches. Every point closes, by the arcs of its orbit,
// which the continuation does not use, to 1e-9; on the branches that are stable a run from event to event settles to
// the same amplitude (its samples miss the top by 1.3e-6, see piecewise_orbit_test); no point is far from the one
// before.
TEST(PiecewiseCurveSlow, StopsAndFriction) {
  const StopCase cases[] = {{0.01, 0.3, 0.3, 30.0, 0.15, 1.0, 2.0, 6.0},
                            {0.01, 0.1, 0.1, 50.0, 0.2, 0.6, 2.0, 6.0},
                            {0.02, 0.1, 0.1, 100.0, 0.2, 0.5, 2.4, 6.0},
                            {0.02, 0.3, 0.2, 30.0, 0.15, 1.0, 2.4, 5.0}};
  for (const StopCase& c : cases) {
    SCOPED_TRACE(c.k);
    const System system = chain_with_a_stop(c);
    const Load load = testing::sine_force(5, 4, c.force, 3.0);
    PiecewiseResponses responses(system, std::span(&load, 1), {{4}, 4});
    const FrequencyResponse curve = responses.answer(OverFrequency{.level = 1.0, .from = c.from, .to = c.to});
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    int folds = 0;
    for (const SpecialPoint& special : curve.special) folds += special.kind == SpecialKind::fold ? 1 : 0;
    EXPECT_EQ(folds % 2, 0) << "it enters on one side and leaves on the other";
    double lowest = c.to, highest = c.from;  // of the folds
    for (const SpecialPoint& special : curve.special) {
      if (special.kind != SpecialKind::fold) continue;
      lowest = std::min(lowest, special.point.orbit.omega);
      highest = std::max(highest, special.point.orbit.omega);
    }
    double largest = 0.0;
    for (const ResponsePoint& point : curve.points) largest = std::max(largest, point.amplitude[0]);
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const ResponsePoint& point = curve.points[i];
      EXPECT_LT(point.exact->error, 1e-9) << point.orbit.omega;
      if (i > 0) {
        const ResponsePoint& old = curve.points[i - 1];
        EXPECT_LT(std::abs(point.exact->peak_motion - old.exact->peak_motion), 0.35 * largest) << point.orbit.omega;
      }
    }
    // One motion below and above the folds: where a run from rest goes.
    for (const std::size_t i : {std::size_t{1}, curve.points.size() - 2}) {
      const ResponsePoint& point = curve.points[i];
      if (folds > 0 && point.orbit.omega > lowest && point.orbit.omega < highest) continue;
      ASSERT_TRUE(point.stable());
      const int periods = static_cast<int>(std::ceil(std::log(1e-9) / std::log(*point.multiplier))) + 50;
      const Load there = testing::sine_force(5, 4, c.force, point.orbit.omega);
      const auto events =
          testing::steady_events(system, std::span(&there, 1), point.orbit.omega, std::min(periods, 2000), 4);
      EXPECT_NEAR(point.amplitude[0], events.amplitude, 1.3e-6 * events.amplitude) << point.orbit.omega;
    }
  }
}

// An arc of sliding that vanishes like a square root: up and down the same curve. Between points the amplitude is
// compared by straight lines, off by the square of their distance.
TEST(PiecewiseCurve, UpAndDown) {
  const System system = testing::damped_building(3, 8.0);
  const Load base{"base", Eigen::VectorXd::Ones(5), Signal(Sine{0.005, 0.2, 0.0}), true};
  PiecewiseResponses responses(system, std::span(&base, 1), {{4}, 4});
  const FrequencyResponse up = responses.answer(OverFrequency{.level = 1.0, .from = 0.19, .to = 0.26});
  const FrequencyResponse down = responses.answer(OverFrequency{.level = 1.0, .from = 0.26, .to = 0.19});
  ASSERT_EQ(up.ending, Ending::completed) << up.message;
  ASSERT_EQ(down.ending, Ending::completed) << down.message;
  for (const ResponsePoint& point : up.points) {
    const FrequencyResponse there = responses.answer(AtFrequencies{.level = 1.0, .omegas = {point.orbit.omega}});
    ASSERT_EQ(there.points.size(), 1u) << there.message;
    EXPECT_NEAR(point.amplitude[0], there.points[0].amplitude[0], 1e-9 * point.amplitude[0]) << point.orbit.omega;
  }
}

// Static friction above kinetic: two motions at the same frequency meet at a fold just above the start. The curve comes
// back on the unstable branch to where it began, not on the one it came from. Then it goes on as a slow sweep does:
// beyond the fold, where the motion settles, to the end.
TEST(PiecewiseCurve, FoldOfTwoDampers) {
  const System system(testing::mass_chain(3, 1.0, 100.0, ModalDamping{{0.02}}),
                      {Joint{"d", Coulomb<double>(0.5, 0.3), testing::link(3, -1, 0)},
                       Joint{"e", Coulomb<double>(0.5, 0.3), testing::link(3, 1, 2)}});
  const Load load = testing::sine_force(3, 2, 2.0, 2.0);
  PiecewiseResponses responses(system, std::span(&load, 1), {{1}, 1});
  const FrequencyResponse curve = responses.answer(OverFrequency{.level = 1.0, .from = 2.0, .to = 2.1});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  const auto special = [&](SpecialKind kind) {
    return std::find_if(curve.special.begin(), curve.special.end(),
                        [&](const SpecialPoint& point) { return point.kind == kind; });
  };
  const auto fold = special(SpecialKind::fold);
  ASSERT_NE(fold, curve.special.end());
  const auto again = std::find_if(curve.points.begin() + 1, curve.points.end(),
                                  [](const ResponsePoint& point) { return point.orbit.omega == 2.0; });
  ASSERT_NE(again, curve.points.end());
  EXPECT_FALSE(again->stable());
  EXPECT_GT(again->amplitude[0], 1.01 * curve.points[0].amplitude[0]);
  const auto jump = special(SpecialKind::jump);
  ASSERT_NE(jump, curve.special.end());
  EXPECT_GT(jump->point.orbit.omega, fold->point.orbit.omega);
  EXPECT_NEAR(jump->point.orbit.omega, fold->point.orbit.omega,
              2e-4);  // a thousandth of the range, and how near points come
  EXPECT_EQ(curve.points.back().orbit.omega, 2.1);
  for (const ResponsePoint& point : curve.points) EXPECT_LT(point.exact->error, 1e-9);
  // The end is where events from rest settle (at the start there are several motions).
  const ResponsePoint& last = curve.points.back();
  const Load there = testing::sine_force(3, 2, 2.0, last.orbit.omega);
  const auto events = testing::steady_events(system, std::span(&there, 1), last.orbit.omega, 500, 1);
  EXPECT_NEAR(last.amplitude[0], events.amplitude, 1.3e-6 * events.amplitude);
}

// Over the level, a stop comes in above the free resonance: the curve folds twice, unstable in between. Every point
// closes by the arcs of its orbit, which the continuation does not use; the end is where a run from rest settles.
TEST(PiecewiseCurve, LevelsWithAStop) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {{-1, 0, 0.05}}, ModalDamping{}),
                      {Joint{"right", Gap<double>(2.0, 1.0), testing::link(1, -1, 0)},
                       Joint{"left", Gap<double>(2.0, 1.0), testing::link(1, 0, -1)}});
  const Load load = testing::sine_force(1, 0, 1.0, 1.0);
  PiecewiseResponses responses(system, std::span(&load, 1), {{0}, 0});
  const double omega = 1.4;
  const FrequencyResponse curve = responses.answer(OverLevel{.omega = omega, .from = 0.05, .to = 3.0});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  std::vector<double> folds;
  for (const SpecialPoint& special : curve.special) {
    if (special.kind == SpecialKind::fold) folds.push_back(special.point.orbit.level);
  }
  ASSERT_EQ(folds.size(), 2U);
  EXPECT_GT(folds[0], folds[1]);
  for (const ResponsePoint& point : curve.points) EXPECT_LT(point.exact->error, 1e-9) << point.orbit.level;
  // Unstable between the folds, stable on both sides.
  int unstable = 0;
  for (const ResponsePoint& point : curve.points) {
    if (point.unstable()) {
      ++unstable;
      EXPECT_GT(point.orbit.level, folds[1] - 1e-9);
      EXPECT_LT(point.orbit.level, folds[0] + 1e-9);
    }
  }
  EXPECT_GT(unstable, 2);
  // The stable ends: where events from rest settle.
  const Load last = testing::sine_force(1, 0, curve.points.back().orbit.level, omega);
  const auto events = testing::steady_events(system, std::span(&last, 1), omega, 400, 0);
  EXPECT_NEAR(curve.points.back().amplitude[0], events.amplitude, 1.3e-6 * events.amplitude);
}

}  // namespace piecewise_curve_test
}  // namespace microslip
