// Zare and Allen, HIRP: shooting with reversal points, against harmonic balance and integration.

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/joints/jenkins.hpp"
#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/shooting.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "microslip/study/study.hpp"
#include "support/by_shooting.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double pi = std::numbers::pi;

HarmonicLoad along(const Eigen::VectorXd& force) {
  HarmonicLoad load;
  load.force = force.cast<std::complex<double>>();
  return load;
}

const HarmonicLoad hirp_load = along(Eigen::Vector3d(1.0, 2.0, -1.0));

// Both methods to 1e-6 in amplitude, harmonic and dissipation; each states an error below 1e-6. Dissipation goes with
// the power chi + 3 = 2.5 of the amplitude. Multipliers: 128 steps of second order, 1e-5.
TEST(ZareShootingSlow, AgreesWithHarmonicBalance) {
  const System system = testing::zare_masses();
  struct Row {
    double level, half_range;
  };
  for (const Row row : {Row{0.1, 0.00208948}, Row{1.0, 0.0251058}, Row{2.0, 0.0}, Row{3.0, 0.0806468}}) {
    const ResponseRecord record{{0, 1, 2}, -1};
    FrequencyResponseOptions by_balance, by_shooting = testing::by_shooting();
    by_balance.tolerance = by_shooting.tolerance = 1e-6;
    const std::vector<double> omega = {2.0 * pi * 4.98};
    const FrequencyResponse balance =
        steady_vibration(system, hirp_load, AtFrequencies{.level = row.level, .omegas = omega}, record, by_balance);
    const FrequencyResponse shooting =
        steady_vibration(system, hirp_load, AtFrequencies{.level = row.level, .omegas = omega}, record, by_shooting);
    ASSERT_EQ(shooting.ending, Ending::completed) << shooting.message;
    const ResponsePoint &a = balance.points.front(), &b = shooting.points.front();
    EXPECT_LE(b.errors.quadrature, 1e-6);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(b.amplitude[i] / a.amplitude[i], 1.0, 1e-6);
      EXPECT_NEAR(b.harmonic1[i] / a.harmonic1[i], 1.0, 1e-6);
      EXPECT_NEAR(b.phase1[i], a.phase1[i], 1e-6);
      EXPECT_NEAR(b.dissipation[i] / a.dissipation[i], 1.0, 2.5 * 2e-6);
    }
    EXPECT_NEAR(*b.multiplier, *a.multiplier, 1e-5);
    if (row.half_range > 0.0) {
      EXPECT_NEAR(b.amplitude[0] / row.half_range, 1.0, 3e-6);  // six digits
    }
    if (row.level == 2.0) {
      EXPECT_NEAR(*b.multiplier, 0.97414, 5e-6);
    }
  }
}

// Six levels over 1 to 8 Hz. The peaks are those of harmonic balance but for the error of 512 steps: some
// (2 pi/512)^2/12 = 1.3e-5 of the joint's force, 500/1300 of the stiffness, over 2 zeta, and so an amplitude 2.5e-4 at
// the worst; the frequency shifts by half of 1.3e-5 * 500/1300, and by what a flat top allows, sqrt(2.5e-4) * zeta * 1
// %.
TEST(ZareShootingSlow, SixLevelsFromOneToEightHertz) {
  const System system = testing::zare_masses();
  FrequencyResponseOptions options;
  options.steps = 512;
  const ResponseRecord record{{0}, 0};
  for (const double level : {0.1, 1.0 / 3.0, 0.5, 1.0, 2.0, 3.0}) {
    const auto balance =
        steady_vibration(system, hirp_load, OverFrequency{.level = level, .from = 2.0 * pi, .to = 16.0 * pi}, record);
    const auto shooting =
        steady_vibration(system, hirp_load, OverFrequency{.level = level, .from = 2.0 * pi, .to = 16.0 * pi}, record,
                         testing::by_shooting(options));
    ASSERT_EQ(shooting.ending, Ending::completed) << level << ": " << shooting.message;
    ASSERT_EQ(shooting.special.size(), 3U) << level;
    ASSERT_EQ(balance.special.size(), 3U) << level;
    for (int i = 0; i < 3; ++i) {
      const ResponsePoint &a = balance.special[i].point, &b = shooting.special[i].point;
      EXPECT_NEAR(b.amplitude[0] / a.amplitude[0], 1.0, 2.5e-4);
      EXPECT_NEAR(b.orbit.omega / a.orbit.omega, 1.0, 2e-4);
    }
    for (const ResponsePoint& point : shooting.points) EXPECT_LT(*point.multiplier, 1.0);
  }
}

