#include "microslip/identify/modal_iwan_minimum.hpp"

#include <ceres/ceres.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/identify/quiet_log.hpp"

namespace microslip {
namespace {

/// All residuals as one function of six blocks of one coordinate each, so that each can be held.
class AllResiduals final : public ceres::CostFunction {
 public:
  explicit AllResiduals(const ModalIwanResiduals& residuals) : residuals_(&residuals) {
    set_num_residuals(static_cast<int>(residuals.size()));
    for (int k = 0; k < modal_iwan_size; ++k) mutable_parameter_block_sizes()->push_back(1);
    jacobian_.resize(residuals.size() * modal_iwan_size);
  }
  bool Evaluate(double const* const* blocks, double* values, double** jacobians) const override {
    FitVector x{};
    for (int k = 0; k < modal_iwan_size; ++k) x[k] = blocks[k][0];
    const std::size_t rows = residuals_->size();
    const bool finite = residuals_->evaluate(x, {values, rows},
                                             jacobians != nullptr ? std::span<double>(jacobian_) : std::span<double>());
    for (int k = 0; k < modal_iwan_size && jacobians != nullptr; ++k) {
      if (jacobians[k] == nullptr) continue;
      for (std::size_t i = 0; i < rows; ++i)
        jacobians[k][i] = jacobian_[i * modal_iwan_size + static_cast<std::size_t>(k)];
    }
    return finite;
  }

 private:
  const ModalIwanResiduals* residuals_;
  mutable std::vector<double> jacobian_;
};

}  // namespace

FitMinimum minimise(const ModalIwanResiduals& residuals, FitVector x, const FitBox& box, int max_iterations,
                    double tolerance) {
  ceres::Problem problem;
  std::vector<double*> blocks;
  for (double& coordinate : x) blocks.push_back(&coordinate);
  problem.AddResidualBlock(new AllResiduals(residuals), nullptr, blocks);  // the problem owns it
  for (int k = 0; k < modal_iwan_size; ++k) {
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
  solver.num_threads = 1;  // the same numbers on every run
  solver.max_num_iterations = max_iterations;
  solver.function_tolerance = tolerance;
  solver.gradient_tolerance = 1e-15;
  solver.parameter_tolerance = 1e-12;
  solver.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  const QuietLog quiet;
  ceres::Solve(solver, &problem, &summary);
  return {x, summary.final_cost, summary.IsSolutionUsable() && std::isfinite(summary.final_cost),
          summary.termination_type == ceres::CONVERGENCE, static_cast<int>(summary.iterations.size())};
}

}  // namespace microslip
