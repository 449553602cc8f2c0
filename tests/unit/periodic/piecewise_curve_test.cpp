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
namespace {

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

// Derivatives by the state and by the frequency against differences: central ones are off by h^2, so that from h to h/2
// their error falls to a quarter; the extrapolation of both is compared, off by h^4 and by rounding over h.
TEST(EventMap, Derivatives) {
  const System system = chain_with_a_stop({0.01, 0.3, 0.2, 30.0, 0.15, 1.0, 0.0, 0.0}, 0.05);
  Load loads[] = {testing::sine_force(5, 4, 1.0, 3.0),
                  {"base", Eigen::VectorXd::Ones(5), Signal(Sine{0.02, 3.0, 0.4}), true}};
  const PiecewiseModel model(system, loads);
  RegimeBook book(model);
  const PeriodicLoad load = model.periodic();
  EventMap map(book, load, 1.0, 3.0);
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
  EventMap::Arrival at, plus, minus;
  const double end = place.phase + 2.0 * pi;
  ASSERT_TRUE(map.run(place, x, omega, end, true, at)) << map.message();
  EXPECT_GE(at.events.size(), 6u);
  const double size = at.derivative.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i <= x.size(); ++i) {
    const auto difference = [&](double h) {
      Eigen::VectorXd up = x, down = x;
      double w_up = omega, w_down = omega;
      if (i < x.size()) {
        up(i) += h;
        down(i) -= h;
      } else {
        w_up += h;
        w_down -= h;
      }
      EXPECT_TRUE(map.run(place, up, w_up, end, false, plus));
      EXPECT_TRUE(map.run(place, down, w_down, end, false, minus));
      return Eigen::VectorXd((plus.x - minus.x) / (2.0 * h));
    };
    const double h = 2e-5;
    const Eigen::VectorXd extrapolated = (4.0 * difference(0.5 * h) - difference(h)) / 3.0;
    // Rounding: 1e-15 of states of size 1 over h, and the digits that events lose.
    EXPECT_LT((extrapolated - at.derivative.col(i)).norm(), 1e-8 * std::max(1.0, size)) << i;
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
    const PiecewiseResponse curve = responses.curve(1.0, c.from, c.to);
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    int folds = 0;
    for (const PiecewiseSpecial& special : curve.special) folds += special.kind == SpecialKind::fold ? 1 : 0;
    EXPECT_EQ(folds % 2, 0) << "it enters on one side and leaves on the other";
    double lowest = c.to, highest = c.from;  // of the folds
    for (const PiecewiseSpecial& special : curve.special) {
      if (special.kind != SpecialKind::fold) continue;
      lowest = std::min(lowest, special.point.omega);
      highest = std::max(highest, special.point.omega);
    }
    double largest = 0.0;
    for (const PiecewisePoint& point : curve.points) largest = std::max(largest, point.amplitude[0]);
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const PiecewisePoint& point = curve.points[i];
      EXPECT_LT(point.error, 1e-9) << point.omega;
      if (i > 0) {
        const PiecewisePoint& old = curve.points[i - 1];
        EXPECT_LT(std::abs(point.peak_motion - old.peak_motion), 0.35 * largest) << point.omega;
      }
    }
    // One motion below and above the folds: where a run from rest goes.
    for (const std::size_t i : {std::size_t{1}, curve.points.size() - 2}) {
      const PiecewisePoint& point = curve.points[i];
      if (folds > 0 && point.omega > lowest && point.omega < highest) continue;
      ASSERT_TRUE(point.stable());
      const int periods = static_cast<int>(std::ceil(std::log(1e-9) / std::log(*point.multiplier))) + 50;
      const Load there = testing::sine_force(5, 4, c.force, point.omega);
      const auto events = testing::steady_events(system, std::span(&there, 1), point.omega, std::min(periods, 2000), 4);
      EXPECT_NEAR(point.amplitude[0], events.amplitude, 1.3e-6 * events.amplitude) << point.omega;
    }
  }
}

// An arc of sliding that vanishes like a square root: up and down the same curve. Between points the amplitude is
// compared by straight lines, off by the square of their distance.
TEST(PiecewiseCurve, UpAndDown) {
  const System system = testing::damped_building(3, 8.0);
  const Load base{"base", Eigen::VectorXd::Ones(5), Signal(Sine{0.005, 0.2, 0.0}), true};
  PiecewiseResponses responses(system, std::span(&base, 1), {{4}, 4});
  const PiecewiseResponse up = responses.curve(1.0, 0.19, 0.26);
  const PiecewiseResponse down = responses.curve(1.0, 0.26, 0.19);
  ASSERT_EQ(up.ending, Ending::completed) << up.message;
  ASSERT_EQ(down.ending, Ending::completed) << down.message;
  for (const PiecewisePoint& point : up.points) {
    const double one[] = {point.omega};
    const PiecewiseResponse there = responses.at(1.0, one);
    ASSERT_EQ(there.points.size(), 1u) << there.message;
    EXPECT_NEAR(point.amplitude[0], there.points[0].amplitude[0], 1e-9 * point.amplitude[0]) << point.omega;
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
  const PiecewiseResponse curve = responses.curve(1.0, 2.0, 2.1);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  const auto special = [&](SpecialKind kind) {
    return std::find_if(curve.special.begin(), curve.special.end(),
                        [&](const PiecewiseSpecial& point) { return point.kind == kind; });
  };
  const auto fold = special(SpecialKind::fold);
  ASSERT_NE(fold, curve.special.end());
  const auto again = std::find_if(curve.points.begin() + 1, curve.points.end(),
                                  [](const PiecewisePoint& point) { return point.omega == 2.0; });
  ASSERT_NE(again, curve.points.end());
  EXPECT_FALSE(again->stable());
  EXPECT_GT(again->amplitude[0], 1.01 * curve.points[0].amplitude[0]);
  const auto jump = special(SpecialKind::jump);
  ASSERT_NE(jump, curve.special.end());
  EXPECT_GT(jump->point.omega, fold->point.omega);
  EXPECT_NEAR(jump->point.omega, fold->point.omega, 2e-4);  // a thousandth of the range, and how near points come
  EXPECT_EQ(curve.points.back().omega, 2.1);
  for (const PiecewisePoint& point : curve.points) EXPECT_LT(point.error, 1e-9);
  // The end is where events from rest settle (at the start there are several motions).
  const PiecewisePoint& last = curve.points.back();
  const Load there = testing::sine_force(3, 2, 2.0, last.omega);
  const auto events = testing::steady_events(system, std::span(&there, 1), last.omega, 500, 1);
  EXPECT_NEAR(last.amplitude[0], events.amplitude, 1.3e-6 * events.amplitude);
}

}  // namespace
}  // namespace microslip
