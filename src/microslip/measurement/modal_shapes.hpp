#pragma once
// Shapes from modal constants a_cr = phi_c phi_r, with their scale and errors; how nearly real they are.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/io/channel_name.hpp"
#include "microslip/measurement/modal_errors.hpp"

namespace microslip {

struct ModalShapes {
  Eigen::MatrixXcd shapes;            ///< channels x modes
  Eigen::MatrixXd error;              ///< standard error of the real part
  bool unit_modal_mass = false;       ///< scaled by a driving point, else the largest component is 1
  std::vector<Eigen::Index> anchors;  ///< a mode: the channel that it is scaled by
  Eigen::VectorXd scale_error;        ///< relative standard error of the driving point's component; 0: no driving point
  std::vector<std::string> remarks;
};

/// `driving`: for each reference the channel at its point. `inflation`: of variances, a mode each. `anchors`: channels
/// to scale by, a mode each, where no driving point does; empty: the largest.
[[nodiscard]] ModalShapes modal_shapes(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                       const ModalErrors& errors, const std::vector<SignedChannel>& driving,
                                       const Eigen::VectorXd& inflation, const std::vector<Eigen::Index>& anchors = {});

/// Modal constants of a mode, channels x references; what the end of the records cuts off is put back.
[[nodiscard]] Eigen::MatrixXcd modal_constants(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                               Eigen::Index mode);

/// x^T C^-1 x of the unknowns of a mode over all functions, C their covariance: how far it stands out of the noise. Of
/// nothing but noise it is about (unknowns a function) x functions.
[[nodiscard]] double mode_significance(const ModalPolish& fit, const ModalTerms& terms, const ModalErrors& errors,
                                       Eigen::Index mode);
/// The same of one function.
[[nodiscard]] double mode_significance(const ModalPolish& fit, const ModalTerms& terms, const ModalErrors& errors,
                                       Eigen::Index mode, Eigen::Index function);

/// 1: all components are in phase or opposite; 0: phases are spread all around. Of real and imaginary parts x, y
///   ((x.x - y.y)^2 + 4 (x.y)^2)/(x.x + y.y)^2
/// Ref: Pappa, Elliott and Schenk 1993.
[[nodiscard]] double phase_collinearity(const Eigen::VectorXcd& shape);
/// Mean angle [deg] of the components to the line through them, weighted by their magnitude; 0 to 90.
[[nodiscard]] double mean_phase_deviation(const Eigen::VectorXcd& shape);

}  // namespace microslip
