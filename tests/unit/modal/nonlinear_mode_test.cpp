// Nonlinear modes against closed forms, quasi-static modal analysis and ring-downs.

#include "microslip/modal/nonlinear_mode.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "microslip/modal/quasi_static_modal.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace nonlinear_mode_test {

constexpr double pi = std::numbers::pi;

/// Complete elliptic integral of the first kind, by the arithmetic-geometric mean: K(m) = pi/(2 agm(1, sqrt(1 - m))).
double elliptic_k(double m) {
  double a = 1.0, b = std::sqrt(1.0 - m);
  while (std::abs(a - b) > 1e-15 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return pi / (2.0 * a);
}

// x'' + k x + c x^3 = 0 with the amplitude X: omega = pi sqrt(k + c X^2)/(2 K(m)), m = c X^2/(2 (k + c X^2)).
TEST(NonlinearMode, DuffingBackbone) {
  const double k = 3.0, c = 0.7;
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, k}}, {}, ModalDamping{{0.0}}),
                      {{"cubic", Polynomial<double>({0.0, 0.0, c}), testing::between(1, -1, 0)}});
  std::vector<double> amplitudes;
  for (int i = 0; i <= 40; ++i) amplitudes.push_back(0.01 * std::pow(1e4, i / 40.0));
  NonlinearModeOptions options;
  options.tolerance = 1e-11;
  const NonlinearModeCurve curve = nonlinear_mode(system, 0, amplitudes, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const NonlinearModePoint& point : curve.points) {
    const double stiff = k + c * point.q * point.q;
    const double exact = pi * std::sqrt(stiff) / (2.0 * elliptic_k(c * point.q * point.q / (2.0 * stiff)));
    EXPECT_NEAR(point.omega / exact, 1.0, 1e-8) << point.q;
    EXPECT_NEAR(point.zeta_secant, 0.0, 1e-10);
    const double energy = 0.5 * k * point.q * point.q + 0.25 * c * std::pow(point.q, 4);
    EXPECT_NEAR(point.energy / energy, 1.0, 1e-8);
  }
}

/// A cubic spring that does not tell its energy.
class SilentSpring : public CustomLaw {
 public:
  [[nodiscard]] std::string name() const override { return "silent"; }
  [[nodiscard]] int components() const override { return 1; }
  [[nodiscard]] int state_size() const override { return 0; }
  void evaluate(std::span<const double>, const CustomInput& in, CustomTrial& out) const override {
    const double u = in.u[0];
    out.force[0] = 0.7 * u * u * u;
    out.stiffness[0][0] = 2.1 * u * u;
  }
  [[nodiscard]] CustomMatrix stuck_stiffness() const override { return {}; }
};

// Damping beside a law of the user's: that of the same spring built in, to the steps of the work.
TEST(NonlinearMode, ALawThatTellsNoEnergies) {
  const auto curve_with = [](const Law& law) {
    const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 3.0}}, {}, ModalDamping{{0.01}}),
                        {{"cubic", law, testing::between(1, -1, 0)}});
    return nonlinear_mode(system, 0, {0.5, 1.0, 2.0});
  };
  const NonlinearModeCurve built_in = curve_with(Polynomial<double>({0.0, 0.0, 0.7})),
                           silent = curve_with(CustomLawHandle(std::make_shared<SilentSpring>()));
  ASSERT_EQ(silent.ending, Ending::completed) << silent.message;
  ASSERT_EQ(silent.points.size(), built_in.points.size());
  for (std::size_t i = 0; i < silent.points.size(); ++i) {
    EXPECT_NEAR(silent.points[i].omega / built_in.points[i].omega, 1.0, 1e-5);
    EXPECT_NEAR(silent.points[i].zeta / built_in.points[i].zeta, 1.0, 1e-2);
  }
}

