#pragma once
// Pseudo-arclength continuation of R(y, lambda) = 0, n equations in n + 1 unknowns: a curve that may turn back in
// lambda. It knows a residual with its derivatives and nothing else.
//
// Distances are scaled, ds^2 = |dy|^2/Y^2 + d lambda^2/Lambda^2, with Y the size of y at the present point (not below
// `floor`) and Lambda given. A step is predicted by the parabola through the last two points with the tangent at the
// last, and corrected by Newton in the hyperplane normal to the tangent. It is taken back and shortened when Newton
// does not converge, when the correction is a large part of the step, or when the tangent turns by more than
// `max_turn`: that is how a jump to another branch shows. Where R' jumps the curve has a corner; once a step is short
// it is also tried along the tangent on the other side. Ref: Keller 1977; Seydel, Practical Bifurcation and Stability
// Analysis, chapter 4.
//
// Of many unknowns R alone costs far less than R' and its factors. Then the last factors, with Broyden's corrections
// (broyden.hpp), bring R down as long as it falls, before each step of Newton; at the end there is always one, whose
// factors serve the next point.

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <string>

#include "microslip/numerics/broyden.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {

/// R, and where the pointers are not null dR/dy and dR/dlambda. False: R cannot be evaluated there.
using Residual = std::function<bool(const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& residual,
                                    Eigen::MatrixXd* jacobian, Eigen::VectorXd* by_lambda)>;
/// A number that says how small R is, whatever the units.
using RelativeSize = std::function<double(const Eigen::VectorXd& residual, const Eigen::VectorXd& y)>;

struct ContinuationOptions {
  double lambda_scale = 1.0;  ///< Lambda > 0
  double floor = 0.0;         ///< smallest Y
  double first_step = 0.02;   ///< scaled lengths
  double max_step = 0.15;
  double min_step = 1e-8;
  double branch_step = 1e-5;                                ///< a change of sign within it is a branch point
  double max_turn = 0.35;                                   ///< [rad]
  double tolerance = 1e-7;                                  ///< relative size of R before the last Newton correction
  int max_iterations = 12;                                  ///< of Newton
  int fast_iterations = 3;                                  ///< evaluations up to which steps grow
  int keep_factors_from = std::numeric_limits<int>::max();  ///< unknowns
};

/// A point of the curve and the unit tangent there, in unscaled components.
struct CurvePoint {
  Eigen::VectorXd y;
  double lambda = 0.0;
  Eigen::VectorXd y_tangent;
  double lambda_tangent = 0.0;
  int iterations = 0;  ///< evaluations of R
};

struct SolveOutcome {
  bool converged = false;
  int iterations = 0;     ///< evaluations of R
  double residual = 0.0;  ///< relative, at the last evaluation
};

/// Newton for y at a fixed lambda, from the guess in y; steps that make R grow are halved.
SolveOutcome solve_at(const Residual& residual, const RelativeSize& size, Eigen::VectorXd& y, double lambda,
                      double tolerance, int max_iterations);

class Continuation {
 public:
  Continuation(Residual residual, RelativeSize size, const ContinuationOptions& options);

  /// Starts at a solution; the tangent points towards growing lambda where `direction` > 0. False when the tangent
  /// cannot be found.
  bool start(const Eigen::VectorXd& y, double lambda, double direction);
  /// Starts at the solution nearest to a point that is almost one, in the direction of its tangent.
  bool start_along(const CurvePoint& near);

  /// One more point; false when the step became too small: see `message`.
  bool advance();
  /// One more point by a step of the present length; where that fails, a shorter one is left for the next try.
  bool try_step();
  /// By how much the tangent turned at the last try; 0: no point was found [rad].
  [[nodiscard]] double turn() const { return turn_; }
  /// Takes the last step back, to be tried again at half its length.
  void take_back();

  [[nodiscard]] const CurvePoint& point() const { return now_; }
  [[nodiscard]] const CurvePoint& previous() const { return before_; }
  /// A branch point lies between the last two points.
  [[nodiscard]] bool passed_branch_point() const { return passed_branch_point_; }
  /// A corner lies between them: there the curve turns by any angle.
  [[nodiscard]] bool passed_corner() const { return passed_corner_; }
  [[nodiscard]] double step() const { return step_; }
  void set_step(double step) { step_ = step; }
  [[nodiscard]] const std::string& message() const { return message_; }

  /// Factors were kept and are those that the tangent of this point comes from.
  [[nodiscard]] bool has_factors_of(const CurvePoint& at) const;
  /// By these, some (dy, dlambda) with R_y dy + R_lambda dlambda = change: it is up to a multiple of the tangent.
  [[nodiscard]] Eigen::VectorXd answer(const Eigen::VectorXd& change) const;

  /// The point between previous() and point() where lambda has this value; false when there is none near.
  bool land(double lambda, CurvePoint& landed);
  /// The point between previous() and point() where `test` passes zero, or is not farther from it than `near`; it must
  /// have opposite signs there. False also where it gives no number.
  bool locate(const std::function<double(const CurvePoint&)>& test, CurvePoint& located, double near = 0.0);

 private:
  void predict();
  void accept(bool smooth);
  bool step_ahead();
  bool step_around_corner();
  [[nodiscard]] double angle(const CurvePoint& a, const CurvePoint& b) const;
  bool correct(CurvePoint& point, const Eigen::VectorXd& y_normal, double lambda_normal, double tolerance);
  /// As near as the last factors lead, in the same hyperplane; returns the evaluations of R.
  int approach(CurvePoint& point, const Eigen::VectorXd& y_normal, double lambda_normal, double tolerance);
  bool find_tangent(CurvePoint& point, const Eigen::VectorXd& y_along, double lambda_along);
  /// Cubic through both points with their tangents, s from 0 to `length`.
  void between(double s, CurvePoint& point) const;
  [[nodiscard]] double dot(const Eigen::VectorXd& y1, double l1, const Eigen::VectorXd& y2, double l2) const;
  void normalise(CurvePoint& point) const;
  void set_scale(const CurvePoint& at);
  [[nodiscard]] double distance(const CurvePoint& a, const CurvePoint& b) const;

  Residual residual_;
  RelativeSize size_;
  ContinuationOptions options_;
  CurvePoint now_, before_, trial_, prediction_, beyond_;
  bool has_before_ = false;
  bool smooth_ = false;    ///< no corner between the last two points
  bool straight_ = false;  ///< the last try went where it was predicted
  bool passed_branch_point_ = false, passed_corner_ = false;
  int sign_ = 0, now_sign_ = 0, before_sign_ = 0;  ///< of the determinant: last factors, now_, before_
  double step_;
  double turn_ = 0.0;    ///< of the tangent at the last try, 0: Newton did not converge [rad]
  int turns_alike_ = 0;  ///< tries in a row over which it stayed though the step was shortened
  int failures_ = 0;     ///< steps taken back since one was right at once
  double last_length_ = 0.0;
  double y_scale_ = 1.0;
  double row_scale_ = 1.0;  ///< of the residual, in the bordered matrix
  std::string message_;
  // Workspace.
  Eigen::VectorXd r_, r_lambda_, right_;
  Eigen::MatrixXd jacobian_, bordered_;
  LeastNormLu lu_;
  double lu_scale_ = 1.0;    ///< y_scale_ of these factors
  Eigen::VectorXd lu_null_;  ///< [R_y R_lambda] t = 0 by them, (dy, dlambda) not scaled; empty: there are none
  Broyden broyden_;
};

}  // namespace microslip
