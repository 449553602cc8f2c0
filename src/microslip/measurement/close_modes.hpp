#pragma once
// Two modes nearer than their width look like one pole at every order. Where a mode leaves more than noise around it,
// two in its place are tried.

#include <complex>
#include <optional>
#include <utility>

#include "microslip/measurement/modal_polish.hpp"

namespace microslip {

/// Poles of two modes in the place of one, where they explain what one cannot and differ in shape, or by more than
/// their width; from the lines around it, all other modes taken off. Nothing where one mode is enough, or two of one
/// shape would be made of a slight nonlinearity.
[[nodiscard]] std::optional<std::pair<std::complex<double>, std::complex<double>>> two_for_one(const ModalLines& lines,
                                                                                               const ModalPolish& fit,
                                                                                               const ModalTerms& terms,
                                                                                               Eigen::Index mode);

}  // namespace microslip
