// Isolas: curves over frequency that are detached from the one that the start of the range leads to.

#include "microslip/periodic/isolas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/curve_distance.hpp"
#include "microslip/periodic/orbit_history.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace isolas_test {

using testing::between;
using Complex = std::complex<double>;

constexpr double from = 0.7, to = 1.2;

/// A mass on a spring and a light one on it by a weak spring, a damper and a cubic spring: a nonlinear absorber.
struct Absorber {
  double mass = 0.05, stiffness = 0.005, cubic = 0.05, damper = 0.02, own_damper = 0.005;

  [[nodiscard]] System system() const {
    return {LinearStructure::lumped({1.0, mass}, {}, {{-1, 0, 1.0}, {0, 1, stiffness}},
                                    {{-1, 0, damper}, {0, 1, own_damper}}, ModalDamping{}),
            {{"cubic", Polynomial<double>({0.0, 0.0, cubic}), between(2, 0, 1)}}};
  }

  // One harmonic, u = q2 - q1, Z = |U|^2: U (1 + 3/4 cubic Z D) = level L, so that
  //   p(Z) = Z |1 + 3/4 cubic Z D|^2 - level^2 |L|^2 = 0,
  // a cubic with three positive roots where its discriminant is positive.
  struct Cubic {
    double a, b, c, d;
    [[nodiscard]] double discriminant() const {
      return 18.0 * a * b * c * d - 4.0 * b * b * b * d + b * b * c * c - 4.0 * a * c * c * c - 27.0 * a * a * d * d;
    }
    [[nodiscard]] double at(double z) const { return ((a * z + b) * z + c) * z + d; }
    /// Between the extrema of p, where there are two, lies the middle root.
    [[nodiscard]] double middle() const {
      const double root = std::sqrt(b * b - 3.0 * a * c);
      double low = (-b - root) / (3.0 * a), high = (-b + root) / (3.0 * a);
      for (int i = 0; i < 100; ++i) {
        const double z = 0.5 * (low + high);
        (at(z) > 0.0 ? low : high) = z;
      }
      return low;
    }
  };
  [[nodiscard]] Cubic cubic_at(double omega, double level) const {
    const Complex i(0.0, 1.0);
    const Complex k11 = 1.0 + stiffness - omega * omega + i * omega * (damper + own_damper);
    const Complex k12 = -stiffness - i * omega * own_damper;
    const Complex k22 = stiffness - omega * omega * mass + i * omega * own_damper;
    const Complex det = k11 * k22 - k12 * k12;
    const Complex loaded = -(k12 + k22) / det, d = 0.75 * cubic * (k11 + 2.0 * k12 + k22) / det;
    return {std::norm(d), 2.0 * d.real(), 1.0, -level * level * std::norm(loaded)};
  }
  /// Where the number of motions changes between one and three, from below and from above.
  [[nodiscard]] double end(double level, double one, double three) const {
    for (int i = 0; i < 100; ++i) {
      const double omega = 0.5 * (one + three);
      (cubic_at(omega, level).discriminant() > 0.0 ? three : one) = omega;
    }
    return 0.5 * (one + three);
  }
};

HarmonicLoad at_the_first() {
  HarmonicLoad load;
  load.force = Eigen::Vector2cd(1.0, 0.0);
  return load;
}

FrequencyResponse response_of(const System& system, double level, const FrequencyResponseOptions& options,
                              double low = from, double high = to) {
  return steady_vibration(system, at_the_first(), OverFrequency{.level = level, .from = low, .to = high}, {{0, 1}, 0},
                          options);
}

FrequencyResponseOptions with_isolas(int harmonics) {
  FrequencyResponseOptions options;
  options.harmonics = harmonics;
  options.isolas = 10.0;
  return options;
}

double squared(const ResponsePoint& point) {
  return point.orbit.deflection.col(0).segment(1, 2).squaredNorm();
}

