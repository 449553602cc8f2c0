#include "microslip/inference/error_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

constexpr double first_way = 3.0;  // in standard errors
constexpr double rise_of_two = 4.0;
constexpr int most_iterations = 20;
constexpr double tolerance = 1e-2;  // of half a square

/// The way of parameter k to one side over which S rises by less than 4, as far as it is looked for; 0: less than three
/// errors.
double weak_way(const LocalFunction& half, const Box& box, const Eigen::VectorXd& x, double least, Eigen::Index k,
                const Eigen::VectorXd& along, const DescentOptions& options) {
  const double end = std::abs((along(k) > 0.0 ? box.high(k) : box.low(k)) - x(k));
  const double error = std::abs(along(k));
  double weak = 0.0;
  Eigen::VectorXd start = x + first_way * along;
  for (double way = first_way * error; way <= end;) {
    Box held = box;
    held.low(k) = held.high(k) = start(k) = x(k) + std::copysign(way, along(k));
    const Descent descent = descend(half, held, start, options);
    if (descent.model.gradient.size() == 0 || 2.0 * (descent.model.value - least) >= rise_of_two) break;
    weak = way;
    start = descent.x;
    if (way == end) break;
    way = std::min(2.0 * way, end);
  }
  return weak;
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
    const double weak =
        std::max(weak_way(half, box, x, least, k, along, options), weak_way(half, box, x, least, k, -along, options));
    if (weak == 0.0) continue;
    information.errors(k) = 0.5 * weak;
    information.determined[number] = information.errors(k) < 0.5 * information.unit(k);
    names += fmt::format("{}{} ({:.2g} times)", names.empty() ? "" : ", ", parameters[number].name, 0.5 * weak / error);
  }
  if (names.empty()) return names;
  return "Errors are larger than the derivatives say, half of the way over which the sum of squares rises by less than "
         "4: " +
         names + ".";
}

}  // namespace microslip
