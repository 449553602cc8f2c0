#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/update/analysis.hpp"
#include "microslip/analyses/update/tables.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

/// The test, a dot an amplitude.
Curve test_dots(const char* column, std::size_t target) {
  Curve curve = curve_of(update_test_part, "q", column, "test");
  curve.where = {{"target", static_cast<double>(target + 1)}};
  curve.style = CurveStyle::dots;
  return curve;
}

/// Frequency and damping of each curve: `model` tells the curves of a column to draw beside the test.
template <class Model>
void add_curve_figures(const UpdateAnalysis& analysis, const Model& model, const std::string& caption,
                       std::vector<Figure>& figures) {
  for (std::size_t c = 0; c < analysis.curves.size() && c < figures_of_a_kind; ++c) {
    const TestCurve& curve = analysis.curves[c];
    const auto add = [&](const char* word, const char* column, const Axis& axis) {
      std::vector<Curve> curves = {test_dots(column, c)};
      for (Curve& each : model(column)) {
        each.where = {{"target", static_cast<double>(c + 1)}};
        curves.push_back(std::move(each));
      }
      figures.push_back(figure_of(fmt::format("{}-{}", word, c + 1),
                                  fmt::format("{} of {} over amplitude", word, curve.target.name),
                                  modal_amplitude_axis(true), axis, std::move(curves), caption));
    };
    if (curve.omega) add("frequency", "omega", {"frequency", "rad/time", false});
    if (curve.zeta) add("damping", "zeta", damping_ratio_axis(true));
  }
}

/// Forces of loops, the test as dots.
void add_loop_figures(const UpdateAnalysis& analysis, std::vector<Figure>& figures) {
  for (std::size_t l = 0; l < analysis.loops.size() && l < figures_of_a_kind; ++l) {
    Curve test = curve_of(update_loops_part, "u", "f", "test"), model = curve_of(update_loops_part, "u", "f_model");
    test.style = CurveStyle::dots;
    model.label = analysis.method == UpdateMethod::posterior ? "model, median" : "updated model";
    for (Curve* each : {&test, &model}) each->where = {{"loop", static_cast<double>(l + 1)}};
    const LoopTarget& target = analysis.loops[l].target;
    figures.push_back(figure_of(fmt::format("loop-{}", l + 1), fmt::format("Force of {}", target.name),
                                {"deflection", "length", false}, {"force", "force", false}, {test, model},
                                target.settled ? "The model's force has the constant that fits best." : ""));
  }
}

/// Bands of curves that took no part.
void add_predictions(const UpdateAnalysis& analysis, std::vector<Figure>& figures) {
  for (std::size_t c = 0; c < analysis.predictions.size() && c < figures_of_a_kind; ++c) {
    const auto add = [&](const std::string& word, const std::string& column, const Axis& axis) {
      std::vector<Curve> curves = {curve_of(update_predictions_part, "q", column + "_median", "median"),
                                   curve_of(update_predictions_part, "q", column + "_low", "2.5 %"),
                                   curve_of(update_predictions_part, "q", column + "_high", "97.5 %")};
      for (Curve& curve : curves) curve.where = {{"prediction", static_cast<double>(c + 1)}};
      figures.push_back(figure_of(fmt::format("predicted-{}-{}", word, c + 1),
                                  fmt::format("Predicted {} of {}", word, analysis.predictions[c].name),
                                  modal_amplitude_axis(true), axis, std::move(curves),
                                  "The curve took no part. 95 % of the draws of the posterior lie within the band; "
                                  "what the model gets wrong besides is not in it."));
    };
    add("frequency", "omega", {"frequency", "rad/time", false});
    add("damping", "zeta", damping_ratio_axis(true));
  }
}

/// The test within the bands of a posterior, and pairs of parameters.
std::vector<Figure> posterior_figures(const UpdateAnalysis& analysis) {
  std::vector<Figure> figures;
  add_curve_figures(
      analysis,
      [](const std::string& column) {
        return std::vector<Curve>{curve_of(update_test_part, "q", column + "_median", "model, median"),
                                  curve_of(update_test_part, "q", column + "_low", "2.5 %"),
                                  curve_of(update_test_part, "q", column + "_high", "97.5 %")};
      },
      "95 % of new measurements, with their errors and the discrepancy, lie within the band.", figures);
  add_loop_figures(analysis, figures);
  add_predictions(analysis, figures);
  const auto& parameters = analysis.model.parameters;
  constexpr std::size_t pairs_of = 4;  // parameters
  for (std::size_t i = 0; i < parameters.size() && i < pairs_of; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      Curve draws = curve_of(update_draws_part, column_of("p", parameters[k].name), column_of("p", parameters[i].name));
      draws.style = CurveStyle::dots;
      figures.push_back(figure_of(
          fmt::format("pair-{}-{}", k + 1, i + 1), fmt::format("{} and {}", parameters[k].name, parameters[i].name),
          {parameters[k].name, "", parameters[k].logarithmic}, {parameters[i].name, "", parameters[i].logarithmic},
          {draws}, "Draws of the posterior."));
    }
  }
  return figures;
}

