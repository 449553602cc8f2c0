#include "microslip/transient/transient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "microslip/system/static_solution.hpp"
#include "support/dense_newmark.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace transient_test {

using std::numbers::pi;
using testing::between;
using testing::DenseNewmark;
using testing::iwan_joint;

constexpr Scheme all_schemes[] = {Scheme::newmark, Scheme::hht, Scheme::generalized_alpha, Scheme::modal_exact};

TransientOptions options_for(double duration, double step, Scheme scheme = Scheme::newmark) {
  TransientOptions options;
  options.scheme = scheme;
  options.duration = duration;
  options.step = step;
  return options;
}

TransientResult run(const System& system, std::span<const Load> loads, const TransientOptions& options,
                    const InitialConditions& initial = {}) {
  NullSink sink;
  return simulate(system, loads, initial, {}, sink, options);
}

// Average acceleration turns omega into cos(W h) = (1 - (omega h)^2/4)/(1 + (omega h)^2/4) and keeps the amplitude.
TEST(Transient, NewmarkHasItsDiscreteFrequency) {
  const System system(LinearStructure::lumped({2.0}, {}, {{-1, 0, 18.0}}, {}, ModalDamping{}), {});
  const double h = 0.1;
  const double z = 0.25 * 9.0 * h * h;
  const double discrete = std::acos((1.0 - z) / (1.0 + z)) / h;
  InitialConditions initial;
  initial.q = Eigen::VectorXd::Constant(1, 1.0);
  const auto result = run(system, {}, options_for(1000 * h, h), initial);
  EXPECT_EQ(result.steps, 1000);
  EXPECT_NEAR(result.q(0), std::cos(discrete * 1000 * h), 1e-10);
  EXPECT_LT(result.energy.error, 1e-11);
}

// A ramp is linear over every step, so the exact scheme makes no error: damped oscillator under p = t, from rest,
//   x = t/w^2 - 2 zeta/w^3 + e^(-zeta w t)/w^2 [2 zeta/w cos(wd t) + (2 zeta^2 - 1)/wd sin(wd t)].
TEST(Transient, ModalExactIsExactForALinearForce) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 9.0}}, {}, ModalDamping{{0.05}}), {});
  const Load ramp{"ramp", Eigen::VectorXd::Ones(1), Signal(TableSignal{{0.0, 100.0}, {0.0, 100.0}}), false};
  const double w = 3.0, zeta = 0.05, wd = w * std::sqrt(1.0 - zeta * zeta), t = 20.0;
  const double exact = t / 9.0 - 2.0 * zeta / 27.0 +
                       std::exp(-zeta * w * t) / 9.0 *
                           (2.0 * zeta / w * std::cos(wd * t) + (2.0 * zeta * zeta - 1.0) / wd * std::sin(wd * t));
  const auto result = run(system, {&ramp, 1}, options_for(t, 0.5, Scheme::modal_exact));
  EXPECT_NEAR(result.q(0), exact, 1e-13);
}

// Free decay, whatever the unit of time and however long the step: cos and sin of a damped oscillator. A step rounds by
// a few 1e-16 of the phase that it covers.
TEST(Transient, ModalExactAtEveryFrequency) {
  for (const double w : {3.0, 3e5, 3e9}) {
    for (const double phase : {0.1, 1000.0}) {  // of a step
      const double zeta = 1e-4, wd = w * std::sqrt(1.0 - zeta * zeta), h = phase / w;
      const int steps = phase < 1.0 ? 20000 : 20;
      const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, w * w}}, {}, ModalDamping{{zeta}}), {});
      InitialConditions initial;
      initial.q = Eigen::VectorXd::Ones(1);
      const auto result = run(system, {}, options_for(steps * h, h, Scheme::modal_exact), initial);
      const double t = steps * h;
      const double exact = std::exp(-zeta * w * t) * (std::cos(wd * t) + zeta * w / wd * std::sin(wd * t));
      EXPECT_NEAR(result.q(0), exact, 1e-15 * steps * std::max(1.0, phase)) << w << ' ' << phase;
    }
  }
}

