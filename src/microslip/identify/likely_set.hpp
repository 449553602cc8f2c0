#pragma once
// What data say of a model that is linear in unknowns which cannot be negative, without any smoothing: all
//
//   x,  x_i >= 0:   |A x - y|^2 <= least + 2 t^2 sigma^2 a
//
// rows divided by the standard deviation of their noise, up to a factor sigma where that is not known. The range of
// c^T x over them is its band, one quantity at a time: a profile likelihood (O'Leary and Rust 1986, SIAM J. Sci. Stat.
// Comput. 7, Confidence intervals for inequality-constrained least squares problems). Without signs t^2 would do; with
// them noise adds unknowns that cannot be taken away again below 0, and a quantity that all of them raise is held by
// t^2 in 84 to 96 % of cases instead of 95 % (Batlle et al. 2023, arXiv 2310.02461, on why): 2 t^2, bands wider by 1.4,
// holds 95 % of those and more of the others (docs/theory.md).
//
//   least     of |A x - y|^2 over x >= 0
//   sigma^2   least/(n - d), d the trace of the map from data to fit: unknowns that are positive there, and not alike
//   t         of Student's distribution with n - d degrees of freedom; known noise: sigma = 1, t of the normal one
//   a         how many neighbours share one error (residual_correlation.hpp); 1 for white noise
//
// Few points may be met exactly, or nearly so, and tell no noise then: with n - d < 5, a = 1 and, where rows are in
// units of the root mean square that a smooth fit with d_s effective unknowns leaves, sigma^2 = n/(n - d_s) and t with
// n - d_s degrees of freedom.
//
// The farthest member in the direction c minimises 1/2 |A x - y|^2 - s c^T x, x >= 0, with the s that meets the bound.
// x(s) is piecewise linear: from the nearest member on, the positive unknowns move in straight lines until one of them
// reaches 0 or a zero wants to grow, which is exchanged; on each piece the sum of squares is a constant and a multiple
// of s^2, and the s that meets the bound has a closed form. One small Cholesky factorisation a piece.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "microslip/numerics/nonnegative_quadratic.hpp"

namespace microslip {

/// What is known of the noise of the rows beside what they leave.
struct RowNoise {
  bool known = false;            ///< sigma = 1
  std::optional<double> fitted;  ///< d_s, if rows are in units of what such a fit leaves
};

class LikelySet {
 public:
  /// `rows`: how many belong to each sequence of neighbours. The first `free` unknowns have any sign.
  LikelySet(Eigen::MatrixXd columns, const Eigen::VectorXd& data, int free, double confidence,
            std::span<const std::size_t> rows, RowNoise noise = {});

  /// False: there is no nearest member to be found, nor any other.
  [[nodiscard]] bool converged() const { return converged_; }
  /// The member nearest to the data.
  [[nodiscard]] const Eigen::VectorXd& nearest() const { return nearest_; }

  struct Farthest {
    Eigen::VectorXd x;
    bool found = false;  ///< false: x may be short of the farthest
  };
  /// The member that goes farthest in the direction c.
  [[nodiscard]] Farthest farthest(const Eigen::VectorXd& c) const;

  struct Range {
    double low = 0.0, high = 0.0;
  };
  /// Of c^T x over all members; an end that is not found is infinite.
  [[nodiscard]] Range range(const Eigen::VectorXd& c) const;

 private:
  Eigen::VectorXd scale_;  // makes columns of length 1
  Eigen::MatrixXd h_;      // of those
  Eigen::VectorXd b_;
  double square_ = 0.0;  // of the data
  int free_;
  bool converged_ = false;
  double least_ = 0.0, rise_ = 0.0;
  Eigen::VectorXd nearest_;
  std::vector<int> positive_;  // of the nearest
};

}  // namespace microslip
