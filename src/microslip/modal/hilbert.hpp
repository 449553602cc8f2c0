#pragma once
// Amplitude, frequency and damping of one mode along its ring-down by the Hilbert transform, as the papers do it:
//   v + i H(v) = exp(psi_1 + i psi_2),  omega = dpsi_2/dt,  q = v/omega,  gamma = dpsi_1/dt - d(ln omega)/dt,
//   zeta = -gamma/sqrt(omega^2 + gamma^2)
// with psi_1 and psi_2 fitted by continuous piecewise-linear functions, the slopes taken at the middle of each piece.
// The papers leave d(ln omega)/dt out, which makes zeta the decay of the velocity, not of the amplitude q that it is
// tabulated against: 0.2 to 0.9 % on the oscillator of Paper I.
// Ref: Lacayo thesis, (2.15)-(2.22), signs of (2.20), (2.21) corrected. For comparison: the envelope of a signal with a
// third harmonic lies below its peaks, and the ends of the record are lost.

#include "microslip/modal/ringdown.hpp"

namespace microslip {

struct HilbertOptions {
  double trim_cycles = 5.0;  ///< left out at each end of the record
  int pieces = 0;            ///< 0: of ten cycles each, at most 200
  double noise = -1.0;       ///< as in RingdownOptions
  double floor = 10.0;
  std::vector<Biquad> noise_filter = {};
  bool remove_offset = true;
};

/// `half_cycles` of a point are those of its piece. Throws like turning_point_ringdown.
[[nodiscard]] RingdownCurve hilbert_ringdown(const SampledMotion& motion, const HilbertOptions& options = {});

}  // namespace microslip
