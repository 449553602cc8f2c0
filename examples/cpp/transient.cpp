// Three masses and one lap joint, hit by a half-sine, 100 s: example 01 as a program. See docs/library.md.

#include <cstdio>
#include <string>

#include "microslip/joints/iwan4.hpp"
#include "microslip/transient/transient.hpp"

using namespace microslip;

int main() {
  // Masses of 10 kg; springs of 9 N/m from the ground (-1) to the first and on; 1e-4 of critical damping.
  const LinearStructure structure = LinearStructure::lumped(
      {10.0, 10.0, 10.0}, {"1", "2", "3"}, {{-1, 0, 9.0}, {0, 1, 9.0}, {1, 2, 9.0}}, {}, ModalDamping{{1e-4}});

  // The joint between 2 and 3: u = W^T q = q3 - q2. FS, KT, chi, beta.
  Eigen::MatrixXd directions(3, 1);
  directions << 0.0, -1.0, 1.0;
  const Joint lap{"lap", Iwan4<double>(Iwan4Backbone<double>::from_physical(10.0, 1.0, -0.5, 5.0)), directions};
  const System system(structure, {lap});

  const Load hit{"hit", Eigen::VectorXd::Unit(3, 2), Signal(HalfSine{10.0, 1.8})};
  TransientOptions options;
  options.duration = 100.0;
  options.step = 1e-2;
  MemorySink rows;
  const TransientResult result = simulate(system, {&hit, 1}, {}, record_everything(system), rows, options);

  std::printf("ending %s\n", std::string(to_string(result.ending)).c_str());
  std::printf("rows %zu\n", rows.rows());
  std::printf("q3 %.9g\n", rows.column("q[3]").back());
  std::printf("lost_in_the_joint %.9g\n", result.energy.joints[0]);
  std::printf("energy_error %.2g\n", result.energy.error);
  return result.ending == Ending::completed ? 0 : 1;
}
