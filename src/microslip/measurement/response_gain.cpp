#include "microslip/measurement/response_gain.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace microslip {
namespace {

constexpr double least_difference = 0.07, standard_errors = 5.0;

}  // namespace

bool ResponseGain::differs() const {
  return std::abs(value - 1.0) > std::max(least_difference, standard_errors * error);
}

ResponseGain gain_between(const Eigen::VectorXcd& a, const Eigen::VectorXd& a_error, const Eigen::VectorXcd& b,
                          const Eigen::VectorXd& b_error) {
  double both = 0.0, own = 0.0, lines = 0.0;
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    const double noise = a_error(k) * a_error(k), variance = noise + b_error(k) * b_error(k);
    if (!(variance > 0.0) || !std::isfinite(variance)) continue;
    both += (std::conj(a(k)) * b(k)).real() / variance;
    own += (std::norm(a(k)) - 2.0 * noise) / variance;
    lines += 1.0;
  }
  if (!(own > standard_errors * std::sqrt(lines))) return {};  // the noise that was taken off is known to that
  return {both / own, 1.0 / std::sqrt(own), true};
}

}  // namespace microslip
