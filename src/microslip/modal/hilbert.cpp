#include "microslip/modal/hilbert.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include "microslip/modal/velocity_signal.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fft.hpp"

namespace microslip {
namespace {

/// Samples a cycle, from the changes of sign in the first tenth.
std::size_t samples_a_cycle(std::span<const double> y) {
  const std::size_t count = std::max<std::size_t>(y.size() / 10, 16);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < count; ++i) changes += (y[i] < 0.0) != (y[i - 1] < 0.0) ? 1 : 0;
  return changes < 2 ? y.size() : 2 * count / changes;
}

/// The largest |y| of a stretch that is larger than its neighbours; the start of the stretch when there is none.
std::size_t extremum(std::span<const double> y, std::size_t from, std::size_t to) {
  std::size_t best = from;
  for (std::size_t i = std::max<std::size_t>(from, 1); i + 1 < std::min(to, y.size()); ++i) {
    const double here = std::abs(y[i]);
    if (here <= std::abs(y[i - 1]) || here < std::abs(y[i + 1])) continue;
    if (best == from || here > std::abs(y[best])) best = i;
  }
  return best;
}

/// The analytic signal of a record from extremum to extremum that is continued at both ends as its mirror image, at the
/// end fading away. The transform of the bare record would see a jump from its end to its start. A mirror at another
/// phase phi would leave a kink whose mean reaches far into the record, as 2 sin(phi)/(pi omega t).
std::vector<std::complex<double>> mirrored_analytic_signal(std::span<const double> y) {
  const std::size_t n = y.size(), fading = n / 10;
  const std::size_t half = fast_length_above(n + fading);
  std::vector<double> both(2 * half, 0.0);
  std::copy(y.begin(), y.end(), both.begin());
  for (std::size_t i = 1; i < fading; ++i) {
    const double share = std::cos(0.5 * pi * static_cast<double>(i) / static_cast<double>(fading));
    both[n - 1 + i] = share * share * y[n - 1 - i];
  }
  for (std::size_t i = 1; i < half; ++i) both[2 * half - i] = both[i];
  const std::vector<double> turned = hilbert_transform(both);
  std::vector<std::complex<double>> z(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = {y[i], turned[i]};
  return z;
}

/// Continuous piecewise-linear fit to samples, knots evenly spaced.
class PiecewiseLinear {
 public:
  PiecewiseLinear(std::span<const double> y, std::size_t pieces) : values_(pieces + 1, 0.0) {
    const double width = static_cast<double>(y.size() - 1) / static_cast<double>(pieces);
    std::vector<double> diagonal(pieces + 1, 0.0), beside(pieces, 0.0);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double x = static_cast<double>(i) / width;
      const std::size_t piece = std::min(static_cast<std::size_t>(x), pieces - 1);
      const double right = x - static_cast<double>(piece), left = 1.0 - right;
      diagonal[piece] += left * left;
      diagonal[piece + 1] += right * right;
      beside[piece] += left * right;
      values_[piece] += left * y[i];
      values_[piece + 1] += right * y[i];
    }
    for (std::size_t k = 0; k < pieces; ++k) {  // symmetric, positive definite
      const double factor = beside[k] / diagonal[k];
      diagonal[k + 1] -= factor * beside[k];
      values_[k + 1] -= factor * values_[k];
    }
    values_[pieces] /= diagonal[pieces];
    for (std::size_t k = pieces; k-- > 0;) values_[k] = (values_[k] - beside[k] * values_[k + 1]) / diagonal[k];
  }
  [[nodiscard]] double middle(std::size_t piece) const { return 0.5 * (values_[piece] + values_[piece + 1]); }
  [[nodiscard]] double rise(std::size_t piece) const { return values_[piece + 1] - values_[piece]; }

 private:
  std::vector<double> values_;  ///< at the knots
};

/// The rise of a piece of the fit is sum_i w_i y_i with w piecewise linear too, w = M^{-1}(e_{k+1} - e_k) at the knots,
/// M the matrix of the hats: width tridiag(1/6, 2/3, 1/6), 1/3 in its corners. Weights fall to 0.27 from knot to knot.
struct RiseWeights {
  static constexpr std::size_t reach = 24;  ///< 0.27^24 = 2e-14
  std::size_t first;                        ///< knot
  std::vector<double> at_knot;              ///< times the width

