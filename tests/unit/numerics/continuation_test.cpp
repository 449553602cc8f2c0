// Curves with known folds.

#include "microslip/numerics/continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace continuation_test {

double plain_size(const Eigen::VectorXd& r, const Eigen::VectorXd&) {
  return r.norm();
}

/// lambda = 3 y - y^3: folds at (-1, -2) and (1, 2).
bool cubic(const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* j, Eigen::VectorXd* l) {
  r.resize(1);
  r(0) = 3.0 * y(0) - y(0) * y(0) * y(0) - lambda;
  if (j != nullptr) *j = Eigen::MatrixXd::Constant(1, 1, 3.0 - 3.0 * y(0) * y(0));
  if (l != nullptr) *l = Eigen::VectorXd::Constant(1, -1.0);
  return true;
}

ContinuationOptions unit_options() {
  ContinuationOptions options;
  options.floor = 1.0;
  options.tolerance = 1e-8;
  return options;
}

TEST(Continuation, PassesFoldsAndLocatesThem) {
  Continuation curve(cubic, plain_size, unit_options());
  // From y = 2.1 (lambda = -2.961) upwards in lambda: y falls, the curve turns at (1, 2), again at (-1, -2).
  Eigen::VectorXd y = Eigen::VectorXd::Constant(1, 2.1);
  ASSERT_TRUE(curve.start(y, 3.0 * 2.1 - 2.1 * 2.1 * 2.1, 1.0));
  std::vector<CurvePoint> folds;
  for (int i = 0; i < 500 && curve.point().y(0) > -2.0; ++i) {
    ASSERT_TRUE(curve.advance()) << curve.message();
    const CurvePoint& p = curve.point();
    EXPECT_NEAR(3.0 * p.y(0) - std::pow(p.y(0), 3.0), p.lambda, 1e-12);
    if (curve.previous().lambda_tangent * p.lambda_tangent < 0.0) {
      CurvePoint fold;
      ASSERT_TRUE(curve.locate([](const CurvePoint& q) { return q.lambda_tangent; }, fold));
      folds.push_back(fold);
    }
  }
  ASSERT_EQ(folds.size(), 2U);
  EXPECT_NEAR(folds[0].y(0), 1.0, 1e-7);
  EXPECT_NEAR(folds[0].lambda, 2.0, 1e-12);  // of second order in y
  EXPECT_NEAR(folds[1].y(0), -1.0, 1e-7);
  EXPECT_NEAR(folds[1].lambda, -2.0, 1e-12);
}

// lambda = 3 y_0 - y_0^3 with 30 unknowns that hang on y_0, each on the one before: the same points of the same curve
// within the square of the tolerance, with the factors of R' made new at every step of Newton, and kept. Newton takes
// at least two with new ones for each point (one that finds R small, one before), kept ones leave the last.
TEST(Continuation, KeepsFactors) {
  constexpr int n = 30;
  int made = 0;
  const Residual chain = [&made](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* j,
                                 Eigen::VectorXd* l) {
    r.resize(n);
    r(0) = 3.0 * y(0) - y(0) * y(0) * y(0) - lambda;
    for (int i = 1; i < n; ++i) r(i) = y(i) - 0.5 * std::sin(y(i - 1) + y(0));
    if (l != nullptr) *l = -Eigen::VectorXd::Unit(n, 0);
    if (j == nullptr) return true;
    ++made;
    j->setIdentity(n, n);
    (*j)(0, 0) = 3.0 - 3.0 * y(0) * y(0);
    for (int i = 1; i < n; ++i) {
      const double slope = -0.5 * std::cos(y(i - 1) + y(0));
      (*j)(i, i - 1) += slope;
      (*j)(i, 0) += slope;
    }
    return true;
  };
  const auto hangs = [](double y0) {
    Eigen::VectorXd y = Eigen::VectorXd::Constant(n, y0);
    for (int i = 1; i < n; ++i) y(i) = 0.5 * std::sin(y(i - 1) + y0);
    return y;
  };
  const auto follow = [&](int keep_from, int& folds) {
    ContinuationOptions options = unit_options();
    options.lambda_scale = 5.0;
    options.keep_factors_from = keep_from;
    Continuation curve(chain, plain_size, options);
    made = folds = 0;
    int points = 0;
    EXPECT_TRUE(curve.start(hangs(2.1), 3.0 * 2.1 - 2.1 * 2.1 * 2.1, 1.0));
    for (; points < 500 && curve.point().y(0) > -2.0; ++points) {
      EXPECT_TRUE(curve.advance()) << curve.message();
      const CurvePoint& p = curve.point();
      EXPECT_NEAR(3.0 * p.y(0) - std::pow(p.y(0), 3.0), p.lambda, 1e-12);
      EXPECT_LT((p.y - hangs(p.y(0))).norm(), 1e-12);
      if (curve.previous().lambda_tangent * p.lambda_tangent >= 0.0) continue;
      CurvePoint fold;
      EXPECT_TRUE(curve.locate([](const CurvePoint& q) { return q.lambda_tangent; }, fold));
      EXPECT_NEAR(std::abs(fold.lambda), 2.0, 1e-12);
      ++folds;
    }
    EXPECT_LT(points, 500);
    return static_cast<double>(made) / points;
  };
  int folds = 0;
  const double fresh = follow(n + 1, folds);
  EXPECT_EQ(folds, 2);
  const double kept = follow(n, folds);
  EXPECT_EQ(folds, 2);
  EXPECT_GT(fresh, 2.0);
  EXPECT_LT(kept, 0.7 * fresh);
}

