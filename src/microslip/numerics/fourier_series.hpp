#pragma once
// Real Fourier series of one period, tau in [0, 2 pi):
//   u(tau) = a_0 + sum_h a_h cos(h tau) + b_h sin(h tau),   h = 1 .. H
// A series is its 2 H + 1 coefficients in the order a_0, a_1, b_1, a_2, b_2, ...

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

/// Number of coefficients of a series with H harmonics.
constexpr int series_size(int harmonics) {
  return 2 * harmonics + 1;
}

/// A series and its first three derivatives at one point.
struct SeriesPoint {
  double value = 0.0;
  double slope = 0.0;
  double curvature = 0.0;
  double third = 0.0;
};
[[nodiscard]] SeriesPoint series_at(const double* coefficients, int harmonics, double tau);
/// Its value alone.
[[nodiscard]] double series_value(const double* coefficients, int harmonics, double tau);

/// 1, cos tau, sin tau, cos 2 tau, ...: d u(tau)/d coefficients.
void series_basis(int harmonics, double tau, double* basis);

/// Coefficients of equally spaced samples of one period, the first at tau = 0; more than 2 H of them.
void series_of_samples(std::span<const double> samples, int harmonics, double* coefficients);

/// (largest - smallest value)/2.
struct HalfRange {
  double value = 0.0;
  double tau_max = 0.0, tau_min = 0.0;  ///< where; d value/d coefficients = (basis(tau_max) - basis(tau_min))/2
};

/// Finds extrema and crossings of series with up to `harmonics` harmonics, to rounding. Samples on a grid of 16 H
/// points, then Newton between them; a pair of extrema between two samples shows in the curvature there.
/// Not thread-safe: it keeps its workspace.
class SeriesScanner {
 public:
  explicit SeriesScanner(int harmonics);

  struct Extremum {
    double tau = 0.0;
    double value = 0.0;
  };
  /// Ascending in tau, maxima and minima in turn; empty for a constant.
  const std::vector<Extremum>& extrema(const double* coefficients);
  /// Where the series passes `level`, ascending in tau.
  const std::vector<double>& crossings(const double* coefficients, double level);
  /// One level after the other.
  const std::vector<double>& crossings(const double* coefficients, std::span<const double> levels);
  [[nodiscard]] HalfRange half_range(const double* coefficients);
  [[nodiscard]] int harmonics() const { return harmonics_; }

 private:
  /// Samples of the derivatives `order` and `order + 1` of the series.
  void sample(const double* coefficients, int order, double* values, double* slopes);
  std::size_t set_pairs(const double* coefficients, int order);
  void unfold(double mean, std::size_t first, double* samples) const;
  /// Adds to roots_.
  template <class At>
  void add_roots(const double* values, const double* slopes, At&& at);

  int harmonics_;
  std::size_t points_;
  std::size_t quarter_;                ///< points of a quarter of the period, both ends counted
  std::vector<double> cosine_, sine_;  ///< of tau_j in that quarter, padded
  /// Of the harmonics by pairs, an odd one and the even one behind it: a, b, and those of the slopes.
  std::vector<std::array<double, 8>> pairs_;
  /// Sums of cosines and of sines there, of the values and of their slopes; of odd harmonics, then of even ones.
  std::array<std::vector<double>, 8> sums_;
  std::vector<double> value_, slope_, shifted_;
  std::vector<double> roots_;
  std::vector<Extremum> extrema_;
};

/// The tau in [low, high] where a series that is monotonic there takes `level`.
[[nodiscard]] double invert_series(const double* coefficients, int harmonics, double low, double high, double level);

}  // namespace microslip