// One harmonic of a linear structure with a Jenkins element far from slip is the stuck mode, with its damping.
TEST(NonlinearMode, StuckModeAtSmallAmplitude) {
  const System system(LinearStructure::lumped({10.0, 10.0, 10.0}, {}, {{-1, 0, 9.0}, {0, 1, 9.0}, {1, 2, 9.0}}, {},
                                              ModalDamping{{1e-3, 2e-3, 5e-3}}),
                      {{"lap", Jenkins<double>(1.0, 10.0), testing::between(3, 1, 2)}});
  for (int mode = 0; mode < 3; ++mode) {
    const NonlinearModeCurve curve = nonlinear_mode(system, mode, {0.01, 0.1});
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    for (const NonlinearModePoint& point : curve.points) {
      const double zeta = system.damping_ratios()(mode);
      EXPECT_NEAR(point.omega / system.stuck_modes().omega(mode), 1.0, 1e-12);
      EXPECT_NEAR(point.zeta_secant / zeta, 1.0, 1e-9);
      EXPECT_NEAR(point.zeta / zeta, 1.0, 1e-6);  // dE/dq over a step of 1e-3
      EXPECT_LT(point.coupling, 1e-12);
      const Eigen::VectorXcd shape = first_harmonic_shape(system, point) / point.amplitude;
      EXPECT_LT((shape - system.stuck_modes().shapes.col(mode)).norm(), 1e-12);
    }
  }
}

/// Linear in ln q between two points of a dense curve.
ModalPoint at_amplitude(const ModalCurve& curve, double q) {
  const auto next = std::find_if(curve.points.begin(), curve.points.end(), [&](const auto& p) { return p.q >= q; });
  const ModalPoint &a = *(next - 1), &b = *next;
  const double t = std::log(q / a.q) / std::log(b.q / a.q);
  ModalPoint point = a;
  for (double ModalPoint::*value :
       {&ModalPoint::omega_ringdown, &ModalPoint::zeta, &ModalPoint::zeta_secant, &ModalPoint::dissipation}) {
    point.*value = a.*value + t * (b.*value - a.*value);
  }
  return point;
}

// Three masses in microslip against quasi-static modal analysis with vibrating modes, which is the same with one
// harmonic. The bands are those in which the latter follows ring-downs: 3e-5 in frequency, 0.5 % in damping.
TEST(NonlinearMode, ThreeMassesInMicroslip) {
  const System system = testing::three_masses();
  const double onset[] = {267.98, 41.536, 31.519};
  QsmaOptions options;
  options.other_modes = OtherModes::vibrating;
  for (int mode = 0; mode < 3; ++mode) {
    std::vector<double> amplitudes;
    for (int i = 0; i <= 10; ++i) amplitudes.push_back(0.01 * onset[mode] * std::pow(90.0, i / 10.0));
    const NonlinearModeCurve curve = nonlinear_mode(system, mode, amplitudes);
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    const double unit = onset[mode] * std::pow(system.stuck_modes().omega(mode), 2);
    const ModalCurve statics = quasi_static_modal_analysis(system, mode, {0.001 * unit, unit, 2000}, options);
    for (const NonlinearModePoint& point : curve.points) {
      const ModalPoint other = at_amplitude(statics, point.q);
      EXPECT_LE(point.truncation, 1e-7);
      EXPECT_NEAR(point.omega / other.omega_ringdown, 1.0, 3e-5);
      EXPECT_NEAR(point.zeta / other.zeta, 1.0, 5e-3);
      EXPECT_NEAR(point.zeta_secant / other.zeta_secant, 1.0, 5e-3);
      EXPECT_NEAR(point.dissipation / other.dissipation, 1.0, 5e-3);
    }
  }
}

/// Free decay of m = 1 on the spring k and a law, from rest at `start`: leapfrog with 2000 steps a period of about
/// 2 pi/omega, which leaves (2 pi/2000)^2/24 = 4e-7 of the energy. c: of a damper. Half of each way between turning
/// points.
template <class L>
std::vector<double> swings_of(const L& law, double k, double omega, double start, double end, double c = 0.0) {
  typename L::State state{};
  const auto force = [&](double x) {
    const auto trial = law.evaluate(state, {x, 0.0, 0.0, 0.0});
    law.commit(state, trial);
    return k * x + trial.force;
  };
  const double h = 2.0 * pi / omega / 2000.0;
  for (int i = 1; i <= 100; ++i) (void)force(start * i / 100.0);
  std::vector<double> half;
  double x = start, v = -0.5 * h * force(start), turn = start;
  while (half.empty() || half.back() > end) {
    x += h * v;
    const double before = v;
    v = ((1.0 - 0.5 * h * c) * v - h * force(x)) / (1.0 + 0.5 * h * c);
    if (before * v > 0.0) continue;
    const double tip = x + h * std::pow(before + v, 2) / (8.0 * (before - v));  // v is linear from step to step
    half.push_back(0.5 * std::abs(tip - turn));
    turn = tip;
  }
  return half;
}

