// Pareto fronts in closed form: convex, nonconvex, disconnected, of three misfits.

#include "microslip/inference/pareto.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "microslip/inference/samples.hpp"
#include "unit/inference/toy_problem.hpp"

namespace microslip {
namespace pareto_test {

using Answer = ResidualProblem::Answer;

const std::vector<ParetoObjective> two{{"first", {0}}, {"second", {1}}};

/// Squared distances from points in space: front between two of them is the straight line.
ToyProblem distances(const std::vector<Eigen::VectorXd>& centres) {
  const Eigen::Index n = centres[0].size();
  std::vector<ResidualProblem::Group> groups;
  std::vector<ResidualProblem::Row> rows;
  Eigen::MatrixXd a(n * static_cast<Eigen::Index>(centres.size()), n);
  for (std::size_t k = 0; k < centres.size(); ++k) {
    groups.push_back(group_of("centre " + std::to_string(k), rows.size(), static_cast<std::size_t>(n)));
    a.middleRows(n * static_cast<Eigen::Index>(k), n).setIdentity();
    for (const double value : centres[k]) rows.push_back({value, 1.0, 1.0});
  }
  return ToyProblem(wide_parameters(static_cast<int>(n), 5.0), rows, groups, straight(a));
}

/// No one of so many samples of the priors dominates a point of the front.
int dominating_samples(const ToyProblem& problem, const ParetoFront& front, std::uint64_t samples) {
  const Samples prior(SampleKind::random, problem.parameters().size(), samples, 99);
  int count = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const Answer answer = problem.evaluate(prior.point(i, problem.parameters()), false);
    Eigen::VectorXd misfits = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(problem.groups().size()));
    for (std::size_t g = 0; g < problem.groups().size(); ++g) {
      for (std::size_t r = problem.groups()[g].first; r < problem.groups()[g].first + problem.groups()[g].count; ++r) {
        misfits(static_cast<Eigen::Index>(g)) += std::pow(
            (answer.values(static_cast<Eigen::Index>(r)) - problem.rows()[r].measured) / problem.rows()[r].error, 2);
      }
    }
    count += std::any_of(front.points.begin(), front.points.end(), [&](const ParetoPoint& p) {
      return (misfits.array() <= p.misfits.array()).all() && (misfits.array() < p.misfits.array()).any();
    });
  }
  return count;
}

// sqrt(J_1) + sqrt(J_2) is the distance D of the centres; the knee lies in their middle, where F_1 + F_2 is least. The
// grid is even in F_1 - F_2 = t^2 - (1-t)^2, so t is: 41 points, 1/40 apart, to what the ends leave by 1e-5 of the
// other.
TEST(Pareto, StraightLineBetweenTwoCentres) {
  const Eigen::Vector3d a(1.0, 2.0, -1.0), b(-2.0, 0.0, 3.0);
  const ToyProblem problem = distances({a, b});
  const ParetoFront front = pareto_front(problem, two);
  EXPECT_EQ(front.message, "");
  const double d = (a - b).norm();
  ASSERT_GE(front.points.size(), 41U);
  double before = 0.0;
  for (const ParetoPoint& p : front.points) {
    EXPECT_TRUE(p.traced);
    const double t = (p.x - a).norm() / d;
    EXPECT_NEAR((p.x - a - t * (b - a)).norm(), 0.0, 1e-3);
    EXPECT_NEAR(std::sqrt(p.misfits(0)) + std::sqrt(p.misfits(1)), d, 1e-6 * d);
    EXPECT_LT(t - before, 1.0 / 40.0 + 1e-3);
    before = t;
  }
  EXPECT_NEAR(before, 1.0, 1e-4);
  EXPECT_NEAR((front.points[knee_of(front)].x - 0.5 * (a + b)).norm(), 0.0, 1e-2 * d);
  // Weights 1 and 3: t = 3/4 of the way to the second, to half a step.
  const std::size_t chosen = point_by_weight(front, Eigen::Vector2d(1.0, 3.0));
  EXPECT_NEAR((front.points[chosen].x - a).norm() / d, 0.75, 0.5 / 40.0 + 1e-3);
  EXPECT_EQ(dominating_samples(problem, front, 2000), 0);
}

