#include "microslip/analyses/read_records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "microslip/analyses/read_channels.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/measurement/channel_faults.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_record_samples = 64;
constexpr double rate_tolerance = 1e-6;  // of a step: over 1e5 samples a tenth of one

/// Those of the key `records`, all sampled alike.
std::vector<RecordTable> read_tables(const TableReader& reader) {
  std::vector<RecordTable> tables = read_record_tables(reader, "records", fewest_record_samples, "a record");
  const RecordTable& first = tables.front();
  for (const RecordTable& each : tables) {
    if (std::abs(each.grid.step - first.grid.step) <= rate_tolerance * first.grid.step) continue;
    throw reader.error(
        *each.at, fmt::format("records: all must be sampled alike: {} has the step {:.9g}, {} has {:.9g}",
                              in_quotes(each.at->text), each.grid.step, in_quotes(first.at->text), first.grid.step));
  }
  return tables;
}

std::vector<std::string> forces_of(const CsvTable& table) {
  std::vector<std::string> names;
  for (const std::string& name : table.names) {
    if (is_force_column(table, name)) names.push_back(name);
  }
  return names;
}

/// The reference of a record: of those that the study names the one that it has, or its only force.
std::string reference_in(const TableReader& reader, const RecordTable& each, const std::vector<std::string>& named) {
  const std::vector<std::string> forces = forces_of(each.table);
  const std::string listed = forces.empty() ? std::string("it has no channel that is one")
                                            : fmt::format("its forces are {}", fmt::join(forces, ", "));
  std::vector<std::string> found;
  for (const std::string& name : named) {
    try {
      static_cast<void>(data_column(each.table, name, 'f'));
      found.push_back(name);
    } catch (const InputError& error) {
      if (named.size() > 1) continue;
      throw reader.error("reference",
                         fmt::format("reference: {}: {}; {}", in_quotes(each.at->text), error.message(), listed));
    }
  }
  if (named.empty()) found = forces;
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    throw reader.error(*each.at,
                       fmt::format("records: {} has none of the references; {}", in_quotes(each.at->text), listed));
  }
  throw reader.error(
      *each.at, fmt::format("records: {} has {} forces ({}): name the one that excites, reference = \"...\", or cut "
                            "the record into one for each",
                            in_quotes(each.at->text), found.size(), fmt::join(found, ", ")));
}

/// Columns that are neither time nor force.
std::vector<std::string> moving_columns(const RecordTable& each, const std::string& reference) {
  std::vector<std::string> names;
  for (const std::string& name : each.table.names) {
    if (name == "time" || name == reference || opposite_channel(reference) == name) continue;
    if (!is_force_column(each.table, name)) names.push_back(name);
  }
  return names;
}

/// What the files say, or the study.
Quantity quantity_of(const TableReader& reader, const std::vector<RecordTable>& tables,
                     const std::vector<std::vector<std::string>>& moving) {
  if (reader.has("quantity")) return read_choice(reader, "quantity", quantities);
  std::set<char> letters;
  for (const auto& names : moving) {
    for (const std::string& name : names) letters.insert(split_letter(name).letter);
  }
  letters.erase('\0');
  if (letters.size() == 1) {
    for (const auto& choice : quantities) {
      if (letter_of(choice.value) == *letters.begin()) return choice.value;
    }
  }
  throw reader.error(letters.empty() ? fmt::format("quantity is missing: {} does not say what its channels measure",
                                                   in_quotes(tables.front().at->text))
                                     : std::string("quantity is missing: the files hold several, say which to take"));
}

std::vector<std::string> read_references(const TableReader& reader) {
  std::vector<std::string> names;
  if (!reader.has("reference")) return names;
  for (const TomlValue* value : one_or_several(reader, "reference")) {
    names.push_back(reader.as_string(*value, "reference"));
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      throw reader.error(*value, fmt::format("reference: {} is there twice", in_quotes(names.back())));
    }
  }
  return names;
}

/// Names of the responses, without letters: those that are asked for, or all of the quantity.
std::vector<std::string> response_names(const TableReader& reader, Quantity quantity,
                                        const std::vector<std::vector<std::string>>& moving,
                                        std::vector<std::string>& notes) {
  std::vector<std::string> names, others;
  if (reader.has("responses")) {
    for (const TomlValue* value : one_or_several(reader, "responses")) {
      names.push_back(split_letter(reader.as_string(*value, "responses")).name);
      if (std::count(names.begin(), names.end(), names.back()) > 1) {
        throw reader.error(*value, fmt::format("responses: {} is there twice", in_quotes(names.back())));
      }
    }
    return names;
  }
  for (const auto& columns : moving) {
    for (const std::string& column : columns) {
      const LetteredName name = split_letter(column);
      const bool taken = name.letter == '\0' || name.letter == letter_of(quantity);
      std::vector<std::string>& list = taken ? names : others;
      if (std::find(list.begin(), list.end(), taken ? name.name : column) == list.end()) {
        list.push_back(taken ? name.name : column);
      }
    }
  }
  if (names.empty()) {
    throw reader.error("records",
                       fmt::format("records: no channel measures {}{}", word_of(quantity, quantities),
                                   others.empty() ? "" : fmt::format("; there are {}", fmt::join(others, ", "))));
  }
  if (!others.empty()) {
    notes.push_back(fmt::format("channels that do not measure {} are left out: {}", word_of(quantity, quantities),
                                fmt::join(others, ", ")));
  }
  return names;
}

