#include "microslip/report/run_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "microslip/io/text_file.hpp"
#include "microslip/report/figure_json.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

constexpr double most_values = 1 << 27;  ///< of a table in memory, 1 GB
constexpr std::size_t largest_json = std::size_t{64} << 20U;

ordered_json read_json(const std::string& path) {
  ordered_json json = ordered_json::parse(read_text_file(path, largest_json), nullptr, false);
  if (json.is_discarded() || !json.is_object()) throw InputError({path, 0, 0}, "is not the JSON that a run writes");
  return json;
}

std::string text_in(const ordered_json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

double number_in(const ordered_json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_number() ? at->get<double>() : 0.0;
}

/// The items of a list; none where it is something else.
const ordered_json& list_in(const ordered_json& json, const char* key) {
  static const ordered_json none = ordered_json::array();
  const auto at = json.find(key);
  return at != json.end() && at->is_array() ? *at : none;
}

const ordered_json& object_in(const ordered_json& json, const char* key) {
  static const ordered_json none = ordered_json::object();
  const auto at = json.find(key);
  return at != json.end() && at->is_object() ? *at : none;
}

/// Empty when there is none, or one that makes no sense.
ShapeGeometry geometry_from(const ordered_json& json) {
  ShapeGeometry geometry;
  const auto vector_from = [](const ordered_json& item) {
    return std::array<double, 3>{item.at(0).get<double>(), item.at(1).get<double>(), item.at(2).get<double>()};
  };
  try {
    for (const ordered_json& point : list_in(json, "points")) geometry.points.push_back(vector_from(point));
    const auto size = static_cast<double>(geometry.points.size());
    const auto there = [&](double number) { return number >= 0.0 && number < size; };
    for (const ordered_json& motion : list_in(json, "motions")) {
      if (!there(number_in(motion, "point"))) return {};
      geometry.motions.push_back({static_cast<std::size_t>(number_in(motion, "point")), text_in(motion, "dof"),
                                  vector_from(motion.at("direction"))});
    }
    for (const ordered_json& line : list_in(json, "lines")) {
      geometry.lines.push_back(line.get<std::vector<int>>());
      if (!std::all_of(geometry.lines.back().begin(), geometry.lines.back().end(), there)) return {};
    }
    geometry.assumed = json.value("assumed", false);
  } catch (const ordered_json::exception&) {
    return {};
  }
  return geometry;
}

TableRecord table_from(const ordered_json& json) {
  TableRecord table;
  table.part = text_in(json, "part");
  table.file = text_in(json, "file");
  table.rows = static_cast<long>(number_in(json, "rows"));
  for (const ordered_json& column : list_in(json, "columns")) {
    if (!column.is_object()) continue;
    table.columns.push_back(
        {text_in(column, "name"), text_in(column, "unit"), text_in(column, "description"),
         text_in(column, "scale") == to_string(Scale::logarithmic) ? Scale::logarithmic : Scale::linear});
  }
  return table;
}

ReportedAnalysis analysis_from(const ordered_json& json) {
  ReportedAnalysis analysis;
  analysis.kind = text_in(json, "kind");
  analysis.name = text_in(json, "name");
  analysis.describe = text_in(json, "describe");
  analysis.ending = text_in(json, "ending");
  analysis.message = text_in(json, "message");
  analysis.wall_seconds = number_in(json, "wall_seconds");
  analysis.words = text_in(json, "words");
  analysis.how = text_in(json, "how");
  for (const ordered_json& mistake : list_in(json, "mistakes")) {
    if (mistake.is_string()) analysis.mistakes.push_back(mistake.get<std::string>());
  }
  for (const ordered_json& table : list_in(json, "tables")) {
    if (table.is_object()) analysis.tables.push_back(table_from(table));
  }
  for (const ordered_json& figure : list_in(json, "figures")) {
    try {
      analysis.figures.push_back(figure_from_json(figure));
    } catch (const std::exception& error) {
      analysis.mistakes.emplace_back(error.what());
    }
  }
  return analysis;
}

/// Numbers of a CSV file that a run wrote, some columns of its first rows. Names in the header may hold commas: it is
/// skipped. A number may be missing (nan).
std::vector<std::vector<double>> read_csv(const std::string& path, std::size_t columns,
                                          const std::vector<std::size_t>& numbers, std::size_t rows) {
  const std::string text = read_text_file(path);
  LineReader lines(text);
  std::vector<std::vector<double>> result(numbers.size());
  std::vector<Token> tokens;
  lines.next();
  while (lines.next() && (numbers.empty() || result.front().size() < rows)) {
    if (lines.blank()) continue;
    lines.split(',', tokens);
    if (tokens.size() != columns) {
      throw InputError({path, lines.number(), 1},
                       fmt::format("a row should have {} numbers, got {}", columns, tokens.size()));
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const std::string_view word = tokens[numbers[k]].text;
      double value = std::numeric_limits<double>::quiet_NaN();
      std::from_chars(word.data(), word.data() + word.size(), value);
      result[k].push_back(value);
    }
  }
  return result;
}

const TableRecord* find_table(const ReportedAnalysis& analysis, const std::string& part) {
  const auto at = std::find_if(analysis.tables.begin(), analysis.tables.end(),
                               [&](const TableRecord& table) { return table.part == part; });
  return at != analysis.tables.end() ? &*at : nullptr;
}

/// Names of the columns of a table that the figures of an analysis use.
std::set<std::string> used_columns(const ReportedAnalysis& analysis, const std::string& part,
                                   const ShapeGeometry& geometry) {
  std::set<std::string> names;
  const auto add = [&](const Curve& curve) {
    if (curve.table != part) return;
    names.insert({curve.x, curve.y, curve.z, curve.stable});
    names.insert(curve.split.begin(), curve.split.end());
    names.insert(curve.more.begin(), curve.more.end());
    for (const Condition& condition : curve.where) names.insert(condition.column);
  };
  for (const Figure& figure : analysis.figures) {
    for (const Curve& curve : figure.curves) {
      add(curve);
      if (figure.kind != FigureKind::shapes || curve.table != part) continue;
      for (const ShapeGeometry::Motion& motion : geometry.motions) {
        names.insert({column_of_dof(curve.y, motion.dof), column_of_dof(curve.z, motion.dof)});
      }
    }
    for (const Marks& marks : figure.marks) {
      add(marks.points);
      if (marks.points.table == part) names.insert(marks.event);
    }
    if (!figure.picking.key.empty()) add(figure.picking.known);
  }
  return names;
}

}  // namespace

