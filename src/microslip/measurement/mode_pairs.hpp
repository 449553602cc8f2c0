#pragma once
// Which mode of a model is which measured one, by shape and frequency.

#include <Eigen/Core>
#include <vector>

namespace microslip {

struct PairingOptions {
  double least_mac = 0.5;         ///< a pair has at least this
  double frequency_spread = 0.2;  ///< standard deviation of ln(model's frequency/measured one) that counts as near
};

struct ModePairs {
  Eigen::MatrixXd mac;         ///< measured modes x modes of the model
  std::vector<int> partner;    ///< index of the model's mode of each measured one; -1: none
  Eigen::VectorXd scale;       ///< of a pair: measured shape ~ scale * shape of the model, with its sign; 0: none
  Eigen::MatrixXd real_shape;  ///< measured shapes, each turned in the complex plane to be as real as it can
};

/// Pairs with the largest sum of MAC exp(-(ln(f_model/f_measured)/spread)^2/2). Shapes are points x modes, at the same
/// points; frequencies > 0.
[[nodiscard]] ModePairs pair_modes(const Eigen::MatrixXcd& measured, const Eigen::VectorXd& measured_frequency,
                                   const Eigen::MatrixXd& model, const Eigen::VectorXd& model_frequency,
                                   const PairingOptions& options = {});

/// a^T M b of shapes in the mass M of the points, each of unit mass: rows are the model's, columns the measured ones. 0
/// where a shape has no mass.
[[nodiscard]] Eigen::MatrixXd cross_orthogonality(const Eigen::MatrixXd& model, const Eigen::MatrixXd& mass,
                                                  const Eigen::MatrixXd& measured);

}  // namespace microslip
