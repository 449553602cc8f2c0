#pragma once
// Fitted oscillators held against ring-downs that they were not fitted to: a mode alone against the same mode among
// others.

#include "microslip/analyses/fit_modal_iwan/analysis.hpp"

namespace microslip {

/// The table "compare": a row for each row of the ring-downs whose mode has a fit.
void write_comparison(const FitModalIwanAnalysis& analysis, const FitModalIwanFacts& facts, Results& results);

}  // namespace microslip
