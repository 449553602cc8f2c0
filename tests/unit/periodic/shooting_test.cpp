// The period map with its derivatives, and shooting.

#include "microslip/periodic/shooting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/periodic/steady_vibration.hpp"
#include "microslip/transient/transient.hpp"
#include "support/by_shooting.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace shooting_test {

constexpr double pi = std::numbers::pi;

Joint joint(const char* name, Law law, int from, int to) {
  return {name, std::move(law), testing::between(3, from, to)};
}
Law iwan(double slip_force) {
  return Iwan4<double>(Iwan4Backbone<double>::from_physical(slip_force, 500.0, -0.5, 5.0));
}
System chain(std::vector<Joint> joints, Damping damping = ModalDamping{{0.01}}, std::vector<LumpedLink> dampers = {}) {
  return System(LinearStructure::lumped({2.0, 2.0, 2.0}, {}, {{-1, 0, 800.0}, {0, 1, 800.0}, {1, 2, 800.0}}, dampers,
                                        std::move(damping)),
                std::move(joints));
}
System iwan_chain() {
  return chain({joint("a", iwan(100.0), -1, 0), joint("b", iwan(100.0), 0, 1), joint("c", iwan(100.0), 1, 2)});
}
HarmonicLoad force() {
  HarmonicLoad load;
  load.force = Eigen::Vector3cd(1.0, 2.0, {-1.0, 0.3});
  return load;
}

/// Under a slow load the cubic spring makes the joints turn several times a period.
System with_minor_loops() {
  return chain({joint("a", iwan(3.0), -1, 0), joint("b", iwan(3.0), 0, 1),
                joint("c", Polynomial<double>({300.0, 0.0, 5e4}), 1, 2)},
               ModalDamping{{0.003}});
}

struct Case {
  const char* name;
  System system;
  HarmonicLoad load;
  double omega, level;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  list.push_back({"iwan, microslip", iwan_chain(), force(), 31.0, 2.0});
  list.push_back({"iwan, macroslip",
                  chain({joint("a", iwan(8.0), -1, 0), joint("b", iwan(4.0), 0, 1), joint("c", iwan(100.0), 1, 2)}),
                  force(), 30.0, 10.0});
  HarmonicLoad offset = force();
  offset.constant = Eigen::Vector3d(0.5, 1.0, 3.0);
  list.push_back({"iwan with a mean", iwan_chain(), offset, 12.0, 3.0});
  BoucWen<double>::Parameters bw;
  bw.k0 = 500.0, bw.alpha = 0.2, bw.beta = 30.0, bw.gamma = 15.0, bw.n = 1.4;
  list.push_back({"jenkins, bouc_wen, cubic",
                  chain({joint("a", Jenkins<double>(500.0, 6.0), -1, 0), joint("b", BoucWen<double>(bw), 0, 1),
                         joint("c", Polynomial<double>({300.0, 0.0, 5e4}), 1, 2)}),
                  force(), 28.0, 6.0});
  const auto distribution = Iwan4Backbone<>::from_distribution(800.0, 30.0, 0.1, -0.5);
  list.push_back({"iwan5", chain({joint("a", Iwan5<>(distribution, 0.6), -1, 0), joint("b", iwan(100.0), 0, 1)}),
                  force(), 24.0, 3.0});
  list.push_back({"minor loops", with_minor_loops(), force(), 4.0, 10.0});
  HarmonicLoad ground;
  ground.force = Eigen::Vector3cd(0.0, 0.2, 0.0);
  ground.ground = Eigen::Vector3cd(0.02, 0.02, 0.02);
  list.push_back(
      {"ground, rayleigh, dampers, gap",
       chain({joint("a", iwan(60.0), -1, 0), joint("b", Gap<double>(400.0, 0.002), 0, 1), joint("c", iwan(60.0), 1, 2)},
             RayleighDamping{0.2, 4e-4}, {{-1, 2, 0.4}, {0, 1, 0.3}}),
       ground, 25.0, 1.5});
  list.push_back(
      {"ground, absolute mass term",
       chain({joint("a", iwan(60.0), -1, 0), joint("c", iwan(60.0), 1, 2)}, RayleighDamping{0.2, 4e-4, true}), ground,
       25.0, 1.5});
  return list;
}

