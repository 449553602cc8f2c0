// Quasi-static modal analysis against closed forms, static solutions on all degrees of freedom and known loops.

#include "microslip/modal/quasi_static_modal.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <cmath>
#include <numbers>
#include <random>

#include "microslip/numerics/dense.hpp"
#include "microslip/system/static_solution.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace quasi_static_modal_test {

constexpr double pi = std::numbers::pi;

/// One mass on a spring to the ground with one joint beside it: alpha = sqrt(m) (K u + f(u)), q = sqrt(m) u.
System oscillator(Law law, double spring, double zeta = 0.0) {
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, spring}}, {}, ModalDamping{{zeta}}),
                {{"joint", std::move(law), testing::between(1, -1, 0)}});
}

/// Two masses of a free chain with a joint between them.
System free_pair(Law law, double spring) {
  std::vector<LumpedLink> springs;
  if (spring > 0.0) springs.push_back({0, 1, spring});
  return System(LinearStructure::lumped({1.0, 3.0}, {}, springs, {}, ModalDamping{{0.0}}),
                {{"joint", std::move(law), testing::between(2, 0, 1)}});
}

// Closed forms of Segalman's element in microslip (methods of docs/theory.md): alpha = K u + F0(u), D(u), and
// K1 = K + K_T - R u^(chi+1)/(chi+1) * 4 Gamma(chi+5/2)/(sqrt(pi)(chi+3) Gamma(chi+3)).
TEST(QuasiStaticModal, IwanOscillatorHasItsClosedForms) {
  const double k = 3.55e4, zeta0 = 1e-4, chi = -0.75;
  const auto backbone = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, chi, 5.0);
  const System system = testing::shetty_oscillator();
  const double omega0 = std::sqrt(k + 6.32e4);
  const ModalCurve curve = quasi_static_modal_analysis(system, 0, {1e-3, 60.0, 40});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  ASSERT_GE(curve.points.size(), 40U);
  EXPECT_EQ(curve.points.front().alpha, 1e-3);
  EXPECT_EQ(curve.points.back().alpha, 60.0);
  for (const ModalPoint& point : curve.points) {
    const double u = point.q;
    ASSERT_LT(u, backbone.phi_max());
    const auto f = backbone.at(u);
    EXPECT_NEAR((k * u + f.force) / point.alpha, 1.0, 1e-10);
    EXPECT_NEAR(point.omega / std::sqrt(k + f.force / u), 1.0, 1e-10);
    EXPECT_NEAR(point.tangent / (k + f.slope), 1.0, 1e-9);
    EXPECT_NEAR(point.dissipation / backbone.dissipation(u), 1.0, 1e-9);
    const double k1 = k + 6.32e4 -
                      backbone.r() * std::pow(u, chi + 1) / (chi + 1) * 4.0 * std::tgamma(chi + 2.5) /
                          (std::sqrt(pi) * (chi + 3.0) * std::tgamma(chi + 3.0));
    // Four nodes for each factor 2 below the ramp leave 1e-5 of the softening, itself below 1e-2 of k1.
    EXPECT_NEAR(point.omega_ringdown / std::sqrt(k1), 1.0, 1e-7) << u;
    const double viscous = 2.0 * pi * zeta0 * omega0 * std::sqrt(k1) * u * u;
    EXPECT_NEAR(point.zeta, (point.dissipation + viscous) / (2.0 * pi * u * u * (k + f.slope)), 1e-7 * point.zeta);
    EXPECT_NEAR(point.zeta_secant, point.dissipation / (2.0 * pi * point.alpha * u) + zeta0, 1e-12);
    EXPECT_EQ(point.coupling, 0.0);
  }
}

// The first harmonic through the onset of macroslip: quadrature of the branch F = F0(u) - 2 F0((u - y)/2), dense.
TEST(QuasiStaticModal, FirstHarmonicInMacroslip) {
  const auto backbone = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0);
  const System system = testing::shetty_oscillator();
  const ModalCurve curve = quasi_static_modal_analysis(system, 0, {1.0, 1000.0, 50});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  EXPECT_GT(curve.points.back().q, 5.0 * backbone.phi_max());
  for (const ModalPoint& point : curve.points) {
    constexpr int n = 20000;
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
      const double t = pi * (i + 0.5) / n;
      const double y = point.q * std::cos(t);
      sum += (backbone.at(point.q).force - 2.0 * backbone.at(0.5 * (point.q - y)).force) * std::cos(t);
    }
    const double k1 = 3.55e4 + 2.0 * sum / n / point.q;
    // The curve is known at its points only; the kink lies between two of them.
    EXPECT_NEAR(point.omega_ringdown / std::sqrt(k1), 1.0, 2e-5) << point.q / backbone.phi_max();
    EXPECT_NEAR(point.dissipation / backbone.dissipation(point.q), 1.0, 1e-9);
  }
}

