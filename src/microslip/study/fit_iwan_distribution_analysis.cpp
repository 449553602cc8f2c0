#include "microslip/study/fit_iwan_distribution_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/identify/iwan4_curve_fit.hpp"
#include "microslip/report/analysis_summary.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

std::string_view name_of(ForceKind force) {
  return force == ForceKind::total ? "total" : force == ForceKind::nonlinear ? "nonlinear" : "residual";
}

/// The curves with the whole force of the joint in them. Throws std::invalid_argument.
std::vector<ForceCurve> curves_of(const FitIwanDistributionAnalysis& analysis, const Results& results) {
  std::vector<ForceCurve> curves;
  for (const CurveSource& source : analysis.data) {
    ForceCurve curve = curve_of(source, results);
    for (std::size_t i = 0; i < curve.size(); ++i) curve.f[i] += analysis.stuck_stiffness * curve.u[i];
    if (const auto fault = first_loading_fault(curve, fewest_curve_points)) {
      throw std::invalid_argument(fmt::format("{}, row {}: {}", source.origin, fault->point + 1, fault->message));
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

struct Outcome {
  DistributionFit fit;
  Iwan4CurveFit iwan4;
  int negative = 0;  ///< sliders that the spline procedure gave, set to 0
};

Outcome find_sliders(const FitIwanDistributionAnalysis& analysis, const std::vector<ForceCurve>& curves,
                     const Observer& observer) {
  Outcome outcome;
  if (analysis.spline) {
    const SplineDistribution spline = spline_distribution(curves, analysis.spline_options);
    outcome.fit = evaluate_distribution(curves, spline.nonnegative(), analysis.options.weigh_by_log_u);
    outcome.fit.macroslip = spline.macroslip;
    outcome.negative = spline.negative;
    if (spline.negative > 0) {
      outcome.fit.message = fmt::format("{} of the {} sliders came out negative and were set to 0", spline.negative,
                                        outcome.fit.distribution.cells() + 1);
    }
  } else {
    outcome.fit = fit_distribution(curves, analysis.options, observer);
  }
  outcome.iwan4 = fit_iwan4_curve(outcome.fit.data, analysis.options.residual);
  return outcome;
}

void write_distribution(const DistributionFit& fit, Sink& sink) {
  const Column columns[] = {
      {"phi", "length", "mean strength of the cell's sliders"},
      {"from", "length", "edge of the cell"},
      {"to", "length", "edge of the cell"},
      {"k", "force/length", "stiffness of the cell's sliders; last row: S at phi_max"},
      {"k_low", "force/length", "lower end of the band"},
      {"k_high", "force/length", "upper end of the band"},
      {"rho", "force/length^2", "distribution function; 0 in the last row, whose sliders have one strength"},
      {"rho_low", "force/length^2", "lower end of the band"},
      {"rho_high", "force/length^2", "upper end of the band"}};
  sink.begin(columns);
  const SliderDistribution& d = fit.distribution;
  for (std::size_t j = 0; j < d.cells(); ++j) {
    const double width = d.edge[j + 1] - d.edge[j];
    const Banded& rho = fit.density[j];
    const double row[] = {d.centre(j),      d.edge[j], d.edge[j + 1], d.stiffness[j], rho.low * width,
                          rho.high * width, rho.value, rho.low,       rho.high};
    sink.row(row);
  }
  const double last[] = {
      d.phi_max, d.phi_max, d.phi_max, d.end_stiffness, fit.end_stiffness.low, fit.end_stiffness.high, 0.0, 0.0, 0.0};
  sink.row(last);
}

void write_curve(const Outcome& outcome, double stuck_stiffness, Sink& sink) {
  const Column columns[] = {{"curve", "-", "number, from 1"},
                            {"u", "length", "deflection"},
                            {"f", "force", "data"},
                            {"f_fit", "force", "of the sliders"},
                            {"residual", "force", "f_fit - f"},
                            {"weight", "-", "of the point in the fit, mean 1"},
                            {"dissipation", "force length", "of the sliders, cycle of amplitude u", Scale::logarithmic},
                            {"dissipation_low", "force length", "lower end of the band", Scale::logarithmic},
                            {"dissipation_high", "force length", "upper end of the band", Scale::logarithmic},
                            {"f_iwan4", "force", "of the four parameters"},
                            {"dissipation_iwan4", "force length", "of the four parameters", Scale::logarithmic}};
  sink.begin(columns);
  const DistributionFit& fit = outcome.fit;
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    const double u = fit.data.u[i], off = stuck_stiffness * u, f = fit.data.f[i] - off;
    const double fitted = fit.distribution.force(u) - off;
    const Banded& loss = fit.dissipation[i];
    const double row[] = {fit.curve_of_point[i] + 1.0, u,          f,        fitted,    fitted - f,
                          fit.data.weight[i],          loss.value, loss.low, loss.high, outcome.iwan4.force(u) - off,
                          outcome.iwan4.dissipation(u)};
    sink.row(row);
  }
}

void write_backbone(const SliderDistribution::Backbone& points, Sink& sink) {
  const Column columns[] = {{"u", "length", "deflection"}, {"f", "force", "of the joint, K_inf included"}};
  sink.begin(columns);
  for (std::size_t i = 0; i < points.u.size(); ++i) {
    const double row[] = {points.u[i], points.f[i]};
    sink.row(row);
  }
}

std::string law_name(const SliderDistribution& d) {
  return d.interpolation() == Interpolation::smooth ? "smooth" : "linear";
}

/// A joint that runs once its place is filled in.
std::string joint_text(const FitIwanDistributionAnalysis& analysis, const Outcome& outcome) {
  const SliderDistribution& d = outcome.fit.distribution;
  const Iwan4CurveFit& four = outcome.iwan4;
  std::string text = fmt::format(
      "# A joint of analysis \"{0}\". Give it a place and copy it into a study beside {0}-backbone.csv.\n"
      "[[joint]]\nname          = \"joint\"\nbetween       = [\"ground\", \"1\"]\nlaw           = \"masing\"\n"
      "backbone      = \"{0}-backbone.csv\"\ninterpolation = \"{1}\"\nresidual      = {2:.17g}    # Kinf\n",
      analysis.name, law_name(d), d.residual);
  if (!std::isfinite(four.beta)) return text;
  text += fmt::format(
      "\n# The same with four parameters, {:.3g} off the data in the root mean square (the sliders: {:.3g}):\n"
      "# [[joint]]\n# name    = \"joint\"\n# between = [\"ground\", \"1\"]\n# law     = \"iwan6\"\n# FS      = "
      "{:.17g}\n"
      "# KT      = {:.17g}\n# chi     = {:.17g}\n# beta    = {:.17g}\n# Kinf    = {:.17g}\n",
      four.misfit, outcome.fit.misfit, four.slip_force, four.stiffness, four.chi, four.beta, four.residual);
  return text;
}

void add_banded(ordered_json& facts, const std::string& name, const Banded& value, bool bands) {
  facts[name] = value.value;
  if (bands) facts[name + "_band"] = {value.low, value.high};
}

/// Four parameters are enough when what they leave is no more than noise: their residual variance within three standard
/// deviations, sqrt(2/n) of it each, of the noise that the sliders leave.
ordered_json iwan4_facts(const Outcome& outcome) {
  const Iwan4CurveFit& four = outcome.iwan4;
  const DistributionFit& fit = outcome.fit;
  const auto n = static_cast<double>(fit.data.size());
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    const double sliders = fit.dissipation[i].value, loss = four.dissipation(fit.data.u[i]);
    if (!(sliders > 0.0 && loss > 0.0)) continue;
    sum += std::pow(std::log(loss / sliders), 2);
    count += 1.0;
  }
  ordered_json json;
  json["FS"] = four.slip_force;
  json["KT"] = four.stiffness;
  json["chi"] = four.chi;
  json["beta"] = four.beta;
  json["phi_max"] = four.phi_max;
  json["Kinf"] = four.residual;
  json["misfit"] = four.misfit;
  json["dissipation_difference"] = count > 0.0 ? std::sqrt(sum / count) : 0.0;
  if (fit.noise > 0.0) {
    const double variance = four.misfit * four.misfit * n / std::max(n - four.parameters, 1.0);
    json["enough"] = variance <= fit.noise * fit.noise * (1.0 + 3.0 * std::sqrt(2.0 / n));
  }
  return json;
}

/// Points at which the band of the loss is wider than twice the loss, and the last of them.
struct Undetermined {
  std::size_t points = 0;
  double to = 0.0;
};
Undetermined undetermined_losses(const DistributionFit& fit) {
  Undetermined result;
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    const Banded& loss = fit.dissipation[i];
    if (!(loss.high > loss.low) || loss.high - loss.low < 2.0 * loss.value) continue;
    ++result.points;
    result.to = fit.data.u[i];
  }
  return result;
}

