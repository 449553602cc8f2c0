#include "microslip/numerics/fourier_series.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

/// A function and its derivative at one point.
struct Pair {
  double f;
  double slope;
};

/// The zero of f between low and high, where it has opposite signs: Newton, bisection where that leaves the bracket.
template <class At>
double bracketed_newton(At&& at, double low, double high, double f_low) {
  const bool rising = f_low < 0.0;
  double x = 0.5 * (low + high);
  for (int i = 0; i < 100; ++i) {
    const Pair p = at(x);
    if (p.f == 0.0) return x;
    ((p.f < 0.0) == rising ? low : high) = x;
    double next = x - p.f / p.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= 2e-16 * (1.0 + std::abs(x))) return next;
    x = next;
  }
  return x;
}

}  // namespace

SeriesPoint series_at(const double* c, int harmonics, double tau) {
  const double c1 = std::cos(tau);
  const double s1 = std::sin(tau);
  double cosine = 1.0;
  double sine = 0.0;
  SeriesPoint p{c[0], 0.0, 0.0, 0.0};
  for (int h = 1; h <= harmonics; ++h) {
    const double next = cosine * c1 - sine * s1;
    sine = sine * c1 + cosine * s1;
    cosine = next;
    const double a = c[2 * h - 1];
    const double b = c[2 * h];
    const double even = a * cosine + b * sine;
    const double odd = h * (b * cosine - a * sine);
    p.value += even;
    p.slope += odd;
    p.curvature -= h * h * even;
    p.third -= h * h * odd;
  }
  return p;
}

void series_basis(int harmonics, double tau, double* basis) {
  const double c1 = std::cos(tau);
  const double s1 = std::sin(tau);
  double cosine = 1.0;
  double sine = 0.0;
  basis[0] = 1.0;
  for (int h = 1; h <= harmonics; ++h) {
    const double next = cosine * c1 - sine * s1;
    sine = sine * c1 + cosine * s1;
    cosine = next;
    basis[2 * h - 1] = cosine;
    basis[2 * h] = sine;
  }
}

double invert_series(const double* coefficients, int harmonics, double low, double high, double level) {
  const auto at = [&](double tau) -> Pair {
    const SeriesPoint p = series_at(coefficients, harmonics, tau);
    return {p.value - level, p.slope};
  };
  const double f_low = at(low).f;
  const double f_high = at(high).f;
  if (f_low * f_high >= 0.0) return std::abs(f_low) < std::abs(f_high) ? low : high;  // at an end, to rounding
  return bracketed_newton(at, low, high, f_low);
}

SeriesScanner::SeriesScanner(int harmonics)
    : harmonics_(harmonics), points_(static_cast<std::size_t>(std::max(64, 16 * harmonics))) {
  const std::size_t size = static_cast<std::size_t>(harmonics) * points_;
  cosines_.resize(size);
  sines_.resize(size);
  for (std::size_t j = 0; j < points_ && harmonics > 0; ++j) {
    const double angle = two_pi * static_cast<double>(j) / static_cast<double>(points_);
    cosines_[j] = std::cos(angle);
    sines_[j] = std::sin(angle);
  }
  for (std::size_t h = 2; h <= static_cast<std::size_t>(harmonics); ++h) {
    for (std::size_t j = 0, at = 0; j < points_; ++j) {  // at = h j mod points
      cosines_[(h - 1) * points_ + j] = cosines_[at];
      sines_[(h - 1) * points_ + j] = sines_[at];
      at += h;
      if (at >= points_) at -= points_;
    }
  }
  value_.resize(points_);
  slope_.resize(points_);
  roots_.reserve(8 * static_cast<std::size_t>(harmonics) + 8);
  extrema_.reserve(8 * static_cast<std::size_t>(harmonics) + 8);
}

void SeriesScanner::sample(const double* c, int order, double* values, double* slopes) const {
  std::fill(values, values + points_, order == 0 ? c[0] : 0.0);
  std::fill(slopes, slopes + points_, 0.0);
  for (int h = 1; h <= harmonics_; ++h) {
    // Coefficients of the derivatives: (a, b) -> h (b, -a).
    double a = c[2 * h - 1];
    double b = c[2 * h];
    for (int k = 0; k < order; ++k) {
      const double old = a;
      a = h * b;
      b = -h * old;
    }
    const double* cosine = cosines_.data() + static_cast<std::size_t>(h - 1) * points_;
    const double* sine = sines_.data() + static_cast<std::size_t>(h - 1) * points_;
    const double da = h * b;
    const double db = -h * a;
    for (std::size_t j = 0; j < points_; ++j) {
      values[j] += a * cosine[j] + b * sine[j];
      slopes[j] += da * cosine[j] + db * sine[j];
    }
  }
}

/// `at(tau)` gives the function and its first two derivatives.
template <class At>
void SeriesScanner::roots(const double* values, const double* slopes, At&& at) {
  roots_.clear();
  const double spacing = two_pi / static_cast<double>(points_);
  const auto root = [&](double low, double high, double f_low) {
    roots_.push_back(bracketed_newton(
        [&](double tau) -> Pair {
          const SeriesPoint p = at(tau);
          return {p.value, p.slope};
        },
        low, high, f_low));
  };
  for (std::size_t j = 0; j < points_; ++j) {
    const std::size_t next = j + 1 == points_ ? 0 : j + 1;
    const double low = spacing * static_cast<double>(j);
    const double high = spacing * static_cast<double>(j + 1);
    const double f0 = values[j];
    const double f1 = values[next];
    if ((f0 < 0.0) != (f1 < 0.0)) {
      root(low, high, f0);
    } else if (f0 * slopes[j] < 0.0 && f1 * slopes[next] > 0.0) {  // |f| has a minimum between: it may cross twice
      const double middle = bracketed_newton(
          [&](double tau) -> Pair {
            const SeriesPoint p = at(tau);
            return {p.slope, p.curvature};
          },
          low, high, slopes[j]);
      const double f = at(middle).value;
      if (f != 0.0 && (f < 0.0) != (f0 < 0.0)) {
        root(low, middle, f0);
        root(middle, high, f);
      }
    }
  }
}

const std::vector<SeriesScanner::Extremum>& SeriesScanner::extrema(const double* c) {
  sample(c, 1, value_.data(), slope_.data());
  roots(value_.data(), slope_.data(), [&](double tau) -> SeriesPoint {
    const SeriesPoint p = series_at(c, harmonics_, tau);
    return {p.slope, p.curvature, p.third, 0.0};
  });
  extrema_.clear();
  for (const double tau : roots_) extrema_.push_back({tau, series_at(c, harmonics_, tau).value});
  return extrema_;
}

const std::vector<double>& SeriesScanner::crossings(const double* c, double level) {
  sample(c, 0, value_.data(), slope_.data());
  for (double& value : value_) value -= level;
  roots(value_.data(), slope_.data(), [&](double tau) -> SeriesPoint {
    SeriesPoint p = series_at(c, harmonics_, tau);
    p.value -= level;
    return p;
  });
  return roots_;
}

HalfRange SeriesScanner::half_range(const double* c) {
  HalfRange result;
  double largest = c[0];
  double smallest = c[0];
  for (const Extremum& e : extrema(c)) {
    if (e.value > largest) largest = e.value, result.tau_max = e.tau;
    if (e.value < smallest) smallest = e.value, result.tau_min = e.tau;
  }
  result.value = 0.5 * (largest - smallest);
  return result;
}

}  // namespace microslip
