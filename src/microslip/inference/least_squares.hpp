#pragma once
// The most likely parameters of a ResidualProblem, from several starts, with what is known about them.
//
//   minimise over x in the box  1/2 sum of r_i^2 + 1/2 sum of ((x_k - mean_k)/deviation_k)^2 of normal priors
//
// r: white rows (white_rows.hpp), offsets eliminated. The s_g of discrepancies are the usual ones from all starts; from
// the best minimum on, estimate (discrepancy.hpp) and descent (descent.hpp) follow each other until both rest.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "microslip/inference/information.hpp"
#include "microslip/inference/residual_problem.hpp"

namespace microslip {

struct LeastSquaresOptions {
  std::size_t starts = 8;             ///< the parameters' own, then Sobol's points of the priors
  std::vector<Eigen::VectorXd> from;  ///< further starts, before Sobol's and counted apart: the best of known samples
  std::uint64_t seed = 1;
  std::size_t threads = 1;  ///< the result is the same for any number
  int max_iterations = 200;
  double tolerance = 1e-10;  ///< of half the sum of squares; 1e-6 is a thousandth of a standard error
};

/// Where one start ended.
struct StartEnd {
  Eigen::VectorXd start, x;
  double square = 0.0;  ///< sum of r^2 and of the priors, with the usual discrepancies
  bool converged = false;
  std::size_t evaluations = 0;
  std::string why;  ///< a sentence where it has not converged; no x if there was no answer at the start
};

struct LeastSquares {
  Eigen::VectorXd x;                   ///< empty: no start had an answer
  double square = 0.0;                 ///< sum of r^2 and of the priors, with these discrepancies
  std::vector<double> discrepancy;     ///< s_g of each group
  std::vector<double> offsets;         ///< o_g of each group
  std::vector<double> squares;         ///< sum of r^2 of each group
  Eigen::VectorXd values;              ///< of the rows at x; NaN: not reached
  std::vector<std::size_t> unreached;  ///< rows, left out of what is known
  Information information;
  bool converged = false;
  bool interrupted = false;
  std::string message;  ///< sentences: what did not work, what is not determined
  std::vector<StartEnd> starts;
  std::size_t evaluations = 0;
};

/// `observer` takes the fraction done and answers false to stop: the best so far is returned, marked.
[[nodiscard]] LeastSquares fit_least_squares(const ResidualProblem& problem, const LeastSquaresOptions& options = {},
                                             const std::function<bool(double fraction)>& observer = {});

/// From one start alone, discrepancies and all; no information. `stopped` is asked before every evaluation.
[[nodiscard]] LeastSquares fit_from(const ResidualProblem& problem, const Eigen::VectorXd& start, int max_iterations,
                                    const std::function<bool()>& stopped = {}, double tolerance = 1e-10);

}  // namespace microslip
