// Equations of harmonic balance and frequency responses, against direct solutions and closed forms.

#include "microslip/periodic/harmonic_balance.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "support/by_shooting.hpp"
#include "support/paper_systems.hpp"
#include "support/steady_state.hpp"

namespace microslip {
namespace harmonic_balance_test {

constexpr double pi = std::numbers::pi;
using Complex = std::complex<double>;

enum class Kind { modal, rayleigh, absolute, dampers, matrix };

Eigen::MatrixXd some_matrix() {
  Eigen::MatrixXd c(3, 3);
  c << 0.5, -0.2, 0.1, -0.2, 0.4, 0.0, 0.1, 0.0, 0.3;
  return c;
}

/// Lacayo's three masses with a second joint, in every kind of damping.
System chain(Kind kind, const Law& first, const Law& second) {
  Damping damping = ModalDamping{{0.02, 0.03, 0.01}};
  std::vector<LumpedLink> dampers;
  if (kind == Kind::rayleigh) damping = RayleighDamping{0.01, 0.03};
  if (kind == Kind::absolute) damping = RayleighDamping{0.01, 0.03, true};
  if (kind == Kind::dampers) dampers = {{-1, 2, 0.3}, {0, 1, 0.2}};
  if (kind == Kind::matrix) damping = MatrixDamping{some_matrix()};
  return System(
      LinearStructure::lumped({10.0, 9.0, 8.0}, {}, {{-1, 0, 9.0}, {0, 1, 8.0}, {1, 2, 7.0}}, dampers, damping),
      {{"a", first, testing::between(3, 1, 2)}, {"b", second, testing::between(3, -1, 0)}});
}

/// C as it stands in M q'' + C q' + K q + B f = p.
Eigen::MatrixXd damping_matrix(const System& system, Kind kind) {
  const Eigen::MatrixXd m = system.structure().mass();
  const Eigen::MatrixXd phi = system.stuck_modes().shapes;
  if (kind == Kind::matrix) return some_matrix();
  if (kind == Kind::rayleigh || kind == Kind::absolute) return 0.01 * m + 0.03 * system.structure().stiffness();
  Eigen::MatrixXd c = m * phi *
                      (Eigen::Vector3d(0.04, 0.06, 0.02).cwiseProduct(system.stuck_modes().omega)).asDiagonal() *
                      phi.transpose() * m;
  for (const Damper& damper : system.structure().dampers()) {
    c += damper.coefficient * damper.direction * damper.direction.transpose();
  }
  return c;
}

HarmonicLoad force_load() {
  HarmonicLoad load;
  load.force = Eigen::VectorXcd(3);
  load.force << Complex(1.0, 0.2), Complex(0.0, -0.5), Complex(0.7, 0.0);
  return load;
}

class HarmonicBalanceOf : public ::testing::TestWithParam<Kind> {};

// Joints that are springs: (K + B k B^T - w^2 M + i w C)^-1 p, solved densely.
TEST_P(HarmonicBalanceOf, LinearStructuresIsTheDirectSolution) {
  const System system = chain(GetParam(), Linear<double>(2.0), Linear<double>(3.0));
  const double omega = 0.9, level = 1.7;
  HarmonicLoad load = force_load();
  load.ground = Eigen::VectorXcd::Constant(3, Complex(0.3, -0.4));
  load.constant = Eigen::Vector3d(0.1, 0.2, -0.3);
  HarmonicBalance balance(system, load, 3, 64);
  Eigen::VectorXd y = balance.linear_solution(omega, level);
  Eigen::VectorXd r;
  ASSERT_TRUE(balance.residual(y, omega, level, r, nullptr, nullptr, nullptr));
  EXPECT_LT(r.norm(), 1e-14 * y.norm());
  const Eigen::MatrixXd q = balance.displacements(y, omega, level, {0, 1, 2});
  const Eigen::MatrixXd k = system.structure().stiffness() +
                            system.directions() * system.stuck_joint_stiffness() * system.directions().transpose();
  const Eigen::MatrixXcd z = (k - omega * omega * system.structure().mass()).cast<Complex>() +
                             Complex(0.0, omega) * damping_matrix(system, GetParam()).cast<Complex>();
  // Relative to the ground: the load is w^2 M r g, and -i w a M r g where a M damps the absolute motion.
  const Complex inertia(omega * omega, GetParam() == Kind::absolute ? -0.01 * omega : 0.0);
  const Eigen::VectorXcd p = level * (load.force + inertia * system.structure().mass().cast<Complex>() * load.ground);
  const Eigen::VectorXcd expected = LuFactors<Complex>(z).solve(p) + level * load.ground;
  const Eigen::VectorXd still = solve_symmetric(k, load.constant);
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(q(0, d), still(d), 1e-13);
    EXPECT_NEAR(q(1, d), expected(d).real(), 1e-12);
    EXPECT_NEAR(q(2, d), -expected(d).imag(), 1e-12);
    EXPECT_NEAR(q(3, d), 0.0, 1e-13);
  }
}

// Central differences, d = 1e-6: rounding 1e-16/d and d^2 leave 1e-8 or less of the largest entry, where the force
// of the joints is smooth enough (see the tests of the transform).
TEST_P(HarmonicBalanceOf, DerivativesAgreeWithDifferences) {
  const System system = chain(GetParam(), Iwan4<double>(Iwan4Backbone<double>::from_physical(2.0, 3.0, -0.3, 1.0)),
                              Polynomial<double>({1.0, 0.2, 0.5}));
  const double omega = 0.8, level = 1.3;
  HarmonicLoad load = force_load();
  load.ground = Eigen::VectorXcd::Constant(3, Complex(0.3, -0.4));
  HarmonicBalance balance(system, load, 3, 256);
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  Eigen::VectorXd y = Eigen::VectorXd::NullaryExpr(balance.size(), [&] { return 0.3 * normal(generator); });
  y(1) = 1.0;
  y(balance.size() / 2 + 1) = 0.8;
  Eigen::VectorXd r, by_omega, by_level, more, less;
  Eigen::MatrixXd jacobian;
  ASSERT_TRUE(balance.residual(y, omega, level, r, &jacobian, &by_omega, &by_level));
  const double d = 1e-6;
  const auto compare = [&](const Eigen::VectorXd& derivative, double scale, const std::string& what) {
    EXPECT_LT((derivative - (more - less) / (2.0 * d)).cwiseAbs().maxCoeff(), 1e-6 * scale) << what;
  };
  const double scale = jacobian.cwiseAbs().maxCoeff();
  for (Eigen::Index c = 0; c < y.size(); ++c) {
    Eigen::VectorXd z = y;
    z(c) += d;
    ASSERT_TRUE(balance.residual(z, omega, level, more, nullptr, nullptr, nullptr));
    z(c) -= 2.0 * d;
    ASSERT_TRUE(balance.residual(z, omega, level, less, nullptr, nullptr, nullptr));
    compare(jacobian.col(c), scale, std::to_string(c));
  }
  ASSERT_TRUE(balance.residual(y, omega + d, level, more, nullptr, nullptr, nullptr));
  ASSERT_TRUE(balance.residual(y, omega - d, level, less, nullptr, nullptr, nullptr));
  compare(by_omega, by_omega.cwiseAbs().maxCoeff(), "omega");
  ASSERT_TRUE(balance.residual(y, omega, level + d, more, nullptr, nullptr, nullptr));
  ASSERT_TRUE(balance.residual(y, omega, level - d, less, nullptr, nullptr, nullptr));
  compare(by_level, by_level.cwiseAbs().maxCoeff(), "level");

  // And of the displacements, along a direction.
  const Eigen::VectorXd along = Eigen::VectorXd::NullaryExpr(y.size(), [&] { return normal(generator); });
  const Eigen::MatrixXd change = balance.displacement_changes(y, omega, level, along, 0.4, 0.2, {0, 2});
  const Eigen::MatrixXd up = balance.displacements(y + d * along, omega + 0.4 * d, level + 0.2 * d, {0, 2});
  const Eigen::MatrixXd down = balance.displacements(y - d * along, omega - 0.4 * d, level - 0.2 * d, {0, 2});
  EXPECT_LT((change - (up - down) / (2.0 * d)).cwiseAbs().maxCoeff(), 1e-6 * change.cwiseAbs().maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(Damping, HarmonicBalanceOf,
                         ::testing::Values(Kind::modal, Kind::rayleigh, Kind::absolute, Kind::dampers, Kind::matrix));

// ---- Duffing: q'' + 2 z q' + q + c q^3 = f cos(w t) ----

System duffing(double zeta, double c) {
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{zeta}}),
                {{"cubic", Polynomial<double>({0.0, 0.0, c}), testing::between(1, -1, 0)}});
}
HarmonicLoad unit_force() {
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Ones(1);
  return load;
}

