#pragma once
// Tables of kind = "fit_ignl".

#include <vector>

#include "microslip/analyses/fit_ignl/over_amplitude.hpp"
#include "microslip/system/table.hpp"

namespace microslip {

struct IgnlRow : IgnlPoint {
  double omega_low = 0.0, omega_high = 0.0, omega_error = 0.0;
  double zeta_low = 0.0, zeta_high = 0.0, zeta_error = 0.0;
  bool beyond = false;  ///< a turning point lies beyond the data
};
[[nodiscard]] Table<IgnlRow> ignl_table();
[[nodiscard]] std::vector<IgnlRow> ignl_rows(const IgnlFit& fit, const IgnlOverAmplitude& over);

struct IgnlStuckRow {
  double u = 0.0, f = 0.0, fitted = 0.0;
};
[[nodiscard]] Table<IgnlStuckRow> ignl_stuck_table();
/// From the end of the negative side to that of the positive one.
[[nodiscard]] std::vector<IgnlStuckRow> ignl_stuck_rows(const IgnlCurves& curves, const IgnlFit& fit);

struct IgnlFrictionRow {
  double u = 0.0, theta = 0.0, fitted = 0.0, positive = 0.0, negative = 0.0;
};
[[nodiscard]] Table<IgnlFrictionRow> ignl_friction_table();
[[nodiscard]] std::vector<IgnlFrictionRow> ignl_friction_rows(const IgnlFit& fit);

/// Of the orders tried; `taken` is the one of the polynomial.
[[nodiscard]] Table<SiceOrder> ignl_order_table(int taken);

struct IgnlBackboneRow {
  double u = 0.0, f = 0.0;
};
[[nodiscard]] Table<IgnlBackboneRow> ignl_backbone_table();
[[nodiscard]] std::vector<IgnlBackboneRow> ignl_backbone_rows(const IgnlFit& fit);

}  // namespace microslip
