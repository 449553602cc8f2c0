#pragma once
// Forces of the Bouc-Wen law along records, with derivatives: what the nonlinear least squares of bouc_wen_fit.hpp
// minimises.
//
// Coordinates: ln k_0, alpha, ln A, ln(beta W^n), ln((beta+gamma) W^n), n with a fixed length W, so that beta > 0 and
// beta + gamma > 0 hold by themselves.
//
// A loop starts at the z_0 that it comes back to, by Newton on z_T(z_0) - z_0, held to an interval that has it; then,
// with G = dz_T/dz_0,
//   dz_0/dp = (dz_T/dp)/(1 - G)

#include <array>
#include <span>
#include <vector>

#include "microslip/identify/hysteresis_record.hpp"
#include "microslip/joints/bouc_wen.hpp"
#include "microslip/numerics/dual.hpp"

namespace microslip {

inline constexpr int bouc_wen_size = 6;
using BoucWenVector = std::array<double, bouc_wen_size>;
using BoucWenDual = Dual<bouc_wen_size>;

class BoucWenResiduals {
 public:
  /// The records must outlive it. `length`: W.
  BoucWenResiduals(const std::vector<HysteresisRecord>& records, double length);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] BoucWenVector coordinates(const BoucWen<double>::Parameters& p) const;
  [[nodiscard]] BoucWen<double>::Parameters parameters(const BoucWenVector& x) const;
  /// With derivatives by the coordinates.
  [[nodiscard]] BoucWen<BoucWenDual>::Parameters parameters_with_derivatives(const BoucWenVector& x) const;

  /// (F_model - F) sqrt(weight/(points records))/nonlinear part, so that the sum of squares is the misfit squared.
  /// `jacobian` is row-major, or empty. False where a loop has no steady state.
  bool evaluate(const BoucWenVector& x, std::span<double> values, std::span<double> jacobian);

 private:
  const std::vector<HysteresisRecord>* records_;
  double log_length_;
  std::vector<double> scale_;  ///< of each record
  std::vector<double> start_;  ///< z_0 of each loop, from the last evaluation
  std::vector<double> force_;
  std::vector<BoucWenDual> dual_force_;
  std::vector<double> gain_;
  std::size_t size_ = 0;
};

/// Forces along a record. A loop starts from `z0`, which becomes that of its steady state; false where there is none.
bool steady_forces(const BoucWen<double>& law, const HysteresisRecord& record, double& z0, std::vector<double>& force);

}  // namespace microslip
