// Modal Iwan oscillators: closed forms, derivatives, and parameters that come back from curves.

#include "microslip/identify/modal_iwan_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "microslip/identify/modal_iwan_residuals.hpp"

namespace microslip {
namespace {

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

}  // namespace
}  // namespace microslip
