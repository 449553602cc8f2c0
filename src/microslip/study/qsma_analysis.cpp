#include "microslip/study/qsma_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/report/law_curves.hpp"
#include "microslip/report/number_text.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/mode_numbers.hpp"

namespace microslip {
namespace {

constexpr long long most_points = 1000000;

LoadRamp read_ramp(const TableReader& reader) {
  const std::vector<double> alpha = reader.numbers("alpha", positive_number);
  if (alpha.size() != 2 || !(alpha[0] < alpha[1])) {
    throw reader.error("alpha", "alpha must be [from, to] with 0 < from < to");
  }
  LoadRamp ramp;
  ramp.from = alpha[0];
  ramp.to = alpha[1];
  ramp.points = static_cast<int>(reader.integer_or("points", ramp.points, 2, most_points));
  if (reader.has("spacing") && reader.choice("spacing", {"log", "linear"}) == "linear") ramp.spacing = Spacing::linear;
  return ramp;
}

std::string_view shape_name(const QsmaAnalysis& analysis) {
  return analysis.options.load_shape == LoadShape::slipped ? "slipped" : "stuck";
}

std::string_view others_name(const QsmaAnalysis& analysis) {
  return analysis.options.other_modes == OtherModes::vibrating ? "vibrating" : "at_rest";
}

std::vector<int> numbers_from_one(const QsmaAnalysis& analysis) {
  std::vector<int> numbers = analysis.modes;
  for (int& number : numbers) ++number;
  return numbers;
}

std::vector<Column> columns(const System& system) {
  std::vector<Column> result = {
      {"mode", "-", "number, from 1"},
      {"alpha", "force/sqrt(mass)", "load, times M phi", Scale::logarithmic},
      {"q", "sqrt(mass) length", "modal displacement", Scale::logarithmic},
      {"omega", "rad/time", "secant, sqrt(alpha/q)"},
      {"omega_ringdown", "rad/time", "what a ring-down follows"},
      {"zeta", "-", "damping ratio of a ring-down", Scale::logarithmic},
      {"zeta_secant", "-", "equivalent damping ratio of steady vibration", Scale::logarithmic},
      {"dissipation", "force length", "of all joints, per cycle", Scale::logarithmic},
      {"coupling", "-", "largest |q_s/q| of another mode"}};
  for (int i = 0; i < system.components(); ++i) {
    result.push_back({fmt::format("u[{}]", system.component_name(i)), "length", "joint deflection"});
  }
  return result;
}

/// Force of each joint with a backbone over its deflection, up to the largest of the analysis.
void write_backbones(const System& system, const std::vector<double>& largest, Sink& sink) {
  constexpr int points = 100;
  sink.begin(std::vector<Column>{{"joint", "-", "number, from 1"},
                                 {"u", "length", "deflection"},
                                 {"f", "force", "on the virgin curve"},
                                 {"slope", "force/length", "df/du"}});
  std::size_t next = 0;  // component
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const std::size_t component =
        std::exchange(next, next + static_cast<std::size_t>(system.joints()[j].directions.cols()));
    if (!has_backbone(system.joints()[j].law) || !(largest[component] > 0.0)) continue;
    MemorySink curve;
    write_backbone(system.joints()[j].law, largest[component], points, curve);
    for (std::size_t i = 0; i < curve.rows(); ++i) {
      const double row[] = {static_cast<double>(j) + 1.0, curve.at(i, 0), curve.at(i, 1), curve.at(i, 2)};
      sink.row(row);
    }
  }
}

void write_curve(const ModalCurve& curve, int components, Sink& sink) {
  std::vector<double> row;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const ModalPoint& p = curve.points[i];
    row = {curve.mode + 1.0, p.alpha, p.q, p.omega, p.omega_ringdown, p.zeta, p.zeta_secant, p.dissipation, p.coupling};
    const auto first = curve.deflections.begin() + static_cast<std::ptrdiff_t>(i) * components;
    row.insert(row.end(), first, first + components);
    sink.row(row);
  }
}