TEST(Transient, ModalExactCarriesRigidModes) {
  // Free mass under a constant force: x = p t^2/2m.
  const System system(LinearStructure::lumped({2.0}, {}, {}, {}, ModalDamping{{0.01}}), {});
  const Load push{"push", Eigen::VectorXd::Ones(1), Signal(Constant{3.0}), false};
  for (const Scheme scheme : all_schemes) {
    const auto result = run(system, {&push, 1}, options_for(10.0, 0.1, scheme));
    EXPECT_NEAR(result.q(0), 75.0, 1e-9);
    EXPECT_NEAR(result.v(0), 15.0, 1e-10);
  }
}

/// Five masses, free at one end, three joints: Iwan, Jenkins to ground, cubic spring.
System mixed_system(Damping damping, std::vector<LumpedLink> dampers = {}) {
  return System(LinearStructure::lumped({1.0, 2.0, 1.5, 1.0, 0.5}, {},
                                        {{-1, 0, 400.0}, {0, 1, 300.0}, {1, 2, 500.0}, {2, 3, 200.0}, {3, 4, 300.0}},
                                        dampers, std::move(damping)),
                {iwan_joint("iwan", 5, 1, 2, 3.0, 400.0, -0.4, 0.8),
                 {"jenkins", Jenkins<double>(150.0, 1.0), between(5, -1, 3)},
                 {"cubic", Polynomial<double>({50.0, 0.0, 4e4}), between(5, 0, 4)}});
}

Eigen::MatrixXd modal_damping_matrix(const System& system, double ratio) {
  const Modes& modes = system.stuck_modes();
  const Eigen::MatrixXd m_phi = system.structure().mass() * modes.shapes;
  return m_phi * (2.0 * ratio * modes.omega).asDiagonal() * m_phi.transpose();
}

struct DampingCase {
  const char* name;
  Damping damping;
  std::vector<LumpedLink> dampers;
};

Eigen::MatrixXd full_damping(const System& system, const DampingCase& c) {
  const Eigen::MatrixXd& m = system.structure().mass();
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(m.rows(), m.cols());
  if (const auto* modal = std::get_if<ModalDamping>(&c.damping)) full = modal_damping_matrix(system, modal->ratios[0]);
  if (const auto* rayleigh = std::get_if<RayleighDamping>(&c.damping)) {
    full = rayleigh->a * m + rayleigh->b * system.structure().stiffness();
  }
  if (const auto* matrix = std::get_if<MatrixDamping>(&c.damping)) full = matrix->matrix;
  for (const Damper& d : system.structure().dampers()) full += d.coefficient * d.direction * d.direction.transpose();
  return full;
}

Eigen::MatrixXd local_damping_matrix() {
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(5, 5);
  c(0, 0) = 2.0;
  c(2, 2) = 1.0;
  c(2, 3) = c(3, 2) = -0.4;
  c(3, 3) = 0.5;
  return c;
}

// The same scheme by the textbook way on all degrees of freedom: only rounding may differ. Covers every kind of
// damping.
TEST(Transient, JointSpaceEqualsFullNewton) {
  const std::vector<DampingCase> cases{{"modal", ModalDamping{{0.01}}, {}},
                                       {"rayleigh", RayleighDamping{0.1, 1e-3}, {}},
                                       {"dampers", ModalDamping{{0.0}}, {{-1, 1, 0.5}, {2, 4, 0.3}}},
                                       {"matrix", MatrixDamping{local_damping_matrix()}, {}},
                                       {"matrix and damper", MatrixDamping{local_damping_matrix()}, {{0, 3, 0.2}}}};
  for (const DampingCase& c : cases) {
    const System system = mixed_system(c.damping, c.dampers);
    const Eigen::VectorXd direction = Eigen::VectorXd::Unit(5, 4);
    const Load load{"hit", direction, Signal(HalfSine{40.0, 0.15}), false};
    const double h = 2e-3;
    DenseNewmark reference(system, full_damping(system, c), h);
    reference.start(Eigen::VectorXd::Zero(5));
    for (int n = 1; n <= 1000; ++n) reference.advance(direction * load.signal.value(n * h));
    const auto result = run(system, {&load, 1}, options_for(1000 * h, h));
    ASSERT_EQ(result.ending, Ending::completed);
    EXPECT_LT((result.q - reference.q).norm() / reference.q.norm(), 1e-8) << c.name;
    EXPECT_LT((result.v - reference.v).norm() / reference.v.norm(), 1e-8) << c.name;
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(result.memory.dissipated_energy(j), reference.memory.dissipated_energy(j), 1e-9) << c.name;
    }
    EXPECT_LT(result.energy.error, 2e-3) << c.name;
  }
}

