// Bouc-Wen parameters from hysteresis data: steady cycles, the two steps of the fit, records.

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "microslip/identify/bouc_wen_errors.hpp"
#include "microslip/identify/bouc_wen_fit.hpp"
#include "microslip/identify/bouc_wen_residuals.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip {
namespace bouc_wen_fit_test {

using Parameters = BoucWen<double>::Parameters;

/// The law from rest through turning points, `points` a stretch.
ForceCurve pulled(const Parameters& p, const std::vector<double>& turns, int points) {
  const BoucWen<double> law(p);
  BoucWen<double>::State state;
  ForceCurve curve;
  double from = 0.0;
  for (const double to : turns) {
    for (int i = 1; i <= points; ++i) {
      JointInput<double> input;
      input.u = i == points ? to : from + (to - from) * i / points;
      const auto trial = law.evaluate(state, input);
      law.commit(state, trial);
      curve.u.push_back(input.u);
      curve.f.push_back(trial.force);
    }
    from = to;
  }
  return curve;
}

/// Steady loop of amplitude X: the last of many cycles. Each cycle brings it nearer by the factor dz_T/dz_0 < 0.6 at
/// the amplitudes used here: 100 cycles are enough for rounding.
HysteresisRecord loop_of(const Parameters& p, double amplitude, int points) {
  std::vector<double> turns(200);
  for (std::size_t i = 0; i < turns.size(); ++i) turns[i] = i % 2 == 0 ? amplitude : -amplitude;
  const ForceCurve all = pulled(p, turns, points);
  ForceCurve last;
  last.u.assign(all.u.end() - 2 * points, all.u.end());
  last.f.assign(all.f.end() - 2 * points, all.f.end());
  return record_of(last, Motion::loop);
}

Parameters make(double k0, double alpha, double a, double beta, double gamma, double n) {
  return {k0, alpha, a, beta, gamma, n};
}

void expect_parameters(const Parameters& found, const Parameters& expected, double tolerance) {
  EXPECT_NEAR(found.k0 / expected.k0, 1.0, tolerance);
  EXPECT_NEAR(found.alpha, expected.alpha, tolerance);
  EXPECT_NEAR(found.a / expected.a, 1.0, tolerance);
  EXPECT_NEAR(found.n / expected.n, 1.0, tolerance);
  EXPECT_NEAR(found.beta / expected.beta, 1.0, 10.0 * tolerance);  // powers of a length to n
  EXPECT_NEAR(found.gamma, expected.gamma, 10.0 * tolerance * expected.beta);
}

// n = 1: with c = gamma + beta, e = gamma - beta the tip is 2 X = -ln(1 - c z)/c - ln(1 - e z)/e and half a cycle loses
// h [I(c) - I(e)], I(c) = integral of c t^2/(1 - c t) from 0 to z = -z^2/2 - z/c - ln(1 - c z)/c^2.
TEST(BoucWenCycle, ClosedFormsOfExponentOne) {
  const Parameters p = make(3.0, 0.25, 1.0, 0.7, 0.9, 1.0);
  const BoucWen<double> law(p);
  const double c = p.gamma + p.beta, e = p.gamma - p.beta, h = (1.0 - p.alpha) * p.k0;
  for (const double z : {0.05, 0.2, 0.4, 0.6}) {  // z_max = 0.625
    const auto distance = [z](double b) { return -std::log1p(-b * z) / b; };
    const auto loss = [z](double b) { return -0.5 * z * z - z / b - std::log1p(-b * z) / (b * b); };
    const BoucWenCycle cycle = cycle_of_amplitude(law, 0.5 * (distance(c) + distance(e)));
    ASSERT_TRUE(cycle.found);
    // The closed forms cancel by up to 1/(b z)^2 = 2e3 at the smallest z: 1e-12 leaves that to rounding.
    EXPECT_NEAR(cycle.z / z, 1.0, 1e-12);
    EXPECT_NEAR(cycle.dissipation / (2.0 * h * (loss(c) - loss(e))), 1.0, 1e-10);
    EXPECT_NEAR(cycle.force, p.alpha * p.k0 * cycle.amplitude + h * z, 1e-12);
  }
}

TEST(BoucWenCycle, IsWhatManyCyclesTendTo) {
  for (const double n : {0.5, 1.0, 1.7, 4.0}) {
    const Parameters p = make(2.0, 0.1, 1.3, 0.8, 0.4, n);
    const HysteresisRecord loop = loop_of(p, 1.0, 50);
    const BoucWenCycle cycle = cycle_of_amplitude(BoucWen<double>(p), 1.0);
    ASSERT_TRUE(cycle.found);
    EXPECT_NEAR(*std::max_element(loop.f.begin(), loop.f.end()) / cycle.force, 1.0, 1e-12) << n;
    // Trapezoidal area of a loop of smooth branches: second order.
    const double coarse = work(loop, loop.f) - cycle.dissipation;
    const HysteresisRecord fine = loop_of(p, 1.0, 100);
    EXPECT_NEAR(coarse / (work(fine, fine.f) - cycle.dissipation), 4.0, n < 1.0 ? 0.5 : 0.1) << n;
  }
}

TEST(BoucWenCycle, BetweenForces) {
  const BoucWen<double> law(make(2.0, 0.0, 1.0, 0.8, 0.4, 1.5));
  const BoucWenCycle by_amplitude = cycle_of_amplitude(law, 1.0);
  const BoucWenCycle by_force = cycle_of_force(law, by_amplitude.force);
  ASSERT_TRUE(by_force.found);
  EXPECT_NEAR(by_force.amplitude, 1.0, 1e-12);
  EXPECT_NEAR(by_force.dissipation / by_amplitude.dissipation, 1.0, 1e-12);
  const BoucWenCycle with_spring = cycle_of_force(law, by_amplitude.force + 3.0, 3.0);
  ASSERT_TRUE(with_spring.found);
  EXPECT_NEAR(with_spring.amplitude, 1.0, 1e-12);
  EXPECT_FALSE(cycle_of_force(law, 2.0 * law.saturation()).found);  // k0 z_max: never reached
  EXPECT_TRUE(cycle_of_force(law, 0.99 * 2.0 * law.saturation()).found);
}

// What the paper's section 4 asks, in the limit of small cycles: D = 4 beta h X^(n+2)/(n+2), relative corrections of
// the order of (|beta| + |gamma|) X^n.
TEST(BoucWenCycle, SmallCyclesFollowThePowerLawOfTheExponent) {
  const double amplitude = 1e-4;
  for (const double n : {0.4, 0.838, 1.0, 1.2, 2.0}) {
    const Parameters p = make(1.0, 0.0, 1.0, 0.3, 0.5, n);
    const double order = 0.8 * std::pow(amplitude, n);
    const double loss = cycle_of_amplitude(BoucWen<double>(p), amplitude).dissipation;
    EXPECT_NEAR(loss / (4.0 * p.beta * std::pow(amplitude, n + 2.0) / (n + 2.0)), 1.0, order) << n;
    Parameters changed = p;
    changed.gamma = 2.5;
    EXPECT_NEAR(cycle_of_amplitude(BoucWen<double>(changed), amplitude).dissipation / loss, 1.0, 3.5 * order) << n;
    changed = p;
    changed.beta = 1.5;
    EXPECT_NEAR(cycle_of_amplitude(BoucWen<double>(changed), amplitude).dissipation / loss, 5.0, 10.0 * order) << n;
  }
}

TEST(BoucWenCycle, LikeAnIwanElement) {
  const auto iwan = Iwan4Backbone<double>::from_physical(10.0, 4.0, -0.3, 1.5);
  const BoucWen<double> law(bouc_wen_like(iwan, 2.0));
  EXPECT_DOUBLE_EQ(law.stuck_stiffness(), 6.0);
  EXPECT_DOUBLE_EQ(law.slipped_stiffness(), 2.0);
  const auto& p = law.parameters();
  for (const double share : {1e-5, 1e-4, 1e-3}) {  // the loss to first order in the slip, the tip to second
    const double x = share * iwan.phi_max(), slip = (p.beta + p.gamma) * std::pow(x, p.n);
    const BoucWenCycle cycle = cycle_of_amplitude(law, x);
    EXPECT_NEAR(cycle.dissipation / iwan.dissipation(x), 1.0, slip);
    EXPECT_NEAR(cycle.force / (iwan.at(x).force + 2.0 * x), 1.0, slip * slip);
  }
}

TEST(BoucWenCycle, Admissibility) {
  const auto of = [](double beta, double gamma) { return admissibility(make(1.0, 0.0, 1.0, beta, gamma, 2.0)); };
  EXPECT_EQ(of(1.0, 0.5).ikhouane, 1);
  EXPECT_TRUE(of(1.0, 0.5).passive);
  EXPECT_TRUE(of(1.0, 1.0).passive);
  EXPECT_EQ(of(1.0, 3.0).ikhouane, 2);
  EXPECT_FALSE(of(1.0, 3.0).passive);
  EXPECT_TRUE(of(1.0, 3.0).dissipates);
  EXPECT_DOUBLE_EQ(of(1.0, 3.0).z_max, 0.5);
  EXPECT_DOUBLE_EQ(of(1.0, 3.0).z_basin, std::sqrt(0.5));
  EXPECT_FALSE(of(1.0, -1.5).bounded);
  EXPECT_FALSE(of(1.0, -1.5).law);
  EXPECT_FALSE(of(-1.0, 2.0).law);
  EXPECT_FALSE(of(-1.0, 2.0).dissipates);
}

// The midpoint in (II-9) makes it second order in the steps.
TEST(BoucWenLeastSquares, ConvergesWithTheSquareOfTheStep) {
  const Parameters p = make(2.0, 0.2, 1.0, 0.5, 0.3, 2.0);
  BoucWenFitOptions options;
  options.k0 = p.k0;
  options.alpha = p.alpha;
  const auto error = [&](int points) {
    const auto found = bouc_wen_least_squares({loop_of(p, 1.0, points)}, 2.0, options).parameters;
    return std::pair{found.beta - p.beta, found.gamma - p.gamma};
  };
  const auto coarse = error(100), fine = error(200);
  EXPECT_NEAR(coarse.first / fine.first, 4.0, 0.2);
  EXPECT_NEAR(coarse.second / fine.second, 4.0, 0.2);
}

// Free stiffnesses: the same order. alpha is free, A = 1; then k0 given and A free; then alpha given and k0 free.
TEST(BoucWenLeastSquares, FindsTheStiffnessesToo) {
  const Parameters p = make(2.0, 0.2, 1.3, 0.5, 0.3, 1.5);
  const std::vector<HysteresisRecord> coarse = {loop_of(p, 1.2, 200)}, fine = {loop_of(p, 1.2, 400)};
  std::vector<BoucWenFitOptions> cases(4);
  cases[0].a = 1.3;
  cases[1].k0 = 2.0, cases[1].a.reset();
  cases[2].alpha = 0.2, cases[2].a = 1.3;
  cases[3].k0 = 2.0, cases[3].a = 1.3;
  for (const BoucWenFitOptions& options : cases) {
    const auto a = bouc_wen_least_squares(coarse, 1.5, options).parameters;
    const auto b = bouc_wen_least_squares(fine, 1.5, options).parameters;
    // A quarter of the error is left; twice the difference bounds what the coarse one misses.
    EXPECT_NEAR(b.k0, p.k0, std::abs(a.k0 - b.k0) + 1e-5);
    EXPECT_NEAR(b.alpha, p.alpha, std::abs(a.alpha - b.alpha) + 1e-5);
    EXPECT_NEAR(b.a, p.a, std::abs(a.a - b.a) + 1e-5);
    EXPECT_NEAR(b.beta, p.beta, std::abs(a.beta - b.beta) + 1e-5);
    EXPECT_NEAR(b.gamma, p.gamma, std::abs(a.gamma - b.gamma) + 1e-5);
  }
}

// Loops that slip as a whole start within exp(-6 x 8) of the saturation, where many cycles end, too.
TEST(BoucWenResiduals, LoopsOfWholeSlipAreSteady) {
  const Parameters p = make(2.0, 0.2, 1.0, 0.5, 0.5, 6.0);
  const HysteresisRecord loop = loop_of(p, 4.0, 50);
  const std::vector<double> force = bouc_wen_forces(BoucWen<double>(p), loop);
  ASSERT_EQ(force.size(), loop.size());
  for (std::size_t i = 0; i < force.size(); ++i) EXPECT_NEAR(force[i], loop.f[i], 1e-12);
}

TEST(BoucWenResiduals, DerivativesAreThoseOfDifferences) {
  const Parameters data = make(2.0, 0.2, 1.1, 0.5, 0.3, 1.4);
  std::vector<HysteresisRecord> records = {loop_of(data, 1.0, 20),
                                           record_of(pulled(data, {0.7, -0.3, 0.9}, 15), Motion::history)};
  records[1].weight.assign(records[1].size(), 1.0);
  BoucWenResiduals residuals(records, 1.0);
  for (const double n : {0.6, 1.0, 2.3}) {
    const BoucWenVector x = residuals.coordinates(make(1.7, 0.25, 1.2, 0.6, 0.9, n));
    std::vector<double> values(residuals.size()), up(values), down(values), jacobian(values.size() * bouc_wen_size);
    ASSERT_TRUE(residuals.evaluate(x, values, jacobian));
    for (int k = 0; k < bouc_wen_size; ++k) {
      const double step = 1e-6;
      BoucWenVector moved = x;
      moved[k] = x[k] + step;
      ASSERT_TRUE(residuals.evaluate(moved, up, {}));
      moved[k] = x[k] - step;
      ASSERT_TRUE(residuals.evaluate(moved, down, {}));
      // Central differences: rounding 1e-15/1e-6 and the steady state's 1e-13/1e-6, over a nonlinear part of 0.1.
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(jacobian[i * bouc_wen_size + static_cast<std::size_t>(k)], (up[i] - down[i]) / (2.0 * step), 3e-6)
            << "n " << n << " coordinate " << k << " point " << i;
      }
    }
  }
}

