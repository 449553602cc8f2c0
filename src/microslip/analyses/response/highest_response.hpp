#pragma once
// The largest amplitude of a curve of periodic motions, and what points of both kinds of orbits tell alike.

#include <cmath>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/piecewise_response.hpp"

namespace microslip {

inline double level_of(const ResponsePoint& point) {
  return point.orbit.level;
}
inline double level_of(const PiecewisePoint& point) {
  return point.level;
}
inline double omega_of(const ResponsePoint& point) {
  return point.orbit.omega;
}
inline double omega_of(const PiecewisePoint& point) {
  return point.omega;
}

/// Of a motion whose multiplier is known.
struct Stability {
  double multiplier = 0.0;
  double multiplier_error = 0.0;
  std::optional<bool> stable;  ///< nothing: the error hides it

  /// true, false or null.
  [[nodiscard]] nlohmann::ordered_json stable_json() const;
};

inline double multiplier_error_of(const ResponsePoint& point) {
  return point.multiplier_error;
}
inline double multiplier_error_of(const PiecewisePoint&) {
  return 0.0;
}

/// Nothing where the multiplier is not known.
template <class Point>
std::optional<Stability> stability_of(const Point& point) {
  if (!point.multiplier) return std::nullopt;
  Stability result{*point.multiplier, multiplier_error_of(point), std::nullopt};
  if (point.stable() || point.unstable()) result.stable = point.stable();
  return result;
}

/// 1: stable, 0: unstable, nan: not known.
template <class Point>
double stability_mark(const Point& point) {
  if (point.stable()) return 1.0;
  return point.unstable() ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}

struct HighestResponse {
  std::string dof;  ///< label
  double level = 0.0;
  double frequency_hz = 0.0;
  double amplitude = 0.0;  ///< [length]
  std::optional<Stability> stability;

  [[nodiscard]] nlohmann::ordered_json to_json() const;
};

/// The largest amplitude among points and special points: of the degree of freedom whose peaks are located, if it is
/// recorded, else of the first one. Nothing where there is no point with an amplitude, or nothing is recorded.
template <class Response>
std::optional<HighestResponse> highest_of(const ResponseRecord& record, const System& system,
                                          const Response& response) {
  if (record.dofs.empty() || response.points.empty()) return std::nullopt;
  std::size_t place = 0;
  for (std::size_t i = 0; i < record.dofs.size(); ++i) {
    if (record.dofs[i] == record.peak_dof) place = i;
  }
  decltype(&response.points.front()) highest = nullptr;
  const auto compare = [&](const auto& point) {
    if (!std::isfinite(point.amplitude[place])) return;
    if (highest == nullptr || point.amplitude[place] > highest->amplitude[place]) highest = &point;
  };
  for (const auto& point : response.points) compare(point);
  for (const auto& special : response.special) compare(special.point);
  if (highest == nullptr) return std::nullopt;
  return HighestResponse{system.structure().labels()[static_cast<std::size_t>(record.dofs[place])], level_of(*highest),
                         omega_of(*highest) / two_pi, highest->amplitude[place], stability_of(*highest)};
}

}  // namespace microslip
