#pragma once
// The combinations of a parameter study as trials.

#include "microslip/analyses/parameter_study/analysis.hpp"
#include "microslip/analyses/parameter_study/grid.hpp"
#include "microslip/trials/run_trials.hpp"

namespace microslip {

/// Rows of all combinations, as far as this process has them. The same, bit for bit, for any number of threads, shards
/// and ranks.
[[nodiscard]] TrialOutcome run_combinations(const ParameterStudyAnalysis& analysis, AnalysisRun& with);

/// Column of a varied key: its value, or the number of the value where it is no number.
[[nodiscard]] Column column_for(const VariedKey& key);
[[nodiscard]] double varied_value(const VariedKey& key, std::size_t place);

}  // namespace microslip
