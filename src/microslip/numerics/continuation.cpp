#include "microslip/numerics/continuation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace microslip {
namespace {

constexpr double largest_turn = 1.4;  // straight ahead over a corner [rad]
constexpr double finest = 1e-7;       // tolerance of points where a test is zero
constexpr double corner_step = 2e-3;  // around it: how near it is known to be
constexpr double short_step = 1e-3;   // behind a corner or a branch point: it grows faster where the curve is straight

std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

}  // namespace

SolveOutcome solve_at(const Residual& residual, const RelativeSize& size, Eigen::VectorXd& y, double lambda,
                      double tolerance, int max_iterations) {
  SolveOutcome outcome;
  Eigen::VectorXd r(y.size()), step(y.size()), best = y;
  Eigen::MatrixXd jacobian(y.size(), y.size());
  LeastNormLu lu;
  double before = 0.0;
  int halvings = 0;
  while (outcome.iterations < max_iterations) {
    ++outcome.iterations;
    const bool evaluated = residual(y, lambda, r, &jacobian, nullptr);
    const double relative = evaluated ? size(r, y) : std::numeric_limits<double>::infinity();
    if (outcome.iterations > 1 && !(relative < before) && relative > tolerance && halvings < 6) {
      ++halvings;
      step *= 0.5;
      y = best + step;
      continue;
    }
    if (!evaluated) return outcome;
    outcome.residual = before = relative;
    halvings = 0;
    lu.compute(jacobian);
    step = -lu.solve(r);
    if (!step.allFinite()) return outcome;
    best = y;
    y += step;
    if (relative <= tolerance) {
      outcome.converged = true;
      return outcome;
    }
  }
  return outcome;
}

Continuation::Continuation(Residual residual, RelativeSize size, const ContinuationOptions& options)
    : residual_(std::move(residual)), size_(std::move(size)), options_(options), step_(options.first_step) {}

double Continuation::dot(const Eigen::VectorXd& y1, double l1, const Eigen::VectorXd& y2, double l2) const {
  return y1.dot(y2) / (y_scale_ * y_scale_) + l1 * l2 / (options_.lambda_scale * options_.lambda_scale);
}

void Continuation::normalise(CurvePoint& point) const {
  const double length = std::sqrt(dot(point.y_tangent, point.lambda_tangent, point.y_tangent, point.lambda_tangent));
  point.y_tangent /= length;
  point.lambda_tangent /= length;
}

void Continuation::set_scale(const CurvePoint& at) {
  y_scale_ = std::max(at.y.norm(), options_.floor);
  if (!(y_scale_ > 0.0)) y_scale_ = 1.0;
}

double Continuation::distance(const CurvePoint& a, const CurvePoint& b) const {
  const double l = (a.lambda - b.lambda) / options_.lambda_scale;
  return std::sqrt((a.y - b.y).squaredNorm() / (y_scale_ * y_scale_) + l * l);
}

/// [R_y R_lambda; along] t = [0; 1], columns scaled, and the rows of R by a power of two that makes them comparable to
/// the last one: units have no part in the choice of pivots.
bool Continuation::find_tangent(CurvePoint& point, const Eigen::VectorXd& y_along, double lambda_along) {
  const Eigen::Index n = point.y.size();
  bordered_.resize(n + 1, n + 1);
  bordered_.topLeftCorner(n, n) = y_scale_ * jacobian_;
  bordered_.topRightCorner(n, 1) = options_.lambda_scale * r_lambda_;
  bordered_.bottomLeftCorner(1, n) = y_along.transpose() / y_scale_;
  bordered_(n, n) = lambda_along / options_.lambda_scale;
  const double largest = bordered_.topRows(n).cwiseAbs().maxCoeff();
  row_scale_ = largest > 0.0 && std::isfinite(largest) ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
  bordered_.topRows(n) *= row_scale_;
  lu_.compute(bordered_);
  sign_ = lu_.sign();
  right_.setZero(n + 1);
  right_(n) = 1.0;
  right_ = lu_.solve(right_).eval();
  lu_null_.resize(0);
  if (!right_.allFinite()) return false;
  point.y_tangent = y_scale_ * right_.head(n);
  point.lambda_tangent = options_.lambda_scale * right_(n);
  normalise(point);
  if (n < options_.keep_factors_from) return true;
  lu_scale_ = y_scale_;
  lu_null_.resize(n + 1);
  lu_null_ << point.y_tangent, point.lambda_tangent;
  return true;
}

