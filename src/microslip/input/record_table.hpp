#pragma once
// What a table of measured records is: times that are evenly spaced, and which of its columns are forces.

#include <cstddef>
#include <string>
#include <string_view>

#include "microslip/io/csv_table.hpp"

namespace microslip {

struct TimeGrid {
  double start = 0.0;
  double step = 0.0;
};
/// Of the column `time`; throws InputError at the first row that is off the grid. `who` needs at least so many rows.
[[nodiscard]] TimeGrid time_grid(const CsvTable& table, std::size_t fewest, std::string_view who);

/// f[..] (but for f[x] beside u[x], a joint), and names that begin with "force".
[[nodiscard]] bool is_force_column(const CsvTable& table, const std::string& name);

}  // namespace microslip