TEST(Continuation, LandsOnAValue) {
  Continuation curve(cubic, plain_size, unit_options());
  ASSERT_TRUE(curve.start(Eigen::VectorXd::Zero(1), 0.0, 1.0));
  while (curve.point().lambda < 1.0) ASSERT_TRUE(curve.advance());
  CurvePoint landed;
  ASSERT_TRUE(curve.land(1.0, landed));
  EXPECT_EQ(landed.lambda, 1.0);
  EXPECT_NEAR(landed.y(0), 2.0 * std::sin(std::asin(0.5) / 3.0), 1e-12);  // y = 2 sin(a), lambda = 2 sin(3 a)
}

// y^2 = lambda^2 + e^2: the branches y > 0 and y < 0 come as near as 2 e, and bend by 90 degrees there.
TEST(Continuation, DoesNotJumpToAnotherBranch) {
  for (const double e : {1e-2, 1e-3, 1e-4}) {
    const Residual residual = [e](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* j,
                                  Eigen::VectorXd* l) {
      r = Eigen::VectorXd::Constant(1, y(0) * y(0) - lambda * lambda - e * e);
      if (j != nullptr) *j = Eigen::MatrixXd::Constant(1, 1, 2.0 * y(0));
      if (l != nullptr) *l = Eigen::VectorXd::Constant(1, -2.0 * lambda);
      return true;
    };
    Continuation curve(residual, plain_size, unit_options());
    ASSERT_TRUE(curve.start(Eigen::VectorXd::Constant(1, std::hypot(1.0, e)), -1.0, 1.0));
    for (int i = 0; i < 2000 && curve.point().lambda < 1.0 && curve.point().lambda > -1.5; ++i) {
      ASSERT_TRUE(curve.advance()) << curve.message();
      ASSERT_GT(curve.point().y(0), 0.0) << e;
    }
    EXPECT_GE(curve.point().lambda, 1.0);
  }
}

// y (y - lambda) = 0: two lines that cross at 0.
TEST(Continuation, TellsABranchPoint) {
  const Residual residual = [](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* j,
                               Eigen::VectorXd* l) {
    r = Eigen::VectorXd::Constant(1, y(0) * (y(0) - lambda));
    if (j != nullptr) *j = Eigen::MatrixXd::Constant(1, 1, 2.0 * y(0) - lambda);
    if (l != nullptr) *l = Eigen::VectorXd::Constant(1, -y(0));
    return true;
  };
  Continuation curve(residual, plain_size, unit_options());
  ASSERT_TRUE(curve.start(Eigen::VectorXd::Zero(1), -1.03, 1.0));
  int branch_points = 0;
  while (curve.point().lambda < 1.0) {
    ASSERT_TRUE(curve.advance()) << curve.message();
    EXPECT_NEAR(curve.point().y(0), 0.0, 1e-12);
    if (!curve.passed_branch_point()) continue;
    ++branch_points;
    EXPECT_LE(std::abs(curve.point().lambda), 1e-5);
  }
  EXPECT_EQ(branch_points, 1);
}

