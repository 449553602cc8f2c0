#include "microslip/system/signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "microslip/numerics/butterworth.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip {

namespace {

/// Four-term Blackman-Harris window, 0 at x = 0 (to 6e-5), 1 at x = 1/2. Ref: Harris 1978.
struct Window {
  static constexpr std::array<double, 4> c{0.35875, -0.48829, 0.14128, -0.01168};
  static double value(double x) {
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) sum += c[k] * std::cos(2.0 * pi * k * x);
    return sum;
  }
  static double slope(double x) {
    double sum = 0.0;
    for (int k = 1; k < 4; ++k) sum -= c[k] * 2.0 * pi * k * std::sin(2.0 * pi * k * x);
    return sum;
  }
};

double ramp_time(const SineBeat& beat) {
  return 4.0 / beat.bandwidth;
}

TableSignal noise_samples(const RandomNoise& noise) {
  const double step = 1.0 / (noise_samples_per_period * noise.cutoff);
  const auto count = static_cast<std::size_t>(std::ceil(noise.duration / step)) + 1;
  // Poles of the fourth-order filter: Q = 1/(2 cos(pi/8)), 1/(2 cos(3 pi/8)).
  Biquad first = low_pass_section(1.0 / noise_samples_per_period, 0.5 / std::cos(pi / 8.0));
  Biquad second = low_pass_section(1.0 / noise_samples_per_period, 0.5 / std::cos(3.0 * pi / 8.0));
  Uniform uniform(noise.seed);
  TableSignal table;
  table.times.resize(count);
  table.values.resize(count);
  double peak = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    table.times[i] = static_cast<double>(i) * step;
    table.values[i] = second(first(uniform()));
    peak = std::max(peak, std::abs(table.values[i]));
  }
  for (double& value : table.values) value *= noise.amplitude / peak;
  return table;
}

void require(bool condition, const char* what, double got) {
  if (!condition) throw std::invalid_argument(fmt::format("{}, got {}", what, got));
}

struct Check {
  void operator()(const Constant&) const {}
  void operator()(const HalfSine& s) const { require(s.duration > 0.0, "duration must be > 0", s.duration); }
  void operator()(const Sine& s) const { require(s.omega >= 0.0, "omega must be >= 0", s.omega); }
  void operator()(const SineBeat& s) const {
    require(s.omega > 0.0, "frequency must be > 0", s.omega);
    require(s.bandwidth > 0.0, "bandwidth must be > 0", s.bandwidth);
    require(s.dwell >= 0.0, "dwell must be >= 0", s.dwell);
  }
  void operator()(const RandomNoise& s) const {
    require(s.cutoff > 0.0, "cutoff must be > 0", s.cutoff);
    require(s.duration > 0.0, "duration must be > 0", s.duration);
    require(s.duration * s.cutoff < 5e7, "duration * cutoff must be < 5e7 (10^9 samples)", s.duration * s.cutoff);
  }
  void operator()(const RampedSine& s) const {
    require(s.over > 0.0, "over must be > 0", s.over);
    require(s.omega > 0.0, "omega must be > 0", s.omega);
  }
  void operator()(const Fourier& s) const {
    require(s.omega > 0.0 && std::isfinite(s.omega), "omega must be > 0", s.omega);
    require(std::isfinite(s.mean), "mean must be finite", s.mean);
    for (const auto* list : {&s.cosines, &s.sines}) {
      for (const double value : *list) require(std::isfinite(value), "coefficients must be finite", value);
    }
  }
  void operator()(const TableSignal& s) const {
    require(s.times.size() == s.values.size() && !s.times.empty(), "a table must have as many times as values",
            static_cast<double>(s.times.size()));
    for (std::size_t i = 1; i < s.times.size(); ++i) {
      require(s.times[i] > s.times[i - 1], "the times of a table must increase", s.times[i]);
    }
  }
};

/// How many times are <= t. Evenly spaced tables, noise above all, are found without a search.
std::size_t count_up_to(const std::vector<double>& x, double t) {
  if (x.size() > 2 && t >= x.front() && t < x.back()) {
    const double place = (t - x.front()) / (x.back() - x.front()) * static_cast<double>(x.size() - 1);
    auto i = std::min(static_cast<std::size_t>(place), x.size() - 2);
    if (x[i] > t && i > 0) --i;
    if (x[i + 1] <= t && i + 2 < x.size()) ++i;
    if (x[i] <= t && t < x[i + 1]) return i + 1;
  }
  return static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), t) - x.begin());
}

