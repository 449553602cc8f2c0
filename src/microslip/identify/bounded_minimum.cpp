#include "microslip/identify/bounded_minimum.hpp"

#include <ceres/ceres.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/identify/quiet_log.hpp"

namespace microslip {
namespace {

constexpr std::size_t six = 6;

/// All residuals as one function of six blocks of one coordinate each, so that each can be held.
class AllResiduals final : public ceres::CostFunction {
 public:
  AllResiduals(const SixResiduals& residuals, std::size_t count) : residuals_(&residuals), jacobian_(count * six) {
    set_num_residuals(static_cast<int>(count));
    mutable_parameter_block_sizes()->assign(six, 1);
  }
  bool Evaluate(double const* const* blocks, double* values, double** jacobians) const override {
    SixCoordinates x{};
    for (std::size_t k = 0; k < six; ++k) x[k] = blocks[k][0];
    const std::size_t rows = jacobian_.size() / six;
    const bool wanted = jacobians != nullptr;
    if (!(*residuals_)(x, {values, rows}, wanted ? std::span<double>(jacobian_) : std::span<double>())) return false;
    for (std::size_t k = 0; k < six && wanted; ++k) {
      if (jacobians[k] == nullptr) continue;
      for (std::size_t i = 0; i < rows; ++i) jacobians[k][i] = jacobian_[i * six + k];
    }
    return true;
  }

 private:
  const SixResiduals* residuals_;
  mutable std::vector<double> jacobian_;
};

}  // namespace

BoundedMinimum bounded_minimum(const SixResiduals& residuals, std::size_t count, SixCoordinates x,
                               const CoordinateBox& box, const StopRules& rules) {
  ceres::Problem problem;
  std::vector<double*> blocks;
  for (double& coordinate : x) blocks.push_back(&coordinate);
  problem.AddResidualBlock(new AllResiduals(residuals, count), nullptr, blocks);  // the problem owns it
  for (std::size_t k = 0; k < six; ++k) {
    if (box.held[k]) {
      problem.SetParameterBlockConstant(&x[k]);
      continue;
    }
    x[k] = std::clamp(x[k], box.low[k], box.high[k]);
    problem.SetParameterLowerBound(&x[k], 0, box.low[k]);
    problem.SetParameterUpperBound(&x[k], 0, box.high[k]);
  }
  ceres::Solver::Options solver;
  solver.linear_solver_type = ceres::DENSE_QR;
  solver.num_threads = 1;
  solver.max_num_iterations = rules.iterations;
  solver.function_tolerance = rules.function;
  solver.gradient_tolerance = rules.gradient;
  solver.parameter_tolerance = rules.parameter;
  solver.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  const QuietLog quiet;
  ceres::Solve(solver, &problem, &summary);
  return {x, summary.final_cost, summary.IsSolutionUsable() && std::isfinite(summary.final_cost),
          summary.termination_type == ceres::CONVERGENCE, static_cast<int>(summary.iterations.size())};
}

}  // namespace microslip
