#include "microslip/transient/averaging.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/paper_systems.hpp"

namespace microslip {
namespace averaging_test {

using std::numbers::pi;
using testing::between;

constexpr AveragingForm both_forms[] = {AveragingForm::tangent, AveragingForm::secant};

AveragingOptions options_for(double duration, double step, double tolerance = 1e-6,
                             AveragingForm form = AveragingForm::tangent) {
  AveragingOptions options;
  options.duration = duration;
  options.step = step;
  options.tolerance = tolerance;
  options.form = form;
  return options;
}

/// 2 kg on 18 N/m, half of it a linear joint: omega = 3, zeta = 0.05.
System linear_oscillator() {
  return System(LinearStructure::lumped({2.0}, {}, {{-1, 0, 9.0}}, {}, ModalDamping{{0.05}}),
                {{"spring", Linear<double>(9.0), between(1, -1, 0)}});
}

Load force(Signal signal) {
  return {"force", Eigen::VectorXd::Ones(1), std::move(signal), false};
}

MemorySink history(const System& system, std::span<const Load> loads, const AveragingOptions& options,
                   const InitialConditions& initial = {}) {
  MemorySink sink;
  const auto result = simulate_by_averaging(system, loads, initial, record_everything(system), sink, options);
  EXPECT_EQ(result.ending, Ending::completed) << result.message;
  return sink;
}

// Nothing to average in a linear oscillator: x = e^(-zeta w t) (x0 cos + (v0 + zeta w x0)/wd sin).
TEST(Averaging, FreeLinearOscillatorIsExact) {
  const System system = linear_oscillator();
  InitialConditions initial;
  initial.q = Eigen::VectorXd::Constant(1, 0.3);
  initial.v = Eigen::VectorXd::Constant(1, -0.7);
  const double w = 3.0, zeta = 0.05, wd = w * std::sqrt(1.0 - zeta * zeta);
  for (const AveragingForm form : both_forms) {
    const MemorySink sink = history(system, {}, options_for(40.0, 0.1, 1e-6, form), initial);
    const auto time = sink.column("time"), q = sink.column("q[1]"), v = sink.column("v[1]"), a = sink.column("a[1]");
    const auto f = sink.column("f[spring]");
    ASSERT_EQ(time.size(), 401U);
    for (std::size_t i = 0; i < time.size(); ++i) {
      const double t = time[i], decay = std::exp(-zeta * w * t), b = (-0.7 + zeta * w * 0.3) / wd;
      const double x = decay * (0.3 * std::cos(wd * t) + b * std::sin(wd * t));
      EXPECT_NEAR(q[i], x, 1e-12);
      EXPECT_NEAR(2.0 * (a[i] + 2.0 * zeta * w * v[i]) + 18.0 * q[i], 0.0, 1e-11);
      EXPECT_NEAR(f[i], 9.0 * x, 1e-11);
    }
  }
}

// Under a pulse the adaptive steps keep their tolerance: against the closed form of a half sine, undamped part
// x = F/(k (1 - r^2)) (sin(Wt) - r sin(wt)), r = W/w; here with zeta = 0, then free.
TEST(Averaging, PulseOnALinearOscillator) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 9.0}}, {}, ModalDamping{}), {});
  const double w = 3.0, duration = 1.7, pulse = pi / duration, r = pulse / w;
  const Load load = force(Signal(HalfSine{4.0, duration}));
  const auto response = [&](double t) {
    return t < 0.0 ? 0.0 : 4.0 / (9.0 * (1.0 - r * r)) * (std::sin(pulse * t) - r * std::sin(w * t));
  };
  for (const double tolerance : {1e-5, 1e-8}) {
    const MemorySink sink = history(system, {&load, 1}, options_for(10.0, 0.05, tolerance));
    const auto time = sink.column("time"), q = sink.column("q[1]"), amplitude = sink.column("X");
    for (std::size_t i = 0; i < time.size(); ++i) {
      // some 40 steps, each off by the tolerance at most
      EXPECT_NEAR(q[i], response(time[i]) + response(time[i] - duration), 40.0 * tolerance);
    }
    EXPECT_NEAR(amplitude.back(), amplitude[60], 1e-12);  // undamped: it stays
  }
}

