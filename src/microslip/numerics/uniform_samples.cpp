#include "microslip/numerics/uniform_samples.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace microslip {
namespace {

constexpr std::size_t points = interpolation_points;

/// Integral over the middle cell of eight samples, times 120960.
constexpr double middle_cell[] = {68323.0, -9531.0, 1879.0, -191.0};
constexpr double middle_cell_scale = 120960.0;

/// Central differences of eighth order.
constexpr double difference_weight[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};

/// Newton's form: value = sum_k difference_k binomial(u, k), u from the first of the eight samples.
class LocalPolynomial {
 public:
  LocalPolynomial(std::span<const double> y, std::size_t cell) {
    assert(y.size() >= points);
    const std::size_t half = points / 2 - 1;
    first_ = std::min(cell > half ? cell - half : 0, y.size() - points);
    std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(first_), points, difference_.begin());
    for (std::size_t order = 1; order < points; ++order) {
      for (std::size_t k = points - 1; k >= order; --k) difference_[k] -= difference_[k - 1];
    }
  }
  [[nodiscard]] double value(double x) const {
    const double u = x - static_cast<double>(first_);
    double sum = difference_[points - 1];
    for (std::size_t k = points - 1; k-- > 0;) {
      sum = difference_[k] + sum * (u - static_cast<double>(k)) / static_cast<double>(k + 1);
    }
    return sum;
  }
  /// Gauss's rule with four points is exact for degree 7.
  [[nodiscard]] double integral(double from, double to) const {
    constexpr double node[] = {0.33998104358485626480, 0.86113631159405257522};
    constexpr double weight[] = {0.65214515486254614263, 0.34785484513745385737};
    const double centre = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
      sum += weight[i] * (value(centre - half * node[i]) + value(centre + half * node[i]));
    }
    return half * sum;
  }

 private:
  std::size_t first_ = 0;
  std::array<double, points> difference_{};
};

std::size_t cell_of(std::span<const double> y, double x) {
  return std::min(static_cast<std::size_t>(std::max(x, 0.0)), y.size() - 2);
}

}  // namespace

double interpolate_samples(std::span<const double> y, double x) {
  return LocalPolynomial(y, cell_of(y, x)).value(x);
}

double zero_between_samples(std::span<const double> y, std::size_t cell) {
  const LocalPolynomial polynomial(y, cell);
  double a = static_cast<double>(cell), b = a + 1.0;
  double fa = y[cell], fb = y[cell + 1];
  if (fa == 0.0) return a;
  if (fb == 0.0) return b;
  double x = a;
  for (int i = 0; i < 60 && b - a > 1e-14 * (1.0 + b); ++i) {  // regula falsi, Illinois
    x = b - fb * (b - a) / (fb - fa);
    const double f = polynomial.value(x);
    if (f == 0.0) return x;
    const double scale = std::abs(y[cell]) + std::abs(y[cell + 1]);
    if (std::abs(f) < 1e-14 * scale) return x;
    if ((f > 0.0) == (fb > 0.0)) {
      b = x;
      fb = f;
      fa *= 0.5;
    } else {
      a = x;
      fa = f;
      fb *= 0.5;
    }
  }
  return x;
}

SampleIntegral::SampleIntegral(std::span<const double> y) : y_(y), at_sample_(y.size(), 0.0) {
  assert(y.size() >= points);
  for (std::size_t i = 0; i + 1 < y.size(); ++i) {
    double cell = 0.0;
    if (i >= 3 && i + 4 < y.size()) {
      for (std::size_t k = 0; k < 4; ++k) cell += middle_cell[k] * (y[i - k] + y[i + 1 + k]);
      cell /= middle_cell_scale;
    } else {
      cell = LocalPolynomial(y, i).integral(static_cast<double>(i), static_cast<double>(i) + 1.0);
    }
    at_sample_[i + 1] = at_sample_[i] + cell;
  }
}

double SampleIntegral::to(double x) const {
  const std::size_t cell = cell_of(y_, x);
  return at_sample_[cell] + LocalPolynomial(y_, cell).integral(static_cast<double>(cell), x);
}

std::vector<double> differentiate_samples(std::span<const double> y) {
  constexpr std::size_t lost = samples_lost_by_differentiation;
  if (y.size() <= 2 * lost) return {};
  std::vector<double> slope(y.size() - 2 * lost, 0.0);
  for (std::size_t i = 0; i < slope.size(); ++i) {
    for (std::size_t k = 0; k < lost; ++k)
      slope[i] += difference_weight[k] * (y[i + lost + k + 1] - y[i + lost - k - 1]);
  }
  return slope;
}

double differentiation_gain(double angle) {
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) sum += 2.0 * difference_weight[k] * std::sin((k + 1) * angle);
  return sum;
}

double integration_gain(double angle) {
  double cell = 0.0;
  for (int k = 0; k < 4; ++k) cell += 2.0 * middle_cell[k] * std::cos((k + 0.5) * angle);
  return cell / (middle_cell_scale * 2.0 * std::sin(0.5 * angle));
}

double white_noise(std::span<const double> y) {
  constexpr double binomial[] = {1.0, -8.0, 28.0, -56.0, 70.0, -56.0, 28.0, -8.0, 1.0};
  constexpr std::size_t most = 20'000;  // a median of so many is good to 1 %
  if (y.size() < 9) return 0.0;
  const std::size_t places = y.size() - 8, every = (places + most - 1) / most;
  std::vector<double> size;
  for (std::size_t i = 0; i < places; i += every) {
    double difference = 0.0;
    for (std::size_t k = 0; k < 9; ++k) difference += binomial[k] * y[i + k];
    size.push_back(std::abs(difference));
  }
  const auto middle = size.begin() + static_cast<std::ptrdiff_t>(size.size() / 2);
  std::nth_element(size.begin(), middle, size.end());
  // 0.6745: median of |normal|; 12870: sum of the squared binomials.
  return *middle / (0.67448975 * std::sqrt(12870.0));
}

}  // namespace microslip