// Newton leaves less than the square of 1e-7 (curve_tolerance); folds are located to 1e-9 of the curve.
TEST(Isolas, OfAnAbsorberWithOneHarmonic) {
  constexpr double level = 0.03;
  const Absorber absorber;
  FrequencyResponseOptions options = with_isolas(1);
  options.stability = false;
  const FrequencyResponse response = response_of(absorber.system(), level, options);
  ASSERT_EQ(response.ending, Ending::completed) << response.message;
  ASSERT_EQ(response.detached.size(), 1U) << response.remark;
  const DetachedCurve& isola = response.detached.front();
  EXPECT_TRUE(isola.closed);
  EXPECT_NE(response.remark.find("closed (an isola)"), std::string::npos) << response.remark;
  EXPECT_NEAR(isola.from, absorber.end(level, from, 0.9), 1e-8);
  EXPECT_NEAR(isola.to, absorber.end(level, 1.0, 0.9), 1e-8);
  std::array<int, 2> points{}, above{};
  for (const ResponsePoint& point : response.points) {
    const double omega = point.orbit.omega, z = squared(point);
    const Absorber::Cubic cubic = absorber.cubic_at(omega, level);
    EXPECT_NEAR(cubic.at(z) / cubic.d, 0.0, 1e-8) << omega;
    ++points.at(static_cast<std::size_t>(point.piece));
    if (omega > isola.from && omega < isola.to && z > 0.999 * cubic.middle()) {
      ++above.at(static_cast<std::size_t>(point.piece));
    }
  }
  EXPECT_GT(points[1], 18);  // a circle in turns of 0.35 rad
  EXPECT_EQ(above[1], points[1]);
  EXPECT_EQ(above[0], 0);
  const ResponsePoint& first = *std::ranges::find(response.points, 1, &ResponsePoint::piece);
  EXPECT_NEAR(response.points.back().orbit.omega, first.orbit.omega, 1e-9);  // back at its beginning
  EXPECT_NEAR(squared(response.points.back()), squared(first), 1e-8 * squared(first));
  int folds = 0;
  for (const SpecialPoint& special : response.special) {
    folds += special.point.piece == 1 && special.kind == SpecialKind::fold ? 1 : 0;
  }
  EXPECT_EQ(folds, 2);
}

// Before the isola is born, and after it has met the response. By the closed form there are three motions nowhere below
// the first resonance at level 0.02, and at 0.056 the lower and the middle one meet there at the higher end.
TEST(Isolas, AreNotThereBelowAndAbove) {
  const Absorber absorber;
  for (double omega = from; omega < 0.98; omega += 1e-3) {
    ASSERT_LT(absorber.cubic_at(omega, 0.02).discriminant(), 0.0);
  }
  const Absorber::Cubic meeting = absorber.cubic_at(absorber.end(0.056, 1.0, 0.9) - 1e-6, 0.056);
  ASSERT_LT(meeting.middle(), -meeting.b / (3.0 * meeting.a));  // below the mean of the three
  FrequencyResponseOptions options = with_isolas(1);
  options.stability = false;
  for (const double level : {0.02, 0.056}) {
    const FrequencyResponse response = response_of(absorber.system(), level, options, 0.6, 1.3);
    EXPECT_EQ(response.ending, Ending::completed) << response.message;
    EXPECT_TRUE(response.detached.empty()) << level << ": " << response.remark;
    EXPECT_NE(response.remark.find("no curve detached"), std::string::npos) << response.remark;
    EXPECT_TRUE(std::ranges::all_of(response.points, [](const ResponsePoint& p) { return p.piece == 0; }));
  }
}

// Just born it is narrower than the sweeps are apart (0.04): their folds lead there.
TEST(Isolas, NarrowOnes) {
  const Absorber absorber;
  const auto widest = [&](double level) {
    int inside = 0;
    for (double omega = 0.85; omega < 0.98; omega += 1e-4) {
      inside += absorber.cubic_at(omega, level).discriminant() > 0.0 ? 1 : 0;
    }
    return inside * 1e-4;
  };
  double none = 0.02, wide = 0.024;
  while (widest(wide) > 0.01) {
    const double level = 0.5 * (none + wide);
    (widest(level) > 0.0 ? wide : none) = level;
  }
  ASSERT_GT(widest(wide), 0.0);
  FrequencyResponseOptions options = with_isolas(1);
  options.stability = false;
  const FrequencyResponse response = response_of(absorber.system(), wide, options);
  ASSERT_EQ(response.detached.size(), 1U) << response.remark;
  EXPECT_TRUE(response.detached.front().closed);
  EXPECT_NEAR(response.detached.front().to - response.detached.front().from, widest(wide), 2e-4);
}