// A law finds itself again: Ceres stops when the sum of squares changes by 1e-10 of itself, near 0 where it should be.
TEST(BoucWenFitSlow, RecoversALawFromLoops) {
  for (const Parameters& p :
       {make(2.0, 0.2, 1.0, 0.5, 0.3, 0.6), make(2.0, 0.0, 1.0, 0.4, 1.1, 1.0), make(5.0, 0.5, 1.0, 0.7, -0.4, 2.2)}) {
    BoucWenFitOptions options;
    options.k0 = p.k0;
    options.n_points = 7;
    const BoucWenFit fit = fit_bouc_wen({loop_of(p, 0.6, 40), loop_of(p, 1.2, 40)}, options);
    ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
    EXPECT_EQ(fit.best.stage, BoucWenStage::free);
    EXPECT_LT(fit.best.misfit, 1e-6);
    expect_parameters(fit.best.parameters, p, 1e-5);
    ASSERT_EQ(fit.records.size(), 2U);
    EXPECT_NEAR(fit.records[1].work_model / fit.records[1].work, 1.0, 1e-6);
    EXPECT_NEAR(fit.records[1].dissipation / cycle_of_amplitude(BoucWen<double>(p), 1.2).dissipation, 1.0, 1e-5);
  }
}

TEST(BoucWenFitSlow, RecoversALawFromAHistory) {
  const Parameters p = make(3.0, 0.1, 1.4, 0.6, 0.2, 1.3);
  const std::vector<HysteresisRecord> records = {
      record_of(pulled(p, {0.3, -0.2, 0.8, -0.8, 1.2, 0.4}, 25), Motion::history)};
  BoucWenFitOptions options;
  options.k0 = 3.0;
  options.a.reset();  // alpha and A free
  options.n_points = 7;
  const BoucWenFit fit = fit_bouc_wen(records, options);
  ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
  expect_parameters(fit.best.parameters, p, 1e-5);

  // k0 and alpha free, A = 1: the same forces from a law with z scaled, z/1.4.
  options.k0.reset();
  options.a = 1.0;
  const BoucWenFit scaled = fit_bouc_wen(records, options);
  ASSERT_EQ(scaled.ending, Ending::completed) << scaled.message;
  const double k0 = 0.1 * 3.0 + 0.9 * 3.0 * 1.4, factor = std::pow(1.4, 1.3 - 1.0);
  expect_parameters(scaled.best.parameters, make(k0, 0.3 / k0, 1.0, 0.6 * factor, 0.2 * factor, 1.3), 1e-5);

  options.n = 1.3;
  options.alpha = 0.3 / k0;
  const BoucWenFit held = fit_bouc_wen(records, options);
  EXPECT_EQ(held.best.parameters.n, 1.3);
  EXPECT_EQ(held.best.parameters.alpha, 0.3 / k0);
  expect_parameters(held.best.parameters, make(k0, 0.3 / k0, 1.0, 0.6 * factor, 0.2 * factor, 1.3), 1e-5);
}

