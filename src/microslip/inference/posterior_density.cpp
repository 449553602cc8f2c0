#include "microslip/inference/posterior_density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/inference/prior.hpp"
#include "microslip/inference/white_rows.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/normal_quantile.hpp"

namespace microslip {
namespace {

constexpr double farthest_start = 3.0;

double half_cauchy_at(double z, double median) {
  const double quarter = 0.5 * std::numbers::pi;
  return z < 0.0 ? median * std::tan(quarter * normal_share(z)) : median / std::tan(quarter * normal_share(-z));
}

}  // namespace

PosteriorDensity::PosteriorDensity(const ResidualProblem& problem) : problem_(&problem) {
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    if (!problem.groups()[g].discrepancy) continue;
    estimated_.push_back(g);
    usual_.push_back(usual_discrepancy(problem, g));
  }
}

Eigen::Index PosteriorDensity::size() const {
  return static_cast<Eigen::Index>(problem_->parameters().size() + estimated_.size());
}

Eigen::VectorXd PosteriorDensity::parameters_at(const Eigen::VectorXd& z) const {
  Eigen::VectorXd x(static_cast<Eigen::Index>(problem_->parameters().size()));
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    x(k) = from_standard(problem_->parameters()[static_cast<std::size_t>(k)], z(k)).x;
  }
  return x;
}

std::vector<double> PosteriorDensity::discrepancies_at(const Eigen::VectorXd& z) const {
  std::vector<double> result(problem_->groups().size(), 0.0);
  for (std::size_t e = 0; e < estimated_.size(); ++e) {
    result[estimated_[e]] = half_cauchy_at(z(static_cast<Eigen::Index>(problem_->parameters().size() + e)), usual_[e]);
  }
  return result;
}

Eigen::VectorXd PosteriorDensity::z_at(const Eigen::VectorXd& x, const std::vector<double>& discrepancy) const {
  Eigen::VectorXd z(size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    z(k) = to_standard(problem_->parameters()[static_cast<std::size_t>(k)], x(k), farthest_start);
  }
  for (std::size_t e = 0; e < estimated_.size(); ++e) {
    const double share = 2.0 / std::numbers::pi * std::atan(discrepancy[estimated_[e]] / usual_[e]);
    z(x.size() + static_cast<Eigen::Index>(e)) =
        std::clamp(normal_quantile(std::clamp(share, 1e-9, 1.0 - 1e-9)), -farthest_start, farthest_start);
  }
  return z;
}

double PosteriorDensity::operator()(const Eigen::VectorXd& z, Eigen::VectorXd& gradient,
                                    Eigen::MatrixXd* curvature) const {
  constexpr double none = -std::numeric_limits<double>::infinity();
  const auto parameters = static_cast<Eigen::Index>(problem_->parameters().size());
  Eigen::VectorXd x(parameters), slope(parameters);
  for (Eigen::Index k = 0; k < parameters; ++k) {
    const PriorPoint at = from_standard(problem_->parameters()[static_cast<std::size_t>(k)], z(k));
    x(k) = at.x, slope(k) = at.slope;
  }
  if (!x.allFinite()) return none;
  const std::vector<double> s = discrepancies_at(z);
  const WhiteRows rows = white_rows(*problem_, problem_->evaluate(x, true), s);
  if (!rows.why.empty()) return none;
  gradient = -z;
  double log_density = -0.5 * z.squaredNorm() - 0.5 * rows.square();
  gradient.head(parameters).noalias() -= slope.cwiseProduct(rows.jacobian.transpose() * rows.residuals);
  if (curvature != nullptr) {
    *curvature = Eigen::MatrixXd::Identity(z.size(), z.size());
    const Eigen::MatrixXd scaled = rows.jacobian * slope.asDiagonal();
    curvature->topLeftCorner(parameters, parameters) += transpose_times(scaled, scaled);
  }
  for (std::size_t g = 0, e = 0; g < problem_->groups().size(); ++g) {
    const LogVariances logs = log_variances(*problem_, g, s[g]);
    log_density -= 0.5 * logs.value;
    if (e == estimated_.size() || estimated_[e] != g) continue;
    const auto place = parameters + static_cast<Eigen::Index>(e);
    const double c = usual_[e++], density = std::exp(-0.5 * z(place) * z(place)) / std::sqrt(2.0 * std::numbers::pi);
    const double by_z = (c * c + s[g] * s[g]) / c * 0.5 * std::numbers::pi * density;  // ds/dz
    const ResidualProblem::Group& group = problem_->groups()[g];
    double squares_slope = 0.0, fisher = 0.0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      const ResidualProblem::Row& row = problem_->rows()[i];
      const double relative = 2.0 * s[g] * row.scale * row.scale / variance_of(row, s[g]);  // d ln v/ds
      const double r = rows.residuals(static_cast<Eigen::Index>(i));
      squares_slope -= r * r * relative;
      fisher += 0.5 * group.weight * relative * relative;
    }
    gradient(place) -= 0.5 * (squares_slope + logs.slope) * by_z;
    if (curvature != nullptr) (*curvature)(place, place) += fisher * by_z * by_z;
  }
  return std::isfinite(log_density) && gradient.allFinite() ? log_density : none;
}

}  // namespace microslip
