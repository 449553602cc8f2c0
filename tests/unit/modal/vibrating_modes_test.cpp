// Quasi-static modal analysis with vibrating other modes, where some of them lie below the mode and push against the
// joints: 1/(omega_s^2 - omega_r^2) < 0.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "microslip/modal/modal_equilibrium.hpp"
#include "microslip/modal/nonlinear_mode.hpp"
#include "microslip/modal/quasi_static_modal.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace vibrating_modes_test {

constexpr double zeta0 = 1e-4;

QsmaOptions vibrating() {
  QsmaOptions options;
  options.other_modes = OtherModes::vibrating;
  return options;
}

/// A chain of 2 to 4 masses from the ground, a joint from the ground or a mass to a later one.
System random_chain(std::mt19937& random, const Law& law) {
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const int masses = 2 + static_cast<int>(3.0 * share(random));
  std::vector<double> mass;
  std::vector<LumpedLink> springs;
  for (int i = 0; i < masses; ++i) {
    mass.push_back(0.5 + share(random));
    springs.push_back({i - 1, i, 1.0 + 2.0 * share(random)});
  }
  const int to = static_cast<int>(masses * share(random));
  const int from = static_cast<int>((to + 1) * share(random)) - 1;
  return System(LinearStructure::lumped(mass, {}, springs, {}, ModalDamping{{zeta0}}),
                {{"joint", law, testing::between(masses, from, to)}});
}

/// What a joint of secant stiffness k does to mode r.
struct Influence {
  double own = 0.0;     ///< k psi_r^2/omega_r^2
  double others = 0.0;  ///< k sum psi_s^2 (1/|omega_s^2 - omega_r^2| + 1/|omega_s^2 - 9 omega_r^2|)
  double energy = 0.0;  ///< sum of (1 + omega_s^2/omega_r^2) (1 + 9) (q_s/q_r)^2, with q_s/q_r of either harmonic
};

Influence influence(const System& system, int mode, double k) {
  Influence result;
  const Eigen::VectorXd psi = system.stuck_modes().shapes.transpose() * system.directions();
  const Eigen::VectorXd square = system.stuck_modes().omega.cwiseAbs2();
  result.own = k * psi(mode) * psi(mode) / square(mode);
  for (int s = 0; s < psi.size(); ++s) {
    if (s == mode) continue;
    for (const double harmonic : {1.0, 9.0}) {
      const double difference = std::abs(square(s) - harmonic * square(mode));
      result.others += k * psi(s) * psi(s) / difference;
      result.energy += 10.0 * (1.0 + square(s) / square(mode)) * std::pow(k * psi(mode) * psi(s) / difference, 2);
    }
  }
  return result;
}

// f = k3 u^3 with k = k3 u^2. To first order the frequency rises by e = (3/8) k psi_r^2/omega_r^2, in both methods.
// Other modes change u by g = k sum psi_s^2/|...| at most, f by 3 g, in either: 6 g e between them. q for a, up to e/6,
// does e^2. Damping: the energy q dE/dq, with four times the change, and that of the others' own motion; nonlinear
// modes take their derivative over a step of 1e-3.
TEST(VibratingModes, CubicJointsAgreeWithNonlinearModes) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 24; ++trial) {
    const double k3 = 0.4;
    const System system = random_chain(random, Polynomial<double>({0.0, 0.0, k3}));
    for (int mode = 0; mode < system.stuck_modes().omega.size(); ++mode) {
      const double omega = system.stuck_modes().omega(mode);
      const double psi = std::abs(system.directions().col(0).dot(system.stuck_modes().shapes.col(mode)));
      const Influence unit = influence(system, mode, 1.0);
      const double k = 1e-2 / std::max({unit.own, unit.others, std::sqrt(unit.energy)});
      const double q = std::sqrt(k / k3) / psi;
      const ModalCurve curve =
          quasi_static_modal_analysis(system, mode, {0.2 * omega * omega * q, omega * omega * q, 4}, vibrating());
      ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
      for (const ModalPoint& point : curve.points) {
        const NonlinearModeCurve exact = nonlinear_mode(system, mode, {point.q});
        ASSERT_EQ(exact.ending, Ending::completed) << exact.message;
        const Influence here = influence(system, mode, k3 * std::pow(psi * point.q, 2));
        const double e = 0.375 * here.own, g = here.others;
        EXPECT_NEAR(point.omega_ringdown / exact.points[0].omega, 1.0, 6.0 * g * e + e * e + zeta0 * zeta0)
            << trial << " mode " << mode + 1;
        EXPECT_NEAR(point.zeta / exact.points[0].zeta, 1.0, 24.0 * g * e + 4.0 * e * e + here.energy + 1e-6)
            << trial << " mode " << mode + 1;
        EXPECT_NEAR(point.omega / omega, 1.0, here.own);  // the secant: half of it
      }
    }
  }
}