/// Empty where the record has no such channel; complains where it has one of another quantity.
std::vector<double> response_in(const TableReader& reader, const RecordTable& each, const std::string& name,
                                char letter) {
  const auto has = [&](const std::string& column) { return each.table.has(column); };
  const std::string other = opposite_channel(name).value_or(name);
  bool any = has(name) || has(other);
  for (const char known : {'q', 'v', 'a'}) {
    for (const std::string& each_name : {name, other}) any = any || has(fmt::format("{}[{}]", known, each_name));
  }
  if (!any) return {};
  try {
    return data_column(each.table, name, letter);
  } catch (const InputError& error) {
    throw reader.error(reader.has("quantity") ? "quantity" : "records",
                       fmt::format("quantity: {}: {}", in_quotes(each.at->text), error.message()));
  }
}

}  // namespace

std::vector<RecordTable> read_record_tables(const TableReader& reader, std::string_view key, std::size_t fewest,
                                            std::string_view who) {
  ChannelMap map(reader);
  std::vector<RecordTable> tables;
  std::vector<std::string> files, known;
  for (const TomlValue* file : one_or_several(reader, key)) {
    tables.push_back(read_named_file(reader, *file, key, [&](const std::string& path) {
      RecordTable read{file, read_data_table(path), {}};
      known.insert(known.end(), read.table.names.begin(), read.table.names.end());
      map.apply(read.table);
      read.grid = time_grid(read.table, fewest, who);
      return read;
    }));
    files.push_back(in_quotes(reader.as_string(*file, key)));
  }
  map.require_used(files, known);
  return tables;
}

std::string unit_of(Quantity quantity) {
  return quantity == Quantity::acceleration ? "length/time^2"
         : quantity == Quantity::velocity   ? "length/time"
                                            : "length";
}

char letter_of(Quantity quantity) {
  return quantity == Quantity::displacement ? 'q' : quantity == Quantity::velocity ? 'v' : 'a';
}

ForceHits hits_in(const CsvTable& table, std::size_t least) {
  std::vector<const std::vector<double>*> forces;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    if (is_force_column(table, table.names[c])) forces.push_back(&table.columns[c]);
  }
  return force_hits(forces, least);
}

std::vector<const TomlValue*> one_or_several(const TableReader& reader, std::string_view key) {
  const TomlValue& value = reader.need(key);
  std::vector<const TomlValue*> values;
  if (value.type != TomlValue::Type::array) return {&value};
  for (const TomlValue& item : value.items) values.push_back(&item);
  if (values.empty()) throw reader.error(value, fmt::format("{}: the list is empty", key));
  return values;
}

RecordsRead read_records(const TableReader& reader) {
  RecordsRead result;
  const std::vector<std::string> references = read_references(reader);
  const std::vector<RecordTable> tables = read_tables(reader);
  std::vector<std::vector<std::string>> moving;
  std::vector<std::string> excited;
  for (const RecordTable& each : tables) {
    add_channel_units(each.table, each.at->text, result.units);
    excited.push_back(reference_in(reader, each, references));
    for (const std::string& force : forces_of(each.table)) {
      if (force == excited.back() || opposite_channel(force) == excited.back() ||
          split_letter(force).name == split_letter(excited.back()).name || is_dead(each.table.column(force))) {
        continue;
      }
      result.notes.push_back(
          fmt::format("{}: {} is not taken into account: if it excites the structure, too, responses "
                      "to {} are wrong",
                      each.at->text, force, excited.back()));
    }
    moving.push_back(moving_columns(each, excited.back()));
  }
  result.quantity = quantity_of(reader, tables, moving);
  result.test.channels = response_names(reader, result.quantity, moving, result.notes);
  std::vector<bool> found(result.test.channels.size(), false);
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const RecordTable& each = tables[k];
    MeasuredRecord record{each.at->text, each.grid.start, each.grid.step, split_letter(excited[k]).name, {}, {}};
    record.force = data_column(each.table, excited[k], 'f');
    for (std::size_t c = 0; c < found.size(); ++c) {
      record.responses.push_back(response_in(reader, each, result.test.channels[c], letter_of(result.quantity)));
      if (!record.responses.back().empty()) found[c] = true;
    }
    for (const MeasuredRecord& other : result.test.records) {
      if (record.force != other.force || record.responses != other.responses) continue;
      throw reader.error(
          *each.at, fmt::format("records: {} holds the same samples as {}: one hit, taken twice, looks like less noise",
                                in_quotes(record.name), in_quotes(other.name)));
    }
    result.test.records.push_back(std::move(record));
  }
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (found[c]) continue;
    std::vector<std::string> known;
    for (const std::string& name : moving.front()) known.push_back(split_letter(name).name);
    throw reader.error("responses",
                       fmt::format("responses: no record has a channel {}{}", in_quotes(result.test.channels[c]),
                                   suggestion(result.test.channels[c], known)));
  }
  return result;
}

}  // namespace microslip
