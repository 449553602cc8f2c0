#include "microslip/modal/mode_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

constexpr int first_harmonics = 5;
constexpr double energy_step = 1e-3;       ///< of ln a, for dE/dq
constexpr double farthest_mean = 0.02;     ///< of the energy in a decay that is followed
constexpr double too_much_left_out = 0.1;  ///< of the motion: then it is none
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ModeCurve::ModeCurve(const System& system, int mode, const NonlinearModeOptions& options)
    : system_(&system), mode_(mode), options_(&options) {
  rebuild(options.harmonics > 0 ? options.harmonics : first_harmonics);
}

bool ModeCurve::go_to(double log_amplitude, int& iterations) {
  last_ = now_;
  lost_.clear();
  const bool first = now_.y.size() == 0;
  const bool along = step_to(log_amplitude, iterations) || (!first && follow_to(log_amplitude, iterations));
  return (along && refine(iterations)) || (!first && jump_to(log_amplitude, iterations));
}

bool ModeCurve::step_to(double log_amplitude, int& iterations) {
  constexpr int most_halvings = 4;
  if (now_.y.size() == 0) return solve(balance_->linear(), log_amplitude, iterations);
  int halvings = 0;
  while (now_.at != log_amplitude) {
    const double step = std::ldexp(log_amplitude - now_.at, -halvings);
    const double to = halvings == 0 ? log_amplitude : now_.at + step;
    Eigen::VectorXd guess = now_.y;
    if (before_.size() == now_.y.size()) guess += (now_.y - before_) * ((to - now_.at) / (now_.at - before_at_));
    if (!solve(guess, to, iterations)) {
      if (++halvings > most_halvings) return false;
      continue;
    }
    if (halvings > 0) --halvings;
  }
  return true;
}

/// By arclength: the amplitude may turn back on the way.
bool ModeCurve::follow_to(double log_amplitude, int& iterations) {
  constexpr int most_points = 100;
  constexpr double farthest_back = 3.0;  // of ln a
  ContinuationOptions options;
  options.first_step = 1e-3;
  options.max_step = 0.1;
  options.tolerance = 1e-8;
  Continuation curve(
      residual(), [](const Eigen::VectorXd& r, const Eigen::VectorXd&) { return r.norm(); }, options);
  const double from = now_.at;
  constexpr double none = std::numeric_limits<double>::infinity();
  double largest = -none, smallest = none;  // where it turned back from, and to
  lost_ = "the curve has no tangent there";
  if (!curve.start(now_.y, now_.at, 1.0)) return false;
  for (int i = 0; i < most_points && curve.point().lambda > from - farthest_back; ++i) {
    if (!curve.advance()) {
      lost_ =
          fmt::format("the curve is lost at {:.6g}{}", std::exp(curve.point().lambda), strongest_answer(curve.point()));
      return false;
    }
    iterations += curve.point().iterations;
    const double now = curve.point().lambda, last = curve.previous().lambda;
    if (now < last) {
      largest = std::max(largest, last);
      smallest = std::min(smallest, now);
    }
    if (now < log_amplitude) continue;
    CurvePoint landed;
    if (!curve.land(log_amplitude, landed)) {
      curve.take_back();
      continue;
    }
    if (smallest < largest && turns_.count++ == 0) turns_ = {1, std::exp(largest), std::exp(smallest)};
    now_.y = landed.y;
    now_.at = log_amplitude;
    before_.resize(0);
    lost_.clear();
    return true;
  }
  lost_ = curve.point().lambda <= from - farthest_back
              ? fmt::format("the amplitude turns back at {:.6g}", std::exp(largest))
              : fmt::format("the curve goes on for more than {} points below the next amplitude{}", most_points,
                            strongest_answer(curve.point()));
  return false;
}

