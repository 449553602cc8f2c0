#include "microslip/joints/custom_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/joints/law_suite.hpp"

namespace microslip {
namespace custom_law_test {

// A worked example, two components: an isotropic Jenkins element (the slider w follows u within a circle of radius
// mu N/k), a cubic spring and a viscous damper in parallel.
//   F = k (u - w) + k3 |u|^2 u + c v,   |k (u - w)| <= mu N
class FrictionPad : public CustomLaw {
 public:
  std::string name() const override { return "friction_pad"; }
  int components() const override { return 2; }
  int state_size() const override { return 5; }  // w, u, dissipated by friction
  bool has_energies() const override { return true; }
  bool return_point_memory() const override { return true; }

  void evaluate(std::span<const double> state, const CustomInput& in, CustomTrial& out) const override {
    const double limit = mu * in.normal / k;
    const double stretch[2] = {in.u[0] - state[0], in.u[1] - state[1]};
    const double length = std::hypot(stretch[0], stretch[1]);
    const bool slips = length > limit;
    const double ratio = slips ? limit / length : 1.0;
    const double square = in.u[0] * in.u[0] + in.u[1] * in.u[1];
    for (int i = 0; i < 2; ++i) {
      out.force[i] = k * ratio * stretch[i] + k3 * square * in.u[i] + c * in.v[i];
      for (int j = 0; j < 2; ++j) {
        const double same = i == j ? 1.0 : 0.0;
        const double direction = slips ? stretch[i] * stretch[j] / (length * length) : 0.0;
        out.stiffness[i][j] = k * ratio * (same - direction) + k3 * (square * same + 2.0 * in.u[i] * in.u[j]);
        out.damping[i][j] = c * same;
      }
      out.next_state[i] = in.u[i] - ratio * stretch[i];
      out.next_state[2 + i] = in.u[i];
    }
    out.next_state[4] = state[4] + (slips ? mu * in.normal * (length - limit) : 0.0);
  }
  CustomMatrix stuck_stiffness() const override { return {{{k, 0.0, 0.0}, {0.0, k, 0.0}, {0.0, 0.0, 0.0}}}; }
  CustomMatrix slipped_stiffness() const override { return {}; }
  double stored_energy(std::span<const double> s) const override {
    const double square = s[2] * s[2] + s[3] * s[3];
    return 0.5 * k * (std::pow(s[2] - s[0], 2) + std::pow(s[3] - s[1], 2)) + 0.25 * k3 * square * square;
  }
  double dissipated_energy(std::span<const double> s) const override { return s[4]; }

  double k = 5.0, k3 = 0.3, mu = 0.4, c = 0.2;
};

CustomInput at(double x, double y, double vx = 0.0, double vy = 0.0) {
  CustomInput input;
  input.u = {x, y, 0.0};
  input.v = {vx, vy, 0.0};
  input.normal = 2.0;
  return input;
}

TEST(CustomLaw, GivesTheForcesOfTheExample) {
  const CustomLawHandle law(std::make_shared<FrictionPad>());
  auto state = law.initial_state();
  ASSERT_EQ(state.values.size(), 5U);
  const auto stuck = law.evaluate(state, at(0.1, 0.0, 0.0, 3.0));
  EXPECT_NEAR(stuck.force[0], 0.5 + 0.3 * 0.001, 1e-15);
  EXPECT_NEAR(stuck.force[1], 0.6, 1e-15);
  // Sliding along (3, 4)/5: friction mu N = 0.8 in that direction, cubic spring 0.3 * 25 * u.
  const auto slipping = law.evaluate(state, at(3.0, 4.0));
  EXPECT_NEAR(slipping.force[0], 0.48 + 22.5, 1e-13);
  EXPECT_NEAR(slipping.force[1], 0.64 + 30.0, 1e-13);
  law.commit(state, slipping);
  EXPECT_NEAR(law.dissipated_energy(state), 0.8 * (5.0 - 0.16), 1e-13);
}

// Central differences, step 1e-6: rounding gives 1e-9.
TEST(CustomLaw, TangentsAgreeWithDifferences) {
  const CustomLawHandle law(std::make_shared<FrictionPad>());
  auto state = law.initial_state();
  CustomLawHandle::Trial trial, high, low;
  const auto history = law_suite::random_history(0.3, 80, 31);
  for (std::size_t i = 0; i + 1 < history.size(); i += 2) {
    const auto input = at(history[i], history[i + 1], 0.5, -0.7);
    law.evaluate_into(state, input, trial);
    for (std::size_t j = 0; j < 2; ++j) {
      const double h = 1e-6;
      auto up = input, down = input;
      up.u[j] += h;
      down.u[j] -= h;
      law.evaluate_into(state, up, high);
      law.evaluate_into(state, down, low);
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(trial.stiffness[k][j], (high.force[k] - low.force[k]) / (2.0 * h), 1e-7);
      }
      EXPECT_EQ(trial.damping[j][j], 0.2);
    }
    law.commit(state, trial);
  }
}

TEST(CustomLaw, DiscardedTrialLeavesNoTraceAndNothingIsAllocatedTwice) {
  const CustomLawHandle law(std::make_shared<FrictionPad>());
  auto state = law.initial_state();
  CustomLawHandle::Trial trial;
  law.evaluate_into(state, at(1.0, 2.0), trial);
  const double* storage = trial.values.data();
  const double* memory = state.values.data();
  EXPECT_EQ(state.values, std::vector<double>(5, 0.0));
  law.evaluate_into(state, at(0.3, 0.0), trial);
  EXPECT_NEAR(trial.force[0], 0.8 + 0.3 * 0.027, 1e-14);
  law.commit(state, trial);
  law.evaluate_into(state, at(0.0, 0.0), trial);
  law.commit(state, trial);
  EXPECT_EQ(trial.values.data(), storage);
  EXPECT_EQ(state.values.data(), memory);
}

TEST(CustomLaw, CopiedTrialOwnsItsState) {
  const CustomLawHandle law(std::make_shared<FrictionPad>());
  const auto state = law.initial_state();
  auto trial = law.evaluate(state, at(1.0, 2.0));
  auto copy = trial;
  EXPECT_EQ(copy.next_state.data(), copy.values.data());
  const auto moved = std::move(copy);
  EXPECT_EQ(moved.next_state.data(), moved.values.data());
  trial = moved;
  EXPECT_EQ(trial.next_state.data(), trial.values.data());
}

TEST(CustomLaw, RefusesWhatIsNoLaw) {
  struct FourComponents : FrictionPad {
    int components() const override { return 4; }
  };
  EXPECT_THROW(CustomLawHandle(nullptr), std::invalid_argument);
  EXPECT_THROW(CustomLawHandle(std::make_shared<FourComponents>()), std::invalid_argument);
}

}  // namespace custom_law_test
}  // namespace microslip
