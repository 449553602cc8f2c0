#pragma once
// report.json: everything a report needs besides the tables. Kinds of analyses add to it by overloads beside `run`:
//   std::vector<Figure> figures(const X&, const System&)                                what to draw
//   std::string in_words(const X&, const AnalysisSummary&, const UnitLabels&)           the result in plain sentences
//   std::string how(const X&, const AnalysisSummary&)                                   method, tolerances, errors,
//   cost
// A kind without them has its tables only.

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

/// Never throws for what an overload says: its complaint stands in the place of what it should have given.
[[nodiscard]] nlohmann::ordered_json declared_report(const Study& study, const Results& results,
                                                     std::span<const AnalysisSummary> summaries,
                                                     const RunRecord& record);

}  // namespace microslip
