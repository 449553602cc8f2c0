// Shetty, Paper IV, 4: a cubic spring and an Iwan element in parallel (Table 10), both signs of the cubic. The measure
// is the ring-down of the oscillator itself, integrated in time, by its turning points.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/identify/ignl_fit.hpp"
#include "microslip/modal/ringdown.hpp"
#include "microslip/numerics/dormand_prince.hpp"
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
    for (ForceCurve* curve : {&curves.stuck, &curves.slipping, &stuck_negative, &slipping_negative}) curve->u.push_back(u);
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

Errors compare(const IgnlModel& model, const RingdownCurve& ring, double lowest) {
  Errors errors;
  for (const RingdownPoint& point : ring.points) {
    if (point.q < lowest) break;
    const double q[] = {point.q};
    const IgnlCurve curve = ignl_curve(model, q);
    EXPECT_EQ(curve.points.size(), 1u) << curve.message;
    if (curve.points.empty()) break;
    const IgnlPoint& p = curve.points.front();
    const auto worse = [](double& error, double value, double right) {
      error = std::max(error, std::abs(value / right - 1.0));
    };
    fmt::print("{:.5e} {:.3e} {:.3e} {:.3e} {:.3e}  zeta {:.4e} int {}\n", point.q, p.omega / point.omega - 1,
               p.omega_paper / point.omega - 1, p.zeta / point.zeta - 1, p.zeta_secant / point.zeta - 1, point.zeta, p.intervals);
    worse(errors.omega, p.omega, point.omega);
    worse(errors.omega_paper, p.omega_paper, point.omega);
    worse(errors.zeta, p.zeta, point.zeta);
    worse(errors.zeta_secant, p.zeta_secant, point.zeta);
  }
  return errors;
}

TEST(ShettyPaper4Slow, Hardening) {
  const RingdownCurve motion = ring(oscillator(hardening), 5000.0, 0.4, 1e-6);
  ASSERT_GT(motion.points.size(), 50u) << motion.message;
  const IgnlFit fit = identify(hardening, 4.2e-3);
  fmt::print("order {} {} {}\n", fit.polynomial.order, fit.polynomial.k[0], fit.polynomial.k[2]);
  const Errors errors = compare(fit.model, motion, 1e-5);
  fmt::print("{} {} {} {}\n", errors.omega, errors.omega_paper, errors.zeta, errors.zeta_secant);
}
TEST(ShettyPaper4Slow, Softening) {
  const RingdownCurve motion = ring(oscillator(softening), 3000.0, 0.4, 1e-6);
  const IgnlFit fit = identify(softening, 14.2e-3);
  fmt::print("order {} {} {}\n", fit.polynomial.order, fit.polynomial.k[0], fit.polynomial.k[2]);
  const Errors errors = compare(fit.model, motion, 1e-5);
  fmt::print("{} {} {} {}\n", errors.omega, errors.omega_paper, errors.zeta, errors.zeta_secant);
  const auto limit = limit_load(fit.model, 0.02, true);
  fmt::print("{} {}\n", limit->x, limit->force);
}

}  // namespace
}  // namespace microslip
