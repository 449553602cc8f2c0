#include "microslip/transient/transient_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace microslip {

double stable_step(const System& system, const TransientOptions& options) {
  const Eigen::VectorXd& omega = system.stuck_modes().omega;
  const double highest =
      omega.size() == 0 ? 0.0 : omega(options.modes > 0 ? options.modes - 1 : static_cast<int>(omega.size()) - 1);
  const bool limited = options.scheme == Scheme::newmark && 2.0 * options.beta < options.gamma && highest > 0.0;
  return limited ? 1.0 / (highest * std::sqrt(0.5 * options.gamma - options.beta))
                 : std::numeric_limits<double>::infinity();
}

long step_count(const TransientOptions& options) {
  return std::max(1L, static_cast<long>(std::ceil(options.duration / options.step * (1.0 - 1e-12))));
}

void check_transient(const System& system, const InitialConditions& initial, const Record& record,
                     const TransientOptions& o) {
  const auto require = [](bool condition, const std::string& what, double got) {
    if (!condition) throw std::invalid_argument(fmt::format("{}, got {}", what, got));
  };
  require(o.duration > 0.0, "duration must be > 0", o.duration);
  require(o.step > 0.0, "step must be > 0", o.step);
  const auto modes = static_cast<int>(system.stuck_modes().omega.size());
  require(o.modes >= 0 && o.modes <= modes, "modes must be 0 to " + std::to_string(modes), o.modes);
  require(o.modes == 0 || o.modes >= system.stuck_modes().rigid, "modes must include the rigid ones", o.modes);
  require(o.gamma >= 0.5 && o.gamma <= 1.0, "gamma must be 0.5 to 1", o.gamma);
  require(o.beta >= 0.0 && o.beta <= 1.0, "beta must be 0 to 1", o.beta);
  require(o.alpha >= 0.0 && o.alpha <= 1.0 / 3.0, "alpha must be 0 to 1/3", o.alpha);
  require(o.rho_infinity >= 0.0 && o.rho_infinity <= 1.0, "rho_infinity must be 0 to 1", o.rho_infinity);
  const double stable = stable_step(system, o);
  require(o.step <= stable, fmt::format("step must be <= {:.6g}, beyond which this newmark is unstable", stable),
          o.step);
  require(o.tolerance > 0.0, "tolerance must be > 0", o.tolerance);
  require(o.max_iterations > 0, "max_iterations must be > 0", o.max_iterations);
  for (const Eigen::VectorXd* vector : {&initial.q, &initial.v}) {
    require(vector->size() == 0 || vector->size() == system.size(), "initial conditions must have one number a dof",
            static_cast<double>(vector->size()));
  }
  require(record.every >= 1, "record every must be >= 1", record.every);
  require(o.max_halvings >= 0, "max_halvings must be >= 0", o.max_halvings);
}

}  // namespace microslip