// A narrow isola above folds of another part of the structure: a hardening oscillator of its own, whose curve over the
// level turns back and forth below the level asked for at every frequency of the range. Under one harmonic, with z its
// squared amplitude, p(z) = z ((k + 3/4 cubic z - omega^2)^2 + (c omega)^2), the squared force, has two extrema.
TEST(Isolas, NarrowOnesAboveOtherFolds) {
  const Absorber absorber;
  constexpr double spring = 0.49, cubic = 1.0, damper = 0.01, level = 0.02275, low = 0.832, high = 1.012;
  const auto folds = [&](double omega) {
    const double a = spring - omega * omega, b = 0.75 * cubic, c = damper * omega;
    const double root = std::sqrt(a * a - 3.0 * c * c);
    const auto force = [&](double z) { return std::sqrt(z * ((a + b * z) * (a + b * z) + c * c)); };
    return std::array<double, 2>{force((-2.0 * a - root) / (3.0 * b)), force((-2.0 * a + root) / (3.0 * b))};
  };
  const double share = 0.2 / level;  // of the force on the other mass
  for (double omega = low; omega <= high; omega += 0.01) {
    ASSERT_LT(folds(omega)[0], share * level) << omega;
    ASSERT_GT(folds(omega)[1], 0.02 * share * level) << omega;  // where the sweeps begin
  }
  double narrowest = high, widest = low;
  for (double omega = low; omega < high; omega += 1e-4) {
    if (absorber.cubic_at(omega, level).discriminant() <= 0.0) continue;
    narrowest = std::min(narrowest, omega);
    widest = std::max(widest, omega);
  }
  ASSERT_GT(widest, narrowest);
  const System system(LinearStructure::lumped(
                          {1.0, absorber.mass, 1.0}, {}, {{-1, 0, 1.0}, {0, 1, absorber.stiffness}, {-1, 2, spring}},
                          {{-1, 0, absorber.damper}, {0, 1, absorber.own_damper}, {-1, 2, damper}}, ModalDamping{}),
                      {{"cubic", Polynomial<double>({0.0, 0.0, absorber.cubic}), between(3, 0, 1)},
                       {"other", Polynomial<double>({0.0, 0.0, cubic}), between(3, -1, 2)}});
  HarmonicLoad load;
  load.force = Eigen::Vector3cd(1.0, 0.0, share);
  FrequencyResponseOptions options = with_isolas(1);
  options.stability = false;
  const FrequencyResponse response =
      steady_vibration(system, load, OverFrequency{.level = level, .from = low, .to = high}, {{0, 1, 2}, 0}, options);
  ASSERT_EQ(response.ending, Ending::completed) << response.message;
  ASSERT_EQ(response.detached.size(), 1U) << response.remark;
  EXPECT_TRUE(response.detached.front().closed);
  EXPECT_NEAR(response.detached.front().from, narrowest, 2e-4);
  EXPECT_NEAR(response.detached.front().to, widest, 2e-4);
}

// Symmetry keeps the only joint at rest, a stop that touches: what its deflection has is rounding. The motion is that
// of the two masses alike as one, m x'' + c x' + k x, and no other curve exists.
TEST(Isolas, NoneWhereAllJointsAreAtRest) {
  constexpr double m = 0.7321, middle = 1.313, k = 9137.7, across = 7711.3;
  const System system(
      LinearStructure::lumped({m, middle, m}, {}, {{-1, 0, k}, {-1, 2, k}, {0, 1, across}, {1, 2, across}}, {},
                              ModalDamping{{0.01}}),
      {{"stop", Gap<double>(1e5, 0.0), between(3, 0, 2)}});
  const System half(LinearStructure::lumped({2.0 * m, middle}, {}, {{-1, 0, 2.0 * k}, {0, 1, 2.0 * across}}, {},
                                            ModalDamping{{0.01}}),
                    {{"nothing", Polynomial<double>({0.0, 0.0, 1e-30}), between(2, 0, 1)}});
  HarmonicLoad load, of_half;
  load.force = Eigen::Vector3cd(0.0, 1.7, 0.0);
  of_half.force = Eigen::Vector2cd(0.0, 1.7);
  const FrequencyResponse response = steady_vibration(
      system, load, OverFrequency{.level = 1.0, .from = 20.0, .to = 180.0}, {{0, 1, 2}, 1}, with_isolas(0));
  EXPECT_EQ(response.ending, Ending::completed) << response.message;
  EXPECT_EQ(response.message, "");
  EXPECT_TRUE(response.detached.empty()) << response.remark;
  std::vector<double> omegas;
  for (const ResponsePoint& point : response.points) omegas.push_back(point.orbit.omega);
  ASSERT_GT(omegas.size(), 10U);
  const FrequencyResponse linear =
      steady_vibration(half, of_half, AtFrequencies{.level = 1.0, .omegas = omegas}, {{0, 1}, -1}, {});
  ASSERT_EQ(linear.points.size(), omegas.size()) << linear.message;
  for (std::size_t i = 0; i < omegas.size(); ++i) {  // rounding, times the resonance's 50
    EXPECT_NEAR(response.points[i].amplitude[0], linear.points[i].amplitude[0], 1e-12) << omegas[i];
    EXPECT_NEAR(response.points[i].amplitude[1], linear.points[i].amplitude[1], 1e-12) << omegas[i];
    EXPECT_EQ(response.points[i].errors.truncation, 0.0) << omegas[i];
  }
}

