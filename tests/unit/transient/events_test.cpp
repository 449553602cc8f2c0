// Motion from event to event: closed forms, and other integrators on the same systems.

#include "microslip/transient/events.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <cmath>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "support/friction_systems.hpp"

namespace microslip {
namespace events_test {

constexpr double pi = std::numbers::pi;

EventsResult run(const System& system, std::span<const Load> loads, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                 double duration, double step, MemorySink& history, MemorySink& events, int modes = 0) {
  EventsOptions options;
  options.duration = duration;
  options.step = step;
  options.modes = modes;
  return simulate_events(system, loads, q, v, record_everything(system), history, events, options);
}

Eigen::VectorXd one(double value) {
  return Eigen::VectorXd::Constant(1, value);
}

// A body that slides on the ground: v0 - (fk/m) t, it stops after m v0/fk, m v0^2/(2 fk) further on, and stays.
TEST(Events, SlidingBodyStops) {
  const System system(LinearStructure::lumped({2.0}, {}, {}, {}, ModalDamping{}),
                      {Joint{"floor", Coulomb<double>(3.0, 2.0), testing::link(1, -1, 0)}});
  MemorySink history, events;
  const EventsResult result = run(system, {}, one(0.5), one(4.0), 10.0, 0.25, history, events);
  ASSERT_EQ(result.motion.ending, Ending::completed);
  ASSERT_EQ(events.rows(), 1u);
  EXPECT_NEAR(events.at(0, 0), 4.0, 1e-14);
  EXPECT_EQ(events.at(0, 3), 0.0);
  EXPECT_NEAR(result.motion.q(0), 0.5 + 8.0, 1e-13);
  EXPECT_EQ(result.motion.v(0), 0.0);
  EXPECT_NEAR(result.motion.energy.joints[0], 16.0, 1e-13);
  EXPECT_LT(result.motion.energy.error, 1e-14);
  // Row at t = 2: half of the speed.
  EXPECT_NEAR(history.column("v[1]")[8], 2.0, 1e-14);
  EXPECT_NEAR(history.column("q[1]")[8], 0.5 + 6.0, 1e-14);
  EXPECT_EQ(history.column("regime[floor]")[8], 1.0);
  EXPECT_EQ(history.column("regime[floor]").back(), 0.0);
}

// Free vibration on dry friction loses 2 fk/k of amplitude every half swing of pi/omega and stops within fs/k.
TEST(Events, CoulombDecay) {
  const double k = 100.0, fk = 1.0, fs = 1.5;
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, k}}, {}, ModalDamping{}),
                      {Joint{"floor", Coulomb<double>(fs, fk), testing::link(1, -1, 0)}});
  MemorySink history, events;
  const double start = 0.1234;
  const EventsResult result = run(system, {}, one(start), {}, 5.0, 0.01, history, events);
  double x = start;
  std::size_t swings = 0;
  while (std::abs(k * x) > fs) {
    x = -(x > 0.0 ? 1.0 : -1.0) * (std::abs(x) - 2.0 * fk / k);
    ++swings;
    ASSERT_LT(swings - 1, events.rows());
    EXPECT_NEAR(events.at(swings - 1, 0), static_cast<double>(swings) * pi / 10.0, 1e-13);
    EXPECT_NEAR(events.at(swings - 1, 4), x, 1e-14);
  }
  EXPECT_EQ(events.rows(), swings);
  EXPECT_EQ(events.at(swings - 1, 3), 0.0);
  EXPECT_NEAR(result.motion.q(0), x, 1e-14);
  EXPECT_LT(result.motion.energy.error, 1e-13);
}

