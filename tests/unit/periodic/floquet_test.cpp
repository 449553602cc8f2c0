// Floquet multipliers and the errors they are told with, against an integration of the motion and its disturbances that
// shares nothing with the program: Runge-Kutta steps cut where a spring has its corner, and Newton for the closed
// orbit.

#include "microslip/periodic/floquet.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <cmath>
#include <functional>
#include <numbers>

#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/orbit_history.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace floquet_test {

constexpr double pi = std::numbers::pi;

/// q'' + C q' + K q + b f(b^T q) = p cos(omega t), f smooth but for one corner.
struct Reference {
  Eigen::MatrixXd c, k;
  Eigen::VectorXd b, p;
  std::function<double(double)> force, slope;
  double corner = 1e300;
  int steps = 1500;

  /// (q, v) and its derivatives with respect to the start and to omega, over the phase of the load.
  using Columns = Eigen::MatrixXd;
  [[nodiscard]] Columns rate(const Columns& z, double phase, double omega, bool beyond) const {
    const Eigen::Index n = c.rows();
    const Eigen::VectorXd q = z.col(0).head(n), v = z.col(0).tail(n);
    const double u = b.dot(q);
    const double side = beyond ? std::max(u, corner) : std::min(u, corner);  // the law of this side of the corner
    Columns result(2 * n, z.cols());
    result.col(0).head(n) = v / omega;
    result.col(0).tail(n) = (p * std::cos(phase) - c * v - k * q - b * force(side)) / omega;
    const Eigen::MatrixXd tangent = k + b * slope(side + (beyond ? 1e-12 : -1e-12)) * b.transpose();
    for (Eigen::Index i = 1; i < z.cols(); ++i) {
      result.col(i).head(n) = z.col(i).tail(n) / omega;
      result.col(i).tail(n) = (-c * z.col(i).tail(n) - tangent * z.col(i).head(n)) / omega;
    }
    result.rightCols(1) -= result.col(0) / omega;
    return result;
  }
  [[nodiscard]] Columns step(const Columns& z, double phase, double h, double omega, bool beyond) const {
    const Columns k1 = rate(z, phase, omega, beyond), k2 = rate(z + 0.5 * h * k1, phase + 0.5 * h, omega, beyond),
                  k3 = rate(z + 0.5 * h * k2, phase + 0.5 * h, omega, beyond),
                  k4 = rate(z + h * k3, phase + h, omega, beyond);
    return z + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  /// After one period: the end, the monodromy matrix, the change with omega.
  [[nodiscard]] Columns period(const Eigen::VectorXd& start, double omega) const {
    const Eigen::Index n = c.rows();
    Columns z = Columns::Zero(2 * n, 2 * n + 2);
    z.col(0) = start;
    z.middleCols(1, 2 * n).setIdentity();
    const double h = 2.0 * pi / steps;
    bool beyond = b.dot(start.head(n)) > corner;
    for (int i = 0; i < steps; ++i) {
      double from = i * h, left = h;
      for (int cuts = 0; cuts < 4; ++cuts) {
        Columns next = step(z, from, left, omega, beyond);
        if ((b.dot(next.col(0).head(n)) > corner) == beyond) {
          z = next;
          break;
        }
        double low = 0.0, high = left;  // where it passes the corner
        for (int halving = 0; halving < 60; ++halving) {
          const double middle = 0.5 * (low + high);
          next = step(z, from, middle, omega, beyond);
          ((b.dot(next.col(0).head(n)) > corner) == beyond ? low : high) = middle;
        }
        z = step(z, from, high, omega, beyond);
        from += high;
        left -= high;
        beyond = !beyond;
      }
    }
    return z;
  }
  struct Found {
    double multiplier = 0.0, closes = 1.0;
    double moved = 0.0;  ///< from the guess
  };
  /// The closed orbit nearest to a guess: least norm in (z/|z|, omega/(0.01 omega)) or, at a fixed omega, Newton.
  [[nodiscard]] Found near(Eigen::VectorXd z, double omega, bool fixed) const {
    const Eigen::Index size = z.size();
    const Eigen::VectorXd guess = z;
    const double guessed = omega;
    Found found;
    for (int i = 0; i < 12; ++i) {
      const Columns end = period(z, omega);
      const Eigen::VectorXd r = end.col(0) - z;
      Eigen::MatrixXd a(size, size + 1);
      a.leftCols(size) = z.norm() * (end.middleCols(1, size) - Eigen::MatrixXd::Identity(size, size));
      a.rightCols(1) = fixed ? Eigen::VectorXd::Zero(size) : Eigen::VectorXd(0.01 * omega * end.rightCols(1));
      found.closes = r.norm() / z.norm();
      found.multiplier = complex_eigenvalues(end.middleCols(1, size)).cwiseAbs().maxCoeff();
      if (found.closes < 1e-11) break;
      const Eigen::VectorXd change = -(pseudo_inverse(a, 1e-14).matrix * r);
      z += z.norm() * change.head(size);
      omega += 0.01 * omega * change(size);
    }
    found.moved = std::hypot((z - guess).norm() / guess.norm(), (omega / guessed - 1.0) / 0.01);
    return found;
  }
};

Eigen::VectorXd start_of(const System& system, const HarmonicLoad& load, const PeriodicOrbit& orbit) {
  std::vector<int> dofs;
  for (int i = 0; i < system.size(); ++i) dofs.push_back(i);
  const Eigen::MatrixXd series = orbit_series(system, load, orbit, dofs);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(2 * system.size());
  for (Eigen::Index d = 0; d < series.cols(); ++d) {
    z(d) = series(0, d);
    for (int h = 1; h <= orbit.harmonics; ++h) {
      z(d) += series(2 * h - 1, d);
      z(series.cols() + d) += h * orbit.omega * series(2 * h, d);
    }
  }
  return z;
}

/// Every point of a curve: the error told is not exceeded, no claim of stability is wrong; the number of points without
/// a claim.
int compare(const Reference& reference, const System& system, const HarmonicLoad& load, const FrequencyResponse& curve,
            bool fixed) {
  int undecided = 0;
  for (const ResponsePoint& point : curve.points) {
    SCOPED_TRACE(::testing::Message() << "omega " << point.orbit.omega << ", harmonics " << point.orbit.harmonics);
    const auto exact = reference.near(start_of(system, load, point.orbit), point.orbit.omega, fixed);
    EXPECT_LT(exact.closes, 1e-9);
    EXPECT_NEAR(*point.multiplier, exact.multiplier, point.multiplier_error + 1e-8);
    if (exact.multiplier > 1.0 + 1e-9) {
      EXPECT_FALSE(point.stable()) << exact.multiplier;
    }
    if (exact.multiplier < 1.0) {
      EXPECT_FALSE(point.unstable()) << exact.multiplier;
    }
    undecided += !point.stable() && !point.unstable();
  }
  return undecided;
}

// ---- Duffing: q'' + 2 zeta q' + q + c q^3 = f cos(omega t) ----

System duffing(double zeta, double c) {
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{zeta}}),
                {{"cubic", Polynomial<double>({0.0, 0.0, c}), testing::between(1, -1, 0)}});
}
Reference duffing_reference(double zeta, double c, double f) {
  return {Eigen::MatrixXd::Constant(1, 1, 2.0 * zeta),
          Eigen::MatrixXd::Ones(1, 1),
          Eigen::VectorXd::Ones(1),
          Eigen::VectorXd::Constant(1, f),
          [c](double u) { return c * u * u * u; },
          [c](double u) { return 3.0 * c * u * u; }};
}
HarmonicLoad unit_force() {
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Ones(1);
  return load;
}