// Lines are taken exactly: as modal_exact with a step at every corner.
TEST(Averaging, SampledLoadOnALinearOscillatorIsExact) {
  const System system = linear_oscillator();
  const Load load = force(Signal(RandomNoise{5.0, 0.8, 3, 30.0}));  // samples every 1/16
  const MemorySink sink = history(system, {&load, 1}, options_for(30.0, 0.0625));
  TransientOptions exact;
  exact.scheme = Scheme::modal_exact;
  exact.duration = 30.0;
  exact.step = 0.0625;
  MemorySink expected;
  ASSERT_EQ(simulate(system, {&load, 1}, {}, record_everything(system), expected, exact).ending, Ending::completed);
  const auto q = sink.column("q[1]"), q_exact = expected.column("q[1]"), t = sink.column("time");
  ASSERT_EQ(t, expected.column("time"));
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], q_exact[i], 1e-12);
}

// In phase resonance, g = 2 zeta w^2 X cos(w t) with w and zeta of X, x = X sin(w t) is a solution with constant X:
// one-term harmonic balance.
TEST(Averaging, PhaseResonanceIsHarmonicBalance) {
  const System system = testing::shetty_oscillator();
  const AveragedMode mode(system);
  for (const double amplitude : {1e-5, 1e-3, 4e-3}) {
    const auto rates = mode.rates(amplitude, AveragingForm::tangent);
    const double force_amplitude = 2.0 * rates.zeta_forced * rates.omega * rates.omega * amplitude;
    const Load load = force(Signal(Sine{force_amplitude, rates.omega, 0.5 * pi}));
    InitialConditions initial;
    initial.v = Eigen::VectorXd::Constant(1, rates.omega * amplitude);
    const double tolerance = 1e-8;
    const MemorySink sink = history(system, {&load, 1}, options_for(1.0, 1e-2, tolerance), initial);
    for (const double x : sink.column("X")) {
      EXPECT_NEAR(x / amplitude, 1.0, 3000.0 * tolerance);  // steps in 50 periods, at some 60 a period
    }
  }
}

// Straight lines in shorter and shorter blocks: second order towards the adaptive solution. (Not from rest, where
// stiffness goes with X^(1/4).)
TEST(Averaging, SampledLoadsConvergeWithSecondOrder) {
  const System system = testing::shetty_oscillator();
  TableSignal table;
  for (int i = 0; i <= 10; ++i) {
    table.times.push_back(4e-3 * i);
    table.values.push_back(20.0 * std::sin(2.3 * i));
  }
  // The second load is nothing, but not straight: adaptive steps.
  const Load loads[] = {force(Signal(table)), force(Signal(Sine{0.0, 1.0, 0.0}))};
  InitialConditions initial;
  initial.q = Eigen::VectorXd::Constant(1, 8e-4);
  const auto end = [&](std::size_t count, double tolerance, double blocks) {
    NullSink sink;
    AveragingOptions options = options_for(0.04, 0.04, tolerance);
    options.blocks_per_period = blocks;
    return simulate_by_averaging(system, {loads, count}, initial, {}, sink, options).q(0);
  };
  const double exact = end(2, 1e-12, 20.0);
  const double coarse = end(1, 1e-6, 40.0) - exact, fine = end(1, 1e-6, 320.0) - exact;
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)) / 3.0, 2.0, 0.2);
}

