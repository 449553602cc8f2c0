#include "microslip/study/fit_ignl_analysis.hpp"
#include "microslip/identify/ignl_bands.hpp"
#include "microslip/identify/ignl_errors.hpp"
#include "microslip/report/analysis_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace microslip {
namespace {

using nlohmann::ordered_json;

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

/// Both turning points of a swing lie within the data.
bool within_data(const IgnlFit& fit, const IgnlPoint& point) {
  constexpr double rounding = 1.0 + 1e-9;
  return point.q <= rounding * fit.end && point.upper <= rounding * fit.upper_end &&
         point.lower >= rounding * fit.lower_end;
}

std::vector<double> spaced(double from, double to, int points, bool log) {
  std::vector<double> q;
  for (int i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / (points - 1);
    q.push_back(i == points - 1 ? to : log ? from * std::pow(to / from, share) : from + (to - from) * share);
  }
  return q;
}

std::vector<double> amplitudes(const FitIgnlAnalysis& analysis, const IgnlFit& fit) {
  if (analysis.from) return spaced(*analysis.from, *analysis.to, analysis.points, analysis.log);
  // As far as both turning points stay within the data: of many candidates the last that does.
  const double lowest = std::max(fit.friction.u.front(), 1e-3 * fit.end);
  double to = lowest;
  for (const IgnlPoint& point : ignl_curve(fit.model, spaced(lowest, fit.end, 1000, false)).points) {
    if (!within_data(fit, point)) break;
    to = point.q;
  }
  return to > lowest ? spaced(lowest, to, analysis.points, analysis.log) : std::vector<double>{lowest};
}

constexpr int fits_again = 20;       // for the standard errors
constexpr double widened = 2.0;      // standard errors that bounds lie outside
constexpr double poor_zeta = 0.5;    // standard error over zeta
constexpr double poor_omega = 0.05;  // over omega

struct Curves {
  IgnlCurve main;
  IgnlBands bands;
  std::optional<IgnlCurve> positive, negative;
};

/// Of friction through points: results of either side, and two standard errors.
IgnlBand point_band(const Curves& curves, std::vector<double> errors, double IgnlPoint::*quantity) {
  IgnlBand band;
  band.error = std::move(errors);
  for (std::size_t i = 0; i < curves.main.points.size(); ++i) {
    double low = curves.main.points[i].*quantity, high = low;
    for (const auto* side : {&curves.positive, &curves.negative}) {
      if (!*side || i >= (*side)->points.size()) continue;
      low = std::min(low, (*side)->points[i].*quantity);
      high = std::max(high, (*side)->points[i].*quantity);
    }
    band.low.push_back(std::max(low - widened * band.error[i], 0.0));
    band.high.push_back(high + widened * band.error[i]);
  }
  return band;
}

IgnlBands bands_of(const IgnlCurves& data, const IgnlFitOptions& options, const IgnlFit& fit,
                   const std::vector<double>& q, const Curves& curves, const Observer& observer) {
  if (fit.sliders) return ignl_bands(data, options, fit, q, curves.main, observer);
  IgnlErrors errors = ignl_errors(data, options, fit, q, fits_again, observer);
  return {point_band(curves, std::move(errors.omega), &IgnlPoint::omega),
          point_band(curves, std::move(errors.zeta), &IgnlPoint::zeta)};
}

IgnlBands unknown_bands(std::size_t points) {
  const std::vector<double> none(points, std::numeric_limits<double>::quiet_NaN());
  return {{none, none, none}, {none, none, none}};
}

void write_curve(const IgnlFit& fit, const Curves& curves, Sink& sink) {
  const Column columns[] = {
      {"q", "length", "half-range of a half swing", Scale::logarithmic},
      {"omega", "rad/time", "from the time of a half swing: ring-down"},
      {"zeta", "-", "tangent energy: ring-down", Scale::logarithmic},
      {"omega_paper", "rad/time", "omega_gnl and secant of friction, (IV-30)"},
      {"zeta_secant", "-", "equivalent viscous damper, (IV-32)", Scale::logarithmic},
      {"omega_gnl", "rad/time", "nothing slips, exact period"},
      {"dissipation", "force length", "of friction, a cycle", Scale::logarithmic},
      {"theta", "force", "slipping less stuck force at q"},
      {"upper", "length", "upper turning point of the half swing"},
      {"lower", "length", "lower turning point"},
      {"omega_low", "rad/time", "lower bound: end of the 95 % band, of either side's friction"},
      {"omega_high", "rad/time", "upper bound"},
      {"zeta_low", "-", "lower bound: end of the 95 % band, of either side's friction", Scale::logarithmic},
      {"zeta_high", "-", "upper bound", Scale::logarithmic},
      {"beyond", "-", "1: a turning point lies beyond the data"},
      {"omega_error", "rad/time", "standard error, bias of smooth sliders included; nan: interrupted"},
      {"zeta_error", "-", "standard error; inf: undetermined, it is as large as zeta", Scale::logarithmic}};
  sink.begin(columns);
  const std::vector<IgnlPoint>& points = curves.main.points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const IgnlPoint& p = points[i];
    const double omega_error = curves.bands.omega.error[i], zeta_error = curves.bands.zeta.error[i];
    const double row[] = {p.q,
                          p.omega,
                          p.zeta,
                          p.omega_paper,
                          p.zeta_secant,
                          p.omega_gnl,
                          p.dissipation,
                          p.theta,
                          p.upper,
                          p.lower,
                          curves.bands.omega.low[i],
                          curves.bands.omega.high[i],
                          curves.bands.zeta.low[i],
                          curves.bands.zeta.high[i],
                          within_data(fit, p) ? 0.0 : 1.0,
                          omega_error,
                          zeta_error >= p.zeta ? std::numeric_limits<double>::infinity() : zeta_error};
    sink.row(row);
  }
}

