#pragma once
// What is to be said of ring-downs beside their numbers.

#include <vector>

#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/analyses/ringdown/tables.hpp"

namespace microslip {

/// Loads that the step does not see, foreign units, second hits.
void tell_of_records(const RingdownAnalysis& analysis, Results& results, AnalysisSummary& summary);

/// Curves without rows, offsets that were taken off, ends of a band-pass that show.
void tell_of_curves(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records, Results& results,
                    AnalysisSummary& summary);

/// Records that another mode dominates than the one that is taken from all of them; what amplitudes are, and whether
/// anything tells that the channels fit.
void tell_of_chosen(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                    AnalysisSummary& summary);

/// For each mode the record whose clean rows go over the largest range of amplitudes.
void tell_cleanest(const RingdownAnalysis& analysis, RingdownFacts& facts, AnalysisSummary& summary);

}  // namespace microslip