/// zeta of swings at an amplitude, between the two next to it.
double damping_at(const std::vector<double>& swings, double amplitude) {
  const auto zeta = [&](std::size_t k) { return 0.5 / pi * std::log(swings[k - 1] / swings[k + 1]); };
  std::size_t k = 2;
  while (swings[k] > amplitude) ++k;
  const double share = std::log(amplitude / swings[k - 1]) / std::log(swings[k] / swings[k - 1]);
  return zeta(k - 1) + share * (zeta(k) - zeta(k - 1));
}

/// A law on a mass beside a spring.
System one_mass(const Law& law, double k, double zeta = 0.0) {
  std::vector<LumpedLink> springs;
  if (k > 0.0) springs.push_back({-1, 0, k});
  return System(LinearStructure::lumped({1.0}, {}, springs, {}, ModalDamping{{zeta}}),
                {{"joint", law, testing::between(1, -1, 0)}});
}

/// What places an amplitude within a half swing, over which it falls by exp(-pi zeta), is off by pi zeta at most; and a
/// law without return-point memory remembers its start by that much.
void expect_ring_down(const Law& law, double k, const std::vector<double>& amplitudes) {
  const System system = one_mass(law, k);
  const NonlinearModeCurve curve = nonlinear_mode(system, 0, amplitudes);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const NonlinearModePoint& point : curve.points) {
    const auto swings = std::visit(
        [&]<class L>(const L& l) -> std::vector<double> {
          if constexpr (std::is_same_v<L, BoucWen<double>> || std::is_same_v<L, Iwan5<double>> ||
                        std::is_same_v<L, Iwan5Sliders<double>>) {
            return swings_of(l, k, point.omega, 2.5 * point.q, 0.9 * point.q);
          }
          return {};
        },
        law);
    const double zeta = damping_at(swings, point.q);
    EXPECT_NEAR(point.zeta / zeta, 1.0, pi * zeta) << point.q;
  }
}

BoucWen<double> half_and_half() {
  BoucWen<double>::Parameters p;
  p.k0 = 1.0;
  p.alpha = 0.0;
  p.a = 1.0;
  p.beta = p.gamma = 0.5;
  p.n = 1.0;
  return BoucWen<double>(p);
}

TEST(NonlinearMode, BoucWenDecaysAsItsFreeMotion) {
  expect_ring_down(half_and_half(), 0.0, {0.03, 0.1, 0.3, 0.5});
  expect_ring_down(half_and_half(), 5.0, {0.1, 1.0, 3.0});
}

// A decay that comes down from far above within the cycles looked at is not one: then zeta is missing, not wrong. A
// start changes zeta by the order of pi zeta.
TEST(NonlinearMode, HeavyBoucWenIsRightOrMissing) {
  BoucWen<double>::Parameters p = half_and_half().parameters();
  p.k0 = 10.0;
  p.alpha = 0.1;
  p.beta = 0.6;
  p.gamma = 0.4;
  p.n = 1.5;
  const BoucWen<double> law(p);
  const double k = 2.0;
  const NonlinearModeCurve curve = nonlinear_mode(one_mass(law, k), 0, {0.6, 0.7, 0.8, 0.91476, 1.21176});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  int told = 0;
  for (const NonlinearModePoint& point : curve.points) {
    if (std::isnan(point.zeta)) continue;
    ++told;
    std::vector<double> swings = {0.0, 0.0, 0.0};  // the first and the third about the amplitude
    for (double start = point.q; swings[0] * swings[2] < point.q * point.q; start *= 1.05) {
      swings = swings_of(law, k, point.omega, start, 0.3 * point.q);
    }
    const double zeta = 0.5 / pi * std::log(swings[0] / swings[2]);
    EXPECT_NEAR(point.zeta / zeta, 1.0, pi * zeta) << point.q;
  }
  EXPECT_GE(told, 2);
}