void write_stuck(const IgnlCurves& curves, const IgnlFit& fit, Sink& sink) {
  const Column columns[] = {{"u", "length", "deflection"},
                            {"f", "force", "data, stuck"},
                            {"f_fit", "force", "of the polynomial"},
                            {"residual", "force", "f_fit - f"}};
  sink.begin(columns);
  const auto write = [&](double u, double f) {
    const double fitted = fit.model.stuck_force(u);
    const double row[] = {u, f, fitted, fitted - f};
    sink.row(row);
  };
  if (const auto& negative = curves.stuck_negative) {
    for (std::size_t i = negative->size(); i > 0; --i) write(-negative->u[i - 1], -negative->f[i - 1]);
  }
  for (std::size_t i = 0; i < curves.stuck.size(); ++i) write(curves.stuck.u[i], curves.stuck.f[i]);
}

void write_friction(const IgnlFit& fit, Sink& sink) {
  const Column columns[] = {{"u", "length", "deflection"},
                            {"theta", "force", "slipping less stuck force; mean of both sides"},
                            {"theta_fit", "force", "of the Masing law and the spring beside it"},
                            {"theta_positive", "force", "loading to the positive side"},
                            {"theta_negative", "force", "to the negative side, mirrored; nan: not given"}};
  sink.begin(columns);
  for (std::size_t i = 0; i < fit.friction.u.size(); ++i) {
    const double u = fit.friction.u[i];
    const double fitted = fit.model.first_loading(u).force - fit.model.stuck_force(u);
    const double row[] = {u, fit.friction.theta[i], fitted, fit.positive[i],
                          fit.negative.empty() ? std::nan("") : fit.negative[i]};
    sink.row(row);
  }
}

void write_orders(const SiceFit& fit, Sink& sink) {
  const Column columns[] = {{"order", "-", "of the polynomial"},
                            {"misfit", "-", "weighted root mean square over that of the data"},
                            {"validation", "-", "the same for points left out"},
                            {"chosen", "-", "1: the one taken"}};
  sink.begin(columns);
  for (const SiceOrder& tried : fit.tried) {
    const double row[] = {static_cast<double>(tried.order), tried.misfit, tried.validation,
                          tried.order == fit.order ? 1.0 : 0.0};
    sink.row(row);
  }
}

