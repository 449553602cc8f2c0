// Shetty, Paper IV, 4: a cubic spring and an Iwan element in parallel (Table 10), both signs of the cubic. The measure
// is the ring-down of the oscillator itself, integrated in time, by its turning points.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/identify/ignl_fit.hpp"
#include "microslip/modal/ringdown.hpp"
#include "microslip/numerics/polynomial_swing.hpp"
#include "microslip/system/static_solution.hpp"
#include "microslip/system/system.hpp"
#include "microslip/transient/transient.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double slipped = 1.316e5, friction = 2.632e5, zeta0 = 1e-4;
constexpr double hardening = 5.396e10, softening = -5.395e8;

Iwan4<double> iwan() {
  return Iwan4<double>(Iwan4Backbone<double>::from_physical(10000.0, friction, -0.8, 2.0));
}

System oscillator(double cubic, double square = 0.0) {
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, slipped}}, {}, ModalDamping{{zeta0}}),
                {{"spring", Polynomial<double>({0.0, square, cubic}), testing::between(1, -1, 0)},
                 {"joint", iwan(), testing::between(1, -1, 0)}});
}

/// Both curves at deflections evenly spaced in logarithm.
IgnlFit identify(double cubic, double end, int points = 400, double square = 0.0) {
  IgnlCurves curves;
  ForceCurve stuck_negative, slipping_negative;
  for (int i = 0; i < points; ++i) {
    const double u = end * std::pow(1e-5, 1.0 - i / (points - 1.0));
    const double spring = cubic * u * u * u, even = square * u * u;
    const double slip = iwan().backbone(u).force;
    for (ForceCurve* curve : {&curves.stuck, &curves.slipping, &stuck_negative, &slipping_negative})
      curve->u.push_back(u);
    curves.stuck.f.push_back((slipped + friction) * u + spring + even);
    curves.slipping.f.push_back(slipped * u + slip + spring + even);
    stuck_negative.f.push_back((slipped + friction) * u + spring - even);
    slipping_negative.f.push_back(slipped * u + slip + spring - even);
  }
  if (square != 0.0) curves.stuck_negative = stuck_negative, curves.slipping_negative = slipping_negative;
  IgnlFitOptions options;
  options.zeta0 = zeta0;
  return fit_ignl(curves, options);
}

/// Released from the static deflection under `force`, without load.
RingdownCurve ring(const System& system, double force, double duration, double step) {
  const StaticSolution start = static_solution(system, Eigen::VectorXd::Constant(1, force));
  EXPECT_EQ(start.ending, Ending::completed) << start.message;
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.duration = duration;
  options.step = step;
  options.tolerance = 1e-12;
  MemorySink sink;
  Record record;
  record.dofs = {0};
  const TransientResult result =
      simulate(system, {}, {start.q, Eigen::VectorXd::Zero(1), start.memory}, record, sink, options);
  EXPECT_EQ(result.ending, Ending::completed) << result.message;
  SampledMotion motion{0.0, step, Quantity::velocity, sink.column("v[1]")};
  RingdownOptions ringdown;
  ringdown.half_cycles = 3;
  ringdown.noise = 0.0;
  return turning_point_ringdown(motion, ringdown);
}

struct Errors {
  double omega = 0.0, omega_paper = 0.0, zeta = 0.0, zeta_secant = 0.0;
};

