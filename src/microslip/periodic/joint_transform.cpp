#include "microslip/periodic/joint_transform.hpp"

#include <cmath>

#include "microslip/numerics/fourier_series.hpp"

namespace microslip {

JointTransform::JointTransform(const TransformSetting& setting)
    : normal(setting.normal),
      harmonics(setting.harmonics),
      samples(setting.samples),
      components(setting.components),
      size(series_size(setting.harmonics)) {}

bool JointTransform::evaluate(const double* u, double omega, double* force, Eigen::MatrixXd* jacobian,
                              Eigen::VectorXd* rate) {
  const Eigen::Index total = static_cast<Eigen::Index>(components) * size;
  Eigen::Map<Eigen::VectorXd>(force, total).setZero();
  if (jacobian != nullptr) jacobian->setZero(total, total);
  if (rate != nullptr) rate->setZero(total);
  out_force = force;
  out_jacobian = jacobian;
  out_rate = rate;
  const bool done = run(u, omega);
  return done && Eigen::Map<Eigen::VectorXd>(force, total).allFinite();
}

void JointTransform::add_spring(double k, const double* u) {
  for (int i = 0; i < size; ++i) out_force[i] += k * u[i];
  if (out_jacobian != nullptr) out_jacobian->diagonal().array() += k;
}

bool JointTransform::moves(const double* u, std::size_t extrema) const {
  double swing = 0.0;
  for (int i = 1; i < size; ++i) swing += std::abs(u[i]);
  return extrema >= 2 && swing > 1e-15 * std::abs(u[0]);
}

void JointTransform::stay_at_rest(double force0, double slope0, double stuck, const double* u) {
  out_force[0] += force0;
  for (int i = 1; i < size; ++i) out_force[i] += stuck * u[i];
  if (out_jacobian != nullptr) {
    (*out_jacobian)(0, 0) += slope0;
    for (int i = 1; i < size; ++i) (*out_jacobian)(i, i) += stuck;
  }
}

}  // namespace microslip