// u, q and the tangent against the static solution of the whole system, and the tangent against its difference.
TEST(QuasiStaticModal, EqualsTheStaticSolution) {
  const System system = testing::three_masses();
  for (int mode = 0; mode < 3; ++mode) {
    for (const LoadShape shape : {LoadShape::stuck, LoadShape::slipped}) {
      QsmaOptions options;
      options.load_shape = shape;
      const Modes modes = shape == LoadShape::stuck ? system.stuck_modes() : system.slipped_modes();
      const Eigen::VectorXd force = system.structure().mass() * modes.shapes.col(mode);
      const ModalCurve curve = quasi_static_modal_analysis(system, mode, {1.0, 200.0, 8}, options);
      ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const ModalPoint& point = curve.points[i];
        const StaticSolution direct = static_solution(system, point.alpha * force);
        ASSERT_EQ(direct.ending, Ending::completed);
        EXPECT_NEAR(point.q / force.dot(direct.q), 1.0, 1e-10);
        EXPECT_NEAR(curve.deflections[i] / (direct.q(2) - direct.q(1)), 1.0, 1e-9);
        const double h = 1e-5 * point.alpha;
        const double rise = force.dot(static_solution(system, (point.alpha + h) * force).q - direct.q);
        EXPECT_NEAR(point.tangent * rise / h, 1.0, 1e-4);
        const Eigen::VectorXd parts = modes.shapes.transpose() * (system.structure().mass() * direct.q);
        double coupling = 0.0;
        for (int s = 0; s < 3; ++s) {
          if (s == mode) continue;
          coupling = std::max(coupling, std::abs(parts(s) / parts(mode)));
          const auto other = static_cast<std::size_t>(s < mode ? s : s - 1);
          EXPECT_NEAR(curve.ratios[2 * i + other], parts(s) / parts(mode), 1e-9);
        }
        EXPECT_NEAR(point.coupling, coupling, 1e-9);
      }
    }
  }
}

// Loops of a Masing system: 8 * integral of alpha dq - 4 alpha q is the sum of the joints' closed forms. Hermite's
// rule on a dense curve, and the power law before its first point.
TEST(QuasiStaticModal, LoopAreaIsTheDissipationOfTheJoints) {
  const System system = testing::three_masses();
  for (int mode = 0; mode < 3; ++mode) {
    const ModalCurve curve = quasi_static_modal_analysis(system, mode, {1e-3, 100.0, 2000});
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    const double stuck = std::pow(system.stuck_modes().omega(mode), 2);
    // Without the linear part, which cancels: s = alpha - stuck q.
    const auto excess = [&](const ModalPoint& p) { return p.alpha - stuck * p.q; };
    double work = 0.0;
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      const ModalPoint& a = curve.points[i - 1];
      const ModalPoint& b = curve.points[i];
      const double h = b.q - a.q;
      work += 0.5 * h * (excess(a) + excess(b)) + h * h / 12.0 * (a.tangent - b.tangent);
      if (b.alpha < 1.0) continue;
      EXPECT_NEAR((8.0 * work - 4.0 * excess(b) * b.q) / b.dissipation, 1.0, 1e-6) << mode << " " << b.alpha;
    }
  }
}

// Free-free: rigid modes do not count. Two masses with one joint are an oscillator of the reduced mass.
TEST(QuasiStaticModal, FreePairIsAnOscillator) {
  const auto law = Iwan4<double>(Iwan4Backbone<double>::from_physical(10.0, 2.0, -0.3, 1.0));
  const System pair = free_pair(law, 5.0);
  ASSERT_EQ(pair.stuck_modes().rigid, 1);
  EXPECT_THROW(static_cast<void>(quasi_static_modal_analysis(pair, 0, {1.0, 2.0})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(quasi_static_modal_analysis(pair, 2, {1.0, 2.0})), std::invalid_argument);
  const ModalCurve curve = quasi_static_modal_analysis(pair, 1, {0.01, 100.0, 30});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  const double mass = 0.75;  // 1*3/(1 + 3)
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const double u = std::abs(curve.deflections[i]);
    EXPECT_NEAR(curve.points[i].q / (std::sqrt(mass) * u), 1.0, 1e-10);
    EXPECT_NEAR(curve.points[i].omega / std::sqrt((5.0 + law.secant_stiffness(u)) / mass), 1.0, 1e-10);
  }
}

