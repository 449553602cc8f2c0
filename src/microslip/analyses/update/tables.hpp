#pragma once
// The tables of an update.

#include "microslip/analyses/update/analysis.hpp"
#include "microslip/inference/predictive.hpp"

namespace microslip {

inline constexpr const char* update_curves_part = "curves";
inline constexpr const char* update_rows_part = "rows";
inline constexpr const char* update_sensitivity_part = "sensitivity";
inline constexpr const char* update_correlation_part = "correlation";
inline constexpr const char* update_starts_part = "starts";
inline constexpr const char* update_draws_part = "draws";
inline constexpr const char* update_test_part = "test";
inline constexpr const char* update_loops_part = "loops";
inline constexpr const char* update_best_part = "best";
inline constexpr const char* update_predictions_part = "predictions";

/// "1 KT; 2 chi", for the meaning of a column of numbers.
[[nodiscard]] std::string numbered_parameters(const UpdateProblem& problem);
[[nodiscard]] std::string numbered_groups_of(const UpdateProblem& problem);
[[nodiscard]] std::vector<std::string> parameter_names_of(const UpdateProblem& problem);
/// 0, 1, .., count - 1.
[[nodiscard]] std::vector<std::size_t> counted_up(std::size_t count);
/// Of a row of a curve; 0 of others.
[[nodiscard]] double amplitude_of(const UpdateProblem& problem, std::size_t row);

/// The curves of the test, a row an amplitude; with the bands of a posterior, where there are some.
struct UpdateBands {
  const Bands* model = nullptr;     ///< of the model
  const Bands* measured = nullptr;  ///< of a new measurement
};
void write_test_curves(const std::string& analysis, const UpdateProblem& problem, const UpdateBands& bands,
                       Results& results, AnalysisSummary& summary);

/// Forces of the loops beside those of the model: `model` and `offsets` of all rows and groups.
void write_loops(const std::string& analysis, const UpdateProblem& problem, const Eigen::VectorXd& model,
                 Results& results, AnalysisSummary& summary);

/// A curve of the model over a test, at one amplitude.
struct UpdateCurveRow {
  std::size_t target = 0;  ///< from 0
  int mode = 0;            ///< of the model, from 1
  double q = 0.0, omega = 0.0, omega_error = 0.0, zeta = 0.0, zeta_error = 0.0;
};

/// Curves at the nodes of their grids, as far as they reach, frequencies with the offsets that the fit found.
[[nodiscard]] std::vector<UpdateCurveRow> update_curve_rows(const UpdateProblem& problem, const LeastSquares& fit);

void write_update_tables(const std::string& analysis, const UpdateProblem& problem, const LeastSquares& fit,
                         const std::vector<UpdateCurveRow>& curves, Results& results, AnalysisSummary& summary);

}  // namespace microslip
