#include "microslip/joints/masing_table.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "microslip/joints/iwan_uniform.hpp"
#include "microslip/joints/jenkins.hpp"
#include "unit/joints/law_suite.hpp"

namespace microslip {
namespace masing_table_test {

using law_suite::random_history;
using law_suite::step;

// Straight lines are finitely many sliders: k_j = drop of slope at u_j, slip force k_j u_j, and the residual spring.
TEST(MasingTable, LinearIsJenkinsElementsInParallel) {
  const std::vector<double> u = {0.2, 0.5, 0.9, 1.6}, f = {1.0, 2.0, 2.7, 3.3};
  const double residual = 0.4;
  const auto law = masing_table(u, f, Interpolation::linear, residual);
  const std::vector<double> slope = {1.0 / 0.2, 1.0 / 0.3, 0.7 / 0.4, 0.6 / 0.7, residual};
  std::vector<Jenkins<>> sliders;
  for (std::size_t j = 0; j < 4; ++j) sliders.emplace_back(slope[j] - slope[j + 1], (slope[j] - slope[j + 1]) * u[j]);
  std::vector<Jenkins<>::State> states(4);

  MasingTable<>::State state;
  for (const double x : random_history(0.8, 200, 21)) {
    double force = residual * x, stored = 0.5 * residual * x * x, dissipated = 0.0;
    for (std::size_t j = 0; j < 4; ++j) {
      force += step(sliders[j], states[j], x).force;
      stored += sliders[j].stored_energy(states[j]);
      dissipated += sliders[j].dissipated_energy(states[j]);
    }
    const auto trial = step(law, state, x);
    EXPECT_NEAR(trial.force, force, 1e-13);
    EXPECT_NEAR(law.stored_energy(state), stored, 1e-12);
    EXPECT_NEAR(law.dissipated_energy(state), dissipated, 1e-13 * (10.0 + dissipated));
  }
  for (const double x : {0.1, 0.3, 0.7, 1.0, 3.0}) {
    double dissipation = 0.0;
    for (const auto& slider : sliders) dissipation += slider.dissipation(x);
    EXPECT_NEAR(law.dissipation(x), dissipation, 1e-13);
  }
}

// A quadratic backbone sampled anywhere, with a residual spring: the spline is the quadratic (1e-13: exact but for
// rounding).
TEST(MasingTable, SmoothReproducesTheUniformIwanElement) {
  const auto exact = iwan_uniform(2.0, 1.5, 0.1);  // quadratic up to u = 1.5
  const std::vector<double> u = {0.0, 0.11, 0.2, 0.55, 0.6, 1.0, 1.31, 1.5};
  std::vector<double> f;
  for (const double x : u) f.push_back(exact.backbone(x).force);
  const auto law = masing_table(u, f, Interpolation::smooth, 0.2);
  EXPECT_NEAR(law.stuck_stiffness(), exact.stuck_stiffness(), 1e-13);
  IwanUniform<>::State a;
  MasingTable<>::State b;
  for (const double x : random_history(1.0, 100, 22)) {
    const auto one = step(exact, a, x);
    const auto two = step(law, b, x);
    EXPECT_NEAR(two.force, one.force, 1e-13);
    EXPECT_NEAR(two.stiffness, one.stiffness, 1e-12);
    EXPECT_NEAR(law.dissipated_energy(b), exact.dissipated_energy(a), 1e-13 * (10.0 + exact.dissipated_energy(a)));
  }
  for (const double x : {0.05, 0.5, 1.4, 2.0}) EXPECT_NEAR(law.dissipation(x), exact.dissipation(x), 1e-13);
}

// What slope the data keep at the last point is a slider of that strength.
TEST(MasingTable, LastPointKeepsItsSlider) {
  const auto law = masing_table<double>({1.0, 2.0}, {1.0, 1.5});
  EXPECT_NEAR(law.backbone(2.0 - 1e-9).slope, 0.25, 1e-8);  // 2 * 0.5 - 0.75
  EXPECT_EQ(law.backbone(2.0).slope, 0.0);
  EXPECT_DOUBLE_EQ(law.backbone(7.0).force, 1.5);
}

TEST(MasingTable, OnePointIsAJenkinsElement) {
  const Jenkins<> jenkins(4.0, 2.0);
  for (const auto kind : {Interpolation::smooth, Interpolation::linear}) {
    const auto law = masing_table<double>({0.5}, {2.0}, kind);
    Jenkins<>::State a;
    MasingTable<>::State b;
    for (const double x : random_history(0.5, 50, 23))
      EXPECT_NEAR(step(law, b, x).force, step(jenkins, a, x).force, 1e-14);
  }
}

TEST(MasingTable, RefusesATableThatIsNoBackbone) {
  const auto message = [](std::vector<double> u, std::vector<double> f, double residual = 0.0) -> std::string {
    try {
      static_cast<void>(masing_table(u, f, Interpolation::smooth, residual));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({1, 2, 3}, {1.0, 1.5, 2.5}), "backbone point 2: not concave, the slope grows from 0.5 to 1");
  EXPECT_EQ(message({1, 1, 3}, {1, 2, 3}), "backbone point 2: u must increase, got 1 after 1");
  EXPECT_EQ(message({-1, 1}, {1, 2}), "backbone point 1: u must increase, got -1 after 0");
  EXPECT_EQ(message({1, 2}, {1, std::nan("")}), "backbone point 2: f must be a finite number, got nan");
  EXPECT_EQ(message({1, HUGE_VAL}, {1, 2}), "backbone point 2: u must be a finite number, got inf");
  EXPECT_EQ(message({0, 1}, {0.1, 2}), "backbone point 1: the curve must pass through (0, 0), got f = 0.1");
  EXPECT_EQ(message({1, 2}, {1, 0.5}), "backbone point 2: slope -0.5 up to it is below the residual slope 0");
  EXPECT_EQ(message({1, 2}, {1, 1.1}, 0.2), "backbone point 2: slope 0.1 up to it is below the residual slope 0.2");
  EXPECT_EQ(message({1}, {-1}), "backbone point 1: slope -1 up to it is below the residual slope 0");
  EXPECT_EQ(message({1}, {1}, 1.0), "backbone point 1: the first slope must exceed the residual");
  EXPECT_EQ(message({}, {}), "a backbone needs at least one point besides (0, 0)");
  EXPECT_EQ(message({0}, {0}), "a backbone needs at least one point besides (0, 0)");
  EXPECT_EQ(message({1, 2}, {1}), "u has 2 points, f has 1");
}

}  // namespace masing_table_test
}  // namespace microslip
