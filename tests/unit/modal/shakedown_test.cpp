// Friction beside springs that are one-sided or preloaded: joints that slip once, under the first cycles, and stick or
// slip less from then on. Steady cycles, and decays that begin from them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "microslip/modal/nonlinear_mode.hpp"
#include "microslip/modal/quasi_static_modal.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace shakedown_test {

constexpr double pi = std::numbers::pi;

/// m = 1 on a spring 1, with a spring and a friction joint beside it.
System one_mass(Law spring, Law friction, double zeta) {
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{zeta}}),
                {{"spring", std::move(spring), testing::between(1, -1, 0)},
                 {"friction", std::move(friction), testing::between(1, -1, 0)}});
}

/// A spring of 3 preloaded by 0.5 and a Jenkins element of 1 that slips at 0.1.
///
/// At rest the contact has pulled the slider along: 4 u + 1.5 - 0.1 = 0. The first way to -alpha pulls it further; then
/// it sticks while 2 alpha/5, its range, is below 2 fs/kt: q = alpha/5, nothing is lost up to alpha = 0.5. Beyond, with
/// the contact closed (u > -0.5) up to alpha = 0.6, 4 q + fs = alpha and D = 4 fs (q - fs/kt).
constexpr double fs = 0.1, zeta0 = 0.005;
System preloaded_slider() {
  return one_mass(Gap<double>(3.0, -0.5), Jenkins<double>(1.0, fs), zeta0);
}

TEST(Shakedown, APreloadedSliderLosesNothingInASteadyCycle) {
  const ModalCurve curve = quasi_static_modal_analysis(preloaded_slider(), 0, {0.05, 0.59, 5});
  ASSERT_EQ(curve.ending, Ending::completed);
  EXPECT_EQ(curve.message, "");
  for (const ModalPoint& point : curve.points) {
    const double q = point.alpha < 0.5 ? 0.2 * point.alpha : 0.25 * (point.alpha - fs);
    const double loss = point.alpha < 0.5 ? 0.0 : 4.0 * fs * (q - fs);
    EXPECT_NEAR(point.q, q, 1e-9) << point.alpha;
    EXPECT_NEAR(point.dissipation, loss, 1e-9) << point.alpha;
    EXPECT_NEAR(point.zeta_secant, loss / (2.0 * pi * point.alpha * q) + zeta0, 1e-8) << point.alpha;
  }
}

// The decay is that of a linear oscillator as long as nothing slips.
TEST(Shakedown, APreloadedSliderDecaysAsIfItStuck) {
  const NonlinearModeCurve curve = nonlinear_mode(preloaded_slider(), 0, {0.01, 0.02, 0.04, 0.08});
  ASSERT_EQ(curve.ending, Ending::completed);
  EXPECT_EQ(curve.message, "");
  for (const NonlinearModePoint& point : curve.points) {
    EXPECT_NEAR(point.omega, std::sqrt(5.0), 1e-6) << point.q;
    EXPECT_NEAR(point.zeta, zeta0, 1e-7) << point.q;  // differences over 1e-6 of ln a
    EXPECT_NEAR(point.zeta_secant, zeta0, 1e-7) << point.q;
  }
}

// Two masses, an Iwan joint between them, the outer one on a preloaded contact that pushes to the right or to the left.
// What is left and what is right makes no difference to the steady cycle.
TEST(Shakedown, MirrorImagesLoseTheSame) {
  const auto curve_of = [](int from, int to) {
    const System system(LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 2.0}, {0, 1, 2.0}}, {}, ModalDamping{{0.0}}),
                        {{"contact", Gap<double>(3.0, -0.4), testing::between(2, from, to)},
                         {"iwan", Iwan4<double>(Iwan4Backbone<double>::from_physical(0.6, 1.0, -0.5, 1.0)),
                          testing::between(2, 0, 1)}});
    return quasi_static_modal_analysis(system, 0, {0.03, 0.6, 5});
  };
  const ModalCurve right = curve_of(-1, 1), left = curve_of(1, -1);
  int compared = 0;  // points that are added where a curve bends may differ
  for (const ModalPoint& point : right.points) {
    for (const ModalPoint& other : left.points) {
      if (std::abs(point.alpha - other.alpha) > 1e-9 * point.alpha) continue;
      EXPECT_NEAR(point.q / other.q, 1.0, 1e-6) << point.alpha;
      EXPECT_NEAR(point.dissipation / other.dissipation, 1.0, 1e-5) << point.alpha;
      // A step over the corner where the contact opens may be wrong by 1e-6 of the kinetic energy (free_swing.cpp),
      // that is 5e-7 of a swing's length; zeta is the difference of lengths two swings apart over 2 pi.
      EXPECT_NEAR(point.zeta, other.zeta, 1e-3 * other.zeta + 2.0 * 5e-7 / (2.0 * pi)) << point.alpha;
      ++compared;
    }
  }
  EXPECT_GE(compared, 5);
}

/// An Iwan element beside k2 u^2 + k3 u^3.
constexpr double k2 = 0.5, k3 = 0.3;
Iwan4<double> element() {
  return Iwan4<double>(Iwan4Backbone<double>::from_physical(0.5, 1.0, -0.5, 1.0));
}
System uneven_spring() {
  return one_mass(Polynomial<double>({0.0, k2, k3}), element(), 0.002);
}