/// With few harmonics there is less that a higher mode can answer to. What harmonics the motion needs is added there.
bool ModeCurve::jump_to(double log_amplitude, int& iterations) {
  const std::string why = lost_.empty() ? "more harmonics lead to no motion" : lost_;
  for (const int few : {5, 3, 1}) {
    bool found = take(last_, few, iterations) && step_to(log_amplitude, iterations);
    if (!found) found = solve(balance_->linear(), log_amplitude, iterations);
    if (found && options_->harmonics > 0) found = take(Motion(now_), options_->harmonics, iterations);
    if (!found || !refine(iterations)) continue;
    if (jumps_.count++ == 0) jumps_ = {1, std::exp(last_.at), std::exp(log_amplitude), why};
    return true;
  }
  restore(last_);
  lost_ = lost_.empty() || lost_ == why ? why : why + "; with fewer harmonics " + lost_;
  return false;
}

/// More harmonics at the present motion as long as it needs them: from itself, or with them from the amplitude before.
/// Where neither finds a motion, as in an internal resonance that leads the curve elsewhere, it keeps those it has.
/// False: they leave out too much.
bool ModeCurve::refine(int& iterations) {
  while (true) {
    const auto [left_out, joint] = balance_->truncation(*finer_, now_.y, now_.at);
    truncation_ = left_out;
    const int harmonics = now_.harmonics;
    if (options_->harmonics > 0 || truncation_ <= options_->tolerance || harmonics >= options_->max_harmonics)
      return true;
    const int more = std::min(options_->max_harmonics, harmonics + std::max(2, harmonics / 2));
    const Motion fewer = now_;
    if (take(fewer, more, iterations)) continue;
    if (last_.y.size() > 0 && take(last_, more, iterations) &&
        (step_to(fewer.at, iterations) || follow_to(fewer.at, iterations))) {
      continue;
    }
    restore(fewer);
    if (truncation_ > too_much_left_out) {
      lost_ = fmt::format("joint \"{}\" bends it by {:.2g} in harmonics above {}, and none was found with more",
                          system_->joints()[static_cast<std::size_t>(joint)].name, truncation_, harmonics);
      return false;
    }
    if (too_few_.count++ == 0) too_few_.first = std::exp(now_.at);
    too_few_.error = std::max(too_few_.error, truncation_);
    return true;
  }
}

bool ModeCurve::take(const Motion& motion, int harmonics, int& iterations) {
  rebuild(harmonics);
  now_.at = motion.at;
  return solve(balance_->extended(motion.y, motion.harmonics), motion.at, iterations);
}

void ModeCurve::restore(const Motion& motion) {
  rebuild(motion.harmonics);
  now_ = motion;
}

NonlinearModePoint ModeCurve::point() {
  NonlinearModePoint result = balance_->point(now_.y, now_.at);
  result.truncation = truncation_;
  NonlinearModePoint beside[2];
  Eigen::VectorXd motion[2];
  const bool own_decay = balance_->begin_decay(now_.y, now_.at);
  bool found = true;
  for (const int side : {0, 1}) {
    const double at = now_.at + (side == 0 ? -energy_step : energy_step);
    Eigen::VectorXd y = now_.y;
    found = found && newton(y, at).converged;
    beside[side] = balance_->point(y, at);
    motion[side] = balance_->motion(y, at);
  }
  balance_->end_decay();
  const double growth = std::log(beside[1].q / beside[0].q);
  const Eigen::VectorXd here = balance_->motion(now_.y, now_.at);
  const Eigen::VectorXd derivative = (motion[1] - motion[0]) / (2.0 * energy_step);
  const Eigen::MatrixXcd modal_derivative = (beside[1].modal - beside[0].modal) / (2.0 * energy_step);
  result.zeta = no_number;
  if (balance_->follows_decay()) {
    const double rise = (beside[1].energy - beside[0].energy) / (2.0 * energy_step);
    const double before = beside[0].zeta_secant, after = beside[1].zeta_secant;
    const double power = before > 0.0 && after > 0.0 ? std::log(after / before) / (2.0 * energy_step) : 0.0;
    auto decay = found ? balance_->decay(result, here, derivative, rise, std::clamp(power, -2.0, 2.0)) : Decay();
    // The energy of the structure goes with e^(2 s), but for that of the mean deflection, with e^s: wrong by that
    // much.
    if (pi * decay.rate * balance_->unevenness(here) > farthest_mean) decay.rate = no_number;
    result.zeta = decay.rate * growth / (2.0 * energy_step);
    result.energy = std::isfinite(decay.rate) ? result.energy + decay.stored : no_number;
    if (std::isfinite(result.zeta)) result.lag = balance_->lag(result, modal_derivative);
    return result;
  }
  double rise = beside[1].energy - beside[0].energy;
  if (own_decay && found) rise += 2.0 * energy_step * balance_->rise_of_joints(here, derivative);
  const double lost = result.dissipation + balance_->viscous_loss(result);
  if (found && rise > 0.0) result.zeta = lost / (2.0 * pi * rise / growth);
  if (lost == 0.0) result.zeta = 0.0;
  if (std::isfinite(result.zeta)) result.lag = balance_->lag(result, modal_derivative);
  return result;
}

