#pragma once
// The drift of an acceleration that was integrated: the line through the middle of the extremes of the velocity, which
// it has at the zeros of the acceleration. The middle at a zero is the binomial mean of order 6 of the extremes around
// it, or 2 where there are few; beside the ends, that of the nearest zero that has it. What alternates, and decays
// smoothly as it does, drops out.

#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

class IntegrationDrift {
 public:
  /// Zeros of the acceleration, in samples; at least three.
  explicit IntegrationDrift(std::vector<double> zeros);

  [[nodiscard]] std::span<const double> zeros() const { return zeros_; }
  /// The first sample after the first zero.
  [[nodiscard]] std::size_t first() const { return first_; }
  /// Zeros at each end whose middle is that of another.
  [[nodiscard]] std::size_t reach() const { return zeros_.size() < 7 ? 1 : 3; }

  /// At the samples from there to the last zero, of what has these values at the zeros.
  [[nodiscard]] std::vector<double> line(std::span<const double> at_zeros) const;

  /// Standard deviation, for white noise of deviation 1 in the samples of the acceleration, of the sum of the integral
  /// less its drift, in samples, times `weights` from the sample first() + `from` on.
  [[nodiscard]] double deviation(std::span<const double> weights, std::size_t from) const;

 private:
  /// Place of a sample between zeros[k] and zeros[k + 1]; k is at most that.
  [[nodiscard]] double share(std::size_t sample, std::size_t& k) const;
  /// The first of the zeros that the middle at zero k is the mean of.
  [[nodiscard]] std::size_t first_of_middle(std::size_t k) const;

  std::vector<double> zeros_;
  std::vector<double> weights_;  ///< of the zeros around one
  std::size_t first_, samples_;
};

}  // namespace microslip
