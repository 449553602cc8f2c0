// Posteriors against closed forms and quadrature, simulation-based calibration, and what is said when chains fail.

#include "microslip/inference/posterior.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/inference/posterior_density.hpp"
#include "microslip/inference/predictive.hpp"
#include "microslip/inference/prior.hpp"
#include "microslip/inference/trajectories.hpp"
#include "microslip/numerics/dense.hpp"
#include "unit/inference/toy_problem.hpp"

namespace microslip {
namespace posterior_test {

using Answer = ResidualProblem::Answer;

/// Four of the standard errors that a mean, and a standard deviation, of so many independent draws has.
double mean_bound(const ChainStatistics& s) {
  return 4.0 * s.deviation / std::sqrt(s.bulk_size);
}
double deviation_bound(const ChainStatistics& s) {
  return 4.0 * s.deviation / std::sqrt(2.0 * std::min(s.bulk_size, s.tail_size));
}

/// Four rows of two groups with all that there is: offset, weight, discrepancies, priors, a row that is not reached.
ToyProblem all_of_it() {
  std::vector<ResidualProblem::Row> rows{
      {1.0, 0.3, 1.0}, {0.2, 0.2, 2.0}, {2.0, 0.1, 0.5}, {0.7, 0.4, 1.0}, {3.0, 0.2, 1.0}};
  ResidualProblem::Group first = group_of("first", 0, 3), second = group_of("second", 3, 2);
  first.free_offset = true;
  first.weight = 0.6;
  first.discrepancy = true;
  first.usual_discrepancy = 0.2;
  second.discrepancy = true;
  return ToyProblem({{"a", 0.0, 2.0, 1.0, {}}, {"b", -1.0, 3.0, 1.0, {true, 0.5, 0.7}}}, rows, {first, second},
                    [](const Eigen::VectorXd& x, bool) {
                      Answer answer{Eigen::VectorXd(5), Eigen::MatrixXd(5, 2), ""};
                      for (int i = 0; i < 5; ++i) {
                        answer.values(i) = x(0) * std::exp(0.3 * i * x(1)) + i * x(1);
                        answer.jacobian.row(i) << std::exp(0.3 * i * x(1)),
                            x(0) * 0.3 * i * std::exp(0.3 * i * x(1)) + i;
                      }
                      answer.values(4) = std::numeric_limits<double>::quiet_NaN();
                      return answer;
                    });
}

// Central differences of step h are off by h^2/6 of the third derivative, and by rounding 1e-16/h: 1e-7 with h = 1e-5.
TEST(PosteriorDensity, Gradient) {
  const ToyProblem problem = all_of_it();
  const PosteriorDensity density(problem);
  ASSERT_EQ(density.size(), 4);
  for (std::uint64_t run = 0; run < 20; ++run) {
    CounterRandom random(3, run);
    Eigen::VectorXd z(4), gradient(4), unused(4);
    for (double& value : z) value = random.normal();
    ASSERT_TRUE(std::isfinite(density(z, gradient)));
    for (int k = 0; k < 4; ++k) {
      const Eigen::VectorXd step = 1e-5 * Eigen::VectorXd::Unit(4, k);
      const double slope = (density(z + step, unused) - density(z - step, unused)) / 2e-5;
      EXPECT_NEAR(gradient(k), slope, 1e-6 * (1.0 + std::abs(slope)) * std::max(1.0, gradient.norm()))
          << run << " " << k;
    }
    const std::vector<double> s = density.discrepancies_at(z);
    EXPECT_NEAR((density.z_at(density.parameters_at(z), s) - z.cwiseMax(-3.0).cwiseMin(3.0)).norm(), 0.0, 1e-7);
  }
}

// A normal density of ten dimensions, standard deviations 0.01 to 10: variances within four of their standard errors,
// sqrt(2/n) for n draws that are worth at least half their number in these units.
TEST(Trajectories, NormalDensity) {
  constexpr int n = 10;
  Eigen::VectorXd deviation(n);
  for (int i = 0; i < n; ++i) deviation(i) = 0.01 * std::pow(10.0, i / 3.0);
  const LogDensity density = [&](const Eigen::VectorXd& z, Eigen::VectorXd& gradient) {
    gradient = -z.cwiseQuotient(deviation.cwiseAbs2());
    return 0.5 * z.dot(gradient);
  };
  Trajectories chain(density, deviation, 0.7 * Eigen::MatrixXd(deviation.asDiagonal()), 0.8, 8, CounterRandom(1, 1));
  for (int i = 0; i < 200; ++i) chain.advance(true);
  chain.settle_step();
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(n);
  constexpr int draws = 4000;
  for (int i = 0; i < draws; ++i) {
    chain.advance(false);
    squares += chain.z().cwiseAbs2().cwiseQuotient(deviation.cwiseAbs2()) / draws;
    EXPECT_FALSE(chain.diverged());
  }
  for (int i = 0; i < n; ++i) EXPECT_NEAR(squares(i), 1.0, 4.0 * std::sqrt(2.0 / (0.5 * draws))) << i;
}

// Rows y = A x + e, priors normal: precision A^T V^-1 A + P. Predictions are normal, too.
TEST(Posterior, NormalInClosedForm) {
  constexpr int n = 12;
  Eigen::MatrixXd a(n, 3);
  Eigen::VectorXd y(n);
  CounterRandom random(8, 0);
  std::vector<ResidualProblem::Row> rows;
  for (int i = 0; i < n; ++i) {
    a.row(i) << 1.0, 0.1 * i, std::sin(i);
    y(i) = 2.0 - 0.05 * i + 0.5 * random.normal();
    rows.push_back({y(i), 0.5, 1.0});
  }
  std::vector<ResidualProblem::Parameter> parameters = wide_parameters(3, 100.0);
  for (auto& p : parameters) p.prior = {true, 0.3, 1.5};
  const ToyProblem problem(parameters, rows, {group_of("all", 0, n)}, straight(a));
  const Eigen::MatrixXd precision = 4.0 * a.transpose() * a + Eigen::MatrixXd::Identity(3, 3) / 2.25;
  const Eigen::MatrixXd covariance = inverse(precision);
  const Eigen::VectorXd mean = covariance * (4.0 * a.transpose() * y + Eigen::VectorXd::Constant(3, 0.3 / 2.25));
  PosteriorOptions options;
  options.draws = 500;
  const Posterior posterior = sample_posterior(problem, options);
  EXPECT_TRUE(posterior.converged) << posterior.message;
  EXPECT_EQ(posterior.message, "");
  for (int k = 0; k < 3; ++k) {
    const ChainStatistics& s = posterior.parameters[static_cast<std::size_t>(k)];
    EXPECT_NEAR(s.mean, mean(k), mean_bound(s)) << k;
    EXPECT_NEAR(s.deviation, std::sqrt(covariance(k, k)), deviation_bound(s)) << k;
    EXPECT_GT(s.bulk_size, 1000.0);
    // The information at the best draw is that of the rows everywhere.
    EXPECT_NEAR(posterior.information.errors(k), std::sqrt(covariance(k, k)), 1e-6) << k;
  }
  EXPECT_LT((posterior.draws.col(static_cast<Eigen::Index>(posterior.best)) - mean).norm(), 0.2);
  // The row after the last, and new measurements of the rows: 1000 draws have a standard deviation to 1/sqrt(2000).
  const Eigen::Vector3d next(1.0, 1.2, std::sin(12.0));
  const Predictions ahead = predict(posterior, some_draws(posterior, 1000), 1, [&](const Eigen::VectorXd& x) {
    return Eigen::VectorXd::Constant(1, next.dot(x));
  });
  const double spread = std::sqrt(next.dot(covariance * next));
  const Bands band = bands(ahead.values, 0.95);
  EXPECT_NEAR(band.median(0), next.dot(mean), 0.25 * spread);
  EXPECT_NEAR(band.high(0) - band.low(0), 2.0 * 1.96 * spread,
              0.6 * spread);  // 5 errors of an end, 0.084, times sqrt(2)
  EXPECT_EQ(band.known(0), 1.0);
  const PredictedRows replica = predict_rows(problem, posterior, some_draws(posterior, 1000), 5);
  for (int i = 0; i < n; ++i) {
    const auto row = replica.measured.values.row(i).array();
    const double variance = (row - row.mean()).square().mean();
    const double expected = 0.25 + a.row(i) * covariance * a.row(i).transpose();
    EXPECT_NEAR(variance, expected, 4.5 * expected * std::sqrt(2.0 / 1000.0)) << i;
  }
}

// One parameter in [0, 2], uniform, measured at -0.5 with error 1: a normal distribution cut off at 0.5 and 2.5
// standard deviations from its centre; and one that no row depends on: uniform. Told: it is not determined.
TEST(Posterior, CutOffInClosedForm) {
  const ToyProblem problem({{"x", 0.0, 2.0, 1.0, {}}, {"idle", -3.0, 5.0, 1.0, {}}}, {{-0.5, 1.0, 1.0}},
                           {group_of("all", 0, 1)}, straight(Eigen::MatrixXd(Eigen::RowVector2d(1.0, 0.0))));
  const auto density = [](double z) { return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi); };
  const double mass = normal_share(2.5) - normal_share(0.5), m = (density(0.5) - density(2.5)) / mass;
  const double variance = 1.0 + (0.5 * density(0.5) - 2.5 * density(2.5)) / mass - m * m;
  const Posterior posterior = sample_posterior(problem);
  EXPECT_TRUE(posterior.converged) << posterior.message;
  const ChainStatistics &x = posterior.parameters[0], &idle = posterior.parameters[1];
  EXPECT_NEAR(x.mean, m - 0.5, mean_bound(x));
  EXPECT_NEAR(x.deviation, std::sqrt(variance), deviation_bound(x));
  EXPECT_NEAR(idle.mean, 1.0, mean_bound(idle));
  EXPECT_NEAR(idle.deviation, 8.0 / std::sqrt(12.0), deviation_bound(idle));
  EXPECT_NEAR(idle.low, -2.8, 0.2);
  EXPECT_GE(posterior.draws.row(0).minCoeff(), 0.0);
  EXPECT_LE(posterior.draws.row(0).maxCoeff(), 2.0);
  EXPECT_NE(posterior.message.find("idle"), std::string::npos) << posterior.message;
}

// Rows o + d with unknown offset and discrepancy, errors of nothing: p(s) ~ s^-(n-1) exp(-SS/2s^2)/(1 + (s/c)^2).
TEST(Posterior, DiscrepancyByQuadrature) {
  constexpr int n = 8;
  CounterRandom random(21, 0);
  std::vector<ResidualProblem::Row> rows;
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < n; ++i) {
    rows.push_back({5.0 + 0.3 * random.normal(), 1e-6, 1.0});
    sum += rows.back().measured;
  }
  for (const auto& row : rows) squares += std::pow(row.measured - sum / n, 2);
  ResidualProblem::Group group = group_of("all", 0, n);
  group.free_offset = group.discrepancy = true;
  group.usual_discrepancy = 0.1;
  const ToyProblem problem({{"idle", 0.0, 1.0, 0.5, {}}}, rows, {group}, straight(Eigen::MatrixXd::Zero(n, 1)));
  double mass = 0.0, mean = 0.0;
  for (double t = -8.0; t < 8.0; t += 1e-3) {  // of ln s
    const double s = std::exp(t);
    const double p = std::pow(s, -(n - 1.0)) * std::exp(-0.5 * squares / (s * s)) / (1.0 + 100.0 * s * s) * s;
    mass += p, mean += p * t;
  }
  PosteriorOptions options;
  options.draws = 2000;
  const Posterior posterior = sample_posterior(problem, options);
  EXPECT_TRUE(posterior.converged) << posterior.message;
  const Eigen::RowVectorXd logs = posterior.discrepancy.row(0).array().log();
  const double deviation = std::sqrt((logs.array() - logs.mean()).square().mean());
  EXPECT_NEAR(logs.mean(), mean / mass, 4.0 * deviation / std::sqrt(posterior.discrepancies[0].bulk_size));
}

