#pragma once
// Tables of points and of special points of curves, whichever method gives them.

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/response/highest_response.hpp"
#include "microslip/results/results.hpp"
#include "microslip/system/table.hpp"

namespace microslip {

// The point of a row.
inline const ResponsePoint& point_of(const ResponsePoint& row) {
  return row;
}
inline const ResponsePoint& point_of(const SpecialPoint& row) {
  return row.point;
}
inline const PiecewisePoint& point_of(const PiecewisePoint& row) {
  return row;
}
inline const PiecewisePoint& point_of(const PiecewiseSpecial& row) {
  return row.point;
}

/// level, omega, ..., phase1[..]: what every method tells first. Special points have their type before it.
template <class Row>
void add_motion_columns(const ResponseRecord& record, const System& system, Table<Row>& table) {
  if constexpr (requires(const Row& row) { row.kind; }) {
    table.add({"type", "-",
               "1: fold, the curve turns back in frequency; 2: peak of an amplitude; 3: change of stability; 4: "
               "branch point, where another curve crosses (a pitchfork, for one); 5: jump to another motion"},
              [](const Row& row) { return static_cast<double>(row.kind); });
    table.add({"dof", "-", "number of the degree of freedom that peaks, from 1; else 0"},
              [dof = record.peak_dof + 1.0](const Row& row) { return row.kind == SpecialKind::peak ? dof : 0.0; });
  }
  table.add({"level", "-", "of the load"}, [](const Row& row) { return level_of(point_of(row)); });
  table.add({"omega", "rad/time", "frequency of the load"}, [](const Row& row) { return omega_of(point_of(row)); });
  table.add({"frequency_hz", "1/time", "the same, omega/(2 pi)"},
            [](const Row& row) { return omega_of(point_of(row)) / two_pi; });
  const std::vector<std::string> labels = labels_of(system, record.dofs);
  table.add_each(
      "amplitude", labels, "length", "half of the range of the displacement",
      [](const Row& row, std::size_t i) { return point_of(row).amplitude[i]; }, Scale::logarithmic);
  table.add_each(
      "harmonic1", labels, "length", "amplitude of its first harmonic",
      [](const Row& row, std::size_t i) { return point_of(row).harmonic1[i]; }, Scale::logarithmic);
  table.add_each("phase1", labels, "rad", "phase of its first harmonic against the load",
                 [](const Row& row, std::size_t i) { return point_of(row).phase1[i]; });
}

/// stable and multiplier; nan where a point has none.
template <class Row>
void add_stability_columns(const std::string& meaning, Table<Row>& table) {
  table.add({"stable", "-", meaning}, [](const Row& row) { return stability_mark(point_of(row)); });
  table.add({"multiplier", "-", "largest magnitude of a Floquet multiplier"},
            [](const Row& row) { return point_of(row).multiplier.value_or(std::numeric_limits<double>::quiet_NaN()); });
}

/// The tables of an analysis: the main one and, of curves, that of special points.
template <class Point, class Special>
class ResponseTables {
 public:
  ResponseTables(const std::string& analysis, Table<Point> points, std::optional<Table<Special>> special,
                 Results& results)
      : points_(std::move(points)), special_(std::move(special)), points_sink_(results.table(analysis)) {
    points_.begin(points_sink_);
    if (!special_) return;
    special_sink_.emplace(results.table(analysis, "special"));
    special_->begin(*special_sink_);
  }

  template <class Response>
  void write(const Response& response) {
    for (const Point& point : response.points) points_.write(point, points_sink_);
    if (!special_) return;
    for (const Special& found : response.special) special_->write(found, *special_sink_);
  }

  void close() {
    points_sink_.close();
    if (special_sink_) special_sink_->close();
  }

 private:
  Table<Point> points_;
  std::optional<Table<Special>> special_;
  TableSink points_sink_;
  std::optional<TableSink> special_sink_;
};

}  // namespace microslip
