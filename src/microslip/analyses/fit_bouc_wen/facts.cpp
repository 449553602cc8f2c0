#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/fit_bouc_wen/parts.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

ordered_json law_json(const FitBoucWenFacts::FittedLaw& law) {
  const auto& p = law.parameters;
  ordered_json json;
  json["k0"] = p.k0;
  json["alpha"] = p.alpha;
  json["A"] = p.a;
  json["beta"] = p.beta;
  json["gamma"] = p.gamma;
  json["n"] = p.n;
  json["misfit"] = law.misfit;
  json["work_error"] = law.work_error;
  return json;
}

ordered_json admissibility_json(const BoucWenAdmissibility& known) {
  ordered_json json;
  json["bounded"] = known.bounded;
  json["class"] = known.ikhouane == 1 ? "I" : known.ikhouane == 2 ? "II" : "none";
  json["dissipates"] = known.dissipates;
  json["passive"] = known.passive;
  json["z_max"] = known.z_max;
  if (std::isfinite(known.z_basin)) json["z_basin"] = known.z_basin;
  return json;
}

ordered_json curve_json(const FitBoucWenFacts::FittedCurve& curve) {
  ordered_json json;
  json["motion"] = word_of(curve.motion, FitBoucWenAnalysis::motions);
  json["points"] = curve.points;
  json["half_range"] = curve.half_range;
  json["misfit"] = curve.misfit;
  json["work"] = curve.work;
  json["work_fit"] = curve.work_fit;
  json["cycle_of_amplitude"] = curve.cycle_of_amplitude;
  json["cycle_of_force"] = curve.cycle_of_force;
  return json;
}

FitBoucWenFacts::FittedLaw fitted_law(const BoucWenCandidate& candidate) {
  return {candidate.parameters, candidate.misfit, candidate.work_error};
}

}  // namespace

FitBoucWenFacts bouc_wen_facts(const BoucWenData& data, const BoucWenFit& fit) {
  FitBoucWenFacts facts;
  facts.best = fitted_law(fit.best);
  facts.errors = fit.errors;
  facts.undetermined = fit.undetermined;
  facts.independent = fit.independent;
  facts.stage = fit.best.stage;
  facts.iterations = fit.iterations;
  facts.sensitivity = fit.sensitivity;
  facts.weakest = fit.weakest;
  facts.admissibility = admissibility(fit.best.parameters);
  for (std::size_t r = 0; r < fit.records.size(); ++r) {
    const BoucWenRecordFit& record = fit.records[r];
    facts.curves.push_back({data.motions[r], data.records[r].size(), data.half_ranges[r], record.misfit, record.work,
                            record.work_model, record.dissipation, record.dissipation_force});
  }
  for (const BoucWenCandidate& candidate : fit.candidates) {
    if (candidate.stage == BoucWenStage::start) facts.start = fitted_law(candidate);
  }
  return facts;
}

ordered_json FitBoucWenFacts::to_json() const {
  ordered_json json = law_json(best);
  for (std::size_t k = 0; k < errors.size(); ++k) {
    if (std::isfinite(errors[k])) json[fmt::format("{}_error", bouc_wen_names[k])] = errors[k];
  }
  if (!std::isnan(errors.front())) {
    json["undetermined"] = undetermined;
    json["independent"] = independent;
  }
  json["stage"] = static_cast<int>(stage);
  json["iterations"] = iterations;
  if (std::isfinite(sensitivity)) {
    json["sensitivity"] = sensitivity;
    json["weakest"] = weakest;
  }
  json["admissibility"] = admissibility_json(admissibility);
  ordered_json all = ordered_json::array();
  for (const FittedCurve& curve : curves) all.push_back(curve_json(curve));
  json["curves"] = std::move(all);
  if (start) json["start"] = law_json(*start);
  return json;
}

}  // namespace microslip
