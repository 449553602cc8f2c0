#include "microslip/analyses/parameter_study/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/headline.hpp"
#include "microslip/analyses/parameter_study/grid.hpp"
#include "microslip/system/table.hpp"
#include "microslip/toml/toml_edit.hpp"

namespace microslip {
namespace {

/// Neighbours that run one after the other, each from what the one before left. The length is the same for any number
/// of threads, and short: chains are what runs side by side.
constexpr std::size_t longest_chain = 4;

/// Of one combination.
struct Row {
  Ending ending = Ending::interrupted;
  std::string message = "not started";
  Headline headline;
};

struct Chain {
  std::size_t first, count;
};

/// Along the last key, in parts of nearly equal length.
std::vector<Chain> make_chains(const ParameterGrid& grid, bool warm) {
  std::vector<Chain> chains;
  const std::size_t line = grid.is_list() ? grid.size() : grid.keys().back().values.size();
  const std::size_t parts = warm ? (line + longest_chain - 1) / longest_chain : line;
  for (std::size_t start = 0; start < grid.size(); start += line) {
    for (std::size_t k = 0; k < parts; ++k) {
      const std::size_t first = k * line / parts, next = (k + 1) * line / parts;
      chains.push_back({start + first, next - first});
    }
  }
  return chains;
}

/// Progress of all workers to one observer, and its answer back to them. Combinations count alike.
class SharedObserver {
 public:
  SharedObserver(const Observer& observer, std::size_t combinations, std::size_t workers)
      : observer_(&observer), combinations_(static_cast<double>(combinations)), current_(workers, 0.0) {}

  [[nodiscard]] bool stopped() const { return stopped_.load(); }

  /// A worker that finds another one reporting does not wait.
  bool report(std::size_t worker, double fraction) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) tell(worker, fraction);
    return !stopped();
  }
  void finished(std::size_t worker) {
    const std::lock_guard lock(mutex_);
    finished_ += 1.0;
    tell(worker, 0.0);
  }

 private:
  void tell(std::size_t worker, double fraction) {
    current_[worker] = fraction;
    if (!*observer_ || stopped()) return;
    double done = finished_;
    for (const double part : current_) done += part;
    if (!(*observer_)(std::min(1.0, done / combinations_))) stopped_.store(true);
  }

  const Observer* observer_;
  double combinations_;
  std::mutex mutex_;
  std::vector<double> current_;  ///< fraction of what each worker does now
  double finished_ = 0.0;
  std::atomic<bool> stopped_{false};
};

/// Runs the chains on several threads. Rows do not depend on who computes them.
class Runner {
 public:
  Runner(const ParameterStudyAnalysis& analysis, AnalysisRun& with)
      : analysis_(&analysis),
        grid_(analysis.grid.get()),
        with_(&with),
        warm_(wants(grid_->warm_start())),
        chains_(make_chains(*grid_, warm_)),
        workers_(std::min(static_cast<std::size_t>(analysis.threads), chains_.size())),
        observer_(with.observer, grid_->size(), workers_),
        rows_(grid_->size()) {}

  std::vector<Row> run() {
    std::vector<std::future<void>> others;
    for (std::size_t k = 1; k < workers_; ++k) others.push_back(std::async(std::launch::async, [this, k] { work(k); }));
    work(0);
    for (auto& other : others) other.get();
    return std::move(rows_);
  }

 private:
  void work(std::size_t worker) {
    Combination before;  // whose system may serve again
    for (std::size_t k = next_.fetch_add(1); k < chains_.size(); k = next_.fetch_add(1)) {
      std::any neighbour;
      for (std::size_t i = chains_[k].first; i < chains_[k].first + chains_[k].count; ++i) {
        if (!observer_.report(worker, 0.0)) return;
        rows_[i] = run_one(i, worker, before, neighbour);
        if (rows_[i].ending == Ending::interrupted) return;
        if (rows_[i].ending != Ending::completed) neighbour.reset();
        observer_.finished(worker);
      }
    }
  }

  Row run_one(std::size_t number, std::size_t worker, Combination& before, std::any& neighbour) {
    Row row;
    try {
      Combination combination = grid_->read(number, with_->system, before.system ? &before : nullptr);
      combination.analysis->name = analysis_->name;
      Results tables(with_->results, Results::InMemory{});
      AnalysisRun inner{*combination.system, tables,
                        [&](double fraction) { return observer_.report(worker, fraction); },
                        wants(combination.analysis->warm_start()) ? &neighbour : nullptr};
      const AnalysisSummary summary = combination.analysis->run(inner);
      row.ending = summary.ending;
      row.message = summary.message;
      // A limit load is an end of the curve, and no failure of the method.
      if (row.ending == Ending::completed || row.ending == Ending::limit_load) {
        const TablesInMemory own(tables, analysis_->name);
        combination.analysis->add_headline(own, *combination.system, row.headline);
        add_facts(summary.facts_json(), row.headline);
      }
      before = std::move(combination);
    } catch (const std::exception& error) {  // the others go on
      row = {Ending::no_convergence, error.what(), {}};
    }
    return row;
  }