// Noise in the force: the estimates are off by standard errors, sigma sqrt((J^T J)^-1), of which four are allowed.
TEST(BoucWenFit, ErrorsAreThoseOfTheNoise) {
  const Parameters p = make(2.0, 0.2, 1.0, 0.5, 0.3, 1.2);
  std::vector<HysteresisRecord> records = {loop_of(p, 1.0, 100)};
  const double sigma = 0.01;
  BoucWenResiduals exact(records, 1.0);
  const BoucWenVector truth = exact.coordinates(p);
  std::vector<double> values(exact.size()), jacobian(exact.size() * bouc_wen_size);
  ASSERT_TRUE(exact.evaluate(truth, values, jacobian));
  double aa = 0.0, ab = 0.0, bb = 0.0;  // of beta and beta + gamma
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double a = jacobian[i * bouc_wen_size + 3], b = jacobian[i * bouc_wen_size + 4];
    aa += a * a, ab += a * b, bb += b * b;
  }
  const double unit = 1.0 / (nonlinear_part(records[0]) * std::sqrt(static_cast<double>(exact.size())));
  const double determinant = aa * bb - ab * ab;
  Normal normal(7);
  for (double& f : records[0].f) f += sigma * normal();
  BoucWenFitOptions options;
  options.k0 = 2.0;
  options.alpha = 0.2;
  options.n = 1.2;
  const Parameters found = fit_bouc_wen(records, options).best.parameters;
  EXPECT_NEAR(std::log(found.beta / p.beta), 0.0, 4.0 * sigma * unit * std::sqrt(bb / determinant));
  EXPECT_NEAR(std::log((found.beta + found.gamma) / (p.beta + p.gamma)), 0.0,
              4.0 * sigma * unit * std::sqrt(aa / determinant));
}

