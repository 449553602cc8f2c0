#pragma once
// Where the amplitude A of a degree of freedom is stationary along the curve R(z) = 0 of periodic motions, z = (y,
// omega): the gradient of A is a combination of the rows of R', so that
//
//   M = [R'; A'],   n + 1 rows and columns,   is singular.
//
// With a border that makes it regular, [M b; c^T 0] [v; g] = [0; 1] and [M^T c; b^T 0] [w; g] = [0; 1], g vanishes
// where M is singular; v is then the tangent of the curve, w = (lambda, alpha) its multipliers. g is exact, and its
// derivative along any dz is
//
//   dg = -w^T dM v = -dz . d/de (R'^T lambda + alpha A')(z + e v),
//
// one central difference for all of them, since second derivatives are symmetric. Unlike d A/d omega = 0 nothing is
// singular where the curve folds (v has no omega), nor where one is born or two meet (alpha = 0).
//
// Ref: Govaerts, Numerical Methods for Bifurcations of Dynamical Equilibria (2000), chapter 3; docs/theory.md, "Peaks".

#include <Eigen/Core>
#include <memory>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/harmonic_balance.hpp"

namespace microslip {

class PeakCondition {
 public:
  explicit PeakCondition(int dof) : dof_(dof) {}

  /// R and g at a motion, with derivatives.
  struct Value {
    Eigen::VectorXd r, r_omega, r_level;
    Eigen::MatrixXd r_y;
    double amplitude = 0.0;     ///< A
    double g = 0.0;             ///< scaled, without a unit
    Eigen::VectorXd y_tangent;  ///< v, unscaled
    double omega_tangent = 0.0;
    // With the gradient:
    Eigen::VectorXd g_y;
    double g_omega = 0.0, g_level = 0.0;
    bool maximum = false;  ///< of the amplitude along the curve, where g = 0
  };
  /// False: R cannot be evaluated there, or M is too singular for its border.
  bool evaluate(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level, bool with_gradient,
                Value& value);
  /// alpha A + lambda . R with the multipliers of the last evaluation, scaled: its derivatives along v are those of -g.
  /// NaN where it cannot be evaluated.
  double lagrangian(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level);
  /// Step of the differences along v.
  static constexpr double step = 1e-4;

  /// Scales and border for the neighbourhood of a motion, by inverse iteration.
  bool set_frame(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level);
  /// The same from the last evaluation, which was that of this motion.
  void set_frame(const Eigen::VectorXd& y, double omega, double amplitude);
  /// |alpha| against |w| at the last evaluation, scaled.
  [[nodiscard]] double amplitude_share() const;
  /// The border after a change of the harmonics.
  void carry_over(const HarmonicBalance& equations, int old_harmonics);

 private:
  /// R' and A' at a motion.
  bool derivatives(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level, Value& value);
  void set_scales(const Eigen::VectorXd& y, double omega, double amplitude);
  /// At the last residual.
  double last_amplitude(const HarmonicBalance& equations, double level);
  bool solve_border(Value& value);
  /// R'^T lambda + alpha A', of y, omega and level.
  [[nodiscard]] Eigen::VectorXd pulled_back(const Value& value) const;
  void difference(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level, Value& value);

  int dof_;
  double y_scale_ = 1.0, omega_scale_ = 1.0, amplitude_scale_ = 1.0;
  Eigen::VectorXd right_, left_;  ///< c and b, unit vectors in scaled components
  Eigen::VectorXd v_, w_;         ///< of the last evaluation, scaled
  HarmonicBalance::Gradient a_;   ///< A'
  Eigen::VectorXd weights_;       ///< A = weights . series
  std::unique_ptr<SeriesScanner> scanner_;
  Eigen::MatrixXd bordered_;
  LeastNormLu lu_;
  Value beside_;
};

}  // namespace microslip
