#pragma once
// Static equilibrium with the memory of the joints: K q + B f(u) = lambda p, lambda from 0 to 1.

#include <Eigen/Core>
#include <string>

#include "microslip/system/ending.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

struct StaticOptions {
  int steps = 20;            ///< load steps of the ramp (halved where Newton fails)
  int max_iterations = 50;   ///< Newton iterations a step
  double tolerance = 1e-12;  ///< of the joint forces, relative
};

struct StaticSolution {
  Ending ending = Ending::completed;
  std::string message;
  Eigen::VectorXd q;
  Eigen::VectorXd forces;  ///< joint forces, one a component
  JointMemory memory;      ///< of the joints after the ramp
  double load_fraction = 0.0;
};

/// Ramps the force monotonically from rest. Free-free structures: the part of the force that moves the rigid modes is
/// taken by inertia relief. Solved in joint space: u + A f~(u) = lambda B^T K0^+ p.
[[nodiscard]] StaticSolution static_solution(const System& system, const Eigen::VectorXd& force,
                                             const StaticOptions& options = {});

}  // namespace microslip