// One harmonic gives the textbook's curve, [(1 - w^2 + 3/4 c A^2)^2 + (2 z w)^2] A^2 = f^2. Its folds solve dw/dA = 0,
// here found by bisection on the closed form w(A) of the branch beyond the peak; its peak has 1 - w^2 + 3/4 c A^2 = 2
// z^2.
TEST(FrequencyResponseOfDuffing, OneHarmonicIsTheTextbooksCurve) {
  const double zeta = 0.02, c = 0.8, f = 0.1;
  const System system = duffing(zeta, c);
  FrequencyResponseOptions options;
  options.harmonics = 1;
  options.samples = 64;
  const auto up =
      steady_vibration(system, unit_force(), OverFrequency{.level = f, .from = 0.4, .to = 2.2}, {{0}, 0}, options);
  ASSERT_EQ(up.ending, Ending::completed) << up.message;
  const auto balance = [&](double w, double a) {
    const double k = 1.0 - w * w + 0.75 * c * a * a;
    return (k * k + 4.0 * zeta * zeta * w * w) * a * a / (f * f) - 1.0;
  };
  for (const auto& p : up.points) EXPECT_NEAR(balance(p.orbit.omega, p.amplitude[0]), 0.0, 1e-9);
  EXPECT_EQ(up.points.front().orbit.omega, 0.4);
  EXPECT_EQ(up.points.back().orbit.omega, 2.2);

  // w^2 of the two branches at amplitude a: b -+ sqrt(b^2 - d).
  const auto omega_squared = [&](double a, double sign) {
    const double k = 1.0 + 0.75 * c * a * a;
    const double b = k - 2.0 * zeta * zeta;
    return b + sign * std::sqrt(b * b - k * k + f * f / (a * a));
  };
  // Golden section for the extremum of w over a on the upper branch (w > backbone): the lower fold.
  double low = 0.1, high = 1.0;
  for (int i = 0; i < 200; ++i) {
    const double a = high - 0.6180339887498949 * (high - low), b = low + 0.6180339887498949 * (high - low);
    (omega_squared(a, 1.0) < omega_squared(b, 1.0) ? high : low) =
        omega_squared(a, 1.0) < omega_squared(b, 1.0) ? b : a;
  }
  const double lower_fold = std::sqrt(omega_squared(0.5 * (low + high), 1.0));
  std::vector<double> folds, peaks;
  for (const auto& s : up.special) {
    if (s.kind == SpecialKind::fold) folds.push_back(s.point.orbit.omega);
    if (s.kind == SpecialKind::peak) {
      peaks.push_back(s.point.orbit.omega);
      const double w = s.point.orbit.omega, a = s.point.amplitude[0];
      EXPECT_NEAR(1.0 - w * w + 0.75 * c * a * a, 2.0 * zeta * zeta, 1e-6);
    }
  }
  ASSERT_EQ(folds.size(), 2U);
  ASSERT_EQ(peaks.size(), 1U);
  EXPECT_NEAR(folds[1], lower_fold, 1e-6 * lower_fold);
  EXPECT_GT(folds[0], peaks[0] * (1.0 - 1e-6));

  // The other way round: the same folds, in the opposite order.
  const auto down =
      steady_vibration(system, unit_force(), OverFrequency{.level = f, .from = 2.2, .to = 0.4}, {{0}, 0}, options);
  ASSERT_EQ(down.ending, Ending::completed) << down.message;
  std::vector<double> back;
  for (const auto& s : down.special) {
    if (s.kind == SpecialKind::fold) back.push_back(s.point.orbit.omega);
  }
  ASSERT_EQ(back.size(), 2U);
  EXPECT_NEAR(back[0], folds[1], 1e-6);
  EXPECT_NEAR(back[1], folds[0], 1e-6);
}