// Fonseca and Fleming: J = 1 - exp(-|x -+ c|^2), c = (1, 1, 1)/sqrt(3). The front is x = u c, -1 <= u <= 1: concave
// towards the ends, where weighted sums have no minimum.
TEST(Pareto, Nonconvex) {
  const Eigen::VectorXd c = Eigen::VectorXd::Constant(3, 1.0 / std::sqrt(3.0));
  const auto model = [c](const Eigen::VectorXd& x, bool) {
    Answer answer{Eigen::VectorXd(6), Eigen::MatrixXd(6, 3), ""};
    for (int k = 0; k < 2; ++k) {
      // Three rows whose squares add up to it: e g(q), e = x -+ c, q = |e|^2, g = sqrt((1 - exp(-q))/q).
      const Eigen::VectorXd e = x + (k == 0 ? -1.0 : 1.0) * c;
      const double q = std::max(e.squaredNorm(), 1e-12), g = std::sqrt(-std::expm1(-q) / q);
      const double slope = q < 1e-4 ? -0.25 : 0.5 / g * (std::exp(-q) - g * g) / q;
      answer.values.segment(3 * k, 3) = g * e;
      answer.jacobian.middleRows(3 * k, 3) = g * Eigen::MatrixXd::Identity(3, 3) + 2.0 * slope * e * e.transpose();
    }
    return answer;
  };
  const ToyProblem problem(wide_parameters(3, 4.0), std::vector<ResidualProblem::Row>(6),
                           {group_of("first", 0, 3), group_of("second", 3, 3)}, model);
  const ParetoFront front = pareto_front(problem, two);
  ASSERT_GE(front.points.size(), 41U) << front.message;
  double before = -1.0;
  for (const ParetoPoint& p : front.points) {
    const double u = p.x.dot(c);
    EXPECT_NEAR((p.x - u * c).norm(), 0.0, 2e-3);
    EXPECT_NEAR(p.misfits(0), -std::expm1(-(u - 1.0) * (u - 1.0)), 1e-5);
    EXPECT_NEAR(p.misfits(1), -std::expm1(-(u + 1.0) * (u + 1.0)), 1e-5);
    before = u;
  }
  EXPECT_NEAR(before, -1.0, 1e-2);
  EXPECT_NEAR(front.points[0].x.dot(c), 1.0, 1e-2);
  // Even in J_1 - J_2, which runs from -0.982 to 0.982: no gap is wider than 1.5 of 40 steps.
  for (std::size_t i = 1; i < front.points.size(); ++i) {
    const Eigen::VectorXd step = front.points[i].misfits - front.points[i - 1].misfits;
    EXPECT_LT(step(0) - step(1), 1.5 * 2.0 * 0.982 / 40.0) << i;
  }
  EXPECT_EQ(dominating_samples(problem, front, 5000), 0);
}

