#pragma once
// Modes found in measurements: what a modal fit makes, or a file holds, and what filters and comparisons take.

#include <Eigen/Core>
#include <string>
#include <vector>

namespace microslip {

struct MeasuredModes {
  std::vector<std::string> channels;
  std::vector<int> numbers;         ///< of the modes, from 1
  Eigen::VectorXd frequency_hz;     ///< undamped natural frequency |pole|/(2 pi)
  Eigen::VectorXd frequency_error;  ///< standard error; empty: not known
  Eigen::VectorXd zeta;
  Eigen::VectorXd zeta_error;    ///< standard error; empty: not known
  Eigen::MatrixXcd shapes;       ///< channels x modes; displacement; imaginary part 0 where normal modes were asked for
  Eigen::MatrixXd shape_error;   ///< standard error of the real part; empty: not known
  bool unit_modal_mass = false;  ///< scaled by the driving point
};

/// |a^H b|^2 / (a^H a b^H b) of every column of `a` (rows of the result) with every one of `b`; 0 where one is zero.
[[nodiscard]] Eigen::MatrixXd modal_assurance(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b);

}  // namespace microslip
