#pragma once
// What analyses of a motion in time have in common: loads, what is recorded, and the numbers of its history.

#include <optional>
#include <string>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/motion/history_tables.hpp"

namespace microslip {

struct HistoryAnalysis : Analysis {
  using Analysis::Analysis;

  std::vector<Load> loads;
  Record record;
  std::optional<PsdOptions> psd;

  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] std::vector<std::string> load_names() const override;
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
  [[nodiscard]] std::vector<HeadlineNumber> drawn_headline(const System& system) const override;
};

}  // namespace microslip