std::vector<std::string> ModeCurve::remarks() const {
  std::vector<std::string> result;
  const auto others = [](int count) { return count > 1 ? fmt::format(" (and so {} times more)", count - 1) : ""; };
  if (turns_.count > 0) {
    result.push_back(
        fmt::format("the amplitude turns back at {:.6g} and grows again from {:.6g}{}; in between it has "
                    "several motions, of which one is told",
                    turns_.from, turns_.to, others(turns_.count)));
  }
  if (jumps_.count > 0) {
    result.push_back(
        fmt::format("beyond amplitude {:.6g} {}; from {:.6g} on the rows are of motions found with few "
                    "harmonics first, which may lie on another piece of the curve{}",
                    jumps_.from, jumps_.why, jumps_.to, others(jumps_.count)));
  }
  if (too_few_.count > 0) {
    result.push_back(
        fmt::format("{} times, first at amplitude {:.6g}, no motion was found with the harmonics that the "
                    "tolerance asks for: fewer are told, and up to {:.2g} left out by estimate",
                    too_few_.count, too_few_.first, too_few_.error));
  }
  return result;
}

void ModeCurve::rebuild(int harmonics) {
  const auto samples = [&](int h) { return std::max(options_->samples > 0 ? options_->samples : 64, 8 * h); };
  balance_ = std::make_unique<ModeBalance>(*system_, mode_, harmonics, samples(harmonics));
  finer_ = std::make_unique<ModeBalance>(*system_, mode_, 2 * harmonics + 1, samples(2 * harmonics + 1));
  now_.harmonics = harmonics;
  before_.resize(0);
}

Residual ModeCurve::residual() {
  return [this](const Eigen::VectorXd& at, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                Eigen::VectorXd* by_lambda) { return balance_->residual(at, lambda, r, jacobian, by_lambda); };
}

SolveOutcome ModeCurve::newton(Eigen::VectorXd& y, double log_amplitude) {
  return solve_at(
      residual(), [](const Eigen::VectorXd& r, const Eigen::VectorXd&) { return r.norm(); }, y, log_amplitude, 1e-8,
      options_->max_iterations);
}

bool ModeCurve::solve(Eigen::VectorXd guess, double log_amplitude, int& iterations) {
  const SolveOutcome outcome = newton(guess, log_amplitude);
  iterations += outcome.iterations;
  if (!outcome.converged) return false;
  if (now_.at != log_amplitude && now_.y.size() == guess.size()) {
    before_ = now_.y;
    before_at_ = now_.at;
  }
  now_.y = std::move(guess);
  now_.at = log_amplitude;
  return true;
}

std::string ModeCurve::strongest_answer(const CurvePoint& at) const {
  const NonlinearModePoint point = balance_->point(at.y, at.lambda);
  Eigen::MatrixXd sizes = point.modal.cwiseAbs();
  sizes.col(0).setZero();
  sizes(mode_, 1) = 0.0;
  Eigen::Index mode = 0, harmonic = 0;
  const double share = sizes.maxCoeff(&mode, &harmonic) / point.amplitude;
  return fmt::format(" (harmonic {} of mode {} is {:.2g} of the amplitude there)", harmonic, mode + 1, share);
}

}  // namespace microslip
