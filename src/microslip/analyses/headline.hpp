#pragma once
// The headline numbers of an analysis: what a parameter study tells of each combination.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "microslip/results/results.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

struct Headline {
  std::vector<Column> columns;
  std::vector<double> values;

  /// A second value of the same name is left out.
  void add(Column column, double value);
};

/// A headline number that every combination has.
struct HeadlineNumber {
  std::string column, title, unit;
};

/// The tables of one analysis that are kept in memory.
class TablesInMemory {
 public:
  /// Both must outlive it.
  TablesInMemory(const Results& results, const std::string& analysis) : results_(&results), analysis_(&analysis) {}
  /// Null when there is none.
  [[nodiscard]] const MemorySink* find(const std::string& part = "") const;

 private:
  const Results* results_;
  const std::string* analysis_;
};

/// Place of a column; nothing when there is none.
[[nodiscard]] std::optional<std::size_t> place_of(const MemorySink& table, const std::string& name);

/// Numbers of the summary: `points`; of tables in it `energy[error]`, `dissipation[lap]`; of lists by mode `zeta0[2]`.
void add_facts(const nlohmann::ordered_json& facts, Headline& result);
/// Rows of one mode each: every column.
void add_mode_rows(const MemorySink& table, Headline& result);
/// Curves over amplitude, one a mode: their ends and the largest damping.
void add_mode_curves(const MemorySink& table, Headline& result);
/// Largest magnitude of each column of a history.
void add_largest(const MemorySink& table, Headline& result);

/// To draw of the rows of add_mode_rows, and of the curves of add_mode_curves: the first few modes, numbers from 1.
[[nodiscard]] std::vector<HeadlineNumber> drawn_mode_rows(const std::vector<int>& modes);
[[nodiscard]] std::vector<HeadlineNumber> drawn_mode_curves(const std::vector<int>& modes);
/// To draw of add_largest: displacements and joint forces that are recorded, the first few.
[[nodiscard]] std::vector<HeadlineNumber> drawn_largest(const Record& record, const System& system);

}  // namespace microslip
