// Least squares: minima in boxes, certified results, what is undetermined, and whether stated errors are true.

#include "microslip/inference/least_squares.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "microslip/inference/descent.hpp"
#include "microslip/numerics/box_quadratic.hpp"
#include "microslip/numerics/dense.hpp"
#include "unit/inference/toy_problem.hpp"

namespace microslip {
namespace least_squares_test {

using Answer = ResidualProblem::Answer;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// By trying every way to hold parameters at their ends: that of least value among those inside. 3^5 each.
TEST(BoxQuadratic, IsTheLeastOfAllWaysToHold) {
  constexpr int n = 5;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CounterRandom random(seed, 0);
    Eigen::MatrixXd a(n, n);
    Eigen::VectorXd g(n), low(n), high(n);
    for (double& v : a.reshaped()) v = random.normal();
    for (int i = 0; i < n; ++i) {
      g(i) = 2.0 * random.normal();
      low(i) = -random.uniform(), high(i) = random.uniform();
      if (random.uniform() < 0.2) low(i) = 0.0;
    }
    const Eigen::MatrixXd h = a.transpose() * a + 1e-3 * Eigen::MatrixXd::Identity(n, n);
    const auto value = [&](const Eigen::VectorXd& x) { return 0.5 * x.dot(h * x) + g.dot(x); };
    double least = 0.0;
    for (int way = 0; way < 243; ++way) {
      Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
      std::vector<int> free;
      for (int i = 0, w = way; i < n; ++i, w /= 3) {
        if (w % 3 == 0) free.push_back(i);
        if (w % 3 == 1) x(i) = low(i);
        if (w % 3 == 2) x(i) = high(i);
      }
      if (!free.empty()) {
        const Eigen::VectorXd right = -(g + h * x)(free);
        x(free) += solve_positive(h(free, free), right);
      }
      if ((x - low).minCoeff() < -1e-12 || (high - x).minCoeff() < -1e-12) continue;
      least = std::min(least, value(x));
    }
    const BoxStep step = solve_in_box(h, g, low, high);
    ASSERT_TRUE(step.solved) << seed;
    EXPECT_NEAR(value(step.x), least, 1e-10 * (1.0 + std::abs(least))) << seed;
    EXPECT_NEAR(step.decrease, -least, 1e-10 * (1.0 + std::abs(least))) << seed;
    EXPECT_GE((step.x - low).minCoeff(), 0.0);
    EXPECT_GE((high - step.x).minCoeff(), 0.0);
  }
}

// NIST StRD, Misra1a: y = b1 (1 - exp(-b2 x)). Certified to eleven digits, from both starts; errors with the certified
// residual standard deviation as that of the rows.
TEST(LeastSquares, CertifiedMisra1a) {
  constexpr std::array y{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                         44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
  constexpr std::array t{77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                         378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
  std::vector<ResidualProblem::Row> rows;
  for (const double value : y) rows.push_back({value, 1.0187876330e-01, 1.0});
  const auto model = [&t](const Eigen::VectorXd& b, bool) {
    Answer answer{Eigen::VectorXd(14), Eigen::MatrixXd(14, 2), ""};
    for (int i = 0; i < 14; ++i) {
      const double e = std::exp(-b(1) * t[static_cast<std::size_t>(i)]);
      answer.values(i) = b(0) * (1.0 - e);
      answer.jacobian.row(i) << 1.0 - e, b(0) * t[static_cast<std::size_t>(i)] * e;
    }
    return answer;
  };
  const std::array<std::array<double, 2>, 2> starts{{{500.0, 1e-4}, {250.0, 5e-4}}};
  for (const auto& start : starts) {
    const ToyProblem problem({{"b1", 0.0, 1000.0, start[0], {}}, {"b2", 0.0, 0.01, start[1], {}}}, rows,
                             {group_of("all", 0, 14)}, model);
    LeastSquaresOptions options;
    options.starts = 1;
    const LeastSquares fit = fit_least_squares(problem, options);
    ASSERT_TRUE(fit.converged) << fit.message;
    // 1e-10 of half a sum of squares is 1.4e-5 of a standard error; at a minimum found quadratically it is less.
    EXPECT_NEAR(fit.x(0), 2.3894212918e+02, 1e-4 * 2.7070075241);
    EXPECT_NEAR(fit.x(1), 5.5015643181e-04, 1e-4 * 7.2668688436e-06);
    EXPECT_NEAR(fit.square, 1.2455138894e-01 / std::pow(1.0187876330e-01, 2), 1e-7);
    EXPECT_NEAR(fit.information.errors(0), 2.7070075241, 1e-5);
    EXPECT_NEAR(fit.information.errors(1), 7.2668688436e-06, 1e-11);
    EXPECT_TRUE(fit.information.determined[0] && fit.information.determined[1]);
  }
}

/// Rosenbrock's valley: rows 10 (y - x^2), 1 - x.
Answer valley(const Eigen::VectorXd& x, bool) {
  Answer answer{Eigen::Vector2d(10.0 * (x(1) - x(0) * x(0)), 1.0 - x(0)), Eigen::MatrixXd(2, 2), ""};
  answer.jacobian << -20.0 * x(0), 10.0, -1.0, 0.0;
  return answer;
}

// Inside, (1, 1). Within x <= 1/2 the least of the valley is at its end, (1/2, 1/4), 1/4. Within y <= 0 as well x
// leaves 100 x^4 + (1-x)^2: 200 x^3 + x - 1 = 0.
TEST(LeastSquares, EndsOfTheBox) {
  const std::vector<ResidualProblem::Row> rows(2);
  const auto fit = [&](double x_high, double y_high) {
    const ToyProblem problem({{"x", -2.0, x_high, -1.2, {}}, {"y", -1.0, y_high, -0.5, {}}}, rows,
                             {group_of("all", 0, 2)}, valley);
    LeastSquaresOptions options;
    options.starts = 3;
    return fit_least_squares(problem, options);
  };
  const LeastSquares inside = fit(2.0, 2.0), at_x = fit(0.5, 2.0), at_y = fit(2.0, 0.0);
  ASSERT_TRUE(inside.converged && at_x.converged && at_y.converged);
  EXPECT_NEAR(inside.square, 0.0, 1e-9);
  EXPECT_EQ(inside.message.find("end"), std::string::npos);
  EXPECT_NEAR(at_x.x(0), 0.5, 1e-12);
  EXPECT_NEAR(at_x.x(1), 0.25, 1e-6);
  EXPECT_EQ(at_x.information.at_end[0], 1);
  EXPECT_TRUE(std::isnan(at_x.information.errors(0)));
  // Of the row 10 y alone 0.1; but three of them down, at y = -0.05, x leaves its end: at x = 0 the sum of squares has
  // risen by 1, not by 9. Six down row 10 (y - x^2) alone makes it 12.
  EXPECT_NEAR(at_x.information.errors(1), 0.15, 1e-9);
  EXPECT_NE(at_x.message.find("x at its upper end"), std::string::npos) << at_x.message;
  const double x = at_y.x(0);
  EXPECT_EQ(at_y.x(1), 0.0);
  EXPECT_NEAR(200.0 * x * x * x + x - 1.0, 0.0, 1e-3);
  const ToyProblem outside({{"x", 0.0, 1.0, 0.5, {}}}, {{5.0, 0.1, 1.0}},
                           {group_of("all", 0, 1), group_of("none", 1, 0)}, straight(Eigen::MatrixXd::Ones(1, 1)));
  const LeastSquares all_at_ends = fit_least_squares(outside);
  EXPECT_EQ(all_at_ends.x(0), 1.0);
  EXPECT_EQ(all_at_ends.message, "At an end of its range: x at its upper end.");
}

// y = a b t: only the product is known. In units of the priors (equal) the gradient of a b is (b, a)/sqrt(a^2 + b^2).
TEST(LeastSquares, TellsWhatTheRowsDoNotHold) {
  std::vector<ResidualProblem::Row> rows;
  for (int i = 1; i <= 10; ++i) rows.push_back({6.0 * i, 0.1, 1.0});
  const auto model = [](const Eigen::VectorXd& x, bool) {
    Answer answer{Eigen::VectorXd(10), Eigen::MatrixXd(10, 3), ""};
    for (int i = 1; i <= 10; ++i) {
      answer.values(i - 1) = x(0) * x(1) * i;
      answer.jacobian.row(i - 1) << x(1) * i, x(0) * i, 0.0;
    }
    return answer;
  };
  std::vector<ResidualProblem::Parameter> parameters{
      {"a", 0.0, 10.0, 2.0, {}}, {"b", 0.0, 10.0, 2.0, {}}, {"idle", 0.0, 10.0, 2.0, {}}};
  LeastSquaresOptions options;
  options.starts = 1;
  const ToyProblem problem(parameters, rows, {group_of("all", 0, 10)}, model);
  const LeastSquares fit = fit_least_squares(problem, options);
  ASSERT_TRUE(fit.converged);
  EXPECT_NEAR(fit.x(0) * fit.x(1), 6.0, 1e-6);
  ASSERT_EQ(fit.information.directions.size(), 3U);
  const InformedDirection& known = fit.information.directions[0];
  EXPECT_TRUE(known.determined());
  EXPECT_FALSE(fit.information.directions[1].determined());
  EXPECT_FALSE(fit.information.directions[2].determined());
  EXPECT_NEAR(known.along(0) / known.along(1), fit.x(1) / fit.x(0), 1e-9);
  for (int k = 0; k < 3; ++k) {
    EXPECT_FALSE(fit.information.determined[static_cast<std::size_t>(k)]);
    EXPECT_EQ(fit.information.errors(k), std::numeric_limits<double>::infinity());
  }
  // The product has an error: 0.1/sqrt(sum t^2).
  EXPECT_NEAR(fit.information.error(Eigen::Vector3d(fit.x(1), fit.x(0), 0.0)), 0.1 / std::sqrt(385.0), 1e-6);
  EXPECT_NE(fit.message.find("Not determined: a, b, idle."), std::string::npos) << fit.message;
  EXPECT_NE(fit.message.find("1.00 idle"), std::string::npos) << fit.message;
  // A normal prior of b holds it, and so a; the rows alone still do not.
  parameters[1].prior = {true, 3.0, 0.01};
  const ToyProblem held(parameters, rows, {group_of("all", 0, 10)}, model);
  const LeastSquares with = fit_least_squares(held, options);
  EXPECT_NEAR(with.x(1), 3.0, 1e-4);
  EXPECT_NEAR(with.x(0), 2.0, 1e-4);
  EXPECT_NEAR(with.information.errors(1), 0.01, 1e-4);
  EXPECT_TRUE(with.information.determined[0]);
  EXPECT_NE(with.message.find("idle"), std::string::npos);
}

// A slider of unit stiffness and unknown force x, pulled to u = 1: forces min(u_i, x), of which only the last row, off
// by so many standard errors, sees x at all, and none beyond x = 1. From there on the sum of squares is the square of
// that number: below 4 the error is half of the way to the end of the range, else that of the one row.
TEST(LeastSquares, ErrorsBesideABendThatOneRowSees) {
  constexpr double error = 0.01, end = 5.0;
  for (const double off : {0.5, 1.5, 5.0}) {
    std::vector<ResidualProblem::Row> rows;
    for (int i = 1; i <= 10; ++i) rows.push_back({0.1 * i - (i == 10 ? off * error : 0.0), error, 1.0});
    const ToyProblem problem({{"x", 0.1, end, 0.95, {}}}, rows, {group_of("forces", 0, 10)},
                             [](const Eigen::VectorXd& x, bool want_jacobian) {
                               Answer answer;
                               answer.values.resize(10);
                               if (want_jacobian) answer.jacobian.resize(10, 1);
                               for (int i = 0; i < 10; ++i) {
                                 const double u = 0.1 * (i + 1);
                                 answer.values(i) = std::min(u, x(0));
                                 if (want_jacobian) answer.jacobian(i, 0) = x(0) < u ? 1.0 : 0.0;
                               }
                               return answer;
                             });
    LeastSquaresOptions options;
    options.starts = 1;
    const LeastSquares fit = fit_least_squares(problem, options);
    ASSERT_TRUE(fit.converged);
    EXPECT_NEAR(fit.x(0), 1.0 - off * error, 1e-6);
    const bool held = off > 2.0;
    EXPECT_NEAR(fit.information.errors(0), held ? error : 0.5 * (end - 1.0 + off * error), 1e-6) << off;
    EXPECT_EQ(fit.information.determined[0], held) << off;
    EXPECT_EQ(fit.message.find("Not determined: x. Errors are larger than the derivatives say") == 0, !held);
  }
}

// exp(x t) with residuals of up to 30 standard errors that pull against its bend: steps of Gauss and Newton come closer
// by a factor each. Noise of 1e-8 in the values is 1e-6 standard errors, and 3e-5 of the half square at such residuals:
// it hides what the last steps gain, and still they are at rest. The minimum without noise is found to 1e-5.
TEST(LeastSquares, ComesToRestOnValuesWithNoise) {
  std::vector<ResidualProblem::Row> rows;
  for (int i = 0; i < 20; ++i) rows.push_back({std::exp(0.05 * i) + (i < 14 ? -0.3 : 0.3), 0.01, 1.0});
  const auto model = [](double size) {
    return [size](const Eigen::VectorXd& x, bool) {
      Answer answer{Eigen::VectorXd(20), Eigen::MatrixXd(20, 1), ""};
      for (int i = 0; i < 20; ++i) {
        const double e = std::exp(x(0) * i);
        answer.values(i) = e + size * std::sin(1e9 * x(0) + i);
        answer.jacobian(i, 0) = i * e;
      }
      return answer;
    };
  };
  const std::vector<ResidualProblem::Parameter> parameters{{"x", -1.0, 1.0, 0.2, {}}};
  const ToyProblem clean(parameters, rows, {group_of("all", 0, 20)}, model(0.0));
  const ToyProblem noisy(parameters, rows, {group_of("all", 0, 20)}, model(1e-8));
  const LeastSquares exact = fit_least_squares(clean), fit = fit_least_squares(noisy);
  EXPECT_TRUE(exact.converged && fit.converged) << fit.message;
  EXPECT_NEAR(fit.x(0), exact.x(0), 0.01 * exact.information.errors(0));
}

// Two minima: (x^2 - 1)^2 + 0.01 (x - 1)^2. From the left start alone the worse is found.
TEST(LeastSquares, SeveralStarts) {
  const std::vector<ResidualProblem::Row> rows(2);
  const auto model = [](const Eigen::VectorXd& x, bool) {
    Answer answer{Eigen::Vector2d(x(0) * x(0) - 1.0, 0.1 * (x(0) - 1.0)), Eigen::MatrixXd(2, 1), ""};
    answer.jacobian << 2.0 * x(0), 0.1;
    return answer;
  };
  const ToyProblem problem({{"x", -3.0, 3.0, -2.0, {}}}, rows, {group_of("all", 0, 2)}, model);
  LeastSquaresOptions options;
  options.starts = 1;
  EXPECT_LT(fit_least_squares(problem, options).x(0), -0.9);
  options.from = {Eigen::VectorXd::Constant(1, 2.5)};
  EXPECT_NEAR(fit_least_squares(problem, options).x(0), 1.0, 1e-5);
  options.from.clear();
  options.starts = 8;
  const LeastSquares one = fit_least_squares(problem, options);
  EXPECT_NEAR(one.x(0), 1.0, 1e-5);
  EXPECT_EQ(one.starts.size(), 8U);
  for (const std::size_t threads : {2U, 5U}) {
    options.threads = threads;
    const LeastSquares more = fit_least_squares(problem, options);
    EXPECT_EQ(more.x, one.x);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(more.starts[k].x, one.starts[k].x);
  }
}

// Rows that the model reaches only where x is large enough; a start without an answer; stopped.
TEST(LeastSquares, RowsThatAreNotReached) {
  std::vector<ResidualProblem::Row> rows;
  for (int i = 1; i <= 10; ++i) rows.push_back({2.0 * i, 0.1, 1.0});
  const auto model = [](const Eigen::VectorXd& x, bool) {
    Answer answer{Eigen::VectorXd(10), Eigen::MatrixXd(10, 1), x(0) < 0.0 ? "there is no model here" : ""};
    for (int i = 1; i <= 10; ++i) {
      answer.values(i - 1) = i < 10 && i < 6.0 * x(0) ? x(0) * i : not_a_number;
      answer.jacobian(i - 1, 0) = i;
    }
    return answer;
  };
  const auto problem_from = [&](double start) {
    return ToyProblem({{"x", -5.0, 5.0, start, {}}}, rows, {group_of("all", 0, 10)}, model);
  };
  LeastSquaresOptions options;
  options.starts = 1;
  const ToyProblem from_above = problem_from(4.0), nowhere = problem_from(-1.0);
  const LeastSquares fit = fit_least_squares(from_above, options);
  EXPECT_NEAR(fit.x(0), 2.0, 1e-6);
  EXPECT_EQ(fit.unreached, std::vector<std::size_t>{9});
  EXPECT_NE(fit.message.find("1 of 10 rows"), std::string::npos) << fit.message;
  EXPECT_NEAR(fit.information.errors(0), 0.1 / std::sqrt(285.0), 1e-9);
  // Fewer rows are no better fit: from where two are reached, with the others not counted it would stay there.
  const ToyProblem low = problem_from(0.4);
  EXPECT_GE(fit_least_squares(low, options).square, 9.0);
  const LeastSquares none = fit_least_squares(nowhere, options);
  EXPECT_EQ(none.x.size(), 0);
  EXPECT_FALSE(none.converged);
  EXPECT_EQ(none.message, "No start has an answer: there is no model here.");
  std::atomic<int> calls{0};
  const LeastSquares stopped = fit_least_squares(from_above, options, [&](double) { return ++calls < 3; });
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_FALSE(stopped.converged);
  EXPECT_EQ(stopped.x.size(), 1);
}

enum class Toy { straight, curved };

/// One noisy run of y = a + b t (+ an offset instead of a), or of y = a (1 - exp(-b t)) + c; z-scores of its
/// parameters.
std::vector<double> z_scores(Toy toy, bool free_offset, double discrepancy, int n, std::uint64_t run) {
  CounterRandom random(2024, run);
  const Eigen::Vector3d truth(2.0, 1.5, 0.7);
  const auto model = [toy, n](const Eigen::VectorXd& x, bool) {
    Answer answer{Eigen::VectorXd(n), Eigen::MatrixXd(n, 3), ""};
    for (int i = 0; i < n; ++i) {
      const double t = 3.0 * (i + 1) / n, e = std::exp(-x(1) * t);
      if (toy == Toy::straight) {
        answer.values(i) = x(0) * t + x(1) * t * t + x(2) * std::cos(5.0 * t);
        answer.jacobian.row(i) << t, t * t, std::cos(5.0 * t);
      } else {
        answer.values(i) = x(0) * (1.0 - e) + x(2) * std::cos(5.0 * t);
        answer.jacobian.row(i) << 1.0 - e, x(0) * t * e, std::cos(5.0 * t);
      }
    }
    return answer;
  };
  std::vector<ResidualProblem::Row> rows(static_cast<std::size_t>(n));
  const Eigen::VectorXd exact = model(truth, true).values;
  for (int i = 0; i < n; ++i) {
    rows[static_cast<std::size_t>(i)].error = 0.02 * (1.0 + i % 3);
    rows[static_cast<std::size_t>(i)].scale = 1.0 + 0.5 * (i % 2);
    rows[static_cast<std::size_t>(i)].measured =
        exact(i) + rows[static_cast<std::size_t>(i)].error * random.normal() +
        discrepancy * rows[static_cast<std::size_t>(i)].scale * random.normal() + (free_offset ? 3.0 : 0.0);
  }
  ResidualProblem::Group group = group_of("all", 0, static_cast<std::size_t>(n));
  group.free_offset = free_offset;
  group.discrepancy = discrepancy > 0.0;
  const ToyProblem problem({{"a", 0.0, 4.0, 1.0, {}}, {"b", 0.0, 4.0, 1.0, {}}, {"c", -2.0, 2.0, 0.0, {}}}, rows,
                           {group}, model);
  LeastSquaresOptions options;
  options.starts = 1;
  const LeastSquares fit = fit_least_squares(problem, options);
  EXPECT_TRUE(fit.converged) << fit.message;
  std::vector<double> z;
  for (int k = 0; k < 3; ++k) z.push_back((fit.x(k) - truth(k)) / fit.information.errors(k));
  return z;
}

// 200 runs each, eight cases of three parameters: Kolmogorov's chance that standard normal numbers are as far from the
// normal distribution. The least of 24 such chances is below 0.001 once in 42 times; seeds are fixed. The mean square
// of z has the standard deviation sqrt(2/200) = 0.1, four of which are the bound. With a discrepancy the errors come
// from the rows themselves, and the prior makes s, three times the usual, 1 to 2 % too small: 10 000 runs had 1.01
// to 1.06, 1.04 in the mean; with 12 rows instead of 40 it was 1.10 to 1.26.
TEST(LeastSquares, ZScoresAreStandardNormal) {
  std::uint64_t what = 0;
  for (const Toy toy : {Toy::straight, Toy::curved}) {
    for (const bool offset : {false, true}) {
      for (const double discrepancy : {0.0, 0.1}) {
        std::array<std::vector<double>, 3> all;
        ++what;
        for (std::uint64_t run = 0; run < 200; ++run) {
          const std::vector<double> z = z_scores(toy, offset, discrepancy, 40, 1000 * what + run);
          for (std::size_t k = 0; k < 3; ++k) all[k].push_back(z[k]);
        }
        for (std::size_t k = 0; k < 3; ++k) {
          double squares = 0.0;
          for (const double z : all[k]) squares += z * z / 200.0;
          EXPECT_GT(normal_chance(all[k]), 1e-3) << static_cast<int>(toy) << offset << discrepancy << " " << k;
          EXPECT_NEAR(squares, discrepancy > 0.0 ? 1.04 : 1.0, 0.4) << static_cast<int>(toy) << offset << " " << k;
        }
      }
    }
  }
}

// s of a group from 400 rows without parameters that bend: y = a + d, d ~ N(0, s^2), errors negligible. The posterior
// of ln s has the mean ln(SS/2)/2 - digamma(nu/2)/2, nu = 399 rows less one parameter, and the prior, a bell of width
// about 1.6 in ln(s/c), moves it by nothing against 1/sqrt(2 nu) = 0.035.
TEST(Discrepancy, OfManyRows) {
  constexpr int n = 400;
  CounterRandom random(5, 5);
  std::vector<ResidualProblem::Row> rows(n);
  double sum = 0.0, squares = 0.0;
  for (auto& row : rows) {
    row = {3.0 + 0.2 * random.normal(), 1e-6, 1.0};
    sum += row.measured;
  }
  for (const auto& row : rows) squares += std::pow(row.measured - sum / n, 2);
  ResidualProblem::Group group = group_of("all", 0, n);
  group.discrepancy = true;
  group.usual_discrepancy = 0.1;
  const ToyProblem problem({{"a", -1e3, 1e3, 0.0, {}}}, rows, {group}, straight(Eigen::MatrixXd::Ones(n, 1)));
  LeastSquaresOptions options;
  options.starts = 1;
  const LeastSquares fit = fit_least_squares(problem, options);
  const double nu = n - 1.0, digamma = std::log(0.5 * nu) - 1.0 / nu - 1.0 / (3.0 * nu * nu);
  const double trigamma = 2.0 / nu + 2.0 / (nu * nu);
  const double expected = std::exp(0.5 * std::log(0.5 * squares) - 0.5 * digamma + 0.25 * trigamma);
  EXPECT_NEAR(fit.discrepancy[0] / expected, 1.0, 2e-3);  // tanh(ln 2)/(2 nu) = 7.5e-4 by the prior
  EXPECT_NEAR(fit.information.errors(0), expected / std::sqrt(n), 2e-3 * expected / std::sqrt(n));
}

// Rows with errors that are equal are added up once; with errors that differ by 1e-9 of themselves they are not, and
// the estimate is the same to about that.
TEST(Discrepancy, OfRowsAlikeOrNot) {
  constexpr int n = 30;
  Eigen::MatrixXd a(n, 2);
  ResidualProblem::Group group = group_of("all", 0, n);
  group.discrepancy = group.free_offset = true;
  group.weight = 0.5;
  std::array<LeastSquares, 2> fits;
  for (int way = 0; way < 2; ++way) {
    CounterRandom random(9, 9);
    std::vector<ResidualProblem::Row> rows;
    for (int i = 0; i < n; ++i) {
      a.row(i) << 0.1 * i, std::cos(i);
      const double scale = 1.0 + i % 2;
      rows.push_back({0.3 * i + 0.2 * scale * random.normal(), 0.1 * scale * (1.0 + way * 1e-9 * i), scale});
    }
    const ToyProblem problem(wide_parameters(2, 50.0), rows, {group}, straight(a));
    fits[static_cast<std::size_t>(way)] = fit_least_squares(problem);
  }
  EXPECT_GT(fits[0].discrepancy[0], 0.05);
  EXPECT_NEAR(fits[1].discrepancy[0], fits[0].discrepancy[0], 1e-7);
  EXPECT_NEAR((fits[1].x - fits[0].x).norm(), 0.0, 1e-7);
}

// Errors stated ten million times too small: s is that of the residuals all the same, sqrt(SS/(nu - 2)) to the prior's
// share, 1/nu of ln s, and its grid.
TEST(Discrepancy, OfErrorsThatAreFarTooSmall) {
  constexpr int n = 40;
  std::vector<ResidualProblem::Row> rows;
  for (int i = 0; i < n; ++i) rows.push_back({i % 2 == 0 ? 0.9 : 1.1, 1e-8, 1.0});
  ResidualProblem::Group group = group_of("all", 0, n);
  group.discrepancy = true;
  const ToyProblem problem({{"a", -10.0, 10.0, 0.0, {}}}, rows, {group}, straight(Eigen::MatrixXd::Ones(n, 1)));
  const LeastSquares fit = fit_least_squares(problem);
  ASSERT_TRUE(fit.converged) << fit.message;
  const double nu = n - 1.0, expected = std::sqrt(0.01 * n / (nu - 2.0));
  EXPECT_NEAR(std::log(fit.discrepancy[0] / expected), 0.0, 1.0 / nu);
  EXPECT_NEAR(fit.information.errors(0), fit.discrepancy[0] / std::sqrt(n), 1e-6);
}

// Stopped after any number of reports: what is told belongs to x and s of the last whole step, marked.
TEST(Discrepancy, StoppedBetweenItsRounds) {
  constexpr int n = 20;
  Eigen::MatrixXd a(n, 1);
  std::vector<ResidualProblem::Row> rows;
  for (int i = 0; i < n; ++i) {
    a(i, 0) = 0.1 * (i + 1);
    rows.push_back({0.3 * a(i, 0) + (i % 2 == 0 ? 0.2 : -0.2), 0.01, 1.0});
  }
  ResidualProblem::Group group = group_of("all", 0, n);
  group.discrepancy = true;
  const ToyProblem problem(wide_parameters(1, 5.0), rows, {group}, straight(a));
  LeastSquaresOptions options;
  options.starts = 2;
  int stopped = 0;
  for (int most = 1; most < 100; ++most) {
    int calls = 0;
    const LeastSquares fit = fit_least_squares(problem, options, [&](double) { return ++calls < most; });
    if (calls < most) break;  // it came to its end before
    ++stopped;
    if (fit.x.size() == 0) continue;
    const Eigen::VectorXd off = a * fit.x - Eigen::VectorXd::NullaryExpr(n, [&](Eigen::Index i) {
                                  return rows[static_cast<std::size_t>(i)].measured;
                                });
    const double expected = off.squaredNorm() / (1e-4 + fit.discrepancy[0] * fit.discrepancy[0]);
    EXPECT_NEAR(fit.square, expected, 1e-9 * expected) << most;
  }
  EXPECT_GT(stopped, 5);
}

// One row and one parameter: nothing is left to tell s but its prior, c in the median; exp(1/4) for a variance that is
// larger than counts.
TEST(Discrepancy, OfNoRowsLeft) {
  std::vector<ResidualProblem::Row> rows{{1.0, 1e-6, 1.0}};
  ResidualProblem::Group group = group_of("all", 0, 1);
  group.discrepancy = true;
  group.usual_discrepancy = 0.05;
  const ToyProblem problem({{"a", -1e4, 1e4, 0.0, {}}}, rows, {group}, straight(Eigen::MatrixXd::Ones(1, 1)));
  LeastSquaresOptions options;
  options.starts = 1;
  const LeastSquares fit = fit_least_squares(problem, options);
  EXPECT_NEAR(fit.discrepancy[0], 0.05 * std::exp(0.25), 5e-4);
  EXPECT_NEAR(fit.information.errors(0), 0.05 * std::exp(0.25), 5e-4);
}

}  // namespace least_squares_test
}  // namespace microslip
