#include "microslip/measurement/mode_pairs.hpp"

#include <cmath>
#include <complex>

#include "microslip/measurement/measured_modes.hpp"
#include "microslip/numerics/assignment.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

/// Re(phi exp(-i a)), a = arg(phi^T phi)/2: the turn of the largest real part.
Eigen::VectorXd made_real(const Eigen::VectorXcd& shape) {
  const std::complex<double> square = (shape.array() * shape.array()).sum();
  const double angle = 0.5 * std::arg(square);
  return (shape * std::polar(1.0, -angle)).real();
}

}  // namespace

ModePairs pair_modes(const Eigen::MatrixXcd& measured, const Eigen::VectorXd& measured_frequency,
                     const Eigen::MatrixXd& model, const Eigen::VectorXd& model_frequency,
                     const PairingOptions& options) {
  ModePairs pairs;
  pairs.mac = modal_assurance(measured, model.cast<std::complex<double>>());
  Eigen::MatrixXd weights = pairs.mac;
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
      const double apart = std::log(model_frequency(j) / measured_frequency(i)) / options.frequency_spread;
      weights(i, j) = pairs.mac(i, j) < options.least_mac ? 0.0 : weights(i, j) * std::exp(-0.5 * apart * apart);
    }
  }
  pairs.partner = best_assignment(weights);
  pairs.scale = Eigen::VectorXd::Zero(measured.cols());
  pairs.real_shape.resize(measured.rows(), measured.cols());
  for (Eigen::Index i = 0; i < measured.cols(); ++i) {
    pairs.real_shape.col(i) = made_real(measured.col(i));
    const int j = pairs.partner[static_cast<std::size_t>(i)];
    if (j >= 0) pairs.scale(i) = model.col(j).dot(pairs.real_shape.col(i)) / model.col(j).squaredNorm();
  }
  return pairs;
}

Eigen::MatrixXd cross_orthogonality(const Eigen::MatrixXd& model, const Eigen::MatrixXd& mass,
                                    const Eigen::MatrixXd& measured) {
  const auto inverse_size = [&](const Eigen::MatrixXd& shapes) {
    Eigen::VectorXd size = congruent(mass, shapes).diagonal();
    for (double& value : size) value = value > 0.0 ? 1.0 / std::sqrt(value) : 0.0;
    return size;
  };
  const Eigen::MatrixXd product = transpose_times(model, times(mass, measured));
  return inverse_size(model).asDiagonal() * product * inverse_size(measured).asDiagonal();
}

}  // namespace microslip
