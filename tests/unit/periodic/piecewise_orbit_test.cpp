// Exact orbits of piecewise-linear systems: against motion from event to event, and their derivatives.

#include "microslip/periodic/piecewise_orbit.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/phase_equations.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "support/friction_systems.hpp"

namespace microslip {
namespace piecewise_orbit_test {

constexpr double pi = std::numbers::pi;

System two_dampers() {
  return System(testing::mass_chain(5, 1.0, 100.0, RayleighDamping{0.0, 0.01}),
                {Joint{"a", Coulomb<double>(2.0, 1.5), testing::link(5, -1, 0)},
                 Joint{"b", Coulomb<double>(3.0, 2.0), testing::link(5, 2, 3)}});
}

/// Modal damping: no modes of a regime with stuck dampers make it diagonal.
System three_dampers() {
  return System(testing::mass_chain(5, 1.0, 100.0, ModalDamping{{0.01}}),
                {Joint{"a", Coulomb<double>(2.0, 1.5), testing::link(5, -1, 0)},
                 Joint{"b", Coulomb<double>(3.0, 2.0), testing::link(5, 2, 3)},
                 Joint{"c", Coulomb<double>(1.0, 1.0), testing::link(5, -1, 4)}});
}

System damper_and_stop() {
  return System(testing::mass_chain(5, 1.0, 100.0, ModalDamping{{0.02}}),
                {Joint{"a", Coulomb<double>(2.0, 1.5), testing::link(5, -1, 0)},
                 Joint{"stop", Gap<double>(200.0, 0.3), testing::link(5, -1, 4)}});
}

ResponsePoint point_at(const System& system, const Load& load, double omega, int dof, int periods = 1) {
  FrequencyResponseOptions options;
  options.periods = periods;
  PiecewiseResponses responses(system, std::span(&load, 1), {{dof}, dof}, options);
  FrequencyResponse response = responses.answer(AtFrequencies{.level = 1.0, .omegas = {omega}});
  EXPECT_EQ(response.ending, Ending::completed) << response.message;
  if (response.points.empty()) throw std::runtime_error(response.message);
  return response.points.front();
}

/// The orbit against `settle` periods from rest. A disturbance dies out with the multiplier each period; samples of the
/// last period, 20000 of them, miss a top of curvature A omega_top^2 by (pi/20000)^2/2 A of the load's frequency, more
/// for higher harmonics: 100 times this is allowed.
void expect_same_motion(const System& system, const Load& load, double omega, int dof, int settle = 1500) {
  SCOPED_TRACE(omega);
  const ResponsePoint point = point_at(system, load, omega, dof);
  ASSERT_LT(*point.multiplier, 0.98);
  const testing::SteadyEvents events = testing::steady_events(system, std::span(&load, 1), omega, settle, dof);
  EXPECT_EQ(point.exact->events, events.events);
  EXPECT_NEAR(point.amplitude[0], events.amplitude, 1.3e-6 * events.amplitude);
  EXPECT_LT(events.energy_error, 1e-10);
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    EXPECT_NEAR(point.dissipation[j], events.energy[j], 1e-8 * (1e-3 + events.energy[j]));
    if (!is_rigid_friction(system.joints()[j].law)) continue;
    EXPECT_NEAR(point.exact->stick_fraction[j] * 2.0 * pi / omega, events.stuck_time[j], 1e-8 * 2.0 * pi / omega);
  }
}

Load pull(double omega) {
  return testing::sine_force(5, 4, 10.0, omega);
}

TEST(PiecewiseOrbitSlow, TwoDampers) {
  for (const double omega : {1.0, 2.0, 2.846, 4.0, 6.0, 8.3}) expect_same_motion(two_dampers(), pull(omega), omega, 4);
}

TEST(PiecewiseOrbitSlow, ThreeDampers) {
  for (const double omega : {2.0, 4.0, 6.0, 10.0}) expect_same_motion(three_dampers(), pull(omega), omega, 4);
}

TEST(PiecewiseOrbitSlow, DamperAndStop) {
  for (const double omega : {1.0, 2.0, 2.5, 3.2, 4.0}) expect_same_motion(damper_and_stop(), pull(omega), omega, 4);
}

// An oscillating normal load sticks on one side only: the paper's cases 3 and 4.
TEST(PiecewiseOrbit, OneSidedSticking) {
  for (const auto& [omega, number] : {std::pair{5.0, 3}, std::pair{9.0, 4}}) {
    const System system = testing::one_mass(Signal(Fourier{omega, 9.5, {4.0}, {5.0}}));
    const Load load = testing::sine_force(1, 0, 4.0, omega);
    const ResponsePoint point = point_at(system, load, omega, 0);
    EXPECT_EQ(point.exact->cases[0], number);
    const testing::SteadyEvents events = testing::steady_events(system, std::span(&load, 1), omega, 100, 0);
    EXPECT_NEAR(point.amplitude[0], events.amplitude, 1.3e-6 * events.amplitude);
    EXPECT_NEAR(point.dissipation[0], events.energy[0], 1e-10 * events.energy[0]);
    EXPECT_NEAR(point.exact->stick_fraction[0] * 2.0 * pi / omega, events.stuck_time[0], 1e-10);
  }
}

// A third harmonic in the force: it slides, sticks and slides on in the same direction.
TEST(PiecewiseOrbit, SlideStickSlideInOneDirection) {
  const Fourier series{1.0, 0.0, {}, {4.0, 0.0, 3.0}};
  const Load load{"series", Eigen::VectorXd::Ones(1), Signal(series), false};
  const System system = testing::one_mass();
  const ResponsePoint point = point_at(system, load, 1.0, 0);
  EXPECT_EQ(point.exact->cases[0], 0);
  const testing::SteadyEvents events = testing::steady_events(system, std::span(&load, 1), 1.0, 60, 0);
  EXPECT_EQ(point.exact->events, events.events);
  EXPECT_GT(point.exact->events, 4);
  EXPECT_NEAR(point.dissipation[0], events.energy[0], 1e-10 * events.energy[0]);
  EXPECT_NEAR(point.exact->stick_fraction[0] * 2.0 * pi, events.stuck_time[0], 1e-9);
}

// Motions of two and three periods of the load: refused with their number, found when asked for.
TEST(PiecewiseOrbit, SeveralPeriods) {
  for (const auto& [omega, periods] : {std::pair{12.0, 2}, std::pair{3.0, 3}}) {
    const System system = testing::one_mass(Signal(Fourier{omega, 9.5, {4.0}, {5.0}}));
    const Load load = testing::sine_force(1, 0, 4.0, omega);
    PiecewiseResponses once(system, std::span(&load, 1), {{0}, 0}, {});
    const FrequencyResponse refused = once.answer(AtFrequencies{.level = 1.0, .omegas = {omega}});
    EXPECT_EQ(refused.ending, Ending::no_convergence);
    EXPECT_NE(refused.message.find("period = " + std::to_string(periods)), std::string::npos) << refused.message;
    const ResponsePoint point = point_at(system, load, omega, 0, periods);
    const testing::SteadyEvents events =
        testing::steady_events(system, std::span(&load, 1), omega, 60 * periods, 0, periods);
    EXPECT_EQ(point.exact->events, events.events);
    EXPECT_NEAR(point.amplitude[0], events.amplitude, 1e-5 * events.amplitude);
    EXPECT_NEAR(point.dissipation[0] * periods, events.energy[0], 1e-9 * events.energy[0]);
  }
}

// A free mass held by friction only (Den Hartog's case without a spring): force F sin(omega t), friction f < 2F/pi.
// Sliding all the time, x'' = F/m sin - f/m sign(x'): by symmetry sin(phase of the reversal) = pi f/(2F).
TEST(PiecewiseOrbit, FreeMass) {
  const double f = 1.0, force = 4.0, omega = 3.0;
  const System system(LinearStructure::lumped({1.0}, {}, {}, {}, ModalDamping{}),
                      {Joint{"floor", Coulomb<double>(f, f), testing::link(1, -1, 0)}});
  const Load load = testing::sine_force(1, 0, force, omega);
  const ResponsePoint point = point_at(system, load, omega, 0);
  // From x'(t0) = 0, sign +: x' = -(F/omega)(cos(omega t) - cos(a)) - f (t - t0) = 0 at half a period:
  // 2 (F/omega) cos(a) = f pi/omega, and the travel is the integral of x' over it.
  const double a = std::acos(pi * f / (2.0 * force));
  const double travel = (force * (2.0 * std::sin(a) + pi * std::cos(a)) - 0.5 * f * pi * pi) / (omega * omega);
  EXPECT_NEAR(2.0 * point.amplitude[0], travel, 1e-12);
  EXPECT_NEAR(point.dissipation[0], 2.0 * f * travel, 1e-12);
  EXPECT_EQ(point.exact->stick_fraction[0], 0.0);
}

/// Den Hartog (1931): the amplitude of testing::one_mass() while it slides without stops, viscous damping included
/// (derived by the two-arc solution of one half period with x(T/2) = -x(0), x'(0) = 0).
double sliding_amplitude(double force, double omega) {
  const double m = 1.0, c = 1.0, k = 50.0, fk = 1.9;
  const double decay = c / (2.0 * m), damped = std::sqrt(k / m - decay * decay);
  // Downwards from the top at t = 0: x = G cos(omega t + p) + fk/k + e^{-d t}(A cos + B sin), x(0) = X, x'(0) = 0,
  // x(T/2) = -X, x'(T/2) = 0. With y = x - fk/k - G cos(..): y(0) = X - fk/k - G cos p, y'(0) = G omega sin p,
  // y(T/2) = -X - fk/k + G cos p, y'(T/2) = -G omega sin p: two equations for X and p, linear in (X, G cos p, G sin p).
  const double h = pi / omega;
  const double e = std::exp(-decay * h), cs = std::cos(damped * h), sn = std::sin(damped * h) / damped;
  const double e11 = e * (cs + decay * sn), e12 = e * sn, e21 = -e * sn * k / m, e22 = e * (cs - decay * sn);
  // y1 = e11 y0 + e12 v0, v1 = e21 y0 + e22 v0 with y0 = s - r, v0 = w, y1 = -s - r, v1 = -w; s = X - G cos p, r =
  // fk/k. -s - r = e11 (s - r) + e12 w,  -w = e21 (s - r) + e22 w.
  Eigen::Matrix2d matrix;
  matrix << 1.0 + e11, e12, e21, 1.0 + e22;
  const Eigen::Vector2d right(fk / k * (e11 - 1.0), fk / k * e21);
  const Eigen::Vector2d sw = LuFactors<double>(matrix).solve(Eigen::VectorXd(right));
  const double g = force / std::hypot(k - m * omega * omega, c * omega);
  return sw(0) + std::sqrt(g * g - sw(1) * sw(1) / (omega * omega));
}

TEST(PiecewiseOrbit, PureSlidingInClosedForm) {
  constexpr double force = 4.0;
  // The second is the peak of the curve (AltamiranoFrame.OneMassCurve).
  for (const auto& [omega, amplitude] : {std::pair{8.0, 0.130575543}, {6.937059, 0.226403561}}) {
    const double expected = sliding_amplitude(force, omega);
    EXPECT_NEAR(expected, amplitude, 0.5e-9);
    const ResponsePoint point = point_at(testing::one_mass(), testing::sine_force(1, 0, force, omega), omega, 0);
    EXPECT_NEAR(point.amplitude[0], expected, 1e-13);
    EXPECT_EQ(point.exact->cases[0], 1);
  }
}

// Over the level, up and down: the closed form where the mass slides all around, the single motion at the same level
// where it sticks in between, each to what the phases are exact to. On the way up it moves from the load on that breaks
// it loose.
TEST(PiecewiseOrbit, LevelsOfOneMass) {
  const System system = testing::one_mass();
  const Load load = testing::sine_force(1, 0, 1.0, 8.0);
  for (const auto& [from, to] : {std::pair{3.0, 12.0}, std::pair{12.0, 2.5}}) {
    SCOPED_TRACE(from);
    PiecewiseResponses responses(system, std::span(&load, 1), {{0}, 0});
    const FrequencyResponse curve = responses.answer(OverLevel{.omega = 8.0, .from = from, .to = to});
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    EXPECT_EQ(curve.points.front().orbit.level, from);
    EXPECT_EQ(curve.points.back().orbit.level, to);
    int sliding = 0, sticking = 0, held = 0;
    for (const ResponsePoint& point : curve.points) {
      SCOPED_TRACE(point.orbit.level);
      EXPECT_EQ(point.orbit.omega, 8.0);
      if (point.exact->events == 0) {
        ++held;
        EXPECT_EQ(point.amplitude[0], 0.0);
      } else if (point.exact->cases[0] == 1) {
        ++sliding;
        EXPECT_NEAR(point.amplitude[0], sliding_amplitude(point.orbit.level, 8.0), 1e-9);
      } else if (point.stable()) {
        ++sticking;
        PiecewiseResponses alone(system, std::span(&load, 1), {{0}, 0});
        alone.begin_near(responses.orbits().seed(responses.first()));
        const auto there = alone.answer(AtFrequencies{.level = point.orbit.level, .omegas = {8.0}});
        ASSERT_EQ(there.points.size(), 1U) << there.message;
        EXPECT_NEAR(point.amplitude[0], there.points[0].amplitude[0], 1e-9);
      }
    }
    EXPECT_GT(sliding, 3);
    EXPECT_GT(held, 3);
    EXPECT_EQ(sticking > 3, to < from);  // once it slides it goes on below the load that breaks it loose
    if (to < from) continue;
    const auto jump = std::find_if(curve.special.begin(), curve.special.end(),
                                   [](const SpecialPoint& point) { return point.kind == SpecialKind::jump; });
    ASSERT_NE(jump, curve.special.end());
    EXPECT_NEAR(jump->point.orbit.level, 3.8, 2e-6 * (to - from));  // the last step, and one beyond it
  }
}

// Friction no stronger at rest: one motion at each level, followed by the phases of the events. Each point is the
// single motion at its level.
TEST(PiecewiseOrbit, LevelsByPhases) {
  const System system = testing::friction_chain(5);
  const double omega = 1.02 * system.stuck_modes().omega(0);
  const Load load = testing::sine_force(5, 4, 1.0, omega);
  PiecewiseResponses responses(system, std::span(&load, 1), {{4}, 4});
  const FrequencyResponse curve = responses.answer(OverLevel{.omega = omega, .from = 0.001, .to = 3.0});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  int moving = 0;
  for (const ResponsePoint& point : curve.points) {
    PiecewiseResponses alone(system, std::span(&load, 1), {{4}, 4});
    const auto there = alone.answer(AtFrequencies{.level = point.orbit.level, .omegas = {omega}});
    ASSERT_EQ(there.points.size(), 1U) << there.message;
    EXPECT_NEAR(point.amplitude[0], there.points[0].amplitude[0], 1e-9 * there.points[0].amplitude[0]);
    EXPECT_NEAR(point.exact->stick_fraction[0], there.points[0].exact->stick_fraction[0], 1e-9);
    moving += point.exact->events > 0 ? 1 : 0;
  }
  EXPECT_GT(moving, 5);
  EXPECT_EQ(curve.points.front().exact->events, 0);
}

// The same load as amplitudes and as signals: forces out of phase, a constant one, a moving ground.
TEST(PiecewiseOrbit, AsSteadyVibration) {
  const System system = two_dampers();
  const Load loads[] = {{"a", Eigen::VectorXd::Unit(5, 4), Signal(Sine{10.0, 2.0, 0.3}), false},
                        {"b", Eigen::VectorXd::Unit(5, 1), Signal(Sine{4.0, 2.0, 1.1}), false},
                        {"c", Eigen::VectorXd::Unit(5, 3), Signal(Constant{1.5}), false},
                        {"base", Eigen::VectorXd::Ones(5), Signal(Sine{0.1, 2.0, -0.4}), true}};
  FrequencyResponseOptions options;
  options.method = SteadyMethod::piecewise_linear;
  const ResponseRecord record{{0, 4}, 4};
  const AtFrequencies request{.level = 0.9, .omegas = {2.0, 4.0}};
  PiecewiseResponses responses(system, loads, record, options);
  const FrequencyResponse signals = responses.answer(request);
  const FrequencyResponse amplitudes = steady_vibration(system, harmonic_load(system, loads), request, record, options);
  ASSERT_EQ(signals.points.size(), 2U) << signals.message;
  ASSERT_EQ(amplitudes.points.size(), 2U) << amplitudes.message;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(amplitudes.points[i].amplitude[k], signals.points[i].amplitude[k], 1e-10);
      EXPECT_NEAR(amplitudes.points[i].phase1[k], signals.points[i].phase1[k], 1e-9);
    }
    EXPECT_NEAR(amplitudes.points[i].dissipation[1], signals.points[i].dissipation[1], 1e-9);
  }
  options.start = Eigen::VectorXcd::Ones(5);
  EXPECT_THROW(static_cast<void>(steady_vibration(system, harmonic_load(system, loads),
                                                  ThroughFrequency{.level = 1.0, .omega = 2.0, .from = 1.0, .to = 3.0},
                                                  record, options)),
               std::invalid_argument);
}

