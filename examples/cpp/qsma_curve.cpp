// Frequency and damping of a mode over amplitude, of a study that is read from a file. See docs/library.md.
//   example_qsma_curve examples/04_brake_reuss_beam/study.toml 2

#include <cstdio>
#include <cstdlib>

#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/study/study.hpp"

using namespace microslip;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: example_qsma_curve STUDY MODE\n");
    return 2;
  }
  try {
    const Study study = load_study(argv[1]);
    const LoadRamp ramp{0.01, 300.0, 50};
    const ModalCurve curve = quasi_static_modal_analysis(study.system, std::atoi(argv[2]) - 1, ramp);
    std::printf("alpha,q,omega,zeta\n");
    for (const ModalPoint& point : curve.points) {
      std::printf("%.9g,%.9g,%.9g,%.9g\n", point.alpha, point.q, point.omega, point.zeta);
    }
    if (curve.ending == Ending::completed) return 0;
    std::fprintf(stderr, "%s\n", curve.message.c_str());
    return 1;
  } catch (const std::exception& error) {  // of the study, with its place; or a mode that is not there
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
