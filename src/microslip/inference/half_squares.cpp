#include "microslip/inference/half_squares.hpp"

#include "microslip/inference/white_rows.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {

LocalModel HalfSquares::operator()(const Eigen::VectorXd& x) const {
  LocalModel model;
  const WhiteRows rows = white_rows(*problem_, problem_->evaluate(x, true), discrepancy_);
  model.why = rows.why;
  if (!model.why.empty()) return model;
  model.value = 0.5 * rows.square();
  model.gradient = transpose_times(rows.jacobian, rows.residuals);
  model.curvature = transpose_times(rows.jacobian, rows.jacobian);
  for (std::size_t k = 0; k < problem_->parameters().size(); ++k) {
    const ResidualProblem::Prior& prior = problem_->parameters()[k].prior;
    if (!prior.normal) continue;
    const auto i = static_cast<Eigen::Index>(k);
    const double r = (x(i) - prior.mean) / prior.deviation;
    model.value += 0.5 * r * r;
    model.gradient(i) += r / prior.deviation;
    model.curvature(i, i) += 1.0 / (prior.deviation * prior.deviation);
  }
  return model;
}

}  // namespace microslip