// x1 ~ N(0, 1), x2 given x1 ~ N(x1^2, 0.3^2): a banana. Mean of x2 is 1, its variance 2.09. It is stiff in its tips:
// with longer steps, an acceptance of 0.95, 79 of 200 000 trajectories leave their level, the variance of x2 comes out
// as 1.74, and it is said; with 0.995 none does, and it is 2.08.
TEST(Posterior, Banana) {
  const ToyProblem problem({{"x1", -8.0, 8.0, 0.5, {}}, {"x2", -20.0, 60.0, 0.5, {}}},
                           {{0.0, 1.0, 1.0}, {0.0, 0.3, 1.0}}, {group_of("all", 0, 2)},
                           [](const Eigen::VectorXd& x, bool) {
                             Answer answer{Eigen::Vector2d(x(0), x(1) - x(0) * x(0)), Eigen::MatrixXd(2, 2), ""};
                             answer.jacobian << 1.0, 0.0, -2.0 * x(0), 1.0;
                             return answer;
                           });
  PosteriorOptions options;
  options.draws = 3000;
  options.acceptance = 0.99;
  const Posterior posterior = sample_posterior(problem, options);
  EXPECT_TRUE(posterior.converged) << posterior.message;
  const ChainStatistics &first = posterior.parameters[0], &second = posterior.parameters[1];
  EXPECT_NEAR(first.mean, 0.0, mean_bound(first));
  EXPECT_NEAR(first.deviation, 1.0, deviation_bound(first));
  EXPECT_NEAR(second.mean, 1.0, mean_bound(second));
  // The square of a normal number has a kurtosis of 15: a variance of n is off by sqrt(14/n) of it.
  EXPECT_NEAR(second.deviation, std::sqrt(2.09), 4.0 * std::sqrt(2.09) * 0.5 * std::sqrt(14.0 / second.bulk_size));
}

