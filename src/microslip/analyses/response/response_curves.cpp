#include "microslip/analyses/response/response_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "microslip/analyses/response/response_facts.hpp"
#include "microslip/analyses/response/response_table.hpp"
#include "microslip/periodic/floquet.hpp"

namespace microslip {
namespace {

/// Message and remark of a curve, behind its name.
void tell_curve(const std::string& curve, const FrequencyResponse& response, AnalysisSummary& summary) {
  std::string text = response.message;
  add_note(response.remark, text);
  if (text.empty()) return;
  text = fmt::format("{}: {}", curve, text);
  if (response.message.empty()) {
    add_remark(text, summary);
  } else {
    add_message(text, summary);
  }
}

/// One that has a joint: the analysis' own if it can.
class JointedSystem {
 public:
  JointedSystem(const System& system, int dof) : system_(&system) {
    if (system.components() == 0) system_ = &idle_.emplace(with_idle_joint(system, dof));
  }
  JointedSystem(const JointedSystem&) = delete;
  JointedSystem& operator=(const JointedSystem&) = delete;
  [[nodiscard]] const System& get() const { return *system_; }

 private:
  std::optional<System> idle_;
  const System* system_;
};

}  // namespace

bool over_decade(double low, double high) {
  return std::min(low, high) > 0.0 && std::max(low, high) >= 10.0 * std::min(low, high);
}

std::vector<std::string> ResponseCurves::tables() const {
  if (!has_curves()) return {""};
  return {"", "special"};
}

bool ResponseCurves::tells_stability(const System& system) const {
  return motions.options.stability && (motions.shooting() || motions.piecewise() || stability_obstacle(system).empty());
}

AnalysisSummary ResponseCurves::run_curves(AnalysisRun& with, const Respond& respond) const {
  ResponseTables tables(*this, with.system, with.results);
  AnalysisSummary summary = completed_summary();
  const JointedSystem jointed(with.system, motions.record.peak_dof);
  ResponseFacts facts;
  facts.method = motions.method();
  if (has_curves()) facts.special.emplace();
  facts.tells_stability = tells_stability(with.system);
  if (looks_for_isolas()) facts.detached.emplace();
  const std::size_t count = curve_count();
  for (std::size_t i = 0; i < count && summary.ending != Ending::interrupted; ++i) {
    const FrequencyResponse response = respond(i, jointed.get(), with.part(i, count));
    tables.write(response);
    facts.add(response);
    if (auto highest = highest_of(motions.record, with.system, response)) facts.highest.push_back(std::move(*highest));
    facts.add_detached(motions.record, with.system, response);
    tell_curve(curve_name(i), response, summary);
    summary.ending = worse(summary.ending, response.ending);
  }
  add_remark(unseen_stability(motions, with.system), summary);
  tables.close();
  summary.sum_up(std::move(facts));
  summary.files = table_files();
  return summary;
}

}  // namespace microslip
