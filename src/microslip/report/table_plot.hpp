#pragma once
// A plot from the columns of CSV files: what `microslip plot` draws.

#include <span>
#include <string>
#include <vector>

#include "microslip/io/csv_table.hpp"
#include "microslip/report/plot.hpp"

namespace microslip {

struct PlotRequest {
  std::string x;                   ///< column; empty: the first one
  std::vector<std::string> y;      ///< columns; empty: the second one
  std::string map;                 ///< column of the colour over x and y; empty: curves
  std::vector<std::string> split;  ///< one curve for each set of values of these columns
  std::vector<Condition> where;    ///< only rows with these values
  bool dots = false;               ///< instead of lines
  Axis x_axis, y_axis, z_axis;     ///< empty labels: the names of the columns
  std::string title;
};

/// "omega" -> its unit in a table, "" when nobody knows; index of the table first.
struct ColumnUnits {
  virtual ~ColumnUnits() = default;
  [[nodiscard]] virtual std::string of(std::size_t table, const std::string& column) const = 0;
};

/// A column `stable` of a table dashes the curves where it is 0. Curves of several tables carry the names of their
/// files. Throws InputError at the header when a column is not there, with the nearest name; std::invalid_argument when
/// no rows are left or a map is not one.
[[nodiscard]] Plot table_plot(std::span<const CsvTable> tables, const PlotRequest& request,
                              const ColumnUnits* units = nullptr);

}  // namespace microslip
