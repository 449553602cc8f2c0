#include "microslip/study/fit_modal_iwan_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/modal_oscillator_study.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

std::string_view name_of(OmegaForm form) {
  return form == OmegaForm::secant ? "secant" : "first_harmonic";
}
std::string_view name_of(ZetaForm form) {
  return form == ZetaForm::secant ? "secant" : form == ZetaForm::tangent ? "tangent" : "decrement";
}

/// Adds the rows of a qsma or ringdown table.
void add_rows(const FitModalIwanAnalysis& analysis, const MemorySink& table, std::vector<AmplitudeCurve>& curves) {
  if (table.rows() == 0) return;
  const ModalIwanFitOptions& options = analysis.options;
  const bool qsma = analysis.from_qsma;
  const std::vector<double> mode = table.column("mode"), q = table.column("q"),
                            omega = table.column(
                                qsma && options.omega_form == OmegaForm::first_harmonic ? "omega_ringdown" : "omega"),
                            zeta = table.column(qsma && options.zeta_form == ZetaForm::secant ? "zeta_secant" : "zeta"),
                            clean = qsma ? std::vector<double>(q.size(), 1.0) : table.column("clean"),
                            none(qsma ? q.size() : 0, 0.0), omega_error = qsma ? none : table.column("omega_error"),
                            zeta_error = qsma ? none : table.column("zeta_error"),
                            half_cycles = qsma ? none : table.column("half_cycles");
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (analysis.clean_only && clean[i] == 0.0) continue;
    if (qsma && !(std::isfinite(omega[i]) && std::isfinite(zeta[i]))) continue;  // the motion dies there
    curve_of_mode(curves, static_cast<int>(mode[i]))
        .points.push_back(
            {q[i], omega[i], zeta[i], omega_error[i], zeta_error[i], ring_down_span(half_cycles[i], zeta[i])});
  }
}

