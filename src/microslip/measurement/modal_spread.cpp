#include "microslip/measurement/modal_spread.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {

double chi_squared_bound(double degrees, double z) {
  const double ninth = 2.0 / (9.0 * degrees);
  return degrees * std::pow(std::max(0.0, 1.0 - ninth + z * std::sqrt(ninth)), 3.0);
}

double spread_beyond_noise(double whole, double whole_error, const Eigen::VectorXd& parts,
                           const Eigen::VectorXd& part_errors) {
  double chi_squared = 0.0, excess = 0.0;
  int count = 0;
  for (Eigen::Index p = 0; p < parts.size(); ++p) {
    if (!std::isfinite(parts(p)) || !(part_errors(p) > 0.0)) continue;
    const double difference = parts(p) - whole;
    // A part that knows as much as the whole: no less than half of what it would be of independent data.
    const double variance =
        std::max(part_errors(p) * part_errors(p) - whole_error * whole_error, 0.5 * part_errors(p) * part_errors(p));
    chi_squared += difference * difference / variance;
    excess += difference * difference - variance;
    ++count;
  }
  constexpr double rare = 3.09;  // 99.9 %
  if (count == 0 || chi_squared < chi_squared_bound(count, rare)) return 0.0;
  return std::sqrt(std::max(0.0, excess / count));
}

}  // namespace microslip
