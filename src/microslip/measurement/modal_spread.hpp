#pragma once
// How far the poles of parts of the data (single hits, the first part of each record) lie from those of all of them,
// beyond their noise: of a linear structure nothing, of one with joints what its frequency and damping change with
// amplitude.

#include <Eigen/Core>
#include <vector>

namespace microslip {

/// A number in all data and in parts of it, with standard errors of noise alone. A part is in the whole: of an
/// efficient estimate the variance of their difference is that of the part less that of the whole (Hausman 1978). Where
/// sum d^2/var(d) is no more than chance explains (99.9 %), 0; else the root mean square of d, less noise.
[[nodiscard]] double spread_beyond_noise(double whole, double whole_error, const Eigen::VectorXd& parts,
                                         const Eigen::VectorXd& part_errors);

/// x that a chi^2 number of n degrees of freedom exceeds with the chance of a normal number to exceed z (Wilson and
/// Hilferty 1931).
[[nodiscard]] double chi_squared_bound(double degrees, double z);

}  // namespace microslip
