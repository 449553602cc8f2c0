#pragma once
// Stability of a periodic motion: Floquet multipliers, the eigenvalues of the map of small disturbances over one
// period.
//
//   d eta'' + C d eta' + Omega^2 d eta + Psi dx = 0,   dx = dF - k du
//   Masing      dF = F0'(|u - u_r|/2) (du - du_r) + dF_r
//   Bouc-Wen    dz[n+1] = g(z[n+1]) (du[n+1] - du[n]) + gain dz[n]
//   spring      dF = F'(u) du
// The unknowns of the map are the states of the modes and the memory of the joints: the reversals that are unclosed at
// the start of the period (du_r; dF_r follows from them) and z. Sliders that never slip have no unknown, so that every
// multiplier says something. One that passes +1 is a fold or a branch point.
//
// Integrated like a transient by the exact propagator of each mode, dx linear over a step; reversals, closures,
// macroslip and contact of every joint fall on ends of steps. Second order in the step. Rigid modes are left out.
// Ref: docs/theory.md, "Stability".

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <string>

#include "microslip/periodic/harmonic_balance.hpp"

namespace microslip {

/// Why the multipliers of a system cannot be found; empty when they can.
[[nodiscard]] std::string stability_obstacle(const System& system);

/// How far the largest multiplier of one map is from that of another, by magnitude; where two may meet on the real axis
/// and leave it, by the way to the nearest: there they move by the root of what moved the map.
[[nodiscard]] double multiplier_change(std::complex<double> largest, const Eigen::VectorXcd& others);

/// A multiplier and how far it may be off, by the steps of the integration and by the motion it belongs to.
struct MultiplierEstimate {
  std::complex<double> value = 0.0;
  double error = 0.0;
};

class Floquet {
 public:
  /// `steps`: in a period, at least. The system must outlive it. Throws std::invalid_argument with the obstacle.
  explicit Floquet(const System& system, int steps = 256);
  ~Floquet();
  Floquet(Floquet&&) noexcept;
  Floquet& operator=(Floquet&&) noexcept;
  Floquet(const Floquet&) = delete;
  Floquet& operator=(const Floquet&) = delete;

  /// All multipliers, largest first.
  [[nodiscard]] Eigen::VectorXcd multipliers(const PeriodicOrbit& orbit) const;
  /// The largest one, extrapolated from two lengths of steps or more; `rough` is the same motion less exactly, whose
  /// distance says what is left to be wrong. Steps are halved until the error is below 1e-3 and does not hide on which
  /// side of the unit circle it lies, or up to 32 times as many as given do not tell.
  [[nodiscard]] MultiplierEstimate largest(const PeriodicOrbit& orbit, const PeriodicOrbit& rough) const;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace microslip
