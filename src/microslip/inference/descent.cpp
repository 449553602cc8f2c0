#include "microslip/inference/descent.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/inference/prior.hpp"
#include "microslip/numerics/box_quadratic.hpp"

namespace microslip {
namespace {

constexpr double first_damping = 1e-3;   // of the largest curvature, in units
constexpr double least_damping = 1e-13;  // the same: keeps what no row tells apart from being a division by zero
constexpr double most_damping = 1e12;    // the same: steps are nothing but rounding
constexpr double least_gain = 1e-4;      // of what a step should gain
constexpr double noise = 1e5;            // tolerances: what is left where values are no better than this is at rest

}  // namespace

Box box_of(const std::vector<ResidualProblem::Parameter>& parameters) {
  const auto n = static_cast<Eigen::Index>(parameters.size());
  Box box{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    const ResidualProblem::Parameter& p = parameters[static_cast<std::size_t>(k)];
    box.low(k) = p.low, box.high(k) = p.high, box.unit(k) = prior_deviation(p);
  }
  return box;
}

Descent descend(const LocalFunction& function, const Box& box, const Eigen::VectorXd& start,
                const DescentOptions& options) {
  Descent result;
  result.x = start.cwiseMax(box.low).cwiseMin(box.high);
  const auto stopped = [&] { return options.stopped && options.stopped(); };
  if (stopped()) {
    result.interrupted = true;
    result.why = "interrupted";
    return result;
  }
  result.model = function(result.x);
  ++result.evaluations;
  result.why = result.model.why;
  if (!result.why.empty()) return result;
  const auto n = static_cast<Eigen::Index>(result.x.size());
  Eigen::MatrixXd h(n, n), damped(n, n);
  Eigen::VectorXd g(n), low(n), high(n);
  double mu = -1.0, growth = 2.0;
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    h = box.unit.asDiagonal() * result.model.curvature * box.unit.asDiagonal();
    g = box.unit.cwiseProduct(result.model.gradient);
    low = (box.low - result.x).cwiseQuotient(box.unit).cwiseMin(0.0);
    high = (box.high - result.x).cwiseQuotient(box.unit).cwiseMax(0.0);
    const double largest = std::max(h.diagonal().maxCoeff(), 1e-300);
    const double end = options.tolerance + options.relative * std::abs(result.model.value);
    damped = h;
    damped.diagonal().array() += least_damping * largest;
    BoxStep step = solve_in_box(damped, g, low, high);
    if (step.decrease <= end) {
      result.converged = step.solved;
      if (!step.solved) result.why = "the curvature is not finite";
      return result;
    }
    const double could_gain = step.decrease;
    if (mu < 0.0) mu = first_damping * largest;
    bool moved = false;
    while (!moved) {
      if (mu > least_damping * largest) {
        damped = h;
        damped.diagonal().array() += mu;
        step = solve_in_box(damped, g, low, high);
      }
      const double expected = step.decrease + 0.5 * std::max(mu, 0.0) * step.x.squaredNorm();
      if (stopped()) {
        result.interrupted = true;
        result.why = "interrupted";
        return result;
      }
      const Eigen::VectorXd to = (result.x + box.unit.cwiseProduct(step.x)).cwiseMax(box.low).cwiseMin(box.high);
      LocalModel there = function(to);
      ++result.evaluations;
      const double gain = there.why.empty() ? result.model.value - there.value : -1.0;
      const double ratio = expected > 0.0 ? gain / expected : -1.0;
      if (gain > 0.0 && ratio > least_gain) {
        result.x = to;
        result.model = std::move(there);
        mu = std::max(mu * std::max(0.1, 1.0 - std::pow(2.0 * ratio - 1.0, 3)), 0.0);
        growth = 2.0;
        moved = true;
      } else {
        mu = std::max(mu, least_damping * largest) * growth;
        growth *= 2.0;
        if (mu > most_damping * largest) {
          result.converged = could_gain <= noise * end;
          if (!result.converged) result.why = "no step leads further down, though one should";
          return result;
        }
      }
    }
  }
  result.why = "not at rest after " + std::to_string(options.max_iterations) + " steps";
  return result;
}

}  // namespace microslip