/// Steady loop of a cosine, with noise of a share of its largest force and a correlation from point to point.
HysteresisRecord noisy_loop(const Parameters& p, double amplitude, int points, double share, double correlation,
                            std::uint64_t seed) {
  HysteresisRecord loop;
  loop.closed = true;
  for (int i = 0; i < points; ++i) loop.u.push_back(amplitude * std::cos(2.0 * std::numbers::pi * i / points));
  loop.f = bouc_wen_forces(BoucWen<double>(p), loop);
  const double sigma = share * *std::max_element(loop.f.begin(), loop.f.end());
  Normal normal(seed);
  double noise = normal();
  for (double& f : loop.f) {
    f += sigma * noise;
    noise = correlation * noise + std::sqrt(1.0 - correlation * correlation) * normal();
  }
  return loop;
}

std::array<double, 6> listed_parameters(const Parameters& p) {
  return {p.k0, p.alpha, p.a, p.beta, p.gamma, p.n};
}

/// Mean of (found - truth)^2 over that of the stated error^2, of k0, alpha, beta, gamma, n; `most`: errors that nobody
/// is off by more.
std::array<double, 6> calibration(const Parameters& p, double share, double correlation, int points, int cases,
                                  std::optional<double> n, double most) {
  const std::array<double, 6> truth = listed_parameters(p);
  BoucWenFitOptions options;
  options.n_low = 1.0;
  options.n_high = 2.5;
  options.n_points = 2;
  options.n = n;
  std::array<double, 6> square{}, stated{};
  for (int seed = 1; seed <= cases; ++seed) {
    const auto first = static_cast<std::uint64_t>(2 * seed);
    const BoucWenFit fit = fit_bouc_wen({noisy_loop(p, 1.0, points, share, correlation, first),
                                         noisy_loop(p, 3.0, points, share, correlation, first + 1)},
                                        options);
    EXPECT_EQ(fit.message, "") << seed;
    const std::array<double, 6> found = listed_parameters(fit.best.parameters);
    for (std::size_t k = 0; k < 6; ++k) {
      square[k] += std::pow(found[k] - truth[k], 2);
      stated[k] += fit.errors[k] * fit.errors[k];
      EXPECT_LE(std::abs(found[k] - truth[k]), most * fit.errors[k]) << bouc_wen_names[k] << ", seed " << seed;
    }
  }
  EXPECT_EQ(stated[2], 0.0);  // A is given
  for (std::size_t k = 0; k < 6; ++k) square[k] = stated[k] == 0.0 ? 1.0 : square[k] / stated[k];
  return square;
}

