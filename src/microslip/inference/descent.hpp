#pragma once
// Least value of a function of parameters in a box, by Levenberg's and Marquardt's method: steps
//
//   minimise  g^T d + 1/2 d^T (H + mu D^-2) d  over x + d in the box,   D: units of the parameters
//
// with mu by the ratio of what a step gains to what it should gain (Nielsen 1999). H is any positive semidefinite
// curvature, that of Gauss and Newton for sums of squares. Ends when the undamped step could gain no more than
// `tolerance`: of half a sum of squares in standard errors, 1e-8 is 1e-4 of a standard error. Values that are
// themselves computed to less, and let no step gain anything, end it at up to 1e5 tolerances.
//
// Not Ceres: its bounds are kept by projecting steps, which stalls where parameters lean on each other; it asks for
// values first and derivatives later, where a model gives both at once; the number of its rows is fixed, and its log is
// one for all threads.

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "microslip/inference/residual_problem.hpp"

namespace microslip {

struct LocalModel {
  double value = 0.0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd curvature;
  std::string why;  ///< not empty: there is no value here
};
using LocalFunction = std::function<LocalModel(const Eigen::VectorXd& x)>;

struct Box {
  Eigen::VectorXd low, high;  ///< equal ends hold a parameter
  Eigen::VectorXd unit;       ///< D > 0
};
/// Of the parameters, in units of the standard deviations of their priors.
[[nodiscard]] Box box_of(const std::vector<ResidualProblem::Parameter>& parameters);

struct DescentOptions {
  int max_iterations = 200;
  double tolerance = 1e-10;  ///< of the value, absolute
  double relative = 1e-14;   ///< the same, of the value itself
  /// Asked before every evaluation; true ends the descent where it is.
  std::function<bool()> stopped;
};

struct Descent {
  Eigen::VectorXd x;
  LocalModel model;  ///< there
  bool converged = false;
  bool interrupted = false;
  std::size_t evaluations = 0;
  std::string why;  ///< not empty: not converged, and this is why
};

/// `start` is moved into the box.
[[nodiscard]] Descent descend(const LocalFunction& function, const Box& box, const Eigen::VectorXd& start,
                              const DescentOptions& options = {});

}  // namespace microslip
