#pragma once
// Tables of points and of special points of curves, whichever method gives them.

#include <optional>

#include "microslip/analyses/response/response_curves.hpp"
#include "microslip/results/results.hpp"
#include "microslip/system/table.hpp"

namespace microslip {

struct ResponseRow {
  const ResponsePoint& point;
  std::optional<SpecialKind> kind = {};  ///< of a special point
};
inline const ResponsePoint& point_of(const ResponseRow& row) {
  return row.point;
}

/// The tables of an analysis: the main one and, of curves, that of special points.
class ResponseTables {
 public:
  ResponseTables(const ResponseCurves& analysis, const System& system, Results& results);
  void write(const FrequencyResponse& response);
  void close();

 private:
  Table<ResponseRow> points_;
  TableSink points_sink_;
  std::optional<Table<ResponseRow>> special_;
  std::optional<TableSink> special_sink_;
};

}  // namespace microslip
