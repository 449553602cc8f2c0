#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/analyses/read_channels.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/ringdown/measured_motion.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/measurement/force_hits.hpp"
#include "microslip/modal/modal_filter.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_samples = 16;

std::vector<double> channel(const CsvTable& table, const std::string& name, Quantity quantity) {
  return data_column(table, name, letter_of(quantity));
}

/// Start and step; complains about the first row that is off the grid.
SampledMotion uniform_time(const CsvTable& table, Quantity quantity) {
  const TimeGrid grid = time_grid(table, fewest_samples, "a ring-down");
  return {grid.start, grid.step, quantity, {}};
}

ForceHits hits_of(const CsvTable& table) {
  std::vector<const std::vector<double>*> forces;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    if (is_force_column(table, table.names[c])) forces.push_back(&table.columns[c]);
  }
  return force_hits(forces, fewest_samples);
}

/// signals = filter * channels.
std::vector<SampledMotion> filtered(const Eigen::MatrixXd& filter, const std::vector<std::vector<double>>& channels,
                                    const SampledMotion& grid) {
  std::vector<SampledMotion> signals(static_cast<std::size_t>(filter.rows()), grid);
  for (std::size_t r = 0; r < signals.size(); ++r) {
    signals[r].values.assign(channels.front().size(), 0.0);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const double weight = filter(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
      for (std::size_t i = 0; i < signals[r].values.size(); ++i) signals[r].values[i] += weight * channels[c][i];
    }
  }
  return signals;
}

/// Measured shapes: one row a mode; a column `mode` with their numbers, or they count from 1; channels as columns,
/// named as they are or phi[name].
struct Shapes {
  std::vector<int> modes;
  std::vector<std::string> channels;
  Eigen::MatrixXd values;  ///< channels x modes
};

Shapes shapes_of(const CsvTable& table) {
  Shapes shapes;
  if (table.rows() == 0) throw InputError({table.file, table.header_line, 1}, "the table has no shapes");
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double number = table.has("mode") ? table.column("mode")[i] : static_cast<double>(i + 1);
    if (!(number >= 1.0 && number <= 1e6 && number == std::floor(number)) ||
        std::find(shapes.modes.begin(), shapes.modes.end(), static_cast<int>(number)) != shapes.modes.end()) {
      throw InputError({table.file, table.lines[i], 1},
                       fmt::format("mode must be a whole number from 1, each once, got {}", number));
    }
    shapes.modes.push_back(static_cast<int>(number));
  }
  std::vector<const std::vector<double>*> columns;
  for (const std::string& name : table.names) {
    if (name == "mode") continue;
    const bool bracketed = name.size() > 5 && name.starts_with("phi[") && name.ends_with("]");
    shapes.channels.push_back(bracketed ? name.substr(4, name.size() - 5) : name);
    columns.push_back(&table.column(name));
  }
  shapes.values.resize(static_cast<Eigen::Index>(columns.size()), static_cast<Eigen::Index>(table.rows()));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t i = 0; i < table.rows(); ++i) {
      shapes.values(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(i)) = (*columns[c])[i];
    }
  }
  return shapes;
}

MeasuredMotion by_shapes(const TableReader& reader, const CsvTable& table, const SampledMotion& grid) {
  const Shapes shapes =
      read_named_file(reader, "shapes", [](const std::string& path) { return shapes_of(read_shape_table(path)); });
  std::vector<std::vector<double>> channels;
  for (const std::string& name : shapes.channels) channels.push_back(channel(table, name, grid.quantity));
  try {
    return {shapes.modes, filtered(pseudo_inverse_filter(shapes.values), channels, grid), false, {}, {}, false};
  } catch (const std::invalid_argument& error) {
    throw reader.error("shapes", fmt::format("shapes: {}", error.what()));
  }
}

MeasuredMotion by_mass(const CsvTable& table, const SampledMotion& grid, const System& system) {
  std::vector<std::vector<double>> channels;
  for (const std::string& label : system.structure().labels()) {
    channels.push_back(channel(table, label, grid.quantity));
  }
  const Modes& modes = system.stuck_modes();
  const Eigen::Index elastic = modes.omega.size() - modes.rigid;
  MeasuredMotion motion;
  for (Eigen::Index r = 0; r < elastic; ++r) motion.modes.push_back(static_cast<int>(modes.rigid + r) + 1);
  motion.signals = filtered(mass_filter(modes.shapes.rightCols(elastic), system.structure().mass()), channels, grid);
  return motion;
}

}  // namespace

MeasuredMotion read_measured_motion(const TableReader& reader, const System& system) {
  const Quantity quantity = read_choice(reader, "quantity", quantities);
  if (reader.has("channel") && reader.has("shapes")) {
    throw reader.error_at_key(*reader.value().find("shapes"), "channel and shapes exclude each other");
  }
  if (system.empty() && !reader.has("shapes") && !reader.has("channel")) {
    throw reader.error("without shapes or channel the filter is that of the [structure], and there is none");
  }
  return read_named_file(reader, "data", [&](const std::string& path) -> MeasuredMotion {
    const CsvTable table = read_channels(path, reader);
    SampledMotion grid = uniform_time(table, quantity);
    MeasuredMotion motion;
    if (reader.has("shapes")) {
      motion = by_shapes(reader, table, grid);
    } else if (!reader.has("channel")) {
      motion = by_mass(table, grid, system);
    } else {
      SampledMotion signal = grid;
      signal.values = channel(table, reader.string("channel"), quantity);
      motion = {{1}, {std::move(signal)}, true, {}, {}, false};
    }
    const ForceHits hits = hits_of(table);
    motion.no_hit_found = hits.any && !hits.end;
    if (hits.end) motion.hit_end = grid.time(static_cast<double>(*hits.end));
    if (hits.second) motion.second_hit = grid.time(static_cast<double>(*hits.second));
    return motion;
  });
}

}  // namespace microslip
