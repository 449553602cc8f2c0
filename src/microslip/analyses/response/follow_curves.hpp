#pragma once
// All curves of an analysis, one after the other, whichever method gives them.

#include <fmt/format.h>

#include <utility>

#include "microslip/analyses/response/response_curves.hpp"
#include "microslip/analyses/response/response_facts.hpp"
#include "microslip/analyses/response/response_table.hpp"

namespace microslip {

// What is worth knowing of a response beside its message.
inline const std::string& remark_of(const FrequencyResponse& response) {
  return response.remark;
}
inline std::string remark_of(const PiecewiseResponse&) {
  return "";
}

/// Message and remark of a curve, behind its name.
template <class Response>
void tell_curve(const std::string& curve, const Response& response, AnalysisSummary& summary) {
  std::string text = response.message;
  add_note(remark_of(response), text);
  if (text.empty()) return;
  text = fmt::format("{}: {}", curve, text);
  if (response.message.empty()) {
    add_remark(text, summary);
  } else {
    add_message(text, summary);
  }
}

/// `respond(curve, observer)` gives one: points, special points, ending and message. Into the tables, which are closed,
/// and the summary: how they ended, and the facts.
template <class Point, class Special, class Respond>
void follow_curves(const ResponseCurves& analysis, AnalysisRun& with, ResponseTables<Point, Special>& tables,
                   AnalysisSummary& summary, Respond&& respond) {
  const ResponseRecord& record = analysis.motions.record;
  ResponseFacts facts;
  facts.method = analysis.motions.method();
  if (analysis.has_curves()) facts.special.emplace();
  facts.tells_stability = analysis.tells_stability(with.system);
  const std::size_t count = analysis.curve_count();
  for (std::size_t i = 0; i < count && summary.ending != Ending::interrupted; ++i) {
    const auto response = respond(i, with.part(i, count));
    tables.write(response);
    facts.add(response);
    if (auto highest = highest_of(record, with.system, response)) facts.highest.push_back(std::move(*highest));
    tell_curve(analysis.curve_name(i), response, summary);
    summary.ending = worse(summary.ending, response.ending);
  }
  add_remark(unseen_stability(analysis.motions, with.system), summary);
  tables.close();
  summary.sum_up(std::move(facts));
}

}  // namespace microslip
