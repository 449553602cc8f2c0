#include "microslip/study/read_analyses.hpp"

#include <fmt/format.h>

#include <map>

namespace microslip {
namespace {

/// Names become names of files.
std::string read_name(const TableReader& reader, const std::string& kind) {
  const std::string name = reader.string_or("name", kind);
  const bool safe =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == std::string::npos;
  if (name.empty() || !safe || name.front() == '.' || name.size() > 100) {
    throw reader.error(
        "name",
        fmt::format("name must be 1 to 100 letters, digits, _, - or ., since it names files, got {}", in_quotes(name)));
  }
  return name;
}

Analysis read_kind(const TableReader& reader, const std::string& kind, const StudyParts& parts) {
  if (kind == ModesAnalysis::kind) return read_modes_analysis(reader, parts);
  if (kind == AveragingAnalysis::kind) return read_averaging_analysis(reader, parts);
  if (kind == QsmaAnalysis::kind) return read_qsma_analysis(reader, parts);
  if (kind == RingdownAnalysis::kind) return read_ringdown_analysis(reader, parts);
  return read_transient_analysis(reader, parts);
}

}  // namespace

std::vector<Analysis> read_analyses(const TableReader& root, const StudyParts& parts) {
  std::vector<Analysis> analyses;
  std::map<std::string, std::string> tables;  // and the analysis that writes them
  for (TableReader& reader : root.tables("analysis")) {
    const std::string kind =
        reader.choice("kind", {ModesAnalysis::kind, TransientAnalysis::kind, AveragingAnalysis::kind,
                               QsmaAnalysis::kind, RingdownAnalysis::kind});
    const std::string name = read_name(reader, kind);
    reader.rename(fmt::format("analysis \"{}\"", name));
    Analysis analysis = read_kind(reader, kind, parts);
    std::visit([&](auto& a) { a.name = name; }, analysis);
    for (const std::string& table : table_names(analysis)) {
      const auto [other, added] = tables.emplace(table, name);
      if (added) continue;
      throw reader.error("name", other->second == name ? "another analysis has this name; give each a name of its own"
                                                       : fmt::format("{}.csv is written by analysis \"{}\" as well",
                                                                     table, other->second));
    }
    analyses.push_back(std::move(analysis));
  }
  return analyses;
}

std::string_view kind_of(const Analysis& analysis) {
  return std::visit([](const auto& a) { return a.kind; }, analysis);
}

const std::string& name_of(const Analysis& analysis) {
  return std::visit([](const auto& a) -> const std::string& { return a.name; }, analysis);
}

std::string describe(const Analysis& analysis) {
  return std::visit([](const auto& a) { return describe(a); }, analysis);
}

std::vector<std::string> table_names(const Analysis& analysis) {
  std::vector<std::string> names;
  for (const auto& part : std::visit([](const auto& a) { return table_parts(a); }, analysis)) {
    names.push_back(table_name(name_of(analysis), part));
  }
  return names;
}

}  // namespace microslip
