#pragma once
// What a curve of periodic motions is followed over.

#include <Eigen/Core>

#include "microslip/numerics/continuation.hpp"

namespace microslip {

/// The parameter of a curve: frequency at a level, or level at a frequency.
struct Sweep {
  bool over_level = false;
  double fixed = 0.0;  ///< the other one

  static Sweep over_frequency(double level) { return {false, level}; }
  static Sweep over_levels(double omega) { return {true, omega}; }
  [[nodiscard]] double omega(double lambda) const { return over_level ? fixed : lambda; }
  [[nodiscard]] double level(double lambda) const { return over_level ? lambda : fixed; }
  /// Of an orbit of any kind.
  [[nodiscard]] double lambda(const auto& orbit) const { return over_level ? orbit.level : orbit.omega; }
  [[nodiscard]] const char* name() const { return over_level ? "level" : "omega"; }
};

/// A motion that is no part of a curve.
[[nodiscard]] inline CurvePoint alone(const Eigen::VectorXd& y, double lambda, int iterations = 0) {
  CurvePoint point;
  point.y = y;
  point.lambda = lambda;
  point.iterations = iterations;
  return point;
}

}  // namespace microslip
