#include "microslip/measurement/measured_modes.hpp"

namespace microslip {

Eigen::MatrixXd modal_assurance(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b) {
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(a.cols(), b.cols());
  for (Eigen::Index i = 0; i < a.cols(); ++i) {
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      const double norms = a.col(i).squaredNorm() * b.col(j).squaredNorm();
      if (norms > 0.0) values(i, j) = std::norm(a.col(i).dot(b.col(j))) / norms;
    }
  }
  return values;
}

}  // namespace microslip
