#pragma once
// What the residuals at a minimum say about the parameters: standard errors, correlation, what is undetermined.

#include <array>

#include "microslip/identify/modal_iwan_residuals.hpp"

namespace microslip {

/// `free`: parameters that were neither given nor end at a bound. Fills errors, correlation, derived quantities and
/// `undetermined`, and adds to `message`.
void add_statistics(const ModalIwanResiduals& residuals, const FitVector& x,
                    const std::array<bool, modal_iwan_size>& free, ModalIwanFit& fit);

}  // namespace microslip