// Between the folds the middle branch is unstable, the others are not; a multiplier is 1 at a fold. The integration of
// the disturbances is of second order in its 128 steps: (2 pi/128)^2/12 = 2e-4 of what changes over a period.
TEST(FrequencyResponseOfDuffing, MiddleBranchIsUnstable) {
  const System system = duffing(0.02, 0.8);
  const auto curve =
      steady_vibration(system, unit_force(), OverFrequency{.level = 0.1, .from = 0.7, .to = 2.2}, {{0}, 0});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  std::vector<double> folds;
  for (const auto& s : curve.special) {
    EXPECT_NE(s.kind, SpecialKind::stability);
    if (s.kind != SpecialKind::fold) continue;
    folds.push_back(s.point.orbit.omega);
    const auto multipliers = Floquet(system, 2048).multipliers(s.point.orbit);
    EXPECT_NEAR(std::abs(multipliers(0) - 1.0), 0.0, 1e-3);
  }
  ASSERT_EQ(folds.size(), 2U);
  int unstable = 0;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const double from = curve.points[i - 1].orbit.omega, to = curve.points[i].orbit.omega;
    const bool middle = to < from && from < folds[0] * (1 - 1e-3) && to > folds[1] * (1 + 1e-3);
    const bool outer = to > from;
    if (middle) {
      EXPECT_GT(*curve.points[i].multiplier, 1.0) << to;
    }
    if (outer && (to < folds[0] * (1 - 1e-3) || curve.points[i].amplitude[0] < 0.5)) {
      EXPECT_LT(*curve.points[i].multiplier, 1.0 + (std::abs(to - folds[1]) < 2e-3 ? 1e-2 : 0.0)) << to;
    }
    unstable += *curve.points[i].multiplier > 1.0;
  }
  EXPECT_GT(unstable, 5);
}