// A ratio of 50 squares has the spread sqrt(2/50) = 0.2: 0.5 and 2 are more than two and five of them away.
TEST(BoucWenFitSlow, StatedErrorsOfWhiteNoise) {
  for (const double ratio : calibration(make(10.0, 0.1, 1.0, 0.5, 0.2, 1.5), 0.01, 0.0, 24, 50, std::nullopt, 3.0)) {
    EXPECT_GT(ratio, 0.5);
    EXPECT_LT(ratio, 2.0);
  }
}

// Neighbours share 0.7 of their noise, which makes (1 + c)/(1 - c) = 5.7 points alike: stated errors that took them for
// independent would be sqrt(5.7) times too small where a parameter moves the force of a whole stretch. 35 are left to
// tell the variance: Student's t with 30 degrees of freedom is beyond 4 in 4e-4 of all cases.
TEST(BoucWenFitSlow, StatedErrorsOfSmoothNoise) {
  for (const double ratio : calibration(make(10.0, 0.1, 1.0, 0.5, 0.2, 1.5), 0.01, 0.7, 100, 50, 1.5, 4.0)) {
    EXPECT_GT(ratio, 0.5);
    EXPECT_LT(ratio, 2.0);
  }
}

// Loops in microslip tell (1 - alpha) beta X^n, hardly alpha: with noise the minimum may lie anywhere along that
// valley.
TEST(BoucWenFitSlow, SaysWhatTheNoiseHides) {
  const Parameters p = make(10.0, 0.0, 1.0, 0.05, 0.02, 1.2);
  const std::array<double, 6> truth = listed_parameters(p);
  BoucWenFitOptions options;
  options.n_points = 2;
  options.n_low = 0.4;
  options.n_high = 3.0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const BoucWenFit fit = fit_bouc_wen(
        {noisy_loop(p, 0.5, 30, 0.005, 0.0, 2 * seed), noisy_loop(p, 1.0, 30, 0.005, 0.0, 2 * seed + 1)}, options);
    ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
    std::vector<std::string> told = fit.undetermined;
    told.insert(told.end(), fit.poor.begin(), fit.poor.end());
    EXPECT_NE(std::find(told.begin(), told.end(), "alpha"), told.end()) << seed;
    EXPECT_NE(fit.message.find("alpha"), std::string::npos) << fit.message;
    const std::array<double, 6> found = listed_parameters(fit.best.parameters);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_LE(std::abs(found[k] - truth[k]), 3.0 * fit.errors[k]) << bouc_wen_names[k] << ", seed " << seed;
    }
  }
}