  RiseWeights(std::size_t piece, std::size_t pieces) : first(piece > reach ? piece - reach : 0) {
    const std::size_t last = std::min(piece + 1 + reach, pieces), count = last - first + 1;
    at_knot.assign(count, 0.0);
    at_knot[piece - first] = -1.0;
    at_knot[piece - first + 1] = 1.0;
    std::vector<double> diagonal(count, 2.0 / 3.0);
    diagonal.front() = diagonal.back() = 1.0 / 3.0;
    for (std::size_t k = 0; k + 1 < count; ++k) {
      const double factor = 1.0 / (6.0 * diagonal[k]);
      diagonal[k + 1] -= factor / 6.0;
      at_knot[k + 1] -= factor * at_knot[k];
    }
    at_knot[count - 1] /= diagonal[count - 1];
    for (std::size_t k = count - 1; k-- > 0;) at_knot[k] = (at_knot[k] - at_knot[k + 1] / 6.0) / diagonal[k];
  }
  /// Integral of w^2 over each piece times its density, over the width.
  [[nodiscard]] double square(std::span<const double> density) const {
    double sum = 0.0;
    for (std::size_t k = 0; k + 1 < at_knot.size(); ++k) {
      const double a = at_knot[k], b = at_knot[k + 1];
      sum += density[first + k] * (a * a + a * b + b * b) / 3.0;
    }
    return sum;
  }
  /// |W|^2 at an angle a width: |sum_k w_k e^{iku}|^2 (sin(u/2)/(u/2))^4.
  [[nodiscard]] double spectrum(double u) const {
    std::complex<double> sum = 0.0;
    for (std::size_t k = 0; k < at_knot.size(); ++k) sum += at_knot[k] * std::polar(1.0, static_cast<double>(k) * u);
    const double hat = std::sin(0.5 * u) / (0.5 * u);
    return std::norm(sum) * hat * hat * hat * hat;
  }
};

/// Noise n of density S beside a signal of amplitude V and frequency omega moves psi_1 and psi_2 alike, by
/// (n + i H(n)) e^{-i psi_2}/V: density (S(omega + nu) + S(omega - nu))/V^2 at nu. Over what it is at nu = 0, as a rise
/// over a piece sees it.
double colour_of_rises(const VelocityNoise& noise, double omega, double duration, std::size_t pieces) {
  const double centre = 2.0 * noise.density(omega);
  if (!(centre > 0.0)) return 1.0;
  const RiseWeights weights(pieces / 2, pieces);
  double coloured = 0.0, white = 0.0;
  constexpr double step = 0.05;
  for (double u = 0.5 * step; u < 8.0 * pi; u += step) {
    const double gain = weights.spectrum(u), nu = u / duration;
    coloured += gain * (noise.density(omega + nu) + (nu < omega ? noise.density(omega - nu) : 0.0));
    white += gain * centre;
  }
  return coloured / white;
}

/// psi_1 and psi_2.
struct LogSignal {
  std::vector<double> amplitude, phase;
};

LogSignal logarithm(std::span<const std::complex<double>> z) {
  LogSignal result{std::vector<double>(z.size()), std::vector<double>(z.size())};
  double phase = std::arg(z[0]);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (i > 0) phase += std::arg(z[i] * std::conj(z[i - 1]));
    result.amplitude[i] = 0.5 * std::log(std::max(std::norm(z[i]), 1e-300));
    result.phase[i] = phase;
  }
  return result;
}

/// By how much 1 of the sensor's offset, left in, moves psi_1 and psi_2: d ln z = dz/z, dz the analytic signal of what
/// it leaves in the velocity. Zeros where none was looked for.
LogSignal effect_of_offset(std::span<const std::complex<double>> z, std::span<const double> left) {
  LogSignal effect{std::vector<double>(z.size(), 0.0), std::vector<double>(z.size(), 0.0)};
  if (left.empty()) return effect;
  const auto change = mirrored_analytic_signal(left);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const std::complex<double> by = change[i] / z[i];
    effect.amplitude[i] = by.real();
    effect.phase[i] = by.imag();
  }
  return effect;
}

/// Samples up to where the envelope, averaged over a cycle, falls below the floor.
std::size_t above_floor(std::span<const double> log_amplitude, std::size_t cycle, double floor) {
  for (std::size_t i = 0; i + cycle <= log_amplitude.size(); i += cycle) {
    double sum = 0.0;
    for (std::size_t k = 0; k < cycle; ++k) sum += log_amplitude[i + k];
    if (sum < static_cast<double>(cycle) * std::log(std::max(floor, 1e-150))) return i;
  }
  return log_amplitude.size();
}

}  // namespace

