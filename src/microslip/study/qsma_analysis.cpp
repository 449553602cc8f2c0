#include "microslip/study/qsma_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace microslip {
namespace {

constexpr long long most_points = 1000000;

int read_mode(const TableReader& reader, const TomlValue& value, const Modes& modes) {
  const auto count = static_cast<int>(modes.omega.size());
  const double number = reader.as_number(value, "mode", any_number);
  if (number != std::floor(number) || number < 1 || number > count) {
    throw reader.error(value, fmt::format("mode must be an integer from 1 to {}, got {:g}", count, number));
  }
  const int mode = static_cast<int>(number) - 1;
  if (mode < modes.rigid) throw reader.error(value, fmt::format("mode {} is a rigid motion", mode + 1));
  return mode;
}

std::vector<int> read_modes(const TableReader& reader, const Modes& modes) {
  const TomlValue& value = reader.need("mode");
  if (value.type != TomlValue::Type::array) return {read_mode(reader, value, modes)};
  std::vector<int> numbers;
  for (const TomlValue& item : value.items) {
    const int mode = read_mode(reader, item, modes);
    if (std::find(numbers.begin(), numbers.end(), mode) != numbers.end()) {
      throw reader.error(item, fmt::format("mode: {} is there twice", mode + 1));
    }
    numbers.push_back(mode);
  }
  if (numbers.empty()) throw reader.error(value, "mode: the list is empty");
  return numbers;
}

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
  std::vector<Column> result = {{"mode", "-", "number, from 1"},
                                {"alpha", "force/sqrt(mass)", "load, times M phi"},
                                {"q", "sqrt(mass) length", "modal displacement"},
                                {"omega", "rad/time", "secant, sqrt(alpha/q)"},
                                {"omega_ringdown", "rad/time", "first harmonic of the loop: what a ring-down follows"},
                                {"zeta", "-", "damping ratio of a ring-down"},
                                {"zeta_secant", "-", "equivalent damping ratio of steady vibration"},
                                {"dissipation", "force length", "of all joints, per cycle"},
                                {"coupling", "-", "largest |q_s/q| of another mode"}};
  for (int i = 0; i < system.components(); ++i) {
    result.push_back({fmt::format("u[{}]", system.component_name(i)), "length", "joint deflection"});
  }
  return result;
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

}  // namespace

QsmaAnalysis read_qsma_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "mode", "alpha", "points", "spacing", "load_shape", "other_modes"});
  QsmaAnalysis analysis;
  analysis.modes = read_modes(reader, parts.system.stuck_modes());
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
  return {""};
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
    points += curve.points.size();
    evaluations += curve.evaluations;
    if (curve.ending == Ending::completed) continue;
    if (summary.ending != Ending::no_convergence) summary.ending = curve.ending;
    if (!summary.message.empty()) summary.message += "; ";
    summary.message += curve.message;
  }
  sink.close();
  summary.facts["points"] = points;
  summary.facts["joint_evaluations"] = evaluations;
  summary.files.push_back(table_name(analysis.name, "") + ".csv");
  return summary;
}

}  // namespace microslip