// Zitzler, Deb and Thiele's third: f_1 = x_1, f_2 = g - sqrt(x_1 g) - x_1 sin(10 pi x_1), g = 1 + 9 (x_2 + x_3)/2: at
// x_2 = x_3 = 0 five pieces, with the ends that Huband et al. (2006) print. J = 1 + f.
TEST(Pareto, Disconnected) {
  const auto model = [](const Eigen::VectorXd& x, bool) {
    const double u = x(0), g = 1.0 + 4.5 * (x(1) + x(2)), wave = 10.0 * std::numbers::pi * u;
    const double f = 1.0 + g - std::sqrt(u * g) - u * std::sin(wave);
    Answer answer{Eigen::Vector2d(std::sqrt(1.0 + u), std::sqrt(f)), Eigen::MatrixXd::Zero(2, 3), ""};
    answer.jacobian(0, 0) = 0.5 / answer.values(0);
    const double by_g = 1.0 - 0.5 * std::sqrt(u / g);
    answer.jacobian.row(1) << -0.5 * std::sqrt(g / u) - std::sin(wave) - 10.0 * std::numbers::pi * u * std::cos(wave),
        4.5 * by_g, 4.5 * by_g;
    answer.jacobian.row(1) *= 0.5 / answer.values(1);
    return answer;
  };
  std::vector<ResidualProblem::Parameter> parameters{
      {"x1", 1e-6, 1.0, 0.5, {}}, {"x2", 0.0, 1.0, 0.5, {}}, {"x3", 0.0, 1.0, 0.5, {}}};
  const ToyProblem problem(parameters, std::vector<ResidualProblem::Row>(2),
                           {group_of("first", 0, 1), group_of("second", 1, 1)}, model);
  ParetoOptions options;
  options.points = 81;
  const ParetoFront front = pareto_front(problem, two, options);
  const std::array<std::array<double, 2>, 5> pieces{{{0.0, 0.0830015349},
                                                     {0.1822287280, 0.2577623634},
                                                     {0.4093136748, 0.4538821041},
                                                     {0.6183967944, 0.6525117038},
                                                     {0.8233317983, 0.8518328654}}};
  std::array<int, 5> met{};
  for (const ParetoPoint& p : front.points) {
    EXPECT_NEAR(p.x(1) + p.x(2), 0.0, 1e-6);
    // Without its neighbours a grid leaves a point up to half a step of it beyond the end of a piece: 1/80 of the
    // front's width in J_1 - J_2.
    const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const auto& ends) {
      return p.x(0) > ends[0] - 0.02 && p.x(0) < ends[1] + 0.02;
    });
    ASSERT_NE(piece, pieces.end()) << p.x.transpose();
    ++met[static_cast<std::size_t>(piece - pieces.begin())];
  }
  for (const int count : met) EXPECT_GE(count, 3);
  EXPECT_EQ(dominating_samples(problem, front, 5000), 0);
}

// Three centres: the triangle between them. About 66 points of a grid of 11 divisions.
TEST(Pareto, ThreeMisfits) {
  const Eigen::Vector2d a(0.0, 0.0), b(3.0, 0.0), c(1.0, 2.0);
  const ToyProblem problem = distances({a, b, c});
  ParetoOptions options;
  options.points = 66;
  const ParetoFront front = pareto_front(problem, {{"a", {0}}, {"b", {1}}, {"c", {2}}}, options);
  EXPECT_GE(front.points.size(), 30U);
  for (const ParetoPoint& p : front.points) {
    Eigen::Matrix2d sides;
    sides << b - a, c - a;
    const double det = sides(0, 0) * sides(1, 1) - sides(0, 1) * sides(1, 0);
    const double v = (p.x(0) * sides(1, 1) - p.x(1) * sides(0, 1)) / det,
                 w = (p.x(1) * sides(0, 0) - p.x(0) * sides(1, 0)) / det;
    EXPECT_TRUE(v > -1e-3 && w > -1e-3 && v + w < 1.0 + 1e-3) << p.x.transpose();
  }
  EXPECT_EQ(dominating_samples(problem, front, 2000), 0);
}

TEST(Pareto, NothingDominated) {
  const std::vector<Eigen::VectorXd> points{Eigen::Vector2d(1, 5), Eigen::Vector2d(2, 3), Eigen::Vector2d(2, 4),
                                            Eigen::Vector2d(3, 3), Eigen::Vector2d(4, 1), Eigen::Vector2d(2, 3),
                                            Eigen::Vector2d(5, 0)};
  EXPECT_EQ(not_dominated(points), (std::vector<std::size_t>{0, 1, 4, 6}));
}

