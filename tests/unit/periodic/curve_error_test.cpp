// Steps from a solution to that of slightly other equations: by factors of their own, and by those of a continuation.

#include "microslip/periodic/curve_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace curve_error_test {

// On lambda = 3 y_0 - y_0^3 with unknowns that hang on y_0, around both folds. The factors of the continuation are from
// before its last correction, of less than 1e-8 (its tolerance): R' has changed by that times second derivatives of 6
// at most, its inverse by 6e-8 times its own size, below 10 along this curve.
TEST(CurveStep, ByTheFactorsOfAContinuation) {
  constexpr int n = 12;
  const Residual chain = [](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* j,
                            Eigen::VectorXd* l) {
    r = y;
    r(0) = 3.0 * y(0) - y(0) * y(0) * y(0) - lambda;
    for (int i = 1; i < n; ++i) r(i) -= 0.5 * std::sin(y(i - 1));
    if (l != nullptr) *l = -Eigen::VectorXd::Unit(n, 0);
    if (j == nullptr) return true;
    j->setIdentity(n, n);
    (*j)(0, 0) = 3.0 - 3.0 * y(0) * y(0);
    for (int i = 1; i < n; ++i) (*j)(i, i - 1) = -0.5 * std::cos(y(i - 1));
    return true;
  };
  const RelativeSize size = [](const Eigen::VectorXd& r, const Eigen::VectorXd&) { return r.norm(); };
  ContinuationOptions options;
  options.floor = 1.0;
  options.lambda_scale = 5.0;
  options.tolerance = 1e-8;
  options.keep_factors_from = n;
  Continuation curve(chain, size, options);
  Eigen::VectorXd y(n), r, by_lambda;
  y(0) = 2.1;
  for (int i = 1; i < n; ++i) y(i) = 0.5 * std::sin(y(i - 1));
  ASSERT_TRUE(curve.start(y, 3.0 * y(0) - std::pow(y(0), 3.0), 1.0));
  const Eigen::VectorXd change = Eigen::VectorXd::LinSpaced(n, 1.0, -0.7);
  Eigen::MatrixXd jacobian;
  int points = 0;
  for (; points < 500 && curve.point().y(0) > -2.0; ++points) {
    ASSERT_TRUE(curve.advance()) << curve.message();
    const CurvePoint& at = curve.point();
    ASSERT_TRUE(curve.has_factors_of(at));
    EXPECT_FALSE(curve.has_factors_of(curve.previous()));
    ASSERT_TRUE(chain(at.y, at.lambda, r, &jacobian, &by_lambda));
    const CurveStep fresh(jacobian, by_lambda, at), kept(curve, at);
    const Eigen::VectorXd expected = fresh.answer(change);
    EXPECT_LT((kept.answer(change) - expected).norm(), 1e-6 * expected.norm()) << at.lambda;
    EXPECT_NEAR(kept.steepness(expected), fresh.steepness(expected), 1e-12 * fresh.steepness(expected));
  }
  EXPECT_GT(points, 20);
  EXPECT_LT(points, 500);
}

}  // namespace curve_error_test
}  // namespace microslip
