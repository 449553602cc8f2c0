#include "microslip/study/nonlinear_mode_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <stdexcept>

#include "microslip/numerics/constants.hpp"
#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/degrees_of_freedom.hpp"
#include "microslip/study/mode_numbers.hpp"

namespace microslip {
namespace {

constexpr long long most_amplitudes = 100000;

std::vector<int> numbers_from_one(const NonlinearModeAnalysis& analysis) {
  std::vector<int> numbers = analysis.modes;
  for (int& number : numbers) ++number;
  return numbers;
}

std::vector<double> read_amplitudes(const TableReader& reader) {
  const std::vector<double> range = reader.numbers("amplitude", positive_number);
  if (range.size() != 2 || !(range[0] < range[1])) {
    throw reader.error("amplitude", "amplitude must be [from, to] with 0 < from < to");
  }
  const auto points = static_cast<int>(reader.integer_or("points", 50, 2, most_amplitudes));
  const bool linear = reader.has("spacing") && reader.choice("spacing", {"log", "linear"}) == "linear";
  std::vector<double> amplitudes;
  for (int i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / (points - 1);
    amplitudes.push_back(linear ? range[0] + share * (range[1] - range[0])
                                : range[0] * std::pow(range[1] / range[0], share));
  }
  amplitudes.back() = range[1];
  return amplitudes;
}

void read_load(const TableReader& reader, const StudyParts& parts, NonlinearModeAnalysis& analysis) {
  if (!reader.has("load")) {
    if (reader.has("levels")) {
      throw reader.error_at_key(*reader.value().find("levels"), "levels goes with load: they scale it");
    }
    return;
  }
  const std::vector<Load> loads = read_load_names(reader, parts.loads, 0.0);
  for (const Load& load : loads) analysis.loads.push_back(load.name);
  try {
    const HarmonicLoad load = harmonic_load(parts.system, loads);
    if (load.ground.size() > 0) throw std::invalid_argument("the response of a mode takes forces, no base motion");
    analysis.force = load.force;
  } catch (const std::invalid_argument& error) {
    throw reader.error("load", fmt::format("load: {}", error.what()));
  }
  analysis.levels = reader.has("levels") ? reader.numbers("levels", positive_number) : std::vector<double>{1.0};
  if (analysis.levels.empty()) throw reader.error("levels", "levels: the list is empty");
}

std::vector<Column> curve_columns() {
  return {
      {"mode", "-", "number, from 1"},
      {"amplitude", "sqrt(mass) length", "first harmonic of the modal displacement", Scale::logarithmic},
      {"q", "sqrt(mass) length", "half of its range", Scale::logarithmic},
      {"omega", "rad/time", "frequency"},
      {"frequency_hz", "1/time", "the same in cycles"},
      {"zeta", "-", "damping ratio of a ring-down; nan where none is found", Scale::logarithmic},
      {"zeta_secant", "-", "damping ratio of steady vibration: the artificial damping that keeps the motion going",
       Scale::logarithmic},
      {"dissipation", "force length", "of all joints, per period", Scale::logarithmic},
      {"energy", "force length", "at the turning point; nan with zeta if a joint is not Masing", Scale::logarithmic},
      {"coupling", "-", "largest amplitude of another mode, any harmonic, over that of the mode"},
      {"harmonics", "-", "in the series"},
      {"error", "-", "estimate: harmonics left out, relative"},
      {"iterations", "-", "evaluations of the equations"}};
}

const std::string& label_of(const System& system, int dof) {
  return system.structure().labels()[static_cast<std::size_t>(dof)];
}

std::vector<Column> shape_columns(const System& system) {
  std::vector<Column> columns = {
      {"mode", "-", "number, from 1"},
      {"amplitude", "sqrt(mass) length", "first harmonic of the modal displacement", Scale::logarithmic}};
  for (const char* part : {"re", "im"}) {
    for (const int dof : shape_dofs(system)) {
      columns.push_back({fmt::format("{}[{}]", part, label_of(system, dof)), "1/sqrt(mass)",
                         "first harmonic of the displacement over the amplitude"});
    }
  }
  return columns;
}

std::vector<Column> response_columns(const System& system) {
  std::vector<Column> columns = {{"mode", "-", "number, from 1"},
                                 {"level", "-", "of the load"},
                                 {"omega", "rad/time", "frequency of the load"},
                                 {"frequency_hz", "1/time", "the same in cycles"}};
  for (const int dof : shape_dofs(system)) {
    columns.push_back({fmt::format("harmonic1[{}]", label_of(system, dof)), "length", "amplitude of the first harmonic",
                       Scale::logarithmic});
  }
  return columns;
}

void write_curve(const System& system, const NonlinearModeCurve& curve, Sink& points, Sink& shapes) {
  const std::vector<int> dofs = shape_dofs(system);
  std::vector<double> row;
  for (const NonlinearModePoint& p : curve.points) {
    row = {curve.mode + 1.0,
           p.amplitude,
           p.q,
           p.omega,
           p.omega / two_pi,
           p.zeta,
           p.zeta_secant,
           p.dissipation,
           p.energy,
           p.coupling,
           static_cast<double>(p.harmonics),
           p.truncation,
           static_cast<double>(p.iterations)};
    points.row(row);
    const Eigen::VectorXcd shape = first_harmonic_shape(system, p) / p.amplitude;
    row = {curve.mode + 1.0, p.amplitude};
    for (const int dof : dofs) row.push_back(shape(dof).real());
    for (const int dof : dofs) row.push_back(shape(dof).imag());
    shapes.row(row);
  }
}

/// First and last point of a curve.
nlohmann::ordered_json headline(const NonlinearModeCurve& curve) {
  const NonlinearModePoint &first = curve.points.front(), &last = curve.points.back();
  nlohmann::ordered_json json;
  json["mode"] = curve.mode + 1;
  json["q"] = {first.q, last.q};
  json["frequency_hz"] = {first.omega / two_pi, last.omega / two_pi};
  json["zeta"] = {first.zeta, last.zeta};
  double largest = first.zeta;
  for (const NonlinearModePoint& point : curve.points) largest = std::fmax(largest, point.zeta);  // nan: none there
  json["largest_zeta"] = largest;
  return json;
}

/// Up the lower side of the resonance and down the upper one: the order in which a curve is drawn.
void write_response(const NonlinearModeAnalysis& analysis, const System& system, const NonlinearModeCurve& curve,
                    Sink& sink) {
  const std::vector<int> dofs = shape_dofs(system);
  for (const double level : analysis.levels) {
    std::vector<std::vector<double>> upper;
    for (const NonlinearModePoint& p : curve.points) {
      const auto frequencies = frequencies_under(system, p, level * analysis.force);
      const Eigen::VectorXd size = first_harmonic_shape(system, p).cwiseAbs();
      for (const double omega : frequencies) {
        std::vector<double> row = {curve.mode + 1.0, level, omega, omega / two_pi};
        for (const int dof : dofs) row.push_back(size(dof));
        if (omega < p.omega) {
          sink.row(row);
        } else {
          upper.push_back(std::move(row));
        }
      }
    }
    for (auto row = upper.rbegin(); row != upper.rend(); ++row) sink.row(*row);
  }
}

}  // namespace

NonlinearModeAnalysis read_nonlinear_mode_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "mode", "amplitude", "points", "spacing", "harmonics", "samples", "tolerance",
                     "load", "levels"});
  NonlinearModeAnalysis analysis;
  analysis.modes = read_modes(reader, parts.system);
  analysis.amplitudes = read_amplitudes(reader);
  analysis.options.harmonics = static_cast<int>(reader.integer_or("harmonics", 0, 1, 500));
  analysis.options.samples = static_cast<int>(reader.integer_or("samples", 0, 16, 1 << 20));
  analysis.options.tolerance = reader.number_or("tolerance", analysis.options.tolerance, {1e-13, 0.1});
  read_load(reader, parts, analysis);
  try {
    check_nonlinear_mode(parts.system, analysis.modes.front(), analysis.amplitudes);
  } catch (const std::invalid_argument& error) {
    throw reader.error(error.what());
  }
  return analysis;
}

