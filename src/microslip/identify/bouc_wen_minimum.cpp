#include "microslip/identify/bouc_wen_minimum.hpp"

namespace microslip {
namespace {

constexpr double small_slope = -30.0;  // ln(beta W^n) and ln((beta+gamma) W^n) stay between these
constexpr double large_slope = 12.0;

}  // namespace

CoordinateBox bouc_wen_box(const BoucWenVector& start, double n_low, double n_high, const BoucWenHeld& held) {
  return {{start[0] - 4.0, 0.0, start[2] - 4.0, small_slope, small_slope, n_low},
          {start[0] + 4.0, highest_alpha, start[2] + 4.0, large_slope, large_slope, n_high},
          held};
}

BoundedMinimum minimise_forces(BoucWenResiduals& residuals, const BoucWenVector& x, const CoordinateBox& box,
                               int max_iterations, double tolerance) {
  const auto evaluate = [&](const SixCoordinates& at, std::span<double> values, std::span<double> jacobian) {
    return residuals.evaluate(at, values, jacobian);
  };
  return bounded_minimum(evaluate, residuals.size(), x, box, {max_iterations, tolerance, 1e-14, 1e-11});
}

}  // namespace microslip
