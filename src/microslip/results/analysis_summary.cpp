#include "microslip/results/analysis_summary.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace microslip {

nlohmann::ordered_json AnalysisSummary::facts_json() const {
  return facts ? facts->to_json() : nlohmann::ordered_json::object();
}

AnalysisSummary completed_summary() {
  AnalysisSummary summary;
  summary.ending = Ending::completed;
  summary.message = "";
  return summary;
}

void add_message(const std::string& text, AnalysisSummary& summary) {
  if (!text.empty()) summary.only_remarks = false;
  add_note(text, summary.message);
}

void add_remark(const std::string& text, AnalysisSummary& summary) {
  if (summary.message.empty()) summary.only_remarks = !text.empty();
  add_note(text, summary.message);
}

nlohmann::ordered_json to_json(const AnalysisSummary& summary) {
  nlohmann::ordered_json json;
  json["kind"] = summary.kind;
  json["name"] = summary.name;
  json["ending"] = std::string(to_string(summary.ending));
  json["message"] = summary.message;
  json["wall_seconds"] = summary.wall_seconds;
  const nlohmann::ordered_json facts = summary.facts_json();
  for (const auto& [key, value] : facts.items()) {
    if (json.contains(key) || key == "files") {
      throw std::logic_error("a fact of \"" + summary.kind + "\" is called \"" + key + "\", as a key of every summary");
    }
    json[key] = value;
  }
  json["files"] = summary.files;
  return json;
}

}  // namespace microslip