double interpolate(const TableSignal& table, double t) {
  const auto& x = table.times;
  if (t < x.front()) return 0.0;
  const std::size_t i = count_up_to(x, t);
  if (i == x.size()) return table.values.back();
  const double share = (t - x[i - 1]) / (x[i] - x[i - 1]);
  return table.values[i - 1] + share * (table.values[i] - table.values[i - 1]);
}

double interpolated_rate(const TableSignal& table, double t) {
  const auto& x = table.times;
  if (t < x.front() || t >= x.back()) return 0.0;
  const std::size_t i = count_up_to(x, t);
  return (table.values[i] - table.values[i - 1]) / (x[i] - x[i - 1]);
}

struct Harmonic {
  double cosine, sine;
};
std::size_t harmonics_of(const Fourier& s) {
  return std::max(s.cosines.size(), s.sines.size());
}
/// Coefficients of harmonic h, from 1.
Harmonic harmonic(const Fourier& s, std::size_t h) {
  return {h <= s.cosines.size() ? s.cosines[h - 1] : 0.0, h <= s.sines.size() ? s.sines[h - 1] : 0.0};
}
double fourier_value(const Fourier& s, double t) {
  double sum = s.mean;
  for (std::size_t h = 1; h <= harmonics_of(s); ++h) {
    const auto [a, b] = harmonic(s, h);
    const double angle = static_cast<double>(h) * s.omega * t;
    sum += a * std::cos(angle) + b * std::sin(angle);
  }
  return sum;
}
double fourier_rate(const Fourier& s, double t) {
  double sum = 0.0;
  for (std::size_t h = 1; h <= harmonics_of(s); ++h) {
    const auto [a, b] = harmonic(s, h);
    const double omega = static_cast<double>(h) * s.omega;
    sum += omega * (b * std::cos(omega * t) - a * std::sin(omega * t));
  }
  return sum;
}

/// Is no value below -1e-9 of the sum of all amplitudes? Intervals of the angle are halved until
/// s(c) - |s'(c)| r - max|s''| r^2/2, which no value within r of c undercuts, shows it, or a value refutes it.
bool fourier_never_negative(Fourier s) {
  s.omega = 1.0;
  double swing = 0.0, curvature = 0.0;
  for (std::size_t h = 1; h <= harmonics_of(s); ++h) {
    const auto [a, b] = harmonic(s, h);
    const double amplitude = std::hypot(a, b), order = static_cast<double>(h);
    swing += amplitude;
    curvature += order * order * amplitude;
  }
  if (s.mean >= swing) return true;
  if (s.mean < 0.0) return false;
  const double tolerance = 1e-9 * (s.mean + swing);
  struct Interval {
    double centre, radius;
  };
  std::vector<Interval> open{{pi, pi}};
  while (!open.empty()) {
    const auto [centre, radius] = open.back();
    open.pop_back();
    const double value = fourier_value(s, centre);
    if (!(value >= -tolerance)) return false;
    const double undercut = (std::abs(fourier_rate(s, centre)) + 0.5 * curvature * radius) * radius;
    if (value - undercut >= -2.0 * tolerance) continue;
    open.push_back({centre - 0.5 * radius, 0.5 * radius});
    open.push_back({centre + 0.5 * radius, 0.5 * radius});
  }
  return true;
}

/// (a + g tau) sin(phase + omega tau), omega of either sign.
SignalTerm sine_term(double a, double g, double omega, double phase) {
  const double s = std::sin(phase);
  const double c = omega < 0.0 ? -std::cos(phase) : std::cos(phase);
  if (omega == 0.0) return {0.0, a * s, g * s, 0.0, 0.0};
  return {std::abs(omega), a * s, g * s, a * c, g * c};
}

/// The terms of each kind between two of its corners, 0 <= t < end.
struct Terms {
  double t;
  const TableSignal* samples;
  std::vector<SignalTerm>& out;