// Without a spring beside it, the joint's macroslip force is all there is: alpha_max = F_S/sqrt(m). The curve ends
// there, and its last point is the onset of macroslip.
TEST(QuasiStaticModal, EndsAtTheLimitLoad) {
  const auto backbone = Iwan4Backbone<double>::from_physical(10.0, 2.0, -0.3, 1.0);
  for (const bool free : {false, true}) {
    const System system = free ? free_pair(Iwan4<double>(backbone), 0.0) : oscillator(Iwan4<double>(backbone), 0.0);
    const double mass = free ? 0.75 : 1.0;
    const ModalCurve curve = quasi_static_modal_analysis(system, free ? 1 : 0, {0.1, 50.0, 30});
    EXPECT_EQ(curve.ending, Ending::limit_load);
    EXPECT_NE(curve.message.find("cannot rise beyond"), std::string::npos) << curve.message;
    ASSERT_GT(curve.points.size(), 10U);
    EXPECT_NEAR(curve.points.back().alpha, 10.0 / std::sqrt(mass), 1e-5);
    EXPECT_NEAR(curve.points.back().q, backbone.phi_max() * std::sqrt(mass), 1e-5);
    for (const ModalPoint& point : curve.points) {
      EXPECT_TRUE(std::isfinite(point.zeta) && std::isfinite(point.omega_ringdown));
    }
  }
}

// A softening cubic k1 u - k3 u^3 has its limit at u = sqrt(k1/(3 k3)), load 2/3 k1 u.
TEST(QuasiStaticModal, SofteningSpringHasALimitLoad) {
  const System system = oscillator(Polynomial<double>({3.0, 0.0, -1.0}), 0.0);
  const ModalCurve curve = quasi_static_modal_analysis(system, 0, {0.01, 10.0, 20});
  EXPECT_EQ(curve.ending, Ending::limit_load);
  EXPECT_NEAR(curve.points.back().q, 1.0, 1e-3);
  EXPECT_NEAR(curve.points.back().alpha, 2.0, 1e-4);
}

// Duffing, k1 u + k3 u^3: omega^2 = (k1 + k3 Q^2) (pi/(2 K(m)))^2, m = k3 Q^2/(2 (k1 + k3 Q^2)), K the complete
// elliptic integral. What the damper takes in a half swing is c times the integral of v dq, by quadrature of the
// energy; the tip moves by that over alpha. Both up to zeta^2; the damper's loss is that at an amplitude 1e-3 away, or
// less.
TEST(QuasiStaticModal, DuffingSpring) {
  const System system = oscillator(Polynomial<double>({1.0, 0.0, 2.0}), 1.0, 1e-3);
  QsmaOptions options;
  options.cycle_steps = 128;  // converges fast: 1e-5 with the usual 32
  const ModalCurve curve = quasi_static_modal_analysis(system, 0, {0.01, 10.0, 20}, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  const double omega0 = std::sqrt(2.0);
  for (const ModalPoint& point : curve.points) {
    const double q2 = point.q * point.q;
    const double secant = 2.0 + 2.0 * q2;
    const double period = std::comp_ellint_1(std::sqrt(q2 / secant));
    double action = 0.0;  // v^2 = (Q^2 - u^2) (2 + Q^2 + u^2)
    for (int i = 0; i < 200; ++i) {
      const double t = pi * (i + 0.5) / 200;
      action += q2 * std::pow(std::sin(t), 2) * std::sqrt(2.0 + q2 + q2 * std::pow(std::cos(t), 2)) * pi / 200;
    }
    EXPECT_NEAR(point.alpha / (2.0 * point.q + 2.0 * std::pow(point.q, 3)), 1.0, 1e-10);
    EXPECT_NEAR(point.omega_ringdown / (std::sqrt(secant) * pi / (2.0 * period)), 1.0, 3e-6);
    EXPECT_EQ(point.dissipation, 0.0);
    EXPECT_NEAR(point.zeta / (2e-3 * omega0 * action / (pi * secant * q2)), 1.0, 1e-3);
  }
}

// A linear joint: nothing depends on amplitude.
TEST(QuasiStaticModal, LinearSystem) {
  for (const Law& law : {Law(Linear<double>(4.0)), Law(Polynomial<double>({4.0}))}) {
    const ModalCurve curve = quasi_static_modal_analysis(oscillator(law, 5.0, 0.02), 0, {1e-6, 1e6, 5});
    ASSERT_EQ(curve.ending, Ending::completed);
    EXPECT_EQ(curve.points.size(), 5U);
    for (const ModalPoint& point : curve.points) {
      EXPECT_NEAR(point.omega, 3.0, 1e-13);
      EXPECT_NEAR(point.omega_ringdown, 3.0, 1e-13);
      EXPECT_NEAR(point.zeta, 0.02, 1e-14);
      EXPECT_NEAR(point.zeta_secant, 0.02, 1e-14);
    }
  }
}

// Jenkins: D = 4 F_s (X - F_s/k_t), loop with two corners.
TEST(QuasiStaticModal, JenkinsElement) {
  const System system = oscillator(Jenkins<double>(1.0, 2.0), 1.0);
  const ModalCurve curve = quasi_static_modal_analysis(system, 0, {0.1, 100.0, 40});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const ModalPoint& point : curve.points) {
    EXPECT_NEAR(point.dissipation, point.q > 2.0 ? 8.0 * (point.q - 2.0) : 0.0, 1e-9 * point.q);
    EXPECT_NEAR(point.alpha, point.q + std::min(point.q, 2.0), 1e-9 * point.alpha);
  }
}

