#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "microslip/analyses/update/analysis.hpp"
#include "microslip/analyses/update/methods.hpp"
#include "microslip/analyses/update/tables.hpp"
#include "microslip/analyses/update/targets.hpp"
#include "microslip/analyses/update/updated_study.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/inference/white_rows.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

UpdateProblem problem_of(const UpdateAnalysis& analysis, const AnalysisRun& with) {
  std::vector<CurveTarget> curves;
  std::vector<ModeTarget> modes;
  std::vector<LoopTarget> loops;
  for (const TestCurve& curve : analysis.curves) curves.push_back(curve_target(curve, with.results));
  for (const TestModes& each : analysis.modes) modes.push_back(mode_target(each, with.results, with.system));
  for (const TestLoop& loop : analysis.loops) loops.push_back(loop_target(loop, with.results));
  return UpdateProblem(analysis.model.model, analysis.model.parameters, std::move(curves), std::move(modes),
                       std::move(loops));
}

UpdateFacts facts_of_fit(const UpdateAnalysis& analysis, const UpdateProblem& problem, const LeastSquares& fit) {
  UpdateFacts facts = facts_of_best(analysis, problem, fit.x);
  for (std::size_t p = 0; p < facts.parameters.size(); ++p) {
    UpdateFacts::Parameter& parameter = facts.parameters[p];
    const auto i = static_cast<Eigen::Index>(p);
    parameter.error = fit.information.errors(i) * (analysis.model.parameters[p].logarithmic ? parameter.value : 1.0);
    parameter.at_end = fit.information.at_end[p];
    parameter.determined = fit.information.determined[p];
  }
  for (std::size_t g = 0; g < facts.groups.size(); ++g) {
    facts.groups[g].square = fit.squares[g];
    facts.groups[g].discrepancy = fit.discrepancy[g];
  }
  facts.square = fit.square;
  facts.starts = fit.starts.size();
  for (const StartEnd& start : fit.starts) facts.converged_starts += start.converged;
  facts.evaluations = fit.evaluations;
  return facts;
}

/// Rows that the updated model does not reach, and from where on.
std::string unreached_in_words(const UpdateProblem& problem, const LeastSquares& fit) {
  std::string words;
  for (std::size_t c = 0; c < problem.curves().size(); ++c) {
    double first = 0.0;
    std::size_t count = 0;
    for (const std::size_t row : fit.unreached) {
      const UpdateRow& info = problem.update_rows()[row];
      if (info.target != static_cast<int>(c)) continue;
      const double q = problem.curves()[c].q[static_cast<std::size_t>(info.index)];
      if (count++ == 0 || q < first) first = q;
    }
    if (count == 0) continue;
    const std::string why = problem.curve_at(fit.x, c).values.why;
    words += fmt::format("{}{}: {} from q = {:.4g} on are not reached{}", words.empty() ? "" : "; ",
                         problem.curves()[c].name, words::count_of(static_cast<long>(count), "row"), first,
                         why.empty() ? "" : " (" + why + ")");
  }
  return words;
}

/// Over the amplitudes of the test, on the load axis.
std::vector<StudyRamp> ramps_of(const UpdateProblem& problem, const Eigen::VectorXd& x) {
  std::vector<StudyRamp> ramps;
  for (std::size_t c = 0; c < problem.curves().size(); ++c) {
    const UpdateProblem::NodeCurve curve = problem.curve_at(x, c);
    if (curve.values.reached < 2) continue;
    const auto load = [&](int node) {
      const double omega = curve.values.values(node, omega_column);
      return omega * omega * curve.q[static_cast<std::size_t>(node)];
    };
    ramps.push_back({curve.mode + 1, load(0), load(curve.values.reached - 1)});
  }
  return ramps;
}

/// Channels that count for nothing, in the shapes and in the pairing.
void tell_left_out(const UpdateProblem& problem, AnalysisSummary& summary) {
  constexpr std::size_t most = 6;  // named
  for (const ModeTarget& target : problem.mode_targets()) {
    if (target.left_out.empty()) continue;
    const std::size_t named = std::min(most, target.left_out.size());
    add_message(fmt::format("{}: {} of the test left out, no point of the model: {}{}", target.name,
                            words::count_of(static_cast<long>(target.left_out.size()), "channel"),
                            fmt::join(target.left_out.begin(),
                                      target.left_out.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                            named < target.left_out.size() ? ", ..." : ""),
                summary);
  }
}

ordered_json number_or_null(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json();
}

}  // namespace

void write_updated_study(const UpdateAnalysis& analysis, const UpdateProblem& problem, const Eigen::VectorXd& x,
                         AnalysisRun& with, AnalysisSummary& summary) {
  const std::string file = analysis.other_files().front();
  with.results.text(file, updated_study(analysis.model, problem.values_of(x), ramps_of(problem, x),
                                        with.results.directory(), fmt::format("analysis \"{}\"", analysis.name)));
  summary.files.push_back(file);
}

