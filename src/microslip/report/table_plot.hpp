#pragma once
// A plot from the columns of CSV files: what `microslip plot` draws.

#include <span>
#include <string>
#include <vector>

#include "microslip/io/csv_table.hpp"
#include "microslip/report/plot.hpp"
#include "microslip/system/sink.hpp"

namespace microslip {

struct PlotRequest {
  std::string x;                   ///< column; empty: the first one
  std::vector<std::string> y;      ///< columns; empty: the second one
  std::string map;                 ///< column of the colour over x and y; empty: curves
  std::vector<std::string> split;  ///< one curve for each set of values of these columns
  std::vector<Condition> where;    ///< only rows with these values
  bool dots = false;               ///< instead of lines
  Axis x_axis, y_axis, z_axis;     ///< empty labels: the names of the columns
  bool declared_scales = false;    ///< axes are logarithmic where their columns say so and all values are positive
  std::string title;
};

/// What is known of the columns beside their names; index of the table first.
struct DeclaredColumns {
  virtual ~DeclaredColumns() = default;
  /// nullptr where nobody knows.
  [[nodiscard]] virtual const Column* find(std::size_t table, const std::string& column) const = 0;
};

/// A column `stable` of a table dashes the curves where it is 0. Curves of several tables carry the names of their
/// files. Throws InputError at the header when a column is not there, with the nearest name; std::invalid_argument when
/// no rows are left or a map is not one.
[[nodiscard]] Plot table_plot(std::span<const CsvTable> tables, const PlotRequest& request,
                              const DeclaredColumns* declared = nullptr);

}  // namespace microslip