// First harmonic of Jenkins' parallelogram: K1 = k + kt/pi (t - sin(t) cos(t)), cos(t) = 1 - 2 u_y/X. Corners anywhere
// between the points of a ramp, and the next point as close behind as it likes. Four nodes a segment, the root one
// segment away: 1e-5 of the joint's share, and 1e-4 where the points of the ramp are a factor of two apart.
TEST(QuasiStaticModal, FirstHarmonicPastACorner) {
  for (const double kt : {0.1, 2.0, 30.0}) {
    for (const double fs : {0.01, 1.0, 1.07, 1.13, 70.0}) {
      const System system = oscillator(Jenkins<double>(kt, fs), 1.0);
      for (const int points : {7, 20, 50, 51, 300}) {
        const ModalCurve curve =
            quasi_static_modal_analysis(system, 0, {0.3 * fs, 5.0 * fs * (1.0 + 1.0 / kt), points});
        ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
        for (const ModalPoint& point : curve.points) {
          const double t = std::acos(1.0 - 2.0 * std::min(fs / kt / point.q, 1.0));
          const double k1 = 1.0 + kt / pi * (t - std::sin(t) * std::cos(t));
          EXPECT_NEAR(std::pow(point.omega_ringdown, 2), k1, (points > 7 ? 1e-5 : 1e-4) * kt)
              << kt << ' ' << fs << ' ' << points << ' ' << point.q;
        }
      }
    }
  }
}

// A table joined by lines is Jenkins elements in parallel: slopes 2, 0.4 and 0.1 are 1.6 up to 0.5, 0.3 up to 2, and
// 0.1.
TEST(QuasiStaticModal, FirstHarmonicOfALinearTable) {
  const auto law = masing_table<double>({0.5, 2.0, 5.0}, {1.0, 1.6, 1.9}, Interpolation::linear);
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(law, 1.0), 0, {0.3, 6.0, 40});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const ModalPoint& point : curve.points) {
    double k1 = 1.1;
    for (const auto& [kt, yield] : {std::pair(1.6, 0.5), std::pair(0.3, 2.0)}) {
      const double t = std::acos(1.0 - 2.0 * std::min(yield / point.q, 1.0));
      k1 += kt / pi * (t - std::sin(t) * std::cos(t));
    }
    EXPECT_NEAR(std::pow(point.omega_ringdown, 2), k1, 1e-5) << point.q;
  }
}

// Full load cycle of the five-parameter element: secant (4.7) and dissipation (4.8) of Lacayo's thesis at the
// amplitude reached, with the element of section 4.3 and Table 4.1.
TEST(QuasiStaticModal, FiveParameterElementHasMignoletsLoop) {
  const auto law = Iwan5<double>::from_distribution(7e5, 9e3, 6e-4, -0.6, 0.3);
  const double k = 5e5;
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(law, k), 0, {1.0, 300.0, 20});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  EXPECT_GT(curve.points.back().q, 5e-4);
  EXPECT_LT(curve.points.back().q, 6e-4);
  for (const ModalPoint& point : curve.points) {
    EXPECT_NEAR(point.omega * point.omega / (k + law.secant_stiffness(point.q)), 1.0, 1e-9) << point.q;
    EXPECT_NEAR(point.dissipation / law.dissipation(point.q), 1.0, 1e-8) << point.q;
  }
}

