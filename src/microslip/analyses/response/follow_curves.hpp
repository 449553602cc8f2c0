#pragma once
// All curves of an analysis, one after the other, whichever method gives them.

#include <fmt/format.h>

#include <utility>

#include "microslip/analyses/response/response_curves.hpp"
#include "microslip/analyses/response/response_facts.hpp"
#include "microslip/analyses/response/response_table.hpp"

namespace microslip {

/// `respond(curve, observer)` gives one: points, special points, ending and message. Into the tables, which are closed,
/// and the summary: how they ended, and the facts.
template <class Point, class Special, class Respond>
void follow_curves(const ResponseCurves& analysis, AnalysisRun& with, ResponseTables<Point, Special>& tables,
                   AnalysisSummary& summary, Respond&& respond) {
  const ResponseRecord& record = analysis.motions.record;
  ResponseFacts facts;
  facts.method = analysis.motions.method;
  if (analysis.has_curves()) facts.special.emplace();
  facts.tells_stability = analysis.tells_stability(with.system);
  const std::size_t count = analysis.curve_count();
  for (std::size_t i = 0; i < count && summary.ending != Ending::interrupted; ++i) {
    const auto response = respond(i, with.part(i, count));
    tables.write(response);
    facts.add(response);
    if (auto highest = highest_of(record, with.system, response)) facts.highest.push_back(std::move(*highest));
    if (!response.message.empty()) {
      add_message(fmt::format("{}: {}", analysis.curve_name(i), response.message), summary);
    }
    summary.ending = worse(summary.ending, response.ending);
  }
  tables.close();
  summary.sum_up(std::move(facts));
}

}  // namespace microslip
