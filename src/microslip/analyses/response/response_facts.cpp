#include "microslip/analyses/response/response_facts.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace microslip {

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

void ResponseFacts::add(const PiecewiseResponse& response) {
  points += static_cast<long>(response.points.size());
  for (const PiecewisePoint& point : response.points) {
    iterations += point.iterations;
    phase_error = std::max(phase_error, point.error);
    if (point.unstable()) ++unstable_points;
  }
  for (const PiecewiseSpecial& found : response.special) count(found.kind);
}

void ResponseFacts::count(SpecialKind kind) {
  if (!special) return;
  ++(kind == SpecialKind::fold ? special->folds : kind == SpecialKind::peak ? special->peaks : special->others);
}

}  // namespace microslip
