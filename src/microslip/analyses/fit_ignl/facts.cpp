#include "microslip/analyses/fit_ignl/facts.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace microslip {
namespace {

/// Limit loads within the data, told before anybody steps a force beyond them.
std::vector<FitIgnlFacts::Limit> limits_of(const IgnlFit& fit, bool negative) {
  std::vector<FitIgnlFacts::Limit> limits;
  for (const bool slipping : {false, true}) {
    for (const double end : {fit.upper_end, fit.lower_end}) {
      if (end < 0.0 && !negative) continue;
      const double reach = slipping ? std::copysign(std::min(std::abs(end), fit.end), end) : end;
      if (const auto load = limit_load(fit.model, reach, slipping)) limits.push_back({slipping, *load});
    }
  }
  return limits;
}

}  // namespace

FitIgnlFacts ignl_facts(const IgnlFit& fit, bool negative) {
  FitIgnlFacts facts;
  const SiceFit& polynomial = fit.polynomial;
  facts.order = polynomial.order;
  facts.k = polynomial.k;
  const auto chosen = std::find_if(polynomial.tried.begin(), polynomial.tried.end(),
                                   [&](const SiceOrder& tried) { return tried.order == polynomial.order; });
  facts.misfit = chosen->misfit;
  facts.validation = chosen->validation;
  facts.omega_stuck = std::sqrt(fit.model.stuck.front() / fit.model.mass);
  facts.slips = fit.model.friction.has_value();
  facts.friction_stiffness = facts.slips ? fit.model.friction_stiffness : 0.0;
  facts.sliders = facts.slips && fit.sliders;
  if (!fit.negative.empty()) facts.sides = {fit.masing_difference, fit.masing_beyond_noise, fit.masing};
  facts.lower_end = fit.lower_end;
  facts.upper_end = fit.upper_end;
  facts.limit_loads = limits_of(fit, negative);
  return facts;
}

void add_ignl_facts(const IgnlOverAmplitude& over, FitIgnlFacts& facts) {
  if (over.main.points.empty()) return;
  const std::size_t last = over.main.points.size() - 1;
  const IgnlPoint &low = over.main.points.front(), &high = over.main.points.back();
  facts.over_amplitude = {{low.q, high.q}, {low.omega, high.omega}, {low.zeta, high.zeta}};
  if (over.interrupted) return;
  const std::vector<double>&omega = over.bands.omega.error, &zeta = over.bands.zeta.error;
  facts.errors = {
      {omega[0], omega[last]}, {zeta[0], zeta[last]}, amplitudes_above(over.main, zeta, &IgnlPoint::zeta, 1.0).count};
}

std::string curve_word(const FitIgnlFacts::Limit& limit) {
  return limit.slipping ? "slipping" : "stuck";
}

nlohmann::ordered_json FitIgnlFacts::to_json() const {
  nlohmann::ordered_json json;
  json["order"] = order;
  json["k"] = k;
  json["misfit"] = misfit;
  json["validation"] = validation;
  json["omega_stuck"] = omega_stuck;
  json["KT"] = friction_stiffness;
  json["friction"] = !slips ? "none" : sliders ? "sliders" : "points";
  if (sides) {
    json["masing_difference"] = sides->masing_difference;
    json["masing_beyond_noise"] = sides->masing_beyond_noise;
    json["masing"] = sides->masing;
  }
  json["range"] = {lower_end, upper_end};
  for (const Limit& limit : limit_loads) {
    json["limit_loads"].push_back({{"curve", curve_word(limit)}, {"u", limit.load.x}, {"f", limit.load.force}});
  }
  if (over_amplitude) {
    json["q"] = over_amplitude->q;
    json["omega"] = over_amplitude->omega;
    json["zeta"] = over_amplitude->zeta;
  }
  if (errors) {
    json["omega_error"] = errors->omega;
    json["zeta_error"] = errors->zeta;
    json["undetermined"] = errors->undetermined;
  }
  return json;
}

}  // namespace microslip
