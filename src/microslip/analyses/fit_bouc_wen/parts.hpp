#pragma once
// Between the steps of kind = "fit_bouc_wen": its data, what it tells of the fit, its tables.

#include <vector>

#include "microslip/analyses/fit_bouc_wen/analysis.hpp"
#include "microslip/system/table.hpp"

namespace microslip {

struct BoucWenData {
  std::vector<HysteresisRecord> records;
  std::vector<Motion> motions;      ///< of each
  std::vector<double> half_ranges;  ///< of u
};

/// Of a fit with records.
[[nodiscard]] FitBoucWenFacts bouc_wen_facts(const BoucWenData& data, const BoucWenFit& fit);

struct BoucWenCandidateRow : BoucWenCandidate {
  BoucWenAdmissibility known;
  BoucWenEstimates errors{};  ///< of the best
};
[[nodiscard]] Table<BoucWenCandidateRow> bouc_wen_candidate_table();
[[nodiscard]] std::vector<BoucWenCandidateRow> bouc_wen_candidate_rows(const BoucWenFit& fit);

struct BoucWenCurveRow {
  std::size_t curve = 0;  ///< from 0
  double u = 0.0, f = 0.0, fitted = 0.0;
};
[[nodiscard]] Table<BoucWenCurveRow> bouc_wen_curve_table();
[[nodiscard]] std::vector<BoucWenCurveRow> bouc_wen_curve_rows(const BoucWenData& data, const BoucWenFit& fit);

/// Steady cycles of the fitted law up to the largest amplitude of the data.
[[nodiscard]] Table<BoucWenCycle> bouc_wen_cycle_table();
[[nodiscard]] std::vector<BoucWenCycle> bouc_wen_cycle_rows(const BoucWenData& data, const BoucWenFit& fit);

}  // namespace microslip