// The turning points of the load by bisection on the law alone; the loss is the element's own.
TEST(Shakedown, UnevenSpringUnderCyclesOfTheLoad) {
  const ModalCurve curve = quasi_static_modal_analysis(uneven_spring(), 0, {0.1, 1.2, 6});
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  const Iwan4<double> law = element();
  for (const ModalPoint& point : curve.points) {
    Iwan4<double>::State state;
    const auto turn_at = [&](double alpha) {
      const double far = alpha > 0.0 ? 5.0 : -5.0;
      double low = state.u, high = far;
      for (int i = 0; i < 60; ++i) {
        const double u = 0.5 * (low + high);
        const double load = u + u * u * (k2 + k3 * u) + law.evaluate(state, {u}).force;
        ((load - alpha) * far < 0.0 ? low : high) = u;
      }
      law.commit(state, law.evaluate(state, {high}));
      return high;
    };
    double top = turn_at(point.alpha), bottom = 0.0, loss = 0.0;
    for (int cycle = 0; cycle < 4; ++cycle) {
      const double before = law.dissipated_energy(state);
      bottom = turn_at(-point.alpha);
      top = turn_at(point.alpha);
      loss = law.dissipated_energy(state) - before;
    }
    EXPECT_NEAR(point.q / (0.5 * (top - bottom)), 1.0, 1e-6) << point.alpha;
    EXPECT_NEAR(point.dissipation / loss, 1.0, 1e-5) << point.alpha;
  }
}

// The nonlinear mode differentiates along a decay, quasi-static modal analysis follows one: neither knows of the other.
// A swing takes pi zeta of the amplitude; both are right to the order of its square.
TEST(Shakedown, ModesDecayAsTheirFreeSwings) {
  for (const bool preloaded : {true, false}) {
    const System system = preloaded ? one_mass(Gap<double>(3.0, -0.5), element(), 0.002) : uneven_spring();
    const std::vector<double> amplitudes = {0.01, 0.03, 0.1};
    const NonlinearModeCurve curve = nonlinear_mode(system, 0, amplitudes);
    ASSERT_EQ(curve.points.size(), amplitudes.size()) << curve.message;
    for (const NonlinearModePoint& point : curve.points) {
      const double alpha = point.omega * point.omega * point.q;
      const ModalCurve swings = quasi_static_modal_analysis(system, 0, {0.97 * alpha, 1.03 * alpha, 2});
      const auto above =
          std::find_if(swings.points.begin(), swings.points.end(), [&](const ModalPoint& p) { return p.q > point.q; });
      ASSERT_TRUE(above != swings.points.begin() && above != swings.points.end());
      const ModalPoint& high = *above;
      const ModalPoint& low = *(above - 1);
      const double zeta = std::lerp(low.zeta, high.zeta, (point.q - low.q) / (high.q - low.q));
      EXPECT_NEAR(point.zeta / zeta, 1.0, 10.0 * std::pow(pi * zeta, 2)) << point.q;
    }
  }
}

// A memory that fades, beside the preloaded contact: not followed, and not told.
TEST(Shakedown, AFollowedDecayAboutAFarMeanIsNotTold) {
  BoucWen<double>::Parameters p;
  p.k0 = 1.0;
  p.alpha = 0.0;
  p.beta = p.gamma = 5.0;
  p.n = 1.0;
  const NonlinearModeCurve curve =
      nonlinear_mode(one_mass(Gap<double>(3.0, -0.5), BoucWen<double>(p), zeta0), 0, {0.02, 0.05});
  EXPECT_NE(curve.message.find("a mean deflection too large"), std::string::npos) << curve.message;
  for (const NonlinearModePoint& point : curve.points) EXPECT_TRUE(std::isnan(point.zeta));
}

/// A spring whose length grows with the way that it has gone.
class CreepingSpring : public CustomLaw {
 public:
  [[nodiscard]] std::string name() const override { return "creeping"; }
  [[nodiscard]] int components() const override { return 1; }
  [[nodiscard]] int state_size() const override { return 2; }  // u, length
  void evaluate(std::span<const double> state, const CustomInput& in, CustomTrial& out) const override {
    out.next_state[0] = in.u[0];
    out.next_state[1] = state[1] + creep * std::abs(in.u[0] - state[0]);
    out.force[0] = in.u[0] - out.next_state[1];
    out.stiffness[0][0] = in.u[0] > state[0] ? 1.0 - creep : 1.0 + creep;
  }
  [[nodiscard]] CustomMatrix stuck_stiffness() const override { return {{{1.0, 0.0, 0.0}, {}, {}}}; }

 private:
  static constexpr double creep = 0.01;
};

TEST(Shakedown, JointsThatDoNotSettleAreNamed) {
  const System system = one_mass(Gap<double>(3.0, 0.5), CustomLawHandle(std::make_shared<CreepingSpring>()), 0.0);
  const ModalCurve curve = quasi_static_modal_analysis(system, 0, {0.1, 0.2, 2});
  EXPECT_EQ(curve.ending, Ending::completed);
  EXPECT_NE(curve.message.find("joint \"friction\" does not settle"), std::string::npos) << curve.message;
  for (const ModalPoint& point : curve.points)
    EXPECT_TRUE(std::isnan(point.dissipation) && std::isnan(point.zeta_secant));
}

}  // namespace shakedown_test
}  // namespace microslip