// Two minima that no trajectory connects: chains that begin in both do not agree, and it is said.
TEST(Posterior, TwoMinimaAreTold) {
  const ToyProblem problem({{"x", -3.0, 3.0, 1.0, {}}}, {{1.0, 0.02, 1.0}}, {group_of("all", 0, 1)},
                           [](const Eigen::VectorXd& x, bool) {
                             return Answer{x.cwiseAbs2(), Eigen::MatrixXd::Constant(1, 1, 2.0 * x(0)), ""};
                           });
  const Posterior posterior = sample_posterior(problem);
  EXPECT_FALSE(posterior.converged);
  EXPECT_GT(posterior.parameters[0].r_hat, 1.5);
  EXPECT_EQ(posterior.message.rfind("The chains do not agree: R-hat of x is", 0), 0U) << posterior.message;
}

// (x^2 - 1)^2 + (x - 1)^2/4, over 2 0.1^2, has a second minimum at x = -0.854, 46 higher: chains that fall into it
// begin at the better one instead.
TEST(Posterior, MinimaWithoutMassAreLeft) {
  const ToyProblem problem({{"x", -3.0, 3.0, 1.0, {}}}, {{1.0, 0.1, 1.0}, {1.0, 0.2, 1.0}}, {group_of("all", 0, 2)},
                           [](const Eigen::VectorXd& x, bool) {
                             Answer answer{Eigen::Vector2d(x(0) * x(0), x(0)), Eigen::MatrixXd(2, 1), ""};
                             answer.jacobian << 2.0 * x(0), 1.0;
                             return answer;
                           });
  const Posterior posterior = sample_posterior(problem);
  EXPECT_TRUE(posterior.converged) << posterior.message;
  EXPECT_NEAR(posterior.parameters[0].mean, 1.0, 0.1);
  EXPECT_NE(posterior.message.find("starts ended in minima with less than"), std::string::npos) << posterior.message;
}

