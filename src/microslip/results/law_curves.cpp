#include "microslip/results/law_curves.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/joints/joint_memory.hpp"
#include "microslip/system/system.hpp"

namespace microslip {
namespace {

/// Walks one joint along a straight path of deflections.
class Walker {
 public:
  explicit Walker(const Law& law)
      : laws_{&law},
        normals_{default_normal(law).static_value()},
        memory_(laws_, normals_),
        response_(memory_.make_response()) {}

  void step_to(double u, double time_step) {
    const double v = (u - u_) / time_step;
    time_ += time_step;
    memory_.evaluate(&u, &v, time_, response_);
    memory_.commit();
    u_ = u;
  }
  [[nodiscard]] double force() const { return response_.force[0]; }
  [[nodiscard]] double dissipated() const { return memory_.dissipated_energy(0); }

 private:
  const Law* laws_[1];
  double normals_[1];
  JointMemory memory_;
  JointResponse response_;
  double u_ = 0.0;
  double time_ = 0.0;
};

}  // namespace

void write_backbone(const Law& law, double amplitude, int points, Sink& sink) {
  const Column columns[] = {{"u", "length", "deflection"},
                            {"f", "force", "force on the virgin curve"},
                            {"slope", "force/length", "df/du"},
                            {"work", "force length", "integral of f du"}};
  sink.begin(columns);
  std::visit(
      [&]<class L>(const L& l) {
        if constexpr (L::has_backbone) {
          for (int i = 0; i <= points; ++i) {
            const double u = amplitude * i / points;
            const auto point = l.backbone(u);
            const double values[] = {u, point.force, point.slope, point.work};
            sink.row(values);
          }
        }
      },
      law);
}

LoopNumbers write_loop(const Law& law, double amplitude, int points, Sink& sink) {
  const Column columns[] = {{"u", "length", "deflection"}, {"f", "force", "force"}};
  sink.begin(columns);
  Walker walker(law);
  const double time_step = 1.0 / points;
  const auto branch = [&](double from, double to, bool write) {
    for (int i = 1; i <= points; ++i) {
      const double u = from + (to - from) * i / points;
      walker.step_to(u, time_step);
      const double values[] = {u, walker.force()};
      if (write) sink.row(values);
    }
  };
  branch(0.0, amplitude, false);
  // Laws with return-point memory close their loop after one cycle. Others forget their beginning by a factor a cycle,
  // and may take long: what is left is the last change times factor/(1 - factor).
  constexpr int most_cycles = 10'000;
  constexpr double steady = 1e-12;
  double tip = walker.force(), last_change = 0.0;
  for (int k = 0; k < most_cycles; ++k) {
    branch(amplitude, -amplitude, false);
    branch(-amplitude, amplitude, false);
    const double change = std::abs(walker.force() - tip);
    tip = walker.force();
    const double factor = last_change > 0.0 ? std::min(change / last_change, 1.0) : 1.0;
    if (k > 0 && change * factor <= steady * (1.0 - factor) * std::abs(tip)) break;
    if (change <= 1e-15 * std::abs(tip)) break;
    last_change = change;
  }
  const double before = walker.dissipated();
  LoopNumbers numbers;
  numbers.secant_stiffness = walker.force() / amplitude;
  const double start[] = {amplitude, walker.force()};
  sink.row(start);
  branch(amplitude, -amplitude, true);
  branch(-amplitude, amplitude, true);
  numbers.dissipation = walker.dissipated() - before;
  return numbers;
}

}  // namespace microslip
