#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ranges>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/fit_columns.hpp"
#include "microslip/analyses/fit_iwan_distribution/analysis.hpp"
#include "microslip/analyses/refused.hpp"
#include "microslip/analyses/write_table.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

/// The curves with the whole force of the joint in them. Throws std::invalid_argument.
std::vector<ForceCurve> curves_of(const FitIwanDistributionAnalysis& analysis, const Results& results) {
  std::vector<ForceCurve> curves;
  for (const CurveSource& source : analysis.data) {
    ForceCurve curve = curve_of(source, results);
    for (std::size_t i = 0; i < curve.size(); ++i) curve.f[i] += analysis.stuck_stiffness * curve.u[i];
    if (const auto fault = first_loading_fault(curve, fewest_curve_points)) {
      throw row_error(source, *fault);
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

struct SlidersFound {
  DistributionFit fit;
  Iwan4CurveFit iwan4;
  int negative = 0;  ///< sliders that the spline procedure gave, set to 0
};

SlidersFound find_sliders(const FitIwanDistributionAnalysis& analysis, const std::vector<ForceCurve>& curves,
                          const Observer& observer) {
  SlidersFound found;
  if (analysis.spline) {
    const SplineDistribution spline = spline_distribution(curves, analysis.spline_options);
    found.fit = evaluate_distribution(curves, spline.nonnegative(), analysis.options.weigh_by_log_u);
    found.fit.macroslip = spline.macroslip;
    found.negative = spline.negative;
    if (spline.negative > 0) {
      found.fit.message = fmt::format("{} of the {} sliders came out negative and were set to 0", spline.negative,
                                      found.fit.distribution.cells() + 1);
    }
  } else {
    found.fit = fit_distribution(curves, analysis.options, observer);
  }
  found.iwan4 = fit_iwan4_curve(found.fit.data, analysis.options.residual);
  return found;
}

/// Sliders of a cell, or those of the one strength phi_max.
struct CellRow {
  double phi = 0.0, from = 0.0, to = 0.0;
  Banded k, rho;
};

std::vector<CellRow> cell_rows(const DistributionFit& fit) {
  const SliderDistribution& d = fit.distribution;
  std::vector<CellRow> rows;
  for (std::size_t j = 0; j < d.cells(); ++j) {
    const double width = d.edge[j + 1] - d.edge[j];
    const Banded& rho = fit.density[j];
    const Banded k{d.stiffness[j], rho.low * width, rho.high * width};
    rows.push_back({d.centre(j), d.edge[j], d.edge[j + 1], k, rho});
  }
  const Banded end{d.end_stiffness, fit.end_stiffness.low, fit.end_stiffness.high};
  rows.push_back({d.phi_max, d.phi_max, d.phi_max, end, {}});
  return rows;
}

Table<CellRow> distribution_table() {
  const std::string lower = "lower end of the band", upper = "upper end of the band";
  Table<CellRow> table;
  table.add({"phi", "length", "mean strength of the cell's sliders"}, [](const CellRow& row) { return row.phi; });
  table.add({"from", "length", "edge of the cell"}, [](const CellRow& row) { return row.from; });
  table.add({"to", "length", "edge of the cell"}, [](const CellRow& row) { return row.to; });
  table.add({"k", "force/length", "stiffness of the cell's sliders; last row: S at phi_max"},
            [](const CellRow& row) { return row.k.value; });
  table.add({"k_low", "force/length", lower}, [](const CellRow& row) { return row.k.low; });
  table.add({"k_high", "force/length", upper}, [](const CellRow& row) { return row.k.high; });
  table.add({"rho", "force/length^2", "distribution function; 0 in the last row, whose sliders have one strength"},
            [](const CellRow& row) { return row.rho.value; });
  table.add({"rho_low", "force/length^2", lower}, [](const CellRow& row) { return row.rho.low; });
  table.add({"rho_high", "force/length^2", upper}, [](const CellRow& row) { return row.rho.high; });
  return table;
}

/// A point of the data and what the sliders and the four parameters make of it; the forces are of the kind of the data.
struct LoadingRow {
  int curve = 0;  ///< from 0
  double u = 0.0, f = 0.0, weight = 0.0;
  double fitted = 0.0, iwan4 = 0.0;  ///< forces, of the sliders and of the four parameters
  Banded loss;
  double loss_iwan4 = 0.0;
};

std::vector<LoadingRow> loading_rows(const SlidersFound& found, double stuck_stiffness) {
  const DistributionFit& fit = found.fit;
  std::vector<LoadingRow> rows;
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    const double u = fit.data.u[i], off = stuck_stiffness * u;
    rows.push_back({fit.curve_of_point[i], u, fit.data.f[i] - off, fit.data.weight[i], fit.distribution.force(u) - off,
                    found.iwan4.force(u) - off, fit.dissipation[i], found.iwan4.dissipation(u)});
  }
  return rows;
}

Table<LoadingRow> loading_table() {
  using Row = const LoadingRow&;
  const std::string energy = "force length";
  Table<LoadingRow> table;
  add_curve_number(table);
  add_fit_columns("data", "of the sliders", table);
  table.add({"weight", "-", "of the point in the fit, mean 1"}, [](Row row) { return row.weight; });
  table.add({"dissipation", energy, "of the sliders, cycle of amplitude u", Scale::logarithmic},
            [](Row row) { return row.loss.value; });
  table.add({"dissipation_low", energy, "lower end of the band", Scale::logarithmic},
            [](Row row) { return row.loss.low; });
  table.add({"dissipation_high", energy, "upper end of the band", Scale::logarithmic},
            [](Row row) { return row.loss.high; });
  table.add({"f_iwan4", "force", "of the four parameters"}, [](Row row) { return row.iwan4; });
  table.add({"dissipation_iwan4", energy, "of the four parameters", Scale::logarithmic},
            [](Row row) { return row.loss_iwan4; });
  return table;
}

/// A row is the number of a point, from 0.
Table<std::size_t> backbone_table(const SliderDistribution::Backbone& points) {
  Table<std::size_t> table;
  table.add({"u", "length", "deflection"}, [&](std::size_t i) { return points.u[i]; });
  table.add({"f", "force", "of the joint, K_inf included"}, [&](std::size_t i) { return points.f[i]; });
  return table;
}

/// A joint that runs once its place is filled in.
std::string joint_text(const std::string& analysis, const SlidersFound& found) {
  const SliderDistribution& d = found.fit.distribution;
  const Iwan4CurveFit& four = found.iwan4;
  std::string text = fmt::format(
      "# A joint of analysis \"{0}\". Give it a place and copy it into a study beside {0}-backbone.csv.\n"
      "[[joint]]\nname          = \"joint\"\nbetween       = [\"ground\", \"1\"]\nlaw           = \"masing\"\n"
      "backbone      = \"{0}-backbone.csv\"\ninterpolation = \"{1}\"\nresidual      = {2:.17g}    # Kinf\n",
      analysis, d.interpolation() == Interpolation::smooth ? "smooth" : "linear", d.residual);
  if (!std::isfinite(four.beta)) return text;
  text += fmt::format(
      "\n# The same with four parameters, {:.3g} off the data in the root mean square (the sliders: {:.3g}):\n"
      "# [[joint]]\n# name    = \"joint\"\n# between = [\"ground\", \"1\"]\n# law     = \"iwan6\"\n# FS      = "
      "{:.17g}\n"
      "# KT      = {:.17g}\n# chi     = {:.17g}\n# beta    = {:.17g}\n# Kinf    = {:.17g}\n",
      four.misfit, found.fit.misfit, four.slip_force, four.stiffness, four.chi, four.beta, four.residual);
  return text;
}

/// Four parameters are enough when what they leave is no more than noise: their residual variance within three standard
/// deviations, sqrt(2/n) of it each, of the noise that the sliders leave.
FitIwanDistributionFacts::FourParameters four_parameters(const SlidersFound& found) {
  const Iwan4CurveFit& four = found.iwan4;
  const DistributionFit& fit = found.fit;
  const auto n = static_cast<double>(fit.data.size());
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    const double sliders = fit.dissipation[i].value, loss = four.dissipation(fit.data.u[i]);
    if (!(sliders > 0.0 && loss > 0.0)) continue;
    sum += std::pow(std::log(loss / sliders), 2);
    count += 1.0;
  }
  FitIwanDistributionFacts::FourParameters result;
  result.fit = four;
  result.dissipation_difference = count > 0.0 ? std::sqrt(sum / count) : 0.0;
  if (fit.noise > 0.0) {
    const double variance = four.misfit * four.misfit * n / std::max(n - four.parameters, 1.0);
    result.enough = variance <= fit.noise * fit.noise * (1.0 + 3.0 * std::sqrt(2.0 / n));
  }
  return result;
}

FitIwanDistributionFacts::Undetermined undetermined_losses(const DistributionFit& fit) {
  FitIwanDistributionFacts::Undetermined result;
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    const Banded& loss = fit.dissipation[i];
    if (!(loss.high > loss.low) || loss.high - loss.low < 2.0 * loss.value) continue;
    ++result.points;
    result.to = fit.data.u[i];
  }
  return result;
}