  void line(double value, double slope) const { out.push_back({0.0, value, slope, 0.0, 0.0}); }
  void sampled() const {
    if (t >= samples->times.front()) line(interpolate(*samples, t), interpolated_rate(*samples, t));
  }
  void operator()(const Constant& s) const { line(s.amplitude, 0.0); }
  void operator()(const HalfSine& s) const {
    const double omega = pi / s.duration;
    out.push_back(sine_term(s.amplitude, 0.0, omega, omega * t));
  }
  void operator()(const Sine& s) const { out.push_back(sine_term(s.amplitude, 0.0, s.omega, s.omega * t + s.phase)); }
  /// c_k cos(k W (t - delay)) sin(omega t) is half the sum of the sines of both sums of the angles.
  void operator()(const SineBeat& s) const {
    const double ramp = ramp_time(s);
    const bool rises = t < ramp;
    if (!rises && t < ramp + s.dwell) {
      out.push_back(sine_term(s.amplitude, 0.0, s.omega, s.omega * t));
      return;
    }
    out.push_back(sine_term(s.amplitude * Window::c[0], 0.0, s.omega, s.omega * t));
    for (int k = 1; k < 4; ++k) {
      const double window = pi * k / ramp;
      const double angle = window * (rises ? t : t - s.dwell);
      const double half = 0.5 * s.amplitude * Window::c[static_cast<std::size_t>(k)];
      out.push_back(sine_term(half, 0.0, s.omega + window, s.omega * t + angle));
      out.push_back(sine_term(half, 0.0, s.omega - window, s.omega * t - angle));
    }
  }
  void operator()(const RandomNoise&) const { sampled(); }
  void operator()(const RampedSine& s) const {
    const bool rising = t < s.over;
    const double amplitude = rising ? s.from + (s.to - s.from) * t / s.over : s.to;
    out.push_back(sine_term(amplitude, rising ? (s.to - s.from) / s.over : 0.0, s.omega, s.omega * t));
  }
  void operator()(const TableSignal&) const { sampled(); }
  void operator()(const Fourier& s) const {
    line(s.mean, 0.0);
    for (std::size_t h = 1; h <= harmonics_of(s); ++h) {
      const auto [a, b] = harmonic(s, h);
      if (a == 0.0 && b == 0.0) continue;
      const double omega = static_cast<double>(h) * s.omega;
      const double c = std::cos(omega * t), sine = std::sin(omega * t);
      out.push_back({omega, a * c + b * sine, 0.0, b * c - a * sine, 0.0});
    }
  }
};

}  // namespace

Signal::Signal(Kind kind) : kind_(std::move(kind)) {
  std::visit(Check{}, kind_);
  if (const auto* pulse = std::get_if<HalfSine>(&kind_)) end_ = pulse->duration;
  if (const auto* beat = std::get_if<SineBeat>(&kind_)) end_ = 2.0 * ramp_time(*beat) + beat->dwell;
  if (const auto* noise = std::get_if<RandomNoise>(&kind_)) {
    samples_ = std::make_shared<const TableSignal>(noise_samples(*noise));
    end_ = noise->duration;
  }
  if (auto* table = std::get_if<TableSignal>(&kind_)) {
    samples_ = std::make_shared<const TableSignal>(*table);
    start_ = std::max(0.0, table->times.front());
    if (!table->hold) end_ = table->times.back();
  }
}

double Signal::value(double t) const {
  if (t < 0.0 || t > end_ * (1.0 + 1e-12)) return 0.0;
  t = std::min(t, end_);  // the last step of a run may pass the end by rounding
  struct Value {
    double t;
    const TableSignal* samples;
    double operator()(const Constant& s) const { return s.amplitude; }
    double operator()(const HalfSine& s) const { return s.amplitude * std::sin(pi * t / s.duration); }
    double operator()(const Sine& s) const { return s.amplitude * std::sin(s.omega * t + s.phase); }
    double operator()(const SineBeat& s) const {
      const double ramp = ramp_time(s);
      double window = 1.0;
      if (t < ramp) window = Window::value(0.5 * t / ramp);
      if (t > ramp + s.dwell) window = Window::value(0.5 * (t - s.dwell) / ramp);
      return s.amplitude * window * std::sin(s.omega * t);
    }
    double operator()(const RandomNoise&) const { return interpolate(*samples, t); }
    double operator()(const RampedSine& s) const {
      return (s.from + (s.to - s.from) * std::min(t / s.over, 1.0)) * std::sin(s.omega * t);
    }
    double operator()(const TableSignal&) const { return interpolate(*samples, t); }
    double operator()(const Fourier& s) const { return fourier_value(s, t); }
  };
  return std::visit(Value{t, samples_.get()}, kind_);
}