// Phases of the events against frequency and level: exact derivatives beside differences of neighbouring orbits.
TEST(PiecewiseOrbit, Tangent) {
  struct Case {
    System system;
    Load load;
    double omega;
  };
  const Load base{"base", Eigen::VectorXd::Ones(5), Signal(Sine{0.5, 1.0, 0.0}), true};
  const Case cases[] = {{two_dampers(), pull(2.0), 2.0},
                        {three_dampers(), pull(4.0), 4.0},
                        {damper_and_stop(), pull(2.5), 2.5},
                        {two_dampers(), base, 2.0}};
  for (const Case& c : cases) {
    const PiecewiseModel model(c.system, std::span(&c.load, 1));
    PiecewiseOrbits orbits(model);
    PiecewiseOrbit orbit;
    ASSERT_TRUE(orbits.find(c.omega, 1.0, orbit)) << orbits.message();
    for (const Sweep& sweep : {Sweep::over_frequency(1.0), Sweep::over_levels(c.omega)}) {
      SCOPED_TRACE(sweep.name());
      PhaseEquations equations(orbits, sweep);
      equations.take(orbit);
      Continuation curve(equations.residual(),
                         [](const Eigen::VectorXd& r, const Eigen::VectorXd&) { return r.norm(); }, {});
      const double at = sweep.lambda(orbit);
      ASSERT_TRUE(curve.start(equations.origin(), at, 1.0));
      const Eigen::VectorXd exact = equations.phases(curve.point().y_tangent) / curve.point().lambda_tangent;
      // Central differences leave h^2 times a third derivative: a hundredth of it with a tenth of h, down to what the
      // phases are exact to, over h.
      std::vector<double> error[2];
      for (int k = 0; k < 2; ++k) {
        const double h = (k == 0 ? 1e-4 : 1e-5) * at;
        PiecewiseOrbit less = orbit, more = orbit;
        ASSERT_TRUE(orbits.follow(sweep.omega(at - h), sweep.level(at - h), less));
        ASSERT_TRUE(orbits.follow(sweep.omega(at + h), sweep.level(at + h), more));
        ASSERT_EQ(less.arcs.size(), orbit.arcs.size());
        ASSERT_EQ(more.arcs.size(), orbit.arcs.size());
        for (std::size_t i = 0; i < orbit.arcs.size(); ++i) {
          const double slope = (more.arcs[i].theta - less.arcs[i].theta) / (2.0 * h);
          error[k].push_back(std::abs(exact(static_cast<Eigen::Index>(i)) - slope));
        }
        EXPECT_LE(more.iterations, 6);  // quadratic convergence is the same statement
      }
      for (std::size_t i = 0; i < error[0].size(); ++i) EXPECT_LT(error[1][i], 0.02 * error[0][i] + 1e-8) << i;
    }
  }
}