/// The curves to fit, in the order of `modes`, within the range of amplitudes.
std::vector<AmplitudeCurve> chosen_curves(const FitModalIwanAnalysis& analysis, const Results& results) {
  std::vector<AmplitudeCurve> all = analysis.data;
  for (const std::string& name : analysis.from) add_rows(analysis, results.kept(table_name(name, "")), all);
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

/// Parameters are there, whether or not the minimum was reached.
bool has_parameters(const ModalIwanFit& fit) {
  return fit.parameters.k_t > 0.0;
}

void begin_parameters(Sink& sink) {
  const std::string force = "force/sqrt(mass)";
  const std::vector<std::string> units = {"1/time^2", "-", force, "1/time^2", "-", "-"};
  const std::vector<std::string> meanings = {"stiffness beside the Iwan element",
                                             "damping ratio of the stuck mode",
                                             "macroslip force",
                                             "stiffness of the Iwan element at rest",
                                             "exponent of the distribution of sliders",
                                             "stiffness of the sliders at phi_max over that of the others"};
  std::vector<Column> columns = {{"mode", "-", "number, from 1"}};
  for (std::size_t k = 0; k < units.size(); ++k)
    columns.push_back({std::string(modal_iwan_names[k]), units[k], meanings[k]});
  for (std::size_t k = 0; k < units.size(); ++k) {
    columns.push_back({fmt::format("{}_error", modal_iwan_names[k]), units[k],
                       "standard error; 0: given or at a bound, inf: the data do not determine it"});
  }
  struct Derived {
    const char* name;
    std::string unit, meaning;
  };
  for (const auto& [name, unit, meaning] :
       {Derived{"omega0", "rad/time", "frequency of the stuck mode"},
        {"phi_max", "sqrt(mass) length", "modal displacement at which everything slips"},
        {"R", force + "/(sqrt(mass) length)^(chi+2)", "factor of the distribution, rho = R phi^chi"},
        {"S", "1/time^2", "stiffness of the sliders at phi_max"}}) {
    columns.push_back({name, unit, meaning});
    columns.push_back({fmt::format("{}_error", name), unit, "standard error"});
  }
  columns.push_back({"omega_residual", "-", "root mean square of fitted/measured - 1"});
  columns.push_back({"zeta_residual", "-", "root mean square of ln(fitted/measured)"});
  columns.push_back({"omega_serial", "-",
                     "correlation of neighbouring residuals: 0 like independent noise, 1 alike from row to row"});
  columns.push_back({"zeta_serial", "-", "the same of damping"});
  columns.push_back({"independent", "-", "of the frequencies and damping ratios used, by how alike residuals are"});
  columns.push_back({"points", "-", "used"});
  columns.push_back({"macroslip_points", "-", "beyond phi_max"});
  columns.push_back({"iterations", "-", "of all starts"});
  sink.begin(columns);
}

void write_parameters(int mode, const ModalIwanFit& fit, Sink& sink) {
  std::vector<double> row = {static_cast<double>(mode)};
  const auto values = as_array(fit.parameters);
  row.insert(row.end(), values.begin(), values.end());
  row.insert(row.end(), fit.errors.begin(), fit.errors.end());
  for (const Estimate& e : {fit.omega0, fit.phi_max, fit.r, fit.s}) row.insert(row.end(), {e.value, e.error});
  row.insert(row.end(), {fit.omega_residual, fit.zeta_residual, fit.omega_serial, fit.zeta_serial, fit.independent,
                         static_cast<double>(fit.points), static_cast<double>(fit.macroslip_points),
                         static_cast<double>(fit.iterations)});
  sink.row(row);
}

void begin_curves(Sink& sink) {
  const Column columns[] = {{"mode", "-", "number, from 1"},
                            {"q", "sqrt(mass) length", "modal displacement", Scale::logarithmic},
                            {"omega", "rad/time", "measured"},
                            {"omega_fit", "rad/time", "fitted"},
                            {"zeta", "-", "measured", Scale::logarithmic},
                            {"zeta_fit", "-", "fitted", Scale::logarithmic}};
  sink.begin(columns);
}

void write_curve(const AmplitudeCurve& curve, const ModalIwanFit& fit, const ModalIwanFitOptions& options, Sink& sink) {
  const ModalIwanModel<double> model(fit.parameters);
  for (const AmplitudePoint& p : curve.points) {
    const double row[] = {static_cast<double>(curve.mode),      p.q,    p.omega,
                          model.omega(p.q, options.omega_form), p.zeta, model.zeta(p.q, options.zeta_form)};
    sink.row(row);
  }
}

void begin_correlation(Sink& sink) {
  std::vector<Column> columns = {{"mode", "-", "number, from 1"}, {"parameter", "-", "1: Kinf ... 6: beta"}};
  for (const std::string_view name : modal_iwan_names) columns.push_back({std::string(name), "-", "correlation"});
  sink.begin(columns);
}

void write_correlation(int mode, const ModalIwanFit& fit, Sink& sink) {
  for (int k = 0; k < modal_iwan_size; ++k) {
    std::vector<double> row = {static_cast<double>(mode), k + 1.0};
    row.insert(row.end(), fit.correlation[k].begin(), fit.correlation[k].end());
    sink.row(row);
  }
}

ordered_json headline(int mode, const ModalIwanFit& fit) {
  ordered_json json;
  json["mode"] = mode;
  json["ending"] = std::string(to_string(fit.ending));
  json["message"] = fit.message;
  json["points"] = fit.points;
  json["dropped_points"] = fit.dropped;
  if (!has_parameters(fit)) return json;
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

ordered_json settings(const FitModalIwanAnalysis& analysis) {
  ordered_json json;
  json["kind"] = std::string(FitModalIwanAnalysis::kind);
  json["from"] = analysis.from;
  json["modes"] = analysis.modes;
  json["omega_form"] = std::string(name_of(analysis.options.omega_form));
  json["zeta_form"] = std::string(name_of(analysis.options.zeta_form));
  json["weights"] = analysis.options.weigh_by_log_q ? "log_q" : "points";
  json["omega_error"] = analysis.options.omega_error;
  json["zeta_error"] = analysis.options.zeta_error;
  json["clean_only"] = analysis.clean_only ? 1 : 0;
  ordered_json fixed = ordered_json::object();
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (analysis.options.fixed[k]) fixed[std::string(modal_iwan_names[k])] = *analysis.options.fixed[k];
  }
  json["fixed"] = std::move(fixed);
  return json;
}

std::string origin(const FitModalIwanAnalysis& analysis) {
  if (analysis.from.empty()) return "measured curves";
  return fmt::format("{} {}", analysis.from_qsma ? "qsma" : "ringdown", fmt::join(analysis.from, ", "));
}

}  // namespace