// The state that a decay leaves loses more than the loop of a motion that has grown.
TEST(NonlinearMode, FiveParameterIwanDecaysAsItsFreeMotion) {
  for (const double theta : {0.3, 0.7}) {
    const auto law = Iwan5<double>::from_distribution(1.0, 0.2, 1.0, -0.5, theta);
    expect_ring_down(law, 10.0, {0.05, 0.2, 0.6, 1.5});
  }
}

// |d^2 ln zeta/d(ln q)^2| < 1: the exponent n of microslip bends towards saturation over a factor e or more. What the
// start of the decay leaves, a state that differs by its decay in half a cycle, is of second order in this.
TEST(NonlinearMode, NeighbouringRowsOfBoucWenAreSmooth) {
  std::vector<double> amplitudes;
  const double step = 0.05;
  for (int i = 0; i <= 80; ++i) amplitudes.push_back(0.01 * std::exp(step * i));
  const NonlinearModeCurve curve = nonlinear_mode(one_mass(half_and_half(), 0.0), 0, amplitudes);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (std::size_t i = 1; i + 1 < curve.points.size(); ++i) {
    const double bend =
        std::log(curve.points[i - 1].zeta * curve.points[i + 1].zeta / std::pow(curve.points[i].zeta, 2));
    const double most = step * step + std::pow(pi * curve.points[i].zeta, 2);
    EXPECT_LT(std::abs(bend), most) << curve.points[i].q;
    const double energy_bend =
        std::log(curve.points[i - 1].energy * curve.points[i + 1].energy / std::pow(curve.points[i].energy, 2));
    EXPECT_LT(std::abs(energy_bend), most) << curve.points[i].q;
  }
}

/// Bouc and Wen's law with the stiffness k0, that saturates at the force 1.
BoucWen<double> saturating(double k0) {
  BoucWen<double>::Parameters p = half_and_half().parameters();
  p.k0 = k0;
  p.beta = p.gamma = 0.5 * k0;
  return BoucWen<double>(p);
}