// The largest multiplier is what a small disturbance shrinks by in a period.
TEST(PiecewiseOrbit, MultipliersAgainstDisturbances) {
  const System systems[] = {two_dampers(), three_dampers(), damper_and_stop(), testing::one_mass()};
  const double omegas[] = {4.0, 10.0, 4.0, 8.0};
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    const System& system = systems[i];
    const int n = system.size();
    const Load load = n == 5 ? pull(omegas[i]) : testing::sine_force(1, 0, 4.0, omegas[i]);
    const PiecewiseModel model(system, std::span(&load, 1));
    PiecewiseOrbits orbits(model);
    PiecewiseOrbit orbit;
    ASSERT_TRUE(orbits.find(omegas[i], 1.0, orbit)) << orbits.message();
    const Eigen::VectorXcd multipliers = orbits.multipliers(orbit);
    const double largest = multipliers.cwiseAbs().maxCoeff();
    // Two motions side by side over many periods: after the fast disturbances have gone, the distance falls with the
    // largest multiplier. A complex pair beats: the mean over many periods counts.
    Excitation excitation(model, orbits.load(), omegas[i], 1.0);
    ContactMotion one(orbits.book(), excitation), other(orbits.book(), excitation);
    const OrbitSeed seed = orbits.seed(orbit);
    const Eigen::VectorXd eta = model.projection() * seed.q;
    const Eigen::VectorXd rate = model.projection() * seed.v;
    const double t0 = seed.phase / omegas[i];
    ASSERT_TRUE(one.start(t0, eta, rate));
    ASSERT_TRUE(other.start(t0, eta * (1.0 + 1e-5), rate * (1.0 + 2e-5)));
    const auto go = [&](ContactMotion& motion, double until, Eigen::VectorXd& x) {
      while (true) {
        if (!motion.find_end(until)) return false;
        if (motion.until() >= until) break;
        if (!motion.pass()) return false;
      }
      FlowState state;
      Eigen::VectorXd y, v;
      motion.segment().state(until - motion.segment().start(), state);
      motion.segment().regime().flow().coordinates(state, y, v);
      x.resize(2 * y.size());
      x << y, v / omegas[i];
      return true;
    };
    // From where the rest has died out to where rounding begins to show.
    const int first = static_cast<int>(std::ceil(std::log(1e-2) / std::log(largest)));
    const int last = static_cast<int>(std::ceil(std::log(1e-7) / std::log(largest)));
    Eigen::VectorXd x, y;
    const double period = 2.0 * pi / omegas[i];
    double from = 0.0;
    for (int n_periods : {first, last}) {
      ASSERT_TRUE(go(one, t0 + n_periods * period, x));
      ASSERT_TRUE(go(other, t0 + n_periods * period, y));
      if (n_periods == first) from = std::log((x - y).norm());
    }
    const double mean = std::exp((std::log((x - y).norm()) - from) / (last - first));
    // What the beat of a pair adds is of the order of one over the number of periods.
    EXPECT_NEAR(mean, largest,
                (multipliers.imag().cwiseAbs().maxCoeff() > 1e-6 ? 2.0 / (last - first) : 1e-3) * largest);
  }
}