AmplitudeCurve& curve_of_mode(std::vector<AmplitudeCurve>& curves, int mode) {
  const auto found =
      std::find_if(curves.begin(), curves.end(), [&](const AmplitudeCurve& c) { return c.mode == mode; });
  return found != curves.end() ? *found : curves.emplace_back(AmplitudeCurve{mode, {}});
}

std::vector<std::string> table_parts(const FitModalIwanAnalysis&) {
  return {"", "curves", "correlation"};
}

std::vector<std::string> other_files(const FitModalIwanAnalysis& analysis) {
  return {analysis.name + "-model.toml"};
}

std::string describe(const FitModalIwanAnalysis& analysis) {
  return fmt::format("{} of {}, omega: {}, zeta: {}",
                     analysis.modes.empty() ? std::string("every mode")
                                            : fmt::format("mode{} {}", analysis.modes.size() > 1 ? "s" : "",
                                                          fmt::join(analysis.modes, ", ")),
                     origin(analysis), name_of(analysis.options.omega_form), name_of(analysis.options.zeta_form));
}

AnalysisSummary run(const FitModalIwanAnalysis& analysis, AnalysisRun& with) {
  with.results.settings(analysis.name, settings(analysis));
  AnalysisSummary summary;
  summary.ending = Ending::completed;
  summary.message = "";
  const std::vector<AmplitudeCurve> curves = chosen_curves(analysis, with.results);
  if (curves.empty()) {
    summary.ending = Ending::no_convergence;
    summary.message = fmt::format("{} gave no rows{}", origin(analysis),
                                  analysis.clean_only && !analysis.from_qsma ? " that are clean" : "");
    return summary;
  }
  TableSink parameters = with.results.table(analysis.name);
  TableSink fitted = with.results.table(analysis.name, "curves");
  TableSink correlation = with.results.table(analysis.name, "correlation");
  begin_parameters(parameters);
  begin_curves(fitted);
  begin_correlation(correlation);
  std::vector<ModalOscillator> oscillators;
  ordered_json modes = ordered_json::array();
  for (std::size_t i = 0; i < curves.size() && summary.ending != Ending::interrupted; ++i) {
    const AmplitudeCurve& curve = curves[i];
    const Observer observer = [&](double fraction) {
      return !with.observer || with.observer((static_cast<double>(i) + fraction) / static_cast<double>(curves.size()));
    };
    const ModalIwanFit fit = fit_curve(curve, analysis.options, observer);
    modes.push_back(headline(curve.mode, fit));
    if (!fit.message.empty()) add_message(fmt::format("mode {}: {}", curve.mode, fit.message), summary);
    if (fit.ending == Ending::interrupted || summary.ending == Ending::completed) summary.ending = fit.ending;
    if (!has_parameters(fit)) continue;
    write_parameters(curve.mode, fit, parameters);
    write_curve(curve, fit, analysis.options, fitted);
    write_correlation(curve.mode, fit, correlation);
    oscillators.push_back({curve.mode, fit.parameters, curve.points.front().q, curve.points.back().q, fit.message});
  }
  for (const std::string& name : analysis.from) {
    const std::string doubt = with.results.doubt_of(name);
    if (doubt.empty()) continue;
    add_message(
        fmt::format("of ringdown {}, {}: standard errors here do not hold that, and may be far too small", name, doubt),
        summary);
  }
  parameters.close();
  fitted.close();
  correlation.close();
  summary.facts["modes"] = std::move(modes);
  for (const auto& part : table_parts(analysis)) summary.files.push_back(table_name(analysis.name, part) + ".csv");
  if (!oscillators.empty()) {
    const std::string file = other_files(analysis).front();
    with.results.text(file, modal_oscillator_study(std::move(oscillators), origin(analysis)));
    summary.files.push_back(file);
  }
  return summary;
}

}  // namespace microslip