// Both misfits have their minimum in one place; samples without an answer; objectives that are none.
TEST(Pareto, OnePointAndNone) {
  const Eigen::Vector2d a(1.0, 2.0);
  const ParetoFront one = pareto_front(distances({a, a}), two);
  EXPECT_EQ(one.message, "One point is best in all objectives.");
  ASSERT_EQ(one.points.size(), 1U);
  EXPECT_NEAR((one.points[0].x - a).norm(), 0.0, 1e-6);
  const ToyProblem nowhere(wide_parameters(1, 1.0), std::vector<ResidualProblem::Row>(2),
                           {group_of("first", 0, 1), group_of("second", 1, 1)}, [](const Eigen::VectorXd&, bool) {
                             return Answer{Eigen::VectorXd(), Eigen::MatrixXd(), "no model"};
                           });
  EXPECT_EQ(pareto_front(nowhere, two).message, "No sample has an answer.");
  EXPECT_THROW((void)pareto_front(nowhere, {{"first", {0}}}), std::invalid_argument);
  EXPECT_THROW((void)pareto_front(nowhere, {{"first", {0}}, {"none", {}}}), std::invalid_argument);
}

// (x -+ 1)^2 conflict; (y - 2)^2 + 1 does with neither: at the minima of all, y = 2. That is said, and the knee of what
// is left does not go by the misfit that is 1 everywhere.
TEST(Pareto, OneMisfitWithoutConflict) {
  Eigen::MatrixXd a(4, 2);
  a << 1, 0, 1, 0, 0, 1, 0, 0;
  const ToyProblem problem(wide_parameters(2, 5.0),
                           {{1.0, 1.0, 1.0}, {-1.0, 1.0, 1.0}, {2.0, 1.0, 1.0}, {1.0, 1.0, 1.0}},
                           {group_of("a", 0, 1), group_of("b", 1, 1), group_of("c", 2, 2)}, straight(a));
  const ParetoFront front = pareto_front(problem, {{"a", {0}}, {"b", {1}}, {"c", {2}}});
  EXPECT_EQ(front.message.find("One point"), std::string::npos) << front.message;
  EXPECT_NE(front.message.find("\"c\""), std::string::npos) << front.message;
  ParetoFront flat;
  for (const double t : {0.0, 0.5, 1.0}) {
    flat.points.push_back({Eigen::Vector2d(t, 2.0), Eigen::Vector3d(t * t, (1.0 - t) * (1.0 - t), 1.0), true});
  }
  EXPECT_EQ(knee_of(flat), 1U);
  ParetoFront one;  // where an end came to rest a little beside the point that is best in both
  one.points = {{Eigen::Vector2d(0.1, 0.0), Eigen::Vector2d(0.0, 300.0), true},
                {Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(1e-3, 0.0), true}};
  EXPECT_EQ(knee_of(one), 1U);
}

TEST(Pareto, SameForAnyNumberOfThreadsAndInterrupted) {
  const ToyProblem problem = distances({Eigen::Vector2d(1.0, 1.0), Eigen::Vector2d(-1.0, 0.0)});
  ParetoOptions options;
  options.points = 11;
  const ParetoFront one = pareto_front(problem, two, options);
  options.threads = 4;
  const ParetoFront four = pareto_front(problem, two, options);
  ASSERT_EQ(four.points.size(), one.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i) EXPECT_EQ(four.points[i].x, one.points[i].x);
  EXPECT_EQ(four.evaluations, one.evaluations);
  const ParetoFront half = pareto_front(problem, two, options, [](double fraction) { return fraction < 0.5; });
  EXPECT_TRUE(half.interrupted);
  EXPECT_EQ(half.message, "Interrupted.");
  EXPECT_GE(half.points.size(), 2U);
  EXPECT_EQ(pareto_front(problem, two, options, [](double) { return false; }).points.size(), 1U);  // the first sample
}

}  // namespace pareto_test
}  // namespace microslip
