#include "microslip/identify/bouc_wen_minimum.hpp"

#include <ceres/ceres.h>

#include <algorithm>
#include <vector>

#include "microslip/identify/quiet_log.hpp"

namespace microslip {
namespace {

constexpr double small_slope = -30.0;  // ln(beta W^n) and ln((beta+gamma) W^n) stay between these
constexpr double large_slope = 12.0;

/// All residuals as one function of six blocks of one coordinate each, so that each can be held.
class ForceResiduals final : public ceres::CostFunction {
 public:
  explicit ForceResiduals(BoucWenResiduals& residuals) : residuals_(&residuals) {
    set_num_residuals(static_cast<int>(residuals.size()));
    for (int k = 0; k < bouc_wen_size; ++k) mutable_parameter_block_sizes()->push_back(1);
    jacobian_.resize(residuals.size() * bouc_wen_size);
  }
  bool Evaluate(double const* const* blocks, double* values, double** jacobians) const override {
    BoucWenVector x{};
    for (int k = 0; k < bouc_wen_size; ++k) x[k] = blocks[k][0];
    const std::size_t rows = residuals_->size();
    const bool wanted = jacobians != nullptr;
    if (!residuals_->evaluate(x, {values, rows}, wanted ? std::span<double>(jacobian_) : std::span<double>())) {
      return false;
    }
    for (int k = 0; k < bouc_wen_size && wanted; ++k) {
      if (jacobians[k] == nullptr) continue;
      for (std::size_t i = 0; i < rows; ++i)
        jacobians[k][i] = jacobian_[i * bouc_wen_size + static_cast<std::size_t>(k)];
    }
    return true;
  }

 private:
  BoucWenResiduals* residuals_;
  mutable std::vector<double> jacobian_;
};

}  // namespace

BoucWenBounds bouc_wen_bounds(const BoucWenVector& start, double n_low, double n_high) {
  return {{start[0] - 4.0, 0.0, start[2] - 4.0, small_slope, small_slope, n_low},
          {start[0] + 4.0, highest_alpha, start[2] + 4.0, large_slope, large_slope, n_high}};
}

BoucWenMinimum minimise_forces(BoucWenResiduals& residuals, BoucWenVector x, const BoucWenHeld& held,
                               const BoucWenBounds& bounds, int max_iterations, double tolerance) {
  ceres::Problem problem;
  std::vector<double*> blocks;
  for (double& coordinate : x) blocks.push_back(&coordinate);
  problem.AddResidualBlock(new ForceResiduals(residuals), nullptr, blocks);  // the problem owns it
  for (int k = 0; k < bouc_wen_size; ++k) {
    if (held[k]) {
      problem.SetParameterBlockConstant(&x[k]);
      continue;
    }
    x[k] = std::clamp(x[k], bounds.low[k], bounds.high[k]);
    problem.SetParameterLowerBound(&x[k], 0, bounds.low[k]);
    problem.SetParameterUpperBound(&x[k], 0, bounds.high[k]);
  }
  ceres::Solver::Options solver;
  solver.linear_solver_type = ceres::DENSE_QR;
  solver.num_threads = 1;
  solver.max_num_iterations = max_iterations;
  solver.function_tolerance = tolerance;
  solver.gradient_tolerance = 1e-14;
  solver.parameter_tolerance = 1e-11;
  solver.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  const QuietLog quiet;
  ceres::Solve(solver, &problem, &summary);
  BoucWenMinimum result;
  result.x = x;
  result.square = 2.0 * summary.final_cost;
  result.converged = summary.termination_type == ceres::CONVERGENCE;
  result.usable = summary.IsSolutionUsable();
  result.iterations = static_cast<int>(summary.iterations.size());
  return result;
}

}  // namespace microslip