void tell_interpolation(const UpdateAnalysis& analysis, const UpdateProblem& problem, const Eigen::VectorXd& x,
                        AnalysisSummary& summary) {
  constexpr double seen = 0.3;  // standard errors of a row
  std::vector<CurveTarget> closer = problem.curves();
  const auto between = [](const CurveTarget& curve) { return curve.q.size() > AmplitudeGrid::most_own; };
  if (std::none_of(closer.begin(), closer.end(), between)) return;
  for (CurveTarget& curve : closer) curve.per_decade *= 2;
  const UpdateProblem other(analysis.model.model, analysis.model.parameters, closer, {});
  const ResidualProblem::Answer own = problem.evaluate(x, false), finer = other.evaluate(x, false);
  if (!own.why.empty() || !finer.why.empty()) return;
  std::vector<double> most(closer.size(), 0.0);
  for (std::size_t i = 0; i < other.rows().size(); ++i) {  // those of curves come first in both
    const auto row = static_cast<Eigen::Index>(i);
    const double off = std::abs(finer.values(row) - own.values(row)) / problem.rows()[i].error;
    double& largest = most[static_cast<std::size_t>(problem.update_rows()[i].target)];
    if (off > largest) largest = off;
  }
  for (std::size_t c = 0; c < closer.size(); ++c) {
    if (most[c] <= seen) continue;
    add_message(fmt::format("{}: between the amplitudes that are computed the model is off by up to {:.2g} standard "
                            "errors of a row: raise per_decade, {}",
                            closer[c].name, most[c], problem.curves()[c].per_decade),
                summary);
  }
}

UpdateFacts facts_of_best(const UpdateAnalysis& analysis, const UpdateProblem& problem, const Eigen::VectorXd& x) {
  UpdateFacts facts;
  facts.method = analysis.method;
  const Eigen::VectorXd values = problem.values_of(x);
  for (std::size_t p = 0; p < analysis.model.parameters.size(); ++p) {
    UpdateFacts::Parameter parameter;
    parameter.name = analysis.model.parameters[p].name;
    parameter.paths = analysis.model.paths_of(p);
    parameter.value = values(static_cast<Eigen::Index>(p));
    facts.parameters.push_back(std::move(parameter));
  }
  const std::vector<double> none(problem.groups().size(), 0.0);
  const WhiteRows rows = white_rows(problem, problem.evaluate(x, false), none);
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const auto& group = problem.groups()[g];
    facts.groups.push_back({group.name, group.count, rows.missing[g], rows.squares[g], 0.0});
    facts.square += rows.squares[g];
  }
  return facts;
}

void update_by_least_squares(const UpdateAnalysis& analysis, const UpdateProblem& problem, AnalysisRun& with,
                             AnalysisSummary& summary) {
  LeastSquaresOptions options = analysis.options;
  options.from = best_trials(analysis, with.results, BestTrials::least);
  const LeastSquares fit = fit_least_squares(problem, options, with.observer);
  if (fit.x.size() == 0) {
    summary.ending = fit.interrupted ? Ending::interrupted : Ending::no_convergence;
    summary.message = fit.message.empty() ? "no start had an answer" : fit.message;
    return;
  }
  summary.ending = fit.interrupted ? Ending::interrupted : fit.converged ? Ending::completed : Ending::no_convergence;
  add_message(fit.message, summary);
  add_message(unreached_in_words(problem, fit), summary);
  write_update_tables(analysis.name, problem, fit, update_curve_rows(problem, fit), with.results, summary);
  tell_interpolation(analysis, problem, fit.x, summary);
  write_updated_study(analysis, problem, fit.x, with, summary);
  summary.sum_up(facts_of_fit(analysis, problem, fit));
}

ordered_json UpdateFacts::to_json() const {
  ordered_json json;
  json["method"] = word_of(method, update_methods);
  for (const Parameter& parameter : parameters) {
    json["parameters"].push_back({{"name", parameter.name},
                                  {"paths", parameter.paths},
                                  {"value", parameter.value},
                                  {"error", number_or_null(parameter.error)},
                                  {"at_end", parameter.at_end},
                                  {"determined", parameter.determined}});
    if (method == UpdateMethod::posterior) {
      json["parameters"].back()["low"] = parameter.low;
      json["parameters"].back()["high"] = parameter.high;
    }
  }
  for (const Group& group : groups) {
    json["groups"].push_back({{"name", group.name},
                              {"rows", group.rows},
                              {"unreached", group.unreached},
                              {"square", group.square},
                              {"discrepancy", group.discrepancy}});
  }
  json["square"] = square;
  if (method == UpdateMethod::least_squares) {
    json["starts"] = starts;
    json["converged_starts"] = converged_starts;
  } else if (method == UpdateMethod::posterior) {
    json["covered"] = covered;
    for (const Prediction& each : predictions) {
      json["predictions"].push_back({{"name", each.name},
                                     {"half_band_omega", each.omega},
                                     {"half_band_zeta", each.zeta},
                                     {"reached", each.reached}});
    }
  } else if (method == UpdateMethod::pareto) {
    json["points"] = points;
    json["chosen"] = chosen;
    if (from_trials > 0) {
      json["from_trials"] = from_trials;
      json["dominating"] = dominating;
    }
  } else {
    json["samples"] = samples;
    json["failed"] = failed;
    if (known > 0) json["known_before"] = known;
    json["on_front"] = points;
    json["chosen"] = chosen;
    return json;  // evaluations are those of this run: they would tell its history
  }
  json["evaluations"] = evaluations;
  return json;
}

