#pragma once
// A linear system whose sampled motion under a sampled force is known without error: modes x'' + 2 zeta w x' + w^2 x =
// f with the force as impulses at the samples. The response to impulses f_j at times j h is the sum of impulse
// responses, so that its transform over all time is exactly F(k) sum_r of that of the sampled impulse response, a
// geometric series:
//   H(z) = sum_r phi_r sum_n Im(exp(s_r n h))/wd_r z^-n = sum_r phi_r/(2i wd_r) (1/(1 - e^{s h}/z) - 1/(1 - e^{s*
//   h}/z)).

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace microslip::test {

struct KnownMode {
  double frequency_hz, zeta;
  std::vector<double> participation;  ///< by channel: shape at the channel times shape at the force
};

struct KnownSystem {
  double step;
  std::vector<KnownMode> modes;

  using Complex = std::complex<double>;
  [[nodiscard]] static Complex pole(const KnownMode& mode) {
    const double w = 2.0 * std::numbers::pi * mode.frequency_hz;
    return {-mode.zeta * w, w * std::sqrt(1.0 - mode.zeta * mode.zeta)};
  }

  /// Displacements under the force, at rest before it; or velocities (1) or accelerations (2), of these without what
  /// the force does while it acts.
  [[nodiscard]] std::vector<double> response(const std::vector<double>& force, std::size_t channel,
                                             int derivative = 0) const {
    std::vector<double> x(force.size(), 0.0);
    for (const KnownMode& mode : modes) {
      const Complex s = pole(mode), turn = std::exp(s * step), factor = std::pow(s, derivative);
      Complex state = 0.0;
      for (std::size_t j = 0; j < force.size(); ++j) {
        state = state * turn + force[j];
        x[j] += mode.participation[channel] * (factor * state).imag() / s.imag();
      }
    }
    return x;
  }

  /// Of the samples, with all poles shifted by `decay` to the left.
  [[nodiscard]] Complex transfer(double frequency_hz, std::size_t channel, double decay = 0.0) const {
    const Complex z = std::exp(Complex(0.0, 2.0 * std::numbers::pi * frequency_hz * step));
    Complex sum = 0.0;
    for (const KnownMode& mode : modes) {
      const Complex s = pole(mode), root = std::exp((s - decay) * step),
                    other = std::exp((std::conj(s) - decay) * step);
      sum += mode.participation[channel] / Complex(0.0, 2.0 * s.imag()) *
             (1.0 / (1.0 - root / z) - 1.0 / (1.0 - other / z));
    }
    return sum;
  }
};

/// Half a sine of so many samples from `begin` on.
inline void add_pulse(std::vector<double>& force, std::size_t begin, std::size_t length, double peak) {
  for (std::size_t j = 1; j < length; ++j) {
    force[begin + j] += peak * std::sin(std::numbers::pi * static_cast<double>(j) / static_cast<double>(length));
  }
}

}  // namespace microslip::test
