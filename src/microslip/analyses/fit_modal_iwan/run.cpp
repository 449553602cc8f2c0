#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/fit_modal_iwan/analysis.hpp"
#include "microslip/analyses/fit_modal_iwan/comparison.hpp"
#include "microslip/analyses/fit_modal_iwan/modal_oscillator_study.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

/// The curves to fit, in the order of `modes`, within the range of amplitudes.
std::vector<AmplitudeCurve> chosen_curves(const FitModalIwanAnalysis& analysis, const Results& results) {
  std::vector<AmplitudeCurve> all = analysis.data;
  const AmplitudeColumns columns{analysis.from_qsma, analysis.options.omega_form != OmegaForm::first_harmonic,
                                 analysis.options.zeta_form == ZetaForm::secant, analysis.clean_only};
  for (const std::string& source : analysis.from) {
    add_amplitude_rows(results.kept(table_name(source, "")), columns, all);
  }
  std::vector<AmplitudeCurve> chosen;
  if (analysis.modes.empty()) chosen = all;
  for (const int mode : analysis.modes) {
    const auto curve = std::find_if(all.begin(), all.end(), [&](const AmplitudeCurve& c) { return c.mode == mode; });
    chosen.push_back(curve != all.end() ? *curve : AmplitudeCurve{mode, {}});
  }
  for (AmplitudeCurve& curve : chosen) {
    std::erase_if(curve.points,
                  [&](const AmplitudePoint& p) { return !(p.q >= analysis.q_low && p.q <= analysis.q_high); });
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const AmplitudePoint& a, const AmplitudePoint& b) { return a.q < b.q; });
  }
  return chosen;
}

ModalIwanFit fit_curve(const AmplitudeCurve& curve, const ModalIwanFitOptions& options, const Observer& observer) {
  try {
    return fit_modal_iwan(curve.points, options, observer);
  } catch (const std::invalid_argument& error) {
    ModalIwanFit fit;
    fit.message = error.what();
    return fit;
  }
}

using FittedMode = FitModalIwanFacts::Mode;

void add_estimate(const std::string& name, const std::string& unit, const std::string& meaning,
                  Estimate ModalIwanFit::*estimate, Table<FittedMode>& table) {
  table.add({name, unit, meaning}, [estimate](const FittedMode& row) { return (row.fit.*estimate).value; });
  table.add({name + "_error", unit, "standard error"},
            [estimate](const FittedMode& row) { return (row.fit.*estimate).error; });
}

Table<FittedMode> parameter_table() {
  const std::string force = "force/sqrt(mass)";
  struct {
    std::string unit, meaning;
  } const parameters[modal_iwan_size] = {{"1/time^2", "stiffness beside the Iwan element"},
                                         {"-", "damping ratio of the stuck mode"},
                                         {force, "macroslip force"},
                                         {"1/time^2", "stiffness of the Iwan element at rest"},
                                         {"-", "exponent of the distribution of sliders"},
                                         {"-", "stiffness of the sliders at phi_max over that of the others"}};
  Table<FittedMode> table;
  table.add({"mode", "-", "number, from 1"}, [](const FittedMode& row) { return row.mode; });
  for (int k = 0; k < modal_iwan_size; ++k) {
    table.add({std::string(modal_iwan_names[k]), parameters[k].unit, parameters[k].meaning},
              [k](const FittedMode& row) { return as_array(row.fit.parameters)[k]; });
  }
  for (int k = 0; k < modal_iwan_size; ++k) {
    table.add({fmt::format("{}_error", modal_iwan_names[k]), parameters[k].unit,
               "standard error; 0: given or at a bound, inf: the data do not determine it"},
              [k](const FittedMode& row) { return row.fit.errors[k]; });
  }
  add_estimate("omega0", "rad/time", "frequency of the stuck mode", &ModalIwanFit::omega0, table);
  add_estimate("phi_max", "sqrt(mass) length", "modal displacement at which everything slips", &ModalIwanFit::phi_max,
               table);
  add_estimate("R", force + "/(sqrt(mass) length)^(chi+2)", "factor of the distribution, rho = R phi^chi",
               &ModalIwanFit::r, table);
  add_estimate("S", "1/time^2", "stiffness of the sliders at phi_max", &ModalIwanFit::s, table);
  table.add({"omega_residual", "-", "root mean square of fitted/measured - 1"},
            [](const FittedMode& row) { return row.fit.omega_residual; });
  table.add({"zeta_residual", "-", "root mean square of ln(fitted/measured)"},
            [](const FittedMode& row) { return row.fit.zeta_residual; });
  table.add(
      {"omega_serial", "-", "correlation of neighbouring residuals: 0 like independent noise, 1 alike from row to row"},
      [](const FittedMode& row) { return row.fit.omega_serial; });
  table.add({"zeta_serial", "-", "the same of damping"}, [](const FittedMode& row) { return row.fit.zeta_serial; });
  table.add({"independent", "-", "of the frequencies and damping ratios used, by how alike residuals are"},
            [](const FittedMode& row) { return row.fit.independent; });
  table.add({"points", "-", "used"}, [](const FittedMode& row) { return row.fit.points; });
  table.add({"macroslip_points", "-", "beyond phi_max"},
            [](const FittedMode& row) { return row.fit.macroslip_points; });
  table.add({"iterations", "-", "of all starts"}, [](const FittedMode& row) { return row.fit.iterations; });
  return table;
}

