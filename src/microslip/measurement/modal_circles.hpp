#pragma once
// The circle of each mode in the complex plane, as the fit has it: fine enough to be drawn, whatever the lines.

#include <Eigen/Core>
#include <vector>

#include "microslip/measurement/modal_basis.hpp"
#include "microslip/measurement/modal_polish.hpp"

namespace microslip {

struct ModalCircle {
  Eigen::Index function = 0;  ///< response in which the mode is strongest
  double reach = 0.0;         ///< [1/time] to either side of the pole that it is drawn over
  Eigen::VectorXd frequency;  ///< [1/time] at equal angles of (s - p), within the lines
  Eigen::VectorXcd values;    ///< of the whole fit there
};

/// Six half-power half-widths to either side of every pole, ten lines at least.
[[nodiscard]] std::vector<ModalCircle> modal_circles(const ModalLines& lines, const ModalPolish& fit,
                                                     const ModalTerms& terms);

}  // namespace microslip
