#pragma once
// The tables of a motion in time: its history and, if asked for, the power spectral densities of its columns.

#include <optional>
#include <string>
#include <vector>

#include "microslip/report/psd_sink.hpp"
#include "microslip/study/analysis_parts.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

/// `psd = { segment = 20.0, to_hz = 100.0, only = false }`; nothing without the key. `step` is that of the analysis.
[[nodiscard]] std::optional<PsdOptions> read_psd(const TableReader& reader, const Record& record, double duration,
                                                 double step);

/// The largest displacement of a history as it passes by, on its way to another sink.
class LargestSink final : public Sink {
 public:
  explicit LargestSink(Sink& next) : next_(&next) {}
  void begin(std::span<const Column> columns) override;
  void row(std::span<const double> values) override;
  /// { "dof": .., "value": .., "time": .. }; null without rows or displacements.
  [[nodiscard]] nlohmann::ordered_json fact() const;

 private:
  Sink* next_;
  std::size_t first_ = 0;           ///< place of the first q[..]
  std::vector<std::string> names_;  ///< of the columns q[..]
  std::size_t at_ = 0;
  double largest_ = 0.0, value_ = 0.0, time_ = 0.0;
  bool any_ = false;
};

class HistoryTables {
 public:
  HistoryTables(std::string name, const std::optional<PsdOptions>& psd, double row_step, Results& results);
  HistoryTables(const HistoryTables&) = delete;  // its parts know each other
  HistoryTables& operator=(const HistoryTables&) = delete;
  /// Names of the tables, without that of the analysis.
  [[nodiscard]] static std::vector<std::string> parts(const std::optional<PsdOptions>& psd);

  [[nodiscard]] Sink& sink();
  /// Both tables are whole; their names go into the summary.
  void close(AnalysisSummary& summary);

 private:
  std::string name_;
  Results* results_;
  TableSink history_;
  std::optional<PsdSink> psd_;
  LargestSink largest_;
};

}  // namespace microslip