TEST(Posterior, SameForAnyNumberOfThreads) {
  const ToyProblem problem = all_of_it();
  PosteriorOptions options;
  options.warmup = 60, options.draws = 40, options.chains = 3;
  const Posterior one = sample_posterior(problem, options);
  EXPECT_NE(one.message.find("1 of 5 rows are not reached at the best draw."), std::string::npos) << one.message;
  for (const std::size_t threads : {2U, 3U}) {
    options.threads = threads;
    const Posterior more = sample_posterior(problem, options);
    EXPECT_EQ(more.draws, one.draws);
    EXPECT_EQ(more.discrepancy, one.discrepancy);
    EXPECT_EQ(more.message, one.message);
    const PredictedRows a = predict_rows(problem, one, some_draws(one, 30), 4, 1);
    const PredictedRows b = predict_rows(problem, more, some_draws(more, 30), 4, threads);
    EXPECT_EQ(a.measured.values.topRows(4), b.measured.values.topRows(4));  // the fifth is never reached
  }
}

// Stopped halfway: draws that all chains have, marked; stopped at once: none, and said.
TEST(Posterior, Interrupted) {
  const ToyProblem problem = all_of_it();
  PosteriorOptions options;
  options.draws = 200, options.warmup = 100, options.chains = 2;
  double last = 0.0;
  const Posterior half = sample_posterior(problem, options, [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    return fraction < 0.9;
  });
  EXPECT_TRUE(half.interrupted);
  EXPECT_FALSE(half.converged);
  EXPECT_EQ(half.message.rfind("Interrupted.", 0), 0U);
  EXPECT_LT(half.draws_of_a_chain(), 200U);
  const Posterior none = sample_posterior(problem, options, [](double) { return false; });
  EXPECT_EQ(none.draws.cols(), 0);
  EXPECT_TRUE(none.interrupted);
  const ToyProblem nowhere({{"x", 0.0, 1.0, 0.5, {}}}, {{}}, {group_of("all", 0, 1)}, [](const Eigen::VectorXd&, bool) {
    return Answer{Eigen::VectorXd(), Eigen::MatrixXd(), "no model"};
  });
  EXPECT_EQ(sample_posterior(nowhere).message, "No chain finds a place to begin.");
}

