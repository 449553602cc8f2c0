// Zare and Allen 2021, "Hysteresis identification via reversal points" (HIRP): three masses in a chain to the ground,
// an Iwan joint beside each spring (Table 5, Fig. 6 as corrected in docs/verification.md), by harmonic balance; and
// other systems whose steady vibration is integrated in time.

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <cmath>
#include <numbers>

#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "microslip/study/study.hpp"
#include "support/paper_systems.hpp"
#include "support/steady_state.hpp"

namespace microslip {
namespace {

constexpr double hz = 2.0 * std::numbers::pi;
const Eigen::Vector3d direction(1.0, 2.0, -1.0);

HarmonicLoad along(const Eigen::VectorXd& force) {
  HarmonicLoad load;
  load.force = force.cast<std::complex<double>>();
  return load;
}

TEST(ZareHirp, StuckFrequencies) {
  const Eigen::VectorXd f = testing::zare_masses().stuck_modes().omega / hz;
  EXPECT_NEAR(f(0), 1.80583, 0.5e-5);
  EXPECT_NEAR(f(1), 5.05983, 0.5e-5);
  EXPECT_NEAR(f(2), 7.31167, 0.5e-5);
}

// Half-range of x_1 at 4.98 Hz from an independent shooting solution, to the digits given.
TEST(ZareHirp, AmplitudesAtFig8) {
  const System system = testing::zare_masses();
  const std::tuple<double, double, double> expected[] = {
      {3.0, 0.0806468, 0.5e-7}, {1.0, 0.0251058, 0.5e-7}, {0.1, 0.00208948, 0.5e-8}};
  for (const auto& [level, amplitude, digit] : expected) {
    const auto result =
        steady_vibration(system, along(direction), AtFrequencies{.level = level, .omegas = {4.98 * hz}}, {{0}, -1});
    ASSERT_EQ(result.points.size(), 1U) << result.message;
    EXPECT_NEAR(result.points[0].amplitude[0], amplitude, digit) << level;
  }
}

// Peak of the second mode and the largest multiplier at level 2, from the same source.
TEST(ZareHirp, PeakAndMultiplierAtLevelTwo) {
  const System system = testing::zare_masses();
  const auto curve = steady_vibration(system, along(direction),
                                      OverFrequency{.level = 2.0, .from = 4.5 * hz, .to = 5.5 * hz}, {{0}, 0});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  ASSERT_EQ(curve.special.size(), 1U);
  EXPECT_EQ(curve.special[0].kind, SpecialKind::peak);
  EXPECT_NEAR(curve.special[0].point.orbit.omega / hz, 5.002636, 0.6e-6);
  EXPECT_NEAR(curve.special[0].point.amplitude[0], 0.0567801, 0.6e-7);
  const auto single =
      steady_vibration(system, along(direction), AtFrequencies{.level = 2.0, .omegas = {4.98 * hz}}, {{0}, -1});
  // Second order in the step: 512 steps are within 1e-7 of 256.
  EXPECT_NEAR(std::abs(Floquet(system, 512).multipliers(single.points[0].orbit)(0)), 0.97414, 0.5e-5);
}

// All six levels of Table 5 over Fig. 7, from both ends; the curves meet at both ends, and every point is stable.
TEST(ZareHirpSlow, SixLevelsFromOneToEightHertz) {
  const System system = testing::zare_masses();
  for (const double level : {3.0, 2.0, 1.0, 0.5, 1.0 / 3.0, 0.1}) {
    const auto up = steady_vibration(system, along(direction),
                                     OverFrequency{.level = level, .from = 1.0 * hz, .to = 8.0 * hz}, {{0, 1, 2}, 0});
    ASSERT_EQ(up.ending, Ending::completed) << level << ": " << up.message;
    EXPECT_EQ(up.points.back().orbit.omega, 8.0 * hz);
    EXPECT_EQ(up.special.size(), 3U);  // a peak a mode, no folds
    for (const auto& point : up.points) EXPECT_LT(*point.multiplier, 1.0);
    FrequencyResponseOptions options;
    options.stability = false;
    const auto down =
        steady_vibration(system, along(direction), OverFrequency{.level = level, .from = 8.0 * hz, .to = 1.0 * hz},
                         {{0, 1, 2}, 0}, options);
    ASSERT_EQ(down.ending, Ending::completed) << level << ": " << down.message;
    for (int i = 0; i < 3; ++i) {  // truncation of either is below 1e-6
      EXPECT_NEAR(up.points.front().amplitude[i], down.points.back().amplitude[i],
                  2e-6 * down.points.back().amplitude[i]);
      EXPECT_NEAR(down.special[2 - i].point.orbit.omega / up.special[i].point.orbit.omega, 1.0, 1e-6);
    }
  }
}

// From rest to steady state, 0.974^800 = 1e-9, with 100 and 200 steps a period; second order, so that the extrapolation
// is left with a part of what the last halving changed. Harmonic balance truncates at 1e-8.
TEST(ZareHirpSlow, IsTheLimitOfDirectIntegration) {
  const System system = testing::zare_masses();
  const double omega = 4.98 * hz;
  FrequencyResponseOptions options;
  options.tolerance = 1e-8;
  const auto balance =
      steady_vibration(system, along(direction), AtFrequencies{.level = 2.0, .omegas = {omega}}, {{0}, -1}, options);
  ASSERT_EQ(balance.points.size(), 1U);
  const Load load = testing::cosine(direction, 2.0, omega);
  const auto coarse = testing::integrate_to_steady_state(system, {&load, 1}, omega, 800, 100, 0, 3);
  const auto fine = testing::integrate_to_steady_state(system, {&load, 1}, omega, 800, 200, 0, 3);
  HarmonicBalance equations(system, along(direction), balance.points[0].orbit.harmonics, 256);
  const auto& orbit = balance.points[0].orbit;
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(orbit.deflection.data(), orbit.deflection.size());
  const Eigen::MatrixXd q = equations.displacements(y, omega, 2.0, {0});
  for (int k = 1; k <= 6; ++k) {
    const double change = fine.harmonics(k) - coarse.harmonics(k);
    EXPECT_NEAR(q(k, 0), fine.harmonics(k) + change / 3.0, 0.2 * std::abs(change) + 1e-7 * fine.amplitude) << k;
  }
  const double loss =
      balance.points[0].dissipation[0] + balance.points[0].dissipation[1] + balance.points[0].dissipation[2];
  EXPECT_NEAR(loss, fine.dissipated, 2.0 * std::abs(fine.dissipated - coarse.dissipated));
}

// Disturbances of the motion decay as the multipliers say: from rest the stroboscopic displacements follow, once the
// faster ones have gone (0.93^n), d[n+2] = 2 Re(m) d[n+1] - |m|^2 d[n] with the leading pair m.
TEST(ZareHirpSlow, DisturbancesDecayWithTheLargestMultiplier) {
  const System system = testing::zare_masses();
  const double omega = 4.98 * hz, period = 2.0 * std::numbers::pi / omega;
  const Load load = testing::cosine(direction, 2.0, omega);
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.step = period / 200;
  options.duration = 420 * period;
  options.tolerance = 1e-10;
  MemorySink sink;
  Record record;
  record.dofs = {0, 1, 2};
  record.every = 200;
  ASSERT_EQ(simulate(system, {&load, 1}, {}, record, sink, options).ending, Ending::completed);
  Eigen::MatrixXd left(300, 2);
  Eigen::VectorXd right(300);
  for (int i = 0, row = 0; i < 3; ++i) {
    const auto q = sink.column("q[" + std::to_string(i + 1) + "]");
    const auto d = [&](int n) { return q[static_cast<std::size_t>(n + 1)] - q[static_cast<std::size_t>(n)]; };
    for (int n = 250; n < 350; ++n, ++row) {
      const double scale = std::pow(0.974, -n);  // every period counts alike
      left.row(row) << scale * d(n + 1), -scale * d(n);
      right(row) = scale * d(n + 2);
    }
  }
  const Eigen::Vector2d fit = least_squares(left, right);
  const auto single =
      steady_vibration(system, along(direction), AtFrequencies{.level = 2.0, .omegas = {4.98 * hz}}, {{0}, -1});
  // What is left of the disturbance's nonlinearity, about its size in the amplitude: 0.974^250 = 1e-3.
  EXPECT_NEAR(std::sqrt(fit(1)), *single.points[0].multiplier, 1e-3 * (1.0 - *single.points[0].multiplier) + 2e-5);
}

// The paper's sliders, 150 of them: the force of an element is too high by no more than rho h^2/8 (iwan_sliders.hpp).
// With geometric intervals of ratio exp(9/N) and chi = -0.5 the largest value of rho h^2 is that of the last interval,
// R phi_max^1.5 (1 - exp(-9/150))^2. Near resonance the amplitude answers a force 1/(2 zeta_eff) times as much as in
// equilibrium.
TEST(ZareHirpSlow, SlidersOfThePaper) {
  const System exact = testing::zare_masses(), sliders = testing::zare_masses(150);
  const auto backbone = Iwan4Backbone<double>::from_physical(100.0, 500.0, -0.5, 5.0);
  const double force_error =
      backbone.r() * std::pow(backbone.phi_max(), 1.5) * std::pow(1.0 - std::exp(-9.0 / 150.0), 2.0) / 8.0;
  for (const double level : {3.0, 1.0, 0.1}) {
    const auto a =
        steady_vibration(exact, along(direction), AtFrequencies{.level = level, .omegas = {4.98 * hz}}, {{0}, -1});
    const auto b =
        steady_vibration(sliders, along(direction), AtFrequencies{.level = level, .omegas = {4.98 * hz}}, {{0}, -1});
    ASSERT_EQ(b.points.size(), 1U) << b.message;
    const double error = std::abs(b.points[0].amplitude[0] - a.points[0].amplitude[0]);
    // Three joints with 500 N/m of 1300 N/m stiffness each; zeta_eff at least 0.01.
    EXPECT_LT(error, 3.0 * force_error / 1300.0 / (2.0 * 0.01));
    EXPECT_LT(error, 2e-4 * a.points[0].amplitude[0]);  // what docs/verification.md says
  }
}

// ---- a cubic spring, a stop and two Jenkins elements on three masses: folds ----

TEST(StopAndFrictionSlow, FoldsAndStableBranchesAgreeWithIntegration) {
  const System system = testing::stop_and_friction();
  const Eigen::Vector3d force(1.0, 0.0, 0.0);
  FrequencyResponseOptions options;
  options.tolerance = 1e-4;
  const double level = 0.08;
  const auto curve = steady_vibration(system, along(force), OverFrequency{.level = level, .from = 0.3, .to = 0.9},
                                      {{0, 2}, 2}, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  std::vector<double> folds;
  for (const auto& s : curve.special) {
    if (s.kind == SpecialKind::fold) folds.push_back(s.point.orbit.omega);
  }
  ASSERT_EQ(folds.size(), 2U);

  // Stable points spread over the curve, on both sides of the folds; they start with the joints' memory fresh, which
  // disturbs them, and 0.97^300 = 1e-4 of that is left.
  int compared = 0;
  bool in_contact = false, free = false;
  for (std::size_t i = 3; i < curve.points.size(); i += 8) {
    const ResponsePoint& point = curve.points[i];
    if (!(*point.multiplier < 0.97)) continue;
    HarmonicBalance equations(system, along(force), point.orbit.harmonics, point.samples);
    const Load load = testing::cosine(force, level, point.orbit.omega);
    const auto initial = testing::initial_state(equations, point.orbit);
    const auto integrate = [&](int steps) {
      return testing::integrate_to_steady_state(system, {&load, 1}, point.orbit.omega, 300, steps, 2, 1, initial);
    };
    const auto coarse = integrate(100), fine = integrate(200);
    // Second order; corners of the stop and the friction fall anywhere in a step, so that no extrapolation is clean.
    const double change = std::abs(fine.amplitude - coarse.amplitude);
    EXPECT_NEAR(point.amplitude[1], fine.amplitude, change + 2.0 * options.tolerance * fine.amplitude)
        << point.orbit.omega;
    ++compared;
    (point.amplitude[1] > 0.71 ? in_contact : free) = true;
  }
  EXPECT_GE(compared, 6);
  EXPECT_TRUE(in_contact && free);
}

// ---- beams ----

// Under M phi_r the peak of mode r follows from the quasi-static curve, an independent method: energy in = energy lost,
//   level pi q = D(q) + 2 pi zeta_0 omega_0 omega q^2 (phase 90 degrees), at the frequency of the first harmonic.
// What the other modes do to a joint in vibration but not in equilibrium (docs/theory.md, "Quasi-static modal
// analysis") changes its deflection by du = -G x, G = sum_(s != r) psi_s psi_s^T [1/(omega_s^2 - omega^2) -
// 1/omega_s^2]. The loss goes with the power chi + 3 of it, so that the amplitude changes by (chi+3)/(chi+2) < 2 times
// du/u, and the frequency by du/u of its softening, at most twice.
TEST(BeamsSlow, PeaksFollowTheQuasiStaticCurve) {
  for (const auto& [folder, mode] : {std::pair("04_brake_reuss_beam", 1), std::pair("03_sumali_beam", 0)}) {
    const Study study = load_study(std::string(MICROSLIP_SOURCE_DIR) + "/examples/" + folder + "/study.toml");
    const System& system = study.system;
    const int r = system.stuck_modes().rigid + mode;
    const Eigen::VectorXd load = system.modal_force(r);
    const double omega0 = system.stuck_modes().omega(r), zeta0 = system.damping_ratios()(r);
    LoadRamp ramp;
    ramp.from = 1e-3, ramp.to = 1e6, ramp.points = 400;
    const ModalCurve curve = quasi_static_modal_analysis(system, r, ramp);
    // Where the first joint is at a share of its macroslip.
    const auto slip = [&](std::size_t i) {
      double largest = 0.0;
      for (int c = 0; c < system.components(); ++c) {
        const double phi_max =
            std::get<Iwan4<double>>(system.joints()[static_cast<std::size_t>(c)].law).max_slider_strength();
        largest = std::max(
            largest,
            std::abs(
                curve.deflections[i * static_cast<std::size_t>(system.components()) + static_cast<std::size_t>(c)]) /
                phi_max);
      }
      return largest;
    };
    for (const double share : {0.05, 0.4, 0.9}) {
      std::size_t i = 0;
      while (i + 1 < curve.points.size() && slip(i) < share) ++i;
      const ModalPoint& p = curve.points[i];
      const double level = p.dissipation / (std::numbers::pi * p.q) + 2.0 * zeta0 * omega0 * p.omega_ringdown * p.q;
      ResponseRecord record;
      for (int k = 0; k < system.size(); ++k) record.dofs.push_back(k);
      Eigen::Index largest = 0;
      system.stuck_modes().shapes.col(r).cwiseAbs().maxCoeff(&largest);
      record.peak_dof = static_cast<int>(largest);
      FrequencyResponseOptions options;
      options.stability = false;
      options.tolerance = 1e-4;
      const auto response = steady_vibration(
          system, along(load),
          OverFrequency{.level = level, .from = 0.985 * p.omega_ringdown, .to = 1.01 * p.omega_ringdown}, record,
          options);
      ASSERT_EQ(response.ending, Ending::completed) << folder << ", " << share << ": " << response.message;
      const SpecialPoint* peak = nullptr;
      for (const auto& s : response.special) {
        if (s.kind == SpecialKind::peak) peak = &s;
      }
      ASSERT_NE(peak, nullptr);
      std::complex<double> q = 0.0;
      for (int k = 0; k < system.size(); ++k) {
        q += load(k) * std::polar(peak->point.harmonic1[static_cast<std::size_t>(k)],
                                  peak->point.phase1[static_cast<std::size_t>(k)]);
      }
      // du/u of the joint that feels it most.
      Eigen::MatrixXd g = Eigen::MatrixXd::Zero(system.components(), system.components());
      const Eigen::MatrixXd psi = system.stuck_modes().shapes.transpose() * system.directions();
      const double w2 = p.omega_ringdown * p.omega_ringdown;
      for (Eigen::Index s = system.stuck_modes().rigid; s < psi.rows(); ++s) {
        const double ws2 = std::pow(system.stuck_modes().omega(s), 2.0);
        if (s != r) g += psi.row(s).transpose() * psi.row(s) * (1.0 / (ws2 - w2) - 1.0 / ws2);
      }
      Eigen::VectorXd u(system.components()), x(system.components());
      for (int c = 0; c < system.components(); ++c) {
        const auto& law = std::get<Iwan4<double>>(system.joints()[static_cast<std::size_t>(c)].law);
        u(c) = curve.deflections[i * static_cast<std::size_t>(system.components()) + static_cast<std::size_t>(c)];
        x(c) = (law.secant_stiffness(std::abs(u(c))) - law.stuck_stiffness()) * u(c);
      }
      const double inertia = (g * x).cwiseQuotient(u).cwiseAbs().maxCoeff();
      EXPECT_NEAR(std::abs(q), p.q, (2.0 * inertia + 2.0 * options.tolerance) * p.q) << folder << ", " << share;
      EXPECT_NEAR(peak->point.orbit.omega, p.omega_ringdown,
                  2.0 * (omega0 - p.omega_ringdown) * (inertia + options.tolerance) + 1e-6 * omega0)
          << folder << ", " << share;
    }
  }
}

}  // namespace
}  // namespace microslip
