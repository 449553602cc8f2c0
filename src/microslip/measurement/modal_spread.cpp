#include "microslip/measurement/modal_spread.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "microslip/numerics/chance_beyond.hpp"

namespace microslip {
namespace {

/// Of the distance of a part from the whole. A part that knows as much as the whole: no less than half of what it would
/// be of independent data.
double variance_from_whole(const PartNumber& part, double whole_error) {
  const double own = part.error * part.error;
  return std::max(own - whole_error * whole_error, 0.5 * own);
}

/// Chance of noise alone to make parts differ as much as they do.
double chance_of_noise(double whole, double whole_error, const std::vector<PartNumber>& parts, double noise_freedom) {
  double squares = 0.0, weights = 0.0, mean = 0.0;
  int alone = 0, degrees = 0;
  for (const PartNumber& part : parts) {
    if (part.of_all) {
      squares += std::pow(part.value - whole, 2.0) / variance_from_whole(part, whole_error);
      ++degrees;
      continue;
    }
    const double weight = 1.0 / (part.error * part.error);
    weights += weight;
    const double step = (part.value - mean) * weight / weights;
    squares += (part.value - mean) * (weights - weight) * step;  // Welford's update of sum w (x - mean)^2
    mean += step;
    ++alone;
  }
  degrees += std::max(0, alone - 1);
  if (degrees == 0) return 1.0;
  return noise_freedom > 0.0 ? chance_of_variance_ratio(squares / degrees, degrees, noise_freedom)
                             : chance_of_chi_squared(squares, degrees);
}

}  // namespace

double spread_beyond_noise(double whole, double whole_error, const std::vector<PartNumber>& parts, double chance,
                           double noise_freedom) {
  std::vector<PartNumber> known;
  std::copy_if(parts.begin(), parts.end(), std::back_inserter(known),
               [](const PartNumber& part) { return std::isfinite(part.value) && part.error > 0.0; });
  if (known.empty() || !(chance_of_noise(whole, whole_error, known, noise_freedom) < chance)) return 0.0;
  double excess = 0.0;
  for (const PartNumber& part : known) {
    excess += std::pow(part.value - whole, 2.0) - variance_from_whole(part, whole_error);
  }
  return std::sqrt(std::max(0.0, excess / static_cast<double>(known.size())));
}

}  // namespace microslip
