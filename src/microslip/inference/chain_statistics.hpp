#pragma once
// Do chains agree, and how many independent draws are they worth (Vehtari, Gelman, Simpson, Carpenter and Buerkner
// 2021, Bayesian Analysis 16): each chain is split in halves and draws are replaced by normal quantiles of their ranks.
//
//   R-hat = sqrt((W (n-1)/n + B)/W),   W: mean of the variances within half chains, B: variance of their means
//   size  = m n/(1 + 2 sum of rho_t),  rho_t = 1 - (W - mean covariance at lag t)/var
//
// summed in pairs as long as they are positive and do not rise (Geyer). R-hat is the larger of that of the draws and of
// their distances from the median.

#include <cstddef>
#include <span>

namespace microslip {

struct ChainDiagnosis {
  double r_hat = 0.0;      ///< NaN: draws are all equal or less than 4 a chain
  double bulk_size = 0.0;  ///< for means and medians
  double tail_size = 0.0;  ///< the lesser of those for the 5 % and the 95 % quantile
};

/// `draws`: chain after chain, of equal lengths.
[[nodiscard]] ChainDiagnosis diagnose(std::span<const double> draws, std::size_t chains);

}  // namespace microslip
