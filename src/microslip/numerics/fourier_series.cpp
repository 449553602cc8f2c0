#include "microslip/numerics/fourier_series.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/lanes.hpp"

namespace microslip {
namespace {

/// A function and its derivative at one point.
struct Pair {
  double f;
  double slope;
};

/// The zero of f between low and high, where it has opposite signs: Newton from x, bisection where that leaves the
/// bracket. A step of 1e-10 of the bracket is the last one: Newton squares what is left.
template <class At>
double bracketed_newton(At&& at, double low, double high, double f_low, double x) {
  const bool rising = f_low < 0.0;
  if (!(x > low && x < high)) x = 0.5 * (low + high);
  const double last_step = std::max(1e-10 * (high - low), 2e-16 * (1.0 + std::abs(x)));
  for (int i = 0; i < 100; ++i) {
    const Pair p = at(x);
    if (p.f == 0.0) return x;
    ((p.f < 0.0) == rising ? low : high) = x;
    double next = x - p.f / p.slope;
    if (std::abs(next - x) <= last_step) return std::clamp(next, low, high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    x = next;
  }
  return x;
}

/// About the zero between 0 and 1 of the cubic with these values and slopes at its ends.
double zero_of_cubic(const Pair& at_0, const Pair& at_1) {
  const double rise = at_1.f - at_0.f;
  const double c2 = 3.0 * rise - 2.0 * at_0.slope - at_1.slope, c3 = at_0.slope + at_1.slope - 2.0 * rise;
  double x = -at_0.f / rise;
  for (int i = 0; i < 2; ++i) {
    x -= (at_0.f + x * (at_0.slope + x * (c2 + x * c3))) / (at_0.slope + x * (2.0 * c2 + x * 3.0 * c3));
  }
  return x;
}

/// cos and sin of h tau, h = 1 .. 8 in the lanes, then of the next eight at every turn.
struct Phasors {
  Lanes cosine, sine;
  double cosine8, sine8;

  explicit Phasors(double tau) {
    double c = std::cos(tau), s = std::sin(tau);
    cosine[0] = c, sine[0] = s;
    for (int l = 1; l < lane_count; ++l) {  // e^(i h tau) = e^(i h/2 tau) e^(i (h - h/2) tau)
      const int a = (l + 1) / 2 - 1, b = l - a - 1;
      cosine[l] = cosine[a] * cosine[b] - sine[a] * sine[b];
      sine[l] = sine[a] * cosine[b] + cosine[a] * sine[b];
    }
    cosine8 = cosine[lane_count - 1], sine8 = sine[lane_count - 1];
  }
  void turn() {
    const Lanes next = cosine * cosine8 - sine * sine8;
    sine = sine * cosine8 + cosine * sine8;
    cosine = next;
  }
};

/// Eight pairs (a, b) from memory.
void load_pairs(const double* from, Lanes& a, Lanes& b) {
  Lanes first, second;
  load(first, from);
  load(second, from + lane_count);
  a = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14);
  b = __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15);
}

}  // namespace

SeriesPoint series_at(const double* c, int harmonics, double tau) {
  Phasors phasors(tau);
  Lanes value{}, slope{}, curvature{}, third{}, a, b, h = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
  const auto add = [&] {
    const Lanes even = a * phasors.cosine + b * phasors.sine;
    const Lanes odd = h * (b * phasors.cosine - a * phasors.sine);
    value += even;
    slope += odd;
    curvature -= h * h * even;
    third -= h * h * odd;
  };
  int done = 0;
  for (; done + lane_count <= harmonics; done += lane_count) {
    load_pairs(c + 1 + 2 * done, a, b);
    add();
    phasors.turn();
    h += static_cast<double>(lane_count);
  }
  if (done < harmonics) {
    double rest[2 * lane_count] = {};
    std::copy(c + 1 + 2 * done, c + 1 + 2 * harmonics, rest);
    load_pairs(rest, a, b);
    add();
  }
  return {c[0] + sum_of(value), sum_of(slope), sum_of(curvature), sum_of(third)};
}