// Tables 1 to 4: five sliders and the reversals of one period. Two passes give the state that repeats; sliders 2 and 3
// do not slip at its end, and the fourth stays where the second reversal left it, -3.48 + 3.44 = -0.04 (the print has
// it slip at the third, where it is 2.78 < 3.44 away).
TEST(ZareShooting, SlidersOfTablesOneToFour) {
  const double strength[] = {0.38, 1.22, 2.23, 3.44, 4.10};
  const double reversals[] = {1.04, -3.48, 2.74, 0.072};
  const double x0 = 0.9;  // where the period begins, on the way up from the last reversal
  std::vector<Jenkins<double>> sliders;
  std::vector<Jenkins<double>::State> states(5);
  for (const double phi : strength) sliders.emplace_back(1.0, phi);
  const auto go_to = [&](double u) {
    for (std::size_t i = 0; i < 5; ++i) sliders[i].commit(states[i], sliders[i].evaluate(states[i], {u}));
  };
  std::vector<std::vector<double>> at_end;
  for (int pass = 0; pass < 3; ++pass) {
    for (const double u : reversals) go_to(u);
    go_to(x0);
    at_end.emplace_back();
    for (std::size_t i = 0; i < 5; ++i) at_end.back().push_back(sliders[i].slider_position(states[i], strength[i]));
  }
  EXPECT_EQ(at_end[0], at_end[1]);
  EXPECT_EQ(at_end[1], at_end[2]);
  EXPECT_NEAR(at_end[0][0], x0 - 0.38, 1e-12);
  EXPECT_NEAR(at_end[0][1], 0.072 + 1.22, 1e-12);
  EXPECT_NEAR(at_end[0][2], 2.74 - 2.23, 1e-12);
  EXPECT_NEAR(at_end[0][3], -3.48 + 3.44, 1e-12);
  EXPECT_NEAR(at_end[0][4], 0.0, 1e-12);
}

// A cubic spring, a stop and two Jenkins elements: the branch between the folds is unstable. From its fixed point with
// a disturbance of 1e-4 the motion leaves, as the multiplier says, and settles on the upper or the lower branch.
TEST(StopAndFrictionShootingSlow, UnstableBranch) {
  const System system = testing::stop_and_friction();
  const HarmonicLoad load = along(Eigen::Vector3d(1.0, 0.0, 0.0));
  const double level = 0.08;
  FrequencyResponseOptions options;
  options.tolerance = 1e-4;
  options.steps = 512;
  const ResponseRecord record{{0, 2}, 2};
  const auto shooting = steady_vibration(system, load, OverFrequency{.level = level, .from = 0.3, .to = 0.9}, record,
                                         testing::by_shooting(options));
  ASSERT_EQ(shooting.ending, Ending::completed) << shooting.message;
  const auto balance =
      steady_vibration(system, load, OverFrequency{.level = level, .from = 0.3, .to = 0.9}, record, options);
  const auto folds = [](const FrequencyResponse& response) {
    std::vector<double> omega;
    for (const auto& s : response.special) {
      if (s.kind == SpecialKind::fold) omega.push_back(s.point.orbit.omega);
    }
    return omega;
  };
  const auto a = folds(balance), b = folds(shooting);
  ASSERT_EQ(a.size(), 2U);
  ASSERT_EQ(b.size(), 2U);
  // Harmonics to 1e-4; steps of T/512 at corners of the force, (2 pi/512)^2 = 1.5e-4.
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(b[i] / a[i], 1.0, 3e-4);

  const double middle = 0.5 * (a[0] + a[1]);
  const ResponsePoint* unstable = nullptr;
  double lower = 1e9, upper = 0.0;
  for (const ResponsePoint& point : shooting.points) {
    const bool near = std::abs(point.orbit.omega - middle) < 0.4 * std::abs(a[1] - a[0]);
    if (!near) continue;
    if (*point.multiplier > 1.0) {
      unstable = &point;
    } else {
      lower = std::min(lower, point.amplitude[1]);
      upper = std::max(upper, point.amplitude[1]);
    }
  }
  ASSERT_NE(unstable, nullptr);
  EXPECT_GT(unstable->amplitude[1], lower);
  EXPECT_LT(unstable->amplitude[1], upper);

  const double omega = unstable->orbit.omega;
  PeriodMap map(system, load, options.steps);
  const ShootingSolution orbit = shoot(map, period_start(map, load, unstable->orbit), omega, level);
  ASSERT_TRUE(orbit.converged) << orbit.message;
  const ComplexEigen eigen = complex_eigen(orbit.derivative.monodromy);
  Eigen::Index first = 0;
  eigen.values.cwiseAbs().maxCoeff(&first);
  const std::complex<double> multiplier = eigen.values(first);
  ASSERT_GT(multiplier.real(), 1.0);
  EXPECT_EQ(multiplier.imag(), 0.0);
  const Eigen::VectorXd y = orbit.state.unknowns(), along_mode = eigen.vectors.col(first).real();
  for (const double side : {-1.0, 1.0}) {
    PeriodState state = orbit.state, end;
    state.set_unknowns(y + side * 1e-4 * y.norm() / along_mode.norm() * along_mode);
    double distance = (state.unknowns() - y).norm();
    for (int period = 0; period < 5; ++period) {  // small: linear but for some 1e-4 of curvature over corners
      ASSERT_TRUE(map.run(state, omega, level, end));
      ASSERT_TRUE(end.alike(orbit.state));
      const double next = (end.unknowns() - y).norm();
      EXPECT_NEAR(next / distance, multiplier.real(), 0.02 * multiplier.real()) << side << ", period " << period;
      distance = next;
      state = end;
    }
    ASSERT_TRUE(settle(map, state, omega, level, 400));
    PeriodHistory history;
    ASSERT_TRUE(map.run(state, omega, level, end, nullptr, &history));
    const Eigen::RowVectorXd q = system.stuck_modes().shapes.row(2) * history.d;
    const double settled = 0.5 * (q.maxCoeff() - q.minCoeff());
    double nearest = 1e9;  // to a stable motion of the curve at this frequency
    for (std::size_t i = 1; i < shooting.points.size(); ++i) {
      const ResponsePoint &p0 = shooting.points[i - 1], &p1 = shooting.points[i];
      if ((p0.orbit.omega - omega) * (p1.orbit.omega - omega) > 0.0 || *p1.multiplier > 1.0) continue;
      const double t = (omega - p0.orbit.omega) / (p1.orbit.omega - p0.orbit.omega);
      const double amplitude = p0.amplitude[1] + t * (p1.amplitude[1] - p0.amplitude[1]);
      nearest = std::min(nearest, std::abs(settled / amplitude - 1.0));
    }
    EXPECT_LT(nearest, 0.01) << settled;  // interpolated between points of the curve
    EXPECT_GT(std::abs(settled / unstable->amplitude[1] - 1.0), 0.02);
  }
}