// Nearly Coulomb friction F = 1 on the spring k = 1: the amplitude falls by 2 F/k a half swing, d = 2/(pi a), exactly
// so in both cycles. They end 3 F/k below the amplitude: below 3 the motion has died by then. F builds up over 2 F/k0 =
// 0.01 of a way 2 a > 6.
TEST(NonlinearMode, AMotionThatDiesHasNoDamping) {
  std::vector<double> amplitudes;
  for (int i = 0; i < 60; ++i) amplitudes.push_back(std::pow(20.0, i / 59.0));
  NonlinearModeOptions options;
  options.harmonics = 11;
  const NonlinearModeCurve curve = nonlinear_mode(one_mass(saturating(200.0), 1.0), 0, amplitudes, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  int missing = 0;
  for (const NonlinearModePoint& point : curve.points) {
    if (std::isnan(point.zeta)) ++missing;
    EXPECT_EQ(std::isnan(point.zeta), std::isnan(point.energy)) << point.q;
    if (point.q < 2.95) {
      EXPECT_TRUE(std::isnan(point.zeta)) << point.q << " " << point.zeta;
    } else if (point.q > 3.15) {
      EXPECT_NEAR(point.zeta * pi * point.q / 2.0, 1.0, 0.02) << point.q;
    }
  }
  EXPECT_NE(curve.message.find(std::to_string(missing) + " of 60 amplitudes, where zeta and energy are missing"),
            std::string::npos)
      << curve.message;
}

// With p = 0 the integral of e^(2 s) over a cycle is the fall of e^(2 s) over 2 d: d = zeta of the linear mode. The law
// takes less than 4 F a of the 2 pi zeta k a^2, 1e-9/zeta; dE/d ln a by differences of E ~ a^2 over 2 h, h = 1e-3, has
// (2 h)^2/6 = 6.7e-7 too much, and omega and zeta of the periodic motion are known to 1e-8.
TEST(NonlinearMode, LinearDampingBesideALawThatIsNotMasing) {
  BoucWen<double>::Parameters p = half_and_half().parameters();
  p.k0 = 1e-9;
  for (const double zeta : {1e-3, 0.02, 0.05, 0.1, 0.2, 0.4}) {
    const NonlinearModeCurve curve = nonlinear_mode(one_mass(BoucWen<double>(p), 1.0, zeta), 0, {0.5, 1.0});
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    for (const NonlinearModePoint& point : curve.points) EXPECT_NEAR(point.zeta / zeta, 1.0, 7e-7 + 2e-9 / zeta);
  }
}

// The swings give d from ln a over a cycle, which differs from -ds/d tau by (p pi d)^2/3 of it, and the damped period
// is longer by zeta^2/2: 0.4 % at the largest zeta, 0.07, a third of it friction (p = -1/3 in macroslip). Memory of the
// start, of the order of pi zeta in microslip, is gone in swings that saturate.
TEST(NonlinearMode, LinearDampingAndBoucWenInAFreeMotion) {
  const double k0 = 20.0, zeta0 = 0.01;
  const BoucWen<double> law = saturating(k0);
  const NonlinearModeCurve curve = nonlinear_mode(one_mass(law, 1.0, zeta0), 0, {0.003, 0.01, 30.0, 100.0});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  const double c = 2.0 * zeta0 * std::sqrt(1.0 + k0);
  for (const NonlinearModePoint& point : curve.points) {
    const double zeta = damping_at(swings_of(law, 1.0, point.omega, 4.0 * point.q, 0.5 * point.q, c), point.q);
    EXPECT_NEAR(point.zeta / zeta, 1.0, 0.01) << point.q << " " << zeta;
  }
}

// Masing elements along the decay give what the closed form has, to the square of the decay of a cycle.
TEST(NonlinearMode, MasingElementsBesideOneThatIsNot) {
  const auto nearly_linear = [] {
    BoucWen<double>::Parameters p = half_and_half().parameters();
    p.k0 = 1e-9;
    return BoucWen<double>(p);
  }();
  const Iwan4<double> iwan(Iwan4Backbone<double>::from_physical(10.0, 3.0, -0.5, 1.0));
  const LinearStructure structure = LinearStructure::lumped({1.0}, {}, {{-1, 0, 5.0}}, {}, ModalDamping{{1e-3}});
  const System alone(structure, {{"lap", iwan, testing::between(1, -1, 0)}});
  const System beside(structure,
                      {{"lap", iwan, testing::between(1, -1, 0)}, {"soft", nearly_linear, testing::between(1, -1, 0)}});
  const std::vector<double> amplitudes = {0.03, 0.3, 1.0, 2.0};
  const NonlinearModeCurve closed = nonlinear_mode(alone, 0, amplitudes);
  const NonlinearModeCurve followed = nonlinear_mode(beside, 0, amplitudes);
  ASSERT_EQ(followed.ending, Ending::completed) << followed.message;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    const double decay = 2.0 * pi * closed.points[i].zeta;
    EXPECT_NEAR(followed.points[i].zeta / closed.points[i].zeta, 1.0, decay * decay + 1e-6);
    EXPECT_NEAR(followed.points[i].energy / closed.points[i].energy, 1.0, decay);
  }
}

/// What the artificial damping gives, 2 pi zeta omega^2 sum h^2 |eta|^2, over what joints and linear damping take in a
/// period: 1 for any solution of the equations, whatever its harmonics. The equations hold to 1e-8 of a motion whose
/// loss is about 2 pi zeta of its energy, zeta > 1e-3: to some 1e-5.
double power_balance(const System& system, const NonlinearModePoint& point) {
  double given = 0.0, taken = point.dissipation;
  for (Eigen::Index s = 0; s < point.modal.rows(); ++s) {
    for (Eigen::Index h = 1; h < point.modal.cols(); ++h) {
      const double square = static_cast<double>(h * h) * std::norm(point.modal(s, h));
      given += 2.0 * pi * point.zeta_secant * point.omega * point.omega * square;
      taken += pi * point.omega * system.modal_damping().diagonal()(s) * square;
    }
  }
  return given / taken;
}

