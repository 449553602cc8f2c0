#include "microslip/inference/white_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace microslip {
namespace {

constexpr double unreached_square = 9.0;

/// The offset of one group and its white rows; the worst of them, and how many are not reached.
void whiten_group(const ResidualProblem& problem, const ResidualProblem::Answer& answer, std::size_t g, double s,
                  Unreached unreached, WhiteRows& white) {
  const ResidualProblem::Group& group = problem.groups()[g];
  if (group.count == 0) return;
  const bool wants_jacobian = white.jacobian.size() > 0;
  double weights = 0.0, sum = 0.0;
  std::size_t missing = 0;
  Eigen::RowVectorXd mean;
  if (wants_jacobian) mean = Eigen::RowVectorXd::Zero(white.jacobian.cols());
  for (std::size_t k = 0; k < group.count; ++k) {
    const auto i = static_cast<Eigen::Index>(group.first + k);
    if (std::isnan(answer.values(i))) {
      ++missing;
      continue;
    }
    const ResidualProblem::Row& row = problem.rows()[group.first + k];
    const double weight = 1.0 / variance_of(row, s);
    weights += weight;
    sum += weight * (row.measured - answer.values(i));
    if (group.free_offset && wants_jacobian) mean += weight * answer.jacobian.row(i);
  }
  white.missing[g] = missing;
  if (missing == group.count) {
    white.why = "the model reaches no row of \"" + group.name + "\"";
    return;
  }
  const double offset = group.free_offset ? sum / weights : 0.0;
  if (group.free_offset && wants_jacobian) mean /= weights;
  white.offsets[g] = offset;
  double square = 0.0, worst = -1.0;
  Eigen::Index where = 0;
  for (std::size_t k = 0; k < group.count; ++k) {
    const auto i = static_cast<Eigen::Index>(group.first + k);
    if (std::isnan(answer.values(i))) continue;
    const ResidualProblem::Row& row = problem.rows()[group.first + k];
    const double factor = std::sqrt(group.weight / variance_of(row, s));
    const double r = factor * (answer.values(i) + offset - row.measured);
    white.residuals(i) = r;
    if (wants_jacobian) {
      white.jacobian.row(i) = factor * answer.jacobian.row(i);
      if (group.free_offset) white.jacobian.row(i) -= factor * mean;
    }
    square += r * r;
    if (r * r > worst) worst = r * r, where = i;
  }
  if (missing > 0 && unreached == Unreached::counted) {
    const double least = unreached_square * group.weight;
    square += static_cast<double>(missing) * std::max(worst, least);
    if (worst > least) {
      const double factor = std::sqrt(1.0 + static_cast<double>(missing));
      white.residuals(where) *= factor;
      if (wants_jacobian) white.jacobian.row(where) *= factor;
    }
  }
  white.squares[g] = square;
}

}  // namespace

double WhiteRows::square() const {
  return std::accumulate(squares.begin(), squares.end(), 0.0);
}

WhiteRows white_rows(const ResidualProblem& problem, const ResidualProblem::Answer& answer,
                     std::span<const double> discrepancy, Unreached unreached) {
  WhiteRows white;
  white.why = answer.why;
  const auto rows = static_cast<Eigen::Index>(problem.rows().size());
  if (white.why.empty() && answer.values.size() != rows) white.why = "there is no answer";
  if (!white.why.empty()) return white;
  const std::size_t groups = problem.groups().size();
  white.residuals = Eigen::VectorXd::Zero(rows);
  white.squares.assign(groups, 0.0);
  white.offsets.assign(groups, 0.0);
  white.missing.assign(groups, 0);
  if (answer.jacobian.size() > 0) white.jacobian = Eigen::MatrixXd::Zero(rows, answer.jacobian.cols());
  for (std::size_t g = 0; g < groups && white.why.empty(); ++g) {
    whiten_group(problem, answer, g, discrepancy[g], unreached, white);
  }
  if (white.why.empty() && !(std::isfinite(white.square()) && white.jacobian.allFinite())) {
    white.why = "the answer is not finite";
  }
  return white;
}

LogVariances log_variances(const ResidualProblem& problem, std::size_t group, double discrepancy) {
  const ResidualProblem::Group& g = problem.groups()[group];
  LogVariances result;
  double weights = 0.0, weights_slope = 0.0;
  for (std::size_t i = g.first; i < g.first + g.count; ++i) {
    const ResidualProblem::Row& row = problem.rows()[i];
    const double v = variance_of(row, discrepancy), slope = 2.0 * discrepancy * row.scale * row.scale;
    result.value += g.weight * std::log(v);
    result.slope += g.weight * slope / v;
    weights += 1.0 / v;
    weights_slope -= slope / (v * v);
  }
  if (g.free_offset && g.count > 0) {
    result.value += std::log(weights);
    result.slope += weights_slope / weights;
  }
  return result;
}

double usual_discrepancy(const ResidualProblem& problem, std::size_t group) {
  const ResidualProblem::Group& g = problem.groups()[group];
  if (g.usual_discrepancy > 0.0) return g.usual_discrepancy;
  double sum = 0.0;
  for (std::size_t i = g.first; i < g.first + g.count; ++i) {
    sum += std::pow(problem.rows()[i].error / problem.rows()[i].scale, 2);
  }
  return g.count > 0 ? std::sqrt(sum / static_cast<double>(g.count)) : 1.0;
}

}  // namespace microslip
