#include "microslip/analyses/motion/history_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
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

bool has_history(const std::optional<PsdOptions>& psd) {
  return !psd || !psd->only;
}

void LargestSink::begin(std::span<const Column> columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].name.starts_with("q[")) continue;
    if (names_.empty()) first_ = i;
    names_.push_back(columns[i].name);
  }
  next_->begin(columns);
}

void LargestSink::row(std::span<const double> values) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const double size = std::abs(values[first_ + i]);
    if (any_ && !(size > largest_)) continue;
    any_ = true;
    largest_ = size;
    at_ = i;
    value_ = values[first_ + i];
    time_ = values[0];
  }
  next_->row(values);
}

std::optional<LargestDisplacement> LargestSink::largest() const {
  if (!any_ || !std::isfinite(value_)) return std::nullopt;
  const std::string& name = names_[at_];
  return LargestDisplacement{name.substr(2, name.size() - 3), value_, time_};
}

void HistoryFacts::add_to(nlohmann::ordered_json& json) const {
  if (const auto& largest = largest_displacement) {
    json["largest_displacement"] = {{"dof", largest->dof}, {"value", largest->value}, {"time", largest->time}};
  }
  if (psd_segments) json["psd_segments"] = *psd_segments;
}

HistoryTables::HistoryTables(std::string name, const std::optional<PsdOptions>& psd, double row_step, Results& results)
    : name_(std::move(name)),
      results_(&results),
      history_(results.table(name_)),
      psd_(psd ? std::make_optional<PsdSink>(*psd, row_step, history_) : std::nullopt),
      largest_(psd_ ? static_cast<Sink&>(*psd_) : history_) {}

std::vector<std::string> HistoryTables::parts(const std::optional<PsdOptions>& psd) {
  std::vector<std::string> parts;
  if (has_history(psd)) parts.emplace_back("");
  if (psd) parts.emplace_back(psd_part);
  return parts;
}

Sink& HistoryTables::sink() {
  return largest_;
}

HistoryFacts HistoryTables::close(std::vector<std::string>& files) {
  history_.close();
  HistoryFacts facts;
  facts.largest_displacement = largest_.largest();
  if (history_.begun()) files.push_back(table_name(name_, "") + ".csv");
  if (!psd_ || !psd_->begun()) return facts;
  TableSink table = results_->table(name_, psd_part);
  psd_->write(table);
  table.close();
  facts.psd_segments = psd_->segments();
  files.push_back(table_name(name_, psd_part) + ".csv");
  return facts;
}

}  // namespace microslip
