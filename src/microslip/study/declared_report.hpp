#pragma once
// report.json: everything a report needs besides the tables, from what each analysis says of itself.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "microslip/study/study.hpp"

namespace microslip {

/// What a run knows of itself.
struct RunRecord {
  std::string version;
  std::string command;  ///< that would do it again
  std::string started;  ///< date and time, UTC
  double wall_seconds = 0.0;
};

/// Never throws for what an analysis says: its complaint stands in the place of what it should have given.
[[nodiscard]] nlohmann::ordered_json declared_report(const Study& study, const Results& results,
                                                     std::span<const AnalysisSummary> summaries,
                                                     const RunRecord& record);

}  // namespace microslip