// q is absolute; with y = q - r g the ground motion is the load -M r g''.
TEST(Transient, BaseMotionMovesTheGround) {
  const System system = mixed_system(ModalDamping{{0.01}}, {{-1, 2, 0.4}});
  const double g0 = 0.02, w = 9.0, h = 5e-4;
  const Load base{"shake", Eigen::VectorXd::Ones(5), Signal(Sine{g0, w, 0.0}), true};
  const Eigen::VectorXd inertia = system.structure().mass() * Eigen::VectorXd::Ones(5);
  DenseNewmark relative(system, full_damping(system, {"", ModalDamping{{0.01}}, {}}), h);
  relative.v.setConstant(-g0 * w);  // q' = 0 while the ground starts with g0 w
  relative.start(Eigen::VectorXd::Zero(5));
  for (int n = 1; n <= 4000; ++n) relative.advance(inertia * g0 * w * w * std::sin(w * n * h));
  const auto result = run(system, {&base, 1}, options_for(2.0, h));
  const Eigen::VectorXd q = relative.q + Eigen::VectorXd::Constant(5, g0 * std::sin(w * 2.0));
  // Both are second order, with different errors: at omega h = 0.02 the difference is some 1e-5.
  EXPECT_LT((result.q - q).norm() / q.norm(), 1e-4);
  EXPECT_LT(result.energy.error, 1e-3);
}

// The ground's work is g' r^T M q''. A system without kinks shows the order.
TEST(Transient, BaseMotionKeepsTheEnergyBalance) {
  const System system = testing::three_masses(RayleighDamping{0.01, 0.02}, {{-1, 1, 0.1}});
  const Load base{"shake", Eigen::VectorXd::Ones(3), Signal(Sine{4.0, 0.5, 0.3}), true};
  const Load push{"push", Eigen::VectorXd::Unit(3, 1), Signal(HalfSine{5.0, 3.0}), false};
  const Load loads[] = {base, push};
  const auto coarse = run(system, loads, options_for(60.0, 0.04));
  const auto fine = run(system, loads, options_for(60.0, 0.005));
  EXPECT_GT(fine.energy.joints[0], 1e-3 * fine.energy.input);
  EXPECT_NEAR(std::log2(coarse.energy.error / fine.energy.error) / 3.0, 2.0, 0.1);
}

TEST(Transient, TruncatedModesCountStatically) {
  const System system = mixed_system(ModalDamping{{0.02}});
  const Load load{"ramp", Eigen::VectorXd::Unit(5, 4), Signal(TableSignal{{0.0, 4.0, 9.0}, {0.0, 2.0, 2.0}}), false};
  const auto full = run(system, {&load, 1}, options_for(8.0, 1e-3));
  auto options = options_for(8.0, 1e-3);
  options.modes = 2;
  const auto truncated = run(system, {&load, 1}, options);
  // The slow load moves the upper three modes statically; without them the displacement is several per cent off.
  const Eigen::MatrixXd kept = system.stuck_modes().shapes.leftCols(2);
  const Eigen::VectorXd without = kept * (kept.transpose() * (system.structure().mass() * full.q));
  EXPECT_GT((without - full.q).norm() / full.q.norm(), 0.02);
  EXPECT_LT((truncated.q - full.q).norm() / full.q.norm(), 2e-3);
  EXPECT_LT(truncated.energy.error, 1e-5);
}

// A load that begins late: what the truncated modes did before it is not its work.
TEST(Transient, WorkOnTruncatedModesCountsFromTheLoadsBegin) {
  const System system = mixed_system(ModalDamping{{0.02}});
  const Load first{"first", Eigen::VectorXd::Unit(5, 4), Signal(Sine{3.0, 2.0, 0.0}), false};
  const Load late{"late", Eigen::VectorXd::Unit(5, 4), Signal(TableSignal{{0.0, 2.0, 2.5, 9.0}, {0.0, 0.0, 2.0, 2.0}}),
                  false};
  const Load loads[] = {first, late};
  auto options = options_for(4.0, 1e-3);
  options.modes = 2;
  EXPECT_LT(run(system, loads, options).energy.error, 1e-4);
}