double series_value(const double* c, int harmonics, double tau) {
  Phasors phasors(tau);
  Lanes value{}, a, b;
  int done = 0;
  for (; done + lane_count <= harmonics; done += lane_count) {
    load_pairs(c + 1 + 2 * done, a, b);
    value += a * phasors.cosine + b * phasors.sine;
    phasors.turn();
  }
  if (done < harmonics) {
    double rest[2 * lane_count] = {};
    std::copy(c + 1 + 2 * done, c + 1 + 2 * harmonics, rest);
    load_pairs(rest, a, b);
    value += a * phasors.cosine + b * phasors.sine;
  }
  return c[0] + sum_of(value);
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

void series_of_samples(std::span<const double> samples, int harmonics, double* coefficients) {
  const int size = series_size(harmonics);
  const auto n = static_cast<double>(samples.size());
  std::vector<double> basis(static_cast<std::size_t>(size));
  std::fill(coefficients, coefficients + size, 0.0);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    series_basis(harmonics, two_pi * static_cast<double>(i) / n, basis.data());
    for (int k = 0; k < size; ++k) coefficients[k] += samples[i] * basis[static_cast<std::size_t>(k)];
  }
  for (int k = 0; k < size; ++k) coefficients[k] *= (k == 0 ? 1.0 : 2.0) / n;
}

double invert_series(const double* coefficients, int harmonics, double low, double high, double level) {
  const auto at = [&](double tau) -> Pair {
    const SeriesPoint p = series_at(coefficients, harmonics, tau);
    return {p.value - level, p.slope};
  };
  const double f_low = at(low).f;
  const double f_high = at(high).f;
  if (f_low * f_high >= 0.0) return std::abs(f_low) < std::abs(f_high) ? low : high;  // at an end, to rounding
  return bracketed_newton(at, low, high, f_low, 0.5 * (low + high));
}

SeriesScanner::SeriesScanner(int harmonics)
    : harmonics_(harmonics),
      points_(static_cast<std::size_t>(std::max(64, 16 * harmonics))),
      quarter_(points_ / 4 + 1) {
  const auto padded = static_cast<std::size_t>(padded_size(static_cast<std::ptrdiff_t>(quarter_)));
  cosine_.resize(padded);
  sine_.resize(padded);
  for (std::size_t j = 0; j < padded; ++j) {
    const double angle = two_pi * static_cast<double>(j) / static_cast<double>(points_);
    cosine_[j] = std::cos(angle);
    sine_[j] = std::sin(angle);
  }
  pairs_.resize((static_cast<std::size_t>(harmonics) + 1) / 2);
  for (auto& sums : sums_) sums.resize(padded);
  value_.resize(points_);
  slope_.resize(points_);
  shifted_.resize(points_);
  roots_.reserve(8 * static_cast<std::size_t>(harmonics) + 8);
  extrema_.reserve(8 * static_cast<std::size_t>(harmonics) + 8);
}

/// The number of them, up to the last one that is not zero: a motion among the harmonics that it leaves out.
std::size_t SeriesScanner::set_pairs(const double* c, int order) {
  int last = harmonics_;
  while (last > 0 && c[2 * last - 1] == 0.0 && c[2 * last] == 0.0) --last;
  const auto number = static_cast<std::size_t>((last + 1) / 2);
  for (int h = 1; h <= 2 * static_cast<int>(number); ++h) {
    // Coefficients of the derivatives: (a, b) -> h (b, -a).
    double a = h <= last ? c[2 * h - 1] : 0.0;
    double b = h <= last ? c[2 * h] : 0.0;
    for (int k = 0; k < order; ++k) {
      const double old = a;
      a = h * b;
      b = -h * old;
    }
    auto& pair = pairs_[static_cast<std::size_t>(h - 1) / 2];
    const std::size_t at = h % 2 == 1 ? 0 : 4;
    pair[at] = a, pair[at + 1] = b, pair[at + 2] = h * b, pair[at + 3] = -h * a;
  }
  return number;
}

/// All harmonics of eight points, whose cosines and sines are turned from one to the next: tables of all would not stay
/// near the processor.
void SeriesScanner::sample(const double* c, int order, double* values, double* slopes) {
  const std::size_t number = set_pairs(c, order);
  for (std::size_t j = 0; j < cosine_.size(); j += static_cast<std::size_t>(lane_count)) {
    Lanes cos1, sin1;
    load(cos1, cosine_.data() + j), load(sin1, sine_.data() + j);
    const Lanes cos2 = cos1 * cos1 - sin1 * sin1, sin2 = 2.0 * sin1 * cos1;
    Lanes odd_cos = cos1, odd_sin = sin1, even_cos = cos2, even_sin = sin2;
    Lanes sums[8] = {};
    const auto turn = [&](Lanes& cosine, Lanes& sine) {
      const Lanes next = cosine * cos2 - sine * sin2;
      sine = sine * cos2 + cosine * sin2;
      cosine = next;
    };
    for (std::size_t k = 0; k < number; ++k) {
      const double* x = pairs_[k].data();
      sums[0] += x[0] * odd_cos;
      sums[1] += x[1] * odd_sin;
      sums[2] += x[2] * odd_cos;
      sums[3] += x[3] * odd_sin;
      sums[4] += x[4] * even_cos;
      sums[5] += x[5] * even_sin;
      sums[6] += x[6] * even_cos;
      sums[7] += x[7] * even_sin;
      turn(odd_cos, odd_sin);
      turn(even_cos, even_sin);
    }
    for (std::size_t i = 0; i < 8; ++i) store(sums_[i].data() + j, sums[i]);
  }
  unfold(order == 0 ? c[0] : 0.0, 0, values);
  unfold(0.0, 2, slopes);
}

