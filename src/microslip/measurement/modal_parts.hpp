#pragma once
// The modes of a fit in parts of the data, and what these differ by.

#include <functional>
#include <utility>
#include <vector>

#include "microslip/measurement/modal_fit.hpp"

namespace microslip {

/// How the whole was fitted.
struct PartFits {
  std::pair<double, double> band;  ///< [1/time]
  const ModalTerms& terms;
  const std::vector<SignedChannel>& driving;  ///< for each reference of the whole
  const std::vector<Eigen::Index>& anchors;   ///< see ModalShapes
  const std::function<bool()>& carry_on;
};

/// From the poles of the whole on. Single hits that have not all channels of the whole are left out, other parts that
/// cannot be fitted are told in the doubts of the whole.
[[nodiscard]] std::vector<ModalPart> fits_of_parts(const std::vector<MeasuredResponses::Part>& parts,
                                                   const PartFits& with, ModalFit& whole);

/// What the parts differ by, beyond their noise, and errors that hold it.
void add_spread_of_parts(ModalFit& fit);

/// sqrt(a^2 + b^2), component by component.
[[nodiscard]] Eigen::MatrixXd root_of_squares(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace microslip
