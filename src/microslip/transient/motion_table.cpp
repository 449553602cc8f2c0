#include "microslip/transient/motion_table.hpp"

namespace microslip {

Table<LedgerRow> ledger_table(const System& system) {
  std::vector<std::string> joints;
  for (const Joint& joint : system.joints()) joints.push_back(joint.name);
  const std::string unit = "force length";
  Table<LedgerRow> table;
  table.add({"time", "time", "time"}, [](const LedgerRow& row) { return row.time; });
  table.add({"input", unit, "work of the loads since the start"},
            [](const LedgerRow& row) { return row.energy.input; });
  table.add({"stored", unit, "kinetic and recoverable energy"}, [](const LedgerRow& row) { return row.energy.stored; });
  table.add({"damping", unit, "dissipated by the linear damping since the start"},
            [](const LedgerRow& row) { return row.energy.damping; });
  table.add_each("joint", joints, unit, "dissipated by the joint since the start",
                 [](const LedgerRow& row, std::size_t j) { return row.energy.joints[j]; });
  table.add({"error", "-", "what the energies do not balance, over the largest of them"},
            [](const LedgerRow& row) { return row.energy.error; });
  return table;
}

}  // namespace microslip
