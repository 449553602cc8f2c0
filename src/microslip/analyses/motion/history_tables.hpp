#pragma once
// The tables of a motion in time: its history and, if asked for, the power spectral densities of its columns.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "microslip/results/psd_sink.hpp"
#include "microslip/results/results.hpp"
#include "microslip/toml/table_reader.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

/// `psd = { segment = 20.0, to_hz = 100.0, only = false }`; nothing without the key. `step` is that of the analysis.
[[nodiscard]] std::optional<PsdOptions> read_psd(const TableReader& reader, const Record& record, double duration,
                                                 double step);

/// There is a table of the history itself.
[[nodiscard]] bool has_history(const std::optional<PsdOptions>& psd);

struct LargestDisplacement {
  std::string dof;     ///< its label
  double value = 0.0;  ///< with its sign [length]
  double time = 0.0;
};

/// The largest displacement of a history as it passes by, on its way to another sink.
class LargestSink final : public Sink {
 public:
  explicit LargestSink(Sink& next) : next_(&next) {}
  void begin(std::span<const Column> columns) override;
  void row(std::span<const double> values) override;
  /// Nothing without rows or displacements, and where it is no number.
  [[nodiscard]] std::optional<LargestDisplacement> largest() const;

 private:
  Sink* next_;
  std::size_t first_ = 0;           ///< place of the first q[..]
  std::vector<std::string> names_;  ///< of the columns q[..]
  std::size_t at_ = 0;
  double largest_ = 0.0, value_ = 0.0, time_ = 0.0;
  bool any_ = false;
};

/// What sums up the tables.
struct HistoryFacts {
  std::optional<LargestDisplacement> largest_displacement;
  std::optional<long> psd_segments;

  /// largest_displacement, psd_segments: those that are there.
  void add_to(nlohmann::ordered_json& json) const;
};

class HistoryTables {
 public:
  HistoryTables(std::string name, const std::optional<PsdOptions>& psd, double row_step, Results& results);
  HistoryTables(const HistoryTables&) = delete;  // its parts know each other
  HistoryTables& operator=(const HistoryTables&) = delete;
  /// Names of the tables, without that of the analysis.
  [[nodiscard]] static std::vector<std::string> parts(const std::optional<PsdOptions>& psd);

  [[nodiscard]] Sink& sink();
  /// Both tables are whole; their names are added to `files`.
  [[nodiscard]] HistoryFacts close(std::vector<std::string>& files);

 private:
  std::string name_;
  Results* results_;
  TableSink history_;
  std::optional<PsdSink> psd_;
  LargestSink largest_;
};

}  // namespace microslip
