#include "microslip/analyses/response/response_curves.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "microslip/analyses/response/follow_curves.hpp"
#include "microslip/periodic/floquet.hpp"

namespace microslip {
namespace {

double stated_error(const ResponsePoint& point) {
  return point.errors.at_point();
}
double stated_error(const SpecialPoint& special) {
  return special.point.errors.distance();
}

template <class Row>
Table<Row> response_table(const ResponseCurves& analysis, const System& system) {
  const MotionRequest& motions = analysis.motions;
  Table<Row> table;
  add_motion_columns(motions.record, system, table);
  table.add_each("dissipation", joint_names(system), "force length", "of the joint, per period",
                 [](const Row& row, std::size_t j) { return point_of(row).dissipation[j]; });
  table.add_each("dissipation_error", joint_names(system), "force length", "estimate: how far it may be off",
                 [](const Row& row, std::size_t j) { return point_of(row).dissipation_error[j]; });
  if (analysis.tells_stability(system)) {
    add_stability_columns(
        "1: no Floquet multiplier is outside the unit circle, 0: one is, nan: its error hides which, or none was found",
        table);
    table.add({"multiplier_error", "-", "estimate: how far it may be off"}, [](const Row& row) {
      const ResponsePoint& point = point_of(row);
      return point.multiplier ? point.multiplier_error : std::numeric_limits<double>::quiet_NaN();
    });
  }
  table.add({"iterations", "-", "evaluations of the equations"},
            [](const Row& row) { return static_cast<double>(point_of(row).iterations); });
  if (motions.shooting()) {
    table.add({"steps", "-", "in the period"},
              [](const Row& row) { return static_cast<double>(point_of(row).samples); });
    table.add({"error", "-", "estimate, at this frequency: what the steps leave out of the motion, relative"},
              [](const Row& row) { return stated_error(row); });
  } else {
    table.add({"harmonics", "-", "in the series"},
              [](const Row& row) { return static_cast<double>(point_of(row).orbit.harmonics); });
    table.add(
        {"error", "-", "estimate, at this frequency: harmonics left out and integration of the joint forces, relative"},
        [](const Row& row) { return stated_error(row); });
  }
  return table;
}

/// One that has a joint: the analysis' own if it can.
class JointedSystem {
 public:
  JointedSystem(const System& system, int dof) : system_(&system) {
    if (system.components() == 0) system_ = &idle_.emplace(with_idle_joint(system, dof));
  }
  JointedSystem(const JointedSystem&) = delete;
  JointedSystem& operator=(const JointedSystem&) = delete;
  [[nodiscard]] const System& get() const { return *system_; }

 private:
  std::optional<System> idle_;
  const System* system_;
};

}  // namespace

bool over_decade(double low, double high) {
  return std::min(low, high) > 0.0 && std::max(low, high) >= 10.0 * std::min(low, high);
}

std::vector<std::string> ResponseCurves::tables() const {
  if (!has_curves()) return {""};
  return {"", "special"};
}

bool ResponseCurves::tells_stability(const System& system) const {
  return motions.options.stability && (motions.shooting() || stability_obstacle(system).empty());
}

AnalysisSummary ResponseCurves::run_curves(AnalysisRun& with, const Respond& respond) const {
  std::optional<Table<SpecialPoint>> special;
  if (has_curves()) special = response_table<SpecialPoint>(*this, with.system);
  ResponseTables<ResponsePoint, SpecialPoint> sinks(name, response_table<ResponsePoint>(*this, with.system),
                                                    std::move(special), with.results);
  AnalysisSummary summary = completed_summary();
  const JointedSystem jointed(with.system, motions.record.peak_dof);
  follow_curves(*this, with, sinks, summary,
                [&](std::size_t curve, const Observer& observer) { return respond(curve, jointed.get(), observer); });
  summary.files = table_files();
  return summary;
}

}  // namespace microslip