// Minimisations of one step end above the minimum, by far more than so little noise allows: lower points are met on the
// way to the errors, more often than the fit goes after them. What it states is of the parameters that it states.
TEST(BoucWenErrors, AreThoseOfTheBest) {
  const Parameters p = make(10.0, 0.1, 1.0, 0.5, 0.2, 1.5);
  const std::vector<HysteresisRecord> records = {noisy_loop(p, 0.05, 16, 1e-6, 0.0, 2),
                                                 noisy_loop(p, 0.1, 16, 1e-6, 0.0, 3)};
  BoucWenFitOptions options;
  options.n_low = 0.5;
  options.n_high = 3.0;
  options.n_points = 2;
  options.max_iterations = 1;
  const BoucWenFit fit = fit_bouc_wen(records, options);
  int iterations = 0;
  const BoucWenErrors errors =
      bouc_wen_errors(records, fit.best.parameters, 0.1, {}, {false, false, true}, options, iterations);
  EXPECT_TRUE(errors.improved);  // the rounds were used up
  EXPECT_EQ(fit.independent, errors.independent);
  EXPECT_EQ(fit.offset, errors.offset);
  ASSERT_TRUE(fit.chosen.has_value());
  EXPECT_EQ(fit.candidates[*fit.chosen].misfit, fit.best.misfit);
}

// beta + gamma = 0 has no logarithm, and no residuals: nothing is known but what was given.
TEST(BoucWenErrors, OfWhatIsGivenAreNone) {
  const std::vector<HysteresisRecord> records = {loop_of(make(2.0, 0.2, 1.0, 0.5, 0.3, 1.2), 1.0, 20)};
  int iterations = 0;
  const BoucWenErrors errors = bouc_wen_errors(records, make(2.0, 0.2, 1.0, 0.5, -0.5, 1.2), 1.0, {},
                                               {true, false, true, false, false, true}, {}, iterations);
  for (const std::size_t k : {0, 2, 5}) EXPECT_EQ(errors.error[k], 0.0) << bouc_wen_names[k];
  for (const std::size_t k : {1, 3, 4}) EXPECT_TRUE(std::isinf(errors.error[k])) << bouc_wen_names[k];
}

