#pragma once
// What the residuals at a minimum say about the parameters: standard errors, correlation, what is undetermined.

#include <array>

#include "microslip/identify/modal_iwan_residuals.hpp"

namespace microslip {

/// `free`: parameters that were neither given nor end at a bound; `fitted`: that were not given. One at a bound has no
/// error of its own, but those of the others do not lean on it. Fills errors, correlation, derived quantities and
/// `undetermined`, and adds to `message`.
void add_statistics(const ModalIwanResiduals& residuals, const FitVector& x,
                    const std::array<bool, modal_iwan_size>& free, const std::array<bool, modal_iwan_size>& fitted,
                    ModalIwanFit& fit);

}  // namespace microslip
