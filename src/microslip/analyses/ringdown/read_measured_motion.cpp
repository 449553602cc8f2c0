#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "microslip/analyses/read_channels.hpp"
#include "microslip/analyses/read_measured_modes.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/ringdown/measured_motion.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/modal/modal_filter.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_samples = 16;

std::vector<double> channel(const CsvTable& table, const std::string& name, Quantity quantity) {
  return data_column(table, name, letter_of(quantity));
}

/// Every channel of the quantity, by its name.
MeasuredMotion all_channels(const CsvTable& table, const SampledMotion& grid) {
  MeasuredMotion motion;
  motion.by_shapes = true;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const LetteredName name = split_letter(table.names[c]);
    const bool of_motion = name.letter == '\0' || name.letter == letter_of(grid.quantity);
    if (table.names[c] == "time" || !of_motion || is_force_column(table, table.names[c])) continue;
    motion.channels.push_back(name.name);
    motion.signals.push_back(grid);
    motion.signals.back().values = table.columns[c];
  }
  if (motion.signals.empty()) {
    throw InputError({table.file, table.header_line, 1}, "the record has no channel of the quantity");
  }
  return motion;
}

/// The channels of a record that the shapes name.
MeasuredMotion by_shapes(const TableReader& reader, const MeasuredModes& modes, const CsvTable& table,
                         const SampledMotion& grid) {
  MeasuredMotion channels;
  for (const std::string& name : modes.channels) {
    channels.channels.push_back(name);
    channels.signals.push_back(grid);
    channels.signals.back().values = channel(table, name, grid.quantity);
  }
  try {
    return filtered_by(modes, channels);
  } catch (const std::invalid_argument& error) {
    throw reader.error("shapes", fmt::format("shapes: {}", error.what()));
  }
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

void note_hits(const CsvTable& table, const SampledMotion& grid, MeasuredMotion& motion) {
  const ForceHits hits = hits_in(table, fewest_samples);
  motion.no_hit_found = hits.any && !hits.end;
  if (hits.end) motion.hit_end = grid.time(static_cast<double>(*hits.end));
  if (hits.second) motion.second_hit = grid.time(static_cast<double>(*hits.second));
}

void require_one_filter(const TableReader& reader, const System& system) {
  std::string found;
  for (const char* key : {"channel", "shapes", "from"}) {
    if (!reader.has(key)) continue;
    if (!found.empty()) {
      throw reader.error_at_key(*reader.value().find(key), fmt::format("{} and {} exclude each other", found, key));
    }
    found = key;
  }
  if (system.empty() && found.empty()) {
    throw reader.error("without shapes, channel or from the filter is that of the [structure], and there is none");
  }
}

}  // namespace

std::vector<MeasuredMotion> read_measured_motions(const TableReader& reader, const System& system) {
  const Quantity quantity = read_choice(reader, "quantity", quantities);
  require_one_filter(reader, system);
  std::optional<MeasuredModes> shapes;
  if (reader.has("shapes")) shapes = read_measured_modes(reader);
  const auto motion_of = [&](const CsvTable& table, const SampledMotion& grid) -> MeasuredMotion {
    if (reader.has("from")) return all_channels(table, grid);
    if (shapes) return by_shapes(reader, *shapes, table, grid);
    if (!reader.has("channel")) return by_mass(table, grid, system);
    MeasuredMotion motion;
    motion.modes = {1};
    motion.signals = {grid};
    motion.signals.front().values = channel(table, reader.string("channel"), quantity);
    motion.single_channel = true;
    return motion;
  };
  std::vector<MeasuredMotion> motions;
  for (const RecordTable& record : read_record_tables(reader, "data", fewest_samples, "a ring-down")) {
    const SampledMotion grid{record.grid.start, record.grid.step, quantity, {}};
    motions.push_back(motion_of(record.table, grid));
    motions.back().name = record.at->text;
    add_channel_units(record.table, motions.back().name, motions.back().units);
    note_hits(record.table, grid, motions.back());
  }
  return motions;
}

}  // namespace microslip
