#pragma once
// Smoothing and phi_max of a distribution of sliders, for one set of weights: the least criterion over lambda, with
// phi_max(lambda) the least J. The rules stand in distribution_fit.hpp.

#include <optional>
#include <vector>

#include "microslip/identify/cell_least_squares.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

/// Least and largest lambda that are tried.
inline constexpr double least_smoothing = 1e-12, most_smoothing = 1e6;

/// The data go on beyond phi_max far enough to tell. `u`: ascending.
[[nodiscard]] bool has_macroslip_tail(const std::vector<double>& u, double phi_max, bool residual_known);
/// The largest phi_max that leaves such a tail.
[[nodiscard]] double strongest_before_tail(const std::vector<double>& u, bool residual_known);

class DistributionSearch {
 public:
  struct Options {
    std::optional<double> noise;      ///< in the units of the problem, if known
    std::optional<double> smoothing;  ///< lambda, if given
    bool residual_known = false;      ///< K_inf
  };

  /// Refers to the problem and the observer, which must outlive it.
  DistributionSearch(CellLeastSquares& problem, const Options& options, const Observer& observer)
      : problem_(problem), options_(options), observer_(observer) {}

  void run();

  [[nodiscard]] const CellSolution& best() const { return best_; }
  [[nodiscard]] bool macroslip() const { return macroslip_; }
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] double phi_max() const { return phi_max_; }
  [[nodiscard]] double lambda() const { return lambda_; }
  [[nodiscard]] double freedom() const { return freedom_; }    ///< d
  [[nodiscard]] double variance() const { return variance_; }  ///< of the noise
  [[nodiscard]] int factorisations() const { return factorisations_; }

 private:
  CellSolution solve(double phi_max);
  double objective(double phi_max) { return solve(phi_max).objective; }
  void find();
  /// The smallest edge whose J is within the noise of the least.
  void scan();
  /// Between the neighbours of the edge found, to `accuracy` of phi_max.
  void refine(double accuracy);
  double criterion(double lambda);
  void choose_lambda();

  CellLeastSquares& problem_;
  Options options_;
  const Observer& observer_;
  CellSolution best_, last_;
  bool warm_ = false;      // last_ is a start for the next
  bool macroslip_ = true;  // phi_max is within the data
  bool stopped_ = false;
  double lambda_ = 0.0, phi_max_ = 0.0, freedom_ = 0.0, variance_ = 0.0;
  std::size_t place_ = 0;  // of phi_max among the edges
  int factorisations_ = 0;
};

}  // namespace microslip
