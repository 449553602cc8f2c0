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

/// What leakage may at most have added to the damping of each mode, of responses under a Hann window: 4/(3 n^2) of it,
/// n = 2 zeta f T the lines within its half-power width. Cross-spectra hold the impulse response times the window's
/// correlation, 1 - (2 pi^2/3)(t/T)^2 at first; the exponential nearest to exp(-a t)(1 - k t^2) in the mean square
/// decays at a + 2 k/a. Weights that trust the flanks more see less of it: anything from 0 to that, with the standard
/// deviation of an even distribution.
[[nodiscard]] Eigen::VectorXd largest_leakage(const ModalFit& fit);
void tell_of_leakage(ModalFit& fit);

}  // namespace microslip
