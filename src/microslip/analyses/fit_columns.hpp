#pragma once
// Columns of curves and what a fit makes of them.

#include <string>

#include "microslip/system/table.hpp"

namespace microslip {

/// Where the points of several curves stand in one table; `curve` counts from 0.
template <class Row>
void add_curve_number(Table<Row>& table) {
  table.add({"curve", "-", "number, from 1"}, [](const Row& row) { return static_cast<double>(row.curve + 1); });
}

/// u, f, f_fit and residual of rows with u, f and `fitted`. `data`, `law`: what f and f_fit are.
template <class Row>
void add_fit_columns(const std::string& data, const std::string& law, Table<Row>& table) {
  table.add({"u", "length", "deflection"}, &Row::u);
  table.add({"f", "force", data}, &Row::f);
  table.add({"f_fit", "force", law}, &Row::fitted);
  table.add({"residual", "force", "f_fit - f"}, [](const Row& row) { return row.fitted - row.f; });
}

}  // namespace microslip
