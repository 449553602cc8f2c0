#include "microslip/input/read_measured_signal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "microslip/input/record_table.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/measurement/measured_force.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_force_samples = 16;

/// A channel of a file that is to be a force.
struct ForceRecord {
  TimeGrid grid;
  std::vector<double> values;
};

/// The one that is named, or the only force.
std::string channel_in(const TableReader& signal, const CsvTable& table) {
  if (signal.has("channel")) return signal.string("channel");
  std::vector<std::string> forces;
  for (const std::string& name : table.names) {
    if (is_force_column(table, name)) forces.push_back(name);
  }
  if (forces.size() == 1) return forces.front();
  if (forces.empty() && table.has("value")) return "value";
  throw signal.error(
      forces.empty()
          ? fmt::format("channel is missing: no column of the file is a force, f[..]; there are {}",
                        fmt::join(table.names, ", "))
          : fmt::format("channel is missing: the file has {} forces, {}", forces.size(), fmt::join(forces, ", ")));
}

ForceRecord read_record(const TableReader& signal, SignalNotes& notes) {
  return read_named_file(signal, "file", [&](const std::string& path) {
    const CsvTable table = read_data_table(path);
    notes.file = signal.string("file");
    notes.channel = channel_in(signal, table);
    const bool lettered = notes.channel.find('[') != std::string::npos;
    for (std::size_t c = 0; c < table.units.size(); ++c) {
      if (table.names[c] == notes.channel || table.names[c] == "f[" + notes.channel + "]") notes.unit = table.units[c];
    }
    return ForceRecord{time_grid(table, fewest_force_samples, "a measured signal"),
                       data_column(table, notes.channel, lettered ? '\0' : 'f')};
  });
}

/// `window`: "hit", "all" or [from, to] in times of the record.
SampleRange read_window(const TableReader& signal, const ForceRecord& record, const ForceHits& hits) {
  const std::size_t count = record.values.size();
  const TomlValue* value = signal.find("window");
  if (value != nullptr && value->type == TomlValue::Type::array) {
    const std::vector<double> window = signal.numbers("window", any_number);
    const double last = record.grid.start + record.grid.step * static_cast<double>(count - 1);
    if (window.size() != 2 || !(window[0] < window[1]) || !(window[0] < last) || !(window[1] > record.grid.start)) {
      throw signal.error("window", fmt::format("window must be [from, to] within the record, {:g} to {:g}, got [{:g}]",
                                               record.grid.start, last, fmt::join(window, ", ")));
    }
    const auto place = [&](double time) {
      return static_cast<std::size_t>(
          std::clamp(std::ceil((time - record.grid.start) / record.grid.step), 0.0, static_cast<double>(count)));
    };
    const SampleRange range{place(window[0]), place(window[1])};
    if (range.second > range.first) return range;
    throw signal.error("window", "window: no sample is in it");
  }
  if (value != nullptr && signal.choice("window", {"hit", "all"}) == "all") return {0, count};
  if (const auto range = samples_of_hit(hits, count)) return *range;
  const std::string message =
      "no hit stands out of the noise of the force and is over before its end: say window = [from, to] or \"all\"";
  throw value != nullptr ? signal.error("window", "window: " + message) : signal.error("file", "file: " + message);
}

/// `offset`: "rest", the mean before the hit, or a number; where there is no hit, nothing is taken off.
double read_offset(const TableReader& signal, const ForceRecord& record, const ForceHits& hits) {
  const TomlValue* value = signal.find("offset");
  if (value != nullptr && value->is_number()) return signal.number("offset", any_number);
  if (value != nullptr) static_cast<void>(signal.choice("offset", {"rest"}));
  if (const auto rest = force_at_rest(record.values, hits)) return *rest;
  if (value == nullptr && !(hits.begin && hits.end)) return 0.0;
  throw signal.error(
      value != nullptr ? "offset" : "file",
      "offset: fewer than 16 samples are before the hit, to tell what the force is at rest: give it as a "
      "number");
}

}  // namespace

TableSignal read_measured_signal(const TableReader& signal, SignalNotes& notes) {
  signal.allow_only({"kind", "file", "channel", "scale", "offset", "window", "shift", "between"});
  ForceRecord record = read_record(signal, notes);
  const ForceHits hits = force_hits({&record.values}, fewest_force_samples);
  const double offset = read_offset(signal, record, hits);
  const SampleRange range = read_window(signal, record, hits);
  const double scale = signal.number_or("scale", 1.0, any_number), shift = signal.number_or("shift", 0.0, any_number);
  notes.scaled = signal.has("scale");
  if (hits.second && (!signal.has("window") || range.second <= *hits.second)) {
    notes.text = fmt::format("the force rises again at {:.6g}, a second hit, which is left out",
                             record.grid.start + record.grid.step * static_cast<double>(*hits.second));
  }
  for (double& value : record.values) value = scale * (value - offset);
  const bool straight = signal.has("between") && signal.choice("between", {"band_limited", "lines"}) == "lines";
  const auto time_of = [&](double place) { return record.grid.start + shift + record.grid.step * place; };
  const auto first = static_cast<double>(hits.begin && range.first < *hits.begin ? *hits.begin : range.first);
  if (time_of(first) < 0.0) {
    throw signal.error(signal.has("shift") ? "shift" : "file",
                       fmt::format("the force begins at {:g}, before time 0 of the analysis: shift, which is added to "
                                   "the times of the record, must be at least {:g}",
                                   time_of(first), shift - time_of(first)));
  }
  ForcePoints points = force_points(record.values, range, !straight);
  for (double& place : points.places) place = time_of(place);
  return {std::move(points.places), std::move(points.values), false};
}

}  // namespace microslip
