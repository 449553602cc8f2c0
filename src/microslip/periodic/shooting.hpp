#pragma once
// Shooting: periodic motions as fixed points of the period map, by Newton with its exact derivative, and their
// stability, from the eigenvalues of the extended monodromy matrix (Floquet multipliers).
//
// The steps of a period are those of the transient: a solution is the steady state that a simulation with this step
// ends in, to rounding. What the step leaves out falls with its square.
//
// Ref: docs/theory.md, "Shooting".

#include <Eigen/Core>
#include <complex>
#include <string>

#include "microslip/periodic/harmonic_balance.hpp"
#include "microslip/periodic/period_map.hpp"
#include "microslip/system/ending.hpp"

namespace microslip {

/// A fixed point of the period map.
struct ShootingSolution {
  bool converged = false;
  std::string message;
  PeriodState state;
  PeriodDerivative derivative;
  int iterations = 0;     ///< periods run
  double residual = 0.0;  ///< relative, at the last of them
};

/// What a period of many steps leaves of a multiplier's distance from 1.
constexpr double map_rounding = 1e-10;

/// Newton from the guess in `start`. Where the reversals of the guess do not match those of the period it leads to, the
/// memory follows the motion until they do.
[[nodiscard]] ShootingSolution shoot(PeriodMap& map, PeriodState start, double omega, double level,
                                     double tolerance = 1e-9, int max_iterations = 40);

/// `periods` periods, one after the other, without Newton; false when one fails.
bool settle(PeriodMap& map, PeriodState& state, double omega, double level, int periods);

/// The start of a period of a motion given by its series, to begin Newton with.
[[nodiscard]] PeriodState period_start(const PeriodMap& map, const HarmonicLoad& load, const PeriodicOrbit& orbit);

/// Floquet multiplier of largest modulus.
[[nodiscard]] std::complex<double> largest_multiplier(const Eigen::MatrixXd& monodromy);

}  // namespace microslip