// A stop folds the curve: both branches are orbits, the one between the folds is unstable.
TEST(PiecewiseOrbitSlow, FoldsOfAStop) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {{-1, 0, 0.05}}, ModalDamping{}),
                      {Joint{"right", Gap<double>(2.0, 1.0), testing::link(1, -1, 0)},
                       Joint{"left", Gap<double>(2.0, 1.0), testing::link(1, 0, -1)}});
  const Load load = testing::sine_force(1, 0, 0.2, 1.0);
  PiecewiseResponses responses(system, std::span(&load, 1), {{0}, 0}, {});
  const FrequencyResponse curve = responses.answer(OverFrequency{.level = 1.0, .from = 0.6, .to = 2.5});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  std::vector<double> folds;
  for (const SpecialPoint& special : curve.special) {
    if (special.kind == SpecialKind::fold) folds.push_back(special.point.orbit.omega);
  }
  ASSERT_EQ(folds.size(), 2u);
  EXPECT_GT(folds[0], folds[1]);
  // Harmonic balance on the same system, to its own tolerance.
  FrequencyResponseOptions options;
  options.tolerance = 1e-5;
  HarmonicLoad harmonic;
  harmonic.force = Eigen::VectorXcd::Constant(1, 0.2);
  const FrequencyResponse other =
      steady_vibration(system, harmonic, OverFrequency{.level = 1.0, .from = 0.6, .to = 2.5}, {{0}, 0}, options);
  std::vector<double> other_folds;
  for (const SpecialPoint& special : other.special) {
    if (special.kind == SpecialKind::fold) other_folds.push_back(special.point.orbit.omega);
  }
  ASSERT_EQ(other_folds.size(), 2u);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(folds[i], other_folds[i], 1e-4 * folds[i]);
  int unstable = 0;
  for (const ResponsePoint& point : curve.points) unstable += point.stable() ? 0 : 1;
  EXPECT_GT(unstable, 2);
}