// A spring that is not straight changes frequency and damping by the square of what it is beside the others, d = k2 u
// sum psi_s^2/|...|; a clearance that is not used up by nothing.
TEST(VibratingModes, LinearLimit) {
  std::mt19937 random(11);
  const double clearance = 0.1;
  const Law uneven = Polynomial<double>({0.0, 0.3, 0.2});
  const Law stops = PiecewiseLinearSpring<double>(std::vector{-1.0 - clearance, -clearance, clearance, 1.0 + clearance},
                                                  std::vector{-50.0, 0.0, 0.0, 50.0});
  for (int trial = 0; trial < 24; ++trial) {
    const bool has_stops = trial % 2 == 0;
    const System system = random_chain(random, has_stops ? stops : uneven);
    for (int mode = 0; mode < system.stuck_modes().omega.size(); ++mode) {
      const double omega = system.stuck_modes().omega(mode);
      const double psi = std::abs(system.directions().col(0).dot(system.stuck_modes().shapes.col(mode)));
      const Influence unit = influence(system, mode, 1.0);
      constexpr double d = 1e-4;
      const double u = has_stops ? 0.9 * clearance : d / (0.3 * (unit.own + unit.others));
      const double alpha = omega * omega * u / psi;
      const ModalCurve curve = quasi_static_modal_analysis(system, mode, {0.5 * alpha, alpha, 2}, vibrating());
      ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
      const double change = (has_stops ? 0.0 : 10.0 * d * d) + zeta0 * zeta0;
      for (const ModalPoint& point : curve.points) {
        EXPECT_NEAR(point.q * omega * omega / point.alpha, 1.0, change);
        EXPECT_NEAR(point.omega_ringdown / omega, 1.0, change);
        EXPECT_NEAR(point.zeta / zeta0, 1.0, 10.0 * change + 1e-6);
        EXPECT_LT(point.coupling, d * (unit.others + 1.0) / unit.own);
      }
    }
  }
}

// Mode 2 of two masses with a cubic spring: psi q = u - A k3 u^3, A = psi_1^2/(omega_2^2 - omega_1^2), has no solution
// beyond q = 2 u/(3 psi), u = 1/sqrt(3 A k3), alpha = omega_2^2 q + psi k3 u^3. Steps end within 1e-3 of q.
TEST(VibratingModes, EndsAtAFold) {
  const double k3 = 0.4;
  const System system(LinearStructure::lumped({1.0, 0.7}, {}, {{-1, 0, 1.0}, {0, 1, 2.0}}, {}, ModalDamping{{zeta0}}),
                      {{"joint", Polynomial<double>({0.0, 0.0, k3}), testing::between(2, -1, 1)}});
  const Modes& modes = system.stuck_modes();
  const double square = modes.omega(1) * modes.omega(1);
  const double psi = std::abs(modes.shapes(1, 1));
  const double a = modes.shapes(1, 0) * modes.shapes(1, 0) / (square - modes.omega(0) * modes.omega(0));
  const double u = 1.0 / std::sqrt(3.0 * a * k3);
  const double q = 2.0 * u / (3.0 * psi);
  const double alpha = square * q + psi * k3 * u * u * u;
  const ModalCurve curve = quasi_static_modal_analysis(system, 1, {0.01 * alpha, 2.0 * alpha, 10}, vibrating());
  EXPECT_EQ(curve.ending, Ending::no_convergence);
  EXPECT_NE(curve.message.find("(a fold)"), std::string::npos) << curve.message;
  ASSERT_FALSE(curve.points.empty());
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const double here = std::abs(curve.deflections[i]);
    EXPECT_LT(here, u);
    EXPECT_NEAR(curve.points[i].q, (here - a * k3 * here * here * here) / psi, 1e-9 * q);
  }
  EXPECT_GT(curve.points.back().q, (1.0 - 2e-3) * q);
  EXPECT_LT(curve.points.size(), 40u);
}

/// A cubic spring that is no number beyond a deflection.
class BrittleSpring : public CustomLaw {
 public:
  [[nodiscard]] std::string name() const override { return "brittle"; }
  [[nodiscard]] int components() const override { return 1; }
  [[nodiscard]] int state_size() const override { return 0; }
  void evaluate(std::span<const double>, const CustomInput& in, CustomTrial& out) const override {
    const double u = std::abs(in.u[0]) < 1.5 ? in.u[0] : std::nan("");
    out.force[0] = 0.4 * u * u * u;
    out.stiffness[0][0] = 1.2 * u * u;
  }
  [[nodiscard]] CustomMatrix stuck_stiffness() const override { return {}; }
};

// A trial that ends at no number has passed no fold, and one says nothing of the next. The fold as in EndsAtAFold.
TEST(VibratingModes, AFoldIsThatOfTheLastTrial) {
  const auto system_with = [](const Law& law) {
    return System(LinearStructure::lumped({1.0, 0.7}, {}, {{-1, 0, 1.0}, {0, 1, 2.0}}, {}, ModalDamping{{zeta0}}),
                  {{"joint", law, testing::between(2, -1, 1)}});
  };
  const System cubic = system_with(Polynomial<double>({0.0, 0.0, 0.4})),
               brittle = system_with(CustomLawHandle(std::make_shared<BrittleSpring>()));
  const QuasiStaticMode of_cubic(cubic, 1, LoadShape::stuck, OtherModes::vibrating),
      of_brittle(brittle, 1, LoadShape::stuck, OtherModes::vibrating);
  ModalEquilibrium equilibrium(of_cubic, 1e-10, 30), breaks(of_brittle, 1e-10, 30);
  EXPECT_FALSE(equilibrium.try_displacement(100.0));
  EXPECT_TRUE(equilibrium.passed_fold());
  EXPECT_TRUE(equilibrium.try_displacement(0.01));
  EXPECT_FALSE(equilibrium.passed_fold());
  EXPECT_FALSE(breaks.try_displacement(100.0));
  EXPECT_FALSE(breaks.passed_fold());
  EXPECT_TRUE(breaks.try_displacement(0.01));
}

}  // namespace vibrating_modes_test
}  // namespace microslip
