#pragma once
// Time histories of loads and base motions.

#include <limits>
#include <memory>
#include <variant>
#include <vector>

namespace microslip {

/// amplitude for all t >= 0.
struct Constant {
  double amplitude = 0.0;
};
/// amplitude sin(pi t/duration) for 0 <= t <= duration, then zero.
struct HalfSine {
  double amplitude = 0.0;
  double duration = 0.0;
};
/// amplitude sin(omega t + phase).
struct Sine {
  double amplitude = 0.0;
  double omega = 0.0;  ///< [rad/time]
  double phase = 0.0;  ///< [rad]
};
/// amplitude w(t) sin(omega t): w rises along the first half of a four-term Blackman-Harris window of length
/// 8/bandwidth (its main lobe is `bandwidth` wide between the zeros), is one over the dwell and falls along the second
/// half.
struct SineBeat {
  double amplitude = 0.0;
  double omega = 0.0;      ///< [rad/time]
  double bandwidth = 0.0;  ///< [1/time]
  double dwell = 0.0;      ///< [time]
};
/// Samples of random noise in a period of its cut-off.
inline constexpr double noise_samples_per_period = 20.0;

/// Uniform random samples, low-passed by a fourth-order Butterworth filter, scaled to the peak `amplitude`, joined by
/// straight lines; the same numbers on every machine.
struct RandomNoise {
  double amplitude = 0.0;
  double cutoff = 0.0;  ///< [1/time]
  unsigned long long seed = 0;
  double duration = 0.0;  ///< zero beyond it [time]
};
/// A(t) sin(omega t), A from `from` to `to` along a straight line over `over`, then constant.
struct RampedSine {
  double from = 0.0;
  double to = 0.0;
  double over = 0.0;   ///< [time]
  double omega = 0.0;  ///< [rad/time]
};
/// Straight lines through points; zero before the first and after the last, unless the last value is held.
struct TableSignal {
  std::vector<double> times;  ///< strictly increasing
  std::vector<double> values;
  bool hold = false;  ///< keep the last value: a base that has moved stays there
};

/// mean + sum over h = 1, 2, ... of cosines[h-1] cos(h omega t) + sines[h-1] sin(h omega t).
struct Fourier {
  double omega = 0.0;  ///< of the first harmonic, > 0 [rad/time]
  double mean = 0.0;
  std::vector<double> cosines, sines;  ///< one a harmonic; either may be the shorter, or empty
};

/// (cos0 + cos1 tau) cos(omega tau) + (sin0 + sin1 tau) sin(omega tau); with omega = 0 a straight line.
struct SignalTerm {
  double omega = 0.0;  ///< >= 0 [rad/time]
  double cos0 = 0.0, cos1 = 0.0, sin0 = 0.0, sin1 = 0.0;
};

/// A signal ready to be evaluated. Immutable, cheap to copy, thread-safe.
class Signal {
 public:
  using Kind = std::variant<Constant, HalfSine, Sine, SineBeat, RandomNoise, RampedSine, TableSignal, Fourier>;

  /// Throws std::invalid_argument for values out of range.
  Signal(Kind kind);  // NOLINT(google-explicit-constructor): a kind is a signal

  [[nodiscard]] double value(double t) const;
  [[nodiscard]] double rate(double t) const;  ///< d/dt; at a corner, the one to its right
  /// The signal is zero before its start, 0 or later, and after its end.
  [[nodiscard]] double start() const { return start_; }
  [[nodiscard]] double end() const { return end_; }
  /// The next time after t at which value or rate may jump: samples, ends of ramps, start and end; infinite if none.
  [[nodiscard]] double next_corner(double t) const;
  /// Straight lines between its corners.
  [[nodiscard]] bool piecewise_linear() const;
  /// Appends the exact decomposition for t0 <= t <= next_corner(t0): value(t0 + tau) is the sum of the terms. Where the
  /// value jumps at t0 it is the one to the right; at the far end, the limit from the left. Nothing for a zero.
  void terms(double t0, std::vector<SignalTerm>& out) const;
  /// What a static load of this signal means: the amplitude, the first value of a table, the mean of a Fourier series.
  [[nodiscard]] double static_value() const;
  /// Can it be a normal load? A Fourier series may pass below zero by 1e-9 of its size: (1 + cos)^2 just touches it.
  [[nodiscard]] bool never_negative() const;
  [[nodiscard]] const Kind& kind() const { return kind_; }

 private:
  Kind kind_;
  double start_ = 0.0;
  double end_ = std::numeric_limits<double>::infinity();
  std::shared_ptr<const TableSignal> samples_;  ///< of noise and tables
};

}  // namespace microslip
