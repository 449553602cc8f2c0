#include "microslip/report/analysis_summary.hpp"

namespace microslip {

void add_message(const std::string& text, AnalysisSummary& summary) {
  if (!text.empty()) summary.message += (summary.message.empty() ? "" : "; ") + text;
}

nlohmann::ordered_json to_json(const AnalysisSummary& summary) {
  nlohmann::ordered_json json;
  json["kind"] = summary.kind;
  json["name"] = summary.name;
  json["ending"] = std::string(to_string(summary.ending));
  json["message"] = summary.message;
  json["wall_seconds"] = summary.wall_seconds;
  for (const auto& [key, value] : summary.facts.items()) json[key] = value;
  json["files"] = summary.files;
  return json;
}

}  // namespace microslip
