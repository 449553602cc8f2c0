#pragma once
// The tables of a motion over time: what every method that computes one writes of it.

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "microslip/system/system.hpp"
#include "microslip/system/table.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

/// A run that shows its motion of the moment: in the order of the record, a number for each degree of freedom (q, v, a)
/// or joint component (u, f) that is recorded.
template <class Run>
concept ShowsMotion = requires(const Run& run, double* values) {
  { run.time() } -> std::convertible_to<double>;
  run.displacements(values);
  run.velocities(values);
  run.accelerations(values);
  run.deflections(values);
  run.joint_forces(values);
};

/// time, q[..], v[..], a[..], u[..], f[..]; a method adds its own columns behind them.
template <ShowsMotion Run>
[[nodiscard]] Table<Run> motion_table(const System& system, const Record& record) {
  std::vector<std::string> dofs, components;
  for (const int dof : record.dofs) dofs.push_back(system.structure().labels()[static_cast<std::size_t>(dof)]);
  for (const int joint : record.joints) {
    for (int c = system.offset(joint); c < system.offset(joint + 1); ++c)
      components.push_back(system.component_name(c));
  }
  const auto each = [](const char* symbol, const char* unit, const std::string& what,
                       const std::vector<std::string>& names) {
    std::vector<Column> columns;
    for (const std::string& name : names) {
      columns.push_back({std::string(symbol) + "[" + name + "]", unit, what + " " + name});
    }
    return columns;
  };
  Table<Run> table;
  table.add({"time", "time", "time"}, [](const Run& run) { return run.time(); });
  table.add_group(each("q", "length", "displacement of", dofs),
                  [](const Run& run, double* values) { run.displacements(values); });
  table.add_group(each("v", "length/time", "velocity of", dofs),
                  [](const Run& run, double* values) { run.velocities(values); });
  table.add_group(each("a", "length/time^2", "acceleration of", dofs),
                  [](const Run& run, double* values) { run.accelerations(values); });
  table.add_group(each("u", "length", "deflection of joint", components),
                  [](const Run& run, double* values) { run.deflections(values); });
  table.add_group(each("f", "force", "force of joint", components),
                  [](const Run& run, double* values) { run.joint_forces(values); });
  return table;
}

/// The energies of a motion at one time.
struct LedgerRow {
  double time = 0.0;
  const EnergyLedger& energy;
};

/// time, input, stored, damping, joint[..] of every joint, error. Like the ledger itself, each counts from the start;
/// `initial` is `stored` of the first row.
[[nodiscard]] Table<LedgerRow> ledger_table(const System& system);

}  // namespace microslip
