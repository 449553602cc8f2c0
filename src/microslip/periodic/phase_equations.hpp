#pragma once
// A list of events as equations for continuation: unknowns are the phases of the events and the free motion that is
// left at the end of the last arc, see piecewise_orbit.hpp; the parameter is frequency or level. Internal to piecewise
// orbits.

#include <Eigen/Core>
#include <optional>

#include "microslip/numerics/continuation.hpp"
#include "microslip/periodic/orbit_passage.hpp"
#include "microslip/periodic/sweep.hpp"

namespace microslip {

class PhaseEquations {
 public:
  /// The orbits must outlive it.
  PhaseEquations(PiecewiseOrbits& orbits, const Sweep& sweep) : orbits_(&orbits), sweep_(sweep) {}

  /// The events are those of an orbit, which has some, from now on. y counts from there: phases over pi, and motion
  /// over ten times its size.
  void take(const PiecewiseOrbit& orbit);
  /// y of the orbit that was taken.
  [[nodiscard]] Eigen::VectorXd origin() const { return Eigen::VectorXd::Zero(start_.size()); }
  /// Derivatives of the phases from those of y.
  [[nodiscard]] Eigen::VectorXd phases(const Eigen::VectorXd& y) const;
  /// No unknowns are missing near an orbit of the same events.
  [[nodiscard]] bool cover(const PiecewiseOrbit& orbit) const { return passage_->covers(orbit); }
  [[nodiscard]] Residual residual();
  /// The orbit of a solution; false where other events happen.
  [[nodiscard]] bool orbit(const CurvePoint& solution, PiecewiseOrbit& out);

 private:
  /// False where an arc is turned over.
  bool set(const Eigen::VectorXd& y, double lambda);

  PiecewiseOrbits* orbits_;
  Sweep sweep_;
  std::optional<orbit_passage::OrbitPassage> passage_;
  PiecewiseOrbit work_;
  Eigen::VectorXd start_, unit_, weight_;  ///< unknowns at y = 0, units of y, weights of the equations
  Eigen::MatrixXd derivatives_;
};

}  // namespace microslip