// A constant force beside the law, and weights that are the same on both branches of the loop: residuals
// sqrt(w) d have the offset d and nothing else, to the rounding of the steady state, 1e-13 over a nonlinear part of
// 0.1.
TEST(BoucWenErrors, OffsetsAreForces) {
  const Parameters p = make(2.0, 0.2, 1.0, 0.5, 0.3, 1.2);
  HysteresisRecord record = loop_of(p, 1.0, 40);
  for (double& f : record.f) f += 0.05;
  for (int i = 0; i < 80; ++i) record.weight.push_back(i % 40 < 10 ? 3.4 : 0.2);  // mean 1
  int iterations = 0;
  const BoucWenErrors errors =
      bouc_wen_errors({record}, p, 1.0, {}, {true, true, true, false, false, true}, {}, iterations);
  EXPECT_NEAR(errors.offset, 0.05 / nonlinear_part(record), 1e-11);
  EXPECT_LT(errors.error[3], 1e-10);
}

// Small loops are nearly parabolas, and beta h X^n is all they tell: with alpha free, h = (1 - alpha) k0 and beta
// trade.
TEST(BoucWenFit, SaysWhatTheDataDoNotTell) {
  const Parameters p = make(2.0, 0.2, 1.0, 0.5, 0.3, 1.2);
  BoucWenFitOptions options;
  options.k0 = 2.0;
  options.n = 1.2;
  const std::vector<HysteresisRecord> small = {record_of(pulled(p, {1e-4, -1e-4, 1e-4}, 30), Motion::history)};
  const BoucWenFit trading = fit_bouc_wen(small, options);
  // A second-order effect, z^n = 1.6e-5 of the first.
  EXPECT_LT(trading.sensitivity, 1e-3);
  EXPECT_NE(std::find(trading.weakest.begin(), trading.weakest.end(), "beta"), trading.weakest.end());
  options.alpha = 0.2;  // known: beta and gamma are felt at any size
  EXPECT_GT(fit_bouc_wen(small, options).sensitivity, 1e-3);
}

// A start near the truth is polished and kept apart.
TEST(BoucWenFit, StartsFromAnIwanElement) {
  const auto iwan = Iwan4Backbone<double>::from_physical(10.0, 4.0, -0.4, 1.5);
  const Parameters p = bouc_wen_like(iwan);
  BoucWenFitOptions options;
  options.k0 = 4.0;
  options.alpha = 0.0;
  options.n_points = 3;
  options.starts = {p};
  const BoucWenFit fit = fit_bouc_wen({loop_of(p, 1.0, 40), loop_of(p, 3.0, 40)}, options);
  ASSERT_EQ(fit.ending, Ending::completed);
  EXPECT_EQ(fit.candidates.front().stage, BoucWenStage::start);
  EXPECT_LT(fit.candidates.front().misfit, 1e-10);
  EXPECT_GT(fit.candidates.front().equation, 0.0);  // the midpoint is not exact
  expect_parameters(fit.best.parameters, p, 1e-5);
}

TEST(BoucWenFit, SaysWhenThereIsNoHysteresis) {
  ForceCurve line;
  for (int i = 0; i <= 40; ++i) {
    const double u = i <= 10 ? i : i <= 30 ? 20 - i : i - 40;
    line.u.push_back(u);
    line.f.push_back(2.0 * u + 0.01 * u * u * u);  // hardens, loses nothing
  }
  BoucWenFitOptions options;
  options.k0 = 2.0;
  options.alpha = 0.5;
  options.polish = false;
  const BoucWenFit fit = fit_bouc_wen({record_of(line, Motion::loop)}, options);
  EXPECT_EQ(fit.ending, Ending::no_convergence);
  EXPECT_NE(fit.message.find("is there hysteresis"), std::string::npos) << fit.message;
}

TEST(BoucWenFit, CanBeInterrupted) {
  const Parameters p = make(2.0, 0.2, 1.0, 0.5, 0.3, 0.6);
  BoucWenFitOptions options;
  options.k0 = 2.0;
  int calls = 0;
  const BoucWenFit fit = fit_bouc_wen({loop_of(p, 1.0, 20)}, options, [&](double) { return ++calls < 3; });
  EXPECT_EQ(fit.ending, Ending::interrupted);
  EXPECT_GT(fit.candidates.size(), 15U);  // the least squares are there
  EXPECT_FALSE(fit.records.empty());
}