// Liouville: the product of all multipliers of an oscillator with a spring is exp(-2 zeta omega_0 T).
TEST(Floquet, ProductOfMultipliersFollowsFromTheDamping) {
  const System system = duffing(0.02, 0.8);
  const auto points = steady_vibration(system, unit_force(), AtFrequencies{.level = 0.1, .omegas = {1.3}}, {{0}, -1});
  ASSERT_EQ(points.points.size(), 1U);
  const auto multipliers = Floquet(system, 1024).multipliers(points.points[0].orbit);
  const double period = 2.0 * pi / 1.3;
  EXPECT_NEAR(std::abs(multipliers(0) * multipliers(1)), std::exp(-0.04 * period), 1e-5);  // (2 pi/1024)^2/12 = 3e-6
}

// The same with a spring of straight lines, whose tangent jumps four times a period.
TEST(Floquet, CornersOfASpringAreEvents) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                      {{"s", PiecewiseLinearSpring<double>({-1.2, -0.2, 0.2, 1.2}, {-1.0, 0.0, 0.0, 1.0}),
                        testing::between(1, -1, 0)}});
  const auto points = steady_vibration(system, unit_force(), AtFrequencies{.level = 0.1, .omegas = {1.1}}, {{0}, -1});
  ASSERT_EQ(points.points.size(), 1U);
  EXPECT_GT(points.points[0].amplitude[0], 0.2);
  const auto multipliers = Floquet(system, 1024).multipliers(points.points[0].orbit);
  const double period = 2.0 * pi / 1.1;
  EXPECT_NEAR(std::abs(multipliers(0) * multipliers(1)), std::exp(-0.04 * period), 1e-5);
}

// A gap written as straight lines, numbers that are exact in binary: the same to the rounding of k u - k g.
TEST(HarmonicBalance, AGapOfStraightLinesIsAGap) {
  const auto system = [](const Law& stop) { return chain(Kind::modal, stop, Linear<double>(0.5)); };
  const System gap = system(Gap<double>(4.0, 0.25));
  const System lines = system(PiecewiseLinearSpring<double>({-1.0, 0.25, 1.25}, {0.0, 0.0, 4.0}));
  HarmonicLoad load;
  load.force = Eigen::Vector3cd(1.0, 2.0, {-1.0, 0.3});
  HarmonicBalance a(gap, load, 5, 64), b(lines, load, 5, 64);
  Eigen::VectorXd y = Eigen::VectorXd::LinSpaced(a.size(), 0.6, -0.1), ra(a.size()), rb(a.size());
  ASSERT_EQ(a.size(), b.size());
  ASSERT_TRUE(a.residual(y, 0.7, 1.0, ra, nullptr, nullptr, nullptr));
  ASSERT_TRUE(b.residual(y, 0.7, 1.0, rb, nullptr, nullptr, nullptr));
  EXPECT_LE((ra - rb).cwiseAbs().maxCoeff(), 1e-13 * ra.cwiseAbs().maxCoeff());
}

TEST(HarmonicBalance, SeriesOfLoadsAreRefusedWithTheMethodThatTakesThem) {
  const System system = duffing(0.02, 0.8);
  const Load load{"p", Eigen::VectorXd::Ones(1), Signal(Fourier{1.0, 0.0, {1.0}, {}})};
  try {
    static_cast<void>(harmonic_load(system, {&load, 1}));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "load \"p\": a signal of kind fourier needs method = \"piecewise_linear\"; harmonic balance and "
                 "shooting take sine and constant");
  }
}

// ---- free structures ----

TEST(HarmonicBalance, RigidModesNeedNoMeanPosition) {
  // Two masses and a spring, free: under (p, 0) mass 2 moves by p k/(w^2 m (w^2 m - 2 k)) with m = 1.
  const System system(LinearStructure::lumped({1.0, 1.0}, {}, {{0, 1, 2.0}}, {}, ModalDamping{}),
                      {{"s", Linear<double>(1.0), testing::between(2, 0, 1)}});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Zero(2);
  load.force(0) = 1.0;
  const auto result = steady_vibration(system, load, AtFrequencies{.level = 0.5, .omegas = {1.5}}, {{0, 1}, -1});
  ASSERT_EQ(result.points.size(), 1U) << result.message;
  const double w2 = 2.25, k = 3.0;
  EXPECT_NEAR(result.points[0].amplitude[1], std::abs(0.5 * k / (w2 * (w2 - 2.0 * k))), 1e-13);
}

TEST(HarmonicBalance, AJointThatMovesARigidModeIsRefused) {
  const System system(LinearStructure::lumped({1.0, 1.0}, {}, {{0, 1, 2.0}}, {}, ModalDamping{}),
                      {{"stop", Gap<double>(1.0, 0.1), testing::between(2, -1, 1)}});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Ones(2);
  EXPECT_THROW(HarmonicBalance(system, load, 3, 64), std::invalid_argument);
}