// The truncated modes of a slowly shaken structure move with the ground, and so do its dampers.
TEST(Transient, TruncatedModesFollowTheGround) {
  const System system = testing::three_masses(RayleighDamping{0.01, 0.02}, {{-1, 1, 0.1}, {0, 2, 0.2}});
  const Load base{"shake", Eigen::VectorXd::Ones(3), Signal(Sine{1.0, 0.1, 0.0}), true};
  const auto full = run(system, {&base, 1}, options_for(200.0, 0.02));
  auto options = options_for(200.0, 0.02);
  options.modes = 1;
  const auto truncated = run(system, {&base, 1}, options);
  EXPECT_LT((truncated.q - full.q).norm() / full.q.norm(), 1e-2);
  EXPECT_LT((truncated.v - full.v).norm() / full.v.norm(), 5e-2);
  EXPECT_NEAR(truncated.energy.damping / full.energy.damping, 1.0, 0.15);
  EXPECT_LT(truncated.energy.error, 1e-3);
}

// A velocity of the ground that jumps costs the balance no order: its work is force times displacement. (With damping
// the load C r g' jumps as well, and any scheme that takes it at the ends of steps is of first order there.)
TEST(Transient, GroundWithCornersKeepsTheBalance) {
  const System system = testing::three_masses(ModalDamping{{0.0}});
  const Load base{"step", Eigen::VectorXd::Ones(3), Signal(TableSignal{{0.0, 3.3, 10.0}, {0.0, 2.0, 2.0}, true}), true};
  const auto coarse = run(system, {&base, 1}, options_for(40.0, 0.02));
  const auto fine = run(system, {&base, 1}, options_for(40.0, 0.0025));
  EXPECT_LT(coarse.energy.error, 1e-3);
  EXPECT_GT(std::log2(coarse.energy.error / fine.energy.error) / 3.0, 1.7);
}

// Contact that opens and closes again; a rebound loses no energy.
TEST(Transient, GapsOpenAgain) {
  for (const Scheme scheme : {Scheme::newmark, Scheme::modal_exact}) {
    const System system(LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 100.0}, {0, 1, 50.0}}, {}, ModalDamping{}),
                        {{"stop", Gap<double>(1e4, 0.01), between(2, -1, 0)}});
    const Load load{"push", Eigen::VectorXd::Unit(2, 0), Signal(Sine{5.0, 9.0, 0.0}), false};
    const auto coarse = run(system, {&load, 1}, options_for(3.0, 1e-3, scheme));
    const auto fine = run(system, {&load, 1}, options_for(3.0, 1e-4, scheme));
    EXPECT_EQ(coarse.ending, Ending::completed) << coarse.message;
    EXPECT_EQ(fine.ending, Ending::completed) << fine.message;
    EXPECT_LT(fine.energy.error, 1e-3);
  }
}

// A start beyond slip: what was lost on the way there is not the run's.
TEST(Transient, LedgerStartsAtTheInitialDisplacement) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 100.0}}, {}, ModalDamping{}),
                      {iwan_joint("j", 1, -1, 0, 1.0, 1e3, -0.5, 1.0)});
  InitialConditions initial;
  initial.q = Eigen::VectorXd::Constant(1, 0.5);
  const auto coarse = run(system, {}, options_for(2.0, 4e-3), initial);
  const auto fine = run(system, {}, options_for(2.0, 5e-4), initial);
  EXPECT_LT(coarse.energy.error, 1e-3);
  EXPECT_NEAR(std::log2(coarse.energy.error / fine.energy.error) / 3.0, 2.0, 0.5);
}

TEST(Transient, KnowsTheStabilityLimit) {
  // Central differences: omega h = 2.
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 100.0}}, {}, ModalDamping{}), {});
  auto options = options_for(100.0, 0.199);
  options.beta = 0.0;
  EXPECT_NEAR(stable_step(system, options), 0.2, 1e-15);
  InitialConditions initial;
  initial.q = Eigen::VectorXd::Ones(1);
  EXPECT_LT(std::abs(run(system, {}, options, initial).q(0)), 1.1);
  options.step = 0.201;
  EXPECT_THROW(run(system, {}, options, initial), std::invalid_argument);
}