void write_backbone(const IgnlFit& fit, Sink& sink) {
  const Column columns[] = {{"u", "length", "deflection"}, {"f", "force", "of the Masing law"}};
  sink.begin(columns);
  for (std::size_t i = 0; i < fit.backbone_u.size(); ++i) {
    const double row[] = {fit.backbone_u[i], fit.backbone_f[i]};
    sink.row(row);
  }
}

/// One mass with both joints: a study that runs, and joints to copy.
std::string study_text(const FitIgnlAnalysis& analysis, const IgnlFit& fit) {
  std::string text = fmt::format(
      "# Analysis \"{0}\": polynomial and friction as joints side by side, good for deflections from {1:g} to {2:g}.\n"
      "# Copy both into another study, or run this one; the backbone stands in {0}-backbone.csv beside it.\n"
      "[structure]\nkind    = \"lumped\"\nmasses  = [{3:.17g}]\ndamping = {{ modal = {4:.17g} }}\n\n"
      "[[joint]]\nname    = \"spring\"\nbetween = [\"ground\", \"1\"]\nlaw     = \"polynomial\"\n",
      analysis.name, fit.lower_end, fit.upper_end, fit.model.mass, fit.model.zeta0);
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
        analysis.name, fit.interpolation == Interpolation::smooth ? "smooth" : "linear");
  }
  return text + "\n[[analysis]]\nkind = \"modes\"\n";
}

std::string_view name_of(FrictionFrom friction) {
  return friction == FrictionFrom::best ? "best" : friction == FrictionFrom::points ? "points" : "sliders";
}

std::string origins(const FitIgnlAnalysis& analysis) {
  if (analysis.joints) return analysis.joints->origin;
  std::vector<std::string> names;
  for (const CurveSource& source : analysis.data) names.push_back(source.origin);
  return fmt::format("{}", fmt::join(names, ", "));
}

ordered_json settings(const FitIgnlAnalysis& analysis) {
  const IgnlFitOptions& options = analysis.options;
  ordered_json json;
  json["kind"] = std::string(FitIgnlAnalysis::kind);
  json["data"] = origins(analysis);
  json["mass"] = options.mass;
  json["zeta0"] = options.zeta0;
  if (options.polynomial.order) {
    json["order"] = *options.polynomial.order;
  } else {
    json["highest_order"] = options.polynomial.highest;
  }
  if (options.odd) json["powers"] = *options.odd ? "odd" : "all";
  if (options.polynomial.stiffness) json["k1"] = *options.polynomial.stiffness;
  json["weights"] = options.polynomial.weights == SiceWeights::secant ? "secant" : "points";
  if (options.friction_stiffness) json["KT"] = *options.friction_stiffness;
  json["friction"] = std::string(name_of(options.friction));
  json["masing_tolerance"] = options.masing_tolerance;
  return json;
}

/// Limit loads within the data, told before anybody steps a force beyond them.
void add_limits(const IgnlFit& fit, bool negative, AnalysisSummary& summary) {
  ordered_json limits = ordered_json::array();
  for (const bool slipping : {false, true}) {
    for (const double end : {fit.upper_end, fit.lower_end}) {
      if (end < 0.0 && !negative) continue;
      const double reach = slipping ? std::copysign(std::min(std::abs(end), fit.end), end) : end;
      const auto limit = limit_load(fit.model, reach, slipping);
      if (!limit) continue;
      const std::string_view curve = slipping ? "slipping" : "stuck";
      limits.push_back({{"curve", curve}, {"u", limit->x}, {"f", limit->force}});
      add_message(fmt::format("limit load of the {} curve: {:.6g} at {:.6g}, no static solution beyond", curve,
                              limit->force, limit->x),
                  summary);
    }
  }
  if (!limits.empty()) summary.facts["limit_loads"] = limits;
}

