// Ranges of parameters by profile likelihood, in closed form.

#include "microslip/inference/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/inference/toy_problem.hpp"

namespace microslip {
namespace profile_test {

using Answer = ResidualProblem::Answer;

LeastSquares fitted(const ToyProblem& problem) {
  LeastSquaresOptions options;
  options.starts = 1;
  return fit_least_squares(problem, options);
}

// Of a straight model 1.96 standard errors either way, to 1e-4 of them, whatever the other parameter is to it.
TEST(Profile, StraightModel) {
  Eigen::MatrixXd a(20, 2);
  std::vector<ResidualProblem::Row> rows;
  CounterRandom random(4, 4);
  for (int i = 0; i < 20; ++i) {
    a.row(i) << 1.0, 0.1 * i;
    rows.push_back({1.0 + 0.3 * i + 0.2 * random.normal(), 0.2, 1.0});
  }
  const ToyProblem problem(wide_parameters(2, 50.0), rows, {group_of("all", 0, 20)}, straight(a));
  const LeastSquares fit = fitted(problem);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const ProfileRange range = profile_range(problem, fit, k);
    ASSERT_TRUE(range.found);
    const double reach = 1.959963985 * fit.information.errors(i);
    EXPECT_NEAR(range.low, fit.x(i) - reach, 2e-4 * reach);
    EXPECT_NEAR(range.high, fit.x(i) + reach, 2e-4 * reach);
    EXPECT_FALSE(range.low_is_end || range.high_is_end);
  }
}

// exp(x) = 1 with the error e: from ln(1 - z e) to ln(1 + z e); with 0.6 there is no lower end.
TEST(Profile, BentModel) {
  const auto model = [](const Eigen::VectorXd& x, bool) {
    return Answer{x.array().exp().matrix(), x.array().exp().matrix(), ""};
  };
  for (const double e : {0.1, 0.4, 0.6}) {
    const ToyProblem problem({{"x", -30.0, 10.0, 0.5, {}}}, {{1.0, e, 1.0}}, {group_of("all", 0, 1)}, model);
    const ProfileRange range = profile_range(problem, fitted(problem), 0);
    ASSERT_TRUE(range.found);
    const double reach = 1.959963985 * e;
    EXPECT_NEAR(range.high, std::log(1.0 + reach), 1e-3);
    EXPECT_EQ(range.low_is_end, reach > 1.0);
    EXPECT_NEAR(range.low, reach > 1.0 ? -30.0 : std::log(1.0 - reach), 2e-3);
  }
}

// Only the product a b = 6 is known, both within [1, 10]: a goes from 1 to 6, where b is 1, and as far on as 6 +- 1.96
// errors allow.
TEST(Profile, EndsWhereOthersDo) {
  const auto model = [](const Eigen::VectorXd& x, bool) {
    Answer answer{Eigen::VectorXd::Constant(1, x(0) * x(1)), Eigen::MatrixXd(1, 2), ""};
    answer.jacobian << x(1), x(0);
    return answer;
  };
  const ToyProblem problem({{"a", 1.0, 10.0, 2.0, {}}, {"b", 1.0, 10.0, 2.0, {}}}, {{6.0, 0.1, 1.0}},
                           {group_of("all", 0, 1)}, model);
  const ProfileRange range = profile_range(problem, fitted(problem), 0);
  ASSERT_TRUE(range.found);
  EXPECT_TRUE(range.low_is_end);
  EXPECT_FALSE(range.high_is_end);
  EXPECT_NEAR(range.high, 6.0 + 0.1959963985, 1e-4);
  EXPECT_FALSE(profile_range(problem, fitted(problem), 0, 0.95, [] { return true; }).found);
}

// x = 0.9 and y = x; away from x = 0.9 the slope by y has the wrong sign, so y cannot be fitted anew: no range, not the
// narrower one of a y that stays behind.
TEST(Profile, OthersThatDoNotComeToRest) {
  const auto model = [](const Eigen::VectorXd& x, bool) {
    Answer answer{Eigen::Vector2d(x(0), x(1) - x(0)), Eigen::MatrixXd(2, 2), ""};
    answer.jacobian << 1.0, 0.0, -1.0, std::abs(x(0) - 0.9) > 0.05 ? -1.0 : 1.0;
    return answer;
  };
  const ToyProblem problem(wide_parameters(2, 10.0), {{0.9, 0.1, 1.0}, {0.0, 0.1, 1.0}}, {group_of("all", 0, 2)},
                           model);
  LeastSquares fit;
  fit.x = Eigen::Vector2d(0.9, 0.9);
  fit.discrepancy = {0.0};
  fit.information.errors = Eigen::Vector2d(0.1, 0.1 * std::sqrt(2.0));
  EXPECT_FALSE(profile_range(problem, fit, 0).found);
}

}  // namespace profile_test
}  // namespace microslip