TEST(Transient, TheFastLoopEqualsTheGeneralOne) {
  // A second, unloaded mass keeps the general loop busy without changing the first.
  const System one = testing::shetty_oscillator();
  const System two(LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 3.55e4}, {-1, 1, 1.0}}, {}, ModalDamping{{1e-4}}),
                   {iwan_joint("joint", 2, -1, 0, 100.0, 6.32e4, -0.75, 5.0)});
  const Load pulse = testing::shetty_pulse(120.0);
  const Load pulse_two{"pulse", Eigen::Vector2d(1.0, 0.0), pulse.signal, false};
  for (const Scheme scheme : all_schemes) {
    const auto fast = run(one, {&pulse, 1}, options_for(0.5, 2e-4, scheme));
    const auto general = run(two, {&pulse_two, 1}, options_for(0.5, 2e-4, scheme));
    EXPECT_NEAR(fast.q(0), general.q(0), 1e-13);
    EXPECT_NEAR(fast.v(0), general.v(0), 1e-11);
    EXPECT_EQ(fast.newton_iterations, general.newton_iterations);
    EXPECT_NEAR(fast.energy.input, general.energy.input, 1e-12);
    EXPECT_NEAR(fast.energy.joints[0], general.energy.joints[0], 1e-12);
    EXPECT_NEAR(fast.energy.damping, general.energy.damping, 1e-14);
  }
}

TEST(Transient, EnergyErrorFallsWithTheSquareOfTheStep) {
  const System system = mixed_system(RayleighDamping{0.1, 1e-3}, {{0, 2, 0.4}});
  const Load load{"hit", Eigen::VectorXd::Unit(5, 4), Signal(HalfSine{40.0, 0.15}), false};
  for (const Scheme scheme : all_schemes) {
    double previous = 0.0;
    for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
      const auto result = run(system, {&load, 1}, options_for(1.5, h, scheme));
      if (previous > 0.0) {
        // Kinks of the Jenkins joint inside steps make the constant wander.
        EXPECT_GT(previous / result.energy.error, 2.8) << static_cast<int>(scheme) << " " << h;
        EXPECT_LT(previous / result.energy.error, 5.6) << static_cast<int>(scheme) << " " << h;
      }
      previous = result.energy.error;
    }
  }
}

TEST(Transient, StartsFromAStaticPreload) {
  const System system = testing::shetty_oscillator();
  const double p = 60.0;
  const auto preload = static_solution(system, Eigen::VectorXd::Constant(1, p));
  InitialConditions initial;
  initial.q = preload.q;
  initial.memory = preload.memory;
  // Held: nothing moves.
  const Load hold{"hold", Eigen::VectorXd::Ones(1), Signal(Constant{p}), false};
  const auto held = run(system, {&hold, 1}, options_for(0.1, 1e-4), initial);
  EXPECT_NEAR(held.q(0), preload.q(0), 1e-12 * preload.q(0));
  EXPECT_NEAR(held.energy.joints[0], 0.0, 1e-12);
  // Released: it unloads along the Masing branch from its memory, not from the virgin curve.
  const auto released = run(system, {}, options_for(1e-3, 1e-5), initial);
  const auto backbone = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0);
  const double top = preload.q(0), now = released.q(0);
  const double expected = preload.forces(0) - 2.0 * backbone.at(0.5 * (top - now)).force;
  const double force = -released.a(0) - 3.55e4 * now - 2e-4 * system.stuck_modes().omega(0) * released.v(0);
  EXPECT_NEAR(force, expected, 1e-6 * std::abs(expected));
}

/// A stop with a step in its force: no root of the joint equation at the wrong moment, whatever the step.
class Stubborn : public CustomLaw {
 public:
  [[nodiscard]] std::string name() const override { return "stubborn"; }
  [[nodiscard]] int components() const override { return 1; }
  void evaluate(std::span<const double>, const CustomInput& input, CustomTrial& trial) const override {
    trial.force[0] = input.u[0] > 0.5 ? 1e12 : (input.u[0] > 0.4999 ? -1e12 : 0.0);
  }
  [[nodiscard]] CustomMatrix stuck_stiffness() const override { return {}; }
};

