#pragma once
// The tables of kind = "compare_modes".

#include "microslip/analyses/compare_modes/comparison.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/results/results.hpp"

namespace microslip {

inline constexpr const char* mac_part = "mac";
inline constexpr const char* orthogonality_part = "orthogonality";
inline constexpr const char* points_part = "points";
inline constexpr const char* pair_shapes_part = "shapes";
inline constexpr const char* model_part = "model";

/// Writes them all and adds their files to the summary.
void write_comparison(const std::string& analysis, const ModeComparison& comparison, const System& system,
                      Results& results, AnalysisSummary& summary);

}  // namespace microslip