// Never slips: the linear structure with the damper held, at the place it was found in.
TEST(PiecewiseOrbit, NeverSlips) {
  const System system(testing::mass_chain(3, 1.0, 100.0, RayleighDamping{0.1, 0.001}),
                      {Joint{"a", Coulomb<double>(100.0, 100.0), testing::link(3, -1, 0)}});
  const Load load = testing::sine_force(3, 2, 1.0, 5.0);
  const ResponsePoint point = point_at(system, load, 5.0, 2);
  EXPECT_EQ(point.exact->events, 0);
  EXPECT_EQ(point.exact->stick_fraction[0], 1.0);
  // Two masses in a row.
  using Complex = std::complex<double>;
  Eigen::Matrix2cd dynamic;
  const Complex diagonal(-25.0, 5.0 * 0.1);
  const Complex stiffness = Complex(100.0, 0.0) * (1.0 + Complex(0.0, 5.0 * 0.001));
  dynamic << diagonal + 2.0 * stiffness, -stiffness, -stiffness, diagonal + stiffness;
  const Eigen::Vector2cd x =
      LuFactors<std::complex<double>>(dynamic).solve(Eigen::VectorXcd(Eigen::Vector2cd(0.0, 1.0)));
  EXPECT_NEAR(point.amplitude[0], std::abs(x(1)), 1e-12);
  EXPECT_NEAR(point.harmonic1[0], std::abs(x(1)), 1e-12);
  EXPECT_NEAR(point.phase1[0], std::arg(x(1)), 1e-12);
}