TEST(Transient, SaysWhenAndWhichJointDidNotConverge) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{}),
                      {{"wall", CustomLawHandle(std::make_shared<Stubborn>()), Eigen::MatrixXd::Ones(1, 1)}});
  InitialConditions initial;
  initial.v = Eigen::VectorXd::Constant(1, 1.0);
  MemorySink sink;
  const auto result = simulate(system, {}, initial, record_everything(system), sink, options_for(10.0, 0.01));
  EXPECT_EQ(result.ending, Ending::no_convergence);
  EXPECT_NE(result.message.find("joint \"wall\""), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("t = 0.5"), std::string::npos) << result.message;  // asin(1/2) = 0.52
  EXPECT_EQ(static_cast<long>(sink.rows()), result.steps + 1);                     // what there is, is kept
  EXPECT_GT(result.halved_steps, 0);
  // The end is the last accepted instant, not a trial: free motion x = sin t, and a balance that holds.
  EXPECT_NEAR(result.q(0), std::sin(result.time), 1e-4);
  EXPECT_LT(result.energy.error, 1e-10);
}

/// Two components: u1 and u2 with a full stiffness, and a damper on u1.
class Coupled : public CustomLaw {
 public:
  [[nodiscard]] std::string name() const override { return "coupled"; }
  [[nodiscard]] int components() const override { return 2; }
  void evaluate(std::span<const double>, const CustomInput& in, CustomTrial& trial) const override {
    trial.force = {30.0 * in.u[0] + 10.0 * in.u[1] + 0.7 * in.v[0], 10.0 * in.u[0] + 20.0 * in.u[1], 0.0};
    trial.stiffness[0] = {30.0, 10.0, 0.0};
    trial.stiffness[1] = {10.0, 20.0, 0.0};
    trial.damping[0][0] = 0.7;
  }
  [[nodiscard]] CustomMatrix stuck_stiffness() const override {
    return {{{15.0, 5.0, 0.0}, {5.0, 10.0, 0.0}, {0.0, 0.0, 0.0}}};  // any linearisation will do
  }
};

TEST(Transient, JointsMayHaveSeveralComponentsAndRates) {
  const auto structure = [] {
    return LinearStructure::lumped({1.0, 1.0, 1.0}, {}, {{-1, 0, 40.0}, {0, 1, 30.0}, {1, 2, 20.0}}, {},
                                   ModalDamping{{0.0}});
  };
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(3, 2);
  w(0, 0) = -1.0, w(1, 0) = 1.0, w(2, 1) = 1.0;
  const System system(structure(), {{"contact", CustomLawHandle(std::make_shared<Coupled>()), w}});
  EXPECT_EQ(system.component_name(1), "contact.2");
  const Load load{"hit", Eigen::VectorXd::Unit(3, 2), Signal(HalfSine{5.0, 0.5}), false};
  const double h = 5e-3;
  DenseNewmark reference(system, Eigen::MatrixXd::Zero(3, 3), h);
  reference.start(Eigen::VectorXd::Zero(3));
  for (int n = 1; n <= 600; ++n) reference.advance(Eigen::VectorXd::Unit(3, 2) * load.signal.value(n * h));
  const auto result = run(system, {&load, 1}, options_for(3.0, h));
  EXPECT_LT((result.q - reference.q).norm() / reference.q.norm(), 1e-9);
  // Not told otherwise, the ledger takes all work of the joint for lost; it still balances.
  EXPECT_LT(result.energy.error, 1e-3);
}

TEST(Transient, ObserverStopsTheRun) {
  const System system = testing::three_masses();
  NullSink sink;
  InitialConditions initial;
  initial.v = Eigen::VectorXd::Ones(3);
  const auto result =
      simulate(system, {}, initial, {}, sink, options_for(1e4, 1e-2), [](double fraction) { return fraction < 0.25; });
  EXPECT_EQ(result.ending, Ending::interrupted);
  EXPECT_NEAR(result.time, 2500.0, 10.0);
  EXPECT_LT(result.energy.error, 1e-3);  // the ledger is right for what was done
}

