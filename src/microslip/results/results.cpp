#include "microslip/results/results.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "microslip/io/text_file.hpp"
#include "microslip/io/write_file.hpp"
#include "microslip/results/analysis_summary.hpp"

namespace microslip {
namespace {

void remove_old(const std::string& path) {
  std::error_code ignored;  // what cannot be removed cannot be written either, and that is reported
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(part_name(path), ignored);
}

}  // namespace

std::string text_of(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string table_name(const std::string& analysis, const std::string& part) {
  return part.empty() ? analysis : analysis + "-" + part;
}

Results::Results(std::string directory, UnitLabels units, std::span<const std::string> files)
    : directory_(std::move(directory)), units_(std::move(units)) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error || !std::filesystem::is_directory(directory_)) {
    throw OutputError(fmt::format("{}: the directory cannot be made{}{}", directory_, error ? ": " : "",
                                  error ? error.message() : ""));
  }
  for (const char* file : {"summary.json", "results.h5", "results.mat", "report.json", "report.html"}) {
    remove_old(file_in(directory_, file));
  }
  for (const std::string& file : files) remove_old(file_in(directory_, file));
  hdf5_ = std::make_unique<Hdf5Writer>(file_in(directory_, "results.h5"));
}

void Results::study_text(const std::string& text) {
  if (hdf5_) hdf5_->attribute("/", "study", text);
}

void Results::settings(const std::string& analysis, const nlohmann::ordered_json& values) {
  if (!hdf5_) return;
  hdf5_->group(analysis);
  for (const auto& [key, value] : values.items()) {
    if (value.is_number()) {
      hdf5_->attribute(analysis, key, value.get<double>());
    } else {
      hdf5_->attribute(analysis, key, value.is_string() ? value.get<std::string>() : text_of(value));
    }
  }
}

TableSink Results::table(const std::string& analysis, const std::string& part) {
  const std::string name = table_name(analysis, part);
  if (!hdf5_) return TableSink(kept_[name]);
  const auto copy = kept_.find(name);
  TableRecord& record = written_[analysis].emplace_back();
  record.part = part;
  record.file = name + ".csv";
  return {file_in(directory_, record.file),
          *hdf5_,
          analysis + "/" + (part.empty() ? "table" : part),
          units_,
          record,
          copy != kept_.end() ? &copy->second : nullptr};
}

std::vector<TableRecord> Results::written(const std::string& analysis) const {
  std::vector<TableRecord> tables;
  const auto at = written_.find(analysis);
  if (at == written_.end()) return tables;
  for (const TableRecord& record : at->second) {
    if (!record.columns.empty()) tables.push_back(record);
  }
  return tables;
}

const MemorySink* Results::find(const std::string& table) const {
  const auto own = kept_.find(table);
  if (own != kept_.end()) return &own->second;
  return outer_ != nullptr ? outer_->find(table) : nullptr;
}

std::string Results::doubt_of(const std::string& analysis) const {
  const auto own = doubts_.find(analysis);
  if (own != doubts_.end()) return own->second;
  return outer_ != nullptr ? outer_->doubt_of(analysis) : "";
}

const MemorySink& Results::kept(const std::string& table) const {
  const MemorySink* rows = find(table);
  if (rows == nullptr) throw std::out_of_range("table \"" + table + "\" is not kept");
  return *rows;
}

void Results::text(const std::string& file, const std::string& text) const {
  if (!hdf5_) return;
  write_file(file_in(directory_, file), text);
}

void Results::write_summary(const std::string& version, std::span<const AnalysisSummary> analyses) const {
  nlohmann::ordered_json json;
  json["version"] = version;
  json["analyses"] = nlohmann::ordered_json::array();
  for (const auto& analysis : analyses) json["analyses"].push_back(to_json(analysis));
  text("summary.json", text_of(json, 2) + "\n");
}

void Results::close() {
  if (hdf5_) hdf5_->close();
}

}  // namespace microslip
