// Uses the library from its ends: a study from text, its modes, a run with files of every kind, a fit with Ceres.

#include <microslip/study/run_study.hpp>

#include <cmath>
#include <cstdio>

#include "microslip/results/analysis_summary.hpp"

using namespace microslip;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  // Masses and springs of one each with a joint of stiffness 1 in the middle at rest: omega^2 of two masses in a row of
  // three springs are 1 and 3.
  const Study study = parse_study(R"(
[structure]
kind = "lumped"
masses = [1.0, 1.0]
springs = [["ground", "1", 1.0], ["2", "ground", 1.0]]
damping = { modal = 1e-3 }
[[joint]]
name = "lap"
between = ["1", "2"]
law = "iwan4"
FS = 1.0
KT = 1.0
chi = -0.5
beta = 1.0
[[analysis]]
kind = "modes"
[[analysis]]
kind = "qsma"
mode = 2
alpha = [1e-3, 1.0]
[[analysis]]
kind = "fit_modal_iwan"
from = ["qsma"]
)",
                                  "consumer.toml");
  const Eigen::VectorXd omega = study.system.stuck_modes().omega;
  if (std::abs(omega[0] - 1.0) > 1e-14 || std::abs(omega[1] - std::sqrt(3.0)) > 1e-14) {
    std::fprintf(stderr, "omega %.17g %.17g\n", omega[0], omega[1]);
    return 1;
  }
  const RunOutcome outcome = run_study(study, argv[1], {});
  for (const AnalysisSummary& summary : outcome.analyses) {
    std::printf("%s %s\n", summary.kind.c_str(), std::string(to_string(summary.ending)).c_str());
  }
  return outcome.exit_code;
}
