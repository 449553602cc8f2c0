#include "microslip/analyses/fit_modal_iwan/comparison.hpp"

#include <map>

#include "microslip/system/table.hpp"

namespace microslip {
namespace {

struct ComparedRow {
  std::size_t source = 0;  ///< from 0
  int mode = 0;
  double time = 0.0, q = 0.0, omega = 0.0, zeta = 0.0, other_ratio = 0.0;  ///< of the ring-down
  double omega_fit = 0.0, zeta_fit = 0.0;
};

Table<ComparedRow> comparison_table() {
  Table<ComparedRow> table;
  table.add({"source", "-", "ring-down, its number in compare, from 1"},
            [](const ComparedRow& row) { return static_cast<double>(row.source + 1); });
  table.add({"mode", "-", "number, from 1"}, &ComparedRow::mode);
  table.add({"time", "time", "of the ring-down"}, &ComparedRow::time);
  table.add({"q", "sqrt(mass) length", "modal displacement", Scale::logarithmic}, &ComparedRow::q);
  table.add({"omega", "rad/time", "measured"}, &ComparedRow::omega);
  table.add({"omega_fit", "rad/time", "of the fitted oscillator at q"}, &ComparedRow::omega_fit);
  table.add({"zeta", "-", "measured", Scale::logarithmic}, &ComparedRow::zeta);
  table.add({"zeta_fit", "-", "of the fitted oscillator at q", Scale::logarithmic}, &ComparedRow::zeta_fit);
  table.add({"zeta_off", "-", "zeta_fit/zeta - 1"},
            [](const ComparedRow& row) { return row.zeta_fit / row.zeta - 1.0; });
  table.add({"other_ratio", "-", "strongest other mode over this one"}, &ComparedRow::other_ratio);
  return table;
}

}  // namespace

void write_comparison(const FitModalIwanAnalysis& analysis, const FitModalIwanFacts& facts, Results& results) {
  std::map<int, ModalIwanModel<double>> models;
  for (const FitModalIwanFacts::Mode& mode : facts.modes) {
    if (mode.has_parameters()) models.emplace(mode.mode, ModalIwanModel<double>(mode.fit.parameters));
  }
  Table<ComparedRow> table = comparison_table();
  TableSink sink = results.table(analysis.name, "compare");
  table.begin(sink);
  for (std::size_t source = 0; source < analysis.compare.size(); ++source) {
    const MemorySink& rows = results.kept(table_name(analysis.compare[source], ""));
    if (rows.rows() == 0) continue;
    const std::vector<double> mode = rows.column("mode"), time = rows.column("time"), q = rows.column("q"),
                              omega = rows.column("omega"), zeta = rows.column("zeta"),
                              other_ratio = rows.column("other_ratio");
    for (std::size_t i = 0; i < q.size(); ++i) {
      const auto model = models.find(static_cast<int>(mode[i]));
      if (model == models.end()) continue;
      table.write({source, model->first, time[i], q[i], omega[i], zeta[i], other_ratio[i],
                   model->second.omega(q[i], analysis.options.omega_form),
                   model->second.zeta(q[i], analysis.options.zeta_form)},
                  sink);
    }
  }
  sink.close();
}

}  // namespace microslip