TEST(Transient, RecordsWhatWasAsked) {
  const System system = testing::three_masses();
  const Load load{"hit", Eigen::VectorXd::Unit(3, 2), Signal(HalfSine{15.0, 1.8}), false};
  Record record{{2, 0}, {0}, 10};
  MemorySink sink;
  const auto result = simulate(system, {&load, 1}, {}, record, sink, options_for(5.05, 1e-2));
  std::vector<std::string> names;
  for (const Column& column : sink.columns()) names.push_back(column.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"time", "q[3]", "q[1]", "v[3]", "v[1]", "a[3]", "a[1]", "u[lap]", "f[lap]"}));
  EXPECT_EQ(sink.rows(), 52u);  // 0, 10, ..., 500 and the last step
  EXPECT_NEAR(sink.column("time").back(), 5.05, 1e-12);
  EXPECT_EQ(sink.column("q[3]").back(), result.q(2));
  EXPECT_NEAR(sink.column("u[lap]").back(), result.q(2) - result.q(1), 1e-10);
}

/// A stiff joint slips as a whole: 2 a + 100 q + f = p for each of the masses.
void expect_balance(int masses, double kt) {
  std::vector<Joint> joints;
  std::vector<LumpedLink> springs;
  for (int i = 0; i < masses; ++i) {
    joints.push_back(iwan_joint("j" + std::to_string(i + 1), masses, -1, i, 10.0, kt, -0.5, 0.7));
    springs.push_back({-1, i, 100.0});
  }
  const System system(LinearStructure::lumped(std::vector<double>(masses, 2.0), {}, springs, {}, ModalDamping{{0.0}}),
                      std::move(joints));
  const Load load{"push", Eigen::VectorXd::Ones(masses), Signal(Sine{20.0, 11.3}), false};
  MemorySink sink;
  const auto result = simulate(system, {&load, 1}, {}, record_everything(system), sink, options_for(3.0, 1e-3));
  ASSERT_EQ(result.ending, Ending::completed) << result.message;
  for (int i = 0; i < masses; ++i) {
    const std::string n = std::to_string(i + 1);
    const auto t = sink.column("time"), q = sink.column("q[" + n + "]"), a = sink.column("a[" + n + "]"),
               f = sink.column("f[j" + n + "]");
    for (std::size_t k = 1; k < t.size(); ++k) {
      // Ten times the tolerance of the force, 1e-4, and 1e-12 of k u, u up to 0.2.
      const double missing = 20.0 * std::sin(11.3 * t[k]) - 2.0 * a[k] - 100.0 * q[k] - f[k];
      ASSERT_LT(std::abs(missing), 1e-4 + 1e-12 * 0.4 * kt) << kt << ", t = " << t[k];
    }
  }
}

TEST(Transient, ForceOfAStiffJointInMacroslip) {
  for (const double kt : {1e4, 1e5, 1e6, 1e7, 1e8}) {
    expect_balance(1, kt);  // the fast loop
    expect_balance(2, kt);  // the general one
  }
}

TEST(Transient, TheSameRunGivesTheSameBits) {
  const System system = mixed_system(RayleighDamping{0.1, 1e-3});
  const Load load{"noise", Eigen::VectorXd::Unit(5, 4), Signal(RandomNoise{40.0, 5.0, 3, 5.0}), false};
  const auto first = run(system, {&load, 1}, options_for(5.0, 1e-3));
  const auto second = run(system, {&load, 1}, options_for(5.0, 1e-3));
  EXPECT_EQ(first.q, second.q);
  EXPECT_EQ(first.energy.error, second.energy.error);
}

TEST(Transient, RefusesOptionsOutOfRange) {
  const System system = testing::three_masses();
  EXPECT_THROW(run(system, {}, options_for(-1.0, 0.1)), std::invalid_argument);
  EXPECT_THROW(run(system, {}, options_for(1.0, 0.0)), std::invalid_argument);
  auto options = options_for(1.0, 0.1);
  options.modes = 4;
  EXPECT_THROW(run(system, {}, options), std::invalid_argument);
  const System coupled = mixed_system(MatrixDamping{local_damping_matrix()});
  EXPECT_THROW(run(coupled, {}, options_for(1.0, 0.1, Scheme::modal_exact)), std::invalid_argument);
}

}  // namespace transient_test
}  // namespace microslip