RunDirectory::RunDirectory(std::string directory) : directory_(std::move(directory)) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory_, error)) {
    throw InputError({directory_, 0, 0}, std::filesystem::exists(directory_, error)
                                             ? "is not a directory; give the one that `microslip run` wrote"
                                             : "there is no such directory");
  }
  const std::string path = file_in(directory_, "report.json");
  if (!std::filesystem::exists(path, error)) {
    throw InputError({directory_, 0, 0},
                     std::filesystem::exists(file_in(directory_, "summary.json"), error)
                         ? "holds results without report.json: of an unfinished run, or an older version; run it again"
                         : "is not a directory of results: there is no report.json in it");
  }
  const ordered_json json = read_json(path);
  if (!json.contains("format") || !json["format"].is_number()) {
    throw InputError({path, 0, 0}, "is not a report.json of microslip");
  }
  if (json["format"] != report_format) {
    throw InputError({path, 0, 0}, fmt::format("format must be {}, got {}: of another version of microslip; run the "
                                               "study again with this one",
                                               report_format, json["format"].dump()));
  }
  if (!json.contains("analyses") || !json["analyses"].is_array()) {
    throw InputError({path, 0, 0}, "is not a report.json of microslip");
  }
  title = text_in(json, "title");
  study_file = text_in(json, "study_file");
  study = text_in(json, "study");
  version = text_in(json, "version");
  command = text_in(json, "command");
  started = text_in(json, "started");
  wall_seconds = number_in(json, "wall_seconds");
  for (const ordered_json& line : list_in(json, "structure")) {
    if (line.is_string()) structure.push_back(line.get<std::string>());
  }
  const ordered_json& computer = object_in(json, "machine");
  machine.processor = text_in(computer, "processor");
  machine.threads = static_cast<unsigned>(std::clamp(number_in(computer, "threads"), 0.0, 1e6));
  machine.system = text_in(computer, "system");
  const ordered_json& labels = object_in(json, "units");
  units = {text_in(labels, "length"), text_in(labels, "force"), text_in(labels, "time")};
  geometry = geometry_from(object_in(json, "geometry"));
  for (const ordered_json& analysis : list_in(json, "analyses")) {
    if (analysis.is_object()) analyses.push_back(analysis_from(analysis));
  }
  try {
    hdf5_ = std::make_unique<Hdf5Reader>(file_in(directory_, "results.h5"));
  } catch (const InputError&) {  // from CSV then
  }
}