/// Largest relative errors over the ring-down down to the amplitude `lowest`. An asymmetric spring takes other times up
/// and down: then over pairs of half swings.
Errors compare(const IgnlModel& model, const RingdownCurve& ring, double lowest, bool pairs = false) {
  Errors errors;
  std::size_t compared = 0;
  for (std::size_t i = 0; i + (pairs ? 1 : 0) < ring.points.size(); ++i) {
    RingdownPoint point = ring.points[i];
    if (pairs) {
      const RingdownPoint& next = ring.points[i + 1];
      point.q = std::sqrt(point.q * next.q);
      point.omega = 2.0 / (1.0 / point.omega + 1.0 / next.omega);
      point.zeta = 0.5 * (point.zeta + next.zeta);
    }
    if (point.q < lowest) break;
    const IgnlCurve curve = ignl_curve(model, std::span(&point.q, 1));
    EXPECT_EQ(curve.points.size(), 1u) << curve.message;
    if (curve.points.empty()) return errors;
    const IgnlPoint& p = curve.points.front();
    const auto worse = [](double& error, double value, double right) {
      error = std::max(error, std::abs(value / right - 1.0));
    };
    worse(errors.omega, p.omega, point.omega);
    worse(errors.omega_paper, p.omega_paper, point.omega);
    worse(errors.zeta, p.zeta, point.zeta);
    worse(errors.zeta_secant, p.zeta_secant, point.zeta);
    ++compared;
  }
  EXPECT_GT(compared, 50u);
  return errors;
}

std::string text(const Errors& e) {
  return fmt::format("omega {:.1e}, paper {:.1e}; zeta {:.1e}, secant {:.1e}", e.omega, e.omega_paper, e.zeta,
                     e.zeta_secant);
}

/// The measure itself: twice the step changes it by three times its error, the schemes being of second order.
void expect_converged(const RingdownCurve& fine, const RingdownCurve& coarse, double omega, double zeta) {
  for (std::size_t i = 0; i < std::min(fine.points.size(), coarse.points.size()); ++i) {
    ASSERT_NEAR(coarse.points[i].omega / fine.points[i].omega, 1.0, 3.0 * omega) << i;
    ASSERT_NEAR(coarse.points[i].zeta / fine.points[i].zeta, 1.0, 3.0 * zeta) << i;
  }
}

// What the half-swing time and the tangent energy leave out is of second order in the decay of a half swing, pi zeta:
// (pi 0.011)^2 = 1.2e-3 times the nonlinearity of the spring. Asked for: 0.05 % and 0.2 %. The paper's forms: 0.1 to
// 0.2 % in frequency; in damping it prints up to 25 % when the cubic hardens.
TEST(ShettyPaper4Slow, HardeningCubicWithIwanFollowsItsRingDown) {
  const System system = oscillator(hardening);
  const RingdownCurve motion = ring(system, 5000.0, 0.4, 1e-6);
  expect_converged(motion, ring(system, 5000.0, 0.4, 2e-6), 5e-5, 2e-4);
  const IgnlFit fit = identify(hardening, 4.2e-3);
  EXPECT_EQ(fit.polynomial.order, 3);
  EXPECT_NEAR(fit.polynomial.k[0] / (slipped + friction), 1.0, 1e-12);  // a cubic, to the rounding of its points
  EXPECT_NEAR(fit.polynomial.k[2] / hardening, 1.0, 1e-12);
  const Errors errors = compare(fit.model, motion, 1e-5);
  RecordProperty("errors", text(errors));
  EXPECT_LT(errors.omega, 5e-4);
  EXPECT_LT(errors.zeta, 2e-3);
  EXPECT_LT(errors.omega_paper, 2e-3);
  EXPECT_GT(errors.omega_paper, 5.0 * errors.omega);
  EXPECT_NEAR(errors.zeta_secant, 0.25, 0.005);  // "a maximum error of ... 25 % in damping", to its two digits
}

TEST(ShettyPaper4Slow, SofteningCubicWithIwanFollowsItsRingDown) {
  const System system = oscillator(softening);
  const RingdownCurve motion = ring(system, 3000.0, 0.4, 1e-6);
  expect_converged(motion, ring(system, 3000.0, 0.4, 2e-6), 5e-5, 2e-4);
  const IgnlFit fit = identify(softening, 0.02);
  EXPECT_NEAR(fit.polynomial.k[2] / softening, 1.0, 1e-12);
  const Errors errors = compare(fit.model, motion, 1e-5);
  RecordProperty("errors", text(errors));
  EXPECT_LT(errors.omega, 5e-4);
  EXPECT_LT(errors.zeta, 2e-3);
  EXPECT_LT(errors.omega_paper, 2e-3);
}

