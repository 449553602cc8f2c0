#include <fmt/format.h>

#include <any>
#include <complex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "microslip/analyses/frf/analysis.hpp"
#include "microslip/periodic/orbit_history.hpp"
#include "microslip/periodic/steady_vibration.hpp"

namespace microslip {
namespace {

/// What a combination of a parameter study leaves for the next one: the first motion of each curve.
struct FirstMotions {
  double omega = 0.0;
  std::vector<Eigen::VectorXcd> motions;  ///< first harmonic of the displacements; empty: none
};

Eigen::VectorXcd first_motion(const MotionRequest& motions, const System& system, const FrequencyResponse& response) {
  if (response.points.empty()) return {};
  std::vector<int> dofs(static_cast<std::size_t>(system.size()));
  std::iota(dofs.begin(), dofs.end(), 0);
  const Eigen::MatrixXd series = orbit_series(system, motions.load, response.points.front().orbit, dofs);
  return (series.row(1).cast<std::complex<double>>() - std::complex<double>(0.0, 1.0) * series.row(2)).transpose();
}

/// The curve of one level, or the motions at single frequencies.
SteadyRequest request_of(const FrfAnalysis& analysis, double level) {
  if (!analysis.has_curves()) return AtFrequencies{.level = level, .omegas = analysis.at};
  if (analysis.start_omega > 0.0) {
    return ThroughFrequency{.level = level, .omega = analysis.start_omega, .from = analysis.from, .to = analysis.to};
  }
  return OverFrequency{.level = level, .from = analysis.from, .to = analysis.to};
}

FrequencyResponse respond(const FrfAnalysis& analysis, const FrequencyResponseOptions& options, std::size_t curve,
                          const System& system, const Observer& observer) {
  const MotionRequest& motions = analysis.motions;
  return response_or_failure([&] {
    return steady_vibration(system, motions.load, request_of(analysis, analysis.levels[curve]), motions.record, options,
                            observer);
  });
}

/// The same from the neighbour's first motion, if it begins at the same frequency. A motion that is not found near it,
/// or is not known to be stable, is looked for as without a neighbour.
FrequencyResponse respond_near(const FrfAnalysis& analysis, std::size_t curve, const System& system,
                               const FirstMotions* before, const Observer& observer) {
  const FrequencyResponseOptions& options = analysis.motions.options;
  if (before == nullptr || !analysis.tells_stability(system) || before->omega != analysis.from ||
      curve >= before->motions.size() || before->motions[curve].size() != system.size()) {
    return respond(analysis, options, curve, system, observer);
  }
  FrequencyResponseOptions near = options;
  near.start = before->motions[curve];
  FrequencyResponse response = respond(analysis, near, curve, system, observer);
  const bool whole = response.ending == Ending::completed && response.points.front().stable();
  if (whole || response.ending == Ending::interrupted) return response;
  return respond(analysis, options, curve, system, observer);
}

}  // namespace

nlohmann::ordered_json FrfAnalysis::settings() const {
  nlohmann::ordered_json json = load_settings(motions, levels);
  if (has_curves()) {
    json["omega"] = {from, to};
  } else {
    json["at"] = at;
  }
  if (!motions.piecewise()) {
    add_method_settings(motions, json);
    return json;
  }
  json["method"] = word_of(motions.method(), response_methods);
  json["modes"] = piecewise_options.modes;
  json["period"] = piecewise_options.periods;
  json["stability"] = piecewise_options.stability;
  json["max_step"] = piecewise_options.max_step;
  return json;
}

std::string FrfAnalysis::describe() const {
  const std::string frequencies =
      has_curves() ? fmt::format("omega from {:g} to {:g}", from, to) : count_of_frequencies(at.size());
  if (!motions.piecewise()) return describe_motions(motions, levels, frequencies);
  const int modes = piecewise_options.modes;
  return fmt::format("{}, piecewise linear, {}", describe_load(motions, levels, frequencies),
                     modes > 0 ? fmt::format("{} modes", modes) : std::string("all modes"));
}

std::string FrfAnalysis::curve_name(std::size_t curve) const {
  return fmt::format("level {:g}", levels[curve]);
}

bool FrfAnalysis::tells_stability(const System& system) const {
  return motions.piecewise() ? piecewise_options.stability : ResponseCurves::tells_stability(system);
}

WarmStart FrfAnalysis::warm_start() const {
  if (motions.piecewise()) {
    const bool one_motion = piecewise_options.periods == 1 && piecewise_model->settles_to_one_motion();
    return one_motion ? WarmStart::always : WarmStart::if_asked;
  }
  const bool grown = !motions.shooting() && has_curves() && motions.options.start.size() == 0;
  return grown ? WarmStart::if_asked : WarmStart::never;
}

AnalysisSummary FrfAnalysis::run(AnalysisRun& with) const {
  if (motions.piecewise()) return run_piecewise(with);
  const bool warm = with.neighbour != nullptr && warm_start() != WarmStart::never;
  const FirstMotions* before = warm ? std::any_cast<FirstMotions>(with.neighbour) : nullptr;
  FirstMotions first{from, {}};
  AnalysisSummary summary = run_curves(with, [&](std::size_t curve, const System& system, const Observer& observer) {
    FrequencyResponse response = respond_near(*this, curve, system, before, observer);
    if (warm) first.motions.push_back(first_motion(motions, system, response));
    return response;
  });
  if (warm) *with.neighbour = std::move(first);
  return summary;
}

}  // namespace microslip
