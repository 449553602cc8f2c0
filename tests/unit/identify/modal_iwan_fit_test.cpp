// Modal Iwan oscillators: closed forms, derivatives, and parameters that come back from curves.

#include "microslip/identify/modal_iwan_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "microslip/identify/modal_iwan_residuals.hpp"
#include "microslip/joints/any_law.hpp"
#include "microslip/modal/band_signal.hpp"
#include "microslip/modal/ringdown.hpp"

namespace microslip {
namespace modal_iwan_fit_test {

constexpr double pi = std::numbers::pi;
using Parameters = ModalIwanParameters<double>;

/// Lacayo, Tables 2.3 and 2.5, and Shetty, Paper I, Table 1.
const Parameters three_masses_mode_2{1.399, 1e-4, 2.877, 7.843e-2, -0.515, 5.614};
const Parameters sumali_mode_7{4.235e5, 1e-4, 1.802, 1.537e5, -0.1369, 2.561};
const Parameters sumali_mode_9{7.321e6, 1e-4, 6.934, 2.822e6, -0.1008, 1.529};
const Parameters paper_one{3.55e4, 1e-4, 100.0, 6.32e4, -0.75, 5.0};

struct Forms {
  OmegaForm omega;
  ZetaForm zeta;
};
constexpr Forms all_forms[] = {{OmegaForm::first_harmonic, ZetaForm::decrement},
                               {OmegaForm::first_harmonic, ZetaForm::tangent},
                               {OmegaForm::secant, ZetaForm::secant}};

/// Amplitudes from `from` to `to` times phi_max, evenly along ln q.
std::vector<AmplitudePoint> curve(const Parameters& p, double from, double to, int points, Forms forms) {
  const ModalIwanModel<double> model(p);
  std::vector<AmplitudePoint> result;
  for (int i = 0; i < points; ++i) {
    const double q = model.phi_max() * from * std::pow(to / from, i / (points - 1.0));
    result.push_back({q, model.omega(q, forms.omega), model.zeta(q, forms.zeta)});
  }
  return result;
}

ModalIwanFitOptions with(Forms forms) {
  ModalIwanFitOptions options;
  options.omega_form = forms.omega;
  options.zeta_form = forms.zeta;
  return options;
}

void expect_parameters(const Parameters& got, const Parameters& expected, double tolerance) {
  const auto a = as_array(got), b = as_array(expected);
  for (int k = 0; k < modal_iwan_size; ++k) EXPECT_NEAR(a[k] / b[k], 1.0, tolerance) << modal_iwan_names[k];
}

// Every half swing of a free Masing oscillator does no net work: X_(k+1) from X_k by that alone, with W the work along
// the backbone. On the branch that starts at force f, f = 2 W(X)/X and the next starts at 2 alpha(X) - f.
TEST(ModalIwanModel, DecrementIsThatOfTheFreeMotion) {
  for (Parameters p : {three_masses_mode_2, sumali_mode_7}) {
    p.zeta0 = 0.0;
    const ModalIwanModel<double> model(p);
    const auto start_force = [&](double x) { return p.k_inf * x + 2.0 * model.joint().work(x) / x; };
    const auto next = [&](double x) {
      const double wanted = 2.0 * model.alpha(x) - start_force(x);
      double low = 0.0, high = x;
      for (int i = 0; i < 200; ++i) (start_force(0.5 * (low + high)) < wanted ? low : high) = 0.5 * (low + high);
      return 0.5 * (low + high);
    };
    for (const double share : {0.05, 0.5, 0.98, 1.02, 1.2, 5.0}) {
      const double first = share * model.phi_max(), middle = next(first), last = next(middle);
      const double delta = 0.5 * std::log(first / last);
      EXPECT_NEAR(model.zeta(middle, ZetaForm::decrement) / (delta / std::hypot(pi, delta)), 1.0, 1e-9) << share;
    }
  }
}

// Away from the onset, tangent and decrement differ by the second order of the decay of a cycle.
TEST(ModalIwanModel, DecrementTendsToTheTangentForm) {
  const ModalIwanModel<double> model(three_masses_mode_2);
  for (const double share : {1e-4, 1e-2, 0.3, 0.9, 4.0, 100.0}) {
    const double q = share * model.phi_max(), zeta = model.zeta(q, ZetaForm::tangent);
    EXPECT_LT(std::abs(model.zeta(q, ZetaForm::decrement) / zeta - 1.0), 2.0 * std::pow(2.0 * pi * zeta, 2)) << share;
  }
}

// A linear oscillator: zeta0 = delta/sqrt(pi^2 + delta^2) in every form but for the second order of zeta0.
TEST(ModalIwanModel, BackgroundDampingComesBack) {
  Parameters p = three_masses_mode_2;
  p.zeta0 = 1e-3;
  const ModalIwanModel<double> model(p);
  for (const ZetaForm form : {ZetaForm::decrement, ZetaForm::tangent, ZetaForm::secant}) {
    EXPECT_NEAR(model.zeta(1e-12 * model.phi_max(), form), 1e-3, 1e-7);  // the joint adds q^(chi+1)
  }
}

TEST(ModalIwanModel, OnlyTheTangentFormJumpsAtTheOnset) {
  const ModalIwanModel<double> model(sumali_mode_7);
  const double below = model.phi_max() * (1.0 - 1e-9), above = model.phi_max() * (1.0 + 1e-9);
  const auto ratio = [&](ZetaForm form) { return model.zeta(above, form) / model.zeta(below, form); };
  // The tangent falls from K_inf + S to K_inf.
  EXPECT_NEAR(ratio(ZetaForm::tangent), 1.0 + model.joint().s() / sumali_mode_7.k_inf, 1e-6);
  EXPECT_NEAR(ratio(ZetaForm::decrement), 1.0, 1e-6);
  EXPECT_NEAR(ratio(ZetaForm::secant), 1.0, 1e-6);
  EXPECT_NEAR(model.omega(above, OmegaForm::first_harmonic) / model.omega(below, OmegaForm::first_harmonic), 1.0, 1e-8);
}

// Central differences in fit coordinates of order one: step^2 and rounding/step, 1e-7 and better of each column.
TEST(ModalIwanResidualsTest, JacobianAgreesWithDifferences) {
  constexpr double h = 1e-5;
  for (const Parameters& p : {three_masses_mode_2, sumali_mode_9, paper_one}) {
    for (const Forms forms : all_forms) {
      ModalIwanResiduals residuals;
      residuals.omega_form = forms.omega;
      residuals.zeta_form = forms.zeta;
      residuals.zeta_scale = 1e-4;
      for (const AmplitudePoint& point : curve(p, 1e-3, 20.0, 30, forms)) residuals.points.push_back({point, 0.5});
      FitVector x = residuals.coordinates(p);
      x[0] += 0.01, x[3] -= 0.02, x[4] += 0.01;
      const std::size_t rows = residuals.size();
      std::vector<double> values(rows), jacobian(rows * modal_iwan_size), plus(rows), minus(rows);
      ASSERT_TRUE(residuals.evaluate(x, values, jacobian));
      for (int k = 0; k < modal_iwan_size; ++k) {
        FitVector moved = x;
        moved[k] = x[k] + h;
        ASSERT_TRUE(residuals.evaluate(moved, plus, {}));
        moved[k] = x[k] - h;
        ASSERT_TRUE(residuals.evaluate(moved, minus, {}));
        for (std::size_t i = 0; i < rows; ++i) {
          const double difference = (plus[i] - minus[i]) / (2.0 * h);
          EXPECT_NEAR(jacobian[i * modal_iwan_size + k], difference, 1e-6 * (1.0 + std::abs(difference)))
              << modal_iwan_names[k] << ", residual " << i;
        }
      }
    }
  }
}

class ModalIwanFitRecovers : public ::testing::TestWithParam<int> {};

// Exact curves over micro- and macroslip: the parameters come back to 1e-6, the residuals vanish.
TEST_P(ModalIwanFitRecovers, ParametersOfExactCurves) {
  const Forms forms = all_forms[GetParam()];
  for (const Parameters& p : {three_masses_mode_2, sumali_mode_7, sumali_mode_9, paper_one}) {
    const ModalIwanFit fit = fit_modal_iwan(curve(p, 1e-3, 50.0, 80, forms), with(forms));
    EXPECT_EQ(fit.ending, Ending::completed) << fit.message;
    EXPECT_EQ(fit.message, "");
    expect_parameters(fit.parameters, p, 1e-6);
    EXPECT_LT(fit.omega_residual, 1e-9);
    EXPECT_LT(fit.zeta_residual, 1e-8);
    EXPECT_EQ(fit.points, 80);
    EXPECT_NEAR(fit.omega0.value / std::sqrt(p.k_inf + p.k_t), 1.0, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, ModalIwanFitRecovers, ::testing::Values(0, 1, 2));

// The same data twice give the same numbers, bit for bit.
TEST(ModalIwanFitTest, IsDeterministic) {
  const auto data = curve(sumali_mode_7, 1e-2, 10.0, 40, all_forms[0]);
  const auto first = fit_modal_iwan(data), second = fit_modal_iwan(data);
  EXPECT_EQ(as_array(first.parameters), as_array(second.parameters));
  EXPECT_EQ(first.errors, second.errors);
}

// What is given stays as it is, without an error; the others come back.
TEST(ModalIwanFitTest, FixedParametersStay) {
  const auto data = curve(three_masses_mode_2, 1e-3, 50.0, 60, all_forms[0]);
  ModalIwanFitOptions options;
  options.fixed[1] = 1e-4;
  options.fixed[4] = -0.515;
  const ModalIwanFit fit = fit_modal_iwan(data, options);
  EXPECT_EQ(fit.parameters.zeta0, 1e-4);
  EXPECT_EQ(fit.parameters.chi, -0.515);
  EXPECT_EQ(fit.errors[1], 0.0);
  EXPECT_TRUE(std::isnan(fit.correlation[4][0]));
  expect_parameters(fit.parameters, three_masses_mode_2, 1e-6);

  options.fixed[4] = -0.3;  // not what the data say
  const ModalIwanFit wrong = fit_modal_iwan(data, options);
  EXPECT_EQ(wrong.parameters.chi, -0.3);
  EXPECT_GT(wrong.zeta_residual, 1e-2);
  EXPECT_GT(wrong.zeta_serial, 0.5);  // the model is wrong, not the data noisy
}

// A bound that excludes the truth is where the parameter ends, and the result says so.
TEST(ModalIwanFitTest, BoundsHold) {
  const auto data = curve(three_masses_mode_2, 1e-3, 50.0, 60, all_forms[0]);
  ModalIwanFitOptions options;
  options.bounds[5] = {0.0, 3.0};
  const ModalIwanFit fit = fit_modal_iwan(data, options);
  EXPECT_NEAR(fit.parameters.beta, 3.0, 1e-6);
  EXPECT_EQ(fit.at_bound, std::vector<std::string>{"beta"});
  EXPECT_NE(fit.message.find("at its bound: beta"), std::string::npos) << fit.message;
  options.bounds[5] = {3.0, 8.0};
  expect_parameters(fit_modal_iwan(data, options).parameters, three_masses_mode_2, 1e-6);
}

// beta = 0 is the end of its range: the fit goes there.
TEST(ModalIwanFitTest, NoMacroslipSliderIsABound) {
  Parameters p = sumali_mode_7;
  p.beta = 0.0;
  const ModalIwanFit fit = fit_modal_iwan(curve(p, 1e-3, 50.0, 60, all_forms[0]));
  EXPECT_EQ(fit.ending, Ending::completed) << fit.message;
  EXPECT_NEAR(fit.parameters.beta, 0.0, 1e-6);
  EXPECT_NEAR(fit.parameters.f_s / p.f_s, 1.0, 1e-6);
}

// In microslip the curves depend on K_inf + K_T, R, chi and zeta0 alone: four numbers, which come back; the two
// combinations left over are named, with no standard error.
TEST(ModalIwanFitTest, WithoutMacroslipItSaysWhatIsUndetermined) {
  for (const Parameters& p : {three_masses_mode_2, sumali_mode_9}) {
    const ModalIwanModel<double> model(p);
    const ModalIwanFit fit = fit_modal_iwan(curve(p, 1e-4, 0.5, 60, all_forms[0]));
    EXPECT_EQ(fit.ending, Ending::completed) << fit.message;
    EXPECT_EQ(fit.macroslip_points, 0);
    EXPECT_EQ(fit.undetermined, (std::vector<std::string>{"Kinf", "FS", "KT", "beta"}));
    EXPECT_NE(fit.message.find("do not reach macroslip"), std::string::npos) << fit.message;
    EXPECT_TRUE(std::isinf(fit.errors[0]) && std::isinf(fit.errors[2]) && std::isinf(fit.phi_max.error));
    EXPECT_TRUE(std::isfinite(fit.errors[1]) && std::isfinite(fit.errors[4]));
    EXPECT_TRUE(std::isfinite(fit.omega0.error) && std::isfinite(fit.r.error));
    EXPECT_NEAR(fit.parameters.chi, p.chi, 1e-6);
    EXPECT_NEAR(fit.parameters.zeta0 / p.zeta0, 1.0, 1e-6);
    EXPECT_NEAR(fit.omega0.value / model.omega0(), 1.0, 1e-9);
    EXPECT_NEAR(fit.r.value / model.joint().r(), 1.0, 1e-5);
    EXPECT_LT(fit.zeta_residual, 1e-7);
  }
  // With K_inf and beta given, microslip is enough.
  ModalIwanFitOptions options;
  options.fixed[0] = sumali_mode_9.k_inf;
  options.fixed[5] = sumali_mode_9.beta;
  const ModalIwanFit fit = fit_modal_iwan(curve(sumali_mode_9, 1e-4, 0.5, 60, all_forms[0]), options);
  EXPECT_TRUE(fit.undetermined.empty()) << fit.message;
  expect_parameters(fit.parameters, sumali_mode_9, 1e-5);
}

// Data that end just below phi_max, where the half swing before the last decrement has passed it: what microslip tells
// comes back, and where phi_max is kept beyond the data it has no standard error that would deny the truth.
TEST(ModalIwanFitTest, DataThatEndJustBelowMacroslip) {
  const Parameters p{1.0, 1e-3, 0.05, 0.3, -0.5, 0.5};
  const ModalIwanModel<double> model(p);
  for (const double end : {0.9, 0.97}) {
    const ModalIwanFit fit = fit_modal_iwan(curve(p, 1e-3, end, 60, all_forms[0]));
    EXPECT_EQ(fit.ending, Ending::completed) << fit.message;
    EXPECT_NEAR(fit.omega0.value / model.omega0(), 1.0, 1e-3);
    EXPECT_NEAR(fit.parameters.chi, p.chi, 0.05);
    EXPECT_LT(std::abs(fit.phi_max.value - model.phi_max()), 3.0 * fit.phi_max.error + 1e-3 * model.phi_max())
        << end << ": " << fit.phi_max.value / model.phi_max() << " +- " << fit.phi_max.error / model.phi_max()
        << ", zeta " << model.zeta(end * model.phi_max(), ZetaForm::decrement) << ": " << fit.message;
  }
}

// Two elements of different exponents, both in microslip: no single one fits, and an onset of macroslip among the data
// would shape the curve better. There is none, and the fit does not invent it.
TEST(ModalIwanFitTest, AWrongModelDoesNotMakeMacroslip) {
  const ModalIwanModel<double> first({1.0, 0.0, 0.02, 0.02, -0.8, 1.0}), second({1.0, 0.0, 0.15, 0.1, -0.1, 1.0});
  std::vector<AmplitudePoint> data;
  for (int i = 0; i < 60; ++i) {
    const double q = 0.9 * first.phi_max() * std::pow(1e-4, i / 59.0);
    ASSERT_LT(q, second.phi_max());
    const auto a = first.joint().at(q), b = second.joint().at(q);
    const double tangent = 1.0 + a.slope + b.slope;
    const double d = first.joint().dissipation(q) + second.joint().dissipation(q);
    const double harmonic = std::pow(first.omega(q, OmegaForm::first_harmonic), 2) - 1.0 +
                            std::pow(second.omega(q, OmegaForm::first_harmonic), 2);
    data.push_back({q, std::sqrt(harmonic), 1e-5 + d / (2.0 * pi * q * q * tangent)});
  }
  ModalIwanFitOptions options;
  options.zeta_form = ZetaForm::tangent;
  const ModalIwanFit fit = fit_modal_iwan(data, options);
  EXPECT_EQ(fit.ending, Ending::completed) << fit.message;
  EXPECT_EQ(fit.macroslip_points, 0);
  EXPECT_NE(fit.message.find("do not reach macroslip"), std::string::npos) << fit.message;
  EXPECT_GT(fit.parameters.chi, -0.8);
  EXPECT_LT(fit.parameters.chi, -0.1);
  EXPECT_GT(fit.zeta_serial, 0.5);
}

// The damping rises faster than microslip lets it, by little from one amplitude to the next.
TEST(ModalIwanFitTest, MacroslipShowsOverAShortRange) {
  const Parameters p{9000.0, 5e-4, 5.0, 500.0, -0.7, 0.3};
  const Forms forms{OmegaForm::first_harmonic, ZetaForm::decrement};
  const ModalIwanFit fit = fit_modal_iwan(curve(p, 0.45, 1.5, 60, forms), with(forms));
  EXPECT_EQ(fit.ending, Ending::completed) << fit.message;
  EXPECT_GT(fit.macroslip_points, 0) << fit.message;
  expect_parameters(fit.parameters, p, 1e-3);
}

// Far in macroslip only K_inf, F_S and one combination are left of the joint.
TEST(ModalIwanFitTest, MacroslipAloneDoesNotTellTheMicroslip) {
  const ModalIwanFit fit = fit_modal_iwan(curve(sumali_mode_7, 20.0, 200.0, 40, all_forms[0]));
  EXPECT_EQ(fit.macroslip_points, fit.points);
  EXPECT_NEAR(fit.parameters.k_inf / sumali_mode_7.k_inf, 1.0, 1e-3);
  EXPECT_NE(fit.message, "");
}

TEST(ModalIwanFitTest, BadDataAreRefused) {
  auto data = curve(sumali_mode_7, 1e-2, 10.0, 20, all_forms[0]);
  data[3].zeta = -1e-4;
  const ModalIwanFit fit = fit_modal_iwan(data);
  EXPECT_EQ(fit.dropped, 1);
  EXPECT_EQ(fit.message, "1 of 20 points left out, where zeta <= 0");
  EXPECT_EQ(fit.points, 19);
  expect_parameters(fit.parameters, sumali_mode_7, 1e-6);
  EXPECT_EQ(fit_modal_iwan({data[0], data[1], data[2]}).ending, Ending::no_convergence);
  EXPECT_NE(fit_modal_iwan({data[0], data[1], data[2]}).message.find("at least 4"), std::string::npos);
  EXPECT_EQ(fit_modal_iwan({data[0], data[0], data[0], data[0]}).ending, Ending::no_convergence);
  data[4].q = 0.0;
  EXPECT_THROW(static_cast<void>(fit_modal_iwan(data)), std::invalid_argument);
  data[4] = {1.0, std::nan(""), 0.1};
  EXPECT_THROW(static_cast<void>(fit_modal_iwan(data)), std::invalid_argument);
  data[4] = {1.0, 1.0, std::nan("")};
  EXPECT_THROW(static_cast<void>(fit_modal_iwan(data)), std::invalid_argument);
  ModalIwanFitOptions options;
  options.fixed[2] = -1.0;
  EXPECT_THROW(static_cast<void>(fit_modal_iwan(curve(sumali_mode_7, 1e-2, 10.0, 20, all_forms[0]), options)),
               std::invalid_argument);
}

TEST(ModalIwanFitTest, ObserverStops) {
  const auto data = curve(sumali_mode_7, 1e-2, 10.0, 20, all_forms[0]);
  EXPECT_EQ(fit_modal_iwan(data, {}, [](double) { return false; }).ending, Ending::interrupted);
}

// Noise of 2 % in damping and 0.01 % in frequency, n trials. With standard errors that are right, z = (estimate -
// truth)/error has mean 0 and variance 1: the mean of n is within 4.5/sqrt(n), that of z^2 within 4.5 sqrt(2/n) of
// 1, each with a chance of the order of 1e-5 to fail for numbers drawn anew (these are not: the seed is fixed). With 40
// residuals a kind, that the errors themselves are estimated adds 5 %.
TEST(ModalIwanFitSlow, StandardErrorsAgreeWithMonteCarlo) {
  constexpr int trials = 100;
  const Parameters& p = three_masses_mode_2;
  const auto exact = curve(p, 1e-3, 30.0, 40, all_forms[0]);
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  std::array<double, modal_iwan_size> sum{}, square{};
  for (const bool by_log_q : {true, false}) {
    ModalIwanFitOptions options;
    options.weigh_by_log_q = by_log_q;
    sum = square = {};
    for (int i = 0; i < trials; ++i) {
      auto data = exact;
      for (AmplitudePoint& point : data) {
        point.omega *= 1.0 + 1e-4 * normal(generator);
        point.zeta *= std::exp(0.02 * normal(generator));
      }
      const ModalIwanFit fit = fit_modal_iwan(data, options);
      ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
      // Lag-one correlation of independent numbers: 1/sqrt(40) a kind; 6 of 80 degrees of freedom make it a little
      // less.
      EXPECT_LT(std::abs(fit.zeta_serial), 4.5 / std::sqrt(40.0));
      const auto got = as_array(fit.parameters), truth = as_array(p);
      for (int k = 0; k < modal_iwan_size; ++k) {
        const double z = (got[k] - truth[k]) / fit.errors[k];
        sum[k] += z / trials;
        square[k] += z * z / trials;
      }
    }
    for (int k = 0; k < modal_iwan_size; ++k) {
      EXPECT_LT(std::abs(sum[k]), 4.5 / std::sqrt(trials)) << modal_iwan_names[k];
      EXPECT_LT(std::abs(square[k] - 1.0), 4.5 * std::sqrt(2.0 / trials)) << modal_iwan_names[k];
    }
  }
}

/// Free decay of the oscillator from `start` times phi_max: velocity with white noise, 40 samples a period of the stuck
/// mode, ten leapfrog steps a sample.
SampledMotion free_decay(const Parameters& p, double start, double periods, double noise, unsigned seed) {
  const ModalIwanModel<double> model(p);
  const Iwan4<double> law(model.joint());
  Iwan4<double>::State state{};
  const double omega = model.omega0(), sample = 2.0 * pi / omega / 40.0, h = sample / 10.0, c = 2.0 * p.zeta0 * omega;
  double x = start * model.phi_max(), v = 0.0;
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0.0, noise * x * omega);
  SampledMotion motion{0.0, sample, Quantity::velocity, {}};
  const auto joint = [&](double u) {
    const auto trial = law.evaluate(state, {u, 0.0, 0.0, 0.0});
    law.commit(state, trial);
    return p.k_inf * u + trial.force;
  };
  double force = joint(x);
  for (int i = 0; i < static_cast<int>(40.0 * periods); ++i) {
    motion.values.push_back(v + normal(generator));
    for (int k = 0; k < 10; ++k) {
      v -= 0.5 * h * (force + c * v);
      x += h * v;
      force = joint(x);
      v = (v - 0.5 * h * force) / (1.0 + 0.5 * h * c);
    }
  }
  return motion;
}

/// Rows of a ring-down, through a band-pass of a share of the frequency unless it is 0.
std::vector<AmplitudePoint> ring_down(const SampledMotion& motion, double frequency, double band) {
  std::vector<SampledMotion> signals = {motion};
  RingdownOptions options;
  if (band > 0.0) {
    const BandNoise noise = keep_band(signals, 0, frequency * (1.0 - 0.5 * band), frequency * (1.0 + 0.5 * band));
    options.noise = noise.white;
    options.noise_filter = noise.filter;
  }
  std::vector<AmplitudePoint> rows;
  for (const RingdownPoint& row : turning_point_ringdown(signals[0], options).points) {
    rows.push_back(
        {row.q, row.omega, row.zeta, row.omega_error, row.zeta_error, ring_down_span(row.half_cycles, row.zeta)});
  }
  return rows;
}

struct Coverage {
  int within = 0, told = 0;  ///< parameters with a standard error; of them within two of it
  int macroslip_unknown = 0, records = 0;
};

/// Adds noisy records of one oscillator.
void add_records(const Parameters& p, double start, double periods, double noise, double band, int records,
                 Coverage& result) {
  const ModalIwanModel<double> model(p);
  for (int i = 0; i < records; ++i) {
    const SampledMotion motion = free_decay(p, start, periods, noise, 100U + static_cast<unsigned>(i));
    const ModalIwanFit fit = fit_modal_iwan(ring_down(motion, model.omega0() / (2.0 * pi), band));
    const auto got = as_array(fit.parameters), truth = as_array(p);
    for (int k = 0; k < modal_iwan_size; ++k) {
      if (!std::isfinite(fit.errors[k]) || fit.errors[k] == 0.0) continue;
      ++result.told;
      result.within += std::abs(got[k] - truth[k]) <= 2.0 * fit.errors[k] ? 1 : 0;
    }
    const auto unknown = [&](const char* name) {
      return std::count(fit.undetermined.begin(), fit.undetermined.end(), name) > 0;
    };
    result.macroslip_unknown += unknown("FS") && unknown("KT") && unknown("beta") ? 1 : 0;
    ++result.records;
  }
}

const Parameters light_joint{100.0, 1e-3, 10.0, 30.0, -0.5, 1.0};

// Ring-downs of a known law, with noise of 1 and 3 % of the start, with and without a band-pass, in micro- and
// macroslip. 95.4 % of the stated values should be within two errors of the truth; those of one record go together, so
// that the share has the standard deviation sqrt(0.954 0.046/16) = 0.052 over 16 records. Three of them: 0.80.
TEST(ModalIwanFitPopulation, TrueValuesLieWithinTwoStatedErrors) {
  Coverage all;
  add_records(light_joint, 2.0, 60.0, 0.01, 0.0, 4, all);
  add_records(light_joint, 2.0, 60.0, 0.01, 0.4, 4, all);
  add_records(light_joint, 0.5, 60.0, 0.01, 0.4, 4, all);
  add_records(light_joint, 0.95, 60.0, 0.03, 0.4, 4, all);
  EXPECT_EQ(all.records, 16);
  EXPECT_GT(all.within, 0.80 * all.told) << all.within << " of " << all.told;
  EXPECT_GT(all.told, 2 * all.records);  // chi and zeta0 at least are told by every record, and more by some
}

// No macroslip in the motion, and the wiggles that a band-pass makes of noise do not stand for it. Along a combination
// that the rows do not know rounding decides where the fit ends, be it at beta = 0: undetermined all the same.
TEST(ModalIwanFitPopulation, BandedRowsWithoutMacroslipDoNotTellIt) {
  Coverage all;
  add_records(light_joint, 0.6, 80.0, 0.01, 0.3, 3, all);
  add_records(light_joint, 0.6, 80.0, 0.01, 0.2, 3, all);
  EXPECT_EQ(all.macroslip_unknown, all.records);
}

// The curve of WithoutMacroslipItSaysWhatIsUndetermined again, with bounds that leave out what the fit would choose:
// beta ends at one of them, and any other would do as well.
TEST(ModalIwanFitTest, AtABoundItMayBeUndeterminedToo) {
  const auto data = curve(sumali_mode_9, 1e-4, 0.5, 60, all_forms[0]);
  const double beta = fit_modal_iwan(data).parameters.beta;
  ModalIwanFitOptions options;
  options.bounds[5] = {2.0 * beta, 3.0 * beta};
  const ModalIwanFit fit = fit_modal_iwan(data, options);
  EXPECT_EQ(fit.undetermined, (std::vector<std::string>{"Kinf", "FS", "KT", "beta"})) << fit.message;
  EXPECT_TRUE(std::isinf(fit.errors[5]));
}

// Rows of damping that scatters by 20 %, in microslip: medians over stretches of them fall and rise as microslip does
// not, and the onset of macroslip that fits best is no better than chance. A gain of 12 in chi^2 of two numbers has the
// probability exp(-6); the onset is looked for in some ten places, so that 2.5 % of the records might tell of
// macroslip: of 20 three at most (more in 0.2 % of all cases).
TEST(ModalIwanFitPopulation, ScatterIsNoMacroslip) {
  constexpr int records = 20;
  std::mt19937 generator(11);
  std::normal_distribution<double> normal;
  int told = 0;
  for (int i = 0; i < records; ++i) {
    auto data = curve(light_joint, 1e-2, 0.7, 40, all_forms[0]);
    for (AmplitudePoint& point : data) {
      point.omega *= 1.0 + 1e-4 * normal(generator);
      point.zeta *= std::exp(0.2 * normal(generator));
    }
    const ModalIwanFit fit = fit_modal_iwan(data);
    ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
    told += fit.macroslip_points > 0 || std::isfinite(fit.phi_max.error) ? 1 : 0;
  }
  EXPECT_LE(told, 3);
}

// Without noise the residuals are those of the closed forms and of the leapfrog, alike from row to row.
TEST(ModalIwanFitPopulation, ErrorsOfTheModelCount) {
  Coverage all;
  add_records(light_joint, 2.0, 80.0, 0.0, 0.0, 1, all);
  EXPECT_EQ(all.told, modal_iwan_size);
  EXPECT_EQ(all.within, all.told);
}

// Heavy damping: the last row alone, off by what its decay started from, speaks of macroslip where there is none in the
// data; and with two rows in macroslip F_S rests on them. It is undetermined, or its error says so.
TEST(ModalIwanFitPopulation, HeavyDampingLeavesTheMacroslipForceOpen) {
  const Parameters p{100.0, 1e-3, 10.0, 300.0, -0.4, 0.7};
  for (const double start : {4.0, 20.0}) {
    const ModalIwanFit fit = fit_modal_iwan(ring_down(free_decay(p, start, 60.0, 0.0, 1), 1.0, 0.0));
    const auto finite = std::count_if(fit.errors.begin(), fit.errors.end(), [](double e) { return std::isfinite(e); });
    EXPECT_EQ(finite, start > 10.0 ? modal_iwan_size : 1) << fit.message;  // zeta0 at least
    EXPECT_EQ(std::isfinite(fit.phi_max.error) && std::isfinite(fit.s.error), start > 10.0) << fit.message;
    EXPECT_LT(std::abs(fit.parameters.f_s - p.f_s), 2.0 * fit.errors[2]) << fit.parameters.f_s << ": " << fit.message;
    EXPECT_LT(std::abs(fit.parameters.k_inf - p.k_inf), 2.0 * fit.errors[0]) << fit.parameters.k_inf;
    const ModalIwanModel<double> truth(p);
    EXPECT_LT(std::abs(fit.phi_max.value - truth.phi_max()), 2.0 * fit.phi_max.error) << fit.phi_max.value;
    EXPECT_LT(std::abs(fit.s.value - truth.joint().s()), 2.0 * fit.s.error) << fit.s.value;
    // Damping goes with R q^(chi+1): where chi may move, R does, by exp(-ln q dchi).
    EXPECT_EQ(std::isinf(fit.r.error), std::isinf(fit.errors[4])) << fit.message;
    EXPECT_EQ(fit.message.find("and with that R") != std::string::npos, std::isinf(fit.r.error)) << fit.message;
  }
}

// A near-critical row over many half-cycles: exp of its span is beyond the largest double. It says little, but what the
// others say stands.
TEST(ModalIwanFitPopulation, RowsOfAnySpan) {
  const double frequency = ModalIwanModel<double>(light_joint).omega0() / (2.0 * pi);
  std::vector<AmplitudePoint> rows = ring_down(free_decay(light_joint, 2.0, 60.0, 0.01, 1), frequency, 0.0);
  EXPECT_EQ(ring_down_span(1.0, 1.0), 0.0);  // one half-cycle is no mean
  for (const double zeta : {0.999, 1.0, 1.1}) {
    rows[rows.size() / 2].span = ring_down_span(41.0, zeta);
    ASSERT_GT(rows[rows.size() / 2].span, 1000.0);
    const ModalIwanFit fit = fit_modal_iwan(rows);
    ASSERT_EQ(fit.ending, Ending::completed);
    for (int k = 0; k < modal_iwan_size; ++k) EXPECT_FALSE(std::isnan(fit.errors[k])) << modal_iwan_names[k];
    EXPECT_TRUE(std::isfinite(fit.errors[1]));
    EXPECT_LT(std::abs(fit.parameters.zeta0 - light_joint.zeta0), 4.0 * fit.errors[1]);
  }
}

}  // namespace modal_iwan_fit_test
}  // namespace microslip