// fs = fk: slip begins with neither speed nor acceleration. A mass at rest under a force that grows like a t: it moves
// from t0 = fs/a on, x = a (t - t0)^3/(6 m).
TEST(Events, SlipBeginsWithoutAJump) {
  const double fs = 2.0, growth = 0.5;
  const System system(LinearStructure::lumped({3.0}, {}, {}, {}, ModalDamping{}),
                      {Joint{"floor", Coulomb<double>(fs, fs), testing::link(1, -1, 0)}});
  const Load ramp{"ramp", one(1.0), Signal(TableSignal{{0.0, 20.0}, {0.0, 20.0 * growth}}), false};
  MemorySink history, events;
  const EventsResult result = run(system, std::span(&ramp, 1), {}, {}, 10.0, 1.0, history, events);
  ASSERT_EQ(result.motion.ending, Ending::completed);
  ASSERT_EQ(events.rows(), 1u);
  EXPECT_NEAR(events.at(0, 0), fs / growth, 1e-13);
  EXPECT_NEAR(result.motion.q(0), growth * std::pow(10.0 - fs / growth, 3) / 18.0, 1e-12);
}

// Two masses in a row on the floor, pushed at the first: while both are stuck the spring carries nothing. The second
// breaks loose when the spring holds fs: complementarity over both.
TEST(Events, TwoDampersAtRest) {
  const System system(LinearStructure::lumped({1.0, 1.0}, {}, {{0, 1, 10.0}}, {}, RayleighDamping{0.5, 0.0}),
                      {Joint{"a", Coulomb<double>(1.0, 1.0), testing::link(2, -1, 0)},
                       Joint{"b", Coulomb<double>(1.0, 0.5), testing::link(2, -1, 1)}});
  const Load push{"push", Eigen::Vector2d(1.0, 0.0), Signal(TableSignal{{0.0, 100.0}, {0.0, 1.0}}), false};
  MemorySink history, events;
  // The force grows to 1 in 100: nothing moves up to there.
  EventsResult result = run(system, std::span(&push, 1), {}, {}, 99.0, 1.0, history, events);
  EXPECT_EQ(result.events, 0);
  EXPECT_EQ(result.motion.q.norm(), 0.0);
  EXPECT_NEAR(history.column("f[a]").back(), 0.99, 1e-14);
  EXPECT_NEAR(history.column("f[b]").back(), 0.0, 1e-15);
  // A force of 3 at once: the first mass moves, the second when the spring is compressed by fs/k = 0.1.
  const Load step{"step", Eigen::Vector2d(1.0, 0.0), Signal(Constant{3.0}), false};
  MemorySink history2, events2;
  result = run(system, std::span(&step, 1), {}, {}, 1.0, 0.01, history2, events2);
  ASSERT_GE(events2.rows(), 1u);
  EXPECT_EQ(events2.at(0, 1), 2.0);
  EXPECT_EQ(events2.at(0, 3), 1.0);
  MemorySink none, few;
  const EventsResult before = run(system, std::span(&step, 1), {}, {}, events2.at(0, 0), events2.at(0, 0), none, few);
  EXPECT_NEAR(before.motion.q(0) - before.motion.q(1), 0.1, 1e-12);
  EXPECT_LT(result.motion.energy.error, 1e-12);
}

// Damping that no modes of a regime make diagonal (discrete dampers), a preloaded and an open stop: Newmark with the
// same laws converges to it with the square of its step.
TEST(Events, StopsAgainstNewmark) {
  const System system(
      LinearStructure::lumped({1.0, 2.0, 1.5}, {}, {{-1, 0, 40.0}, {0, 1, 60.0}, {1, 2, 30.0}},
                              {{0, 2, 0.3}, {-1, 1, 0.2}}, ModalDamping{{0.01}}),
      {Joint{"stop", Gap<double>(300.0, 0.05), testing::link(3, -1, 2)},
       Joint{"seat", Gap<double>(80.0, -0.02), testing::link(3, 0, 1)},
       Joint{"soft", PiecewiseLinearSpring<double>({-0.1, 0.0, 0.1}, {-1.0, 0.0, 3.0}), testing::link(3, -1, 0)}});
  const Load shake{"shake", Eigen::Vector3d(0.0, 1.0, 2.0), Signal(Sine{4.0, 5.0, 0.3}), false};
  const Load hit{"hit", Eigen::Vector3d(1.0, 0.0, 0.0), Signal(HalfSine{10.0, 0.7}), false};
  const Load loads[] = {shake, hit};
  const double duration = 4.0;
  MemorySink history, events;
  const EventsResult exact = run(system, loads, {}, {}, duration, 0.5, history, events);
  ASSERT_EQ(exact.motion.ending, Ending::completed);
  EXPECT_GT(exact.events, 10);
  EXPECT_LT(exact.motion.energy.error, 1e-11);
  double error[2];
  for (int i = 0; i < 2; ++i) {
    TransientOptions options;
    options.duration = duration;
    options.step = i == 0 ? 4e-4 : 2e-4;
    options.tolerance = 1e-12;
    NullSink nothing;
    const TransientResult newmark = simulate(system, loads, {}, {}, nothing, options);
    error[i] = (newmark.q - exact.motion.q).norm() / exact.motion.q.norm();
  }
  // Second order, up to what the corners between steps add to the constant.
  EXPECT_LT(error[0], 1e-3);
  EXPECT_LT(error[1], 0.35 * error[0]);
}