// Two stops and a slider: where the second stop is met Newton finds no motion with the harmonics that the tolerance
// asks for, neither from that with fewer nor from the amplitude before.
TEST(NonlinearMode, KeepsTheHarmonicsItFindsAMotionWith) {
  const System system(
      LinearStructure::lumped({9.355, 2.316, 2.765, 0.1433}, {},
                              {{-1, 0, 44.37}, {0, 1, 300.57}, {1, 2, 9.792}, {2, 3, 17.54}, {-1, 3, 1.4384}}, {},
                              ModalDamping{{0.0033943812805}}),
      {{"stop", PiecewiseLinearSpring<double>({-1.4047e-4, -7.0235e-5, 7.0235e-5, 1.4047e-4}, {0.0, 0.0, 0.0, 0.0743}),
        testing::between(4, -1, 0)},
       {"seat", Gap<double>(1464.37, -7.4993e-7), testing::between(4, 0, 3)},
       {"lap", Iwan4<double>(Iwan4Backbone<double>::from_physical(2.189e-3, 26.438, -0.14886, 0.073823)),
        testing::between(4, 0, 2)}});
  const NonlinearModeCurve curve = nonlinear_mode(system, 0, {1.04e-5, 1.96439e-5});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  ASSERT_EQ(curve.points.size(), 2U);
  EXPECT_LE(curve.points[0].truncation, 1e-7);
  EXPECT_GT(curve.points[1].truncation, 1e-7);
  EXPECT_NE(curve.message.find("first at amplitude 1.96439e-05"), std::string::npos) << curve.message;
  for (const auto& point : curve.points) EXPECT_NEAR(power_balance(system, point), 1.0, 1e-5);
}

// A slider of five parameters beside a one-sided stop: followed by arclength from 6.5e-6 the amplitude turns back for
// good. Beyond is another piece of the curve.
TEST(NonlinearMode, GoesOnBeyondAPieceThatTurnsBack) {
  const double chi = -0.075277425;
  const System system(
      LinearStructure::lumped({1.11347, 0.135339, 0.433628, 5.20997}, {},
                              {{-1, 0, 8.09392}, {0, 1, 4.71581}, {1, 2, 0.52951}, {2, 3, 0.309328}}, {},
                              ModalDamping{{0.0151165}}),
      {{"slider", Iwan5<double>::from_distribution(9705.47, 1.3853974, 6.379145e-5, chi, 0.782671),
        testing::between(4, 3, 0)},
       {"stop",
        PiecewiseLinearSpring<double>({-3.94846e-6, -1.97423e-6, 1.97423e-6, 3.94846e-6}, {0.0, 0.0, 0.0, 1.080251e-4}),
        testing::between(4, 3, 1)}});
  const NonlinearModeCurve curve = nonlinear_mode(system, 0, {6.53393e-6, 8.97647e-6});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  ASSERT_EQ(curve.points.size(), 2U);
  EXPECT_NE(curve.message.find("beyond amplitude 6.53393e-06"), std::string::npos) << curve.message;
  for (const auto& point : curve.points) EXPECT_NEAR(power_balance(system, point), 1.0, 1e-5);
}

// The equation the frequencies come from.
TEST(NonlinearMode, FrequenciesUnderAForce) {
  const System system = testing::three_masses();
  const NonlinearModePoint point = nonlinear_mode(system, 1, {2.0}).points.front();
  const Eigen::VectorXcd force = Eigen::Vector3cd(0.0, {0.01, 0.002}, 0.03);
  const Eigen::VectorXcd phi = first_harmonic_shape(system, point) / point.amplitude;
  const auto frequencies = frequencies_under(system, point, force);
  ASSERT_EQ(frequencies.size(), 2U);
  for (const double w : frequencies) {
    const std::complex<double> stiffness(point.omega * point.omega - w * w, 2.0 * point.zeta_secant * point.omega * w);
    EXPECT_NEAR(point.amplitude * std::abs(stiffness) / std::abs(phi.dot(force)), 1.0, 1e-10);
  }
  EXPECT_LT(frequencies[0], point.omega);
  EXPECT_GT(frequencies[1], point.omega);
  EXPECT_TRUE(frequencies_under(system, point, 1e-3 * force).empty());
}

TEST(NonlinearMode, RefusesWhatItCannotDo) {
  const System system = testing::three_masses();
  EXPECT_THROW((void)nonlinear_mode(system, 3, {1.0}), std::invalid_argument);
  EXPECT_THROW((void)nonlinear_mode(system, 0, {1.0, 1.0}), std::invalid_argument);
  EXPECT_THROW((void)nonlinear_mode(system, 0, {}), std::invalid_argument);
  EXPECT_THROW((void)nonlinear_mode(testing::three_masses(RayleighDamping{0.0, 0.01}), 0, {1.0}),
               std::invalid_argument);
}

}  // namespace nonlinear_mode_test
}  // namespace microslip