// With theta = 1 the five-parameter element is Segalman's: the full cycle gives what the Masing loop gives.
TEST(QuasiStaticModal, FullCycleEqualsTheMasingLoop) {
  const auto backbone = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.5, 2.0);
  const ModalCurve masing =
      quasi_static_modal_analysis(oscillator(Iwan4<double>(backbone), 3.55e4, 1e-4), 0, {0.1, 200.0, 40});
  const ModalCurve cycle =
      quasi_static_modal_analysis(oscillator(Iwan5<double>(backbone, 1.0), 3.55e4, 1e-4), 0, {0.1, 200.0, 40});
  ASSERT_EQ(cycle.ending, Ending::completed) << cycle.message;
  ASSERT_EQ(cycle.points.size(), masing.points.size());
  for (std::size_t i = 0; i < cycle.points.size(); ++i) {
    EXPECT_NEAR(cycle.points[i].q / masing.points[i].q, 1.0, 1e-9);
    EXPECT_NEAR(cycle.points[i].dissipation / masing.points[i].dissipation, 1.0, 1e-8);
    // A free swing covers a range of amplitudes: second order in zeta, but where it jumps within that range, at the
    // onset of macroslip.
    const double zeta = masing.points[i].zeta;
    if (std::abs(masing.points[i].q / backbone.phi_max() - 1.0) < 0.1) continue;
    EXPECT_NEAR(cycle.points[i].omega_ringdown / masing.points[i].omega_ringdown, 1.0, 5e-5 + 1.5 * zeta * zeta) << i;
    EXPECT_NEAR(cycle.points[i].zeta / zeta, 1.0, std::max(2e-3, zeta)) << masing.points[i].q / backbone.phi_max();
  }
}

// A joint at a node of the mode deflects by rounding, to and fro: it does not turn back. Two oscillators in phase, with
// a joint between them, are one.
TEST(QuasiStaticModal, JointAtANodeOfTheMode) {
  const Iwan4<double> law(Iwan4Backbone<double>::from_physical(1.0, 2.0, -0.5, 1.0));
  const System one(LinearStructure::lumped({1.0}, {}, {{-1, 0, 3.0}}, {}, ModalDamping{}),
                   {{"a", law, testing::between(1, -1, 0)}});
  const System two(
      LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 3.0}, {-1, 1, 3.0}, {0, 1, 0.7}}, {}, ModalDamping{}),
      {{"a", law, testing::between(2, -1, 0)},
       {"b", law, testing::between(2, -1, 1)},
       {"between", law, testing::between(2, 0, 1)}});
  const double root = std::sqrt(2.0);
  const ModalCurve expected = quasi_static_modal_analysis(one, 0, {0.01, 4.0, 30});
  const ModalCurve curve = quasi_static_modal_analysis(two, 0, {0.01 * root, 4.0 * root, 30});
  int compared = 0;  // points that are added where a curve bends may differ
  for (const ModalPoint& point : curve.points) {
    for (const ModalPoint& other : expected.points) {
      if (std::abs(point.alpha - root * other.alpha) > 1e-9 * point.alpha) continue;
      EXPECT_NEAR(point.q, root * other.q, 1e-9 * point.q);
      EXPECT_NEAR(point.omega_ringdown, other.omega_ringdown, 1e-5) << point.alpha;
      EXPECT_NEAR(point.zeta, other.zeta, 1e-9) << point.alpha;
      ++compared;
    }
  }
  EXPECT_GE(compared, 30);
}

/// Jenkins elements b_j on a structure K under a load that goes along small steps: every joint sticks, or slips
/// forwards or backwards, and the one combination that contradicts nothing holds.
class SlowLoad {
 public:
  SlowLoad(Eigen::Matrix3d k, Eigen::Matrix3d b, Eigen::Vector3d kt, Eigen::Vector3d fs)
      : k_(std::move(k)), b_(std::move(b)), kt_(std::move(kt)), fs_(std::move(fs)) {}

  double dissipation = 0.0;

  /// The displacements under `load`.
  Eigen::Vector3d go_to(const Eigen::Vector3d& load) {
    for (int n = 0; n < 27; ++n) {
      const int code = (last_ + n) % 27;
      const int states[] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};  // 0: sticks
      Eigen::Matrix3d k = k_;
      Eigen::Vector3d right = load;
      for (int j = 0; j < 3; ++j) {
        if (states[j] == 0) {
          k += kt_(j) * b_.col(j) * b_.col(j).transpose();
          right += kt_(j) * slip_(j) * b_.col(j);
        } else {
          right -= states[j] * fs_(j) * b_.col(j);
        }
      }
      const Eigen::Vector3d u = solve_symmetric(k, Eigen::VectorXd(right));
      bool holds = true;
      Eigen::Vector3d slip = slip_;
      for (int j = 0; j < 3; ++j) {
        const double w = b_.col(j).dot(u);
        if (states[j] == 0) {
          holds = holds && std::abs(kt_(j) * (w - slip_(j))) <= fs_(j) * (1.0 + 1e-12);
        } else {
          slip(j) = w - states[j] * fs_(j) / kt_(j);
          holds = holds && states[j] * (slip(j) - slip_(j)) >= -1e-12;
        }
      }
      if (!holds) continue;
      dissipation += fs_.dot((slip - slip_).cwiseAbs());
      slip_ = slip;
      last_ = code;
      return u;
    }
    ADD_FAILURE() << "no combination";
    return Eigen::Vector3d::Zero();
  }

 private:
  Eigen::Matrix3d k_, b_;
  Eigen::Vector3d kt_, fs_, slip_ = Eigen::Vector3d::Zero();
  int last_ = 13;
};