// Rows where `simulate` has them, with its columns and four more.
TEST(Averaging, RowsLikeATransient) {
  const System system = testing::shetty_oscillator();
  const Load load = testing::shetty_pulse(50.0);
  Record record = record_everything(system);
  record.every = 7;
  const AveragingOptions options = options_for(0.1003, 1e-3);
  MemorySink sink, expected;
  ASSERT_EQ(simulate_by_averaging(system, {&load, 1}, {}, record, sink, options).ending, Ending::completed);
  TransientOptions transient;
  transient.duration = options.duration;
  transient.step = options.step;
  ASSERT_EQ(simulate(system, {&load, 1}, {}, record, expected, transient).ending, Ending::completed);
  EXPECT_EQ(sink.column("time"), expected.column("time"));
  ASSERT_EQ(sink.columns().size(), expected.columns().size() + 4);
  for (std::size_t i = 0; i < expected.columns().size(); ++i) {
    EXPECT_EQ(sink.columns()[i].name, expected.columns()[i].name);
  }
  const char* more[] = {"X", "omega", "zeta", "macroslip"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(sink.columns()[expected.columns().size() + i].name, more[i]);
}

// Displacement and velocity do not jump where the pulse ends and the free decay begins.
TEST(Averaging, ContinuousAtTheEndOfALoad) {
  const System system = testing::shetty_oscillator();
  const Load load = testing::shetty_pulse(80.0);
  for (const AveragingForm form : both_forms) {
    const double h = 1e-9;
    NullSink sink;
    const auto before = simulate_by_averaging(system, {&load, 1}, {}, {}, sink, options_for(0.02, 0.02, 1e-9, form));
    const auto after =
        simulate_by_averaging(system, {&load, 1}, {}, {}, sink, options_for(0.02 + h, 0.02 + h, 1e-9, form));
    const double omega = 300.0;
    EXPECT_NEAR(after.q(0), before.q(0) + h * before.v(0), 1e-9 * before.amplitude);
    EXPECT_NEAR(after.v(0), before.v(0), 2.0 * h * omega * omega * before.amplitude + 1e-9 * omega * before.amplitude);
  }
}

TEST(Averaging, WarnsOfMacroslip) {
  const System system = testing::shetty_oscillator();
  const double phi_max = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0).phi_max();
  const Load small = testing::shetty_pulse(50.0), large = testing::shetty_pulse(150.0);
  MemorySink sink;
  EXPECT_EQ(simulate_by_averaging(system, {&small, 1}, {}, {}, sink, options_for(1.0, 1e-3)).message, "");
  MemorySink rows = {};
  const auto result =
      simulate_by_averaging(system, {&large, 1}, {}, record_everything(system), rows, options_for(1.0, 1e-4));
  EXPECT_EQ(result.ending, Ending::completed);
  EXPECT_NE(result.message.find("X passes 0.001826, phi_max of joint \"joint\", at"), std::string::npos)
      << result.message;
  EXPECT_GT(result.largest, phi_max);
  const auto time = rows.column("time"), x = rows.column("X"), flag = rows.column("macroslip");
  bool found = false;
  for (std::size_t i = 0; i < time.size(); ++i) {
    EXPECT_EQ(flag[i], x[i] > phi_max ? 1.0 : 0.0);
    if (flag[i] == 1.0 && !found) {
      found = true;
      EXPECT_NEAR(time[i], result.macroslip_time, 3e-4);  // a row, and a step of the integration
    }
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(flag.back(), 0.0);
}

// Friction alone: a Jenkins element never decays below its slip amplitude; without damping it keeps what is left.
TEST(Averaging, JenkinsElementComesToRestAtItsSlipAmplitude) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 50.0}}, {}, ModalDamping{}),
                      {{"slider", Jenkins<double>(50.0, 1.0), between(1, -1, 0)}});
  InitialConditions initial;
  initial.q = Eigen::VectorXd::Constant(1, 0.03);
  NullSink sink;
  const auto result = simulate_by_averaging(system, {}, initial, {}, sink, options_for(200.0, 0.1));
  ASSERT_EQ(result.ending, Ending::completed) << result.message;
  EXPECT_NEAR(result.amplitude, 0.02, 1e-9);  // dX/dt = -6.4 (X - 0.02) near it
}

