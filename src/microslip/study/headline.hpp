#pragma once
// The headline numbers of an analysis: what a parameter study tells of each combination.

#include <string>
#include <vector>

#include "microslip/report/results.hpp"
#include "microslip/study/study.hpp"

namespace microslip {

struct Headline {
  std::vector<Column> columns;
  std::vector<double> values;

  /// A second value of the same name is left out.
  void add(Column column, double value);
};

/// From its tables, kept in `results`, and from the numbers of its summary.
[[nodiscard]] Headline headline(const Analysis& analysis, const System& system, const Results& results,
                                const AnalysisSummary& summary);

}  // namespace microslip
