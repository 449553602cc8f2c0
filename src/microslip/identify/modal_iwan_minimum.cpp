#include "microslip/identify/modal_iwan_minimum.hpp"

namespace microslip {

FitMinimum minimise(const ModalIwanResiduals& residuals, const FitVector& x, const FitBox& box, int max_iterations,
                    double tolerance) {
  const auto evaluate = [&](const SixCoordinates& at, std::span<double> values, std::span<double> jacobian) {
    return residuals.evaluate(at, values, jacobian);
  };
  return bounded_minimum(evaluate, residuals.size(), x, box, {max_iterations, tolerance, 1e-15, 1e-12});
}

}  // namespace microslip
