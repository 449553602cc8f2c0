#include "microslip/periodic/frequency_response.hpp"

#include <algorithm>

namespace microslip {

HarmonicBalance::Errors FrequencyResponse::largest_errors() const {
  HarmonicBalance::Errors largest;
  for (const ResponsePoint& point : points) {
    largest.truncation = std::max(largest.truncation, point.errors.truncation);
    largest.quadrature = std::max(largest.quadrature, point.errors.quadrature);
  }
  return largest;
}

}  // namespace microslip
