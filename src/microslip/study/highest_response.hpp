#pragma once
// The largest amplitude of a curve of periodic motions, for summary.json.

#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

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

/// 1: stable, 0: unstable, nan: not known.
template <class Point>
double stability_mark(const Point& point) {
  if (point.stable()) return 1.0;
  return point.unstable() ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}
/// true, false, or null where it is not known.
template <class Point>
nlohmann::ordered_json stability_json(const Point& point) {
  if (!point.stable() && !point.unstable()) return nullptr;
  return point.stable();
}

/// Adds { "dof", "level", "frequency_hz", "amplitude", "stable" } of the largest amplitude among points and special
/// points: of the degree of freedom whose peaks are located, if it is recorded, else of the first one.
template <class Response>
void add_highest(const ResponseRecord& record, const System& system, const Response& response,
                 nlohmann::ordered_json& list) {
  if (record.dofs.empty() || response.points.empty()) return;
  std::size_t place = 0;
  for (std::size_t i = 0; i < record.dofs.size(); ++i) {
    if (record.dofs[i] == record.peak_dof) place = i;
  }
  const auto* highest = &response.points.front();
  for (const auto& point : response.points) {
    if (point.amplitude[place] > highest->amplitude[place]) highest = &point;
  }
  for (const auto& special : response.special) {
    if (special.point.amplitude[place] > highest->amplitude[place]) highest = &special.point;
  }
  nlohmann::ordered_json json;
  json["dof"] = system.structure().labels()[static_cast<std::size_t>(record.dofs[place])];
  json["level"] = level_of(*highest);
  json["frequency_hz"] = omega_of(*highest) / (2.0 * std::numbers::pi);
  json["amplitude"] = highest->amplitude[place];
  if (highest->multiplier) json["stable"] = stability_json(*highest);
  list.push_back(std::move(json));
}

}  // namespace microslip
