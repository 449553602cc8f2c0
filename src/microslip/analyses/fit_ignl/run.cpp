#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/fit_ignl/facts.hpp"
#include "microslip/analyses/fit_ignl/mirror_negative.hpp"
#include "microslip/analyses/fit_ignl/tables.hpp"
#include "microslip/analyses/refused.hpp"
#include "microslip/analyses/write_table.hpp"

namespace microslip {
namespace {

std::string origins(const FitIgnlAnalysis& analysis) {
  if (analysis.joints) return analysis.joints->origin;
  return fmt::format("{}", fmt::join(origins_of(analysis.data), ", "));
}

/// Throws std::invalid_argument.
IgnlCurves curves_of(const FitIgnlAnalysis& analysis, const Results& results) {
  if (analysis.joints) return analysis.joints->curves;
  IgnlCurves curves;
  std::size_t next = 0;
  const auto take = [&](bool negative) {
    ForceCurve curve = curve_of(analysis.data[next++], results);
    if (negative) mirror_negative(curve);
    return curve;
  };
  curves.stuck = take(false);
  curves.slipping = take(false);
  if (analysis.stuck_negative) curves.stuck_negative = take(true);
  if (analysis.slipping_negative) curves.slipping_negative = take(true);
  return curves;
}

/// What the noise of the curves leaves of the result.
void add_error_messages(const IgnlOverAmplitude& over, AnalysisSummary& summary) {
  constexpr double poor_zeta = 0.5, poor_omega = 0.05;  // standard errors over the value
  const IgnlCurve& curve = over.main;
  const std::vector<double>&omega = over.bands.omega.error, &zeta = over.bands.zeta.error;
  const IgnlAmplitudes lost = amplitudes_above(curve, zeta, &IgnlPoint::zeta, 1.0);
  const IgnlAmplitudes poor = amplitudes_above(curve, zeta, &IgnlPoint::zeta, poor_zeta);
  const IgnlAmplitudes off = amplitudes_above(curve, omega, &IgnlPoint::omega, poor_omega);
  const auto in_words = [&](const IgnlAmplitudes& some) {
    return fmt::format("{} of {} amplitudes, q from {:.3g} to {:.3g}", some.count, curve.points.size(), some.from,
                       some.to);
  };
  if (lost.count > 0) {
    add_message("damping is undetermined, with a standard error as large as itself, at " + in_words(lost), summary);
  }
  if (poor.count > lost.count) {
    add_message("damping has a standard error above half of it at " + in_words(poor), summary);
  }
  if (off.count > 0) {
    add_message(fmt::format("frequency has a standard error above {:g} % at {}", 100.0 * poor_omega, in_words(off)),
                summary);
  }
}

/// How the way over amplitude ended, and what it puts in doubt.
void add_messages(const IgnlOverAmplitude& over, const IgnlFit& fit, AnalysisSummary& summary) {
  summary.ending = over.main.ending;
  add_message(over.main.message, summary);
  for (const auto& [side, curve] : {std::pair{"positive", &over.positive}, {"negative", &over.negative}}) {
    if (*curve && !(*curve)->message.empty()) {
      add_message(fmt::format("bound of the {} side: {}", side, (*curve)->message), summary);
    }
  }
  const auto beyond = std::count_if(over.main.points.begin(), over.main.points.end(),
                                    [&](const IgnlPoint& point) { return !within_data(fit, point); });
  if (beyond > 0) add_message(fmt::format("{} amplitudes lie beyond the data", beyond), summary);
  if (over.interrupted) {
    summary.ending = Ending::interrupted;
    add_message("interrupted before the standard errors were known", summary);
  } else if (!over.main.points.empty()) {
    add_error_messages(over, summary);
  }
}

/// One mass with both joints: a study that runs, and joints to copy.
std::string study_text(const std::string& analysis, const IgnlFit& fit) {
  std::string text = fmt::format(
      "# Analysis \"{0}\": polynomial and friction as joints side by side, good for deflections from {1:g} to {2:g}.\n"
      "# Copy both into another study, or run this one; the backbone stands in {0}-backbone.csv beside it.\n"
      "[structure]\nkind    = \"lumped\"\nmasses  = [{3:.17g}]\ndamping = {{ modal = {4:.17g} }}\n\n"
      "[[joint]]\nname    = \"spring\"\nbetween = [\"ground\", \"1\"]\nlaw     = \"polynomial\"\n",
      analysis, fit.lower_end, fit.upper_end, fit.model.mass, fit.model.zeta0);
  const std::vector<double> k = fit.model.spring();
  for (std::size_t j = 0; j < k.size(); ++j) {
    if (j > 0 && k[j] == 0.0) continue;
    text += fmt::format("k{:<6} = {:.17g}{}\n", j + 1, k[j],
                        j == 0 && fit.model.friction ? fmt::format("    # stuck: {:.17g}", fit.model.stuck[0]) : "");
  }
  if (fit.model.friction) {
    text += fmt::format(
        "\n[[joint]]\nname          = \"friction\"\nbetween       = [\"ground\", \"1\"]\nlaw           = \"masing\"\n"
        "backbone      = \"{}-backbone.csv\"\ninterpolation = \"{}\"\n",
        analysis, fit.interpolation == Interpolation::smooth ? "smooth" : "linear");
  }
  return text + "\n[[analysis]]\nkind = \"modes\"\n";
}

}  // namespace

nlohmann::ordered_json FitIgnlAnalysis::settings() const {
  nlohmann::ordered_json json;
  json["data"] = origins(*this);
  json["mass"] = options.mass;
  json["zeta0"] = options.zeta0;
  if (options.polynomial.order) {
    json["order"] = *options.polynomial.order;
  } else {
    json["highest_order"] = options.polynomial.highest;
  }
  if (options.odd) json["powers"] = word_of(*options.odd, powers);
  if (options.polynomial.stiffness) json["k1"] = *options.polynomial.stiffness;
  json["weights"] = word_of(options.polynomial.weights, weights);
  if (options.friction_stiffness) json["KT"] = *options.friction_stiffness;
  json["friction"] = word_of(options.friction, frictions);
  json["masing_tolerance"] = options.masing_tolerance;
  return json;
}

std::string FitIgnlAnalysis::describe() const {
  const SiceOptions& polynomial = options.polynomial;
  return fmt::format("{}, {}, {} amplitudes", origins(*this),
                     polynomial.order ? fmt::format("order {}", *polynomial.order)
                                      : fmt::format("orders up to {}", polynomial.highest),
                     points);
}

std::vector<std::string> FitIgnlAnalysis::tables() const {
  return {"", "stuck", "friction", "orders", "backbone"};
}

AnalysisSummary FitIgnlAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary;
  IgnlCurves curves;
  IgnlFit fit;
  constexpr std::size_t fits = 1 + ignl_fits_again;  // in all
  const auto do_fit = [&] {
    curves = curves_of(*this, with.results);
    fit = fit_ignl(curves, options, with.part(0, fits));
  };
  if (refused(summary, do_fit)) return summary;
  summary.ending = fit.ending;
  summary.message = fit.message;
  if (fit.ending == Ending::interrupted) return summary;
  FitIgnlFacts facts = ignl_facts(fit, curves.stuck_negative.has_value());
  for (const FitIgnlFacts::Limit& limit : facts.limit_loads) {
    add_message(fmt::format("limit load of the {} curve: {:.6g} at {:.6g}, no static solution beyond",
                            curve_word(limit), limit.load.force, limit.load.x),
                summary);
  }
  const bool completed = fit.ending == Ending::completed;
  if (completed) {
    const Observer again = [first = with.part(1, fits)](double fraction) { return first(ignl_fits_again * fraction); };
    const IgnlOverAmplitude over = ignl_over_amplitude(*this, curves, fit, again);
    add_ignl_facts(over, facts);
    add_messages(over, fit, summary);
    write_table(name, "", ignl_table(), ignl_rows(fit, over), with.results, summary);
  }
  summary.sum_up(std::move(facts));
  write_table(name, "stuck", ignl_stuck_table(), ignl_stuck_rows(curves, fit), with.results, summary);
  write_table(name, "friction", ignl_friction_table(), ignl_friction_rows(fit), with.results, summary);
  write_table(name, "orders", ignl_order_table(fit.polynomial.order), fit.polynomial.tried, with.results, summary);
  if (!completed) return summary;
  if (!fit.backbone_u.empty()) {
    write_table(name, "backbone", ignl_backbone_table(), ignl_backbone_rows(fit), with.results, summary);
  }
  const std::string file = other_files().front();
  with.results.text(file, study_text(name, fit));
  summary.files.push_back(file);
  return summary;
}

}  // namespace microslip