/// Data, and the fitted model at the same amplitude.
struct FittedPoint {
  int mode = 0;
  AmplitudePoint data;
  double omega = 0.0, zeta = 0.0;
};

std::vector<FittedPoint> fitted_points(const AmplitudeCurve& curve, const ModalIwanFit& fit,
                                       const ModalIwanFitOptions& options) {
  const ModalIwanModel<double> model(fit.parameters);
  std::vector<FittedPoint> points;
  for (const AmplitudePoint& p : curve.points) {
    points.push_back({curve.mode, p, model.omega(p.q, options.omega_form), model.zeta(p.q, options.zeta_form)});
  }
  return points;
}

Table<FittedPoint> fitted_curve_table() {
  Table<FittedPoint> table;
  table.add({"mode", "-", "number, from 1"}, [](const FittedPoint& row) { return row.mode; });
  table.add({"q", "sqrt(mass) length", "modal displacement", Scale::logarithmic},
            [](const FittedPoint& row) { return row.data.q; });
  table.add({"omega", "rad/time", "measured"}, [](const FittedPoint& row) { return row.data.omega; });
  table.add({"omega_fit", "rad/time", "fitted"}, [](const FittedPoint& row) { return row.omega; });
  table.add({"zeta", "-", "measured", Scale::logarithmic}, [](const FittedPoint& row) { return row.data.zeta; });
  table.add({"zeta_fit", "-", "fitted", Scale::logarithmic}, [](const FittedPoint& row) { return row.zeta; });
  return table;
}

/// A row of the correlation matrix of a mode.
struct CorrelationRow {
  const FittedMode* mode = nullptr;
  int parameter = 0;  ///< from 0
};

Table<CorrelationRow> correlation_table() {
  Table<CorrelationRow> table;
  table.add({"mode", "-", "number, from 1"}, [](const CorrelationRow& row) { return row.mode->mode; });
  table.add({"parameter", "-", "1: Kinf ... 6: beta"}, [](const CorrelationRow& row) { return row.parameter + 1; });
  for (int k = 0; k < modal_iwan_size; ++k) {
    table.add({std::string(modal_iwan_names[k]), "-", "correlation"},
              [k](const CorrelationRow& row) { return row.mode->fit.correlation[row.parameter][k]; });
  }
  return table;
}

/// The tables of the analysis, which are written mode by mode.
class FitTables {
 public:
  FitTables(const std::string& analysis, const ModalIwanFitOptions& options, Results& results)
      : options_(&options),
        parameter_sink_(results.table(analysis)),
        curve_sink_(results.table(analysis, "curves")),
        correlation_sink_(results.table(analysis, "correlation")) {
    parameters_.begin(parameter_sink_);
    curves_.begin(curve_sink_);
    correlation_.begin(correlation_sink_);
  }

  void write(const FittedMode& mode, const AmplitudeCurve& curve) {
    parameters_.write(mode, parameter_sink_);
    for (const FittedPoint& point : fitted_points(curve, mode.fit, *options_)) curves_.write(point, curve_sink_);
    for (int k = 0; k < modal_iwan_size; ++k) correlation_.write({&mode, k}, correlation_sink_);
  }
  void close() {
    parameter_sink_.close();
    curve_sink_.close();
    correlation_sink_.close();
  }

 private:
  const ModalIwanFitOptions* options_;
  Table<FittedMode> parameters_ = parameter_table();
  Table<FittedPoint> curves_ = fitted_curve_table();
  Table<CorrelationRow> correlation_ = correlation_table();
  TableSink parameter_sink_, curve_sink_, correlation_sink_;
};

ordered_json json_of(const FittedMode& mode) {
  const ModalIwanFit& fit = mode.fit;
  ordered_json json;
  json["mode"] = mode.mode;
  json["ending"] = std::string(to_string(fit.ending));
  json["message"] = fit.message;
  json["points"] = fit.points;
  json["dropped_points"] = fit.dropped;
  if (!mode.has_parameters()) return json;
  json["macroslip_points"] = fit.macroslip_points;
  const auto values = as_array(fit.parameters);
  for (int k = 0; k < modal_iwan_size; ++k) json[std::string(modal_iwan_names[k])] = values[k];
  json["omega0"] = fit.omega0.value;
  json["phi_max"] = fit.phi_max.value;
  json["omega_residual"] = fit.omega_residual;
  json["zeta_residual"] = fit.zeta_residual;
  json["zeta_serial"] = fit.zeta_serial;
  json["independent"] = fit.independent;
  json["undetermined"] = fit.undetermined;
  json["at_bound"] = fit.at_bound;
  return json;
}

std::string origin_of(const FitModalIwanAnalysis& analysis) {
  if (analysis.from.empty()) return "measured curves";
  return fmt::format("{} {}", analysis.from_qsma ? "qsma" : "ringdown", fmt::join(analysis.from, ", "));
}