/// Of cosines of even (E) and odd (O) harmonics and of their sines, e and o, in a quarter of the period:
///   E + O + e + o at tau,   E - O - e + o at pi - tau,   E - O + e - o at pi + tau,   E + O - e - o at 2 pi - tau.
void SeriesScanner::unfold(double mean, std::size_t first, double* samples) const {
  const std::vector<double>&cos_odd = sums_[first], &sin_odd = sums_[first + 1];
  const std::vector<double>&cos_even = sums_[first + 4], &sin_even = sums_[first + 5];
  const std::size_t half = points_ / 2;
  for (std::size_t j = 0; j < quarter_; ++j) {
    const double even = mean + cos_even[j] + cos_odd[j], other_even = mean + cos_even[j] - cos_odd[j];
    const double odd = sin_even[j] + sin_odd[j], other_odd = sin_even[j] - sin_odd[j];
    samples[j] = even + odd;
    samples[half - j] = other_even - other_odd;
    samples[half + j] = other_even + other_odd;
    if (j > 0) samples[points_ - j] = even - odd;
  }
}

/// `at(tau)` gives the function and its first two derivatives.
template <class At>
void SeriesScanner::add_roots(const double* values, const double* slopes, At&& at) {
  const double spacing = two_pi / static_cast<double>(points_);
  const auto root = [&](double low, double high, double f_low, double guess) {
    roots_.push_back(bracketed_newton(
        [&](double tau) -> Pair {
          const SeriesPoint p = at(tau);
          return {p.value, p.slope};
        },
        low, high, f_low, guess));
  };
  for (std::size_t j = 0; j < points_; ++j) {
    const std::size_t next = j + 1 == points_ ? 0 : j + 1;
    const double low = spacing * static_cast<double>(j);
    const double high = spacing * static_cast<double>(j + 1);
    const double f0 = values[j];
    const double f1 = values[next];
    if ((f0 < 0.0) != (f1 < 0.0)) {
      const double guess = zero_of_cubic({f0, spacing * slopes[j]}, {f1, spacing * slopes[next]});
      root(low, high, f0, low + spacing * guess);
    } else if (f0 * slopes[j] < 0.0 && f1 * slopes[next] > 0.0) {  // |f| has a minimum between: it may cross twice
      const double middle = bracketed_newton(
          [&](double tau) -> Pair {
            const SeriesPoint p = at(tau);
            return {p.slope, p.curvature};
          },
          low, high, slopes[j], low + spacing * slopes[j] / (slopes[j] - slopes[next]));
      const double f = at(middle).value;
      if (f != 0.0 && (f < 0.0) != (f0 < 0.0)) {
        root(low, middle, f0, 0.5 * (low + middle));
        root(middle, high, f, 0.5 * (middle + high));
      }
    }
  }
}

const std::vector<SeriesScanner::Extremum>& SeriesScanner::extrema(const double* c) {
  sample(c, 1, value_.data(), slope_.data());
  roots_.clear();
  add_roots(value_.data(), slope_.data(), [&](double tau) -> SeriesPoint {
    const SeriesPoint p = series_at(c, harmonics_, tau);
    return {p.slope, p.curvature, p.third, 0.0};
  });
  extrema_.clear();
  for (const double tau : roots_) extrema_.push_back({tau, series_at(c, harmonics_, tau).value});
  return extrema_;
}

const std::vector<double>& SeriesScanner::crossings(const double* c, double level) {
  return crossings(c, std::span<const double>(&level, 1));
}

const std::vector<double>& SeriesScanner::crossings(const double* c, std::span<const double> levels) {
  roots_.clear();
  if (levels.empty()) return roots_;
  sample(c, 0, value_.data(), slope_.data());
  for (const double level : levels) {
    for (std::size_t j = 0; j < points_; ++j) shifted_[j] = value_[j] - level;
    add_roots(shifted_.data(), slope_.data(), [&](double tau) -> SeriesPoint {
      SeriesPoint p = series_at(c, harmonics_, tau);
      p.value -= level;
      return p;
    });
  }
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
