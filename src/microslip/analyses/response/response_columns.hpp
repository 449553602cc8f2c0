#pragma once
// Columns that all tables of steady vibration begin with. `point_of(row)` gives the ResponsePoint of a row.

#include <limits>
#include <string>
#include <vector>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/response/highest_response.hpp"
#include "microslip/analyses/response/motion_request.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/system/table.hpp"

namespace microslip {

/// level, omega, ..., phase1[..]: what every method tells first.
template <class Row>
void add_motion_columns(const ResponseRecord& record, const System& system, Table<Row>& table) {
  table.add({"level", "-", "of the load"}, [](const Row& row) { return point_of(row).orbit.level; });
  table.add({"omega", "rad/time", "frequency of the load"}, [](const Row& row) { return point_of(row).orbit.omega; });
  table.add({"frequency_hz", "1/time", "the same, omega/(2 pi)"},
            [](const Row& row) { return point_of(row).orbit.omega / two_pi; });
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
void add_stability_columns(const MotionRequest& motions, Table<Row>& table) {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::string meaning = "1: no Floquet multiplier is outside the unit circle";
  if (!motions.piecewise()) meaning += ", 0: one is, nan: its error hides which, or none was found";
  table.add({"stable", "-", meaning}, [](const Row& row) { return stability_mark(point_of(row)); });
  table.add({"multiplier", "-", "largest magnitude of a Floquet multiplier"},
            [](const Row& row) { return point_of(row).multiplier.value_or(none); });
  if (motions.piecewise()) return;
  table.add({"multiplier_error", "-", "estimate: how far it may be off"},
            [](const Row& row) { return point_of(row).multiplier ? point_of(row).multiplier_error : none; });
}

}  // namespace microslip
