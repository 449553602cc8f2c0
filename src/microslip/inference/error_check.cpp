#include "microslip/inference/error_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

constexpr double first_way = 3.0;  // in standard errors
constexpr double most_rise = 9.0;
constexpr double least_growth = 1.5;  // of an error that is told
constexpr int most_iterations = 20;
constexpr double tolerance = 1e-2;  // of half a square

/// The largest error of parameter k that a way to one side implies, as far as S rises by less than 9.
double implied_error(const LocalFunction& half, const Box& box, const Eigen::VectorXd& x, double least, Eigen::Index k,
                     const Eigen::VectorXd& along, const DescentOptions& options) {
  const double end = std::abs((along(k) > 0.0 ? box.high(k) : box.low(k)) - x(k));
  const double error = std::abs(along(k));
  double implied = 0.0;
  Eigen::VectorXd start = x + first_way * along;
  for (double way = first_way * error; way <= end;) {
    Box held = box;
    held.low(k) = held.high(k) = start(k) = x(k) + std::copysign(way, along(k));
    const Descent descent = descend(half, held, start, options);
    const double rise = 2.0 * (descent.model.value - least);
    if (descent.model.gradient.size() == 0 || rise >= most_rise) break;
    implied = std::max(implied, way / std::sqrt(std::max(rise, 4.0)));
    start = descent.x;
    if (way == end) break;
    way = std::min(2.0 * way, end);
  }
  return implied;
}

}  // namespace

std::string check_errors(const LocalFunction& half, const std::vector<ResidualProblem::Parameter>& parameters,
                         const Eigen::VectorXd& x, double least, const std::function<bool()>& stopped,
                         Information& information) {
  const Box box = box_of(parameters);
  DescentOptions options;
  options.max_iterations = most_iterations;
  options.tolerance = tolerance;
  options.stopped = stopped;
  std::string names;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const auto number = static_cast<std::size_t>(k);
    if (!information.determined[number]) continue;
    const double error = information.errors(k);
    const Eigen::VectorXd along = information.covariance.col(k) / error;
    const double implied = std::max(implied_error(half, box, x, least, k, along, options),
                                    implied_error(half, box, x, least, k, -along, options));
    if (implied < (1.0 - 1e-12) * least_growth * error) continue;
    information.errors(k) = implied;
    information.determined[number] = implied < 0.5 * information.unit(k);
    names += fmt::format("{}{} ({:.2g} times)", names.empty() ? "" : ", ", parameters[number].name, implied / error);
  }
  if (names.empty()) return names;
  return "Errors are larger than the derivatives say, as little as the sum of squares rises: " + names + ".";
}

}  // namespace microslip
