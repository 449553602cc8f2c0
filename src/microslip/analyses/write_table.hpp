#pragma once
// A whole table of an analysis in one call.

#include <string>

#include "microslip/results/analysis_summary.hpp"
#include "microslip/results/results.hpp"
#include "microslip/system/table.hpp"

namespace microslip {

/// Writes the table `part` of an analysis and adds its file to the summary.
template <class Row, class Rows>
void write_table(const std::string& analysis, const std::string& part, Table<Row> table, const Rows& rows,
                 Results& results, AnalysisSummary& summary) {
  TableSink sink = results.table(analysis, part);
  table.write_all(rows, sink);
  sink.close();
  summary.files.push_back(table_name(analysis, part) + ".csv");
}

}  // namespace microslip