// The first harmonic from closed integrals against sums over a sampled period.
TEST(PiecewiseOrbit, FirstHarmonic) {
  const System system = two_dampers();
  const double omega = 2.0;
  const Load load = pull(omega);
  const PiecewiseModel model(system, std::span(&load, 1));
  PiecewiseOrbits orbits(model);
  PiecewiseOrbit orbit;
  ASSERT_TRUE(orbits.find(omega, 1.0, orbit));
  const ResponsePoint point = point_at(system, load, omega, 4);
  std::complex<double> sum = 0.0;
  FlowState state;
  Eigen::VectorXd eta, rate;
  const int samples = 20000;
  for (std::size_t a = 0; a < orbit.arcs.size(); ++a) {
    const Segment segment = orbit.segment(a);
    const double duration = (orbit.end_of(a) - orbit.arcs[a].theta) / omega;
    for (int i = 0; i < samples; ++i) {
      const double tau = (i + 0.5) * duration / samples;
      segment.state(tau, state);
      orbit.arcs[a].regime->flow().coordinates(state, eta, rate);
      const double t = segment.start() + tau;
      sum += model.shapes().row(4).dot(eta) * std::polar(1.0, -omega * t) * (duration / samples);
    }
  }
  sum *= 2.0 / orbit.period() * (orbit.antisymmetric ? 2.0 : 1.0);
  // Midpoint rule: (step omega_max)^2/24, omega_max of the structure 20.
  EXPECT_NEAR(point.harmonic1[0], std::abs(sum), 1e-7);
  EXPECT_NEAR(point.phase1[0], std::arg(sum), 1e-6);
}

}  // namespace piecewise_orbit_test
}  // namespace microslip