/// The front, hover tells the parameters.
std::vector<Figure> front_figures(const UpdateAnalysis& analysis) {
  Curve front = curve_of("", "misfit[frequency]", "misfit[damping]", "front");
  front.style = CurveStyle::line_and_dots;
  for (const UpdateParameter& parameter : analysis.model.parameters) {
    front.more.push_back(column_of("p", parameter.name));
  }
  Curve samples = front, chosen = front;
  samples.label = "sample that nothing dominates";
  chosen.label = "chosen";
  samples.style = chosen.style = CurveStyle::dots;
  front.where = {{"traced", 1.0}};
  samples.where = {{"traced", 0.0}};
  chosen.where = {{"chosen", 1.0}};
  return {figure_of("front", "Frequency against damping", {"misfit of frequencies", "-", true},
                    {"misfit of damping", "-", true}, {front, samples, chosen},
                    "Sums of squares over the standard errors. No parameters are better in both than those of a point "
                    "on the front.")};
}

/// Each tells its parameters.
Figure scatter_of_trials(const UpdateAnalysis& analysis) {
  Curve all = curve_of("", "misfit[frequency]", "misfit[damping]", "trials");
  all.style = CurveStyle::dots;
  all.more = {"trial", "square"};
  for (const UpdateParameter& parameter : analysis.model.parameters) {
    all.more.push_back(column_of("p", parameter.name));
  }
  Curve front = all, chosen = all;
  front.label = "nothing dominates";
  chosen.label = "chosen";
  all.where = {{"ending", 0.0}};
  front.where = {{"front", 1.0}};
  chosen.where = {{"chosen", 1.0}};
  return figure_of(
      "trials", "Frequency against damping of all trials", {"misfit of frequencies", "-", true},
      {"misfit of damping", "-", true}, {all, front, chosen},
      "Sums of squares over the standard errors, a dot a trial. No trial is better in both than those that "
      "nothing dominates.");
}

/// Parallel coordinates: a line a trial.
Figure best_trials_side_by_side(const UpdateAnalysis& analysis) {
  std::string numbered;
  for (std::size_t p = 0; p < analysis.model.parameters.size(); ++p) {
    numbered += fmt::format("{}{} {}", p > 0 ? ", " : "", p + 1, analysis.model.parameters[p].name);
  }
  const auto band = [](double number, const char* label) {
    Curve curve = curve_of(update_best_part, "parameter", "place", label);
    curve.where = {{"band", number}};
    curve.style = CurveStyle::line_and_dots;
    curve.more = {"trial", "rank", "value"};
    return curve;
  };
  return figure_of("best", "The best trials side by side", {"parameter", "-", false},
                   {"place in its range", "-", false}, {band(2.0, "best hundred"), band(1.0, "best ten")},
                   "A line a trial, from the least to the largest value of each parameter (" + numbered +
                       "), on its scale. Where the lines lie close the test holds the parameter, as far as so few "
                       "trials can tell.");
}

std::vector<Figure> trial_figures(const UpdateAnalysis& analysis) {
  std::vector<Figure> figures;
  if (analysis.compares_frequency() && analysis.compares_damping()) figures.push_back(scatter_of_trials(analysis));
  figures.push_back(best_trials_side_by_side(analysis));
  return figures;
}

}  // namespace

std::vector<Figure> UpdateAnalysis::figures(const System&) const {
  if (method == UpdateMethod::sample) return trial_figures(*this);
  if (method == UpdateMethod::posterior) return posterior_figures(*this);
  if (method == UpdateMethod::pareto) return front_figures(*this);
  std::vector<Figure> figures;
  add_curve_figures(
      *this,
      [](const std::string& column) {
        return std::vector<Curve>{curve_of(update_curves_part, "q", column, "updated model")};
      },
      "The model's frequency has the offset that fits best where only the shift is compared.", figures);
  add_loop_figures(*this, figures);
  std::vector<Curve> sensitivities;
  for (std::size_t p = 0; p < model.parameters.size() && p < curves_in_a_figure; ++p) {
    const std::string& each = model.parameters[p].name;
    sensitivities.push_back(curve_of(update_sensitivity_part, "group", column_of("s", each), each));
    sensitivities.back().style = CurveStyle::line_and_dots;
  }
  figures.push_back(figure_of(
      "sensitivity", "What moves what", {"group of rows", "-", false}, {"sensitivity", "-", true}, sensitivities,
      "Of each group of rows: what one standard deviation of the prior of a parameter moves them by, in their standard "
      "deviations. Below 1 the group says nothing of it."));
  Curve residuals = curve_of(update_rows_part, "group", "residual", "residual");
  residuals.style = CurveStyle::dots;
  residuals.more = {"measured", "model"};
  figures.push_back(figure_of("residuals", "What is left over", {"group of rows", "-", false}, {"residual", "-", false},
                              {residuals},
                              "Model less measured, over the standard deviation of error and discrepancy."));
  return figures;
}