// Load that is redistributed may unload a joint during the ramp: then the modal curve does not obey the Masing rules,
// though every joint does. Random systems, cycles of the load by small steps, 300 a quarter, until they repeat: corners
// are found to one step.
TEST(QuasiStaticModal, JointsThatTurnBackDuringTheRamp) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto random = [&](double decades) { return std::pow(10.0, decades * uniform(generator)); };
  int unlike = 0;  // four times the virgin curve would have been wrong
  int early = 0;   // decays that have died by the fifth swing, told
  for (int n = 0; n < 200; ++n) {
    const Eigen::Vector3d m(random(0.5), random(0.5), random(0.5)), springs(random(1.0), random(1.0), random(1.0));
    const Eigen::Vector3d kt(random(1.0), random(1.0), random(1.0)), fs(random(0.7), random(0.7), random(0.7));
    const System system(
        LinearStructure::lumped({m(0), m(1), m(2)}, {}, {{-1, 0, springs(0)}, {0, 1, springs(1)}, {1, 2, springs(2)}},
                                {}, ModalDamping{}),
        {{"a", Jenkins<double>(kt(0), fs(0)), testing::between(3, -1, 2)},
         {"b", Jenkins<double>(kt(1), fs(1)), testing::between(3, 0, 2)},
         {"c", Jenkins<double>(kt(2), fs(2)), testing::between(3, 1, 2)}});
    const int mode = n % 3;
    const Eigen::Vector3d shape = m.cwiseProduct(system.stuck_modes().shapes.col(mode));
    const double scale = fs.sum() / shape.cwiseAbs().sum();
    const ModalCurve curve = quasi_static_modal_analysis(system, mode, {0.05 * scale, 8.0 * scale, 12});
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    const bool without_swing = std::any_of(curve.points.begin(), curve.points.end(),
                                           [](const ModalPoint& p) { return std::isnan(p.omega_ringdown); });
    EXPECT_EQ(curve.message.find("no free swing at") != std::string::npos, without_swing) << curve.message;
    early += curve.message.find("no decay but that of the first swings at") != std::string::npos;
    const ModalPoint& point = curve.points.back();
    SlowLoad slow(system.structure().stiffness(), system.directions(), kt, fs);
    constexpr int steps = 300;  // of a quarter
    double q = 0.0;
    const auto leg = [&](int from, int to) {
      const int step = from < to ? 1 : -1;
      const double before = slow.dissipation;
      for (int i = from; i != to; i += step) q = shape.dot(slow.go_to(point.alpha * (i + step) / steps * shape));
      return slow.dissipation - before;
    };
    const double virgin = leg(0, steps), virgin_top = q;
    double top = 0.0, bottom = 0.0, loop = -1.0, loop_before = 0.0;
    for (int cycle = 0; cycle < 20 && std::abs(loop - loop_before) > 1e-9 * loop; ++cycle) {
      top = q;
      loop_before = loop;
      loop = leg(steps, -steps);
      bottom = q;
      loop += leg(-steps, steps);
    }
    EXPECT_NEAR(point.q, 0.25 * (top + q) - 0.5 * bottom, 1e-3 * point.q) << n;
    EXPECT_NEAR(point.dissipation, loop, loop / steps + 1e-4 * point.alpha * point.q) << n;
    unlike += std::abs(4.0 * virgin - loop) > 0.01 * loop + 1e-4 * point.alpha * virgin_top;
  }
  EXPECT_GT(unlike, 0);
  EXPECT_GT(early, 0);
}