TEST(FloquetOfDuffing, FollowsTheIntegrationThroughFolds) {
  const System system = duffing(0.02, 0.8);
  const auto curve =
      steady_vibration(system, unit_force(), OverFrequency{.level = 0.1, .from = 0.7, .to = 2.2}, {{0}, 0});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  EXPECT_LE(compare(duffing_reference(0.02, 0.8, 0.1), system, unit_force(), curve, false), 2);
  for (const ResponsePoint& point : curve.points) EXPECT_LE(point.multiplier_error, 1e-3 * (1.0 + *point.multiplier));
}

// Few harmonics: what they leave out of the motion is in the error of the multiplier.
TEST(FloquetOfDuffing, ErrorHoldsTheHarmonicsLeftOut) {
  const System system = duffing(0.05, 1.0);
  FrequencyResponseOptions options;
  for (const int harmonics : {3, 5, 7}) {
    options.harmonics = harmonics;
    const auto points = steady_vibration(system, unit_force(), AtFrequencies{.level = 3.0, .omegas = {0.9, 1.3, 2.0}},
                                         {{0}, -1}, options);
    ASSERT_EQ(points.points.size(), 3U) << points.message;
    compare(duffing_reference(0.05, 1.0, 3.0), system, unit_force(), points, true);
  }
}