// Simulation-based calibration (Talts et al. 2018): parameters from their priors, rows from the model, and the rank of
// the truth among 63 nearly independent draws of the posterior is uniform over 64 places. In 16 bins of 320 runs, 20
// each, chi-squared with 15 degrees of freedom; each of the three quantities above 0.001. A uniform and a cut normal
// prior, an offset, and a discrepancy as large as its prior has it.
TEST(PosteriorSlow, RanksOfTheTruthAreUniform) {
  constexpr int runs = 320, bins = 16, kept = 63, apart = 3;
  std::array<std::array<int, bins>, 3> counts{};
  const auto model = [](const Eigen::VectorXd& x, bool) {
    Answer answer{Eigen::VectorXd(10), Eigen::MatrixXd(10, 2), ""};
    for (int i = 0; i < 10; ++i) {
      const double t = 0.2 * (i + 1), e = std::exp(-x(1) * t);
      answer.values(i) = x(0) * e;
      answer.jacobian.row(i) << e, -x(0) * t * e;
    }
    return answer;
  };
  const std::vector<ResidualProblem::Parameter> parameters{{"a", 0.5, 3.0, 1.0, {}},
                                                           {"b", 0.0, 2.0, 1.0, {true, 0.8, 0.6}}};
  ResidualProblem::Group group = group_of("all", 0, 10);
  group.discrepancy = group.free_offset = true;
  group.usual_discrepancy = 0.05;
  for (int run = 0; run < runs; ++run) {
    CounterRandom random(77, static_cast<std::uint64_t>(run));
    const Eigen::Vector2d x(prior_quantile(parameters[0], random.uniform()),
                            prior_quantile(parameters[1], random.uniform()));
    const double s = 0.05 * std::tan(0.5 * std::numbers::pi * random.uniform());
    const Eigen::VectorXd exact = model(x, false).values;
    std::vector<ResidualProblem::Row> rows;
    for (int i = 0; i < 10; ++i) rows.push_back({exact(i) + 7.0 + std::hypot(0.1, s) * random.normal(), 0.1, 1.0});
    const ToyProblem problem(parameters, rows, {group}, model);
    PosteriorOptions options;
    options.chains = 1;
    options.warmup = 150;
    options.draws = kept * apart;
    options.seed = static_cast<std::uint64_t>(run) + 1;
    const Posterior posterior = sample_posterior(problem, options);
    ASSERT_EQ(posterior.draws.cols(), kept * apart);
    std::array<int, 3> rank{};
    for (int i = 0; i < kept; ++i) {
      rank[0] += posterior.draws(0, i * apart) < x(0);
      rank[1] += posterior.draws(1, i * apart) < x(1);
      rank[2] += posterior.discrepancy(0, i * apart) < s;
    }
    for (std::size_t k = 0; k < 3; ++k) ++counts[k][static_cast<std::size_t>(rank[k] * bins / (kept + 1))];
  }
  for (std::size_t k = 0; k < 3; ++k) {
    double chi_squared = 0.0;
    for (const int count : counts[k]) chi_squared += std::pow(count - 20.0, 2) / 20.0;
    EXPECT_GT(chi_squared_chance(chi_squared, bins - 1.0), 1e-3) << k << ": " << chi_squared;
  }
}

}  // namespace posterior_test
}  // namespace microslip
