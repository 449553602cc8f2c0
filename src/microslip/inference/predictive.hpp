#pragma once
// What a posterior says of other quantities: values of a caller's function, and of new measurements of the rows, for
// draws evenly taken from all chains; bands from them.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "microslip/inference/posterior.hpp"

namespace microslip {

/// Numbers of `count` draws of the posterior, or of all it has, evenly over the chains.
[[nodiscard]] std::vector<std::size_t> some_draws(const Posterior& posterior, std::size_t count);

struct Predictions {
  std::vector<std::size_t> draws;  ///< which
  Eigen::MatrixXd values;          ///< quantities x draws; NaN: not known there
  bool interrupted = false;        ///< draws that were not computed are NaN
};

/// `quantity` at x answers `size` values; called by several threads at once.
[[nodiscard]] Predictions predict(const Posterior& posterior, std::vector<std::size_t> draws, std::size_t size,
                                  const std::function<Eigen::VectorXd(const Eigen::VectorXd& x)>& quantity,
                                  std::size_t threads = 1, const std::function<bool(double fraction)>& observer = {});

/// The rows as the model has them, offsets as the measured rows want them (`model`), and as a new measurement could
/// find them: with an offset, discrepancies and errors drawn anew (`measured`), independent from row to row.
struct PredictedRows {
  Predictions model, measured;
};
[[nodiscard]] PredictedRows predict_rows(const ResidualProblem& problem, const Posterior& posterior,
                                         std::vector<std::size_t> draws, std::uint64_t seed = 1,
                                         std::size_t threads = 1,
                                         const std::function<bool(double fraction)>& observer = {});

/// Of each quantity, over the draws where it is known.
struct Bands {
  Eigen::VectorXd low, median, high;  ///< NaN where it is known in none
  Eigen::VectorXd known;              ///< share of the draws
};
[[nodiscard]] Bands bands(const Eigen::MatrixXd& values, double confidence = 0.95);

}  // namespace microslip
