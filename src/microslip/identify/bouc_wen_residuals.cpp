#include "microslip/identify/bouc_wen_residuals.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

template <class T>
struct End {
  T z{};              ///< at the end of the path; of a loop, back at its first point
  double gain = 1.0;  ///< dz/dz_0
};

/// The whole path. `gain`: dz/dz_0 at each point, or null.
template <class T>
End<T> march(const BoucWen<T>& law, const HysteresisRecord& record, double z0, std::vector<T>& force,
             std::vector<double>* gain) {
  typename BoucWen<T>::State state;
  JointInput<T> input;
  const std::size_t points = record.size();
  force.resize(points);
  if (gain != nullptr) gain->resize(points);
  End<T> end;
  std::size_t i = 0;
  if (record.closed) {
    const auto& p = law.parameters();
    state.u = T(record.u[0]);
    state.z = T(z0);
    force[0] = p.alpha * p.k0 * state.u + (1.0 - p.alpha) * p.k0 * state.z;
    if (gain != nullptr) (*gain)[0] = 1.0;
    i = 1;
  }
  const std::size_t steps = record.closed ? points + 1 : points;
  for (; i < steps; ++i) {
    input.u = T(record.u[i < points ? i : 0]);
    const auto trial = law.evaluate(state, input);
    law.commit(state, trial);
    end.gain *= value_of(trial.gain);
    if (i == points) break;
    force[i] = trial.force;
    if (gain != nullptr) (*gain)[i] = end.gain;
  }
  end.z = state.z;
  return end;
}

}  // namespace

bool steady_forces(const BoucWen<double>& law, const HysteresisRecord& record, double& z0, std::vector<double>& force) {
  if (!record.closed) {
    const End<double> end = march(law, record, 0.0, force, static_cast<std::vector<double>*>(nullptr));
    return std::isfinite(end.z);
  }
  // z_T rises with z_0 and neither passes the saturation: the z_0 that it comes back to lies between one that ends
  // higher and one that ends lower, to which Newton is held.
  double low = -law.saturation(), high = law.saturation(), largest = 0.0;
  for (const double u : record.u) largest = std::max(largest, std::abs(u));
  for (int i = 0; i < 60; ++i) {
    z0 = std::clamp(z0, low, high);
    const End<double> end = march(law, record, z0, force, static_cast<std::vector<double>*>(nullptr));
    const double off = end.z - z0, left = 1.0 - end.gain;
    if (!std::isfinite(end.z) || std::abs(left) <= 1e-12) return false;
    const double next = z0 + off / left;
    if (left > 0.0 && std::abs(off / left) <= 1e-13 * law.parameters().a * largest) return true;
    (off > 0.0 ? low : high) = z0;
    z0 = left > 0.0 && next >= low && next <= high ? next : 0.5 * (low + high);
  }
  return false;
}

BoucWenResiduals::BoucWenResiduals(const std::vector<HysteresisRecord>& records, double length)
    : records_(&records), log_length_(std::log(length)) {
  for (const HysteresisRecord& record : records) {
    scale_.push_back(1.0 / (nonlinear_part(record) *
                            std::sqrt(static_cast<double>(record.size()) * static_cast<double>(records.size()))));
    start_.push_back(0.0);
    size_ += record.size();
  }
}

BoucWenVector BoucWenResiduals::coordinates(const BoucWen<double>::Parameters& p) const {
  return {std::log(p.k0),
          p.alpha,
          std::log(p.a),
          std::log(p.beta) + p.n * log_length_,
          std::log(p.beta + p.gamma) + p.n * log_length_,
          p.n};
}

namespace {

template <class T>
typename BoucWen<T>::Parameters from_coordinates(const std::array<T, bouc_wen_size>& x, double log_length) {
  using std::exp;
  typename BoucWen<T>::Parameters p;
  p.k0 = exp(x[0]);
  p.alpha = x[1];
  p.a = exp(x[2]);
  p.n = x[5];
  p.beta = exp(x[3] - p.n * log_length);
  p.gamma = exp(x[4] - p.n * log_length) - p.beta;
  return p;
}

}  // namespace

BoucWen<double>::Parameters BoucWenResiduals::parameters(const BoucWenVector& x) const {
  return from_coordinates<double>(x, log_length_);
}

BoucWen<BoucWenDual>::Parameters BoucWenResiduals::parameters_with_derivatives(const BoucWenVector& x) const {
  std::array<BoucWenDual, bouc_wen_size> seeds;
  for (int k = 0; k < bouc_wen_size; ++k) seeds[k] = BoucWenDual::variable(x[k], k);
  return from_coordinates<BoucWenDual>(seeds, log_length_);
}

bool BoucWenResiduals::evaluate(const BoucWenVector& x, std::span<double> values, std::span<double> jacobian) {
  const BoucWen<double>::Parameters p = parameters(x);
  if (!(p.beta > 0.0 && p.beta + p.gamma > 0.0)) return false;  // lost in the other's last digit
  const BoucWen<double> law(p);
  const BoucWen<BoucWenDual> dual_law(parameters_with_derivatives(x));
  const double hysteretic = (1.0 - p.alpha) * p.k0;

  std::size_t row = 0;
  for (std::size_t r = 0; r < records_->size(); ++r) {
    const HysteresisRecord& record = (*records_)[r];
    if (!steady_forces(law, record, start_[r], force_)) {
      start_[r] = 0.0;
      return false;
    }
    BoucWenVector start_slope{};
    if (!jacobian.empty()) {
      const End<BoucWenDual> end = march(dual_law, record, start_[r], dual_force_, &gain_);
      for (int k = 0; k < bouc_wen_size && record.closed; ++k) {
        start_slope[k] = end.z.derivative[k] / (1.0 - end.gain);
      }
    }
    for (std::size_t i = 0; i < record.size(); ++i, ++row) {
      const double factor = scale_[r] * (record.weight.empty() ? 1.0 : std::sqrt(record.weight[i]));
      values[row] = factor * (force_[i] - record.f[i]);
      for (int k = 0; k < bouc_wen_size && !jacobian.empty(); ++k) {
        jacobian[row * bouc_wen_size + static_cast<std::size_t>(k)] =
            factor * (dual_force_[i].derivative[k] + (record.closed ? hysteretic * gain_[i] * start_slope[k] : 0.0));
      }
    }
  }
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace microslip