// Bouc-Wen under cycles of the load: turning points by bisection on the law alone, its own energy between them, until
// the turning points repeat (to 1e-9; they come nearer by a twelfth a cycle or more). Bounds: what a steady cycle may
// still have to go (load_cycle.hpp).
TEST(QuasiStaticModal, BoucWenLoop) {
  BoucWen<double>::Parameters p;
  p.k0 = 10.0;
  p.alpha = 0.4;
  p.beta = 0.6;
  p.gamma = 0.3;
  p.n = 1.5;
  const BoucWen<double> law(p);
  const double k = 2.0;
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(law, k), 0, {0.5, 30.0, 8});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const ModalPoint& point : curve.points) {
    BoucWen<double>::State state;
    const auto alpha_at = [&](double u) { return k * u + law.evaluate(state, {u}).force; };
    // alpha(u) is monotonic in each direction: find the turning points by bisection.
    const auto turn_at = [&](double alpha, double far) {
      double low = state.u, high = far;
      for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (low + high);
        ((alpha_at(middle) - alpha) * (far > state.u ? 1.0 : -1.0) < 0.0 ? low : high) = middle;
      }
      law.commit(state, law.evaluate(state, {high}));
      return high;
    };
    double top = turn_at(point.alpha, 100.0), bottom = 0.0, before = 0.0, again = 0.0;
    for (int cycle = 0; cycle < 2000 && std::abs(again - top) > 1e-9 * top; ++cycle) {
      if (cycle > 0) top = again;
      before = state.dissipated;
      bottom = turn_at(-point.alpha, -100.0);
      again = turn_at(point.alpha, 100.0);
    }
    EXPECT_NEAR(point.q / (0.5 * (top - bottom)), 1.0, 1e-6);
    EXPECT_NEAR(point.dissipation / (state.dissipated - before), 1.0, 1e-5);
    EXPECT_GT(point.dissipation, 0.0);
  }
}

// Gap: open below g, then k. Under +-alpha the tips are alpha/K and, in contact, (alpha + k g)/(K + k).
TEST(QuasiStaticModal, GapOpensAndCloses) {
  const double k = 4.0, g = 0.5, spring = 1.0;
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(Gap<double>(k, g), spring), 0, {0.1, 10.0, 20});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const ModalPoint& point : curve.points) {
    const double top = point.alpha > g ? (point.alpha + k * g) / (spring + k) : point.alpha;
    EXPECT_NEAR(point.q, 0.5 * (top + point.alpha), 1e-9);
    EXPECT_NEAR(point.dissipation, 0.0, 1e-12);
  }
}

// Preloaded gap: at rest the contact presses against the spring, and small motion has both stiffnesses.
TEST(QuasiStaticModal, PreloadedGap) {
  const ModalCurve curve = quasi_static_modal_analysis(oscillator(Gap<double>(4.0, -1.0), 1.0), 0, {0.01, 0.5, 5});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const ModalPoint& point : curve.points) {
    EXPECT_NEAR(point.omega, std::sqrt(5.0), 1e-9);
    EXPECT_NEAR(point.omega_ringdown, std::sqrt(5.0), 1e-9);
  }
}

/// Two components that do not know their energies: f = k u and a Jenkins element along u[0] + u[1].
class CrossedSlider : public CustomLaw {
 public:
  [[nodiscard]] std::string name() const override { return "crossed"; }
  [[nodiscard]] int components() const override { return 2; }
  [[nodiscard]] int state_size() const override { return 1; }
  void evaluate(std::span<const double> state, const CustomInput& in, CustomTrial& out) const override {
    const double w = in.u[0] + in.u[1];
    const double stretch = std::clamp(w - state[0], -1.0, 1.0);
    const bool sticks = stretch == w - state[0];
    out.next_state[0] = w - stretch;
    for (int i = 0; i < 2; ++i) {
      out.force[i] = stretch;
      for (int j = 0; j < 2; ++j) out.stiffness[i][j] = sticks ? 1.0 : 0.0;
    }
  }
  [[nodiscard]] CustomMatrix stuck_stiffness() const override { return {{{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {}}}; }
  [[nodiscard]] CustomMatrix slipped_stiffness() const override { return {}; }
};

// Two masses with a spring to the ground each, and the custom slider along q1 + q2: in the symmetric mode it is a
// Jenkins element, D = 4 (w - 1), w = sqrt(2) q. Work by steps: the corners cost accuracy.
TEST(QuasiStaticModal, CustomLawOfTwoComponents) {
  const System system(
      LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 1.0}, {-1, 1, 1.0}}, {}, ModalDamping{{0.0}}),
      {{"custom", CustomLawHandle(std::make_shared<CrossedSlider>()), Eigen::MatrixXd::Identity(2, 2)}});
  const int mode = 1;  // stuck: 1 + 2 against 1 of the other
  const ModalCurve curve = quasi_static_modal_analysis(system, mode, {0.1, 20.0, 20});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const ModalPoint& point = curve.points[i];
    const double w = std::sqrt(2.0) * point.q;
    EXPECT_NEAR(point.alpha, point.q + std::sqrt(2.0) * std::min(w, 1.0), 1e-9);
    EXPECT_NEAR(curve.deflections[2 * i] + curve.deflections[2 * i + 1], w, 1e-9);
    EXPECT_NEAR(point.dissipation, w > 1.0 ? 4.0 * (w - 1.0) : 0.0, 0.02 * w);
  }
}

