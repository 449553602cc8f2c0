#pragma once
// Every scheme as one linear recurrence of the stuck modes. With z = (eta, eta', eta'') and g the total modal force,
//
//   z[n+1] = T z[n] + b0 g[n] + b1 g[n+1]
//
// Newmark, HHT and generalised-alpha are one family (Chung and Hulbert 1993):
//   eta[n+1]  = eta + h eta' + h^2 (1/2 - beta) eta'' + beta h^2 eta''[n+1]
//   eta'[n+1] = eta' + h (1 - gamma) eta'' + gamma h eta''[n+1]
//   (1-am) eta''[n+1] + am eta'' + (1-af) r[n+1] + af r[n] = (1-af) g[n+1] + af g[n],   r = c eta' + omega^2 eta
// The exact scheme propagates each mode by the matrix exponential, g linear over the step.

#include <Eigen/Core>
#include <vector>

#include "microslip/transient/transient.hpp"

namespace microslip {

/// Motion of the modes: displacement, velocity, acceleration.
struct ModalState {
  Eigen::VectorXd d, v, a;
};

/// Diagonal damping: coefficients of each mode, in blocks of eight modes so that a step reads them in one sweep. The
/// number of modes is a multiple of eight.
struct DiagonalScheme {
  // Aligned for vector registers, which std::vector is not.
  Eigen::VectorXd transition;  ///< a block: T row by row, nine times eight numbers
  Eigen::VectorXd from_old;    ///< a block: b0, three times eight
  Eigen::VectorXd from_new;    ///< a block: b1, three times eight
  bool uses_old_force = false;
};

/// Coefficient `k` of the first `count` modes, of blocks with `rows` coefficients a mode.
[[nodiscard]] Eigen::VectorXd coefficient_of_modes(const Eigen::VectorXd& blocks, int rows, int k, Eigen::Index count);

/// Coupled damping: the acceleration by dense matrices, the rest by the Newmark relations.
struct CoupledScheme {
  Eigen::MatrixXd from_d, from_v, from_a;  ///< a[n+1] from the old state
  Eigen::MatrixXd from_new_force;          ///< a[n+1] from g[n+1]
  double old_force_share = 0.0;            ///< a[n+1] from g[n], over from_new_force
  double h = 0.0, d_from_old_a = 0.0, d_from_a = 0.0, v_from_old_a = 0.0, v_from_a = 0.0;
};

[[nodiscard]] DiagonalScheme diagonal_scheme(const TransientOptions& options, double step, const Eigen::VectorXd& omega,
                                             const Eigen::VectorXd& damping);
[[nodiscard]] CoupledScheme coupled_scheme(const TransientOptions& options, double step, const Eigen::VectorXd& omega,
                                           const Eigen::MatrixXd& damping);

}  // namespace microslip
