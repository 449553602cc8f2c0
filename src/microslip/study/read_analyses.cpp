#include "microslip/study/read_analyses.hpp"

#include <fmt/format.h>

#include <map>

#include "microslip/study/joint_methods.hpp"

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

std::string kind_word(const TableReader& reader) {
  return reader.choice("kind",
                       {ModesAnalysis::kind, TransientAnalysis::kind, AveragingAnalysis::kind, QsmaAnalysis::kind,
                        RingdownAnalysis::kind, FitModalIwanAnalysis::kind, FrfAnalysis::kind, LevelSweepAnalysis::kind,
                        OrbitAnalysis::kind, NonlinearModeAnalysis::kind, FitIwanDistributionAnalysis::kind,
                        FitBoucWenAnalysis::kind, FitIgnlAnalysis::kind, ParameterStudyAnalysis::kind});
}

Analysis read_kind(const TableReader& reader, const std::string& kind, const StudyParts& parts) {
  check_joint_methods(reader, kind, parts.system);
  if (kind == ModesAnalysis::kind) return read_modes_analysis(reader, parts);
  if (kind == AveragingAnalysis::kind) return read_averaging_analysis(reader, parts);
  if (kind == QsmaAnalysis::kind) return read_qsma_analysis(reader, parts);
  if (kind == FitModalIwanAnalysis::kind) return read_fit_modal_iwan_analysis(reader, parts);
  if (kind == RingdownAnalysis::kind) return read_ringdown_analysis(reader, parts);
  if (kind == FrfAnalysis::kind) return read_frf_analysis(reader, parts);
  if (kind == LevelSweepAnalysis::kind) return read_level_sweep_analysis(reader, parts);
  if (kind == OrbitAnalysis::kind) return read_orbit_analysis(reader, parts);
  if (kind == NonlinearModeAnalysis::kind) return read_nonlinear_mode_analysis(reader, parts);
  if (kind == FitIwanDistributionAnalysis::kind) return read_fit_iwan_distribution_analysis(reader, parts);
  if (kind == FitBoucWenAnalysis::kind) return read_fit_bouc_wen_analysis(reader, parts);
  if (kind == FitIgnlAnalysis::kind) return read_fit_ignl_analysis(reader, parts);
  return read_transient_analysis(reader, parts);
}

std::vector<int> mode_numbers(const Analysis& analysis) {
  if (const auto* ringdown = std::get_if<RingdownAnalysis>(&analysis)) {
    const bool channel = ringdown->measured && ringdown->measured->single_channel;
    return channel ? ringdown->measured->modes : ringdown->modes;
  }
  std::vector<int> numbers;
  if (const auto* qsma = std::get_if<QsmaAnalysis>(&analysis)) {
    for (const int mode : qsma->modes) numbers.push_back(mode + 1);
  }
  return numbers;
}

}  // namespace

Analysis read_analysis(const TableReader& reader, const StudyParts& parts) {
  const std::string kind = kind_word(reader);
  if (kind == ParameterStudyAnalysis::kind) throw reader.error("kind", "a parameter study cannot hold another one");
  return read_kind(reader, kind, parts);
}

std::vector<Analysis> read_analyses(const TableReader& root, StudyParts parts) {
  std::vector<Analysis> analyses;
  std::map<std::string, std::string> tables;  // and the analysis that writes them
  for (TableReader& reader : root.tables("analysis")) {
    const std::string kind = kind_word(reader);
    const std::string name = read_name(reader, kind);
    reader.rename(fmt::format("analysis \"{}\"", name));
    Analysis analysis = kind == ParameterStudyAnalysis::kind ? read_parameter_study_analysis(reader, root, parts)
                                                             : read_kind(reader, kind, parts);
    std::visit([&](auto& a) { a.name = name; }, analysis);
    for (const std::string& table : table_names(analysis)) {
      const auto [other, added] = tables.emplace(table, name);
      if (added) continue;
      throw reader.error("name", other->second == name ? "another analysis has this name; give each a name of its own"
                                                       : fmt::format("{}.csv is written by analysis \"{}\" as well",
                                                                     table, other->second));
    }
    parts.earlier.push_back({kind, name, mode_numbers(analysis)});
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
