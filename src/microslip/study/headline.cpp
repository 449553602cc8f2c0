#include "microslip/study/headline.hpp"
#include "microslip/report/analysis_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace microslip {
namespace {

using nlohmann::ordered_json;

std::optional<double> number_or_flag(const ordered_json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1.0 : 0.0;
  if (json.is_number()) return json.get<double>();
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();  // not known
  return std::nullopt;
}

/// Place of a column; nothing when there is none.
std::optional<std::size_t> place_of(const MemorySink& table, const std::string& name) {
  const auto& columns = table.columns();
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  if (at == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns.begin());
}

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

/// Numbers of the summary: `points`; of tables in it `energy[error]`, `dissipation[lap]`; of lists by mode `zeta0[2]`.
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

/// Rows of one mode each: every column.
void add_mode_rows(const MemorySink& table, Headline& result) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 1; c < table.columns().size(); ++c) {
      const Column& column = table.columns()[c];
      result.add({fmt::format("{}[{:g}]", column.name, table.at(row, 0)), column.unit, column.description},
                 table.at(row, c));
    }
  }
}

/// Curves over amplitude, one a mode: their ends, and the largest damping.
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

/// Largest magnitude of each column of a history.
void add_largest(const MemorySink& table, Headline& result) {
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    if (column.name == "time") continue;
    double largest = 0.0;
    for (std::size_t row = 0; row < table.rows(); ++row) largest = std::max(largest, std::abs(table.at(row, c)));
    result.add({"largest_" + column.name, column.unit, "largest magnitude of: " + column.description}, largest);
  }
}

/// The highest located peak, and the largest amplitudes of all points.
void add_response(const FrfAnalysis& analysis, const System& system, const MemorySink& points,
                  const MemorySink* special, Headline& result) {
  const auto& labels = system.structure().labels();
  const auto amplitude = [&](int dof) { return fmt::format("amplitude[{}]", labels[static_cast<std::size_t>(dof)]); };
  if (special != nullptr && analysis.record.peak_dof >= 0) {
    // The one that peaks; where it is not recorded, the first that is.
    auto height = place_of(*special, amplitude(analysis.record.peak_dof));
    if (!height && !analysis.record.dofs.empty()) height = place_of(*special, amplitude(analysis.record.dofs.front()));
    std::optional<std::size_t> peak;
    for (std::size_t row = 0; row < special->rows(); ++row) {
      if (special->at(row, 0) != static_cast<double>(SpecialKind::peak)) continue;
      if (!peak || (height && special->at(row, *height) > special->at(*peak, *height))) peak = row;
    }
    const auto add = [&](const std::string& name) {
      const auto c = place_of(*special, name);
      if (!c) return;
      const Column& column = special->columns()[*c];
      result.add({"peak_" + name, column.unit, "at the highest peak: " + column.description},
                 peak ? special->at(*peak, *c) : std::numeric_limits<double>::quiet_NaN());
    };
    if (analysis.over_level || analysis.levels.size() > 1) add("level");
    add("omega");
    add("frequency_hz");
    for (const int dof : analysis.record.dofs) add(amplitude(dof));
    add("multiplier");
    add("multiplier_error");
    if (analysis.piecewise) {
      for (const Joint& joint : system.joints()) {
        for (const char* what : {"stick_fraction", "friction_energy", "case"}) {
          add(fmt::format("{}[{}]", what, joint.name));
        }
      }
    }
  }
  for (const int dof : analysis.record.dofs) {
    double largest = 0.0;
    for (const MemorySink* table : {&points, special}) {
      const auto c = table != nullptr ? place_of(*table, amplitude(dof)) : std::nullopt;
      if (!c) continue;
      for (std::size_t row = 0; row < table->rows(); ++row) largest = std::max(largest, table->at(row, *c));
    }
    result.add({"largest_" + amplitude(dof), "length", "of all points and peaks"}, largest);
  }
}

struct Tables {
  const Analysis& analysis;
  const System& system;
  const Results& results;

  [[nodiscard]] const MemorySink* find(const std::string& part = "") const {
    const MemorySink* table = results.find(table_name(name_of(analysis), part));
    return table != nullptr && !table->columns().empty() ? table : nullptr;
  }
};

// What the tables tell beyond the summary, for each kind.
template <class Kind>
void add_tables(const Kind&, const Tables&, Headline&) {}

void add_tables(const ModesAnalysis&, const Tables& tables, Headline& result) {
  if (const auto* table = tables.find()) add_mode_rows(*table, result);
}
void add_tables(const QsmaAnalysis&, const Tables& tables, Headline& result) {
  if (const auto* table = tables.find()) add_mode_curves(*table, result);
}
void add_tables(const NonlinearModeAnalysis&, const Tables& tables, Headline& result) {
  if (const auto* table = tables.find()) add_mode_curves(*table, result);
}
void add_tables(const RingdownAnalysis&, const Tables& tables, Headline& result) {
  if (const auto* table = tables.find()) add_mode_curves(*table, result);
}
void add_tables(const TransientAnalysis&, const Tables& tables, Headline& result) {
  if (const auto* table = tables.find()) add_largest(*table, result);
}
void add_tables(const AveragingAnalysis&, const Tables& tables, Headline& result) {
  if (const auto* table = tables.find()) add_largest(*table, result);
}
void add_tables(const FrfAnalysis& analysis, const Tables& tables, Headline& result) {
  if (const auto* table = tables.find()) add_response(analysis, tables.system, *table, tables.find("special"), result);
}
void add_tables(const LevelSweepAnalysis& analysis, const Tables& tables, Headline& result) {
  add_tables(analysis.curves, tables, result);
}

}  // namespace

void Headline::add(Column column, double value) {
  const auto same = [&](const Column& other) { return other.name == column.name; };
  if (std::any_of(columns.begin(), columns.end(), same)) return;
  columns.push_back(std::move(column));
  values.push_back(value);
}

Headline headline(const Analysis& analysis, const System& system, const Results& results,
                  const AnalysisSummary& summary) {
  Headline result;
  std::visit([&](const auto& a) { add_tables(a, Tables{analysis, system, results}, result); }, analysis);
  add_facts(summary.facts, result);
  return result;
}

}  // namespace microslip