// In free macroslip without any spring left there is no amplitude to average: it says so.
TEST(Averaging, EndsWhereTheAmplitudeDoesNotChangeSlowly) {
  const System system(LinearStructure::lumped({1.0}, {}, {}, {}, ModalDamping{}),
                      {testing::iwan_joint("joint", 1, -1, 0, 1.0, 100.0, -0.5, 1.0)});
  InitialConditions initial;
  initial.v = Eigen::VectorXd::Constant(1, 1.0);
  NullSink sink;
  const auto result = simulate_by_averaging(system, {}, initial, {}, sink, options_for(10.0, 0.1));
  EXPECT_EQ(result.ending, Ending::no_convergence);
  EXPECT_NE(result.message.find("does not change slowly"), std::string::npos) << result.message;
}

// A softening spring pulled beyond what it bears: a message with numbers, no NaN.
TEST(Averaging, EndsWhereTheStiffnessIsGone) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 50.0}}, {}, ModalDamping{{0.01}}),
                      {{"soft", Polynomial<double>({0.0, 0.0, -1000.0}), between(1, -1, 0)}});
  InitialConditions initial;
  initial.q = Eigen::VectorXd::Constant(1, 1.0);
  const Load loads[] = {force(Signal(Sine{1.0, 3.0, 0.0})), force(Signal(RandomNoise{1.0, 3.0, 1, 10.0}))};
  NullSink sink;
  for (const auto& load :
       {std::span<const Load>(), std::span<const Load>(loads, 1), std::span<const Load>(loads + 1, 1)}) {
    const auto result = simulate_by_averaging(system, load, initial, {}, sink, options_for(10.0, 0.1));
    EXPECT_EQ(result.ending, Ending::no_convergence);
    EXPECT_NE(result.message.find("X = 1 "), std::string::npos) << result.message;
  }
}

// Several modes without joints are the linear structure: against modal_exact with steps of 0.002 of the shortest
// period, which takes the half sine as lines between its steps, (pi h/1.8)^2/12 = 1e-6 of it.
TEST(Averaging, ModesOfALinearStructureAdd) {
  const System system(
      LinearStructure::lumped({10.0, 10.0, 10.0}, {"1", "2", "3"}, {{-1, 0, 9.0}, {0, 1, 9.0}, {1, 2, 9.0}}, {},
                              ModalDamping{{1e-2, 1e-2, 1e-2}}),
      {});
  const Load load{"hit", Eigen::Vector3d(0.0, 0.0, 1.0), Signal(HalfSine{5.0, 1.8}), false};
  MemorySink averaged, expected;
  const auto result =
      simulate_by_averaging(system, {&load, 1}, {}, record_everything(system), averaged, options_for(30.0, 0.1, 1e-9));
  EXPECT_EQ(result.ending, Ending::completed);
  TransientOptions exact;
  exact.scheme = Scheme::modal_exact;
  exact.duration = 30.0;
  exact.step = 0.002;
  Record record = record_everything(system);
  record.every = 50;
  ASSERT_EQ(simulate(system, {&load, 1}, {}, record, expected, exact).ending, Ending::completed);
  ASSERT_EQ(averaged.rows(), expected.rows());
  for (const char* column : {"q[1]", "q[3]", "v[2]"}) {
    const auto a = averaged.column(column), e = expected.column(column);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], e[i], 5e-6) << column << i;
  }
  EXPECT_NEAR(result.q(2), expected.column("q[3]").back(), 5e-6);
}