ordered_json facts_of(const FitIwanDistributionAnalysis& analysis, const Outcome& outcome) {
  const DistributionFit& fit = outcome.fit;
  const bool bands = !analysis.spline && analysis.options.bands;
  ordered_json facts;
  facts["points"] = fit.data.size();
  add_banded(facts, "FS", fit.slip_force, bands);
  add_banded(facts, "KT", fit.stiffness, bands);
  add_banded(facts, "phi_max", fit.phi_max, bands);
  add_banded(facts, "Kinf", fit.residual, bands);
  add_banded(facts, "S", fit.end_stiffness, bands);
  facts["macroslip"] = fit.macroslip;
  if (bands) facts["undetermined"] = undetermined_losses(fit).points;
  facts["misfit"] = fit.misfit;
  if (analysis.spline) {
    facts["negative_sliders"] = outcome.negative;
  } else {
    facts["noise"] = fit.noise;
    if (fit.curve_noise.size() > 1) facts["noise_of_curves"] = fit.curve_noise;
    facts["smoothing"] = fit.smoothing;
    facts["effective_unknowns"] = fit.freedom;
    facts["cells"] = fit.distribution.cells();
  }
  facts["iwan4"] = iwan4_facts(outcome);
  return facts;
}

ordered_json settings(const FitIwanDistributionAnalysis& analysis) {
  ordered_json json;
  json["kind"] = std::string(FitIwanDistributionAnalysis::kind);
  std::vector<std::string> origins;
  for (const CurveSource& source : analysis.data) origins.push_back(source.origin);
  json["data"] = origins;
  json["force"] = std::string(name_of(analysis.force));
  json["method"] = analysis.spline ? "spline" : "sliders";
  json["weights"] = analysis.options.weigh_by_log_u ? "log_u" : "points";
  if (analysis.options.residual) json["Kinf"] = *analysis.options.residual;
  if (analysis.spline) return json;
  json["sliders"] = analysis.options.spread ? "spread" : "points";
  json["bands"] = analysis.options.bands;
  json["confidence"] = analysis.options.confidence;
  return json;
}

