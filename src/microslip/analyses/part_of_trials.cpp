#include "microslip/analyses/part_of_trials.hpp"

#include <fmt/format.h>

namespace microslip {

AnalysisSummary part_of_trials(const TrialOutcome& outcome, const TrialSetting& setting, std::string_view what) {
  AnalysisSummary summary;
  summary.ending = outcome.part_done ? Ending::completed : Ending::interrupted;
  summary.message =
      fmt::format("{} {} done{}{}", outcome.computed, what,
                  outcome.known > 0 ? fmt::format(", {} were there before", outcome.known) : "",
                  setting.share.all() ? "" : fmt::format("; part {} of {}", setting.share.number, setting.share.of));
  if (!outcome.file.empty()) summary.files.push_back(outcome.file);
  return summary;
}

}  // namespace microslip
