#include "microslip/analyses/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "microslip/analyses/figure_parts.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

std::optional<double> number_or_flag(const ordered_json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1.0 : 0.0;
  if (json.is_number()) return json.get<double>();
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();  // not known
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> place_of(const MemorySink& table, const std::string& name) {
  const auto& columns = table.columns();
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  if (at == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns.begin());
}

namespace {

void add_fact(const std::string& name, const ordered_json& json, const std::string& of, Headline& result) {
  const auto label = [&](const std::string& key) { return of.empty() ? key : fmt::format("{}[{}]", key, of); };
  if (const auto number = number_or_flag(json)) {
    result.add({label(name), "", "of the summary"}, *number);
  } else if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      if (of.empty() && number_or_flag(value)) {
        result.add({fmt::format("{}[{}]", name, key), "", "of the summary"}, *number_or_flag(value));
      } else {
        add_fact(fmt::format("{}_{}", name, key), value, of, result);
      }
    }
  } else if (json.is_array() && json.size() == 2 && number_or_flag(json[0]) && number_or_flag(json[1])) {
    result.add({label(name + "_first"), "", "of the summary"}, *number_or_flag(json[0]));
    result.add({label(name + "_last"), "", "of the summary"}, *number_or_flag(json[1]));
  }
}

}  // namespace

void add_facts(const ordered_json& facts, Headline& result) {
  for (const auto& [name, json] : facts.items()) {
    if (!json.is_array()) {
      add_fact(name, json, "", result);
      continue;
    }
    for (const ordered_json& item : json) {
      if (!item.is_object() || !item.contains("mode")) continue;
      for (const auto& [key, value] : item.items()) {
        if (key != "mode") add_fact(key, value, fmt::format("{}", item["mode"].get<int>()), result);
      }
    }
  }
}

void add_mode_rows(const MemorySink& table, Headline& result) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 1; c < table.columns().size(); ++c) {
      const Column& column = table.columns()[c];
      result.add({fmt::format("{}[{:g}]", column.name, table.at(row, 0)), column.unit, column.description},
                 table.at(row, c));
    }
  }
}

void add_mode_curves(const MemorySink& table, Headline& result) {
  struct Ends {
    std::size_t first, last;
  };
  std::map<int, Ends> curves;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto [curve, added] = curves.try_emplace(static_cast<int>(table.at(row, 0)), Ends{row, row});
    curve->second.last = row;
  }
  for (const auto& [mode, ends] : curves) {
    for (const bool first : {true, false}) {
      for (const char* name : {"q", "omega", "zeta"}) {
        const auto c = place_of(table, name);
        if (!c) continue;
        const Column& column = table.columns()[*c];
        result.add({fmt::format("{}_{}[{}]", name, first ? "first" : "last", mode), column.unit,
                    fmt::format("{}, {} point of the curve", column.description, first ? "first" : "last")},
                   table.at(first ? ends.first : ends.last, *c));
      }
    }
    const auto zeta = place_of(table, "zeta"), q = place_of(table, "q");
    if (!zeta || !q) continue;
    std::size_t most = ends.first;
    for (std::size_t row = ends.first; row <= ends.last; ++row) {
      if (static_cast<int>(table.at(row, 0)) == mode && !(table.at(row, *zeta) <= table.at(most, *zeta)) &&
          !std::isnan(table.at(row, *zeta)))
        most = row;
    }
    result.add({fmt::format("largest_zeta[{}]", mode), "-", "largest of the curve"}, table.at(most, *zeta));
    result.add({fmt::format("q_of_largest_zeta[{}]", mode), table.columns()[*q].unit, "where it is"},
               table.at(most, *q));
  }
}

void add_largest(const MemorySink& table, Headline& result) {
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    if (column.name == "time") continue;
    double largest = 0.0;
    for (std::size_t row = 0; row < table.rows(); ++row) largest = std::max(largest, std::abs(table.at(row, c)));
    result.add({"largest_" + column.name, column.unit, "largest magnitude of: " + column.description}, largest);
  }
}

namespace {

struct ModeNumber {
  const char* symbol;
  const char* what;
  const char* unit;
};

/// These of every mode, of the first ones where there are many.
std::vector<HeadlineNumber> of_each_mode(const std::vector<int>& modes, std::initializer_list<ModeNumber> each) {
  std::vector<HeadlineNumber> numbers;
  for (std::size_t i = 0; i < modes.size() && i < figures_of_a_kind; ++i) {
    for (const auto& [symbol, what, unit] : each) {
      numbers.push_back({fmt::format("{}[{}]", symbol, modes[i]), fmt::format("{} of mode {}", what, modes[i]), unit});
    }
  }
  return numbers;
}

}  // namespace

std::vector<HeadlineNumber> drawn_mode_rows(const std::vector<int>& modes) {
  return of_each_mode(modes, {{"omega_stuck", "Frequency, joints stuck,", "rad/time"},
                              {"omega_slipped", "Frequency, joints slipping,", "rad/time"},
                              {"zeta", "Damping ratio without the joints", "-"}});
}

std::vector<HeadlineNumber> drawn_mode_curves(const std::vector<int>& modes) {
  return of_each_mode(modes, {{"largest_zeta", "Largest damping ratio", "-"},
                              {"omega_first", "Frequency at the first point", "rad/time"},
                              {"omega_last", "Frequency at the last point", "rad/time"}});
}

std::vector<HeadlineNumber> drawn_largest(const Record& record, const System& system) {
  std::vector<HeadlineNumber> numbers;
  for (const std::string& label : labels_of(system, record.dofs)) {
    if (numbers.size() == figures_of_a_kind) break;
    numbers.push_back(
        {fmt::format("largest_q[{}]", label), fmt::format("Largest displacement of {}", label), "length"});
  }
  const std::vector<std::string> components = component_names(system, record.joints);
  for (std::size_t i = 0; i < components.size() && i < figures_of_a_kind; ++i) {
    numbers.push_back({fmt::format("largest_f[{}]", components[i]),
                       fmt::format("Largest force of joint {}", components[i]), "force"});
  }
  return numbers;
}

void Headline::add(Column column, double value) {
  const auto same = [&](const Column& other) { return other.name == column.name; };
  if (std::any_of(columns.begin(), columns.end(), same)) return;
  columns.push_back(std::move(column));
  values.push_back(value);
}

const MemorySink* TablesInMemory::find(const std::string& part) const {
  const MemorySink* table = results_->find(table_name(*analysis_, part));
  return table != nullptr && !table->columns().empty() ? table : nullptr;
}

}  // namespace microslip
