#include "microslip/study/frf_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <complex>
#include <exception>
#include <numeric>
#include <optional>
#include <utility>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/orbit_history.hpp"
#include "microslip/periodic/shooting_response.hpp"
#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/highest_response.hpp"

namespace microslip {
namespace {

std::string_view solver_name(const FrfAnalysis& analysis) {
  return analysis.options.solver == HarmonicSolver::fixed_point ? "fixed_point" : "newton";
}

std::string chosen_or(int number) {
  return number > 0 ? std::to_string(number) : std::string("chosen");
}

nlohmann::ordered_json settings(const FrfAnalysis& analysis) {
  nlohmann::ordered_json json;
  json["kind"] = std::string(analysis.over_level ? LevelSweepAnalysis::kind : FrfAnalysis::kind);
  json["load"] = analysis.loads;
  json["levels"] = analysis.levels;
  if (analysis.at.empty()) {
    json["omega"] = {analysis.from, analysis.to};
  } else {
    json["at"] = analysis.at;
  }
  json["method"] = analysis.shooting ? "shooting" : "harmonic_balance";
  if (analysis.shooting) {
    json["steps"] = chosen_or(analysis.options.steps);
  } else {
    json["solver"] = std::string(solver_name(analysis));
    json["harmonics"] = chosen_or(analysis.options.harmonics);
    json["samples"] = chosen_or(analysis.options.samples);
  }
  json["tolerance"] = analysis.options.solver == HarmonicSolver::fixed_point ? analysis.options.fixed_point_tolerance
                                                                             : analysis.options.tolerance;
  json["max_step"] = analysis.options.max_step;
  return json;
}

std::vector<Column> columns(const FrfAnalysis& analysis, const System& system, bool special) {
  std::vector<Column> result = motion_columns(analysis.record, system, special);
  for (const Joint& joint : system.joints()) {
    result.push_back({fmt::format("dissipation[{}]", joint.name), "force length", "of the joint, per period"});
  }
  if (tells_stability(analysis, system)) {
    result.push_back(
        {"stable", "-", "1: no Floquet multiplier is outside the unit circle, 0: one is, nan: its error hides which"});
    result.push_back({"multiplier", "-", "largest magnitude of a Floquet multiplier"});
    result.push_back({"multiplier_error", "-", "estimate: how far it may be off"});
  }
  result.push_back({"iterations", "-", "evaluations of the equations"});
  if (analysis.shooting) {
    result.push_back({"steps", "-", "in the period"});
    result.push_back({"error", "-", "estimate, at this frequency: what the steps leave out of the motion, relative"});
  } else {
    result.push_back({"harmonics", "-", "in the series"});
    result.push_back({"error", "-",
                      "estimate, at this frequency: harmonics left out and integration of the joint forces, relative"});
  }
  return result;
}

void add_values(const FrfAnalysis& analysis, const ResponsePoint& point, double error, std::vector<double>& row) {
  row.insert(row.end(), {point.orbit.level, point.orbit.omega, point.orbit.omega / two_pi});
  for (const auto* values : {&point.amplitude, &point.harmonic1, &point.phase1, &point.dissipation}) {
    row.insert(row.end(), values->begin(), values->end());
  }
  if (point.multiplier) {
    row.insert(row.end(), {stability_mark(point), *point.multiplier, point.multiplier_error});
  }
  row.insert(row.end(), {static_cast<double>(point.iterations),
                         static_cast<double>(analysis.shooting ? point.samples : point.orbit.harmonics), error});
}

void write_points(const FrfAnalysis& analysis, const FrequencyResponse& response, Sink& sink) {
  std::vector<double> row;
  for (const ResponsePoint& point : response.points) {
    row.clear();
    add_values(analysis, point, point.errors.at_point(), row);
    sink.row(row);
  }
}

void write_special(const FrfAnalysis& analysis, const FrequencyResponse& response, Sink& sink) {
  std::vector<double> row;
  for (const SpecialPoint& special : response.special) {
    const bool peak = special.kind == SpecialKind::peak;
    row = {static_cast<double>(special.kind), peak ? analysis.record.peak_dof + 1.0 : 0.0};
    add_values(analysis, special.point, special.point.errors.distance(), row);
    sink.row(row);
  }
}

/// Curves: one a level, or one a frequency.
std::size_t curve_count(const FrfAnalysis& analysis) {
  return analysis.over_level ? analysis.at.size() : analysis.levels.size();
}

/// What a combination of a parameter study leaves for the next one: the first motion of each curve.
struct FirstMotions {
  double omega = 0.0;
  std::vector<Eigen::VectorXcd> motions;  ///< first harmonic of the displacements; empty: none
};

Eigen::VectorXcd first_motion(const FrfAnalysis& analysis, const System& system, const FrequencyResponse& response) {
  if (response.points.empty()) return {};
  std::vector<int> dofs(static_cast<std::size_t>(system.size()));
  std::iota(dofs.begin(), dofs.end(), 0);
  const Eigen::MatrixXd series = orbit_series(system, analysis.load, response.points.front().orbit, dofs);
  return (series.row(1).cast<std::complex<double>>() - std::complex<double>(0.0, 1.0) * series.row(2)).transpose();
}

/// Takes the idle joint out of the results.
void forget_idle_joint(FrequencyResponse& response) {
  for (ResponsePoint& point : response.points) point.dissipation.clear();
  for (SpecialPoint& special : response.special) special.point.dissipation.clear();
}

FrequencyResponse respond(const FrfAnalysis& analysis, std::size_t curve, const System& system,
                          const Observer& observer) {
  try {
    if (analysis.over_level) {
      const auto method = analysis.shooting ? shooting_levels : level_response;
      return method(system, analysis.load, analysis.at[curve], analysis.levels.front(), analysis.levels.back(),
                    analysis.record, analysis.options, observer);
    }
    const double level = analysis.levels[curve];
    if (!analysis.at.empty()) {
      const auto method = analysis.shooting ? shooting_at : responses_at;
      return method(system, analysis.load, level, analysis.at, analysis.record, analysis.options, observer);
    }
    if (analysis.start_omega > 0.0) {
      const auto method = analysis.shooting ? shooting_response_through : frequency_response_through;
      return method(system, analysis.load, level, analysis.start_omega, analysis.from, analysis.to, analysis.record,
                    analysis.options, observer);
    }
    const auto method = analysis.shooting ? shooting_response : frequency_response;
    return method(system, analysis.load, level, analysis.from, analysis.to, analysis.record, analysis.options,
                  observer);
  } catch (const std::exception& error) {  // a law that gave no number
    FrequencyResponse response;
    response.ending = Ending::no_convergence;
    response.message = error.what();
    return response;
  }
}

/// The same from the neighbour's first motion, if it begins at the same frequency. A motion that is not found near it,
/// or is not known to be stable, is looked for as without a neighbour.
FrequencyResponse respond_near(const FrfAnalysis& analysis, std::size_t curve, const System& system,
                               const FirstMotions* before, const Observer& observer) {
  if (before == nullptr || !tells_stability(analysis, system) || before->omega != analysis.from ||
      curve >= before->motions.size() || before->motions[curve].size() != system.size()) {
    return respond(analysis, curve, system, observer);
  }
  FrfAnalysis near = analysis;
  near.options.start = before->motions[curve];
  FrequencyResponse response = respond(near, curve, system, observer);
  const bool stable = !response.points.empty() && response.points.front().stable();
  if (stable || response.ending == Ending::interrupted) return response;
  return respond(analysis, curve, system, observer);
}

}  // namespace

bool tells_stability(const FrfAnalysis& analysis, const System& system) {
  if (analysis.piecewise) return analysis.piecewise_options.stability;
  return analysis.options.stability && (analysis.shooting || stability_obstacle(system).empty());
}

System with_idle_joint(const System& system, int dof) {
  Eigen::MatrixXd direction = Eigen::MatrixXd::Zero(system.size(), 1);
  direction(dof, 0) = 1.0;
  return {system.structure(), {Joint{"idle", Linear<double>(0.0), direction}}};
}

bool has_curves(const FrfAnalysis& analysis) {
  return analysis.at.empty() || analysis.over_level;
}

std::vector<Column> motion_columns(const ResponseRecord& record, const System& system, bool special) {
  std::vector<Column> result;
  if (special) {
    result.push_back({"type", "-",
                      "1: fold, the curve turns back in frequency; 2: peak of an amplitude; 3: change of stability; 4: "
                      "branch point, where another curve crosses (a pitchfork, for one); 5: jump to another motion"});
    result.push_back({"dof", "-", "number of the degree of freedom that peaks, from 1; else 0"});
  }
  result.insert(result.end(), {{"level", "-", "of the load"},
                               {"omega", "rad/time", "frequency of the load"},
                               {"frequency_hz", "1/time", "the same, omega/(2 pi)"}});
  const auto each_dof = [&](const char* name, const char* unit, const char* what, Scale scale = Scale::linear) {
    for (const int dof : record.dofs) {
      result.push_back(
          {fmt::format("{}[{}]", name, system.structure().labels()[static_cast<std::size_t>(dof)]), unit, what, scale});
    }
  };
  each_dof("amplitude", "length", "half of the range of the displacement", Scale::logarithmic);
  each_dof("harmonic1", "length", "amplitude of its first harmonic", Scale::logarithmic);
  each_dof("phase1", "rad", "phase of its first harmonic against the load");
  return result;
}

std::vector<std::string> table_parts(const FrfAnalysis& analysis) {
  if (!has_curves(analysis)) return {""};
  return {"", "special"};
}

std::string describe(const FrfAnalysis& analysis) {
  if (analysis.piecewise) return describe_piecewise(analysis);
  const std::string frequencies =
      analysis.at.empty() ? fmt::format("omega from {:g} to {:g}", analysis.from, analysis.to)
                          : fmt::format("{} frequenc{}", analysis.at.size(), analysis.at.size() == 1 ? "y" : "ies");
  const std::string_view unit = analysis.shooting ? "steps" : "harmonics";
  const int number = analysis.shooting ? analysis.options.steps : analysis.options.harmonics;
  const std::string accuracy =
      number > 0 ? fmt::format("{} {}", number, unit) : fmt::format("{} to {:g}", unit, analysis.options.tolerance);
  return fmt::format("load {}, level{} {:g}, {}, {}, {}{}", fmt::join(analysis.loads, ", "),
                     analysis.levels.size() > 1 ? "s" : "", fmt::join(analysis.levels, ", "), frequencies,
                     analysis.shooting ? "shooting" : "harmonic balance", accuracy,
                     analysis.options.solver == HarmonicSolver::fixed_point ? ", fixed point" : "");
}

WarmStart warm_start_of(const FrfAnalysis& analysis) {
  if (analysis.piecewise) return analysis.one_motion ? WarmStart::always : WarmStart::if_asked;
  const bool curves = !analysis.shooting && analysis.at.empty() && analysis.options.start.size() == 0;
  return curves ? WarmStart::if_asked : WarmStart::never;
}

AnalysisSummary run(const FrfAnalysis& analysis, AnalysisRun& with) {
  if (analysis.piecewise) return run_piecewise(analysis, with);
  with.results.settings(analysis.name, settings(analysis));
  AnalysisSummary summary;
  summary.ending = Ending::completed;
  summary.message = "";
  summary.only_remarks = true;
  TableSink sink = with.results.table(analysis.name);
  sink.begin(columns(analysis, with.system, false));
  std::optional<TableSink> special;
  if (has_curves(analysis)) {
    special.emplace(with.results.table(analysis.name, "special"));
    special->begin(columns(analysis, with.system, true));
  }
  std::size_t points = 0, unstable = 0, undecided = 0, folds = 0, peaks = 0, others = 0;
  auto highest = nlohmann::ordered_json::array();
  long iterations = 0;
  int harmonics = 0, samples = 0;
  HarmonicBalance::Errors errors;
  const bool warm = with.neighbour != nullptr && warm_start_of(analysis) != WarmStart::never;
  const FirstMotions* before = warm ? std::any_cast<FirstMotions>(with.neighbour) : nullptr;
  FirstMotions motions{analysis.from, {}};
  std::optional<System> idle;
  if (with.system.components() == 0) idle.emplace(with_idle_joint(with.system, analysis.record.peak_dof));
  const System& system = idle ? *idle : with.system;
  const std::size_t curves = curve_count(analysis);
  for (std::size_t i = 0; i < curves && summary.ending != Ending::interrupted; ++i) {
    const Observer observer = [&](double fraction) {
      return !with.observer || with.observer((static_cast<double>(i) + fraction) / static_cast<double>(curves));
    };
    FrequencyResponse response = respond_near(analysis, i, system, before, observer);
    if (warm) motions.motions.push_back(first_motion(analysis, system, response));
    if (idle) forget_idle_joint(response);
    write_points(analysis, response, sink);
    if (special) write_special(analysis, response, *special);
    add_highest(analysis.record, with.system, response, highest);
    points += response.points.size();
    for (const auto& point : response.points) {
      iterations += point.iterations;
      harmonics = std::max(harmonics, point.orbit.harmonics);
      samples = std::max(samples, point.samples);
      if (point.unstable()) ++unstable;
      if (point.multiplier && !point.stable() && !point.unstable()) ++undecided;
    }
    for (const auto& point : response.special) {
      ++(point.kind == SpecialKind::fold ? folds : point.kind == SpecialKind::peak ? peaks : others);
    }
    errors.truncation = std::max(errors.truncation, response.largest_errors().truncation);
    errors.quadrature = std::max(errors.quadrature, response.largest_errors().quadrature);
    summary.only_remarks = summary.only_remarks && response.message.empty();
    std::string text = response.message;
    add_note(response.remark, text);
    if (!text.empty()) {
      add_message(analysis.over_level ? fmt::format("omega {:g}: {}", analysis.at[i], text)
                                      : fmt::format("level {:g}: {}", analysis.levels[i], text),
                  summary);
    }
    if (response.ending == Ending::completed || summary.ending == Ending::no_convergence) continue;
    summary.ending = response.ending;
  }
  if (warm) *with.neighbour = std::move(motions);
  sink.close();
  if (special) special->close();
  summary.facts["points"] = points;
  if (special) {
    summary.facts["folds"] = folds;
    summary.facts["peaks"] = peaks;
    summary.facts["other_special_points"] = others;
  }
  if (tells_stability(analysis, with.system)) {
    summary.facts["unstable_points"] = unstable;
    summary.facts["undecided_points"] = undecided;
  }
  if (!highest.empty()) summary.facts["highest"] = std::move(highest);
  summary.facts["iterations"] = iterations;
  if (analysis.shooting) {
    summary.facts["steps"] = samples;
    summary.facts["step_error"] = errors.quadrature;
  } else {
    summary.facts["harmonics"] = harmonics;
    summary.facts["samples"] = samples;
    summary.facts["truncation_error"] = errors.truncation;
    summary.facts["quadrature_error"] = errors.quadrature;
  }
  for (const auto& part : table_parts(analysis)) summary.files.push_back(table_name(analysis.name, part) + ".csv");
  return summary;
}

std::vector<std::string> table_parts(const LevelSweepAnalysis& analysis) {
  return table_parts(analysis.curves);
}

std::string describe(const LevelSweepAnalysis& analysis) {
  return describe(analysis.curves);
}

AnalysisSummary run(const LevelSweepAnalysis& analysis, AnalysisRun& with) {
  FrfAnalysis curves = analysis.curves;
  curves.name = analysis.name;
  return run(curves, with);
}

}  // namespace microslip