std::vector<std::string> table_parts(const NonlinearModeAnalysis& analysis) {
  if (analysis.loads.empty()) return {"", "shapes"};
  return {"", "shapes", "response"};
}

std::string describe(const NonlinearModeAnalysis& analysis) {
  return fmt::format("mode{} {}, amplitude from {:g} to {:g} in {} points", analysis.modes.size() > 1 ? "s" : "",
                     fmt::join(numbers_from_one(analysis), ", "), analysis.amplitudes.front(),
                     analysis.amplitudes.back(), analysis.amplitudes.size());
}

AnalysisSummary run(const NonlinearModeAnalysis& analysis, AnalysisRun& with) {
  nlohmann::ordered_json settings;
  settings["kind"] = std::string(NonlinearModeAnalysis::kind);
  settings["mode"] = numbers_from_one(analysis);
  settings["amplitude"] = {analysis.amplitudes.front(), analysis.amplitudes.back()};
  settings["points"] = analysis.amplitudes.size();
  settings["harmonics"] =
      analysis.options.harmonics > 0 ? std::to_string(analysis.options.harmonics) : std::string("chosen");
  settings["tolerance"] = analysis.options.tolerance;
  if (!analysis.loads.empty()) {
    settings["load"] = analysis.loads;
    settings["levels"] = analysis.levels;
  }
  with.results.settings(analysis.name, settings);

  AnalysisSummary summary;
  summary.ending = Ending::completed;
  summary.message = "";
  TableSink points = with.results.table(analysis.name);
  TableSink shapes = with.results.table(analysis.name, "shapes");
  std::optional<TableSink> response;
  points.begin(curve_columns());
  shapes.begin(shape_columns(with.system));
  if (!analysis.loads.empty()) {
    response.emplace(with.results.table(analysis.name, "response"));
    response->begin(response_columns(with.system));
  }
  std::size_t count = 0;
  int harmonics = 0;
  long iterations = 0;
  double error = 0.0;
  for (std::size_t i = 0; i < analysis.modes.size() && summary.ending != Ending::interrupted; ++i) {
    const Observer observer = [&](double fraction) {
      return !with.observer ||
             with.observer((static_cast<double>(i) + fraction) / static_cast<double>(analysis.modes.size()));
    };
    NonlinearModeCurve curve;
    curve.mode = analysis.modes[i];
    try {
      curve = nonlinear_mode(with.system, analysis.modes[i], analysis.amplitudes, analysis.options, observer);
    } catch (const std::exception& failure) {  // a law that gave no number
      curve.ending = Ending::no_convergence;
      curve.message = fmt::format("mode {}: {}", analysis.modes[i] + 1, failure.what());
    }
    write_curve(with.system, curve, points, shapes);
    if (response) write_response(analysis, with.system, curve, *response);
    count += curve.points.size();
    if (!curve.points.empty()) summary.facts["modes"].push_back(headline(curve));
    for (const NonlinearModePoint& point : curve.points) {
      harmonics = std::max(harmonics, point.harmonics);
      iterations += point.iterations;
      error = std::max(error, point.truncation);
    }
    if (curve.ending != Ending::completed && summary.ending != Ending::no_convergence) summary.ending = curve.ending;
    if (curve.message.empty()) continue;
    if (!summary.message.empty()) summary.message += "; ";
    summary.message += curve.message;
  }
  points.close();
  shapes.close();
  if (response) response->close();
  summary.facts["points"] = count;
  summary.facts["iterations"] = iterations;
  summary.facts["harmonics"] = harmonics;
  summary.facts["truncation_error"] = error;
  for (const auto& part : table_parts(analysis)) summary.files.push_back(table_name(analysis.name, part) + ".csv");
  return summary;
}

}  // namespace microslip