/// First and last point of the curve over amplitude.
void add_ends(const IgnlCurve& curve, AnalysisSummary& summary) {
  if (curve.points.empty()) return;
  const IgnlPoint &first = curve.points.front(), &last = curve.points.back();
  summary.facts["q"] = {first.q, last.q};
  summary.facts["omega"] = {first.omega, last.omega};
  summary.facts["zeta"] = {first.zeta, last.zeta};
}

/// Amplitudes at which an error is more than a share of what it belongs to: "12 of 200 amplitudes, q from 1 to 2".
struct Share {
  std::size_t rows = 0;
  std::string words;
};
Share amplitudes_above(const IgnlCurve& curve, const std::vector<double>& error, double IgnlPoint::*quantity,
                       double share) {
  Share result;
  double low = 0.0, high = 0.0;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const IgnlPoint& p = curve.points[i];
    if (error[i] < share * p.*quantity) continue;
    if (result.rows++ == 0) low = p.q;
    high = p.q;
  }
  result.words =
      fmt::format("{} of {} amplitudes, q from {:.3g} to {:.3g}", result.rows, curve.points.size(), low, high);
  return result;
}

/// What the noise of the curves leaves of the result.
void add_errors(const Curves& curves, AnalysisSummary& summary) {
  const IgnlCurve& curve = curves.main;
  if (curve.points.empty()) return;
  const std::vector<double>&omega = curves.bands.omega.error, &zeta = curves.bands.zeta.error;
  const std::size_t last = curve.points.size() - 1;
  summary.facts["omega_error"] = {omega[0], omega[last]};
  summary.facts["zeta_error"] = {zeta[0], zeta[last]};
  const Share lost = amplitudes_above(curve, zeta, &IgnlPoint::zeta, 1.0);
  const Share poor = amplitudes_above(curve, zeta, &IgnlPoint::zeta, poor_zeta);
  const Share off = amplitudes_above(curve, omega, &IgnlPoint::omega, poor_omega);
  summary.facts["undetermined"] = lost.rows;
  if (lost.rows > 0) {
    add_message("damping is undetermined, with a standard error as large as itself, at " + lost.words, summary);
  }
  if (poor.rows > lost.rows) {
    add_message("damping has a standard error above half of it at " + poor.words, summary);
  }
  if (off.rows > 0) {
    add_message(fmt::format("frequency has a standard error above {:g} % at {}", 100.0 * poor_omega, off.words),
                summary);
  }
}

ordered_json facts_of(const IgnlFit& fit) {
  ordered_json facts;
  facts["order"] = fit.polynomial.order;
  facts["k"] = fit.polynomial.k;
  const auto chosen = std::find_if(fit.polynomial.tried.begin(), fit.polynomial.tried.end(),
                                   [&](const SiceOrder& tried) { return tried.order == fit.polynomial.order; });
  facts["misfit"] = chosen->misfit;
  facts["validation"] = chosen->validation;
  facts["omega_stuck"] = std::sqrt(fit.model.stuck.front() / fit.model.mass);
  facts["KT"] = fit.model.friction ? fit.model.friction_stiffness : 0.0;
  facts["friction"] = !fit.model.friction ? "none" : fit.sliders ? "sliders" : "points";
  if (!fit.negative.empty()) {
    facts["masing_difference"] = fit.masing_difference;
    facts["masing_beyond_noise"] = fit.masing_beyond_noise;
    facts["masing"] = fit.masing;
  }
  facts["range"] = {fit.lower_end, fit.upper_end};
  return facts;
}

}  // namespace

void mirror_negative(ForceCurve& curve) {
  if (std::none_of(curve.u.begin(), curve.u.end(), [](double u) { return u < 0.0; })) return;
  for (double& u : curve.u) u = 0.0 - u;
  for (double& f : curve.f) f = 0.0 - f;
}