// Derivatives by central differences with steps of 1e-5: 1e-10 by the third derivative, 1e-9 by Newton's tolerance over
// the step. A periodic motion closes its loops at their very tips, where an unsymmetric map has a kink: a little more
// motion and they are closed before, a little less and not. The point of the test is a little beside.
TEST(PeriodMap, DerivativesAgreeWithDifferences) {
  for (Case& c : cases()) {
    SCOPED_TRACE(c.name);
    PeriodMap map(c.system, c.load, 96);
    PeriodState state = map.rest(), end, up, down;
    ASSERT_TRUE(settle(map, state, c.omega, c.level, 150)) << map.failure();
    state.d *= 1.001;
    PeriodDerivative derivative;
    ASSERT_TRUE(map.run(state, c.omega, c.level, end, &derivative)) << map.failure();
    ASSERT_TRUE(state.alike(end));
    const Eigen::VectorXd y = state.unknowns();
    const Eigen::Index modes = state.d.size();
    const auto is_rate = [&](Eigen::Index i) { return i >= modes && i < 2 * modes; };
    /// `size`: of what is changed, in lengths.
    const auto compare = [&](const Eigen::VectorXd& exact, double step, double size, const std::string& what) {
      ASSERT_TRUE(up.alike(end) && down.alike(end));
      const Eigen::VectorXd difference = (up.unknowns() - down.unknowns()) / (2.0 * step);
      for (Eigen::Index i = 0; i < exact.size(); ++i) {
        const double scale = (is_rate(i) ? c.omega : 1.0) * size;
        EXPECT_NEAR(exact(i), difference(i), 1e-6 * std::max(std::abs(exact(i)), scale)) << what << ", row " << i;
      }
    };
    for (Eigen::Index k = 0; k < y.size(); ++k) {
      const double step = 1e-5 * (k >= modes && k < 2 * modes ? state.v.norm() : state.d.norm());
      PeriodState moved = state;
      Eigen::VectorXd at = y;
      at(k) += step;
      moved.set_unknowns(at);
      ASSERT_TRUE(map.run(moved, c.omega, c.level, up));
      at(k) -= 2.0 * step;
      moved.set_unknowns(at);
      ASSERT_TRUE(map.run(moved, c.omega, c.level, down));
      compare(derivative.monodromy.col(k), step, is_rate(k) ? 1.0 / c.omega : 1.0, std::to_string(k));
    }
    const double d_omega = 1e-5 * c.omega, d_level = 1e-5 * c.level;
    ASSERT_TRUE(map.run(state, c.omega + d_omega, c.level, up));
    ASSERT_TRUE(map.run(state, c.omega - d_omega, c.level, down));
    compare(derivative.by_omega, d_omega, state.d.norm() / c.omega, "omega");
    ASSERT_TRUE(map.run(state, c.omega, c.level + d_level, up));
    ASSERT_TRUE(map.run(state, c.omega, c.level - d_level, down));
    compare(derivative.by_level, d_level, state.d.norm() / c.level, "level");
  }
}

// Steps of h leave h^2 of a multiplier, wherever in a step a joint turns: of the largest error of eight numbers of
// steps, 1/16 with four times as many; of first order, as where joints turn at nodes, 1/4. An eighth lies between.
TEST(PeriodMap, DisturbancesAreOfSecondOrder) {
  const auto distribution = Iwan4Backbone<double>::from_physical(0.5, 0.8, -0.4, 1.5);
  const struct {
    const char* name;
    Law law;
    double omega, level;
  } list[] = {{"iwan4", Iwan4<double>(distribution), 1.2, 0.1},
              {"iwan5", Iwan5<>(distribution, 1.0), 1.2, 0.1},
              {"bouc_wen", BoucWen<double>({0.8, 0.0, 1.0, 0.8, 0.4, 1.3}), 1.5, 0.3}};
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Ones(1);
  double of_iwan4 = 0.0;
  for (const auto& c : list) {
    SCOPED_TRACE(c.name);
    const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                        {{"j", c.law, testing::between(1, -1, 0)}});
    const auto multiplier = [&](int steps) {
      PeriodMap map(system, load, steps);
      PeriodState state = map.rest(), end;
      EXPECT_TRUE(settle(map, state, c.omega, c.level, 20));
      const ShootingSolution orbit = shoot(map, state, c.omega, c.level);
      EXPECT_TRUE(orbit.converged) << orbit.message;
      PeriodDerivative derivative;
      EXPECT_TRUE(map.run(orbit.state, c.omega, c.level, end, &derivative, nullptr, Turns::between_nodes));
      return std::abs(largest_multiplier(derivative.monodromy));
    };
    const double exact = multiplier(4096);
    const auto largest_error = [&](int about) {
      double largest = 0.0;
      for (int i = 0; i < 8; ++i) largest = std::max(largest, std::abs(multiplier(about + 2 * i) - exact));
      return largest;
    };
    EXPECT_LT(largest_error(384), largest_error(96) / 8.0);
    // With theta = 1 sliders are an iwan4.
    if (std::string_view(c.name) == "iwan4") of_iwan4 = exact;
    if (std::string_view(c.name) == "iwan5") {
      EXPECT_NEAR(exact, of_iwan4, 1e-6);
    }
  }
}