/// Adds what must be known of the sources and their rows do not tell.
void add_doubts(const std::vector<std::string>& sources, const Results& results, AnalysisSummary& summary) {
  for (const std::string& source : sources) {
    const std::string doubt = results.doubt_of(source);
    if (doubt.empty()) continue;
    add_message(fmt::format("of ringdown {}, {}: standard errors here do not hold that, and may be far too small",
                            source, doubt),
                summary);
  }
}

/// Fits the curves one after the other, until it is stopped.
FitModalIwanFacts fit_curves(const FitModalIwanAnalysis& analysis, const std::vector<AmplitudeCurve>& curves,
                             const AnalysisRun& with, AnalysisSummary& summary) {
  FitModalIwanFacts facts;
  FitTables tables(analysis.name, analysis.options, with.results);
  for (std::size_t i = 0; i < curves.size() && summary.ending != Ending::interrupted; ++i) {
    const AmplitudeCurve& curve = curves[i];
    facts.modes.push_back({curve.mode, fit_curve(curve, analysis.options, with.part(i, curves.size()))});
    const FittedMode& mode = facts.modes.back();
    if (!mode.fit.message.empty()) add_message(fmt::format("mode {}: {}", mode.mode, mode.fit.message), summary);
    summary.ending = worse(summary.ending, mode.fit.ending);
    if (mode.has_parameters()) tables.write(mode, curve);
  }
  tables.close();
  return facts;
}

/// `curves`: those of the modes, and maybe more behind them.
std::vector<ModalOscillator> oscillators_of(const FitModalIwanFacts& facts, const std::vector<AmplitudeCurve>& curves) {
  std::vector<ModalOscillator> oscillators;
  for (std::size_t i = 0; i < facts.modes.size(); ++i) {
    const auto& [mode, fit] = facts.modes[i];
    const std::vector<AmplitudePoint>& points = curves[i].points;
    if (!facts.modes[i].has_parameters()) continue;
    oscillators.push_back({mode, fit.parameters, points.front().q, points.back().q, fit.message});
  }
  return oscillators;
}

}  // namespace

ordered_json FitModalIwanFacts::to_json() const {
  ordered_json list = ordered_json::array();
  for (const Mode& mode : modes) list.push_back(json_of(mode));
  ordered_json json;
  json["modes"] = std::move(list);
  return json;
}

std::vector<std::string> FitModalIwanAnalysis::tables() const {
  std::vector<std::string> names = {"", "curves", "correlation"};
  if (!compare.empty()) names.emplace_back("compare");
  return names;
}

std::vector<std::string> FitModalIwanAnalysis::sources() const {
  std::vector<std::string> names = from;
  names.insert(names.end(), compare.begin(), compare.end());
  return names;
}

std::vector<std::string> FitModalIwanAnalysis::other_files() const {
  return {name + "-model.toml"};
}

nlohmann::ordered_json FitModalIwanAnalysis::settings() const {
  ordered_json json;
  json["from"] = from;
  json["compare"] = compare;
  json["modes"] = modes;
  json["omega_form"] = word_of(options.omega_form, omega_form_choices);
  json["zeta_form"] = word_of(options.zeta_form, zeta_form_choices);
  json["weights"] = word_of(options.weigh_by_log_q, weigh_by_log_q_choices);
  json["omega_error"] = options.omega_error;
  json["zeta_error"] = options.zeta_error;
  json["clean_only"] = clean_only ? 1 : 0;
  ordered_json fixed = ordered_json::object();
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (options.fixed[k]) fixed[std::string(modal_iwan_names[k])] = *options.fixed[k];
  }
  json["fixed"] = std::move(fixed);
  return json;
}

std::string FitModalIwanAnalysis::describe() const {
  return fmt::format("{} of {}, omega: {}, zeta: {}",
                     modes.empty() ? std::string("every mode")
                                   : fmt::format("mode{} {}", modes.size() > 1 ? "s" : "", fmt::join(modes, ", ")),
                     origin_of(*this), word_of(options.omega_form, omega_form_choices),
                     word_of(options.zeta_form, zeta_form_choices));
}

AnalysisSummary FitModalIwanAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary = completed_summary();
  const std::vector<AmplitudeCurve> curves = chosen_curves(*this, with.results);
  if (curves.empty()) {
    summary.ending = Ending::no_convergence;
    summary.message =
        fmt::format("{} gave no rows{}", origin_of(*this), clean_only && !from_qsma ? " that are clean" : "");
    return summary;
  }
  FitModalIwanFacts facts = fit_curves(*this, curves, with, summary);
  if (!compare.empty()) write_comparison(*this, facts, with.results);
  add_doubts(from, with.results, summary);
  summary.files = table_files();
  if (std::vector<ModalOscillator> oscillators = oscillators_of(facts, curves); !oscillators.empty()) {
    const std::string file = other_files().front();
    with.results.text(file, modal_oscillator_study(std::move(oscillators), origin_of(*this)));
    summary.files.push_back(file);
  }
  summary.sum_up(std::move(facts));
  return summary;
}

}  // namespace microslip