std::vector<std::string> table_parts(const FitIgnlAnalysis&) {
  return {"", "stuck", "friction", "orders", "backbone"};
}

std::vector<std::string> other_files(const FitIgnlAnalysis& analysis) {
  return {analysis.name + "-study.toml"};
}

std::string describe(const FitIgnlAnalysis& analysis) {
  const SiceOptions& polynomial = analysis.options.polynomial;
  return fmt::format("{}, {}, {} amplitudes", origins(analysis),
                     polynomial.order ? fmt::format("order {}", *polynomial.order)
                                      : fmt::format("orders up to {}", polynomial.highest),
                     analysis.points);
}

AnalysisSummary run(const FitIgnlAnalysis& analysis, AnalysisRun& with) {
  with.results.settings(analysis.name, settings(analysis));
  AnalysisSummary summary;
  summary.ending = Ending::no_convergence;
  summary.message = "";
  IgnlCurves data;
  IgnlFit fit;
  const auto fits_from = [&with](int done) {  // of as many fits as there are in all
    return [&with, done](double fraction) {
      return !with.observer || with.observer((done + fraction) / (1 + fits_again));
    };
  };
  try {
    data = curves_of(analysis, with.results);
    fit = fit_ignl(data, analysis.options, fits_from(0));
  } catch (const std::invalid_argument& error) {
    summary.message = error.what();
    return summary;
  }
  summary.ending = fit.ending;
  summary.message = fit.message;
  if (fit.ending == Ending::interrupted) return summary;
  summary.facts = facts_of(fit);
  add_limits(fit, data.stuck_negative.has_value(), summary);
  const auto table = [&](const std::string& part, auto&& write) {
    TableSink sink = with.results.table(analysis.name, part);
    write(sink);
    sink.close();
    summary.files.push_back(table_name(analysis.name, part) + ".csv");
  };
  Curves curves;
  if (fit.ending == Ending::completed) {
    const std::vector<double> q = amplitudes(analysis, fit);
    curves.main = ignl_curve(fit.model, q);
    summary.ending = curves.main.ending;
    add_message(curves.main.message, summary);
    if (fit.positive_model) curves.positive = ignl_curve(*fit.positive_model, q);
    if (fit.negative_model) curves.negative = ignl_curve(*fit.negative_model, q);
    for (const auto& [side, curve] : {std::pair{"positive", &curves.positive}, {"negative", &curves.negative}}) {
      if (*curve && !(*curve)->message.empty()) {
        add_message(fmt::format("bound of the {} side: {}", side, (*curve)->message), summary);
      }
    }
    const auto beyond = std::count_if(curves.main.points.begin(), curves.main.points.end(),
                                      [&](const IgnlPoint& point) { return !within_data(fit, point); });
    if (beyond > 0) add_message(fmt::format("{} amplitudes lie beyond the data", beyond), summary);
    add_ends(curves.main, summary);
    bool stopped = false;
    curves.bands = bands_of(data, analysis.options, fit, q, curves, [&](double fraction) {
      stopped = stopped || !fits_from(1)(fits_again * fraction);
      return !stopped;
    });
    if (stopped) {
      curves.bands = unknown_bands(q.size());
      summary.ending = Ending::interrupted;
      add_message("interrupted before the standard errors were known", summary);
    } else {
      add_errors(curves, summary);
    }
    table("", [&](Sink& sink) { write_curve(fit, curves, sink); });
  }
  table("stuck", [&](Sink& sink) { write_stuck(data, fit, sink); });
  table("friction", [&](Sink& sink) { write_friction(fit, sink); });
  table("orders", [&](Sink& sink) { write_orders(fit.polynomial, sink); });
  if (fit.ending != Ending::completed) return summary;
  if (!fit.backbone_u.empty()) table("backbone", [&](Sink& sink) { write_backbone(fit, sink); });
  const std::string file = other_files(analysis).front();
  with.results.text(file, study_text(analysis, fit));
  summary.files.push_back(file);
  return summary;
}

}  // namespace microslip
