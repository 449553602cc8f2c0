#include "microslip/analyses/response/response_table.hpp"

#include <string>
#include <vector>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/response/response_columns.hpp"

namespace microslip {
namespace {

void add_special_columns(const ResponseRecord& record, Table<ResponseRow>& table) {
  table.add({"type", "-",
             "1: fold, the curve turns back in frequency; 2: peak of an amplitude; 3: change of stability; 4: "
             "branch point, where another curve crosses (a pitchfork, for one); 5: jump to another motion"},
            [](const ResponseRow& row) { return static_cast<double>(*row.kind); });
  table.add(
      {"dof", "-", "number of the degree of freedom that peaks, from 1; else 0"},
      [dof = record.peak_dof + 1.0](const ResponseRow& row) { return row.kind == SpecialKind::peak ? dof : 0.0; });
}

/// Steps or harmonics, and the error that they leave.
void add_accuracy_columns(const MotionRequest& motions, Table<ResponseRow>& table) {
  const auto error = [](const ResponseRow& row) {
    return row.kind ? row.point.errors.distance() : row.point.errors.at_point();
  };
  if (motions.shooting()) {
    table.add({"steps", "-", "in the period"},
              [](const ResponseRow& row) { return static_cast<double>(row.point.samples); });
    table.add({"error", "-", "estimate, at this frequency: what the steps leave out of the motion, relative"}, error);
    return;
  }
  table.add({"harmonics", "-", "in the series"},
            [](const ResponseRow& row) { return static_cast<double>(row.point.orbit.harmonics); });
  table.add(
      {"error", "-", "estimate, at this frequency: harmonics left out and integration of the joint forces, relative"},
      error);
}

/// What only exact orbits tell.
void add_exact_columns(const System& system, Table<ResponseRow>& table) {
  std::vector<std::size_t> friction;  // joints
  std::vector<std::string> names;
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    if (!is_rigid_friction(system.joints()[j].law)) continue;
    friction.push_back(j);
    names.push_back(system.joints()[j].name);
  }
  table.add_each(
      "stick_fraction", names, "-", "stuck time over period",
      [friction](const ResponseRow& row, std::size_t i) { return row.point.exact->stick_fraction[friction[i]]; });
  table.add_each("friction_energy", names, "force length", "dissipated by friction, per period of the load",
                 [friction](const ResponseRow& row, std::size_t i) { return row.point.dissipation[friction[i]]; });
  table.add_each("case", names, "-",
                 "1: never sticks, 2: sticks at both ends, 3: at the largest, 4: at the smallest deflection only; 0: "
                 "anything else",
                 [friction](const ResponseRow& row, std::size_t i) { return row.point.exact->cases[friction[i]]; });
  table.add({"events", "-", "in a period of the motion"},
            [](const ResponseRow& row) { return static_cast<double>(row.point.exact->events); });
  table.add({"error", "-", "what is left to correct at the event phases [rad], or what does not close, relative"},
            [](const ResponseRow& row) { return row.point.exact->error; });
}

Table<ResponseRow> response_table(const ResponseCurves& analysis, const System& system, bool special) {
  const MotionRequest& motions = analysis.motions;
  Table<ResponseRow> table;
  if (special) add_special_columns(motions.record, table);
  if (analysis.looks_for_isolas()) {
    table.add({"piece", "-", "0: the curve from the start of the range; 1, 2, ..: curves detached from it"},
              [](const ResponseRow& row) { return static_cast<double>(row.point.piece); });
  }
  add_motion_columns(motions.record, system, table);
  table.add_each("dissipation", joint_names(system), "force length", "of the joint, per period of the load",
                 [](const ResponseRow& row, std::size_t j) { return row.point.dissipation[j]; });
  if (!motions.piecewise()) {
    table.add_each("dissipation_error", joint_names(system), "force length", "estimate: how far it may be off",
                   [](const ResponseRow& row, std::size_t j) { return row.point.dissipation_error[j]; });
  }
  if (analysis.tells_stability(system)) add_stability_columns(motions, table);
  table.add({"iterations", "-", "evaluations of the equations"},
            [](const ResponseRow& row) { return static_cast<double>(row.point.iterations); });
  if (motions.piecewise()) {
    add_exact_columns(system, table);
  } else {
    add_accuracy_columns(motions, table);
  }
  return table;
}

}  // namespace

ResponseTables::ResponseTables(const ResponseCurves& analysis, const System& system, Results& results)
    : points_(response_table(analysis, system, false)), points_sink_(results.table(analysis.name)) {
  points_.begin(points_sink_);
  if (!analysis.has_curves()) return;
  special_ = response_table(analysis, system, true);
  special_sink_.emplace(results.table(analysis.name, "special"));
  special_->begin(*special_sink_);
}

void ResponseTables::write(const FrequencyResponse& response) {
  for (const ResponsePoint& point : response.points) points_.write({point}, points_sink_);
  if (!special_) return;
  for (const SpecialPoint& found : response.special) special_->write({found.point, found.kind}, *special_sink_);
}

void ResponseTables::close() {
  points_sink_.close();
  if (special_sink_) special_sink_->close();
}

}  // namespace microslip