TEST(QuasiStaticModal, RefinesTheOnsetOfMacroslip) {
  const System system = testing::three_masses();
  QsmaOptions coarse;
  coarse.refinements = 0;
  const LoadRamp ramp{0.1, 100.0, 12};
  const ModalCurve plain = quasi_static_modal_analysis(system, 1, ramp, coarse);
  const ModalCurve fine = quasi_static_modal_analysis(system, 1, ramp);
  EXPECT_EQ(plain.points.size(), 12U);
  EXPECT_GT(fine.points.size(), 15U);
  std::size_t found = 0;  // every point of the ramp is there
  for (const ModalPoint& point : fine.points) found += found < 12 && point.alpha == plain.points[found].alpha;
  EXPECT_EQ(found, 12U);
}

TEST(QuasiStaticModal, ObserverStops) {
  int calls = 0;
  const ModalCurve curve =
      quasi_static_modal_analysis(testing::three_masses(), 0, {1.0, 2.0, 10}, {}, [&](double) { return ++calls < 3; });
  EXPECT_EQ(curve.ending, Ending::interrupted);
  EXPECT_EQ(curve.points.size(), 3U);
}

TEST(QuasiStaticModal, RejectsWrongRamps) {
  const System system = testing::three_masses();
  for (const LoadRamp& ramp : {LoadRamp{0.0, 1.0}, LoadRamp{2.0, 1.0}, LoadRamp{1.0, 2.0, 1}, LoadRamp{1.0, NAN}}) {
    EXPECT_THROW(static_cast<void>(quasi_static_modal_analysis(system, 0, ramp)), std::invalid_argument);
  }
}

// Vibrating at the frequency of mode r, the other modes have inertia: [K0 - omega_r^2 (M - p p^T)] q + B x = alpha p,
// p = M phi_r, on all degrees of freedom.
TEST(QuasiStaticModal, VibratingModesHaveTheirInertia) {
  const System system = testing::three_masses();
  const Eigen::MatrixXd& m = system.structure().mass();
  const Eigen::VectorXd b = system.directions().col(0);
  const Eigen::MatrixXd stuck = system.structure().stiffness() + b * b.transpose();  // K_T = 1
  const auto joint = Iwan4Backbone<double>::from_physical(10.0, 1.0, -0.5, 5.0);
  QsmaOptions options;
  options.other_modes = OtherModes::vibrating;
  for (int mode = 0; mode < 3; ++mode) {
    const double omega = system.stuck_modes().omega(mode);
    const Eigen::VectorXd p = system.modal_force(mode);
    const LuFactors<double> moving(stuck - omega * omega * (m - p * p.transpose()));
    const ModalCurve curve = quasi_static_modal_analysis(system, mode, {1e-2, 60.0, 20}, options);
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const double u = curve.deflections[i];
      const double x = std::copysign(joint.at(std::abs(u)).force, u) - u;
      const Eigen::VectorXd q = moving.solve(Eigen::VectorXd(curve.points[i].alpha * p - x * b));
      EXPECT_NEAR(b.dot(q) / u, 1.0, 1e-9);
      EXPECT_NEAR(p.dot(q) / curve.points[i].q, 1.0, 1e-9);
      double other = 0.0;
      for (int s = 0; s < 3; ++s) {
        if (s != mode) other = std::max(other, std::abs(system.modal_force(s).dot(q) / p.dot(q)));
      }
      EXPECT_NEAR(curve.points[i].coupling, other, 1e-9);
    }
  }
  options.load_shape = LoadShape::slipped;
  EXPECT_THROW((void)quasi_static_modal_analysis(system, 0, {1.0, 2.0, 5}, options), std::invalid_argument);
}

// Two equal oscillators side by side: none of their modes vibrates alone.
TEST(QuasiStaticModal, ModesOfEqualFrequencyAreRefused) {
  const System twins(LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 4.0}, {-1, 1, 4.0}}, {}, ModalDamping{{0.0}}),
                     {});
  QsmaOptions options;
  options.other_modes = OtherModes::vibrating;
  EXPECT_THROW((void)quasi_static_modal_analysis(twins, 0, {1.0, 2.0, 5}, options), std::invalid_argument);
}

}  // namespace quasi_static_modal_test
}  // namespace microslip