// A fixed point is what a simulation with the same step ends in, when the load grows so slowly that the joints never
// move further than in the end: 400 periods of growth, and 400 more of damping 0.01, e^-25.
TEST(Shooting, IsTheSteadyStateOfTheTransient) {
  const System system = iwan_chain();
  const double omega = 31.0, level = 2.0;
  const int steps = 128, periods = 400;
  const Eigen::Vector3d direction(1.0, 2.0, -1.0);
  HarmonicLoad load;
  load.force = std::complex<double>(0.0, -1.0) * direction.cast<std::complex<double>>();  // a sine
  PeriodMap map(system, load, steps);
  PeriodState start = map.rest();
  ASSERT_TRUE(settle(map, start, omega, level, 5));
  const ShootingSolution orbit = shoot(map, start, omega, level);
  ASSERT_TRUE(orbit.converged) << orbit.message;
  EXPECT_LT(orbit.iterations, 10);

  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.step = 2.0 * pi / omega / steps;
  options.duration = 2 * periods * steps * options.step;
  options.tolerance = 1e-9;
  const Load growing{"force", direction, Signal(RampedSine{0.0, level, periods * steps * options.step, omega}), false};
  NullSink sink;
  const TransientResult result = simulate(system, {&growing, 1}, {}, {}, sink, options);
  ASSERT_EQ(result.ending, Ending::completed);
  const Eigen::VectorXd q = system.stuck_modes().shapes * orbit.state.d,
                        v = system.stuck_modes().shapes * orbit.state.v;
  EXPECT_LT((result.q - q).norm(), 1e-9 * q.norm());
  EXPECT_LT((result.v - v).norm(), 1e-9 * v.norm());
}

// Several reversals a period, also by harmonic balance. Each states its error; both together are allowed twice.
TEST(ShootingSlow, MinorLoops) {
  const System system = with_minor_loops();
  const double omega = 4.0, level = 10.0;
  FrequencyResponseOptions options;
  options.tolerance = 1e-5;
  const ResponseRecord record{{0, 1, 2}, -1};
  const auto balance =
      steady_vibration(system, force(), AtFrequencies{.level = level, .omegas = {omega}}, record, options);
  const auto shooting = steady_vibration(system, force(), AtFrequencies{.level = level, .omegas = {omega}}, record,
                                         testing::by_shooting(options));
  ASSERT_EQ(balance.points.size(), 1U) << balance.message;
  ASSERT_EQ(shooting.points.size(), 1U) << shooting.message;
  const ResponsePoint &a = balance.points.front(), &b = shooting.points.front();
  const double largest = *std::max_element(a.amplitude.begin(), a.amplitude.end());
  const double error = a.errors.truncation + a.errors.quadrature + b.errors.quadrature;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(b.amplitude[i], a.amplitude[i], 2.0 * error * largest);
  PeriodMap map(system, force(), 1024);
  const ShootingSolution orbit = shoot(map, period_start(map, force(), a.orbit), omega, level);
  ASSERT_TRUE(orbit.converged) << orbit.message;
  EXPECT_GT(orbit.state.reversals[0].size(), 2U);
  EXPECT_GT(orbit.state.reversals[1].size(), 2U);
}

// Without joints the multipliers are exp(-zeta omega_r T +- i omega_r sqrt(1 - zeta^2) T).
TEST(Shooting, MultipliersOfALinearStructure) {
  const System system = chain({});
  const double omega = 9.0;
  PeriodMap map(system, force(), 16);
  const ShootingSolution orbit = shoot(map, map.rest(), omega, 1.0);
  ASSERT_TRUE(orbit.converged) << orbit.message;
  EXPECT_EQ(orbit.iterations, 2);
  const double lowest = system.stuck_modes().omega(0);
  EXPECT_NEAR(std::abs(largest_multiplier(orbit.derivative.monodromy)), std::exp(-0.01 * lowest * 2.0 * pi / omega),
              1e-12);
}

TEST(Shooting, RefusesWhatItDoesNotKnow) {
  const auto distribution = Iwan4Backbone<>::from_distribution(7e2, 9.0, 6e-2, -0.6);
  const System five = chain({joint("a", Iwan5Sliders<>(slider_grid(distribution, 20), 0.5), -1, 0)});
  EXPECT_THROW(PeriodMap(five, force(), 100), std::invalid_argument);
  EXPECT_THROW(PeriodMap(iwan_chain(), force(), 4), std::invalid_argument);
  Eigen::MatrixXd c = Eigen::MatrixXd::Identity(3, 3);
  c(0, 1) = c(1, 0) = 0.2;
  const System coupled = chain({joint("a", iwan(100.0), -1, 0)}, MatrixDamping{c});
  EXPECT_THROW(PeriodMap(coupled, force(), 100), std::invalid_argument);
}

}  // namespace shooting_test
}  // namespace microslip