// Asymmetric, released from one side: that turning point lies on first loading, as the model has it; later ones do not
// quite. Same tolerances as above.
TEST(ShettyPaper4Slow, AsymmetricSpringWithIwanFollowsItsRingDown) {
  constexpr double square = 4e7;
  const RingdownCurve motion = ring(oscillator(hardening, square), 3000.0, 0.4, 1e-6);
  const IgnlFit fit = identify(hardening, 4.2e-3, 400, square);
  EXPECT_NEAR(fit.polynomial.k[1] / square, 1.0, 1e-10);
  EXPECT_TRUE(fit.masing);
  EXPECT_LT(fit.masing_difference, 1e-9);  // rounding of forces 1e4 times as large
  const Errors errors = compare(fit.model, motion, 1e-5, true);
  RecordProperty("errors", text(errors));
  EXPECT_LT(errors.omega, 5e-4);
  EXPECT_LT(errors.zeta, 2e-3);
}

struct Turn {
  double t = 0.0, x = 0.0;
};

/// First turning point after a release from rest at x0: the one branch that the joint is on, by the classical
/// Runge-Kutta method and its closed form. 3000 steps of h leave (omega h)^4/120 = 1e-14.
Turn first_turn(double x0) {
  constexpr double h = 1.1e-6;
  const double c = 2.0 * zeta0 * std::sqrt(slipped + friction), start = iwan().backbone(x0).force;
  const auto acceleration = [&](double x, double v) {
    return -(c * v + slipped * x + hardening * x * x * x + start - 2.0 * iwan().backbone(0.5 * (x0 - x)).force);
  };
  double x = x0, v = 0.0, t = 0.0;
  const auto advance = [&](double step) {
    const double a1 = acceleration(x, v);
    const double v2 = v + 0.5 * step * a1, a2 = acceleration(x + 0.5 * step * v, v2);
    const double v3 = v + 0.5 * step * a2, a3 = acceleration(x + 0.5 * step * v2, v3);
    const double v4 = v + step * a3, a4 = acceleration(x + step * v3, v4);
    x += step * (v + 2.0 * v2 + 2.0 * v3 + v4) / 6.0;
    v += step * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0;
    t += step;
  };
  do advance(h);
  while (v < 0.0);
  for (int i = 0; i < 5; ++i) advance(-v / acceleration(x, v));  // Newton for v = 0
  return {t, x};
}

// Released at 5000 N: the first turning point to seven digits, by the branch itself and by the program.
TEST(ShettyPaper4, FirstTurningPoint) {
  const System system = oscillator(hardening);
  const StaticSolution start = static_solution(system, Eigen::VectorXd::Constant(1, 5000.0));
  ASSERT_EQ(start.ending, Ending::completed);
  const Turn turn = first_turn(start.q(0));
  EXPECT_NEAR(turn.t, 3.156012e-3, 0.5e-9);
  EXPECT_NEAR(turn.x, -4.021022e-3, 0.5e-9);
  TransientOptions options;
  options.duration = 3.2e-3;
  options.step = 2e-7;  // (omega h)^2/12 = 3e-9 of the time
  options.tolerance = 1e-12;
  MemorySink sink;
  Record record;
  record.dofs = {0};
  const TransientResult result =
      simulate(system, {}, {start.q, Eigen::VectorXd::Zero(1), start.memory}, record, sink, options);
  ASSERT_EQ(result.ending, Ending::completed);
  const std::vector<double> t = sink.column("time"), q = sink.column("q[1]"), v = sink.column("v[1]");
  std::size_t i = 2;
  while (i + 1 < v.size() && v[i] < 0.0) ++i;
  ASSERT_LT(i + 1, v.size());
  const double share = v[i - 1] / (v[i - 1] - v[i]);
  EXPECT_NEAR(t[i - 1] + share * (t[i] - t[i - 1]), 3.156012e-3, 0.5e-9);
  EXPECT_NEAR(q[i - 1] + 0.5 * share * (t[i] - t[i - 1]) * v[i - 1], -4.021022e-3, 0.5e-9);

  // The model's own half swing: its half-range and its time. It holds the swing between -q and q, the true one lies
  // (a - b)/2 = 1.3e-5 aside: 0.3 % of q, of which only the square counts.
  const double half = 0.5 * (start.q(0) + 4.021022e-3);
  const IgnlCurve curve = ignl_curve(identify(hardening, 4.2e-3).model, std::span(&half, 1));
  ASSERT_EQ(curve.points.size(), 1u);
  EXPECT_NEAR(curve.points[0].omega * 3.156012e-3 / std::numbers::pi, 1.0, 1.1e-5);
}