// At a fold the motion is no function of omega, but the curve is one of its length: the error is the distance to the
// right curve, here with too few harmonics. To first order, and of other norms: (q, v) at one instant, half of whose
// square is in a series; a factor of 5 covers both.
TEST(FloquetOfDuffing, ErrorsAreFiniteAtFolds) {
  const System system = duffing(0.02, 0.8);
  FrequencyResponseOptions options;
  options.harmonics = 3;
  const auto curve =
      steady_vibration(system, unit_force(), OverFrequency{.level = 0.1, .from = 0.7, .to = 2.2}, {{0}, 0}, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  int folds = 0;
  for (const SpecialPoint& s : curve.special) {
    if (s.kind != SpecialKind::fold) continue;
    ++folds;
    const double told = s.point.errors.truncation + s.point.errors.quadrature;
    EXPECT_LT(told, 1e-2) << s.point.orbit.omega;
    const auto exact = duffing_reference(0.02, 0.8, 0.1)
                           .near(start_of(system, unit_force(), s.point.orbit), s.point.orbit.omega, false);
    EXPECT_LT(exact.closes, 1e-9);
    EXPECT_LT(exact.moved, 5.0 * told) << s.point.orbit.omega;
    EXPECT_FALSE(s.point.stable() || s.point.unstable());
  }
  EXPECT_EQ(folds, 2);
}

// Under a strong load the motion loses its symmetry: a multiplier passes +1 where the curve does not turn back, a
// pitchfork. One branch point, and neither a fold nor another change of stability beside it.
TEST(FloquetOfDuffing, APitchforkIsABranchPoint) {
  const System system = duffing(0.05, 1.0);
  const auto curve =
      steady_vibration(system, unit_force(), OverFrequency{.level = 10.0, .from = 1.63, .to = 1.61}, {{0}, -1});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  ASSERT_EQ(curve.special.size(), 1U);
  EXPECT_EQ(curve.special[0].kind, SpecialKind::branch);
  // The reference's multiplier is on either side of 1 within the 1e-5 of the range that the step may have there.
  const Reference reference = duffing_reference(0.05, 1.0, 10.0);
  const PeriodicOrbit& orbit = curve.special[0].point.orbit;
  const Eigen::VectorXd start = start_of(system, unit_force(), orbit);
  EXPECT_LT(reference.near(start, orbit.omega + 2e-5, true).multiplier, 1.0);
  EXPECT_GT(reference.near(start, orbit.omega - 2e-5, true).multiplier, 1.0);
}

// ---- a stiff stop at one of two masses ----

System stopped_masses() {
  return System(LinearStructure::lumped({1.0, 1.0}, {}, {{0, 1, 1.0}, {1, -1, 1.0}}, {}, RayleighDamping{0.0, 0.03}),
                {{"stop", Gap<double>(100.0, 1.0), testing::between(2, -1, 0)}});
}
Reference stopped_reference() {
  Reference reference;
  reference.k = Eigen::MatrixXd(2, 2);
  reference.k << 1.0, -1.0, -1.0, 2.0;
  reference.c = 0.03 * reference.k;
  reference.b = Eigen::Vector2d(1.0, 0.0);
  reference.p = Eigen::Vector2d(0.0, 0.1);
  reference.force = [](double u) { return u > 1.0 ? 100.0 * (u - 1.0) : 0.0; };
  reference.slope = [](double u) { return u > 1.0 ? 100.0 : 0.0; };
  reference.corner = 1.0;
  return reference;
}
HarmonicLoad second_mass() {
  HarmonicLoad load;
  load.force = Eigen::Vector2cd(0.0, 0.1);
  return load;
}

// 128 steps of second order gave 0.983 for 1.039 here.
TEST(FloquetOfAStop, FollowsTheIntegration) {
  const System system = stopped_masses();
  FrequencyResponseOptions options;
  options.tolerance = 1e-4;
  const auto curve = steady_vibration(system, second_mass(), OverFrequency{.level = 1.0, .from = 0.8, .to = 0.72},
                                      {{0, 1}, 0}, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  const int undecided = compare(stopped_reference(), system, second_mass(), curve, false);
  EXPECT_LT(5 * undecided, static_cast<int>(curve.points.size()));
}

// Located to 1e-9 of the scaled length of the curve, along which the multiplier rises by up to 1e4 (near 0.5819).
// Behind the fold at 0.755627 the motion is stable for 4e-5 of omega only: four changes with the one that ends this.
TEST(FloquetOfAStop, ChangesOfStabilityAreLocated) {
  const System system = stopped_masses();
  const Load load{"f", Eigen::Vector2d(0.0, 1.0), Signal(Sine{0.1, 1.0, 0.5 * pi})};
  PiecewiseResponses exact(system, {&load, 1}, {{0, 1}, 0});
  const FrequencyResponse curve = exact.answer(OverFrequency{.level = 1.0, .from = 0.8, .to = 0.5});
  int changes = 0;
  for (const SpecialPoint& special : curve.special) {
    if (special.kind != SpecialKind::stability) continue;
    ++changes;
    EXPECT_NEAR(*special.point.multiplier, 1.0, 1e-5) << special.point.orbit.omega;
  }
  EXPECT_EQ(changes, 4);
}

// Saturation is passed in a twentieth of the period, and the tangent has a corner where z passes zero. References:
// Runge-Kutta with 2e5 and 4e5 steps a period and central differences of the closed motion, 2e-6.
TEST(FloquetOfBoucWen, ErrorsHoldWhereTheLawSaturatesFast) {
  struct Oscillator {
    double damper, k0, alpha, beta, gamma, omega, multiplier;
  };
  for (const Oscillator& o : {Oscillator{0.0021365792388448068, 15.590329862536144, 0.02, 17.342069518008078,
                                         17.342069518008078, 1.6631465510090506, 0.604011},
                              Oscillator{0.0060905244725407322, 296.05367668466442, 0.1, 608.77156689381354, 0.0,
                                         1.5628337620169783, 0.069725}}) {
    const System system(
        LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {{-1, 0, o.damper}}, ModalDamping{}),
        {{"j", BoucWen<double>({o.k0, o.alpha, 1.0, o.beta, o.gamma, 1.0}), testing::between(1, -1, 0)}});
    HarmonicLoad load;
    load.force = Eigen::VectorXcd::Ones(1);
    const auto points =
        steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {o.omega}}, {{0}, -1}).points;
    ASSERT_EQ(points.size(), 1U);
    EXPECT_NEAR(*points[0].multiplier, o.multiplier, points[0].multiplier_error + 2e-6);
    EXPECT_LT(points[0].multiplier_error, 1e-3);
  }
}

