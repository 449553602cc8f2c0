#include "microslip/study/history_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace microslip {
namespace {

constexpr const char* psd_part = "psd";
constexpr double most_segment_rows = 1e8;

}  // namespace

std::optional<PsdOptions> read_psd(const TableReader& reader, const Record& record, double duration, double step) {
  if (!reader.has("psd")) return std::nullopt;
  const TableReader table = reader.table("psd");
  table.allow_only({"segment", "to_hz", "only"});
  if (record.dofs.empty() && record.joints.empty()) {
    throw reader.error("psd", "psd needs degrees of freedom or joints in record");
  }
  const double row_step = record.every * step;
  PsdOptions options;
  options.segment = table.number("segment", positive_number);
  if (!(options.segment <= duration) || !(options.segment >= 4.0 * row_step)) {
    throw table.error("segment", fmt::format("segment must be from {:g}, four rows, to the duration of {:g}, got {:g}",
                                             4.0 * row_step, duration, options.segment));
  }
  if (!(options.segment / row_step <= most_segment_rows)) {
    throw table.error("segment", fmt::format("segment must be at most {:.0e} rows, got {:.3g}", most_segment_rows,
                                             options.segment / row_step));
  }
  options.to = table.number_or("to_hz", 0.0, {0.0, 0.5 / row_step, false, true});
  options.only = table.flag_or("only", false);
  return options;
}

HistoryTables::HistoryTables(std::string name, const std::optional<PsdOptions>& psd, double row_step, Results& results)
    : name_(std::move(name)), results_(&results), history_(results.table(name_)) {
  if (psd) psd_.emplace(*psd, row_step, history_);
}

std::vector<std::string> HistoryTables::parts(const std::optional<PsdOptions>& psd) {
  std::vector<std::string> parts;
  if (!psd || !psd->only) parts.emplace_back("");
  if (psd) parts.emplace_back(psd_part);
  return parts;
}

Sink& HistoryTables::sink() {
  if (psd_) return *psd_;
  return history_;
}

void HistoryTables::close(AnalysisSummary& summary) {
  history_.close();
  if (history_.begun()) summary.files.push_back(table_name(name_, "") + ".csv");
  if (!psd_ || !psd_->begun()) return;
  TableSink table = results_->table(name_, psd_part);
  psd_->write(table);
  table.close();
  summary.facts["psd_segments"] = psd_->segments();
  summary.files.push_back(table_name(name_, psd_part) + ".csv");
}

}  // namespace microslip
