#include "microslip/study/declared_report.hpp"

#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "microslip/io/machine.hpp"
#include "microslip/report/figure_json.hpp"
#include "microslip/report/geometry_json.hpp"
#include "microslip/report/run_directory.hpp"
#include "microslip/results/analysis_summary.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

ordered_json tables_of(const Results& results, const std::string& analysis) {
  ordered_json tables = ordered_json::array();
  for (const TableRecord& record : results.written(analysis)) {
    ordered_json columns = ordered_json::array();
    for (const Column& column : record.columns) {
      columns.push_back({{"name", column.name},
                         {"unit", results.units().of(column.unit)},
                         {"description", column.description},
                         {"scale", std::string(to_string(column.scale))}});
    }
    tables.push_back({{"part", record.part}, {"file", record.file}, {"rows", record.rows}, {"columns", columns}});
  }
  return tables;
}

/// Adds what the kind declares; a complaint stands for a part that failed.
void add_declared(const Analysis& analysis, const Study& study, const AnalysisSummary& summary, ordered_json& json) {
  const auto guarded = [&](const char* key, const auto& make) {
    try {
      json[key] = make();
    } catch (const std::exception& error) {
      json["mistakes"].push_back(std::string(key) + ": " + error.what());
    }
  };
  guarded("words", [&] { return analysis.in_words(summary, study.units); });
  guarded("how", [&] { return analysis.how(summary); });
  guarded("figures", [&] {
    ordered_json list = ordered_json::array();
    for (Figure& figure : analysis.figures(study.system)) {
      figure.method = analysis.method_in_words();
      list.push_back(to_json(figure));
    }
    return list;
  });
}

}  // namespace

ordered_json declared_report(const Study& study, const Results& results, std::span<const AnalysisSummary> summaries,
                             const RunRecord& record) {
  const Machine machine = this_machine();
  ordered_json json;
  json["format"] = report_format;
  json["title"] = study.title;
  json["study_file"] = std::filesystem::path(study.file).filename().string();
  json["version"] = record.version;
  json["command"] = record.command;
  json["started"] = record.started;
  json["wall_seconds"] = record.wall_seconds;
  json["machine"] = {{"processor", machine.processor}, {"threads", machine.threads}, {"system", machine.system}};
  json["units"] = {{"length", study.units.length}, {"force", study.units.force}, {"time", study.units.time}};
  if (study.facts.imported > 0) {
    json["structure"] = in_lines(study.facts, study.units);
    json["structure_facts"] = to_json(study.facts);
  }
  const LinearStructure& structure = study.system.structure();
  if (!structure.geometry().empty()) json["geometry"] = to_json(structure.geometry(), structure.labels());
  json["analyses"] = ordered_json::array();
  for (std::size_t i = 0; i < study.analyses.size() && i < summaries.size(); ++i) {
    const AnalysisSummary& summary = summaries[i];
    ordered_json analysis = {{"kind", summary.kind},
                             {"name", summary.name},
                             {"describe", study.analyses[i]->describe()},
                             {"ending", std::string(to_string(summary.ending))},
                             {"message", summary.message},
                             {"wall_seconds", summary.wall_seconds}};
    add_declared(*study.analyses[i], study, summary, analysis);
    analysis["tables"] = tables_of(results, summary.name);
    json["analyses"].push_back(std::move(analysis));
  }
  json["study"] = study.text;
  return json;
}

}  // namespace microslip