bool Continuation::has_factors_of(const CurvePoint& at) const {
  const Eigen::Index n = at.y_tangent.size();
  return n > 0 && lu_null_.size() == n + 1 && lu_null_.head(n) == at.y_tangent && lu_null_(n) == at.lambda_tangent;
}

Eigen::VectorXd Continuation::answer(const Eigen::VectorXd& change) const {
  const Eigen::Index n = change.size();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 1);
  right.head(n) = row_scale_ * change;
  right = lu_.solve(right).eval();
  right.head(n) *= lu_scale_;
  right(n) *= options_.lambda_scale;
  return right;
}

int Continuation::approach(CurvePoint& point, const Eigen::VectorXd& y_normal, double lambda_normal, double tolerance) {
  constexpr int most = 12;
  constexpr double least_fall = 0.8;    // of R
  constexpr double least_cosine = 0.1;  // of the old tangent with the normal
  const Eigen::Index n = point.y.size();
  if (lu_null_.size() != n + 1) return 0;
  const double length2 = dot(lu_null_.head(n), lu_null_(n), lu_null_.head(n), lu_null_(n));
  const double along = dot(lu_null_.head(n), lu_null_(n), y_normal, lambda_normal);
  if (!(std::abs(along) > least_cosine * std::sqrt(length2 * dot(y_normal, lambda_normal, y_normal, lambda_normal)))) {
    return 0;
  }
  double before = std::numeric_limits<double>::infinity();
  broyden_.begin();
  for (int taken = 0; taken < most; ++taken) {
    const bool evaluated = residual_(point.y, point.lambda, r_, nullptr, nullptr);
    const double relative = evaluated ? size_(r_, point.y) : std::numeric_limits<double>::infinity();
    if (!(relative < least_fall * before)) {
      if (taken > 0) {
        point.y -= y_scale_ * broyden_.last().head(n);
        point.lambda -= options_.lambda_scale * broyden_.last()(n);
      }
      return taken + 1;
    }
    if (relative <= tolerance) return taken + 1;
    before = relative;
    right_ = -answer(r_);
    right_ -= dot(right_.head(n), right_(n), y_normal, lambda_normal) / along * lu_null_;
    right_.head(n) /= y_scale_;
    right_(n) /= options_.lambda_scale;
    if (!right_.allFinite()) return taken + 1;
    const Eigen::VectorXd& step = broyden_.step(right_);
    point.y += y_scale_ * step.head(n);
    point.lambda += options_.lambda_scale * step(n);
  }
  return most;
}

/// Newton in the hyperplane through the point as given; ends with the tangent there.
bool Continuation::correct(CurvePoint& point, const Eigen::VectorXd& y_normal, double lambda_normal, double tolerance) {
  constexpr int a_newton_step = 4;  // as hard as so many with kept factors
  const Eigen::Index n = point.y.size();
  double before = 0.0;
  int approached = 0;
  for (int newton = 1; newton <= options_.max_iterations; ++newton) {
    approached += approach(point, y_normal, lambda_normal, tolerance);
    point.iterations = newton + (approached + a_newton_step - 1) / a_newton_step;
    if (!residual_(point.y, point.lambda, r_, &jacobian_, &r_lambda_)) return false;
    const double relative = size_(r_, point.y);
    if (!std::isfinite(relative) || (newton > 3 && relative > 2.0 * before)) return false;
    before = relative;
    if (!find_tangent(point, y_normal, lambda_normal)) return false;  // the same factors serve the correction
    right_.head(n) = -row_scale_ * r_;
    right_(n) = 0.0;
    right_ = lu_.solve(right_).eval();
    if (!right_.allFinite()) return false;
    point.y += y_scale_ * right_.head(n);
    point.lambda += options_.lambda_scale * right_(n);
    if (relative <= tolerance) return true;
  }
  return false;
}

bool Continuation::start(const Eigen::VectorXd& y, double lambda, double direction) {
  now_ = {};
  now_.y = y;
  now_.lambda = lambda;
  has_before_ = smooth_ = false;
  set_scale(now_);
  r_.resize(y.size());
  if (!residual_(y, lambda, r_, &jacobian_, &r_lambda_)) return false;
  now_.iterations = 1;
  const bool found = find_tangent(now_, Eigen::VectorXd::Zero(y.size()), direction * options_.lambda_scale);
  now_sign_ = sign_;
  return found;
}

