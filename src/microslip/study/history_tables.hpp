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
};

}  // namespace microslip
