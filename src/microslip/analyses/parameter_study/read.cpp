#include <algorithm>
#include <thread>

#include "microslip/analyses/parameter_study/analysis.hpp"
#include "microslip/analyses/parameter_study/grid.hpp"

namespace microslip {

std::unique_ptr<Analysis> read_parameter_study_analysis(const TableReader& reader, const StudyParts& parts) {
  constexpr int most_threads = 1024;
  reader.allow_only({"kind", "name", "analysis", "vary", "combine", "threads", "warm_start"});
  auto analysis = std::make_unique<ParameterStudyAnalysis>();
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  analysis->threads = static_cast<int>(reader.integer_or("threads", std::min(cores, most_threads), 1, most_threads));
  if (reader.has("warm_start")) analysis->wants_warm_start = reader.flag_or("warm_start", false);
  analysis->grid = std::make_shared<const ParameterGrid>(reader, parts);
  return analysis;
}

}  // namespace microslip