// A mass that only friction holds, slipping all around its cycle: its mean position is open, its half-range is not.
// Against the integration from rest, of second order in its step.
TEST(HarmonicBalance, AMassThatOnlyFrictionHolds) {
  const System system(LinearStructure::lumped({1.0}, {}, {}, {}, ModalDamping{{0.05}}),
                      {{"f", Jenkins<double>(1.0, 0.5), testing::between(1, -1, 0)}});
  const double omega = 0.7;
  FrequencyResponseOptions options;
  options.tolerance = 1e-6;
  const auto result =
      steady_vibration(system, unit_force(), AtFrequencies{.level = 0.8, .omegas = {omega}}, {{0}, -1}, options);
  ASSERT_EQ(result.points.size(), 1U) << result.message;
  EXPECT_GT(result.points[0].amplitude[0], 0.5);  // slips
  EXPECT_NEAR(*result.points[0].multiplier, 1.0, 1e-9);
  EXPECT_TRUE(result.points[0].stable());
  const Load load = testing::cosine(Eigen::VectorXd::Ones(1), 0.8, omega);
  const auto coarse = testing::integrate_to_steady_state(system, {&load, 1}, omega, 300, 200, 0, 1);
  const auto fine = testing::integrate_to_steady_state(system, {&load, 1}, omega, 300, 400, 0, 1);
  EXPECT_NEAR(result.points[0].amplitude[0], fine.amplitude, std::abs(fine.amplitude - coarse.amplitude) + 2e-6);
}

// ---- errors and their estimates ----

// Against many more harmonics: the estimate is of the size of the error (it leaves out how the harmonics act on each
// other), within a factor of 3 either way here.
TEST(HarmonicBalance, EstimatesItsTruncationError) {
  const System system = testing::three_masses(ModalDamping{{0.01}});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Zero(3);
  load.force(2) = 1.0;
  FrequencyResponseOptions exact;
  exact.harmonics = 61;
  exact.samples = 1024;
  exact.stability = false;
  const auto reference = steady_vibration(system, load, AtFrequencies{.level = 3.0, .omegas = {0.4}}, {{2}, -1}, exact);
  for (const int harmonics : {3, 7, 13}) {
    FrequencyResponseOptions options = exact;
    options.harmonics = harmonics;
    const auto result =
        steady_vibration(system, load, AtFrequencies{.level = 3.0, .omegas = {0.4}}, {{2}, -1}, options);
    const auto displacement = [&](const PeriodicOrbit& orbit) -> Eigen::VectorXd {
      HarmonicBalance balance(system, load, orbit.harmonics, 1024);
      const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(orbit.deflection.data(), orbit.deflection.size());
      return balance.displacements(y, orbit.omega, orbit.level, {2}).col(0);
    };
    const Eigen::VectorXd a = displacement(result.points[0].orbit), b = displacement(reference.points[0].orbit);
    const double error = std::hypot(b.tail(b.size() - a.size()).norm(), (a - b.head(a.size())).norm()) / b.norm();
    EXPECT_LT(error, 3.0 * result.points[0].errors.truncation) << harmonics;
    EXPECT_GT(error, result.points[0].errors.truncation / 3.0) << harmonics;
  }
}

// The friction's harmonic 51 meets the light mode of a small mass, and is looked for with nine harmonics too: the
// estimate holds within a factor of 3. It may be larger, since at the peak the mean tangent of the joint decides, but
// not without bound.
TEST(HarmonicBalance, AFarHarmonicMeetsALightMode) {
  constexpr double small = 0.01, around = 0.7;
  const double spring = small * std::pow(51.0 * around, 2) - 0.3;
  const System system(
      LinearStructure::lumped({1.0, small}, {}, {{-1, 0, 1.0}, {0, 1, spring}}, {}, ModalDamping{{1e-4}}),
      {{"j", Jenkins<double>(0.5, 0.2), testing::between(2, -1, 1)}});
  HarmonicLoad load;
  load.force = Eigen::Vector2cd(0.5, 0.0);
  FrequencyResponseOptions options;
  options.stability = false;
  options.samples = 512;
  double harmonic51 = 0.0;
  for (const double omega : {1.004 * around, 1.006 * around}) {
    options.harmonics = 61;
    const auto exact =
        steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {omega}}, {{1}, -1}, options);
    options.harmonics = 9;
    const auto few = steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {omega}}, {{1}, -1}, options);
    const Eigen::VectorXd a = exact.points[0].orbit.deflection.col(0), b = few.points[0].orbit.deflection.col(0);
    const double error = std::hypot(a.tail(a.size() - b.size()).norm(), (a.head(b.size()) - b).norm()) / a.norm();
    EXPECT_LT(error, 3.0 * few.points[0].errors.truncation) << omega;
    EXPECT_LT(few.points[0].errors.truncation, 30.0 * error) << omega;
    harmonic51 = std::max(harmonic51, std::hypot(a(101), a(102)) / a.norm());
  }
  EXPECT_GT(harmonic51, 5e-3);  // of which harmonics up to 29 show nothing
}

