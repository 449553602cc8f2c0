#pragma once
// Noise of a channel from stretches in which nothing moves. Its density is taken as constant within bands of equal
// width from 0 to half the sampling rate: as many bands as have 128 samples each behind them, 1 to 16. In units of
// variance: s^2 in a band means that white noise of that variance would have the same density. A discrete Fourier
// transform of the noise under a window w then has E|N_k|^2 = s^2 sum w_j^2. From periodograms under a Hann window, so
// that what filters ring at half the sampling rate does not leak into other bands: a band's s^2 has as many degrees of
// freedom as half its samples, its s is known to 1/sqrt(samples) of itself.

#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

struct ChannelNoise {
  std::vector<double> variance;  ///< by band; empty: nothing is known
  std::size_t samples = 0;       ///< behind it

  [[nodiscard]] bool known() const { return !variance.empty(); }
  /// At a frequency over the sampling rate, 0 to 1/2.
  [[nodiscard]] double at(double frequency) const;
  /// Over all frequencies.
  [[nodiscard]] double mean() const;
  /// Standard deviation of what a sample brings that those before it do not tell: the variance of the best prediction's
  /// error is the geometric mean of the spectrum (Kolmogorov, Szego). 0: nothing is known.
  [[nodiscard]] double fresh_deviation() const;
  /// Degrees of freedom of the variance of a band; 0: nothing is known.
  [[nodiscard]] double freedom() const;
  /// Of mean(), by Satterthwaite: as many as all bands have where these are alike, those of one where it has all of it.
  [[nodiscard]] double freedom_of_mean() const;
};

/// Stretches with fewer than 16 samples do not count; each is taken less its mean.
[[nodiscard]] ChannelNoise channel_noise(std::span<const std::span<const double>> quiet);

}  // namespace microslip