RingdownCurve hilbert_ringdown(const SampledMotion& given, const HilbertOptions& options) {
  const VelocitySignal signal =
      velocity_signal(given, options.noise, options.noise_filter, options.floor, options.remove_offset);
  const SampledMotion& motion = signal.motion;
  RingdownCurve curve;
  curve.noise = signal.signal_noise;
  curve.offset = signal.offset;
  const std::span<const double> y = motion.values;
  if (y.size() < 16) {
    curve.message = "too few cycles for a Hilbert transform";
    return curve;
  }
  const std::size_t rough = samples_a_cycle(y), begin = extremum(y, 0, rough);
  const std::size_t last = extremum(y, y.size() - std::min(rough, y.size() / 2), y.size());
  if (last < begin + 8) {
    curve.message = "too few cycles for a Hilbert transform";
    return curve;
  }
  const auto z = mirrored_analytic_signal(y.subspan(begin, last - begin + 1));
  const LogSignal psi = logarithm(z);
  const std::size_t above = above_floor(psi.amplitude, std::min(rough + 1, z.size()), options.floor * signal.noise);
  if (above < 2) {
    curve.message = "too few cycles above the noise";
    return curve;
  }
  const double cycle = 2.0 * pi * static_cast<double>(above - 1) / (psi.phase[above - 1] - psi.phase.front());
  const double turns = static_cast<double>(z.size()) / cycle;
  if (!(turns > 2.0 * options.trim_cycles + 2.0)) {
    curve.message = "too few cycles for a Hilbert transform: " + std::to_string(turns);
    return curve;
  }
  const auto trim = static_cast<std::size_t>(options.trim_cycles * cycle);
  const std::size_t end = std::min(z.size() - trim, above);
  if (end < trim + static_cast<std::size_t>(2.0 * cycle)) {
    curve.message = "too few cycles above the noise";
    return curve;
  }
  const std::size_t count = end - trim;
  const double cycles = static_cast<double>(count) / cycle;
  const auto pieces = options.pieces > 0 ? static_cast<std::size_t>(options.pieces)
                                         : static_cast<std::size_t>(std::clamp(cycles / 10.0, 1.0, 200.0));
  const PiecewiseLinear amplitude(std::span(psi.amplitude).subspan(trim, count), pieces);
  const PiecewiseLinear phase(std::span(psi.phase).subspan(trim, count), pieces);
  const std::span<const double> left = signal.offset_left;
  const LogSignal effect = effect_of_offset(z, left.empty() ? left : left.subspan(begin, z.size()));
  const PiecewiseLinear amplitude_by_offset(std::span(effect.amplitude).subspan(trim, count), pieces);
  const PiecewiseLinear phase_by_offset(std::span(effect.phase).subspan(trim, count), pieces);
  const double width = static_cast<double>(count - 1) / static_cast<double>(pieces);
  const double duration = width * motion.step;
  for (std::size_t k = 0; k < pieces; ++k) {
    RingdownPoint point;
    point.time = motion.time(static_cast<double>(begin + trim) + (static_cast<double>(k) + 0.5) * width);
    point.omega = phase.rise(k) / duration;
    point.v = std::exp(amplitude.middle(k));
    point.q = point.v / point.omega;
    point.half_cycles = static_cast<int>(2.0 * width / cycle);
    curve.points.push_back(point);
  }
  const double mean_omega = 2.0 * pi / (cycle * motion.step);
  const VelocityNoise coloured(given.quantity, signal.white_noise, options.noise_filter, motion.step, pi / mean_omega);
  const double density = 2.0 * coloured.density(mean_omega) * colour_of_rises(coloured, mean_omega, duration, pieces);
  std::vector<double> densities;
  for (const RingdownPoint& point : curve.points) densities.push_back(density / (point.v * point.v));
  for (std::size_t k = 0; k < pieces; ++k) {
    RingdownPoint& point = curve.points[k];
    const RingdownPoint &before = curve.points[k > 0 ? k - 1 : k], &after = curve.points[std::min(k + 1, pieces - 1)];
    double gamma = amplitude.rise(k) / duration;
    if (pieces > 1) gamma -= std::log(after.omega / before.omega) / (after.time - before.time);
    point.zeta = -gamma / std::hypot(point.omega, gamma);
    const double rise_error = std::sqrt(RiseWeights(k, pieces).square(densities) / duration);
    const auto error = [&](const PiecewiseLinear& by_offset) {
      return std::hypot(rise_error, signal.offset.error * by_offset.rise(k)) / duration;
    };
    point.omega_error = error(phase_by_offset);
    point.zeta_error = error(amplitude_by_offset) / point.omega;
  }
  return curve;
}

}  // namespace microslip