// Harmonics left out add up where a displacement is largest: 1.07e-5 was told for 2.4e-5. Against exact arcs; to first
// order in what is left out.
TEST(HarmonicBalance, EstimatesTheErrorOfTheAmplitude) {
  const std::vector<double> u = {-2.0, -1.0, 1.0, 2.0}, f = {-4.0, -1.0, 1.0, 4.0};
  const System system(LinearStructure::lumped({0.8, 1.0}, {}, {{-1, 0, 8.0}, {0, 1, 8.0}}, {}, ModalDamping{{0.012}}),
                      {{"j", PiecewiseLinearSpring<double>(u, f), testing::between(2, -1, 0)}});
  const Load force = testing::cosine(Eigen::Vector2d(0.0, 1.0), 5.0, 1.0);
  PiecewiseResponses arcs(system, {&force, 1}, {{0, 1}, -1});
  HarmonicLoad load;
  load.force = Eigen::Vector2cd(0.0, 5.0);
  for (const double omega : {1.1, 1.3, 2.4}) {
    const FrequencyResponse exact = arcs.answer(AtFrequencies{.level = 1.0, .omegas = {omega}});
    ASSERT_EQ(exact.points.size(), 1U) << exact.message;
    for (const int harmonics : {9, 15, 21}) {
      FrequencyResponseOptions options;
      options.stability = false;
      options.harmonics = harmonics;
      options.samples = 512;
      const auto result =
          steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {omega}}, {{0, 1}, -1}, options);
      const ResponsePoint& point = result.points[0];
      const double size = *std::max_element(point.amplitude.begin(), point.amplitude.end());
      double largest = 0.0;
      for (std::size_t k = 0; k < 2; ++k) {
        const double off = std::abs(point.amplitude[k] - exact.points[0].amplitude[k]) / size;
        EXPECT_LT(off, 1.5 * point.errors.truncation + 1e-12) << omega << ", " << harmonics << " harmonics, dof " << k;
        largest = std::max(largest, off);
      }
      // Amplitudes may be right by chance, where harmonics that are left out meet their zeros.
      EXPECT_LT(point.errors.truncation, 30.0 * std::max(largest, 1e-9)) << omega << ", " << harmonics << " harmonics";
    }
  }
}

TEST(FrequencyResponse, ReachesTheToleranceItIsGiven) {
  const System system = testing::shetty_oscillator();
  HarmonicLoad load = unit_force();
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    FrequencyResponseOptions options;
    options.tolerance = tolerance;
    const auto result =
        steady_vibration(system, load, OverFrequency{.level = 5.0, .from = 280.0, .to = 330.0}, {{0}, 0}, options);
    ASSERT_EQ(result.ending, Ending::completed) << result.message;
    EXPECT_LE(result.largest_errors().truncation, tolerance);
    EXPECT_LE(result.largest_errors().quadrature, tolerance);
    EXPECT_EQ(result.message, "");
  }
}

// Downwards from between the folds of a hardening spring the curve of small motions turns back (undamped at
// f = 4/9 (w^2 - 1)^1.5, w = 1.110) and leaves the range where it began. It goes on behind the fold, as a slow sweep
// does, and all points are those of the textbook's curve.
TEST(FrequencyResponseOfDuffing, GoesOnBehindTheFoldWhereItLeavesAtItsStart) {
  const double zeta = 0.02, f = 0.05;
  const System system = duffing(zeta, 1.0);
  FrequencyResponseOptions options;
  options.harmonics = 1;
  options.samples = 64;
  const auto down =
      steady_vibration(system, unit_force(), OverFrequency{.level = f, .from = 1.2, .to = 0.8}, {{0}, -1}, options);
  ASSERT_EQ(down.ending, Ending::completed) << down.message;
  EXPECT_NE(down.message.find("left the range at its start, omega = 1.2; the curve goes on at omega"),
            std::string::npos)
      << down.message;
  for (const auto& p : down.points) {
    const double w = p.orbit.omega, a = p.amplitude[0], k = 1.0 - w * w + 0.75 * a * a;
    EXPECT_NEAR((k * k + 4.0 * zeta * zeta * w * w) * a * a / (f * f), 1.0, 1e-9) << w;
  }
  EXPECT_EQ(down.points.back().orbit.omega, 0.8);
  double fold = 0.0, jump = 0.0;
  for (const auto& special : down.special) {
    if (special.kind == SpecialKind::fold) fold = special.point.orbit.omega;
    if (special.kind == SpecialKind::jump) jump = special.point.orbit.omega;
  }
  EXPECT_NEAR(fold, 1.110, 0.01);  // damping turns the force by some degrees: 1 % is more than that does to it
  EXPECT_EQ(jump, fold);
}