// Multipliers that turn from one length of step to the next may have the same magnitude for both by chance: here
// 0.93508 and 0.93521 with 64 and 128 steps, where 0.92885 is right (shooting with 16384 steps, 3e-4).
TEST(FloquetOfThreeMasses, EqualMagnitudesByChance) {
  const System system(
      LinearStructure::lumped({0.328681759411593, 1.307992585246235, 1.5032124141052365}, {},
                              {{-1, 0, 23668.141678816807}, {0, 1, 2086.55641168456}, {1, 2, 10692.375143348394}}, {},
                              ModalDamping{{0.003530999173569883}}),
      {{"lap",
        BoucWen<double>(
            {7349.63525741909, 0.8627753530150921, 1.0, 24.2810258651322, 20.584870320985797, 1.7561551492638852}),
        testing::between(3, 1, 0)},
       {"stop", Gap<double>(22507.60786696068, 0.20028767768539507), testing::between(3, 2, 1)},
       {"spring", Linear<double>(101639.32808142468), testing::between(3, -1, 0)}});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Zero(3);
  load.force(2) = 3064.0394944628915;
  FrequencyResponseOptions options;
  options.tolerance = 1e-4;
  const auto points =
      steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {29.142267549900993}}, {{2}, -1}, options)
          .points;
  ASSERT_EQ(points.size(), 1U);
  EXPECT_NEAR(points[0].amplitude[0], 0.973552, 1e-4);
  EXPECT_NEAR(*points[0].multiplier, 0.92885, points[0].multiplier_error + 3e-4);
  EXPECT_LT(points[0].multiplier_error, 2e-3);
}

// Of 64 and 128 steps the magnitudes differ by 1.9e-5 while the multiplier turns by 2.4e-3: what is left is 1.2e-4. The
// right value is the product of four matrix exponentials between the corners of the motion (an integration to 1e-13).
TEST(FloquetOfTwoMasses, NearlyEqualMagnitudesByChance) {
  constexpr double corner = 0.30478683695485737, inner = 0.8892183624413574, outer = 3.3109103378204;
  const std::vector<double> u = {-2.0 * corner, -corner, corner, 2.0 * corner}, f = {-outer, -inner, inner, outer};
  const System system(LinearStructure::lumped({0.9117656711873033, 2.469190318057174}, {},
                                              {{-1, 0, 13.903503883874516}, {0, 1, 1.650823498509599}}, {},
                                              ModalDamping{{0.02177958931973447}}),
                      {{"corners", PiecewiseLinearSpring<double>(u, f), testing::between(2, 1, 0)}});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Zero(2);
  load.force(1) = 1.8219177355976657;
  FrequencyResponseOptions options;
  options.tolerance = 1e-4;
  const auto points =
      steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {1.0626106694458193}}, {{1}, -1}, options)
          .points;
  ASSERT_EQ(points.size(), 1U);
  EXPECT_NEAR(*points[0].multiplier, 0.91980881309, points[0].multiplier_error);
  EXPECT_LT(points[0].multiplier_error, 1e-3);
}

}  // namespace floquet_test
}  // namespace microslip
