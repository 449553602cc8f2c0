#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "microslip/analyses/level_sweep/analysis.hpp"

namespace microslip {

nlohmann::ordered_json LevelSweepAnalysis::settings() const {
  nlohmann::ordered_json json = load_settings(motions, levels);
  json["at"] = at;
  add_method_settings(motions, json);
  return json;
}

std::string LevelSweepAnalysis::describe() const {
  return describe_motions(motions, levels, count_of_frequencies(at.size()));
}

std::string LevelSweepAnalysis::curve_name(std::size_t curve) const {
  return fmt::format("omega {:g}", at[curve]);
}

AnalysisSummary LevelSweepAnalysis::run(AnalysisRun& with) const {
  return run_curves(with, [&](std::size_t curve, const System& system, const Observer& observer) {
    const OverLevel request{.omega = at[curve], .from = levels.front(), .to = levels.back()};
    return motions.respond(system, request, observer);
  });
}

}  // namespace microslip
