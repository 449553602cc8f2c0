#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/analyses/read_channels.hpp"
#include "microslip/analyses/read_measured_modes.hpp"
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

MeasuredMotion by_shapes(const TableReader& reader, const CsvTable& table, const SampledMotion& grid) {
  const MeasuredModes modes = read_measured_modes(reader);
  std::vector<std::vector<double>> channels;
  for (const std::string& name : modes.channels) channels.push_back(channel(table, name, grid.quantity));
  try {
    return {modes.numbers, filtered(pseudo_inverse_filter(modes.shapes.real()), channels, grid), false, {}, {}, false};
  } catch (const std::invalid_argument& error) {
    throw reader.error("shapes", fmt::format("shapes: {}", error.what()));
  }
}

MeasuredMotion by_mass(const CsvTable& table, const SampledMotion& grid, const System& system) {
  std::vector<std::vector<double>> channels;
  const LinearStructure& structure = system.structure();
  for (int i = 0; i < structure.independent(); ++i) {
    channels.push_back(channel(table, structure.labels()[static_cast<std::size_t>(i)], grid.quantity));
  }
  const Modes& modes = system.stuck_modes();
  const Eigen::Index elastic = modes.omega.size() - modes.rigid;
  MeasuredMotion motion;
  for (Eigen::Index r = 0; r < elastic; ++r) motion.modes.push_back(static_cast<int>(modes.rigid + r) + 1);
  const Eigen::MatrixXd shapes = modes.shapes.topRightCorner(structure.independent(), elastic);
  motion.signals = filtered(mass_filter(shapes, structure.independent_mass()), channels, grid);
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
