#include "microslip/results/law_curves.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/joints/driven_joint.hpp"
#include "microslip/system/system.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

struct LoopPoint {
  double u = 0.0, f = 0.0;
};

Table<LoopPoint> loop_table() {
  Table<LoopPoint> table;
  table.add({"u", "length", "deflection"}, &LoopPoint::u);
  table.add({"f", "force", "force"}, &LoopPoint::f);
  return table;
}

struct VirginPoint {
  double u = 0.0;
  BackbonePoint<double> at;
};

Table<VirginPoint> virgin_table() {
  Table<VirginPoint> table;
  table.add({"u", "length", "deflection"}, &VirginPoint::u);
  table.add({"f", "force", "force on the virgin curve"}, [](const VirginPoint& point) { return point.at.force; });
  table.add({"slope", "force/length", "df/du"}, [](const VirginPoint& point) { return point.at.slope; });
  table.add({"work", "force length", "integral of f du"}, [](const VirginPoint& point) { return point.at.work; });
  return table;
}

}  // namespace

void write_backbone(const Law& law, double amplitude, int points, Sink& sink) {
  Table<VirginPoint> table = virgin_table();
  table.begin(sink);
  std::visit(
      [&]<class L>(const L& l) {
        if constexpr (L::has_backbone) {
          for (int i = 0; i <= points; ++i) {
            const double u = amplitude * i / points;
            table.write({u, l.backbone(u)}, sink);
          }
        }
      },
      law);
}

LoopNumbers write_loop(const Law& law, double amplitude, int points, Sink& sink) {
  Table<LoopPoint> table = loop_table();
  table.begin(sink);
  DrivenJoint joint(law, default_normal(law).static_value());
  const double time_step = 1.0 / points;
  double time = 0.0;
  const auto branch = [&](double from, double to, bool write) {
    for (int i = 1; i <= points; ++i) {
      const double u = from + (to - from) * i / points;
      joint.move_to(u, (u - joint.deflection()) / time_step, time += time_step);
      if (write) table.write({u, joint.force()}, sink);
    }
  };
  branch(0.0, amplitude, false);
  // Laws with return-point memory close their loop after one cycle. Others forget their beginning by a factor a cycle,
  // and may take long: what is left is the last change times factor/(1 - factor).
  constexpr int most_cycles = 10'000;
  constexpr double steady = 1e-12;
  double tip = joint.force(), last_change = 0.0;
  for (int k = 0; k < most_cycles; ++k) {
    branch(amplitude, -amplitude, false);
    branch(-amplitude, amplitude, false);
    const double change = std::abs(joint.force() - tip);
    tip = joint.force();
    const double factor = last_change > 0.0 ? std::min(change / last_change, 1.0) : 1.0;
    if (k > 0 && change * factor <= steady * (1.0 - factor) * std::abs(tip)) break;
    if (change <= 1e-15 * std::abs(tip)) break;
    last_change = change;
  }
  const double before = joint.dissipated_energy();
  LoopNumbers numbers;
  numbers.secant_stiffness = joint.force() / amplitude;
  table.write({amplitude, joint.force()}, sink);
  branch(amplitude, -amplitude, true);
  branch(-amplitude, amplitude, true);
  numbers.dissipation = joint.dissipated_energy() - before;
  return numbers;
}

}  // namespace microslip