// Oscillators that do not know of each other: each mode is the single one, to rounding.
TEST(Averaging, ModesThatShareNoJointAreEachAlone) {
  const Iwan4<double> law(Iwan4Backbone<double>::from_physical(10.0, 5.0, -0.5, 5.0));
  const auto oscillator = [&](const std::vector<double>& masses) {
    const int n = static_cast<int>(masses.size());
    std::vector<LumpedLink> springs;
    std::vector<Joint> joints;
    for (int i = 0; i < n; ++i) {
      springs.push_back({-1, i, 4.0});
      joints.push_back({"joint" + std::to_string(i), law, Eigen::VectorXd::Unit(n, i)});
    }
    return System(
        LinearStructure::lumped(masses, {}, springs, {}, ModalDamping{std::vector<double>(masses.size(), 1e-3)}),
        std::move(joints));
  };
  const auto motion = [](const System& system, MemorySink& sink) {
    const Load load{"hit", Eigen::VectorXd::Ones(system.size()), Signal(HalfSine{2.0, 0.7}), false};
    return simulate_by_averaging(system, {&load, 1}, {}, record_everything(system), sink, options_for(40.0, 0.1));
  };
  MemorySink both, light, heavy;
  const auto result = motion(oscillator({1.0, 3.0}), both);
  EXPECT_EQ(result.ending, Ending::completed);
  static_cast<void>(motion(oscillator({1.0}), light));
  static_cast<void>(motion(oscillator({3.0}), heavy));
  const struct {
    const char *column, *one;
    const MemorySink& alone;
  } pairs[] = {{"q[1]", "q[1]", light},           {"q[2]", "q[1]", heavy},    {"f[joint0]", "f[joint0]", light},
               {"f[joint1]", "f[joint0]", heavy}, {"zeta[1]", "zeta", heavy}, {"X[2]", "X", light}};
  for (const auto& pair : pairs) {
    const auto a = both.column(pair.column), e = pair.alone.column(pair.one);
    ASSERT_EQ(a.size(), e.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], e[i], 1e-9 * (1.0 + std::abs(e[i]))) << pair.column;
  }
}

/// Two masses that share an Iwan element; both modes let go at their shapes times `amplitudes` of its phi_max.
struct SharedJoint {
  Iwan4Backbone<double> element = Iwan4Backbone<double>::from_physical(0.005, 0.05, -0.3, 0.7);
  System system{LinearStructure::lumped({1.0, 2.0}, {}, {{-1, 0, 40.0}, {0, 1, 30.0}}, {}, ModalDamping{{1e-6, 1e-6}}),
                {{"lap", Iwan4<double>(element), between(2, 0, 1)}}};

  [[nodiscard]] InitialConditions let_go(double first, double second) const {
    const Eigen::MatrixXd& shapes = system.stuck_modes().shapes;
    const Eigen::VectorXd psi = shapes.transpose() * system.directions().col(0);
    InitialConditions initial;
    initial.q = element.phi_max() * (first / psi(0) * shapes.col(0) + second / psi(1) * shapes.col(1));
    return initial;
  }
};

// What the message tells of a joint that two modes share, against the losses of the whole motion over 40 periods of the
// slow mode. Damping is some 1e-5, so that amplitudes stay within 0.02 and the losses within (chi + 3) times half of
// it, 0.03. The modes hand energy to each other and back; what is on its way at the end is some of a cycle's of 40:
// 0.03. The first swing comes from the virgin curve, with a quarter of a loop: 0.01.
TEST(Averaging, TellsWhatSharedJointsTakeMore) {
  const SharedJoint shared;
  const InitialConditions initial = shared.let_go(0.4, 0.2);
  const double duration = 40.0 * 2.0 * pi / shared.system.stuck_modes().omega(0);
  const AveragingOptions options = options_for(duration, duration / 1000.0);
  MemorySink rows;
  const AveragingResult averaged =
      simulate_by_averaging(shared.system, {}, initial, record_everything(shared.system), rows, options);
  double told = 0.0;
  for (const int r : {0, 1}) {
    const AveragedMode mode(shared.system, r);
    const std::string number = "[" + std::to_string(r + 1) + "]";
    const auto x = rows.column("X" + number), omega = rows.column("omega" + number),
               zeta = rows.column("zeta" + number);
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      told += options.step * zeta[i] * omega[i] * x[i] * x[i] * mode.at(x[i]).energy;
    }
  }
  TransientOptions exact;
  exact.scheme = Scheme::modal_exact;
  exact.duration = duration;
  exact.step = duration / 40000.0;
  NullSink sink;
  // At rest the joint has its virgin force, as a release from there has.
  const TransientResult whole = simulate(shared.system, {}, {initial.q, {}, {}}, {}, sink, exact);
  const double more = (whole.energy.joints[0] + whole.energy.damping) / told - 1.0;
  EXPECT_GT(more, 0.2);
  RecordProperty("more", std::to_string(more));
  const std::string take = "the joints take ";
  const std::size_t at = averaged.message.find(take);
  ASSERT_NE(at, std::string::npos) << averaged.message;
  const double stated = std::stod(averaged.message.substr(at + take.size()));
  EXPECT_NEAR(0.01 * stated, more, 0.07) << averaged.message;
}

