#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/nonlinear_mode/analysis.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

struct NonlinearModeRow {
  int mode = 0;  ///< from 0
  const NonlinearModePoint& point;
  const Eigen::VectorXcd& shape;  ///< first harmonic of the displacements over the amplitude
};

struct ModeResponseRow {
  int mode = 0;  ///< from 0
  double level = 0.0;
  double omega = 0.0;
  Eigen::VectorXd size;  ///< of the first harmonic, one a degree of freedom
};

/// Mode and amplitude, which begin every row.
Table<NonlinearModeRow> mode_and_amplitude() {
  Table<NonlinearModeRow> table;
  table.add({"mode", "-", "number, from 1"}, [](const NonlinearModeRow& row) { return row.mode + 1.0; });
  table.add({"amplitude", "sqrt(mass) length", "first harmonic of the modal displacement", Scale::logarithmic},
            [](const NonlinearModeRow& row) { return row.point.amplitude; });
  return table;
}

Table<NonlinearModeRow> nonlinear_mode_table() {
  const auto of_point = [](auto member) {
    return [member](const NonlinearModeRow& row) { return static_cast<double>(row.point.*member); };
  };
  using Point = NonlinearModePoint;
  Table<NonlinearModeRow> table = mode_and_amplitude();
  table.add({"q", "sqrt(mass) length", "half of its range", Scale::logarithmic}, of_point(&Point::q));
  table.add({"omega", "rad/time", "frequency"}, of_point(&Point::omega));
  table.add({"frequency_hz", "1/time", "the same in cycles"},
            [](const NonlinearModeRow& row) { return row.point.omega / two_pi; });
  table.add({"zeta", "-", "damping ratio of a ring-down; nan where none is found", Scale::logarithmic},
            of_point(&Point::zeta));
  table.add(
      {"zeta_secant", "-", "damping ratio of steady vibration: the artificial damping that keeps the motion going",
       Scale::logarithmic},
      of_point(&Point::zeta_secant));
  table.add({"dissipation", "force length", "of all joints, per period", Scale::logarithmic},
            of_point(&Point::dissipation));
  table.add(
      {"energy", "force length", "at the turning point; nan with zeta if a joint is not Masing", Scale::logarithmic},
      of_point(&Point::energy));
  table.add({"coupling", "-", "largest amplitude of another mode, any harmonic, over that of the mode"},
            of_point(&Point::coupling));
  table.add({"harmonics", "-", "in the series"}, of_point(&Point::harmonics));
  table.add({"error", "-", "estimate: harmonics left out, relative"}, of_point(&Point::truncation));
  table.add({"iterations", "-", "evaluations of the equations"}, of_point(&Point::iterations));
  return table;
}

Table<NonlinearModeRow> nonlinear_shape_table(const System& system) {
  const std::vector<int> dofs = shape_dofs(system);
  const std::vector<std::string> labels = labels_of(system, dofs);
  Table<NonlinearModeRow> table = mode_and_amplitude();
  const std::string meaning = "first harmonic of the displacement over the amplitude";
  table.add_each("re", labels, "1/sqrt(mass)", meaning,
                 [dofs](const NonlinearModeRow& row, std::size_t i) { return row.shape(dofs[i]).real(); });
  table.add_each("im", labels, "1/sqrt(mass)", meaning,
                 [dofs](const NonlinearModeRow& row, std::size_t i) { return row.shape(dofs[i]).imag(); });
  return table;
}

Table<ModeResponseRow> mode_response_table(const System& system) {
  const std::vector<int> dofs = shape_dofs(system);
  Table<ModeResponseRow> table;
  table.add({"mode", "-", "number, from 1"}, [](const ModeResponseRow& row) { return row.mode + 1.0; });
  table.add({"level", "-", "of the load"}, [](const ModeResponseRow& row) { return row.level; });
  table.add({"omega", "rad/time", "frequency of the load"}, [](const ModeResponseRow& row) { return row.omega; });
  table.add({"frequency_hz", "1/time", "the same in cycles"},
            [](const ModeResponseRow& row) { return row.omega / two_pi; });
  table.add_each(
      "harmonic1", labels_of(system, dofs), "length", "amplitude of the first harmonic",
      [dofs](const ModeResponseRow& row, std::size_t i) { return row.size(dofs[i]); }, Scale::logarithmic);
  return table;
}

/// The tables of a run: points, shapes and, where there are loads, the response of the mode alone.
class NonlinearModeTables {
 public:
  NonlinearModeTables(const NonlinearModeAnalysis& analysis, const AnalysisRun& with)
      : analysis_(&analysis),
        system_(&with.system),
        points_(nonlinear_mode_table()),
        shapes_(nonlinear_shape_table(with.system)),
        point_sink_(with.results.table(analysis.name)),
        shape_sink_(with.results.table(analysis.name, "shapes")) {
    points_.begin(point_sink_);
    shapes_.begin(shape_sink_);
    if (analysis.loads.empty()) return;
    response_ = mode_response_table(with.system);
    response_sink_.emplace(with.results.table(analysis.name, "response"));
    response_.begin(*response_sink_);
  }

  void write(const NonlinearModeCurve& curve) {
    for (const NonlinearModePoint& point : curve.points) {
      const Eigen::VectorXcd shape = first_harmonic_shape(*system_, point) / point.amplitude;
      points_.write({curve.mode, point, shape}, point_sink_);
      shapes_.write({curve.mode, point, shape}, shape_sink_);
    }
    if (!response_sink_) return;
    for (const double level : analysis_->levels) write_response(curve, level);
  }