// A curve that is begun on its unstable branch, from the first harmonic of one of its rows, and followed both ways is
// the curve: same folds, same ends.
TEST(StopAndFrictionShootingSlow, RestartOnTheUnstableBranch) {
  const System system = testing::stop_and_friction();
  const HarmonicLoad load = along(Eigen::Vector3d(1.0, 0.0, 0.0));
  FrequencyResponseOptions options;
  options.tolerance = 1e-4;
  const ResponseRecord record{{0, 1, 2}, 2};
  const auto whole =
      steady_vibration(system, load, OverFrequency{.level = 0.08, .from = 0.3, .to = 0.9}, record, options);
  ASSERT_EQ(whole.ending, Ending::completed) << whole.message;
  // In the middle of the branch: from one harmonic, near a fold, there may be no way to the motion with all of them.
  const auto unstable =
      std::find_if(whole.points.begin(), whole.points.end(), [](const auto& p) { return *p.multiplier > 1.2; });
  ASSERT_NE(unstable, whole.points.end());
  options.start.resize(3);
  for (int i = 0; i < 3; ++i) {
    options.start(i) = unstable->harmonic1[i] * std::exp(std::complex<double>(0.0, unstable->phase1[i]));
  }
  for (const bool shooting : {false, true}) {
    if (shooting) options.steps = 512;
    const auto again = steady_vibration(
        system, load, ThroughFrequency{.level = 0.08, .omega = unstable->orbit.omega, .from = 0.9, .to = 0.3}, record,
        shooting ? testing::by_shooting(options) : options);
    ASSERT_EQ(again.ending, Ending::completed) << again.message;
    std::vector<double> folds, expected;
    for (const auto& s : again.special) {
      if (s.kind == SpecialKind::fold) folds.push_back(s.point.orbit.omega);
    }
    for (const auto& s : whole.special) {
      if (s.kind == SpecialKind::fold) expected.push_back(s.point.orbit.omega);
    }
    std::sort(folds.begin(), folds.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(folds.size(), expected.size());
    // Where friction begins to slip within a step, the tangent of the map with steps is of first order: it is zero
    // beside the top of the curve, by 2 pi/512 = 0.01 of its turn, and omega lower by the square and the curvature.
    for (std::size_t i = 0; i < folds.size(); ++i) EXPECT_NEAR(folds[i] / expected[i], 1.0, shooting ? 1e-3 : 1e-5);
    const auto [low, high] = std::minmax(again.points.front().orbit.omega, again.points.back().orbit.omega);
    EXPECT_EQ(low, 0.3);
    EXPECT_EQ(high, 0.9);
  }
}

// Both beams around their first three bending resonances, the joint that moves most at 5 % and at 90 % of macroslip
// (by the quasi-static curve, which gives level and frequency): harmonic balance and shooting, amplitudes and the
// largest multiplier. Each states its error; that of shooting is of the motion of all modes, from two step lengths, and
// good to a factor of two or so.
class BeamsShootingSlow : public ::testing::TestWithParam<std::pair<std::string, std::vector<int>>> {};

TEST_P(BeamsShootingSlow, ThreeBendingModesByBothMethods) {
  const auto& [folder, modes] = GetParam();
  const Study study = load_study(MICROSLIP_SOURCE_DIR "/examples/" + folder + "/study.toml");
  const System& system = study.system;
  ResponseRecord record;
  for (int i = 0; i < system.size(); ++i) record.dofs.push_back(i);
  int undecided = 0;  // where half the steps make a high mode grow, or two multipliers may meet on the real axis
  for (const int mode : modes) {
    const ModalCurve curve = quasi_static_modal_analysis(system, mode, {1e-3, 1e6, 400});
    for (const double share : {0.05, 0.9}) {
      std::size_t i = 0;
      const auto slip = [&](std::size_t at) {
        double largest = 0.0;
        for (int c = 0; c < system.components(); ++c) {
          const auto& law = std::get<Iwan4<double>>(system.joints()[static_cast<std::size_t>(c)].law);
          const double u =
              curve.deflections[at * static_cast<std::size_t>(system.components()) + static_cast<std::size_t>(c)];
          largest = std::max(largest, std::abs(u) / law.max_slider_strength());
        }
        return largest;
      };
      while (i + 1 < curve.points.size() && slip(i) < share) ++i;
      const ModalPoint& p = curve.points[i];
      const double zeta0 = system.damping_ratios()(mode), omega0 = system.stuck_modes().omega(mode);
      const double level = p.dissipation / (pi * p.q) + 2.0 * zeta0 * omega0 * p.omega_ringdown * p.q;
      const HarmonicLoad load = along(system.modal_force(mode));
      FrequencyResponseOptions options;
      options.tolerance = 1e-4;
      const std::vector<double> around = {0.999 * p.omega_ringdown, p.omega_ringdown, 1.001 * p.omega_ringdown};
      const auto balance =
          steady_vibration(system, load, AtFrequencies{.level = level, .omegas = around}, record, options);
      const auto shooting = steady_vibration(system, load, AtFrequencies{.level = level, .omegas = around}, record,
                                             testing::by_shooting(options));
      ASSERT_EQ(balance.points.size(), around.size()) << balance.message;
      ASSERT_EQ(shooting.points.size(), around.size()) << shooting.message;
      for (std::size_t n = 0; n < around.size(); ++n) {
        SCOPED_TRACE(::testing::Message() << "mode " << mode << ", share " << share << ", point " << n);
        const ResponsePoint &a = balance.points[n], &b = shooting.points[n];
        const double largest = *std::max_element(a.amplitude.begin(), a.amplitude.end());
        for (std::size_t k = 0; k < a.amplitude.size(); ++k) {
          EXPECT_NEAR(b.amplitude[k], a.amplitude[k], (options.tolerance + 2.0 * b.errors.quadrature) * largest);
        }
        EXPECT_FALSE(a.unstable() || b.unstable());
        undecided += !a.stable() + !b.stable();
        EXPECT_NEAR(*b.multiplier, *a.multiplier, 1e-4);
      }
    }
  }
  EXPECT_LE(undecided, 2);  // of 36
}

INSTANTIATE_TEST_SUITE_P(Beams, BeamsShootingSlow,
                         ::testing::Values(std::pair<std::string, std::vector<int>>("04_brake_reuss_beam", {1, 2, 6}),
                                           std::pair<std::string, std::vector<int>>("03_sumali_beam", {6, 7, 8})));

}  // namespace
}  // namespace microslip
