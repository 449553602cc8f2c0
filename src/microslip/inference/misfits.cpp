#include "microslip/inference/misfits.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/inference/white_rows.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr int most_updates = 20;  // of the multipliers
constexpr double met = 1e-7;      // F - mean(F), of the width of the front
constexpr double first_stiffness = 10.0, most_stiffness = 1e6;
constexpr double least_weight = -1e-4;  // of a misfit that wants to be larger by no more than rounding

}  // namespace

Misfits misfits_at(const ResidualProblem& problem, const std::vector<ParetoObjective>& objectives,
                   const Eigen::VectorXd& x, bool want_derivatives) {
  Misfits result;
  const std::vector<double> no_discrepancy(problem.groups().size(), 0.0);
  const WhiteRows rows = white_rows(problem, problem.evaluate(x, want_derivatives), no_discrepancy);
  result.why = rows.why;
  if (!result.why.empty()) return result;
  const auto count = static_cast<Eigen::Index>(objectives.size());
  result.values = Eigen::VectorXd::Zero(count);
  if (want_derivatives) result.gradients = Eigen::MatrixXd::Zero(x.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    if (want_derivatives) result.curvatures.emplace_back(Eigen::MatrixXd::Zero(x.size(), x.size()));
    for (const std::size_t g : objectives[static_cast<std::size_t>(k)].groups) {
      result.values(k) += rows.squares[g];
      if (!want_derivatives) continue;
      const ResidualProblem::Group& group = problem.groups()[g];
      const auto first = static_cast<Eigen::Index>(group.first), size = static_cast<Eigen::Index>(group.count);
      const Eigen::MatrixXd part = rows.jacobian.middleRows(first, size);
      const Eigen::VectorXd residuals = rows.residuals.segment(first, size);
      result.gradients.col(k) += 2.0 * transpose_times(part, residuals);
      result.curvatures.back() += 2.0 * transpose_times(part, part);
    }
  }
  return result;
}

FrontState AcrossTheSimplex::solve(const Eigen::VectorXd& target, const FrontState& start) const {
  return constrained({true, target.array() - target.mean()}, start);
}

FrontState AcrossTheSimplex::below(const Eigen::VectorXd& limits, const FrontState& start) const {
  return constrained({false, limits}, start);
}

FrontState AcrossTheSimplex::constrained(const Constraint& constraint, const FrontState& start) const {
  const Eigen::Index count = constraint.wanted.size();
  FrontState state = start;
  state.at_rest = false;
  state.evaluations = 0;
  if (state.multipliers.size() != count) state.multipliers = Eigen::VectorXd::Zero(count);
  double stiffness = first_stiffness, before = 1e300;
  // mu + rho (distance from the constraint); of a limit no less than 0.
  const auto pulls = [&](const Eigen::VectorXd& f) {
    Eigen::VectorXd off = f - constraint.wanted;
    if (constraint.balance) off.array() -= f.mean();
    const Eigen::VectorXd pull = state.multipliers + stiffness * off;
    return constraint.balance ? pull : Eigen::VectorXd(pull.cwiseMax(0.0));
  };
  const LocalFunction lagrangian = [&](const Eigen::VectorXd& x) {
    LocalModel model;
    const Misfits misfits = misfits_at(*problem_, *objectives_, x, true);
    model.why = misfits.why;
    if (!model.why.empty()) return model;
    const Eigen::VectorXd f = scale_(misfits.values), pull = pulls(f);
    model.value = f.sum() + 0.5 * (pull.squaredNorm() - state.multipliers.squaredNorm()) / stiffness;
    const Eigen::MatrixXd gradients = misfits.gradients * scale_.range.cwiseInverse().asDiagonal();
    const Eigen::VectorXd weights = pull.array() + 1.0;
    model.gradient = gradients * weights;
    Eigen::MatrixXd across = gradients;
    if (constraint.balance) {
      across.colwise() -= gradients.rowwise().mean();
    } else {
      for (Eigen::Index k = 0; k < count; ++k) across.col(k) *= pull(k) > 0.0 ? 1.0 : 0.0;
    }
    model.curvature = stiffness * (across * across.transpose());
    for (Eigen::Index k = 0; k < count; ++k) {
      model.curvature += std::max(weights(k), 0.0) / scale_.range(k) * misfits.curvatures[static_cast<std::size_t>(k)];
    }
    return model;
  };
  for (int update = 0; update < most_updates; ++update) {
    const Descent descent = descend(lagrangian, box_, state.x, options_);
    state.evaluations += descent.evaluations;
    if (descent.interrupted || descent.model.gradient.size() == 0) return state;
    state.x = descent.x;
    const Misfits there = misfits_at(*problem_, *objectives_, state.x, false);
    ++state.evaluations;
    if (!there.why.empty()) return state;
    state.misfits = there.values;
    const Eigen::VectorXd f = scale_(there.values), next = pulls(f);
    state.sum = f.sum();
    const double distance = (next - state.multipliers).norm() / stiffness;
    state.multipliers = next;
    if (distance < met && descent.converged) {
      state.at_rest = state.multipliers.minCoeff() + 1.0 > least_weight;
      return state;
    }
    if (distance > 0.25 * before) stiffness = std::min(4.0 * stiffness, most_stiffness);
    before = distance;
  }
  return state;
}

FrontState AcrossTheSimplex::weighted(const Eigen::VectorXd& weights, const Eigen::VectorXd& start) const {
  const LocalFunction sum = [&](const Eigen::VectorXd& x) {
    LocalModel model;
    const Misfits misfits = misfits_at(*problem_, *objectives_, x, true);
    model.why = misfits.why;
    if (!model.why.empty()) return model;
    const Eigen::VectorXd scaled = weights.cwiseQuotient(scale_.range);
    model.value = weights.dot(scale_(misfits.values));
    model.gradient = misfits.gradients * scaled;
    model.curvature = Eigen::MatrixXd::Zero(x.size(), x.size());
    for (Eigen::Index k = 0; k < scaled.size(); ++k) {
      model.curvature += scaled(k) * misfits.curvatures[static_cast<std::size_t>(k)];
    }
    return model;
  };
  const Descent descent = descend(sum, box_, start, options_);
  FrontState state;
  state.evaluations = descent.evaluations;
  if (descent.model.gradient.size() == 0) return state;
  state.x = descent.x;
  state.misfits = misfits_at(*problem_, *objectives_, state.x, false).values;
  ++state.evaluations;
  state.sum = scale_(state.misfits).sum();
  state.at_rest = descent.converged;
  return state;
}

}  // namespace microslip