/// Ends of a curve and its largest damping; pairs are [first, last].
nlohmann::ordered_json headline_of(const ModalCurve& curve) {
  const ModalPoint& first = curve.points.front();
  const ModalPoint& last = curve.points.back();
  const auto size = [](const ModalPoint& p) { return std::isfinite(p.zeta) ? p.zeta : -1.0; };  // some have none
  const auto most = std::max_element(curve.points.begin(), curve.points.end(),
                                     [&](const ModalPoint& a, const ModalPoint& b) { return size(a) < size(b); });
  return {{"mode", curve.mode + 1},          {"q", {first.q, last.q}},     {"omega", {first.omega, last.omega}},
          {"zeta", {first.zeta, last.zeta}}, {"largest_zeta", most->zeta}, {"q_of_largest_zeta", most->q}};
}

std::string mode_in_words(const nlohmann::ordered_json& mode, const UnitLabels& units) {
  const auto ends = [&](const char* name, int end) { return mode[name][end].get<double>(); };
  const double fall = 1.0 - ends("omega", 1) / ends("omega", 0);
  std::string words = fmt::format("Mode {}: the frequency {} from {} to {} {} ({:.2g} %)", mode["mode"].get<int>(),
                                  fall < 0.0 ? "rises" : "falls", engineering(ends("omega", 0)),
                                  engineering(ends("omega", 1)), units.of("rad/time"), 100.0 * std::abs(fall));
  words += fmt::format(" as the modal amplitude grows from {} to {} {};", engineering(ends("q", 0), 3),
                       engineering(ends("q", 1), 3), units.of("sqrt(mass) length"));
  words += fmt::format(" the damping ratio is {} at the smallest amplitude and at most {}, at {}.",
                       engineering(ends("zeta", 0), 3), engineering(mode["largest_zeta"].get<double>(), 3),
                       engineering(mode["q_of_largest_zeta"].get<double>(), 3));
  return words;
}

/// y over modal amplitude, one curve a mode.
Figure over_amplitude(const char* name, const char* title, const char* column, Axis y, const char* caption) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.x = {"modal amplitude", "sqrt(mass) length", true};
  figure.y = std::move(y);
  Curve curve;
  curve.x = "q";
  curve.y = column;
  curve.split = {"mode"};
  figure.curves = {curve};
  figure.caption = caption;
  return figure;
}

}  // namespace

QsmaAnalysis read_qsma_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "mode", "alpha", "points", "spacing", "load_shape", "other_modes"});
  QsmaAnalysis analysis;
  analysis.modes = read_modes(reader, parts.system);
  analysis.ramp = read_ramp(reader);
  if (reader.has("load_shape") && reader.choice("load_shape", {"stuck", "slipped"}) == "slipped") {
    analysis.options.load_shape = LoadShape::slipped;
  }
  if (reader.has("other_modes") && reader.choice("other_modes", {"at_rest", "vibrating"}) == "vibrating") {
    if (analysis.options.load_shape == LoadShape::slipped) {
      throw reader.error("other_modes", "other_modes = \"vibrating\" needs load_shape = \"stuck\"");
    }
    analysis.options.other_modes = OtherModes::vibrating;
  }
  return analysis;
}

std::vector<std::string> table_parts(const QsmaAnalysis&) {
  return {"", "backbones"};
}

std::string describe(const QsmaAnalysis& analysis) {
  return fmt::format("mode{} {}, alpha from {:g} to {:g} in {} points, {} shape", analysis.modes.size() > 1 ? "s" : "",
                     fmt::join(numbers_from_one(analysis), ", "), analysis.ramp.from, analysis.ramp.to,
                     analysis.ramp.points, shape_name(analysis));
}