// Two masses alike, each with a slider, and a slider between them that symmetry keeps at rest: its deflection is
// rounding of the others', and no curve is lost for it. The motion is that of one of them, up to the rounding of what
// moves.
TEST(FrequencyResponse, OfAJointThatSymmetryKeepsAtRest) {
  const Law slider = Jenkins<double>(0.3, 0.05);
  const System one(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {{-1, 0, 0.05}}, ModalDamping{}),
                   {{"a", slider, testing::between(1, -1, 0)}});
  const System two(LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 1.0}, {0, 1, 0.5}, {-1, 1, 1.0}},
                                           {{-1, 0, 0.05}, {-1, 1, 0.05}}, ModalDamping{}),
                   {{"a", slider, testing::between(2, -1, 0)},
                    {"b", slider, testing::between(2, -1, 1)},
                    {"between", slider, testing::between(2, 0, 1)}});
  HarmonicLoad both;
  both.force = Eigen::Vector2cd(1.0, 1.0);
  FrequencyResponseOptions options;
  options.harmonics = 5;
  options.stability = false;
  const auto response =
      steady_vibration(two, both, OverFrequency{.level = 0.1, .from = 0.7, .to = 1.3}, {{0}, -1}, options);
  ASSERT_EQ(response.ending, Ending::completed) << response.message;
  EXPECT_EQ(response.message, "");
  EXPECT_EQ(response.points.back().orbit.omega, 1.3);
  std::vector<double> omegas;
  for (const ResponsePoint& point : response.points) {
    EXPECT_LT(point.orbit.deflection.col(2).norm(), 1e-12 * point.orbit.deflection.norm());
    omegas.push_back(point.orbit.omega);
  }
  const auto alone =
      steady_vibration(one, unit_force(), AtFrequencies{.level = 0.1, .omegas = omegas}, {{0}, -1}, options);
  ASSERT_EQ(alone.points.size(), omegas.size()) << alone.message;
  for (std::size_t i = 0; i < omegas.size(); ++i) {  // Newton leaves less than the square of 1e-7
    EXPECT_NEAR(response.points[i].amplitude[0], alone.points[i].amplitude[0], 1e-10) << omegas[i];
  }
}

// Where the growth of the load to the first motion folds, there are several: single frequencies and curves tell, by
// both methods. At 1.5 the hardening spring bends the resonance over under 0.8, and under 0.001 it is linear.
TEST(FrequencyResponse, TellsThatTheGrowthFolds) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.01}}),
                      {{"j", Polynomial<double>({0.0, 0.0, 1.0}), testing::between(1, -1, 0)}});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Ones(1);
  FrequencyResponseOptions options;
  options.tolerance = 1e-3;
  options.stability = false;
  const ResponseRecord record{{0}, -1};
  for (const double level : {0.8, 0.001}) {
    const SteadyRequest requests[] = {AtFrequencies{.level = level, .omegas = {1.5}},
                                      OverFrequency{.level = level, .from = 1.5, .to = 1.51},
                                      OverLevel{.omega = 1.5, .from = level, .to = 1.01 * level}};
    for (const SteadyRequest& request : requests) {
      for (const FrequencyResponseOptions& method : {options, testing::by_shooting(options)}) {
        const FrequencyResponse result = steady_vibration(system, load, request, record, method);
        EXPECT_EQ(result.ending, Ending::completed) << result.message;
        EXPECT_EQ(result.message, "");
        EXPECT_EQ(result.folded_growth, level > 0.1 ? std::vector<double>{1.5} : std::vector<double>{});
        EXPECT_EQ(result.remark.find("several motions at omega = 1.5: ") == 0, level > 0.1) << result.remark;
      }
    }
  }
  // What was found before it was stopped is told.
  const auto stopped = steady_vibration(system, load, AtFrequencies{.level = 0.8, .omegas = {1.5, 1.6}}, record,
                                        options, [](double fraction) { return fraction < 0.5; });
  EXPECT_EQ(stopped.message, "interrupted");
  EXPECT_EQ(stopped.remark.find("several motions at 1 of 2 frequencies"), 0U) << stopped.remark;
}

// A larger distance or a steeper curve never make the error less, across the tenth where first order ends.
TEST(FrequencyResponse, ErrorsAtAPointGrowWithWhatTheyAreMadeOf) {
  double last = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double steepness = 1.0 + 0.05 * i;
    const double error = HarmonicBalance::Errors{0.02, 0.03, steepness}.at_point();
    EXPECT_GE(error, last);
    EXPECT_NEAR(error, std::min(0.1, 0.05 * steepness), 1e-15);
    last = error;
  }
  EXPECT_EQ((HarmonicBalance::Errors{0.3, 0.0, std::numeric_limits<double>::infinity()}.at_point()), 0.3);
}