// Of two loops in microslip the minimum is flat: its coordinates are followed, after half of the work. Interrupted
// there, the best of the fit is left, and no errors.
TEST(BoucWenFit, CanBeInterruptedOnTheWayToTheErrors) {
  const Parameters p = make(10.0, 0.0, 1.0, 0.05, 0.02, 1.2);
  const std::vector<HysteresisRecord> records = {noisy_loop(p, 0.5, 16, 0.005, 0.0, 2),
                                                 noisy_loop(p, 1.0, 16, 0.005, 0.0, 3)};
  BoucWenFitOptions options;
  options.k0 = 10.0;
  options.n = 1.2;
  double before = 0.0;
  const BoucWenFit fit = fit_bouc_wen(records, options, [&](double fraction) {
    EXPECT_GE(fraction, before);
    EXPECT_LE(fraction, 1.0);
    before = fraction;
    return fraction <= 0.6;
  });
  EXPECT_GT(before, 0.6);
  EXPECT_EQ(fit.ending, Ending::interrupted);
  EXPECT_EQ(fit.message, "interrupted before the standard errors were known");
  EXPECT_EQ(fit.records.size(), 2U);
  for (const double error : fit.errors) EXPECT_TRUE(std::isnan(error));
  EXPECT_EQ(fit.best.stage, BoucWenStage::polished);
}

TEST(BoucWenFit, RefusesWhatMakesNoSense) {
  const std::vector<HysteresisRecord> records = {loop_of(make(2.0, 0.2, 1.0, 0.5, 0.3, 0.6), 1.0, 20)};
  BoucWenFitOptions options;
  EXPECT_THROW(static_cast<void>(fit_bouc_wen({}, options)), std::invalid_argument);
  options.a.reset();
  EXPECT_THROW(static_cast<void>(fit_bouc_wen(records, options)), std::invalid_argument);
  options.a = 1.0;
  options.alpha = 1.0;
  EXPECT_THROW(static_cast<void>(fit_bouc_wen(records, options)), std::invalid_argument);
}

TEST(HysteresisRecord, MasingLoopOfAFirstLoading) {
  const auto iwan = Iwan4Backbone<double>::from_physical(10.0, 4.0, -0.4, 1.5);
  ForceCurve rise;
  for (int i = 1; i <= 400; ++i) {
    rise.u.push_back(2.0 * i / 400);
    rise.f.push_back(iwan.at(rise.u.back()).force);
  }
  EXPECT_EQ(motion_of(rise), Motion::masing);
  const HysteresisRecord loop = record_of(rise, Motion::masing);
  ASSERT_EQ(loop.size(), 800U);
  EXPECT_TRUE(loop.closed);
  EXPECT_DOUBLE_EQ(loop.u[0], 2.0);
  EXPECT_DOUBLE_EQ(loop.u[400], -2.0);
  EXPECT_DOUBLE_EQ(loop.f[400], -loop.f[0]);
  const Iwan4<double> law(iwan);
  Iwan4<double>::State state;
  JointInput<double> input;
  input.u = 2.0;
  law.commit(state, law.evaluate(state, input));
  input.u = loop.u[100];
  EXPECT_NEAR(loop.f[100], law.evaluate(state, input).force, 1e-13);
  // Trapezoidal rule, 400 steps a branch, of a branch with curvature F0'' ~ u^(chi): (1/400)^(chi+2) of the whole.
  EXPECT_NEAR(work(loop, loop.f) / iwan.dissipation(2.0), 1.0, 10.0 * std::pow(1.0 / 400, 1.6));
}

TEST(HysteresisRecord, WhatACurveLooksLike) {
  const Parameters p = make(2.0, 0.2, 1.0, 0.5, 0.3, 1.0);
  const ForceCurve history = pulled(p, {1.0, -1.0, 1.0}, 20);
  EXPECT_EQ(motion_of(history), Motion::history);
  EXPECT_FALSE(record_fault(history, Motion::history));
  EXPECT_TRUE(record_fault(history, Motion::loop));    // ends are far apart
  EXPECT_TRUE(record_fault(history, Motion::masing));  // u falls
  const HysteresisRecord loop = loop_of(p, 1.0, 20);
  ForceCurve closed{loop.u, loop.f, {}};
  closed.u.push_back(loop.u.front());
  closed.f.push_back(loop.f.front());
  EXPECT_EQ(motion_of(closed), Motion::loop);
  EXPECT_EQ(record_of(closed, Motion::loop).size(), loop.size());
  const ForceCurve rise = pulled(p, {1.0}, 20);
  EXPECT_TRUE(record_fault(rise, Motion::history));
  ForceCurve broken = history;
  broken.f[7] = std::nan("");
  EXPECT_EQ(record_fault(broken, Motion::history)->point, 7U);
}

}  // namespace bouc_wen_fit_test
}  // namespace microslip