/// Distance of the state after a period from that before, over the size of the motion: the equations of motion by Runge
/// and Kutta.
double gap_after_a_period(const Absorber& of, double level, const ResponsePoint& point, const System& system) {
  const Eigen::MatrixXd q = orbit_series(system, at_the_first(), point.orbit, {0, 1});
  const double omega = point.orbit.omega;
  Eigen::Vector4d start = Eigen::Vector4d::Zero();
  for (int dof = 0; dof < 2; ++dof) {
    for (int h = 0; h <= point.orbit.harmonics; ++h) {
      start(dof) += q(std::max(2 * h - 1, 0), dof);
      if (h > 0) start(2 + dof) += h * omega * q(2 * h, dof);
    }
  }
  const auto rate = [&](const Eigen::Vector4d& x, double t) {
    const double u = x(1) - x(0), v = x(3) - x(2);
    const double f = of.stiffness * u + of.own_damper * v + of.cubic * u * u * u;
    return Eigen::Vector4d(x(2), x(3), level * std::cos(omega * t) - x(0) - of.damper * x(2) + f, -f / of.mass);
  };
  constexpr int steps = 2000;
  const double h = two_pi / omega / steps;
  Eigen::Vector4d x = start;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Eigen::Vector4d k1 = rate(x, t), k2 = rate(x + 0.5 * h * k1, t + 0.5 * h),
                          k3 = rate(x + 0.5 * h * k2, t + 0.5 * h), k4 = rate(x + h * k3, t + h);
    x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return (x - start).norm() / q.bottomRows(q.rows() - 1).norm();
}

// With all harmonics: its motions repeat when the equations of motion are integrated, and its lower half is unstable:
// the middle one of three motions.
TEST(Isolas, MotionsRepeat) {
  constexpr double level = 0.03;
  const Absorber absorber;
  const System system = absorber.system();
  FrequencyResponseOptions options = with_isolas(0);
  options.tolerance = 1e-6;
  const FrequencyResponse response = response_of(system, level, options);
  ASSERT_EQ(response.detached.size(), 1U) << response.remark;
  int unstable = 0, number = 0;
  for (const ResponsePoint& point : response.points) {
    if (point.piece == 0) continue;
    ++number;
    ASSERT_TRUE(point.multiplier);
    unstable += point.unstable() ? 1 : 0;
    // The error is one of displacements: velocities have as many times more as the harmonics left out, of odd ones the
    // one behind the next. A disturbance grows by the multiplier in the period, and twice that in directions that are
    // not normal to each other.
    const double bound =
        point.errors.distance() * (point.orbit.harmonics + 2) * point.orbit.omega * (1.0 + 2.0 * *point.multiplier);
    EXPECT_LT(gap_after_a_period(absorber, level, point, system), bound) << point.orbit.omega;
  }
  EXPECT_GT(unstable, number / 3);
}

TEST(Isolas, ByShooting) {
  constexpr double level = 0.03;
  const System system(
      LinearStructure::lumped({1.0, 0.05}, {}, {{-1, 0, 1.0}, {0, 1, 0.005}}, {}, ModalDamping{{0.1, 0.01}}),
      {{"cubic", Polynomial<double>({0.0, 0.0, 0.05}), between(2, 0, 1)}});
  FrequencyResponseOptions options = with_isolas(0);
  options.stability = false;
  const FrequencyResponse balance = response_of(system, level, options, 0.7, 1.3);
  options.method = SteadyMethod::shooting;
  const FrequencyResponse shooting = response_of(system, level, options, 0.7, 1.3);
  ASSERT_EQ(balance.detached.size(), 1U) << balance.remark;
  ASSERT_EQ(shooting.detached.size(), 1U) << shooting.remark;
  EXPECT_TRUE(balance.detached.front().closed);
  EXPECT_TRUE(shooting.detached.front().closed);
  // An error of the motion of 1e-4 counts as much as 1e-6 of the frequency.
  const double bound = 2.0 * 0.01 * options.tolerance;
  EXPECT_NEAR(balance.detached.front().from, shooting.detached.front().from, bound);
  EXPECT_NEAR(balance.detached.front().to, shooting.detached.front().to, bound);
}

