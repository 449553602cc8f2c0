#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/frf/analysis.hpp"
#include "microslip/analyses/response/read_motions.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

void read_frequencies(const TableReader& reader, FrfAnalysis& analysis) {
  const std::string key = reader.exactly_one_of({"omega", "frequency_hz", "at", "at_hz"});
  const double unit = key == "omega" || key == "at" ? 1.0 : two_pi;
  std::vector<double> values = reader.numbers(key, positive_number);
  for (double& value : values) value *= unit;
  if (key == "at" || key == "at_hz") {
    if (values.empty()) throw reader.error(key, fmt::format("{}: the list is empty", key));
    analysis.at = std::move(values);
    return;
  }
  if (values.size() != 2 || values[0] == values[1]) {
    throw reader.error(key, fmt::format("{} must be [from, to], two different numbers", key));
  }
  analysis.from = values[0];
  analysis.to = values[1];
}

/// The motion that a curve goes through.
struct StartingMotion {
  double level = 0.0, omega = 0.0;
  Eigen::VectorXcd harmonic;  ///< first harmonic of the displacements
};

StartingMotion motion_in_row(const CsvTable& table, std::size_t row, const System& system) {
  StartingMotion result{table.column("level")[row], table.column("omega")[row], Eigen::VectorXcd(system.size())};
  const auto& labels = system.structure().labels();
  for (int i = 0; i < system.size(); ++i) {
    const std::string& label = labels[static_cast<std::size_t>(i)];
    const double amplitude = table.column(fmt::format("harmonic1[{}]", label))[row];
    const double phase = table.column(fmt::format("phase1[{}]", label))[row];
    result.harmonic(i) = amplitude * std::complex<double>(std::cos(phase), std::sin(phase));
  }
  return result;
}

/// `start = { file = "frf.csv", row = 12 }`: a row of the table of an earlier frf, with every degree of freedom.
StartingMotion read_start(const TableReader& reader, const System& system, const FrfAnalysis& analysis) {
  if (!analysis.at.empty()) throw reader.error("start", "start begins a curve: give omega or frequency_hz");
  if (reader.has("levels")) {
    throw reader.error_at_key(*reader.value().find("levels"), "with start the level is that of the row");
  }
  const TableReader start = reader.table("start");
  start.allow_only({"file", "row"});
  const CsvTable table = read_named_file(start, "file", [](const std::string& path) { return read_data_table(path); });
  const auto rows = static_cast<long long>(table.rows());
  if (rows == 0) throw start.error("file", "file: the table has no rows");
  const auto row = static_cast<std::size_t>(start.integer("row", 1, rows)) - 1;
  StartingMotion result = motion_in_row(table, row, system);
  if (!result.harmonic.allFinite() || !std::isfinite(result.level) || result.level == 0.0) {
    throw start.error("row", "row: its numbers must be finite, and its level not 0");
  }
  const auto [low, high] = std::minmax(analysis.from, analysis.to);
  if (!(result.omega > low && result.omega < high)) {
    throw start.error("row", fmt::format("row: its omega, {:g}, must lie between the ends of the curve, {:g} and {:g}",
                                         result.omega, low, high));
  }
  return result;
}

/// Level of the search for detached curves, over that of the curve.
double read_isolas(const TableReader& reader, const FrfAnalysis& analysis) {
  if (!reader.has("isolas")) return 0.0;
  if (!analysis.has_curves())
    throw reader.error("isolas", "isolas are looked for beside a curve: give omega or frequency_hz");
  if (reader.has("start")) throw reader.error("isolas", "isolas are looked for beside a whole curve, not with start");
  return reader.number("isolas", {1.0, 1e6, false});
}

/// Harmonic balance or shooting.
void read_smooth(const TableReader& reader, const StudyParts& parts, FrfAnalysis& analysis) {
  const double isolas = read_isolas(reader, analysis);
  StartingMotion start;
  if (reader.has("start")) start = read_start(reader, parts.system, analysis);
  analysis.motions = read_smooth_motions(reader, parts, analysis.has_curves());
  analysis.motions.options.isolas = isolas;
  if (start.omega == 0.0) return;
  analysis.levels = {start.level};
  analysis.start_omega = start.omega;
  analysis.motions.options.start = std::move(start.harmonic);
}

}  // namespace

std::unique_ptr<Analysis> read_frf_analysis(const TableReader& reader, const StudyParts& parts) {
  const bool exact = asks_for_exact_orbits(reader, parts.system);
  reader.allow_only({"kind",      "name",     "load",           "levels", "omega",     "frequency_hz",
                     "at",        "at_hz",    "method",         "solver", "harmonics", "samples",
                     "tolerance", "max_step", "max_iterations", "record", "peak",      "stability",
                     "steps",     "start",    "isolas",         "modes",  "period"});
  auto analysis = std::make_unique<FrfAnalysis>();
  analysis->levels = read_levels(reader);
  read_frequencies(reader, *analysis);
  if (exact) {
    reader.allow_only({"kind", "name", "load", "levels", "omega", "frequency_hz", "at", "at_hz", "method", "modes",
                       "period", "max_step", "record", "peak", "stability"});
    analysis->motions = read_exact_motions(reader, parts);
  } else {
    read_smooth(reader, parts, *analysis);
  }
  return analysis;
}

}  // namespace microslip