std::string UpdateAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels&) const {
  const auto* facts = summary.facts_as<UpdateFacts>();
  if (facts == nullptr) return words::no_result(summary);
  std::string text;
  constexpr std::size_t most = 12;
  for (std::size_t p = 0; p < facts->parameters.size() && p < most; ++p) {
    const UpdateFacts::Parameter& parameter = facts->parameters[p];
    text += fmt::format("{}{} is {}", p > 0 ? " " : "", parameter.name, words::number(parameter.value));
    if (facts->method == UpdateMethod::pareto || facts->method == UpdateMethod::sample) {
      text += ".";
    } else if (facts->method == UpdateMethod::posterior && parameter.determined) {
      text += fmt::format(" where the posterior is largest, and 95 % of it between {} and {}.",
                          words::number(parameter.low), words::number(parameter.high));
    } else if (parameter.at_end != 0) {
      text += ", an end of its range.";
    } else if (!parameter.determined) {
      text += ", which the test does not determine.";
    } else {
      text += fmt::format(" with a standard error of {}.", words::number(parameter.error));
    }
  }
  std::size_t rows = 0, unreached = 0;
  for (const UpdateFacts::Group& group : facts->groups) {
    rows += group.rows;
    unreached += group.unreached;
  }
  text += fmt::format(" The sum of squares over {} rows is {}.", rows, words::number(facts->square));
  if (facts->method == UpdateMethod::posterior) {
    text +=
        fmt::format(" {} of the rows lie within the 95 % bands of a new measurement.", words::percent(facts->covered));
    for (const UpdateFacts::Prediction& each : facts->predictions) {
      text += fmt::format(" The predicted damping of {} is held to {} of itself or better, its frequency to {}{}.",
                          each.name, words::percent(each.zeta), words::percent(each.omega),
                          each.reached < 1.0
                              ? fmt::format(", where {} of the draws or more reach it", words::percent(each.reached))
                              : "");
    }
  } else if (facts->method == UpdateMethod::pareto) {
    text += fmt::format(" These are those of point {} of {} on the front.", facts->chosen, facts->points);
    if (facts->from_trials > 0) {
      text += fmt::format(" Of the {} that no other dominated, from which it began, {} dominate a point of it.",
                          words::count_of(static_cast<long>(facts->from_trials), "trial"), facts->dominating);
    }
  } else if (facts->method == UpdateMethod::sample) {
    text += fmt::format(" These are those of trial {} of {}{}.", facts->chosen, facts->samples,
                        facts->points > 0 ? fmt::format("; {} trials are dominated by no other", facts->points) : "");
  }
  if (unreached > 0) text += fmt::format(" {} of the rows are not reached by the model.", unreached);
  return text;
}

std::string UpdateAnalysis::how(const AnalysisSummary& summary) const {
  const auto* known = summary.facts_as<UpdateFacts>();
  const UpdateFacts facts = known != nullptr ? *known : UpdateFacts{};
  const char* curves_in_words =
      "Curves are quasi-static, at the amplitudes of the test; modes are paired by MAC in every evaluation.";
  if (method == UpdateMethod::posterior) {
    return fmt::format(
        "Hamiltonian trajectories with exact derivatives, {} of {} draws after {} of warm-up; {} "
        "evaluations of the model. {} The discrepancy is sampled with the parameters.",
        words::count_of(static_cast<long>(posterior.chains), "chain"), posterior.draws, posterior.warmup,
        facts.evaluations, curves_in_words);
  }
  if (method == UpdateMethod::pareto) {
    return fmt::format(
        "Normal-boundary intersection with exact derivatives, from {} samples; {} evaluations of the "
        "model. {} No discrepancy is counted.",
        pareto.samples, facts.evaluations, curves_in_words);
  }
  if (method == UpdateMethod::sample) {
    return fmt::format("{} of the priors, {}. {} No discrepancy is counted.",
                       sampling == SampleKind::sobol             ? "Sobol' points"
                       : sampling == SampleKind::latin_hypercube ? "A Latin hypercube"
                                                                 : "Independent samples",
                       words::count_of(static_cast<long>(samples), "trial"), curves_in_words);
  }
  return fmt::format(
      "Least squares with bounds by exact derivatives, from {}, of which {} came to rest; {} evaluations of the model. "
      "{} Standard errors come from the curvature at the minimum, with the errors of the rows and the discrepancy that "
      "is "
      "estimated.",
      words::count_of(static_cast<long>(facts.starts), "start"), facts.converged_starts, facts.evaluations,
      curves_in_words);
}

}  // namespace microslip