// A small motion with friction about a place far away: the corrected motion has the harmonics of the same one about the
// origin, as far as the mean leaves digits, 2e-9 of the motion. A hundred thousandth was left out.
TEST(HarmonicBalance, HarmonicsOfASmallMotionAboutALargeMean) {
  constexpr double small = 1e-7, omega = 0.7;
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                      {{"j", Jenkins<double>(0.8, 0.3 * small), testing::between(1, -1, 0)}});
  HarmonicLoad load = unit_force();
  FrequencyResponseOptions options;
  options.harmonics = 5;
  const auto result =
      steady_vibration(system, load, AtFrequencies{.level = small, .omegas = {omega}}, {{0}, -1}, options);
  ASSERT_EQ(result.points.size(), 1U) << result.message;
  const Eigen::MatrixXd motion = result.points[0].orbit.deflection;
  const auto corrected = [&](double mean) {
    load.constant = Eigen::VectorXd::Constant(1, mean);  // on a spring of 1; the slider goes along
    HarmonicBalance balance(system, load, 5, result.points[0].samples);
    Eigen::VectorXd y = motion.col(0);
    y(0) += mean;
    PeriodicOrbit better;
    static_cast<void>(balance.errors(y, omega, small, {0}, nullptr, &better));
    return better;
  };
  const PeriodicOrbit centred = corrected(0.0), away = corrected(1.0);
  ASSERT_GT(std::abs(away.deflection(0, 0)), 0.5);
  double left_out = 0.0;
  for (int h = away.harmonics + 1; h <= centred.harmonics; ++h) {
    left_out += centred.deflection.col(0).segment(2 * h - 1, 2).norm();
  }
  EXPECT_LT(left_out, 1e-8 * centred.deflection.bottomRows(2 * centred.harmonics).norm());
}

TEST(FrequencyResponse, StopsWhenAsked) {
  const System system = testing::shetty_oscillator();
  int calls = 0;
  const auto result = steady_vibration(system, unit_force(), OverFrequency{.level = 5.0, .from = 280.0, .to = 330.0},
                                       {{0}, 0}, {}, [&](double) { return ++calls < 5; });
  EXPECT_EQ(result.ending, Ending::interrupted);
  EXPECT_EQ(result.points.size(), 5U);
}

TEST(FrequencyResponse, RefusesWhatMakesNoSense) {
  const System system = testing::shetty_oscillator();
  const HarmonicLoad load = unit_force();
  const SteadyRequest requests[] = {
      OverFrequency{.level = 0.0, .from = 1.0, .to = 2.0},
      OverFrequency{.level = 1.0, .from = 2.0, .to = 2.0},
      OverFrequency{.level = 1.0, .from = 0.0, .to = 2.0},
      ThroughFrequency{.level = 1.0, .omega = 3.0, .from = 1.0, .to = 2.0},
      ThroughFrequency{.level = 1.0, .omega = 1.5, .from = -1.0, .to = 2.0},
      OverLevel{.omega = 0.0, .from = 1.0, .to = 2.0},
      OverLevel{.omega = 1.0, .from = -1.0, .to = 2.0},
      AtFrequencies{.level = 1.0, .omegas = {-1.0}},
      AtFrequencies{.level = std::numeric_limits<double>::infinity(), .omegas = {1.0}},
  };
  const SteadyRequest right = AtFrequencies{.level = 1.0, .omegas = {1.0}};
  const ResponseRecord records[] = {{{4}, 0}, {{99}, -1}, {{-1}, -1}, {{0}, 4}};
  for (const FrequencyResponseOptions& options : {FrequencyResponseOptions{}, testing::by_shooting()}) {
    const auto refused = [&](const SteadyRequest& request, const ResponseRecord& record) {
      EXPECT_THROW(static_cast<void>(steady_vibration(system, load, request, record, options)), std::invalid_argument);
    };
    for (const SteadyRequest& request : requests) refused(request, {{0}, 0});
    for (const ResponseRecord& record : records) refused(right, record);
  }
  FrequencyResponseOptions options = testing::by_shooting();
  options.steps = 8;
  EXPECT_THROW(static_cast<void>(steady_vibration(system, load, right, {{0}, 0}, options)), std::invalid_argument);
  options = {};
  options.solver = HarmonicSolver::fixed_point;
  const SteadyRequest curve = OverFrequency{.level = 1.0, .from = 1.0, .to = 2.0};
  EXPECT_THROW(static_cast<void>(steady_vibration(system, load, curve, {{0}, 0}, options)), std::invalid_argument);
}

}  // namespace harmonic_balance_test
}  // namespace microslip
