#include "microslip/analyses/motion/history_analysis.hpp"

#include "microslip/analyses/headline.hpp"
#include "microslip/analyses/motion/read_motion.hpp"

namespace microslip {

std::vector<std::string> HistoryAnalysis::tables() const {
  return HistoryTables::parts(psd);
}

std::vector<std::string> HistoryAnalysis::load_names() const {
  return names_of(loads);
}

void HistoryAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  if (const MemorySink* table = tables.find()) add_largest(*table, result);
}

std::vector<HeadlineNumber> HistoryAnalysis::drawn_headline(const System& system) const {
  return has_history(psd) ? drawn_largest(record, system) : std::vector<HeadlineNumber>{};
}

}  // namespace microslip