// y = lambda, then y = lambda + 5 max(lambda - 0.3, 0): a corner of 35.5 degrees.
TEST(Continuation, PassesACorner) {
  const Residual residual = [](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* j,
                               Eigen::VectorXd* l) {
    r = Eigen::VectorXd::Constant(1, y(0) - lambda - 5.0 * std::max(lambda - 0.3, 0.0));
    if (j != nullptr) *j = Eigen::MatrixXd::Ones(1, 1);
    if (l != nullptr) *l = Eigen::VectorXd::Constant(1, lambda > 0.3 ? -6.0 : -1.0);
    return true;
  };
  Continuation curve(residual, plain_size, unit_options());
  ASSERT_TRUE(curve.start(Eigen::VectorXd::Zero(1), 0.0, 1.0));
  int points = 0;
  while (curve.point().lambda < 1.0) {
    ASSERT_TRUE(curve.advance()) << curve.message();
    ASSERT_LT(++points, 100);
  }
  EXPECT_NEAR(curve.point().y(0), 6.0 * curve.point().lambda - 1.5, 1e-12);
}

// lambda = y up to 0.3, then it falls with a slope: the curve turns by 45 degrees and the angle of the slope.
TEST(Continuation, PassesACornerThatTurnsBack) {
  for (const double slope : {-0.5, -2.0, -10.0}) {
    const auto lambda_of = [slope](double y) { return y < 0.3 ? y : 0.3 + slope * (y - 0.3); };
    const Residual residual = [&](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* j,
                                  Eigen::VectorXd* l) {
      r = Eigen::VectorXd::Constant(1, lambda - lambda_of(y(0)));
      if (j != nullptr) *j = Eigen::MatrixXd::Constant(1, 1, y(0) < 0.3 ? -1.0 : -slope);
      if (l != nullptr) *l = Eigen::VectorXd::Ones(1);
      return true;
    };
    Continuation curve(residual, plain_size, unit_options());
    ASSERT_TRUE(curve.start(Eigen::VectorXd::Zero(1), 0.0, 1.0));
    int points = 0, corners = 0;
    while (curve.point().y(0) < 0.8) {
      ASSERT_TRUE(curve.advance()) << curve.message();
      ASSERT_GT(curve.point().y(0), curve.previous().y(0));  // never back the way it came
      EXPECT_NEAR(curve.point().lambda, lambda_of(curve.point().y(0)), 1e-12);
      if (curve.passed_corner()) ++corners;
      ASSERT_LT(++points, 100);
    }
    EXPECT_EQ(corners, 1) << slope;
  }
}

TEST(Continuation, SaysWhereTheCurveIsLost) {
  const Residual residual = [](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* j,
                               Eigen::VectorXd* l) { return lambda < 0.5 && cubic(y, lambda, r, j, l); };
  Continuation curve(residual, plain_size, unit_options());
  ASSERT_TRUE(curve.start(Eigen::VectorXd::Zero(1), 0.0, 1.0));
  while (curve.advance()) ASSERT_LT(curve.point().lambda, 0.5);
  EXPECT_NEAR(curve.point().lambda, 0.5, 1e-6);
  EXPECT_EQ(curve.message().substr(0, 22), "the curve is lost at 0");
}

TEST(Continuation, NewtonAtAFixedValue) {
  Eigen::VectorXd y = Eigen::VectorXd::Constant(1, 0.1);
  const SolveOutcome outcome = solve_at(cubic, plain_size, y, 1.0, 1e-8, 20);
  EXPECT_TRUE(outcome.converged);
  EXPECT_NEAR(3.0 * y(0) - std::pow(y(0), 3.0), 1.0, 1e-14);
  y(0) = 1.0;  // singular there
  EXPECT_FALSE(solve_at(cubic, plain_size, y, 5.0, 1e-8, 3).converged);
}

}  // namespace continuation_test
}  // namespace microslip