FitIwanDistributionFacts facts_of(const FitIwanDistributionAnalysis& analysis, const SlidersFound& found) {
  const DistributionFit& fit = found.fit;
  FitIwanDistributionFacts facts;
  facts.points = fit.data.size();
  facts.bands = analysis.has_bands();
  facts.slip_force = fit.slip_force;
  facts.stiffness = fit.stiffness;
  facts.phi_max = fit.phi_max;
  facts.residual = fit.residual;
  facts.end_stiffness = fit.end_stiffness;
  facts.macroslip = fit.macroslip;
  facts.undetermined = undetermined_losses(fit);
  facts.misfit = fit.misfit;
  facts.negative_sliders = found.negative;
  if (!analysis.spline) {
    facts.sliders = {fit.noise, fit.curve_noise, fit.smoothing, fit.freedom, fit.distribution.cells()};
  }
  facts.iwan4 = four_parameters(found);
  return facts;
}

ordered_json json_of(const FitIwanDistributionFacts::FourParameters& four) {
  ordered_json json;
  json["FS"] = four.fit.slip_force;
  json["KT"] = four.fit.stiffness;
  json["chi"] = four.fit.chi;
  json["beta"] = four.fit.beta;
  json["phi_max"] = four.fit.phi_max;
  json["Kinf"] = four.fit.residual;
  json["misfit"] = four.fit.misfit;
  json["dissipation_difference"] = four.dissipation_difference;
  if (four.enough) json["enough"] = *four.enough;
  return json;
}

