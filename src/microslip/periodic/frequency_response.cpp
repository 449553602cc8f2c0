#include "microslip/periodic/frequency_response.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace microslip {

double curve_tolerance(const FrequencyResponseOptions& options) {
  constexpr double finest = 1e-7, coarsest = 1e-5;
  const bool chosen = options.method == SteadyMethod::harmonic_balance && options.harmonics == 0;
  return chosen ? std::clamp(0.1 * options.tolerance, finest, coarsest) : finest;
}

HarmonicBalance::Errors FrequencyResponse::largest_errors() const {
  HarmonicBalance::Errors largest;
  for (const ResponsePoint& point : points) {
    largest.truncation = std::max(largest.truncation, point.errors.truncation);
    largest.quadrature = std::max(largest.quadrature, point.errors.quadrature);
  }
  return largest;
}

std::string FrequencyResponse::unknown_points() const {
  const ResponsePoint* first = nullptr;
  int count = 0;
  const auto look_at = [&](const ResponsePoint& point) {
    if (point.known()) return;
    if (count++ == 0) first = &point;
  };
  for (const ResponsePoint& point : points) look_at(point);
  for (const SpecialPoint& found : special) look_at(found.point);
  if (first == nullptr) return {};
  const std::string more = count > 1 ? fmt::format(", the first of {} points", count) : std::string();
  return fmt::format("omega = {:.6g}, level {:g}{}: the period could not be run", first->orbit.omega,
                     first->orbit.level, more);
}

}  // namespace microslip
