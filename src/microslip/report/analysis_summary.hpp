#pragma once
// How an analysis ended, and the numbers that sum it up.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "microslip/system/ending.hpp"

namespace microslip {

/// How an analysis ended, as summary.json tells it.
struct AnalysisSummary {
  std::string kind;
  std::string name;
  Ending ending = Ending::interrupted;
  std::string message = "not started";
  bool only_remarks = false;  ///< the message puts no number in doubt
  double wall_seconds = 0.0;
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();  ///< counts, headline scalars, energy
  std::vector<std::string> files;                                   ///< in the directory
};

/// Behind what the message says already; nothing where `text` is empty.
void add_message(const std::string& text, AnalysisSummary& summary);

[[nodiscard]] nlohmann::ordered_json to_json(const AnalysisSummary& summary);

}  // namespace microslip