TEST(Isolas, AreRefusedElsewhere) {
  const System system = Absorber().system();
  const FrequencyResponseOptions options = with_isolas(1);
  EXPECT_THROW(static_cast<void>(steady_vibration(system, at_the_first(),
                                                  OverLevel{.omega = 1.0, .from = 0.01, .to = 0.1}, {{0}, 0}, options)),
               std::invalid_argument);
  FrequencyResponseOptions low = options;
  low.isolas = 1.0;
  EXPECT_THROW(static_cast<void>(response_of(system, 0.03, low)), std::invalid_argument);
}

TEST(Isolas, SearchCanBeInterrupted) {
  const System system = Absorber().system();
  FrequencyResponseOptions options = with_isolas(1);
  double largest = 0.0;
  const Observer stop = [&](double part) {
    largest = std::max(largest, part);
    return part < 0.6;
  };
  const FrequencyResponse response = steady_vibration(
      system, at_the_first(), OverFrequency{.level = 0.03, .from = from, .to = to}, {{0, 1}, 0}, options, stop);
  EXPECT_EQ(response.ending, Ending::interrupted);
  EXPECT_NE(response.message.find("interrupted"), std::string::npos);
  EXPECT_GT(response.points.size(), 20U);  // the response itself is whole
}

// A straight line of motions, u = 1 + omega, by three points.
TEST(CurveDistance, OnAndBesideALine) {
  std::vector<ResponsePoint> points(3);
  for (std::size_t i = 0; i < 3; ++i) {
    points[i].orbit.omega = 1.0 + 0.1 * static_cast<double>(i);
    points[i].orbit.deflection = Eigen::MatrixXd::Constant(3, 1, 1.0 + points[i].orbit.omega);
  }
  PeriodicOrbit motion = points[1].orbit;
  motion.omega = 1.15;
  motion.deflection.setConstant(2.15);
  EXPECT_TRUE(on_curve(points, motion, 1.0, 1e-12));
  motion.deflection.conservativeResizeLike(Eigen::MatrixXd::Zero(5, 1));  // more harmonics, of which it has none
  EXPECT_TRUE(on_curve(points, motion, 1.0, 1e-12));
  motion.deflection(4) = 0.2;
  EXPECT_FALSE(on_curve(points, motion, 1.0, 1e-12));
  EXPECT_TRUE(on_curve(points, motion, 1.0, 0.1));
  motion.deflection(4) = 0.0;
  points[2].piece = 1;  // no line from one piece to the next
  EXPECT_FALSE(on_curve(points, motion, 1.0, 1e-12));
  points[2].piece = 0;
  points[2].behind_a_gap = true;
  EXPECT_FALSE(on_curve(points, motion, 1.0, 1e-12));
}

// Of a circle in steps of 0.35 rad, and of one a tenth smaller within it.
TEST(CurveDistance, OnAndBesideACircle) {
  const auto at = [](double angle, double radius) {
    PeriodicOrbit orbit;
    orbit.deflection = Eigen::MatrixXd::Zero(3, 1);
    orbit.deflection(0) = 10.0;
    orbit.deflection(1) = radius * std::cos(angle);
    orbit.omega = 2.0 + radius * std::sin(angle) / 10.0;  // scaled alike: over a motion of about 10
    return orbit;
  };
  std::vector<ResponsePoint> points(18);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].orbit = at(0.35 * static_cast<double>(i), 1.0);
  for (double angle = 0.05; angle < 5.9; angle += 0.1) {
    EXPECT_TRUE(on_curve(points, at(angle, 1.0), 1.0, 1e-12)) << angle;
    EXPECT_FALSE(on_curve(points, at(angle, 0.9), 1.0, 1e-12)) << angle;
  }
}

}  // namespace isolas_test
}  // namespace microslip