// Modes so close that the joint sees one motion whose amplitude goes between 0 and 2 u: in microslip it takes the mean
// of |2 cos x|^p of what one of them takes by itself, p = chi + 3, instead of two. Written with two digits; 40 points a
// period cut up to 0.003 off an amplitude, 0.01 off the loss.
TEST(Averaging, TellsWhatCloseModesTake) {
  const Iwan4Backbone<double> element = Iwan4Backbone<double>::from_physical(0.005, 0.05, -0.3, 0.7);
  const double p = 2.7;
  const double mean = std::pow(2.0, p) * std::tgamma(0.5 * (p + 1.0)) / (std::sqrt(pi) * std::tgamma(0.5 * p + 1.0));
  for (const double spring : {0.02, 0.1, 0.2, 0.4}) {  // frequencies apart by 0.05, 0.25, 0.5 and 1 %
    const SharedJoint close{element,
                            {LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 40.0}, {-1, 1, 40.05}, {0, 1, spring}},
                                                     {}, ModalDamping{{1e-10, 1e-10}}),
                             {{"lap", Iwan4<double>(element), between(2, -1, 0)}}}};
    MemorySink rows;
    const AveragingResult averaged = simulate_by_averaging(
        close.system, {}, close.let_go(0.2, 0.2), record_everything(close.system), rows, options_for(1.0, 0.1));
    const std::string take = "the joints take ";
    const std::size_t at = averaged.message.find(take);
    ASSERT_NE(at, std::string::npos) << averaged.message;
    EXPECT_NEAR(0.01 * std::stod(averaged.message.substr(at + take.size())), 0.5 * mean - 1.0, 0.02)
        << averaged.message;
  }
}

// 2.6e6 periods of the fast mode in one of the slow: too many to go through, and the estimate knows nothing of them.
TEST(Averaging, SaysWhereSharedJointsTakeTooLongToWalk) {
  const Iwan4Backbone<double> element = Iwan4Backbone<double>::from_physical(0.005, 0.05, -0.3, 0.7);
  const SharedJoint apart{
      element,
      {LinearStructure::lumped({1e-10, 1.0}, {}, {{-1, 0, 40.0}, {0, 1, 0.01}}, {}, ModalDamping{{1e-6, 1e-6}}),
       {{"lap", Iwan4<double>(element), between(2, 0, 1)}}}};
  MemorySink rows;
  const AveragingResult averaged = simulate_by_averaging(apart.system, {}, apart.let_go(0.3, 0.2),
                                                         record_everything(apart.system), rows, options_for(5.0, 0.5));
  EXPECT_NE(averaged.message.find("is not known"), std::string::npos) << averaged.message;
  EXPECT_EQ(averaged.message.find('%'), std::string::npos) << averaged.message;
}

