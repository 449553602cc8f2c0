#include "microslip/analyses/parameter_study/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/parameter_study/grid.hpp"
#include "microslip/analyses/parameter_study/trials.hpp"
#include "microslip/analyses/part_of_trials.hpp"
#include "microslip/system/table.hpp"
#include "microslip/toml/toml_edit.hpp"
#include "microslip/trials/trial_setting.hpp"

namespace microslip {
namespace {

using Rows = std::vector<TrialRow>;

/// Every column that some combination has, in the order of their first appearance.
struct HeadlineColumns {
  std::vector<Column> columns;
  std::map<std::string, std::size_t> places;

  explicit HeadlineColumns(const Rows& rows) {
    for (const TrialRow& row : rows) {
      if (!row.columns) continue;
      for (const Column& column : *row.columns) {
        if (places.emplace(column.name, columns.size()).second) columns.push_back(column);
      }
    }
  }
  /// NaN where a combination has none.
  [[nodiscard]] std::vector<double> values(const TrialRow& row) const {
    std::vector<double> result(columns.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < row.values.size(); ++k) result[places.at((*row.columns)[k].name)] = row.values[k];
    return result;
  }
};

/// A row for each number of a combination. The table keeps to the rows given.
Table<std::size_t> combination_table(const ParameterGrid& grid, const Rows& rows) {
  Table<std::size_t> table;
  table.add({"combination", "-", "number, from 1"}, [](std::size_t i) { return i + 1; });
  for (std::size_t k = 0; k < grid.keys().size(); ++k) {
    const VariedKey& key = grid.keys()[k];
    table.add(column_for(key), [&grid, &key, k](std::size_t i) { return varied_value(key, grid.places(i)[k]); });
  }
  table.add({"ending", "-",
             "0: completed; 1: no_convergence; 2: limit_load; 3: step_too_small; 4: interrupted or not started"},
            [&rows](std::size_t i) { return rows[i].ending; });
  const HeadlineColumns headlines(rows);
  table.add_group(headlines.columns, [&rows, headlines](std::size_t i, double* values) {
    std::ranges::copy(headlines.values(rows[i]), values);
  });
  return table;
}

void write_rows(const ParameterGrid& grid, const Rows& rows, Sink& sink) {
  Table<std::size_t> table = combination_table(grid, rows);
  table.begin(sink);
  for (std::size_t i = 0; i < rows.size(); ++i) table.write(i, sink);
}

/// Combinations that completed with something to say, as when a tolerance was not reached.
std::string notes(const ParameterGrid& grid, const Rows& rows) {
  std::size_t count = 0, first = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].ending != Ending::completed || rows[i].message.empty()) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return "";
  return fmt::format("{} of {} combinations have a remark; combination {} ({}): {}", count, rows.size(), first + 1,
                     grid.describe(first), rows[first].message);
}

/// How it ended as a whole, and which combinations did not complete.
ParameterStudyFacts tell_endings(const ParameterGrid& grid, const Rows& rows, AnalysisSummary& summary) {
  constexpr std::size_t most_named = 5;
  std::size_t completed = 0, failed = 0, named = 0;
  bool interrupted = false, only_limits = true;
  std::string list;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TrialRow& row = rows[i];
    if (row.ending == Ending::completed) ++completed;
    if (row.ending == Ending::interrupted) interrupted = true;
    if (row.ending == Ending::completed || row.ending == Ending::interrupted) continue;
    ++failed;
    only_limits = only_limits && row.ending == Ending::limit_load;
    if (++named > most_named) continue;
    list += fmt::format("{}combination {} ({}): {}{}{}", named > 1 ? "; " : "", i + 1, grid.describe(i),
                        to_string(row.ending), row.message.empty() ? "" : ": ", row.message);
  }
  summary.ending = Ending::completed;
  summary.message = "";
  if (failed > 0) {
    summary.ending = only_limits ? Ending::limit_load : Ending::no_convergence;
    summary.message = fmt::format("{} of {} combinations did not complete: {}{}", failed, rows.size(), list,
                                  failed > most_named ? fmt::format("; and {} more", failed - most_named) : "");
  }
  if (interrupted) {
    summary.ending = Ending::interrupted;
    summary.message = fmt::format("interrupted: {} of {} combinations were finished{}{}", completed + failed,
                                  rows.size(), failed > 0 ? "; " : "", summary.message);
  }
  add_message(notes(grid, rows), summary);
  ParameterStudyFacts facts;
  facts.combinations = rows.size();
  facts.completed = completed;
  facts.failed = failed;
  return facts;
}

