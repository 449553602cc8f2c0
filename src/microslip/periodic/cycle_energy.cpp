#include "microslip/periodic/cycle_energy.hpp"

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/harmonic_amplitude.hpp"

namespace microslip {

double CycleEnergy::damping_ratio() const {
  return work / (4.0 * pi * kinetic);
}

CycleEnergies::CycleEnergies(const System& system, const HarmonicLoad& load)
    : system_(&system), receptance_(system, load, 1) {
  const Eigen::MatrixXd& shapes = system.stuck_modes().shapes;
  force_ = transpose_times(shapes, load.force);
  if (load.ground.size() > 0) ground_ = transpose_times(system.structure().mass() * shapes, load.ground);
}

CycleEnergy CycleEnergies::of(const PeriodicOrbit& orbit) {
  const double omega = orbit.omega;
  receptance_.set_omega(omega);
  const Eigen::MatrixXd x = orbit.force - orbit.deflection * system_->stuck_joint_stiffness();
  Eigen::VectorXcd first(x.cols());
  for (Eigen::Index c = 0; c < x.cols(); ++c) first(c) = amplitude_of(x.col(c).data(), 1);
  const Eigen::VectorXcd eta = receptance_.modal(1, first, orbit.level);
  Eigen::VectorXcd load = force_;
  if (ground_.size() > 0) {
    load += std::complex<double>(omega * omega, -omega * system_->absolute_mass_damping()) * ground_;
  }
  return {pi * orbit.level * eta.dot(load).imag(), 0.5 * omega * omega * eta.squaredNorm()};
}

}  // namespace microslip
