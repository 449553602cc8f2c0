#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "microslip/analyses/parameter_study/analysis.hpp"
#include "microslip/analyses/parameter_study/grid.hpp"
#include "microslip/analyses/study_identity.hpp"
#include "microslip/trials/trial_identity.hpp"

namespace microslip {

std::unique_ptr<Analysis> read_parameter_study_analysis(const TableReader& reader, const StudyParts& parts) {
  constexpr int most_threads = 1024;
  reader.allow_only({"kind", "name", "analysis", "vary", "combine", "threads", "warm_start"});
  auto analysis = std::make_unique<ParameterStudyAnalysis>();
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  analysis->threads = static_cast<int>(reader.integer_or("threads", std::min(cores, most_threads), 1, most_threads));
  if (reader.has("warm_start")) analysis->wants_warm_start = reader.flag_or("warm_start", false);
  analysis->threads_given = reader.has("threads");
  analysis->grid = std::make_shared<const ParameterGrid>(reader, parts);
  analysis->place = fmt::format("{}: {}", reader.file(), reader.where());
  TrialIdentity identity;
  identity.add("study", study_identity(reader, parts, analysis->grid->sources(), {"threads"}));
  identity.add("analysis", analysis->grid->inner_table());  // which may stand elsewhere
  analysis->identity = identity.text();
  return analysis;
}

}  // namespace microslip
