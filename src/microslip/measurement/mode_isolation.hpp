#pragma once
// The algorithm of mode isolation: modes are fitted one at a time around the largest peak of what the others leave,
// taken off, and fitted again, each with all others taken off, until nothing moves.
// A mode that is not linear leaves peaks of its own shape on its flanks, shadows, which are none.
// Ref: Allen and Ginsberg 2006, A global, single-input multi-output implementation of the algorithm of mode isolation.

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "microslip/measurement/modal_polish.hpp"

namespace microslip {

struct IsolationOptions {
  int modes = 0;             ///< as many; 0: as long as a peak stands out
  std::vector<double> near;  ///< [1/time]: one mode at each instead, whatever it looks like
  int most_modes = 60;
  int max_cycles = 400;
  double tolerance = 1e-7;  ///< of a step, over the decay rate of the pole
};

struct Isolation {
  ModalPolish fit;                ///< modes by frequency
  ModalLines lines;               ///< that were fitted: see thinned
  Eigen::MatrixXd lines_of_mode;  ///< lines x modes: 1 where a mode was fitted
  int cycles = 0;
  std::vector<std::string> remarks;
};

[[nodiscard]] Isolation isolate_modes(const ModalLines& lines, const ModalTerms& terms, const IsolationOptions& options,
                                      const std::function<bool()>& carry_on = {});

}  // namespace microslip