double Signal::rate(double t) const {
  if (t < 0.0 || t >= end_) return 0.0;
  struct Rate {
    double t;
    const TableSignal* samples;
    double operator()(const Constant&) const { return 0.0; }
    double operator()(const HalfSine& s) const { return s.amplitude * pi / s.duration * std::cos(pi * t / s.duration); }
    double operator()(const Sine& s) const { return s.amplitude * s.omega * std::cos(s.omega * t + s.phase); }
    double operator()(const SineBeat& s) const {
      const double ramp = ramp_time(s);
      double window = 1.0;
      double slope = 0.0;
      if (t < ramp || t >= ramp + s.dwell) {
        const double x = 0.5 * (t < ramp ? t : t - s.dwell) / ramp;
        window = Window::value(x);
        slope = Window::slope(x) * 0.5 / ramp;
      }
      return s.amplitude * (slope * std::sin(s.omega * t) + window * s.omega * std::cos(s.omega * t));
    }
    double operator()(const RandomNoise&) const { return interpolated_rate(*samples, t); }
    double operator()(const RampedSine& s) const {
      const bool rising = t < s.over;
      const double amplitude = rising ? s.from + (s.to - s.from) * t / s.over : s.to;
      const double growth = rising ? (s.to - s.from) / s.over : 0.0;
      return growth * std::sin(s.omega * t) + amplitude * s.omega * std::cos(s.omega * t);
    }
    double operator()(const TableSignal&) const { return interpolated_rate(*samples, t); }
    double operator()(const Fourier& s) const { return fourier_rate(s, t); }
  };
  return std::visit(Rate{t, samples_.get()}, kind_);
}

double Signal::next_corner(double t) const {
  double next = std::numeric_limits<double>::infinity();
  const auto consider = [&](double corner) {
    if (corner > t && corner <= end_) next = std::min(next, corner);
  };
  consider(start_);
  consider(end_);
  if (samples_) {
    const auto& x = samples_->times;
    const std::size_t i = count_up_to(x, t);
    if (i < x.size()) consider(x[i]);
  }
  if (const auto* beat = std::get_if<SineBeat>(&kind_)) {
    consider(ramp_time(*beat));
    consider(ramp_time(*beat) + beat->dwell);
  }
  if (const auto* ramp = std::get_if<RampedSine>(&kind_)) consider(ramp->over);
  return next;
}

bool Signal::piecewise_linear() const {
  return samples_ != nullptr || std::holds_alternative<Constant>(kind_);
}

void Signal::terms(double t0, std::vector<SignalTerm>& out) const {
  if (t0 < 0.0 || t0 >= end_) return;
  std::visit(Terms{t0, samples_.get(), out}, kind_);
}

double Signal::static_value() const {
  return std::visit(
      [](const auto& s) {
        using This = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<This, TableSignal>) {
          return s.values.front();
        } else if constexpr (std::is_same_v<This, RampedSine>) {
          return s.to;
        } else if constexpr (std::is_same_v<This, Fourier>) {
          return s.mean;
        } else {
          return s.amplitude;
        }
      },
      kind_);
}

bool Signal::never_negative() const {
  struct Test {
    bool operator()(const Constant& s) const { return s.amplitude >= 0.0; }
    bool operator()(const HalfSine& s) const { return s.amplitude >= 0.0; }
    bool operator()(const Sine& s) const {
      return s.amplitude == 0.0 || (s.omega == 0.0 && s.amplitude * std::sin(s.phase) >= 0.0);
    }
    bool operator()(const SineBeat& s) const { return s.amplitude == 0.0; }
    bool operator()(const RandomNoise& s) const { return s.amplitude == 0.0; }
    bool operator()(const RampedSine& s) const { return s.from == 0.0 && s.to == 0.0; }
    bool operator()(const TableSignal& s) const {
      return std::all_of(s.values.begin(), s.values.end(), [](double value) { return value >= 0.0; });
    }
    bool operator()(const Fourier& s) const { return fourier_never_negative(s); }
  };
  return std::visit(Test{}, kind_);
}

}  // namespace microslip
