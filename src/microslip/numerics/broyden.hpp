#pragma once
// Broyden's method with factors B of some matrix near R': every step s_k improves the inverse by a matrix of rank one
// so that it maps the last change of R to the last step. Only the steps are kept:
//
//   z = -B^-1 R,  z += s_{j+1} (s_j.z)/|s_j|^2 for j < k,   s_{k+1} = z/(1 - s_k.z/|s_k|^2)
//
// Ref: Kelley, Iterative Methods for Linear and Nonlinear Equations (1995), section 7.3.

#include <Eigen/Core>
#include <vector>

namespace microslip {

class Broyden {
 public:
  /// With new factors, or from another place.
  void begin() { number_ = 0; }

  /// The step to take, from z = -B^-1 R at the present place.
  const Eigen::VectorXd& step(Eigen::VectorXd& z) {
    if (steps_.size() == number_) {
      steps_.emplace_back();
      squares_.emplace_back();
    }
    for (std::size_t j = 0; j + 1 < number_; ++j) z += steps_[j].dot(z) / squares_[j] * steps_[j + 1];
    if (number_ > 0) z /= 1.0 - last().dot(z) / squares_[number_ - 1];
    steps_[number_] = z;
    squares_[number_] = z.squaredNorm();
    ++number_;
    return last();
  }
  [[nodiscard]] const Eigen::VectorXd& last() const { return steps_[number_ - 1]; }

 private:
  std::size_t number_ = 0;
  std::vector<Eigen::VectorXd> steps_;  ///< of the last ones, kept as workspace
  std::vector<double> squares_;
};

}  // namespace microslip