std::string origins(const FitIwanDistributionAnalysis& analysis) {
  std::vector<std::string> names;
  for (const CurveSource& source : analysis.data) names.push_back(source.origin);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string> table_parts(const FitIwanDistributionAnalysis&) {
  return {"", "curve", "backbone"};
}

std::vector<std::string> other_files(const FitIwanDistributionAnalysis& analysis) {
  return {analysis.name + "-joint.toml"};
}

std::string describe(const FitIwanDistributionAnalysis& analysis) {
  return fmt::format("{} force of {}, by {}", name_of(analysis.force), origins(analysis),
                     analysis.spline ? "splines" : "sliders");
}

AnalysisSummary run(const FitIwanDistributionAnalysis& analysis, AnalysisRun& with) {
  with.results.settings(analysis.name, settings(analysis));
  AnalysisSummary summary;
  summary.ending = Ending::no_convergence;
  summary.message = "";
  Outcome outcome;
  try {
    outcome = find_sliders(analysis, curves_of(analysis, with.results), with.observer);
  } catch (const std::invalid_argument& error) {
    summary.message = error.what();
    return summary;
  }
  const DistributionFit& fit = outcome.fit;
  summary.ending = fit.ending;
  summary.message = fit.message;
  summary.facts = facts_of(analysis, outcome);
  if (!fit.macroslip) {
    add_message(fmt::format("the data do not reach macroslip: FS and phi_max are the least they can be{}",
                            analysis.options.residual ? "" : ", and Kinf holds the sliders that have not slipped"),
                summary);
  }
  if (const Undetermined lost = undetermined_losses(fit); lost.points > 0) {
    add_message(
        fmt::format("dissipation is undetermined, with a band wider than twice itself, at {} of {} points, up to "
                    "u = {:.3g}",
                    lost.points, fit.data.size(), lost.to),
        summary);
  }
  const auto table = [&](const std::string& part, auto&& write) {
    TableSink sink = with.results.table(analysis.name, part);
    write(sink);
    sink.close();
    summary.files.push_back(table_name(analysis.name, part) + ".csv");
  };
  table("", [&](Sink& sink) { write_distribution(fit, sink); });
  table("curve", [&](Sink& sink) { write_curve(outcome, analysis.stuck_stiffness, sink); });
  const SliderDistribution::Backbone points = fit.distribution.backbone();
  if (points.u.size() < 2) {
    add_message("there are no sliders in the data: the curve is straight", summary);
    return summary;
  }
  table("backbone", [&](Sink& sink) { write_backbone(points, sink); });
  const std::string file = other_files(analysis).front();
  with.results.text(file, joint_text(analysis, outcome));
  summary.files.push_back(file);
  return summary;
}

}  // namespace microslip