std::string UpdateFacts::in_a_line() const {
  if (known == 0) return "";
  return fmt::format("{} of {} trials had been finished by an earlier run", known, samples);
}

bool UpdateAnalysis::compares_frequency() const {
  return std::any_of(curves.begin(), curves.end(), [](const TestCurve& curve) { return curve.omega; }) ||
         std::any_of(modes.begin(), modes.end(), [](const TestModes& each) {
           return each.frequencies || each.target.shape_rows != ShapeRows::none;
         });
}

bool UpdateAnalysis::compares_damping() const {
  return std::any_of(curves.begin(), curves.end(), [](const TestCurve& curve) { return curve.zeta; });
}

std::vector<std::string> UpdateAnalysis::tables() const {
  if (method == UpdateMethod::pareto) return {""};
  if (method == UpdateMethod::sample) return {"", update_best_part};
  std::vector<std::string> parts = {"", update_rows_part};
  if (!curves.empty()) parts.emplace_back(update_test_part);
  if (!loops.empty()) parts.emplace_back(update_loops_part);
  if (method == UpdateMethod::posterior) {
    parts.emplace_back(update_draws_part);
    if (!predictions.empty()) parts.emplace_back(update_predictions_part);
    return parts;
  }
  if (!curves.empty()) parts.emplace_back(update_curves_part);
  for (const char* part : {update_sensitivity_part, update_correlation_part, update_starts_part}) {
    parts.emplace_back(part);
  }
  return parts;
}

std::vector<std::string> UpdateAnalysis::sources() const {
  std::vector<std::string> names;
  for (const TestCurve& curve : curves) {
    if (!curve.from.empty()) names.push_back(curve.from);
  }
  for (const TestModes& each : modes) {
    if (!each.from.empty()) names.push_back(each.from);
  }
  for (const TestLoop& loop : loops) {
    if (!loop.source.from.empty()) names.push_back(loop.source.from);
  }
  if (!from.empty()) names.push_back(from);
  return names;
}

std::vector<std::string> UpdateAnalysis::other_files() const {
  return {name + "-model.toml"};
}

ordered_json UpdateAnalysis::settings() const {
  ordered_json json;
  json["method"] = word_of(method, update_methods);
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const UpdateParameter& parameter = model.parameters[p];
    json["parameters"].push_back({{"name", parameter.name},
                                  {"paths", model.paths_of(p)},
                                  {"range", {parameter.low, parameter.high}},
                                  {"scale", parameter.logarithmic ? "log" : "linear"},
                                  {"start", parameter.start}});
  }
  for (const TestCurve& curve : curves) json["targets"].push_back(curve.target.name);
  for (const TestModes& each : modes) json["targets"].push_back(each.target.name);
  for (const TestLoop& each : loops) json["targets"].push_back(each.target.name);
  if (method == UpdateMethod::sample) {
    json["sampling"] = word_of(sampling, sample_kinds);
    json["samples"] = samples;
  } else {
    json["starts"] = options.starts;
  }
  if (!from.empty()) json["from"] = from;
  json["seed"] = options.seed;
  return json;
}

std::string UpdateAnalysis::describe() const {
  std::vector<std::string> names;
  for (const UpdateParameter& parameter : model.parameters) names.push_back(parameter.name);
  const std::string how_many =
      method == UpdateMethod::least_squares ? words::count_of(static_cast<long>(options.starts), "start")
      : method == UpdateMethod::posterior   ? words::count_of(static_cast<long>(posterior.chains), "chain")
      : method == UpdateMethod::sample      ? words::count_of(static_cast<long>(samples), "trial")
                                            : words::count_of(static_cast<long>(pareto.points), "point");
  return fmt::format("{} from {}, {}, {}", fmt::join(names, ", "),
                     words::count_of(static_cast<long>(curves.size() + modes.size() + loops.size()), "target"),
                     word_of(method, update_methods), how_many);
}

AnalysisSummary UpdateAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary = completed_summary();
  try {
    const UpdateProblem problem = problem_of(*this, with);
    tell_left_out(problem, summary);
    switch (method) {
      case UpdateMethod::least_squares:
        update_by_least_squares(*this, problem, with, summary);
        break;
      case UpdateMethod::posterior:
        update_by_posterior(*this, problem, with, summary);
        break;
      case UpdateMethod::pareto:
        update_by_front(*this, problem, with, summary);
        break;
      case UpdateMethod::sample:
        update_by_samples(*this, problem, with, summary);
        break;
    }
  } catch (const std::invalid_argument& error) {
    summary.ending = Ending::no_convergence;
    summary.message = error.what();
  }
  return summary;
}

}  // namespace microslip
