#include <fmt/format.h>

#include <any>
#include <complex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "microslip/analyses/frf/analysis.hpp"
#include "microslip/periodic/orbit_history.hpp"
#include "microslip/periodic/piecewise_response.hpp"

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

/// The same from the neighbour's first motion, if it begins at the same frequency. A motion that is not found near it,
/// or is not known to be stable, is looked for as without a neighbour.
FrequencyResponse respond_near(const FrfAnalysis& analysis, std::size_t curve, const System& system,
                               const FirstMotions* before, const Observer& observer) {
  const SteadyRequest request = request_of(analysis, analysis.levels[curve]);
  if (before == nullptr || !analysis.tells_stability(system) || before->omega != analysis.from ||
      curve >= before->motions.size() || before->motions[curve].size() != system.size()) {
    return analysis.motions.respond(system, request, observer);
  }
  MotionRequest near = analysis.motions;
  near.options.start = before->motions[curve];
  FrequencyResponse response = near.respond(system, request, observer);
  const bool whole = response.ending == Ending::completed && response.points.front().stable();
  if (whole || response.ending == Ending::interrupted) return response;
  return analysis.motions.respond(system, request, observer);
}

/// What a combination leaves of exact orbits: a state of the first one of each curve.
struct FirstStates {
  double omega = 0.0;
  std::vector<OrbitSeed> seeds;
};

/// The same by exact orbits. `first` gets the state for the next combination.
FrequencyResponse respond_exactly(const FrfAnalysis& analysis, std::size_t curve, const FirstStates* before,
                                  OrbitSeed& first, const Observer& observer) {
  return response_or_failure([&] {
    PiecewiseResponses responses(*analysis.motions.model, analysis.motions.record, analysis.motions.options);
    if (before != nullptr && before->omega == analysis.from && curve < before->seeds.size()) {
      responses.begin_near(before->seeds[curve]);
    }
    FrequencyResponse response = responses.answer(request_of(analysis, analysis.levels[curve]), observer);
    if (!responses.first().arcs.empty()) first = responses.orbits().seed(responses.first());
    return response;
  });
}

}  // namespace

nlohmann::ordered_json FrfAnalysis::settings() const {
  nlohmann::ordered_json json = load_settings(motions, levels);
  if (has_curves()) {
    json["omega"] = {from, to};
  } else {
    json["at"] = at;
  }
  add_method_settings(motions, json);
  if (motions.options.isolas > 0.0) json["isolas"] = motions.options.isolas;
  return json;
}

std::string FrfAnalysis::describe() const {
  const std::string frequencies =
      has_curves() ? fmt::format("omega from {:g} to {:g}", from, to) : count_of_frequencies(at.size());
  const double isolas = motions.options.isolas;
  return describe_motions(motions, levels, frequencies) +
         (isolas > 0.0 ? fmt::format(", isolas up to {:g} times the level", isolas) : "");
}

std::string FrfAnalysis::curve_name(std::size_t curve) const {
  return fmt::format("level {:g}", levels[curve]);
}

WarmStart FrfAnalysis::warm_start() const {
  if (motions.piecewise()) {
    const bool one_motion = motions.options.periods == 1 && motions.model->settles_to_one_motion();
    return one_motion ? WarmStart::always : WarmStart::if_asked;
  }
  const bool grown = !motions.shooting() && has_curves() && motions.options.start.size() == 0;
  return grown ? WarmStart::if_asked : WarmStart::never;
}

AnalysisSummary FrfAnalysis::run(AnalysisRun& with) const {
  const bool warm = with.neighbour != nullptr && warm_start() != WarmStart::never;
  if (motions.piecewise()) {
    const FirstStates* before = warm ? std::any_cast<FirstStates>(with.neighbour) : nullptr;
    FirstStates first{from, {}};
    AnalysisSummary summary = run_curves(with, [&](std::size_t curve, const System&, const Observer& observer) {
      return respond_exactly(*this, curve, before, first.seeds.emplace_back(), observer);
    });
    if (warm) *with.neighbour = std::move(first);
    return summary;
  }
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