std::vector<std::vector<double>> RunDirectory::read(const ReportedAnalysis& analysis, const TableRecord& table,
                                                    const std::vector<std::size_t>& numbers, std::size_t rows) const {
  if (hdf5_) {
    try {
      const std::string dataset = analysis.name + "/" + (table.part.empty() ? "table" : table.part);
      if (hdf5_->shape(dataset).columns == table.columns.size()) return hdf5_->columns(dataset, numbers, rows);
    } catch (const InputError&) {  // from CSV then
    }
  }
  const std::filesystem::path file(table.file);
  if (file.empty() || file.filename() != file) {
    throw InputError({directory_, 0, 0}, fmt::format("a table has no file: {}", in_quotes(table.file)));
  }
  return read_csv(file_in(directory_, table.file), table.columns.size(), numbers, rows);
}

std::map<std::string, std::vector<double>> RunDirectory::columns(const ReportedAnalysis& analysis,
                                                                 const TableRecord& table,
                                                                 const std::vector<std::string>& names) const {
  std::vector<std::size_t> numbers;
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const auto at = std::find_if(table.columns.begin(), table.columns.end(),
                                 [&](const Column& column) { return column.name == name; });
    if (at == table.columns.end()) continue;
    numbers.push_back(static_cast<std::size_t>(at - table.columns.begin()));
    found.push_back(name);
  }
  std::vector<std::vector<double>> values = read(analysis, table, numbers, static_cast<std::size_t>(-1));
  std::map<std::string, std::vector<double>> result;
  for (std::size_t k = 0; k < found.size(); ++k) result[found[k]] = std::move(values[k]);
  return result;
}

std::vector<std::vector<double>> RunDirectory::first_rows(const ReportedAnalysis& analysis, const TableRecord& table,
                                                          std::size_t count) const {
  std::vector<std::size_t> numbers(table.columns.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  const std::vector<std::vector<double>> columns = read(analysis, table, numbers, count);
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  std::vector<std::vector<double>> result(rows, std::vector<double>(columns.size()));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < columns.size(); ++k) result[i][k] = columns[k][i];
  }
  return result;
}

const std::vector<double>& AnalysisColumns::column(const std::string& table, const std::string& name) {
  const TableRecord* record = find_table(*analysis_, table);
  if (record == nullptr) {
    throw MissingColumn(table.empty() ? "there is no table" : fmt::format("there is no table {}", in_quotes(table)));
  }
  auto part = read_.find(table);
  if (part == read_.end()) {
    const std::set<std::string> used = used_columns(*analysis_, table, run_->geometry);
    if (static_cast<double>(record->rows) * static_cast<double>(used.size()) > most_values) {
      throw MissingColumn(fmt::format("{} is too long for a report, {} rows; record fewer, or draw a part of it",
                                      record->file, record->rows));
    }
    part = read_.emplace(table, run_->columns(*analysis_, *record, {used.begin(), used.end()})).first;
  }
  const auto at = part->second.find(name);
  if (at == part->second.end()) {
    throw MissingColumn(fmt::format("{} has no column {}", record->file, in_quotes(name)));
  }
  return at->second;
}

std::string AnalysisColumns::unit(const std::string& table, const std::string& name) const {
  const TableRecord* record = find_table(*analysis_, table);
  if (record == nullptr) return "";
  for (const Column& column : record->columns) {
    if (column.name == name) return column.unit;
  }
  return "";
}

}  // namespace microslip