// A stiff Jenkins element is friction with compliance: its error falls with 1/kt. (Damping that does not count the
// joints: ratios of stuck modes would.)
TEST(EventsSlow, FrictionAgainstStiffJenkins) {
  const Eigen::MatrixXd a = testing::link(3, -1, 0), b = testing::link(3, 1, 2);
  const LinearStructure chain = testing::mass_chain(3, 1.0, 50.0, RayleighDamping{0.1, 0.002});
  const System rigid(chain, {Joint{"a", Coulomb<double>(1.0, 1.0), a}, Joint{"b", Coulomb<double>(0.7, 0.7), b}});
  const Load force = testing::sine_force(3, 2, 3.0, 3.0);
  MemorySink history, events;
  const EventsResult exact = run(rigid, std::span(&force, 1), {}, {}, 6.0, 0.5, history, events);
  ASSERT_GT(exact.events, 8);
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const double kt = i == 0 ? 3e3 : 3e4;
    const System soft(chain, {Joint{"a", Jenkins<double>(kt, 1.0), a}, Joint{"b", Jenkins<double>(kt, 0.7), b}});
    TransientOptions options;
    options.duration = 6.0;
    options.step = 2e-5;
    options.tolerance = 1e-10;
    NullSink nothing;
    const TransientResult jenkins = simulate(soft, std::span(&force, 1), {}, {}, nothing, options);
    error[i] = (jenkins.q - exact.motion.q).norm() / exact.motion.q.norm();
  }
  EXPECT_LT(error[0], 0.02);  // compliance fs/kt = 3e-4 beside displacements of some 0.1
  // A stuck mass rings on kt with the force of the jump in acceleration and may break loose half a ring early:
  // 1/sqrt(kt).
  EXPECT_LT(error[1], 0.4 * error[0]);
}

// An Iwan element tends to rigid friction as K_T grows. As in FrictionAgainstStiffJenkins the stuck mass rings on it
// and breaks loose early or late by half a ring, pi sqrt(m/K_T), at each onset; the motion is then off by that times
// its velocity. A wrong force of the joint would not fall with 1/sqrt(K_T).
TEST(Events, StiffIwanElementsTendToFriction) {
  const LinearStructure body = LinearStructure::lumped({2.0}, {}, {{-1, 0, 100.0}}, {}, RayleighDamping{1.0, 0.0});
  const Eigen::MatrixXd ground = testing::link(1, -1, 0);
  const Load force = testing::sine_force(1, 0, 20.0, 11.3);
  MemorySink exact, events;
  run(System(body, {Joint{"f", Coulomb<double>(10.0, 10.0), ground}}), std::span(&force, 1), {}, {}, 3.0, 1e-2, exact,
      events);
  const auto rigid = exact.column("q[1]"), velocity = exact.column("v[1]");
  double fastest = 0.0;
  for (const double v : velocity) fastest = std::max(fastest, std::abs(v));
  for (const double kt : {1e4, 1e5, 1e6, 1e7}) {
    const auto backbone = Iwan4Backbone<double>::from_physical(10.0, kt, -0.5, 0.7);
    const System system(body, {Joint{"f", Iwan4<double>(backbone), ground}});
    TransientOptions options;
    options.duration = 3.0;
    options.step = 1e-4;
    MemorySink history;
    const auto record = Record{{0}, {0}, 100};
    const auto result = simulate(system, std::span(&force, 1), {}, record, history, options);
    ASSERT_EQ(result.ending, Ending::completed) << result.message;
    const auto q = history.column("q[1]");
    double largest = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) largest = std::max(largest, std::abs(q[i] - rigid[i]));
    EXPECT_LT(largest, fastest * pi * std::sqrt(2.0 / kt)) << kt;
  }
}