bool Continuation::start_along(const CurvePoint& near) {
  now_ = near;
  has_before_ = smooth_ = false;
  set_scale(now_);
  r_.resize(now_.y.size());
  const bool found = correct(now_, near.y_tangent, near.lambda_tangent, options_.tolerance);
  now_sign_ = sign_;
  return found;
}

/// The angle between two tangents [rad].
double Continuation::angle(const CurvePoint& a, const CurvePoint& b) const {
  return std::acos(std::clamp(dot(a.y_tangent, a.lambda_tangent, b.y_tangent, b.lambda_tangent), -1.0, 1.0));
}

/// Ahead along the tangent and, where the last step was smooth, on the parabola that passes the point before.
void Continuation::predict() {
  trial_.y = now_.y + step_ * now_.y_tangent;
  trial_.lambda = now_.lambda + step_ * now_.lambda_tangent;
  if (smooth_) {
    const double ratio = (step_ / last_length_) * (step_ / last_length_);
    trial_.y += ratio * (before_.y - now_.y + last_length_ * now_.y_tangent);
    trial_.lambda += ratio * (before_.lambda - now_.lambda + last_length_ * now_.lambda_tangent);
  }
  prediction_ = trial_;
}

void Continuation::accept(bool smooth) {
  last_length_ = distance(trial_, now_);
  before_sign_ = now_sign_;
  now_sign_ = sign_;
  std::swap(before_, now_);
  std::swap(now_, trial_);
  has_before_ = true;
  smooth_ = smooth;
}

bool Continuation::step_ahead() {
  predict();
  const double last_turn = std::exchange(turn_, 0.0);
  if (!correct(trial_, now_.y_tangent, now_.lambda_tangent, options_.tolerance)) return false;
  turn_ = angle(trial_, now_);
  turns_alike_ = turn_ > 0.8 * last_turn && last_turn > 0.0 ? turns_alike_ + 1 : 0;
  passed_branch_point_ = sign_ * now_sign_ < 0;
  if (passed_branch_point_ && step_ > options_.branch_step) return false;
  const double correction = distance(trial_, prediction_);
  // On a smooth curve the angle falls with the step. Where it does not, the curve has a corner.
  straight_ = turn_ <= 0.05 * options_.max_turn && correction <= 0.05 * step_;
  passed_corner_ = turns_alike_ >= 2 && turn_ <= largest_turn && correction <= 4.0 * step_ && !passed_branch_point_;
  return passed_corner_ || (turn_ <= options_.max_turn && correction <= 0.5 * step_);
}

/// R' = (R_y, R_lambda) jumps where the curve passes a surface, by c h^T with h normal to it: R itself does not jump.
/// With t the vector of the minors of R', h.t = det (R'; h) is the same on both sides. So the curve leaves the surface
/// on the other side in the direction whose det (R'; t) has the sign that it had before, however sharp the corner.
bool Continuation::step_around_corner() {
  trial_.y = now_.y + step_ * now_.y_tangent;
  trial_.lambda = now_.lambda + step_ * now_.lambda_tangent;
  if (!residual_(trial_.y, trial_.lambda, r_, &jacobian_, &r_lambda_)) return false;
  if (!find_tangent(trial_, now_.y_tangent, now_.lambda_tangent)) return false;
  if (sign_ * now_sign_ < 0) {
    trial_.y_tangent = -trial_.y_tangent;
    trial_.lambda_tangent = -trial_.lambda_tangent;
  }
  beyond_ = trial_;
  const double length = 4.0 * step_;  // the corner is somewhere within a step from here
  trial_.y = now_.y + length * beyond_.y_tangent;
  trial_.lambda = now_.lambda + length * beyond_.lambda_tangent;
  prediction_ = trial_;
  if (!correct(trial_, beyond_.y_tangent, beyond_.lambda_tangent, options_.tolerance) || sign_ != now_sign_)
    return false;
  return angle(trial_, beyond_) <= options_.max_turn && distance(trial_, prediction_) <= 0.5 * length;
}

