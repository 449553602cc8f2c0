#pragma once
// Curves that took no part in an update, as a posterior predicts them: bands of the model over its draws.

#include "microslip/analyses/update/analysis.hpp"

namespace microslip {

/// `predictions`. Throws StudyError.
[[nodiscard]] std::vector<PredictedCurve> read_predictions(const TableReader& reader, const ModelOfStudy& model);

/// Writes their table, and gives what sums it up.
[[nodiscard]] std::vector<UpdateFacts::Prediction> predict_curves(const UpdateAnalysis& analysis,
                                                                  const Posterior& posterior, AnalysisRun& with,
                                                                  AnalysisSummary& summary);

}  // namespace microslip