TEST(Averaging, ModesTogetherPassPhiMax) {
  const SharedJoint shared;
  const auto run = [&](double first, double second, MemorySink& rows) {
    return simulate_by_averaging(shared.system, {}, shared.let_go(first, second), record_everything(shared.system),
                                 rows, options_for(20.0, 0.05));
  };
  MemorySink rows, alone;
  const AveragingResult both = run(0.7, 0.5, rows);
  EXPECT_NE(both.message.find("at t = 0 the modes together move joint \"lap\" beyond its phi_max"), std::string::npos)
      << both.message;
  EXPECT_EQ(both.macroslip_time, 0.0);
  const auto x1 = rows.column("X[1]"), x2 = rows.column("X[2]"), flag = rows.column("macroslip");
  const Eigen::VectorXd psi =
      shared.system.stuck_modes().shapes.transpose() * shared.system.directions().col(0) / shared.element.phi_max();
  for (std::size_t i = 0; i < flag.size(); ++i) {
    EXPECT_EQ(flag[i] == 1.0, std::abs(psi(0)) * x1[i] + std::abs(psi(1)) * x2[i] > 1.0) << i;
  }
  const AveragingResult one = run(0.7, 0.0, alone);
  EXPECT_EQ(one.message, "");
  EXPECT_LT(one.macroslip_time, 0.0);
}

TEST(Averaging, SaysWhatItDoesNotTake) {
  EXPECT_EQ(AveragedMode::obstacle(testing::shetty_oscillator()), "");
  EXPECT_EQ(AveragedMode::obstacle(testing::three_masses()), "");
  const System rigid(LinearStructure::lumped({1.0, 1.0}, {}, {{0, 1, 9.0}}, {}, ModalDamping{}), {});
  EXPECT_NE(AveragedMode::obstacle(rigid).find("1 of this structure are rigid"), std::string::npos);
  EXPECT_THROW(AveragedMode(testing::three_masses(), 3), std::invalid_argument);
  const System stop(LinearStructure::lumped({1.0}, {}, {{-1, 0, 50.0}}, {}, ModalDamping{}),
                    {{"stop", Gap<double>(10.0, 0.1), between(1, -1, 0)}});
  EXPECT_NE(AveragedMode::obstacle(stop).find("joint \"stop\" has none"), std::string::npos);
  Load base = testing::shetty_pulse(1.0);
  base.base = true;
  NullSink sink;
  const System system = testing::shetty_oscillator();
  EXPECT_THROW(static_cast<void>(simulate_by_averaging(system, {&base, 1}, {}, {}, sink, options_for(1.0, 0.1))),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(simulate_by_averaging(system, {}, {}, {}, sink, options_for(1.0, 0.0))),
               std::invalid_argument);
}

// Ctrl-C keeps what there is.
TEST(Averaging, StopsWhenAsked) {
  const System system = testing::shetty_oscillator();
  const Load noise = force(Signal(RandomNoise{1.0, 62.5, 1, 100.0}));
  NullSink sink;
  int calls = 0;
  const auto result = simulate_by_averaging(system, {&noise, 1}, {}, {}, sink, options_for(100.0, 1e-3),
                                            [&](double) { return ++calls < 3; });
  EXPECT_EQ(result.ending, Ending::interrupted);
  EXPECT_GT(result.time, 0.0);
  EXPECT_LT(result.time, 100.0);
}

// Two joints in parallel, one of them reversed and a cubic spring: the mode sums them.
TEST(Averaging, JointsInParallel) {
  const System one = testing::shetty_oscillator();
  const auto half = testing::iwan_joint("a", 1, -1, 0, 50.0, 3.16e4, -0.75, 5.0);
  auto other = half;
  other.name = "b";
  other.directions *= -1.0;
  const System two(LinearStructure::lumped({1.0}, {}, {{-1, 0, 3.55e4}}, {}, ModalDamping{{1e-4}}),
                   {half, other, {"cubic", Polynomial<double>({0.0, 0.0, 0.0}), between(1, -1, 0)}});
  const AveragedMode a(one), b(two);
  for (const double amplitude : {1e-6, 1e-3, 5e-3}) {
    for (const AveragingForm form : both_forms) {
      EXPECT_NEAR(a.rates(amplitude, form).omega, b.rates(amplitude, form).omega, 1e-9);
      EXPECT_NEAR(a.rates(amplitude, form).zeta, b.rates(amplitude, form).zeta, 1e-13);
    }
  }
}

}  // namespace averaging_test
}  // namespace microslip