bool Continuation::advance() {
  set_scale(now_);
  normalise(now_);
  turn_ = 0.0;
  turns_alike_ = 0;
  for (bool first = true; step_ >= options_.min_step; first = false) {
    passed_corner_ = passed_branch_point_ = false;
    if (step_ahead()) {
      if (first) failures_ = 0;
      accept(!passed_corner_);
      if (now_.iterations <= options_.fast_iterations) {
        const bool fast = passed_corner_ || (straight_ && step_ < short_step);
        step_ = std::min(options_.max_step, (fast ? 4.0 : 1.6) * step_);
      } else if (now_.iterations > options_.fast_iterations + 2) {
        step_ *= 0.6;
      }
      return true;
    }
    if (++failures_ >= 3 && step_ <= corner_step && step_around_corner()) {
      passed_branch_point_ = false;
      passed_corner_ = true;
      accept(false);
      step_ = std::min(options_.max_step, 8.0 * step_);
      return true;
    }
    step_ = std::max(0.4 * step_, step_ > options_.branch_step ? options_.branch_step : 0.0);
    smooth_ = smooth_ && step_ > 1e-3 * last_length_;
  }
  message_ = "the curve is lost at " + text(now_.lambda) + ": no step of scaled length " + text(options_.min_step) +
             " or more leads on";
  return false;
}

bool Continuation::try_step() {
  const double shortest = std::exchange(options_.min_step, step_);
  const bool taken = advance();
  options_.min_step = shortest;
  return taken;
}

void Continuation::take_back() {
  std::swap(now_, before_);
  now_sign_ = before_sign_;
  has_before_ = smooth_ = false;
  step_ = std::max(options_.min_step, 0.5 * last_length_);
}

void Continuation::between(double s, CurvePoint& point) const {
  const double t = s / last_length_;
  const double h00 = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t);
  const double h10 = t * (1.0 - t) * (1.0 - t) * last_length_;
  const double h01 = t * t * (3.0 - 2.0 * t);
  const double h11 = t * t * (t - 1.0) * last_length_;
  point.y = h00 * before_.y + h10 * before_.y_tangent + h01 * now_.y + h11 * now_.y_tangent;
  point.lambda = h00 * before_.lambda + h10 * before_.lambda_tangent + h01 * now_.lambda + h11 * now_.lambda_tangent;
}

bool Continuation::land(double lambda, CurvePoint& landed) {
  if (!has_before_ || (before_.lambda - lambda) * (now_.lambda - lambda) > 0.0) return false;
  // Where the cubic between the points takes the value.
  double low = 0.0;
  double high = last_length_;
  const bool rising = now_.lambda > before_.lambda;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    between(middle, landed);
    ((landed.lambda < lambda) == rising ? low : high) = middle;
  }
  landed.lambda = lambda;
  const CurvePoint guess = landed;
  const SolveOutcome outcome =
      solve_at(residual_, size_, landed.y, lambda, options_.tolerance, options_.max_iterations);
  if (!outcome.converged || distance(landed, guess) > 0.5 * last_length_) return false;
  landed.iterations = outcome.iterations;
  if (!residual_(landed.y, lambda, r_, &jacobian_, &r_lambda_)) return false;
  return find_tangent(landed, before_.y_tangent, before_.lambda_tangent);
}

bool Continuation::locate(const std::function<double(const CurvePoint&)>& test, CurvePoint& located, double near) {
  if (!has_before_) return false;
  double low = 0.0;
  double high = last_length_;
  double f_low = test(before_);
  double f_high = test(now_);
  if (!(f_low * f_high <= 0.0)) return false;
  const double tolerance = std::min(options_.tolerance, finest);  // tests go by the tangent too
  CurvePoint guess;
  double last = -1.0;
  int moved = 0;  // the end that moved last, -1: the low one
  for (int i = 0; i < 60; ++i) {
    // Illinois: an end that stays for the second time counts half.
    double s = (low * f_high - high * f_low) / (f_high - f_low);
    if (!(s > low && s < high)) s = 0.5 * (low + high);
    between(s, located);
    guess = located;
    if (!correct(located, now_.y_tangent, now_.lambda_tangent, tolerance)) return false;
    if (distance(located, guess) > 0.5 * last_length_) return false;
    const double f = test(located);
    if (!std::isfinite(f)) return false;
    if ((f < 0.0) == (f_low < 0.0)) {
      low = s, f_low = f;
      if (std::exchange(moved, -1) == -1) f_high *= 0.5;
    } else {
      high = s, f_high = f;
      if (std::exchange(moved, 1) == 1) f_low *= 0.5;
    }
    if (std::abs(f) <= near || high - low <= 1e-9 || std::abs(s - last) <= 1e-10) return true;
    last = s;
  }
  return true;
}

}  // namespace microslip