AnalysisSummary run(const QsmaAnalysis& analysis, AnalysisRun& with) {
  with.results.settings(analysis.name, {{"kind", std::string(QsmaAnalysis::kind)},
                                        {"mode", numbers_from_one(analysis)},
                                        {"alpha", {analysis.ramp.from, analysis.ramp.to}},
                                        {"points", analysis.ramp.points},
                                        {"spacing", analysis.ramp.spacing == Spacing::linear ? "linear" : "log"},
                                        {"load_shape", std::string(shape_name(analysis))},
                                        {"other_modes", std::string(others_name(analysis))}});
  AnalysisSummary summary;
  summary.ending = Ending::completed;
  summary.message = "";
  std::size_t points = 0;
  long evaluations = 0;
  std::vector<double> largest(static_cast<std::size_t>(with.system.components()), 0.0);  // deflections
  TableSink sink = with.results.table(analysis.name);
  sink.begin(columns(with.system));
  for (std::size_t i = 0; i < analysis.modes.size() && summary.ending != Ending::interrupted; ++i) {
    const Observer observer = [&](double fraction) {
      return !with.observer ||
             with.observer((static_cast<double>(i) + fraction) / static_cast<double>(analysis.modes.size()));
    };
    ModalCurve curve;
    try {
      curve = quasi_static_modal_analysis(with.system, analysis.modes[i], analysis.ramp, analysis.options, observer);
    } catch (const std::exception& error) {  // no slipped modes; modes of equal frequency; a law that gave no number
      curve.ending = Ending::no_convergence;
      curve.message = fmt::format("mode {}: {}", analysis.modes[i] + 1, error.what());
    }
    write_curve(curve, with.system.components(), sink);
    for (std::size_t k = 0; k < curve.deflections.size(); ++k) {
      double& most = largest[k % largest.size()];
      most = std::max(most, std::abs(curve.deflections[k]));
    }
    points += curve.points.size();
    evaluations += curve.evaluations;
    if (!curve.points.empty()) summary.facts["modes"].push_back(headline_of(curve));
    add_message(curve.message, summary);
    if (curve.ending != Ending::completed && summary.ending != Ending::no_convergence) summary.ending = curve.ending;
  }
  sink.close();
  TableSink backbones = with.results.table(analysis.name, "backbones");
  write_backbones(with.system, largest, backbones);
  backbones.close();
  summary.facts["points"] = points;
  summary.facts["joint_evaluations"] = evaluations;
  for (const std::string& part : table_parts(analysis))
    summary.files.push_back(table_name(analysis.name, part) + ".csv");
  return summary;
}

std::vector<Figure> figures(const QsmaAnalysis& analysis, const System& system) {
  std::vector<Figure> result = {
      over_amplitude("frequency", "Frequency over amplitude", "omega", {"frequency", "rad/time", false},
                     "Secant frequency of each mode: the stuck one at small amplitude, lower once the joints slip."),
      over_amplitude("damping", "Damping over amplitude", "zeta", {"damping ratio", "-", true},
                     "Damping ratio that a ring-down shows. A power law of amplitude in microslip is a straight line; "
                     "it falls again where a joint slips as a whole.")};
  if (analysis.modes.size() == 1) {
    for (Figure& figure : result) figure.curves.front().split.clear();
  }
  Figure backbones =
      figure_of("backbones", "Backbones of the joints", {"deflection", "length", false}, {"force", "force", false}, {},
                "Force on the virgin curve, up to the largest deflection of the loading.");
  for (std::size_t j = 0; j < system.joints().size() && backbones.curves.size() < curves_in_a_figure; ++j) {
    if (!has_backbone(system.joints()[j].law)) continue;
    Curve curve = curve_of("backbones", "u", "f", system.joints()[j].name);
    curve.where = {{"joint", static_cast<double>(j) + 1.0}};
    backbones.curves.push_back(std::move(curve));
  }
  if (!backbones.curves.empty()) result.push_back(std::move(backbones));
  return result;
}

std::string in_words(const QsmaAnalysis&, const AnalysisSummary& summary, const UnitLabels& units) {
  if (!summary.facts.contains("modes")) return no_result(summary);
  std::string words = "Frequency and damping over amplitude by quasi-static loading.";
  constexpr std::size_t most = 4;
  const auto& modes = summary.facts["modes"];
  for (std::size_t i = 0; i < modes.size() && i < most; ++i) words += " " + mode_in_words(modes[i], units);
  if (modes.size() > most) words += fmt::format(" {} more modes are in the table.", modes.size() - most);
  return words;
}

std::string method_of(const QsmaAnalysis&) {
  return "quasi-static modal analysis";
}

std::string how(const QsmaAnalysis& analysis, const AnalysisSummary& summary) {
  return fmt::format(
      "Quasi-static modal analysis: a slow ramp of the load alpha M phi in the shape of the {} mode, alpha from {:g} "
      "to "
      "{:g}, other modes {}; no time integration. {} points with {} evaluations of the joints; joint forces to a "
      "relative tolerance of {:g}.",
      shape_name(analysis), analysis.ramp.from, analysis.ramp.to,
      analysis.options.other_modes == OtherModes::vibrating ? "vibrating" : "at rest",
      summary.facts.value("points", 0L), summary.facts.value("joint_evaluations", 0L), analysis.options.tolerance);
}

}  // namespace microslip