// Relative to a ground that moves: u counts from the ground, q does not.
TEST(Events, MovingGround) {
  const System system = testing::damped_building(1, 5.0);
  const Load base{"base", Eigen::VectorXd::Ones(5), Signal(Sine{0.005, 0.2, 0.0}), true};
  MemorySink history, events;
  const EventsResult result = run(system, std::span(&base, 1), {}, {}, 100.0, 0.5, history, events);
  ASSERT_EQ(result.motion.ending, Ending::completed);
  EXPECT_GT(result.events, 4);
  const auto t = history.column("time"), q = history.column("q[1]"), u = history.column("u[damper]"),
             a = history.column("a[1]"), q2 = history.column("q[2]"), v = history.column("v[1]"),
             v2 = history.column("v[2]"), f = history.column("f[damper]");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double g = 0.005 * std::sin(0.2 * t[i]);
    const double rate = 0.001 * std::cos(0.2 * t[i]);
    EXPECT_NEAR(u[i], q[i] - g, 1e-15);
    // Newton's law of the first mass, C = 0.01 K.
    const double springs = 3000.0 * (q[i] - g) + 3000.0 * (q[i] - q2[i]);
    const double dashpots = 30.0 * (v[i] - rate) + 30.0 * (v[i] - v2[i]);
    EXPECT_NEAR(5000.0 * a[i] + springs + dashpots + f[i], 0.0, 1e-9);
  }
  EXPECT_LT(result.motion.energy.error, 1e-11);
}

// All modes kept one by one and all at once are the same; fewer modes with their residual shapes stay close.
TEST(Events, Truncation) {
  const System system = testing::friction_chain(12);
  const Load force = testing::sine_force(12, 11, 1.0, 8.0);
  MemorySink h1, e1, h2, e2, h3, e3;
  const auto all = run(system, std::span(&force, 1), {}, {}, 3.0, 0.1, h1, e1);
  const auto twelve = run(system, std::span(&force, 1), {}, {}, 3.0, 0.1, h2, e2, 12);
  EXPECT_EQ(all.motion.q, twelve.motion.q);
  const auto six = run(system, std::span(&force, 1), {}, {}, 3.0, 0.1, h3, e3, 6);
  EXPECT_LT((six.motion.q - all.motion.q).norm(), 0.02 * all.motion.q.norm());
  EXPECT_LT(six.motion.energy.error, 1e-11);
}

// Undamped and driven at its own frequency: amplitude f t/(2 m omega).
TEST(Events, UndampedResonance) {
  const System system(LinearStructure::lumped({2.0}, {}, {{-1, 0, 18.0}}, {}, ModalDamping{}),
                      {Joint{"far", Gap<double>(1.0, 1e6), testing::link(1, -1, 0)}});
  const Load force = testing::sine_force(1, 0, 1.0, 3.0);
  MemorySink history, events;
  const EventsResult result = run(system, std::span(&force, 1), {}, {}, 20.0, 0.5, history, events);
  const auto t = history.column("time"), q = history.column("q[1]");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double expected = (std::sin(3.0 * t[i]) / 3.0 - t[i] * std::cos(3.0 * t[i])) / (2.0 * 2.0 * 3.0);
    EXPECT_NEAR(q[i], expected, 1e-12);
  }
  EXPECT_LT(result.motion.energy.error, 1e-12);
}

