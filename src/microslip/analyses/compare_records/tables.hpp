#pragma once
// The tables of kind = "compare_records".

#include "microslip/analyses/compare_records/comparison.hpp"
#include "microslip/results/analysis_summary.hpp"

namespace microslip {

inline constexpr const char* compared_record_part = "record";
inline constexpr const char* compared_modes_part = "modes";
inline constexpr const char* compared_spectra_part = "spectra";
inline constexpr const char* compared_curves_part = "curves";

/// Writes them all and adds their files to the summary.
void write_compared_tables(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison, Results& results,
                           AnalysisSummary& summary);

}  // namespace microslip
