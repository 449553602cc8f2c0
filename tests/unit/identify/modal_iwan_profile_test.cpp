// What another minimum and a flat profile leave undetermined, derived quantities with it.

#include "microslip/identify/modal_iwan_profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace modal_iwan_profile_test {

constexpr ModalIwanParameters<double> joint{100.0, 1e-3, 10.0, 30.0, -0.5, 1.0};

/// A fit that claims 1 % for everything.
ModalIwanFit confident() {
  ModalIwanFit fit;
  fit.parameters = joint;
  const auto values = as_array(joint);
  for (int k = 0; k < modal_iwan_size; ++k) fit.errors[k] = 0.01 * std::abs(values[k]);
  const ModalIwanModel<double> model(joint);
  const auto one_percent = [](double value) { return Estimate{value, 0.01 * std::abs(value)}; };
  fit.omega0 = one_percent(model.omega0());
  fit.phi_max = one_percent(model.phi_max());
  fit.r = one_percent(model.joint().r());
  fit.s = one_percent(model.joint().s());
  return fit;
}

// With F_S alone twice as large phi_max is so, too, and R, which goes with F_S phi_max^-(chi+2), falls by sqrt(2). S,
// which goes with F_S/phi_max, and omega0 stay.
TEST(ModalIwanProfile, AnotherMinimumLeavesWhatItMovesUndetermined) {
  const ModalIwanResiduals residuals;
  FitMinimum chosen, other;
  chosen.x = other.x = residuals.coordinates(joint);
  other.x[2] += std::log(2.0);
  ModalIwanFit fit = confident();
  std::array<bool, modal_iwan_size> free{};
  free.fill(true);
  add_other_minima(residuals, {chosen, other}, free, fit);
  EXPECT_EQ(fit.undetermined, std::vector<std::string>{"FS"});
  for (int k = 0; k < modal_iwan_size; ++k) EXPECT_EQ(std::isinf(fit.errors[k]), k == 2) << modal_iwan_names[k];
  EXPECT_TRUE(std::isinf(fit.phi_max.error));
  EXPECT_TRUE(std::isinf(fit.r.error));
  EXPECT_TRUE(std::isfinite(fit.s.error));
  EXPECT_TRUE(std::isfinite(fit.omega0.error));
  EXPECT_NE(fit.message.find("FS = 20, phi_max = "), std::string::npos) << fit.message;
}

}  // namespace modal_iwan_profile_test
}  // namespace microslip
