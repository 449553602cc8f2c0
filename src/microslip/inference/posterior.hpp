#pragma once
// Samples of the posterior: prior times likelihood, given rows with their errors, unknown offsets (integrated out) and
// discrepancies s_g (sampled with the parameters; prior: half a Cauchy distribution with the usual one as its median),
//
//   -2 ln L = sum over groups of S_g + w_g sum of ln v_i + [ln sum of 1/v_i]    (white_rows.hpp)
//
// Each chain moves in z, a priori standard normal (prior.hpp), by Hamiltonian trajectories that stop where they turn
// back (NUTS), in units of the curvature of Gauss and Newton where the chain begins. Chains begin at minima that
// least squares find from points of the prior: what has several minima shows in R-hat.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "microslip/inference/information.hpp"
#include "microslip/inference/residual_problem.hpp"

namespace microslip {

struct PosteriorOptions {
  std::size_t chains = 4;
  std::size_t warmup = 400;  ///< steps of each chain that only fit step and units
  std::size_t draws = 1000;  ///< of each chain
  std::vector<Eigen::VectorXd>
      from;  ///< least squares of chain k begins at from[k]; beyond them at points of the prior
  std::uint64_t seed = 1;
  std::size_t threads = 1;  ///< the result is the same for any number
  double acceptance = 0.9;  ///< that the step aims at; nearer to 1 for bent posteriors
  int most_doublings = 8;   ///< of a trajectory
};

/// Of one unknown over all chains.
struct ChainStatistics {
  double mean = 0.0, deviation = 0.0;
  double low = 0.0, median = 0.0, high = 0.0;  ///< 2.5 %, 50 %, 97.5 %
  double r_hat = 0.0;                          ///< 1: the chains agree (chain_statistics.hpp)
  double bulk_size = 0.0, tail_size = 0.0;     ///< effective sample sizes
};

struct Posterior {
  Eigen::MatrixXd draws;        ///< parameters x (chains draws), chain after chain
  Eigen::MatrixXd discrepancy;  ///< groups x (chains draws); 0 where it is not estimated
  Eigen::VectorXd log_density;  ///< ln L + ln prior of z, up to a constant, of each
  std::size_t chains = 0;       ///< that were sampled
  std::vector<ChainStatistics> parameters;
  std::vector<ChainStatistics> discrepancies;  ///< of each group; empty ones where not estimated
  std::size_t best = 0;                        ///< the draw with the largest likelihood times prior of x
  Information information;                     ///< there
  std::size_t divergences = 0;                 ///< trajectories that left the level of their energy
  std::size_t ended = 0;    ///< trajectories that ended where the model has no answer: harmless when few
  std::size_t longest = 0;  ///< trajectories that did not turn back within most_doublings
  std::size_t evaluations = 0;
  bool converged = false;    ///< no R-hat above 1.01, no effective size below 100 a chain
  bool interrupted = false;  ///< draws are those that all chains had
  std::string message;       ///< sentences: what is wrong with the sample, what is not determined

  [[nodiscard]] std::size_t draws_of_a_chain() const {
    return chains == 0 ? 0 : static_cast<std::size_t>(draws.cols()) / chains;
  }
};

[[nodiscard]] Posterior sample_posterior(const ResidualProblem& problem, const PosteriorOptions& options = {},
                                         const std::function<bool(double fraction)>& observer = {});

}  // namespace microslip