/// Adds what the data do not tell.
void add_limits(const FitIwanDistributionFacts& facts, bool residual_known, AnalysisSummary& summary) {
  if (!facts.macroslip) {
    add_message(fmt::format("the data do not reach macroslip: FS and phi_max are the least they can be{}",
                            residual_known ? "" : ", and Kinf holds the sliders that have not slipped"),
                summary);
  }
  if (facts.undetermined.points > 0) {
    add_message(
        fmt::format("dissipation is undetermined, with a band wider than twice itself, at {} of {} points, up to "
                    "u = {:.3g}",
                    facts.undetermined.points, facts.points, facts.undetermined.to),
        summary);
  }
}

/// Tables, and the joint where there are sliders.
void write_sliders(const FitIwanDistributionAnalysis& analysis, const SlidersFound& found, Results& results,
                   AnalysisSummary& summary) {
  write_table(analysis.name, "", distribution_table(), cell_rows(found.fit), results, summary);
  write_table(analysis.name, "curve", loading_table(), loading_rows(found, analysis.stuck_stiffness), results, summary);
  const SliderDistribution::Backbone points = found.fit.distribution.backbone();
  if (points.u.size() < 2) {
    add_message("there are no sliders in the data: the curve is straight", summary);
    return;
  }
  write_table(analysis.name, "backbone", backbone_table(points), std::views::iota(std::size_t{0}, points.u.size()),
              results, summary);
  const std::string file = analysis.other_files().front();
  results.text(file, joint_text(analysis.name, found));
  summary.files.push_back(file);
}

}  // namespace

ordered_json FitIwanDistributionFacts::to_json() const {
  ordered_json json;
  const auto add = [&](const std::string& key, const Banded& value) {
    json[key] = value.value;
    if (bands) json[key + "_band"] = {value.low, value.high};
  };
  json["points"] = points;
  add("FS", slip_force);
  add("KT", stiffness);
  add("phi_max", phi_max);
  add("Kinf", residual);
  add("S", end_stiffness);
  json["macroslip"] = macroslip;
  if (bands) json["undetermined"] = undetermined.points;
  json["misfit"] = misfit;
  if (sliders) {
    json["noise"] = sliders->noise;
    if (sliders->noise_of_curves.size() > 1) json["noise_of_curves"] = sliders->noise_of_curves;
    json["smoothing"] = sliders->smoothing;
    json["effective_unknowns"] = sliders->effective_unknowns;
    json["cells"] = sliders->cells;
  } else {
    json["negative_sliders"] = negative_sliders;
  }
  json["iwan4"] = json_of(iwan4);
  return json;
}

std::vector<std::string> FitIwanDistributionAnalysis::tables() const {
  return {"", "curve", "backbone"};
}

std::vector<std::string> FitIwanDistributionAnalysis::other_files() const {
  return {name + "-joint.toml"};
}

nlohmann::ordered_json FitIwanDistributionAnalysis::settings() const {
  ordered_json json;
  json["data"] = origins_of(data);
  json["force"] = word_of(force, force_kind_choices);
  json["method"] = word_of(spline, by_spline_choices);
  json["weights"] = word_of(options.weigh_by_log_u, weigh_by_log_u_choices);
  if (options.residual) json["Kinf"] = *options.residual;
  if (spline) return json;
  json["sliders"] = word_of(options.spread, spread_sliders_choices);
  json["bands"] = options.bands;
  json["confidence"] = options.confidence;
  return json;
}

std::string FitIwanDistributionAnalysis::describe() const {
  return fmt::format("{} force of {}, by {}", word_of(force, force_kind_choices), fmt::join(origins_of(data), ", "),
                     spline ? "splines" : "sliders");
}

AnalysisSummary FitIwanDistributionAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary;
  SlidersFound found;
  const auto do_fit = [&] { found = find_sliders(*this, curves_of(*this, with.results), with.observer); };
  if (refused(summary, do_fit)) return summary;
  summary.ending = found.fit.ending;
  summary.message = found.fit.message;
  FitIwanDistributionFacts facts = facts_of(*this, found);
  add_limits(facts, options.residual.has_value(), summary);
  write_sliders(*this, found, with.results, summary);
  summary.sum_up(std::move(facts));
  return summary;
}

}  // namespace microslip
