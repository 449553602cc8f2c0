// Curves of motions whose equations are a line, with multipliers as one likes.

#include "microslip/periodic/response_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace microslip {
namespace response_curve_test {

/// y = omega, and a multiplier that depends on it.
class Line {
 public:
  using Multiplier = std::function<double(double)>;
  Line(Multiplier at_points, Multiplier between, double error)
      : at_points_(std::move(at_points)), between_(std::move(between)), error_(error) {}

  static bool start(double omega, double, Eigen::VectorXd& y, int&, std::string&) {
    y = Eigen::VectorXd::Constant(1, omega);
    return true;
  }
  static Growth growth() { return {}; }
  static bool refine(const CurvePoint&, const Sweep&) { return false; }
  static bool coarsen() { return false; }
  static void carry_over(CurvePoint&) {}
  static double amplitude_slope(const CurvePoint&, const Sweep&) { return 1.0; }
  static Residual residual(const Sweep&) {
    return [](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
              Eigen::VectorXd* by_lambda) {
      r = y - Eigen::VectorXd::Constant(1, lambda);
      if (jacobian != nullptr) *jacobian = Eigen::MatrixXd::Ones(1, 1);
      if (by_lambda != nullptr) *by_lambda = -Eigen::VectorXd::Ones(1);
      return true;
    };
  }
  static RelativeSize size_at(double) {
    return [](const Eigen::VectorXd& r, const Eigen::VectorXd& y) { return r.norm() / y.norm(); };
  }
  [[nodiscard]] ResponsePoint point(const CurvePoint& at, const Sweep&) const {
    ResponsePoint result;
    result.orbit.omega = at.lambda;
    result.multiplier = at_points_(at.lambda);
    result.multiplier_error = error_;
    return result;
  }
  [[nodiscard]] std::function<double(const CurvePoint&)> multiplier_between(const ResponsePoint&, const ResponsePoint&,
                                                                            const Sweep&) {
    return [this](const CurvePoint& at) {
      ++asked;
      return between_(at.lambda);
    };
  }

  int asked = 0;

 private:
  Multiplier at_points_, between_;
  double error_;
};

FrequencyResponse follow(Line& line, const Observer& observer = {}) {
  const ResponseRecord record;
  const FrequencyResponseOptions options;
  return ResponseCurve<Line>(line, Sweep::over_frequency(1.0), 1.0, 2.0, record, options).run(observer);
}

constexpr double passes_at = 1.4321;
double rising(double omega) {
  return 1.0 + 0.5 * std::tanh(3.0 * (omega - passes_at));
}

TEST(ResponseCurve, FindsWhereAMultiplierPassesOne) {
  for (const double error : {0.0, 1e-4}) {
    Line line(rising, rising, error);
    const FrequencyResponse curve = follow(line);
    ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
    ASSERT_EQ(curve.special.size(), 1U) << curve.message;
    EXPECT_EQ(curve.special[0].kind, SpecialKind::stability);
    // Up to a twentieth of the error over the slope, 1.5, or 1e-9 of the curve.
    EXPECT_NEAR(curve.special[0].point.orbit.omega, passes_at, error > 0.0 ? 0.05 * error / 1.4 : 1e-8);
    EXPECT_EQ(curve.message, "");
  }
}

// No motion has the multiplier 1 here.
TEST(ResponseCurve, AJumpOfAMultiplierIsNoPassage) {
  const auto jumps = [](double omega) { return omega < passes_at ? 0.8 : 1.3; };
  Line line(jumps, jumps, 0.01);
  const FrequencyResponse curve = follow(line);
  EXPECT_TRUE(curve.special.empty());
  EXPECT_NE(curve.message.find("where that was not found"), std::string::npos) << curve.message;
}

// What is looked along has no passage: the points tell of another multiplier.
TEST(ResponseCurve, PointsAndWhatLiesBetweenMayDiffer) {
  const auto jumps = [](double omega) { return omega < passes_at ? 0.8 : 1.3; };
  for (const double offset : {0.2, -0.1}) {  // none at all, and one whose point is not at 1
    const auto between = [&](double omega) { return rising(omega + offset); };
    Line line(jumps, between, 0.01);
    const FrequencyResponse curve = follow(line);
    EXPECT_TRUE(curve.special.empty()) << offset;
    EXPECT_NE(curve.message.find("where that was not found"), std::string::npos) << curve.message;
  }
}

// A stretch without numbers, behind which the multiplier is what it was, or not.
TEST(ResponseCurve, MultipliersThatAreNotKnown) {
  for (const double before : {1.2, 0.8}) {
    const auto gaps = [&](double omega) {
      return omega < 1.3 ? before : omega < 1.6 ? std::numeric_limits<double>::quiet_NaN() : 1.2;
    };
    Line line(gaps, gaps, 0.01);
    const FrequencyResponse curve = follow(line);
    EXPECT_EQ(curve.message.find("where that was not found") != std::string::npos, before < 1.0) << curve.message;
    EXPECT_TRUE(curve.special.empty());
    EXPECT_EQ(line.asked, 0);
    for (const ResponsePoint& point : curve.points) {
      EXPECT_EQ(point.stable() || point.unstable(), std::isfinite(*point.multiplier));
    }
  }
}

// The observer is asked at every motion that is looked at on the way.
TEST(ResponseCurve, StopsWhileItLooksForAPassage) {
  Line line(rising, rising, 0.0);
  int after = 0;
  const FrequencyResponse curve = follow(line, [&](double) {
    after += line.asked > 0;
    return line.asked < 2;
  });
  EXPECT_EQ(curve.ending, Ending::interrupted);
  EXPECT_EQ(line.asked, 2);
  EXPECT_LE(after, 3);
}

// Nobody has looked to the end: nothing is told of the passage, within the last step neither.
TEST(ResponseCurve, StopsWithinTheLastStep) {
  for (const double passes : {1.5, 1.99}) {
    const auto rises = [&](double omega) { return rising(omega - passes + passes_at); };
    Line line(rises, rises, 0.0);
    const FrequencyResponse curve = follow(line, [&](double) { return line.asked < 2; });
    EXPECT_EQ(curve.ending, Ending::interrupted) << passes;
    EXPECT_EQ(curve.message, "interrupted") << passes;
    EXPECT_TRUE(curve.special.empty()) << passes;
  }
}

}  // namespace response_curve_test
}  // namespace microslip
