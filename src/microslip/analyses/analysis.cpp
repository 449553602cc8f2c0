#include "microslip/analyses/analysis.hpp"

namespace microslip {

Observer AnalysisRun::part(std::size_t i, std::size_t count) const {
  return [this, i, count](double fraction) {
    return !observer || observer((static_cast<double>(i) + fraction) / static_cast<double>(count));
  };
}

void Analysis::add_headline(const TablesInMemory&, const System&, Headline&) const {}

std::vector<std::string> Analysis::table_names() const {
  std::vector<std::string> names;
  for (const std::string& part : tables()) names.push_back(table_name(name, part));
  return names;
}

std::vector<std::string> Analysis::table_files() const {
  std::vector<std::string> files = table_names();
  for (std::string& file : files) file += ".csv";
  return files;
}

}  // namespace microslip