  [[nodiscard]] bool wants(WarmStart kind) const {
    return kind == WarmStart::always ? analysis_->wants_warm_start.value_or(true)
                                     : kind == WarmStart::if_asked && analysis_->wants_warm_start.value_or(false);
  }

  const ParameterStudyAnalysis* analysis_;
  const ParameterGrid* grid_;
  AnalysisRun* with_;
  bool warm_;
  std::vector<Chain> chains_;
  std::size_t workers_;
  SharedObserver observer_;
  std::atomic<std::size_t> next_{0};
  std::vector<Row> rows_;
};

/// Every column that some combination has, in the order of their first appearance.
struct HeadlineColumns {
  std::vector<Column> columns;
  std::map<std::string, std::size_t> places;

  explicit HeadlineColumns(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      for (const Column& column : row.headline.columns) {
        if (places.emplace(column.name, columns.size()).second) columns.push_back(column);
      }
    }
  }
  /// NaN where a combination has none.
  [[nodiscard]] std::vector<double> values(const Headline& headline) const {
    std::vector<double> result(columns.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < headline.columns.size(); ++k) {
      result[places.at(headline.columns[k].name)] = headline.values[k];
    }
    return result;
  }
};

Column column_for(const VariedKey& key) {
  if (key.numeric()) return {key.path, "", "varied"};
  auto values = nlohmann::ordered_json::array();
  for (const TomlValue& value : key.values) values.push_back(to_json(value));
  return {key.path, "-",
          "number of the value, from 1, in " +
              values.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

/// A row for each number of a combination. The table keeps to the rows given.
Table<std::size_t> combination_table(const ParameterGrid& grid, const std::vector<Row>& rows) {
  Table<std::size_t> table;
  table.add({"combination", "-", "number, from 1"}, [](std::size_t i) { return i + 1; });
  for (std::size_t k = 0; k < grid.keys().size(); ++k) {
    const VariedKey& key = grid.keys()[k];
    table.add(column_for(key), [&grid, &key, k](std::size_t i) {
      const std::size_t place = grid.places(i)[k];
      return key.numeric() ? key.values[place].real : static_cast<double>(place + 1);
    });
  }
  table.add({"ending", "-",
             "0: completed; 1: no_convergence; 2: limit_load; 3: step_too_small; 4: interrupted or not started"},
            [&rows](std::size_t i) { return rows[i].ending; });
  const HeadlineColumns headlines(rows);
  table.add_group(headlines.columns, [&rows, headlines](std::size_t i, double* values) {
    std::ranges::copy(headlines.values(rows[i].headline), values);
  });
  return table;
}

void write_rows(const ParameterGrid& grid, const std::vector<Row>& rows, Sink& sink) {
  Table<std::size_t> table = combination_table(grid, rows);
  table.begin(sink);
  for (std::size_t i = 0; i < rows.size(); ++i) table.write(i, sink);
}

/// Combinations that completed with something to say, as when a tolerance was not reached.
std::string notes(const ParameterGrid& grid, const std::vector<Row>& rows) {
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
ParameterStudyFacts tell_endings(const ParameterGrid& grid, const std::vector<Row>& rows, AnalysisSummary& summary) {
  constexpr std::size_t most_named = 5;
  std::size_t completed = 0, failed = 0, named = 0;
  bool interrupted = false, only_limits = true;
  std::string list;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
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
std::vector<ParameterStudyFacts::Range> ranges(const std::vector<Figure>& figures, const std::vector<Row>& rows) {
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
      const double value = headlines.values(rows[i].headline)[place->second];
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
  const std::vector<Row> rows = Runner(*this, with).run();
  write_rows(*grid, rows, sink);
  sink.close();
  AnalysisSummary summary;
  ParameterStudyFacts facts = tell_endings(*grid, rows, summary);
  facts.analysis = grid->inner_kind();
  facts.ranges = ranges(figures(with.system), rows);
  facts.grid = grid;
  summary.sum_up(std::move(facts));
  summary.files = table_files();
  return summary;
}

}  // namespace microslip
