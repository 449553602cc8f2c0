#include "microslip/analyses/qsma/backbones.hpp"

#include "microslip/results/law_curves.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

struct JointBackboneRow {
  std::size_t joint = 0;
  const MemorySink* curve = nullptr;  ///< u, f, slope
  std::size_t row = 0;
};

Table<JointBackboneRow> joint_backbone_table() {
  const auto value = [](std::size_t column) {
    return [column](const JointBackboneRow& at) { return at.curve->at(at.row, column); };
  };
  Table<JointBackboneRow> table;
  table.add({"joint", "-", "number, from 1"},
            [](const JointBackboneRow& at) { return static_cast<double>(at.joint) + 1.0; });
  table.add({"u", "length", "deflection"}, value(0));
  table.add({"f", "force", "on the virgin curve"}, value(1));
  table.add({"slope", "force/length", "df/du"}, value(2));
  return table;
}

}  // namespace

void write_backbones(const System& system, std::span<const double> largest, Sink& sink) {
  constexpr int points = 100;
  Table<JointBackboneRow> table = joint_backbone_table();
  table.begin(sink);
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const Law& law = system.joints()[j].law;
    const auto component = static_cast<std::size_t>(system.offset(static_cast<int>(j)));
    if (!has_backbone(law) || !(largest[component] > 0.0)) continue;
    MemorySink curve;
    write_backbone(law, largest[component], points, curve);
    for (std::size_t i = 0; i < curve.rows(); ++i) table.write({j, &curve, i}, sink);
  }
}

}  // namespace microslip
