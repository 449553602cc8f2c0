#pragma once
// What is to be said of a modal fit beside its numbers.

#include "microslip/measurement/modal_errors.hpp"
#include "microslip/measurement/modal_fit.hpp"

namespace microslip {

/// Modes that cannot be told apart, noise that does not explain the residual, damping that is hardly known, peaks that
/// no mode explains, what the ends of records cut off.
void tell_of_modes(const ModalErrors& errors, const Eigen::VectorXd& inflation, const ModalFitOptions& options,
                   ModalFit& fit);

/// Modes that differ between parts of the data by more than noise.
void tell_of_spread(ModalFit& fit);

}  // namespace microslip
