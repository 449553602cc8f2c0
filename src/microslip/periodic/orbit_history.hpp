#pragma once
// One periodic motion in full: displacements and velocities over a period, hysteresis loops, tangents, the share of the
// joints that slips, and where their sliders are.

#include <Eigen/Core>
#include <vector>

#include "microslip/periodic/harmonic_balance.hpp"

namespace microslip {

/// A slider of a joint over the period.
struct SliderTrace {
  int joint = 0;
  double strength = 0.0;         ///< deflection at which it slips [length]
  std::vector<double> position;  ///< at every time [length]
  [[nodiscard]] bool slips() const;
};

struct OrbitHistory {
  std::vector<double> time;       ///< from 0 to the period, both included
  Eigen::MatrixXd q, v;           ///< degrees of freedom x times
  Eigen::MatrixXd u, f, tangent;  ///< joint components x times
  Eigen::MatrixXd slipped;  ///< joints x times: share of the stuck stiffness that slips; NaN: the law has no sliders
  std::vector<SliderTrace> sliders;
};

/// `intervals` equal parts of the period; `sliders` of each joint that has them, strengths evenly spaced in logarithm
/// up to the strongest. Joints are driven from rest by the deflections of the motion until they repeat.
[[nodiscard]] OrbitHistory orbit_history(const System& system, const HarmonicLoad& load, const PeriodicOrbit& orbit,
                                         const std::vector<int>& dofs, int intervals, int sliders);

/// Fourier coefficients of displacements, (2 H + 1) x dofs.
[[nodiscard]] Eigen::MatrixXd orbit_series(const System& system, const HarmonicLoad& load, const PeriodicOrbit& orbit,
                                           const std::vector<int>& dofs);

}  // namespace microslip
