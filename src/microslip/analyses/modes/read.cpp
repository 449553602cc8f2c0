#include "microslip/analyses/modes/analysis.hpp"

namespace microslip {

std::unique_ptr<Analysis> read_modes_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "count"});
  const int all = parts.system.computed_modes();
  auto analysis = std::make_unique<ModesAnalysis>();
  analysis->count = static_cast<int>(reader.integer_or("count", all, 1, all));
  analysis->in_full = !parts.system.truncated();
  return analysis;
}

}  // namespace microslip
