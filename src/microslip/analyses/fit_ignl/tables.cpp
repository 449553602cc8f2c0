#include "microslip/analyses/fit_ignl/tables.hpp"

#include <cmath>
#include <limits>

#include "microslip/analyses/fit_columns.hpp"

namespace microslip {

Table<IgnlRow> ignl_table() {
  Table<IgnlRow> table;
  table.add({"q", "length", "half-range of a half swing", Scale::logarithmic}, &IgnlRow::q);
  table.add({"omega", "rad/time", "from the time of a half swing: ring-down"}, &IgnlRow::omega);
  table.add({"zeta", "-", "tangent energy: ring-down", Scale::logarithmic}, &IgnlRow::zeta);
  table.add({"omega_paper", "rad/time", "omega_gnl and secant of friction, (IV-30)"}, &IgnlRow::omega_paper);
  table.add({"zeta_secant", "-", "equivalent viscous damper, (IV-32)", Scale::logarithmic}, &IgnlRow::zeta_secant);
  table.add({"omega_gnl", "rad/time", "nothing slips, exact period"}, &IgnlRow::omega_gnl);
  table.add({"dissipation", "force length", "of friction, a cycle", Scale::logarithmic}, &IgnlRow::dissipation);
  table.add({"theta", "force", "slipping less stuck force at q"}, &IgnlRow::theta);
  table.add({"upper", "length", "upper turning point of the half swing"}, &IgnlRow::upper);
  table.add({"lower", "length", "lower turning point"}, &IgnlRow::lower);
  table.add({"omega_low", "rad/time", "lower bound: end of the 95 % band, of either side's friction"},
            &IgnlRow::omega_low);
  table.add({"omega_high", "rad/time", "upper bound"}, &IgnlRow::omega_high);
  table.add({"zeta_low", "-", "lower bound: end of the 95 % band, of either side's friction", Scale::logarithmic},
            &IgnlRow::zeta_low);
  table.add({"zeta_high", "-", "upper bound", Scale::logarithmic}, &IgnlRow::zeta_high);
  table.add({"beyond", "-", "1: a turning point lies beyond the data"},
            [](const IgnlRow& row) { return row.beyond ? 1.0 : 0.0; });
  table.add({"omega_error", "rad/time", "standard error, bias of smooth sliders included; nan: interrupted"},
            &IgnlRow::omega_error);
  table.add({"zeta_error", "-", "standard error; inf: undetermined, it is as large as zeta", Scale::logarithmic},
            [](const IgnlRow& row) {
              return row.zeta_error >= row.zeta ? std::numeric_limits<double>::infinity() : row.zeta_error;
            });
  return table;
}

std::vector<IgnlRow> ignl_rows(const IgnlFit& fit, const IgnlOverAmplitude& over) {
  const auto& [omega, zeta] = over.bands;
  std::vector<IgnlRow> rows;
  for (std::size_t i = 0; i < over.main.points.size(); ++i) {
    const IgnlPoint& point = over.main.points[i];
    rows.push_back({point, omega.low[i], omega.high[i], omega.error[i], zeta.low[i], zeta.high[i], zeta.error[i],
                    !within_data(fit, point)});
  }
  return rows;
}

Table<IgnlStuckRow> ignl_stuck_table() {
  Table<IgnlStuckRow> table;
  add_fit_columns("data, stuck", "of the polynomial", table);
  return table;
}

std::vector<IgnlStuckRow> ignl_stuck_rows(const IgnlCurves& curves, const IgnlFit& fit) {
  std::vector<IgnlStuckRow> rows;
  const auto add = [&](double u, double f) { rows.push_back({u, f, fit.model.stuck_force(u)}); };
  if (const auto& negative = curves.stuck_negative) {
    for (std::size_t i = negative->size(); i > 0; --i) add(-negative->u[i - 1], -negative->f[i - 1]);
  }
  for (std::size_t i = 0; i < curves.stuck.size(); ++i) add(curves.stuck.u[i], curves.stuck.f[i]);
  return rows;
}

Table<IgnlFrictionRow> ignl_friction_table() {
  Table<IgnlFrictionRow> table;
  table.add({"u", "length", "deflection"}, &IgnlFrictionRow::u);
  table.add({"theta", "force", "slipping less stuck force; mean of both sides"}, &IgnlFrictionRow::theta);
  table.add({"theta_fit", "force", "of the Masing law and the spring beside it"}, &IgnlFrictionRow::fitted);
  table.add({"theta_positive", "force", "loading to the positive side"}, &IgnlFrictionRow::positive);
  table.add({"theta_negative", "force", "to the negative side, mirrored; nan: not given"}, &IgnlFrictionRow::negative);
  return table;
}

std::vector<IgnlFrictionRow> ignl_friction_rows(const IgnlFit& fit) {
  std::vector<IgnlFrictionRow> rows;
  for (std::size_t i = 0; i < fit.friction.u.size(); ++i) {
    const double u = fit.friction.u[i];
    rows.push_back({u, fit.friction.theta[i], fit.model.first_loading(u).force - fit.model.stuck_force(u),
                    fit.positive[i], fit.negative.empty() ? std::nan("") : fit.negative[i]});
  }
  return rows;
}

Table<SiceOrder> ignl_order_table(int taken) {
  Table<SiceOrder> table;
  table.add({"order", "-", "of the polynomial"}, &SiceOrder::order);
  table.add({"misfit", "-", "weighted root mean square over that of the data"}, &SiceOrder::misfit);
  table.add({"validation", "-", "the same for points left out"}, &SiceOrder::validation);
  table.add({"chosen", "-", "1: the one taken"},
            [taken](const SiceOrder& tried) { return tried.order == taken ? 1.0 : 0.0; });
  return table;
}

Table<IgnlBackboneRow> ignl_backbone_table() {
  Table<IgnlBackboneRow> table;
  table.add({"u", "length", "deflection"}, &IgnlBackboneRow::u);
  table.add({"f", "force", "of the Masing law"}, &IgnlBackboneRow::f);
  return table;
}

std::vector<IgnlBackboneRow> ignl_backbone_rows(const IgnlFit& fit) {
  std::vector<IgnlBackboneRow> rows;
  for (std::size_t i = 0; i < fit.backbone_u.size(); ++i) rows.push_back({fit.backbone_u[i], fit.backbone_f[i]});
  return rows;
}

}  // namespace microslip
