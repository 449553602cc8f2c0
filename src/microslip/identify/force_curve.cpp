#include "microslip/identify/force_curve.hpp"

#include <fmt/format.h>

#include <cmath>

namespace microslip {

std::optional<CurveFault> first_loading_fault(const ForceCurve& curve, std::size_t fewest) {
  if (curve.u.size() != curve.f.size() || (!curve.weight.empty() && curve.weight.size() != curve.u.size())) {
    return CurveFault{0, fmt::format("u has {} points, f has {}, weight has {}", curve.u.size(), curve.f.size(),
                                     curve.weight.size())};
  }
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double u = curve.u[i];
    if (!std::isfinite(u)) return CurveFault{i, fmt::format("u must be a finite number, got {}", u)};
    if (!std::isfinite(curve.f[i])) return CurveFault{i, fmt::format("f must be a finite number, got {}", curve.f[i])};
    if (!curve.weight.empty() && !(std::isfinite(curve.weight[i]) && curve.weight[i] > 0.0)) {
      return CurveFault{i, fmt::format("weight must be > 0, got {}", curve.weight[i])};
    }
    if (u < 0.0) return CurveFault{i, fmt::format("u must be >= 0, the first loading from rest, got {}", u)};
    if (i > 0 && !(u > curve.u[i - 1])) {
      return CurveFault{i,
                        fmt::format("u must increase: {} comes after {}; sort the rows, and of a loop take the first "
                                    "loading only",
                                    u, curve.u[i - 1])};
    }
  }
  if (curve.size() < fewest) {
    return CurveFault{0, fmt::format("a curve needs at least {} points, got {}", fewest, curve.size())};
  }
  return std::nullopt;
}

}  // namespace microslip
