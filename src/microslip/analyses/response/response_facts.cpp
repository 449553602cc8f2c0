#include "microslip/analyses/response/response_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "microslip/numerics/constants.hpp"

namespace microslip {

std::optional<Stability> stability_of(const ResponsePoint& point) {
  if (!point.multiplier) return std::nullopt;
  Stability result{*point.multiplier, point.multiplier_error, std::nullopt};
  if (point.stable() || point.unstable()) result.stable = point.stable();
  return result;
}

double stability_mark(const ResponsePoint& point) {
  if (point.stable()) return 1.0;
  return point.unstable() ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}

std::optional<HighestResponse> highest_of(const ResponseRecord& record, const System& system,
                                          const FrequencyResponse& response, int piece) {
  if (record.dofs.empty() || response.points.empty()) return std::nullopt;
  std::size_t place = 0;
  for (std::size_t i = 0; i < record.dofs.size(); ++i) {
    if (record.dofs[i] == record.peak_dof) place = i;
  }
  const ResponsePoint* highest = nullptr;
  const auto compare = [&](const ResponsePoint& point) {
    if (point.piece != piece || !std::isfinite(point.amplitude[place])) return;
    if (highest == nullptr || point.amplitude[place] > highest->amplitude[place]) highest = &point;
  };
  for (const ResponsePoint& point : response.points) compare(point);
  for (const SpecialPoint& special : response.special) compare(special.point);
  if (highest == nullptr) return std::nullopt;
  return HighestResponse{system.structure().labels()[static_cast<std::size_t>(record.dofs[place])],
                         highest->orbit.level, highest->orbit.omega / two_pi, highest->amplitude[place],
                         stability_of(*highest)};
}

nlohmann::ordered_json Stability::stable_json() const {
  if (!stable) return nullptr;
  return *stable;
}

nlohmann::ordered_json HighestResponse::to_json() const {
  nlohmann::ordered_json json;
  json["dof"] = dof;
  json["level"] = level;
  json["frequency_hz"] = frequency_hz;
  json["amplitude"] = amplitude;
  if (stability) json["stable"] = stability->stable_json();
  return json;
}

nlohmann::ordered_json ResponseFacts::Detached::to_json() const {
  nlohmann::ordered_json json;
  json["level"] = level;
  json["piece"] = piece;
  json["from_hz"] = from_hz;
  json["to_hz"] = to_hz;
  json["closed"] = closed;
  json["points"] = points;
  if (highest) json["highest"] = highest->to_json();
  return json;
}

nlohmann::ordered_json ResponseFacts::to_json() const {
  nlohmann::ordered_json json;
  json["points"] = points;
  if (special) {
    json["folds"] = special->folds;
    json["peaks"] = special->peaks;
    json["other_special_points"] = special->others;
  }
  const bool piecewise = method == SteadyMethod::piecewise_linear;
  if (tells_stability) {
    json["unstable_points"] = unstable_points;
    if (!piecewise) {
      json["undecided_points"] = undecided_points;
      json["unknown_multipliers"] = unknown_multipliers;
    }
  }
  for (const HighestResponse& one : highest) json["highest"].push_back(one.to_json());
  if (detached) {
    json["detached"] = nlohmann::ordered_json::array();
    for (const Detached& curve : *detached) json["detached"].push_back(curve.to_json());
  }
  json["iterations"] = iterations;
  if (piecewise) {
    json["phase_error"] = phase_error;
  } else if (method == SteadyMethod::shooting) {
    json["steps"] = samples;
    json["step_error"] = quadrature_error;
  } else {
    json["harmonics"] = harmonics;
    json["samples"] = samples;
    json["truncation_error"] = truncation_error;
    json["quadrature_error"] = quadrature_error;
  }
  return json;
}

void ResponseFacts::add(const FrequencyResponse& response) {
  points += static_cast<long>(response.points.size());
  for (const ResponsePoint& point : response.points) {
    iterations += point.iterations;
    harmonics = std::max(harmonics, point.orbit.harmonics);
    samples = std::max(samples, point.samples);
    if (point.exact) phase_error = std::max(phase_error, point.exact->error);
    if (point.unstable()) ++unstable_points;
    if (point.multiplier && !std::isfinite(*point.multiplier)) {
      ++unknown_multipliers;
    } else if (point.multiplier && !point.stable() && !point.unstable()) {
      ++undecided_points;
    }
  }
  for (const SpecialPoint& found : response.special) count(found.kind);
  const HarmonicBalance::Errors errors = response.largest_errors();
  truncation_error = std::max(truncation_error, errors.truncation);
  quadrature_error = std::max(quadrature_error, errors.quadrature);
}

void ResponseFacts::add_detached(const ResponseRecord& record, const System& system,
                                 const FrequencyResponse& response) {
  if (!detached) return;
  for (const DetachedCurve& curve : response.detached) {
    const auto points = std::ranges::count(response.points, curve.piece, &ResponsePoint::piece);
    detached->push_back({response.points.front().orbit.level, curve.piece, curve.from / two_pi, curve.to / two_pi,
                         curve.closed, static_cast<long>(points), highest_of(record, system, response, curve.piece)});
  }
}

void ResponseFacts::count(SpecialKind kind) {
  if (!special) return;
  ++(kind == SpecialKind::fold ? special->folds : kind == SpecialKind::peak ? special->peaks : special->others);
}

}  // namespace microslip
