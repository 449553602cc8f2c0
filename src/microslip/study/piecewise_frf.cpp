// kind = "frf", method = "piecewise_linear": exact orbits with rigid friction.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <optional>

#include "microslip/numerics/constants.hpp"
#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/frf_analysis.hpp"
#include "microslip/study/highest_response.hpp"

namespace microslip {
namespace {

nlohmann::ordered_json piecewise_settings(const FrfAnalysis& analysis) {
  nlohmann::ordered_json json;
  json["kind"] = std::string(FrfAnalysis::kind);
  json["load"] = analysis.loads;
  json["levels"] = analysis.levels;
  if (analysis.at.empty()) {
    json["omega"] = {analysis.from, analysis.to};
  } else {
    json["at"] = analysis.at;
  }
  json["method"] = "piecewise_linear";
  json["modes"] = analysis.piecewise_options.modes;
  json["period"] = analysis.piecewise_options.periods;
  json["stability"] = analysis.piecewise_options.stability;
  json["max_step"] = analysis.piecewise_options.max_step;
  return json;
}

std::vector<Column> piecewise_columns(const FrfAnalysis& analysis, const System& system, bool special) {
  std::vector<Column> result = motion_columns(analysis.record, system, special);
  for (const Joint& joint : system.joints()) {
    result.push_back(
        {fmt::format("dissipation[{}]", joint.name), "force length", "of the joint, per period of the load"});
  }
  if (analysis.piecewise_options.stability) {
    result.push_back({"stable", "-", "1: no Floquet multiplier is outside the unit circle"});
    result.push_back({"multiplier", "-", "largest magnitude of a Floquet multiplier"});
  }
  result.push_back({"iterations", "-", "evaluations of the equations"});
  const auto each_damper = [&](const char* name, const char* unit, const char* what) {
    for (const Joint& joint : system.joints()) {
      if (is_rigid_friction(joint.law)) result.push_back({fmt::format("{}[{}]", name, joint.name), unit, what});
    }
  };
  each_damper("stick_fraction", "-", "stuck time over period");
  each_damper("friction_energy", "force length", "dissipated by friction, per period of the load");
  each_damper("case", "-",
              "1: never sticks, 2: sticks at both ends, 3: at the largest, 4: at the smallest deflection only; 0: "
              "anything else");
  result.push_back({"events", "-", "in a period of the motion"});
  result.push_back(
      {"error", "-", "last correction of the phases of the events [rad], or what does not close, relative"});
  return result;
}

void add_values(const PiecewisePoint& point, const System& system, std::vector<double>& row) {
  row.insert(row.end(), {point.level, point.omega, point.omega / two_pi});
  for (const auto* values : {&point.amplitude, &point.harmonic1, &point.phase1, &point.friction_energy}) {
    row.insert(row.end(), values->begin(), values->end());
  }
  if (point.multiplier) row.insert(row.end(), {point.stable() ? 1.0 : 0.0, *point.multiplier});
  row.push_back(point.iterations);
  const auto each_damper = [&](const auto& values) {
    for (std::size_t j = 0; j < system.joints().size(); ++j) {
      if (is_rigid_friction(system.joints()[j].law)) row.push_back(static_cast<double>(values[j]));
    }
  };
  each_damper(point.stick_fraction);
  each_damper(point.friction_energy);
  each_damper(point.cases);
  row.insert(row.end(), {static_cast<double>(point.events), point.error});
}

/// What a combination of a parameter study leaves for the next one.
struct FirstStates {
  double omega = 0.0;
  std::vector<OrbitSeed> seeds;  ///< one a level
};

PiecewiseResponse respond(const FrfAnalysis& analysis, std::size_t level, const System& system,
                          const FirstStates* before, OrbitSeed& first, const Observer& observer) {
  try {
    PiecewiseResponses responses(system, analysis.piecewise_loads, analysis.record, analysis.piecewise_options);
    if (before != nullptr && before->omega == analysis.from && level < before->seeds.size()) {
      responses.begin_near(before->seeds[level]);
    }
    PiecewiseResponse response = analysis.at.empty()
                                     ? responses.curve(analysis.levels[level], analysis.from, analysis.to, observer)
                                     : responses.at(analysis.levels[level], analysis.at, observer);
    first = responses.first();
    return response;
  } catch (const std::invalid_argument& error) {
    PiecewiseResponse response;
    response.ending = Ending::no_convergence;
    response.message = error.what();
    return response;
  }
}

}  // namespace

std::string describe_piecewise(const FrfAnalysis& analysis) {
  const std::string frequencies =
      analysis.at.empty() ? fmt::format("omega from {:g} to {:g}", analysis.from, analysis.to)
                          : fmt::format("{} frequenc{}", analysis.at.size(), analysis.at.size() == 1 ? "y" : "ies");
  const int modes = analysis.piecewise_options.modes;
  return fmt::format("load {}, level{} {:g}, {}, piecewise linear, {}", fmt::join(analysis.loads, ", "),
                     analysis.levels.size() > 1 ? "s" : "", fmt::join(analysis.levels, ", "), frequencies,
                     modes > 0 ? fmt::format("{} modes", modes) : std::string("all modes"));
}

AnalysisSummary run_piecewise(const FrfAnalysis& analysis, AnalysisRun& with) {
  with.results.settings(analysis.name, piecewise_settings(analysis));
  AnalysisSummary summary;
  summary.ending = Ending::completed;
  summary.message = "";
  TableSink sink = with.results.table(analysis.name);
  sink.begin(piecewise_columns(analysis, with.system, false));
  std::optional<TableSink> special;
  if (analysis.at.empty()) {
    special.emplace(with.results.table(analysis.name, "special"));
    special->begin(piecewise_columns(analysis, with.system, true));
  }
  std::size_t points = 0, unstable = 0, folds = 0, peaks = 0, others = 0;
  auto highest = nlohmann::ordered_json::array();
  long iterations = 0;
  double error = 0.0;
  std::vector<double> row;
  const FirstStates* before = with.neighbour != nullptr ? std::any_cast<FirstStates>(with.neighbour) : nullptr;
  FirstStates states{analysis.from, {}};
  const std::size_t levels = analysis.levels.size();
  for (std::size_t i = 0; i < levels && summary.ending != Ending::interrupted; ++i) {
    const Observer observer = [&](double fraction) {
      return !with.observer || with.observer((static_cast<double>(i) + fraction) / static_cast<double>(levels));
    };
    states.seeds.emplace_back();
    const PiecewiseResponse response = respond(analysis, i, with.system, before, states.seeds.back(), observer);
    for (const PiecewisePoint& point : response.points) {
      row.clear();
      add_values(point, with.system, row);
      sink.row(row);
      ++points;
      iterations += point.iterations;
      error = std::max(error, point.error);
      if (point.multiplier && !point.stable()) ++unstable;
    }
    add_highest(analysis.record, with.system, response, highest);
    for (const PiecewiseSpecial& found : response.special) {
      ++(found.kind == SpecialKind::fold ? folds : found.kind == SpecialKind::peak ? peaks : others);
      row = {static_cast<double>(found.kind), found.kind == SpecialKind::peak ? analysis.record.peak_dof + 1.0 : 0.0};
      add_values(found.point, with.system, row);
      special->row(row);
    }
    if (!response.message.empty()) {
      if (!summary.message.empty()) summary.message += "; ";
      summary.message += fmt::format("level {:g}: {}", analysis.levels[i], response.message);
    }
    if (response.ending == Ending::completed || summary.ending == Ending::no_convergence) continue;
    summary.ending = response.ending;
  }
  if (with.neighbour != nullptr) *with.neighbour = std::move(states);
  sink.close();
  if (special) special->close();
  summary.facts["points"] = points;
  if (special) {
    summary.facts["folds"] = folds;
    summary.facts["peaks"] = peaks;
    summary.facts["other_special_points"] = others;
  }
  if (analysis.piecewise_options.stability) summary.facts["unstable_points"] = unstable;
  if (!highest.empty()) summary.facts["highest"] = std::move(highest);
  summary.facts["iterations"] = iterations;
  summary.facts["phase_error"] = error;
  for (const auto& part : table_parts(analysis)) summary.files.push_back(table_name(analysis.name, part) + ".csv");
  return summary;
}

}  // namespace microslip
