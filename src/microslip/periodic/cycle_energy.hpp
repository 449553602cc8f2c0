#pragma once
// What a harmonic load puts into a periodic motion, against the energy that swings: an equivalent damping ratio.
//
//   zeta = W/(4 pi E),   W = pi Im(eta^H P),   E = omega^2 |eta|^2/2
//
// eta, P: first harmonics of the modal displacements (relative to the ground) and of the load. W is the work of the
// load in a period, which joints and damping take; higher harmonics meet no load. E is the kinetic energy of the first
// harmonic as it passes the middle, all parts in phase. One oscillator with viscous damping c has c/(2 m omega).

#include <Eigen/Core>

#include "microslip/periodic/harmonic_balance.hpp"
#include "microslip/periodic/joint_receptance.hpp"

namespace microslip {

struct CycleEnergy {
  double work = 0.0;     ///< of the load, in a period [energy]
  double kinetic = 0.0;  ///< of the first harmonic [energy]
  [[nodiscard]] double damping_ratio() const;
};

class CycleEnergies {
 public:
  /// Both must outlive it. Throws like JointReceptance.
  CycleEnergies(const System& system, const HarmonicLoad& load);
  [[nodiscard]] CycleEnergy of(const PeriodicOrbit& orbit);

 private:
  const System* system_;
  JointReceptance receptance_;
  Eigen::VectorXcd force_, ground_;  ///< Phi^T p and Phi^T M r, per unit level; ground: empty without one
};

}  // namespace microslip