// Errata: 5000 N has no static solution in the softening case; 3262.5 N at 0.01422 m, to these digits.
TEST(ShettyPaper4, LimitLoadOfTheSofteningCase) {
  const auto limit = limit_load(identify(softening, 0.02).model, 0.02, true);
  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->force, 3262.5, 0.05);
  EXPECT_NEAR(limit->x, 0.01422, 5e-6);
  EXPECT_NE(static_solution(oscillator(softening), Eigen::VectorXd::Constant(1, 5000.0)).ending, Ending::completed);
  EXPECT_FALSE(limit_load(identify(hardening, 4.2e-3).model, 4.2e-3, true));
}

// Stuck: k u + b u^3, b < 0, has its summit at u = sqrt(-k/3b), 2/3 of the linear force there.
TEST(ShettyPaper4, LimitLoadOfTheStuckCurve) {
  const double k = slipped + friction, u = std::sqrt(-k / (3.0 * softening));
  const auto limit = limit_load(identify(softening, 0.02).model, -0.02, false);
  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->x, -u, 1e-9 * u);
  EXPECT_NEAR(limit->force, -2.0 / 3.0 * k * u, 1e-9 * k * u);
}

// A conservative asymmetric oscillator against time integration: 4000 steps a period leave (2 pi/4000)^2/12 = 2e-7.
TEST(ShettyPaper4, AsymmetricQuadraticCubicOscillator) {
  const std::vector<double> k = {400.0, 900.0, 1500.0};
  for (const double q : {0.05, 0.2, 0.5}) {
    const PolynomialPeriod period = polynomial_period(k, 2.0, q);
    ASSERT_TRUE(period.converged);
    const double cycle = 2.0 * std::numbers::pi / period.omega;
    const System system(LinearStructure::lumped({2.0}, {}, {}, {}, ModalDamping{{0.0}}),
                        {{"spring", Polynomial<double>(k), testing::between(1, -1, 0)}});
    TransientOptions options;
    options.step = cycle / 4000.0;
    options.duration = 3.2 * cycle;
    options.tolerance = 1e-12;
    MemorySink sink;
    Record record;
    record.dofs = {0};
    const TransientResult result =
        simulate(system, {}, {Eigen::VectorXd::Constant(1, period.centre + q), Eigen::VectorXd::Zero(1), {}}, record,
                 sink, options);
    ASSERT_EQ(result.ending, Ending::completed);
    const std::vector<double> t = sink.column("time"), x = sink.column("q[1]"), v = sink.column("v[1]");
    std::vector<double> tops;  // times of the upper turning points
    double lowest = 0.0;
    for (std::size_t i = 1; i < v.size(); ++i) {
      lowest = std::min(lowest, x[i]);
      if (v[i - 1] > 0.0 && v[i] <= 0.0) tops.push_back(t[i - 1] + options.step * v[i - 1] / (v[i - 1] - v[i]));
    }
    ASSERT_EQ(tops.size(), 3u);
    EXPECT_NEAR((tops[2] - tops[0]) / (2.0 * cycle), 1.0, 1e-6) << q;
    EXPECT_NEAR(lowest, period.centre - q, 2e-6 * q);
  }
}

}  // namespace
}  // namespace microslip