  void close() {
    point_sink_.close();
    shape_sink_.close();
    if (response_sink_) response_sink_->close();
  }

 private:
  /// Up the lower side of the resonance and down the upper one: the order in which a curve is drawn.
  void write_response(const NonlinearModeCurve& curve, double level) {
    std::vector<ModeResponseRow> upper;
    for (const NonlinearModePoint& point : curve.points) {
      const Eigen::VectorXd size = first_harmonic_shape(*system_, point).cwiseAbs();
      for (const double omega : frequencies_under(*system_, point, level * analysis_->force)) {
        ModeResponseRow row{curve.mode, level, omega, size};
        if (omega < point.omega) {
          response_.write(row, *response_sink_);
        } else {
          upper.push_back(std::move(row));
        }
      }
    }
    std::reverse(upper.begin(), upper.end());
    for (const ModeResponseRow& row : upper) response_.write(row, *response_sink_);
  }

  const NonlinearModeAnalysis* analysis_;
  const System* system_;
  Table<NonlinearModeRow> points_, shapes_;
  Table<ModeResponseRow> response_;
  TableSink point_sink_, shape_sink_;
  std::optional<TableSink> response_sink_;
};

NonlinearModeCurve nonlinear_mode_curve(const NonlinearModeAnalysis& analysis, const System& system, int mode,
                                        const Observer& observer) {
  try {
    return nonlinear_mode(system, mode, analysis.amplitudes, analysis.options, observer);
  } catch (const std::exception& failure) {  // a law that gave no number
    NonlinearModeCurve curve;
    curve.mode = mode;
    curve.ending = Ending::no_convergence;
    curve.message = fmt::format("mode {}: {}", mode + 1, failure.what());
    return curve;
  }
}

AmplitudeSpan span_of(const NonlinearModeCurve& curve) {
  const NonlinearModePoint &first = curve.points.front(), &last = curve.points.back();
  double largest = first.zeta;
  for (const NonlinearModePoint& point : curve.points) largest = std::fmax(largest, point.zeta);  // nan: none there
  return {
      curve.mode + 1, {first.q, last.q}, {first.omega / two_pi, last.omega / two_pi}, {first.zeta, last.zeta}, largest};
}

void add_curve(const NonlinearModeCurve& curve, NonlinearModeFacts& facts) {
  facts.points += curve.points.size();
  if (!curve.points.empty()) facts.modes.push_back(span_of(curve));
  for (const NonlinearModePoint& point : curve.points) {
    facts.harmonics = std::max(facts.harmonics, point.harmonics);
    facts.iterations += point.iterations;
    facts.truncation_error = std::max(facts.truncation_error, point.truncation);
  }
}

}  // namespace

nlohmann::ordered_json NonlinearModeFacts::to_json() const {
  nlohmann::ordered_json json;
  for (const AmplitudeSpan& mode : modes) {
    nlohmann::ordered_json item;
    item["mode"] = mode.mode;
    item["q"] = mode.q;
    item["frequency_hz"] = mode.frequency_hz;
    item["zeta"] = mode.zeta;
    if (mode.largest_zeta) item["largest_zeta"] = *mode.largest_zeta;
    json["modes"].push_back(std::move(item));
  }
  json["points"] = points;
  json["iterations"] = iterations;
  json["harmonics"] = harmonics;
  json["truncation_error"] = truncation_error;
  return json;
}

nlohmann::ordered_json NonlinearModeAnalysis::settings() const {
  const int harmonics = options.harmonics;
  nlohmann::ordered_json json;
  json["mode"] = words::numbers_from_one(modes);
  json["amplitude"] = {amplitudes.front(), amplitudes.back()};
  json["points"] = amplitudes.size();
  json["harmonics"] = harmonics > 0 ? std::to_string(harmonics) : std::string("chosen");
  json["tolerance"] = options.tolerance;
  if (!loads.empty()) {
    json["load"] = loads;
    json["levels"] = levels;
  }
  return json;
}

std::string NonlinearModeAnalysis::describe() const {
  return fmt::format("{}, amplitude from {:g} to {:g} in {} points", words::mode_list(words::numbers_from_one(modes)),
                     amplitudes.front(), amplitudes.back(), amplitudes.size());
}

std::vector<std::string> NonlinearModeAnalysis::tables() const {
  if (loads.empty()) return {"", "shapes"};
  return {"", "shapes", "response"};
}

AnalysisSummary NonlinearModeAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary = completed_summary();
  NonlinearModeFacts facts;
  NonlinearModeTables written(*this, with);
  for (std::size_t i = 0; i < modes.size() && summary.ending != Ending::interrupted; ++i) {
    const NonlinearModeCurve curve = nonlinear_mode_curve(*this, with.system, modes[i], with.part(i, modes.size()));
    written.write(curve);
    add_curve(curve, facts);
    add_message(curve.message, summary);
    summary.ending = worse(summary.ending, curve.ending);
  }
  written.close();
  summary.sum_up(std::move(facts));
  summary.files = table_files();
  return summary;
}

void NonlinearModeAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  if (const MemorySink* table = tables.find()) add_mode_curves(*table, result);
}

std::vector<HeadlineNumber> NonlinearModeAnalysis::drawn_headline(const System&) const {
  return drawn_mode_curves(words::numbers_from_one(modes));
}

}  // namespace microslip
