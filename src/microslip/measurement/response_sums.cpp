#include "microslip/measurement/response_sums.hpp"

#include <cmath>

namespace microslip {

Eigen::VectorXcd ResponseSums::response(FrfEstimator estimator) const {
  Eigen::VectorXcd h(ff.size());
  for (Eigen::Index k = 0; k < ff.size(); ++k) {
    const double size = std::abs(xf(k));
    if (!(ff(k) > 0.0) || !(size > 0.0)) {
      h(k) = 0.0;
      continue;
    }
    const std::complex<double> h1 = xf(k) / ff(k);
    const double coherence = size / ff(k) * (size / xx(k));
    h(k) = estimator == FrfEstimator::H1   ? h1
           : estimator == FrfEstimator::H2 ? h1 / coherence
                                           : h1 / std::sqrt(coherence);
  }
  return h;
}

Eigen::VectorXd ResponseSums::coherence() const {
  Eigen::VectorXd result(ff.size());
  for (Eigen::Index k = 0; k < ff.size(); ++k) {
    const double size = std::abs(xf(k));
    const bool silent = !(ff(k) > 0.0) || !(xx(k) > 0.0);
    result(k) = silent ? 0.0 : std::min(1.0, size / ff(k) * (size / xx(k)));
  }
  return result;
}

}  // namespace microslip
