#include "microslip/measurement/residual_noise.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

/// Mean over `half` lines to either side, as many as there are.
Eigen::VectorXd neighbour_mean(const Eigen::VectorXd& values, Eigen::Index half) {
  Eigen::VectorXd sums(values.size() + 1);
  sums(0) = 0.0;
  for (Eigen::Index k = 0; k < values.size(); ++k) sums(k + 1) = sums(k) + values(k);
  Eigen::VectorXd result(values.size());
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const Eigen::Index from = std::max<Eigen::Index>(0, k - half), to = std::min(values.size(), k + half + 1);
    result(k) = (sums(to) - sums(from)) / static_cast<double>(to - from);
  }
  return result;
}

}  // namespace

Eigen::MatrixXd weights_from_residuals(const Eigen::MatrixXcd& residuals, double unknowns) {
  // Of the 2 (2 half + 1) numbers behind a mean the fit of a mode takes a few: wide enough that this hardly shows.
  const Eigen::Index lines = residuals.rows(), functions = residuals.cols();
  const Eigen::Index half = std::max<Eigen::Index>(25, lines / 40);
  const double values = 2.0 * static_cast<double>(lines);
  const double freedom = std::max(values - unknowns, 0.5 * values) / values;
  const Eigen::MatrixXd squares = residuals.cwiseAbs2() / (2.0 * freedom);
  Eigen::VectorXd level = squares.colwise().mean().transpose();
  const double least = 1e-30 * std::max(level.maxCoeff(), 1e-300);  // a fit without residual
  level = level.cwiseMax(least);
  Eigen::VectorXd profile = Eigen::VectorXd::Ones(lines);
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(lines);
    for (Eigen::Index f = 0; f < functions; ++f) mean += squares.col(f) / (level(f) * static_cast<double>(functions));
    profile = neighbour_mean(mean, half).cwiseMax(1e-12);
    for (Eigen::Index f = 0; f < functions; ++f) {
      level(f) = std::max(squares.col(f).cwiseQuotient(profile).mean(), least);
    }
  }
  Eigen::MatrixXd weights(lines, functions);
  for (Eigen::Index f = 0; f < functions; ++f) weights.col(f) = (level(f) * profile).cwiseSqrt().cwiseInverse();
  return weights;
}

}  // namespace microslip