// Two masses whose four eigenvalues are two equal pairs with one eigenvector each. Of
//   (s^2 + (p+d) s + a+e)(s^2 + (p-d) s + a-e) - kappa^2 = (s^2 + p s + a - d^2/2)^2
// with e = p d/2, kappa^2 = a d^2 - d^4/4 - p^2 d^2/4. Against the exponential of the matrix by scaling and squaring.
// The eigenvectors are parted by a change of the damping of some 1e-10 (eps^(2/3) to eps^(3/5)), which free motion of
// t = 1/damping shows at most as such; 1e-9 leaves a factor for the size of the motion.
TEST(Events, DefectivePairsOfEigenvalues) {
  struct Case {
    double p, d;
  };
  for (const Case c : {Case{0.5, 0.5}, Case{std::sqrt(14.5), 1.0}}) {  // oscillating; overdamped
    const double a = 4.0;
    const double e = 0.5 * c.p * c.d;
    const double kappa = c.d * std::sqrt(a - 0.25 * c.d * c.d - 0.25 * c.p * c.p);
    const System system(
        LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, a + e - kappa}, {-1, 1, a - e - kappa}, {0, 1, kappa}},
                                {{-1, 0, c.p + c.d}, {-1, 1, c.p - c.d}}, ModalDamping{}),
        {Joint{"far", Gap<double>(1.0, 1e3), testing::link(2, -1, 0)}});
    Eigen::Matrix4d state = Eigen::Matrix4d::Zero();
    state.topRightCorner<2, 2>().setIdentity();
    state.bottomLeftCorner<2, 2>() << -(a + e), kappa, kappa, -(a - e);
    state.bottomRightCorner<2, 2>().diagonal() << -(c.p + c.d), -(c.p - c.d);
    const Eigen::Vector4d start(1.0, -0.5, 0.3, 2.0);
    MemorySink history, events;
    const EventsResult result = run(system, {}, start.head(2), start.tail(2), 4.0, 0.5, history, events);
    ASSERT_EQ(result.motion.ending, Ending::completed);
    for (std::size_t i = 0; i < history.rows(); ++i) {
      const Eigen::Vector4d expected = Eigen::Matrix4d(state * history.column("time")[i]).exp() * start;
      EXPECT_NEAR(history.column("q[1]")[i], expected(0), 1e-9);
      EXPECT_NEAR(history.column("q[2]")[i], expected(1), 1e-9);
      EXPECT_NEAR(history.column("v[1]")[i], expected(2), 1e-9);
      EXPECT_NEAR(history.column("v[2]")[i], expected(3), 1e-9);
    }
    EXPECT_LT(result.motion.energy.error, 1e-9);
  }
}

// A polynomial of k1 alone is a straight line like any other.
TEST(Events, StraightPolynomial) {
  const auto last = [](const Law& spring) {
    const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 40.0}}, {}, ModalDamping{}),
                        {Joint{"floor", Coulomb<double>(1.5, 1.0), testing::link(1, -1, 0)},
                         Joint{"spring", spring, testing::link(1, -1, 0)}});
    MemorySink history, events;
    return run(system, {}, one(0.1234), {}, 5.0, 0.01, history, events).motion.q(0);
  };
  EXPECT_NEAR(last(Polynomial<double>({60.0})), last(Linear<double>(60.0)), 1e-15);
}

TEST(Events, Refusals) {
  MemorySink history, events;
  const System smooth(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{}),
                      {Joint{"j", Jenkins<double>(1.0, 1.0), testing::link(1, -1, 0)}});
  EXPECT_THROW(static_cast<void>(run(smooth, {}, {}, {}, 1.0, 0.1, history, events)), std::invalid_argument);
  const System twice(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{}),
                     {Joint{"a", Coulomb<double>(1.0, 1.0), testing::link(1, -1, 0)},
                      Joint{"b", Coulomb<double>(1.0, 1.0), testing::link(1, -1, 0)}});
  EXPECT_THROW(static_cast<void>(run(twice, {}, {}, {}, 1.0, 0.1, history, events)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(run(testing::one_mass(), {}, {}, {}, 0.0, 0.1, history, events)),
               std::invalid_argument);
}

}  // namespace events_test
}  // namespace microslip