/// Of each number that is drawn.
std::vector<ParameterStudyFacts::Range> ranges(const std::vector<Figure>& figures, const Rows& rows) {
  std::vector<ParameterStudyFacts::Range> list;
  const HeadlineColumns headlines(rows);
  for (const Figure& figure : figures) {
    const Curve& curve = figure.curves.front();
    const std::string& column = figure.kind == FigureKind::map ? curve.z : curve.y;
    const auto place = headlines.places.find(column);
    if (place == headlines.places.end()) continue;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    ParameterStudyFacts::Range range{column, infinity, 0, -infinity, 0};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double value = headlines.values(rows[i])[place->second];
      if (value < range.low) range.low = value, range.low_at = i + 1;
      if (value > range.high) range.high = value, range.high_at = i + 1;
    }
    if (range.low_at > 0) list.push_back(std::move(range));  // else no number anywhere
  }
  return list;
}

nlohmann::ordered_json values_of(const ParameterGrid& grid) {
  auto json = nlohmann::ordered_json::object();
  for (const VariedKey& key : grid.keys()) {
    json[key.path] = nlohmann::ordered_json::array();
    for (const TomlValue& value : key.values) json[key.path].push_back(to_json(value));
  }
  return json;
}

}  // namespace

nlohmann::ordered_json ParameterStudyFacts::to_json() const {
  nlohmann::ordered_json json;
  json["combinations"] = combinations;
  json["completed"] = completed;
  json["failed"] = failed;
  if (known > 0) json["known_before"] = known;
  json["analysis"] = analysis;
  for (const Range& range : ranges) {
    json["ranges"].push_back({{"column", range.column},
                              {"low", range.low},
                              {"low_at", range.low_at},
                              {"high", range.high},
                              {"high_at", range.high_at}});
  }
  json["vary"] = values_of(*grid);
  return json;
}

std::string ParameterStudyFacts::in_a_line() const {
  if (known == 0) return "";
  return fmt::format("{} of {} combinations had been finished by an earlier run", known, combinations);
}

std::vector<std::string> ParameterStudyAnalysis::sources() const {
  return grid->sources();
}

std::vector<std::string> ParameterStudyAnalysis::tables() const {
  return {""};
}

nlohmann::ordered_json ParameterStudyAnalysis::settings() const {
  return {{"analysis", grid->inner_kind()}, {"combine", grid->is_list() ? "list" : "grid"}, {"vary", values_of(*grid)}};
}

std::string ParameterStudyAnalysis::describe() const {
  std::vector<std::string> keys;
  for (const VariedKey& key : grid->keys()) {
    keys.push_back(grid->is_list() ? key.path : fmt::format("{} ({})", key.path, key.values.size()));
  }
  return fmt::format("{} combination{} of {}, each {}: {}", grid->size(), grid->size() > 1 ? "s" : "",
                     fmt::join(keys, ", "), grid->inner_kind(), grid->inner_description());
}

AnalysisSummary ParameterStudyAnalysis::run(AnalysisRun& with) const {
  TableSink sink = with.results.table(name);
  const TrialOutcome outcome = run_combinations(*this, with);
  if (with.trials != nullptr && !with.trials->makes_tables())
    return part_of_trials(outcome, *with.trials, "combinations");
  write_rows(*grid, outcome.rows, sink);
  sink.close();
  AnalysisSummary summary;
  ParameterStudyFacts facts = tell_endings(*grid, outcome.rows, summary);
  facts.analysis = grid->inner_kind();
  facts.ranges = ranges(figures(with.system), outcome.rows);
  facts.grid = grid;
  facts.known = outcome.known;
  summary.sum_up(std::move(facts));
  summary.files = table_files();
  if (!outcome.file.empty()) summary.files.push_back(outcome.file);
  return summary;
}

}  // namespace microslip
