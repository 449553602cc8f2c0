#include "microslip/modal/nonlinear_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <stdexcept>

#include "microslip/modal/mode_balance.hpp"
#include "microslip/modal/mode_lag.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/continuation.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr int first_harmonics = 5;
constexpr double energy_step = 1e-3;    ///< of ln a, for dE/dq
constexpr double farthest_mean = 0.02;  ///< of the energy in a decay that is followed
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

class ModeCurve {
 public:
  ModeCurve(const System& system, int mode, const NonlinearModeOptions& options)
      : system_(&system), mode_(mode), options_(&options) {
    rebuild(options.harmonics > 0 ? options.harmonics : first_harmonics);
  }

  /// From the point before to this amplitude, in halves where Newton does not get there at once, then along the curve
  /// wherever it leads.
  bool go_to(double log_amplitude, int& iterations) {
    return step_to(log_amplitude, iterations) || (y_.size() > 0 && follow_to(log_amplitude, iterations));
  }

  /// Largest amplitudes from which the curve turned back, and the smallest it came back to.
  struct Turn {
    double largest = 0.0, smallest = 0.0;
  };
  [[nodiscard]] const std::vector<Turn>& turns() const { return turns_; }
  /// Why the curve could not be followed.
  [[nodiscard]] const std::string& lost() const { return lost_; }

  bool step_to(double log_amplitude, int& iterations) {
    constexpr int most_halvings = 10;
    if (y_.size() == 0) {  // the first point
      const Eigen::VectorXd start = balance_->linear();
      const bool found = solve(start, log_amplitude, iterations);
      before_.resize(0);
      return found;
    }
    int halvings = 0;
    while (at_ != log_amplitude) {
      const double step = std::ldexp(log_amplitude - at_, -halvings);
      const double to = halvings == 0 ? log_amplitude : at_ + step;
      Eigen::VectorXd guess = y_;
      if (before_.size() == y_.size()) guess += (y_ - before_) * ((to - at_) / (at_ - before_at_));
      if (!solve(guess, to, iterations)) {
        if (++halvings > most_halvings) return false;
        continue;
      }
      if (halvings > 0) --halvings;
    }
    return true;
  }

  /// By arclength: the amplitude may turn back on the way.
  bool follow_to(double log_amplitude, int& iterations) {
    constexpr int most_points = 100;
    constexpr double farthest_back = 3.0;  // of ln a
    ContinuationOptions options;
    options.first_step = 1e-3;
    options.max_step = 0.1;
    options.tolerance = 1e-8;
    Continuation curve(residual(), size(), options);
    const double from = at_;
    constexpr double none = std::numeric_limits<double>::infinity();
    double largest = -none, smallest = none;  // where it turned back from, and to
    lost_ = "the curve has no tangent there";
    if (!curve.start(y_, at_, 1.0)) return false;
    lost_ = fmt::format("not within {} points of the curve beyond it", most_points);
    for (int i = 0; i < most_points && curve.point().lambda > from - farthest_back; ++i) {
      if (!curve.advance()) {
        lost_ = fmt::format("the curve is lost at amplitude {:.6g}", std::exp(curve.point().lambda));
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
      if (smallest < largest) turns_.push_back({std::exp(largest), std::exp(smallest)});
      y_ = landed.y;
      at_ = log_amplitude;
      before_.resize(0);
      lost_.clear();
      return true;
    }
    if (curve.point().lambda <= from - farthest_back) {
      lost_ = fmt::format("the amplitude turns back at {:.6g}", std::exp(largest));
    }
    return false;
  }

  /// More harmonics at the present point if it needs them; false: it does not converge with them.
  bool refine(int& iterations) {
    while (true) {
      truncation_ = balance_->truncation(*finer_, y_, at_);
      const int harmonics = balance_->harmonics();
      if (options_->harmonics > 0 || truncation_ <= options_->tolerance || harmonics >= options_->max_harmonics) {
        return true;
      }
      rebuild(std::min(options_->max_harmonics, harmonics + std::max(2, harmonics / 2)));
      y_ = balance_->extended(y_, harmonics);
      before_.resize(0);
      const double at = at_;
      if (!solve(y_, at, iterations)) return false;
    }
  }

  NonlinearModePoint point() {
    NonlinearModePoint result = balance_->point(y_, at_);
    result.truncation = truncation_;
    NonlinearModePoint beside[2];
    Eigen::VectorXd motion[2];
    const bool own_decay = balance_->begin_decay(y_, at_);
    bool found = true;
    for (const int side : {0, 1}) {
      const double at = at_ + (side == 0 ? -energy_step : energy_step);
      Eigen::VectorXd y = y_;
      found = found && newton(y, at).converged;
      beside[side] = balance_->point(y, at);
      motion[side] = balance_->motion(y, at);
    }
    balance_->end_decay();
    const double growth = std::log(beside[1].q / beside[0].q);
    const Eigen::VectorXd derivative = (motion[1] - motion[0]) / (2.0 * energy_step);
    const Eigen::MatrixXcd modal_derivative = (beside[1].modal - beside[0].modal) / (2.0 * energy_step);
    result.zeta = no_number;
    if (balance_->follows_decay()) {
      const double rise = (beside[1].energy - beside[0].energy) / (2.0 * energy_step);
      const double before = beside[0].zeta_secant, after = beside[1].zeta_secant;
      const double power = before > 0.0 && after > 0.0 ? std::log(after / before) / (2.0 * energy_step) : 0.0;
      auto decay =
          found ? balance_->decay(result, balance_->motion(y_, at_), derivative, rise, std::clamp(power, -2.0, 2.0))
                : Decay();
      // The energy of the structure goes with e^(2 s), but for that of the mean deflection, with e^s: wrong by that
      // much.
      if (pi * decay.rate * balance_->unevenness(balance_->motion(y_, at_)) > farthest_mean) decay.rate = no_number;
      result.zeta = decay.rate * growth / (2.0 * energy_step);
      result.energy = std::isfinite(decay.rate) ? result.energy + decay.stored : no_number;
      if (std::isfinite(result.zeta)) result.lag = balance_->lag(result, modal_derivative);
      return result;
    }
    double rise = beside[1].energy - beside[0].energy;
    if (own_decay && found) rise += 2.0 * energy_step * balance_->rise_of_joints(balance_->motion(y_, at_), derivative);
    const double lost = result.dissipation + balance_->viscous_loss(result);
    if (found && rise > 0.0) result.zeta = lost / (2.0 * pi * rise / growth);
    if (lost == 0.0) result.zeta = 0.0;
    if (std::isfinite(result.zeta)) result.lag = balance_->lag(result, modal_derivative);
    return result;
  }

 private:
  void rebuild(int harmonics) {
    const auto samples = [&](int h) { return std::max(options_->samples > 0 ? options_->samples : 64, 8 * h); };
    balance_ = std::make_unique<ModeBalance>(*system_, mode_, harmonics, samples(harmonics));
    finer_ = std::make_unique<ModeBalance>(*system_, mode_, 2 * harmonics + 1, samples(2 * harmonics + 1));
  }

  [[nodiscard]] Residual residual() {
    return [this](const Eigen::VectorXd& at, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                  Eigen::VectorXd* by_lambda) { return balance_->residual(at, lambda, r, jacobian, by_lambda); };
  }
  [[nodiscard]] static RelativeSize size() {
    return [](const Eigen::VectorXd& r, const Eigen::VectorXd&) { return ModeBalance::relative_size(r); };
  }

  SolveOutcome newton(Eigen::VectorXd& y, double log_amplitude) {
    return solve_at(residual(), size(), y, log_amplitude, 1e-8, options_->max_iterations);
  }

  bool solve(Eigen::VectorXd guess, double log_amplitude, int& iterations) {
    const SolveOutcome outcome = newton(guess, log_amplitude);
    iterations += outcome.iterations;
    if (!outcome.converged) return false;
    if (at_ != log_amplitude) {
      before_ = y_;
      before_at_ = at_;
    }
    y_ = std::move(guess);
    at_ = log_amplitude;
    return true;
  }

  const System* system_;
  int mode_;
  const NonlinearModeOptions* options_;
  std::unique_ptr<ModeBalance> balance_, finer_;
  Eigen::VectorXd y_, before_;
  double at_ = 0.0, before_at_ = 0.0, truncation_ = 0.0;
  std::vector<Turn> turns_;
  std::string lost_;
};

/// Without joints every amplitude has the stuck mode itself: omega_0, zeta_0, energy omega_0^2 a^2/2.
NonlinearModePoint linear_point(const System& system, int mode, double amplitude) {
  const double omega = system.stuck_modes().omega(mode);
  NonlinearModePoint point;
  point.amplitude = point.q = amplitude;
  point.omega = omega;
  point.zeta = point.zeta_secant = system.damping_ratios()(mode);
  point.energy = 0.5 * omega * omega * amplitude * amplitude;
  point.harmonics = 1;
  point.modal = Eigen::MatrixXcd::Zero(system.stuck_modes().omega.size(), 2);
  point.modal(mode, 1) = amplitude;
  return point;
}

}  // namespace

void check_nonlinear_mode(const System& system, int mode, const std::vector<double>& amplitudes) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument("nonlinear mode: " + what);
  };
  const Modes& modes = system.stuck_modes();
  const auto count = static_cast<int>(modes.omega.size());
  require(mode >= 0 && mode < count, fmt::format("there are modes 1 to {}, not {}", count, mode + 1));
  require(mode >= modes.rigid, fmt::format("mode {} is a rigid motion", mode + 1));
  require(
      system.modal_damping_is_diagonal() && system.structure().dampers().empty() && system.joint_damping().isZero(0.0),
      "the damping must be modal: one ratio a stuck mode");
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const Joint& joint = system.joints()[j];
    require(joint.directions.cols() == 1, "joint \"" + joint.name + "\" has several components");
    for (Eigen::Index r = 0; r < modes.rigid; ++r) {
      const double moved = std::abs(modes.shapes.col(r).dot(joint.directions.col(0)));
      require(moved <= 1e-8 * modes.shapes.col(r).cwiseAbs().maxCoeff() * joint.directions.cwiseAbs().sum(),
              "joint \"" + joint.name + "\" moves a rigid mode");
    }
  }
  require(!amplitudes.empty() && amplitudes.front() > 0.0, "amplitudes must be > 0");
  for (std::size_t i = 1; i < amplitudes.size(); ++i) {
    require(amplitudes[i] > amplitudes[i - 1], "amplitudes must grow");
  }
}

NonlinearModeCurve nonlinear_mode(const System& system, int mode, const std::vector<double>& amplitudes,
                                  const NonlinearModeOptions& options, const Observer& observer) {
  check_nonlinear_mode(system, mode, amplitudes);
  NonlinearModeCurve curve;
  curve.mode = mode;
  if (system.components() == 0) {
    for (const double amplitude : amplitudes) curve.points.push_back(linear_point(system, mode, amplitude));
    return curve;
  }
  ModeCurve walk(system, mode, options);
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    if (observer && !observer(static_cast<double>(i) / static_cast<double>(amplitudes.size()))) {
      curve.ending = Ending::interrupted;
      curve.message = "interrupted";
      return curve;
    }
    int iterations = 0;
    if (!walk.go_to(std::log(amplitudes[i]), iterations) || !walk.refine(iterations)) {
      curve.ending = Ending::no_convergence;
      curve.message = fmt::format("mode {}: no motion found at amplitude {:.6g} near that of {:.6g}", mode + 1,
                                  amplitudes[i], i > 0 ? amplitudes[i - 1] : 0.0);
      if (!walk.lost().empty()) curve.message += ": " + walk.lost();
      return curve;
    }
    curve.points.push_back(walk.point());
    curve.points.back().iterations = iterations;
  }
  const auto missing = std::count_if(curve.points.begin(), curve.points.end(),
                                     [](const NonlinearModePoint& point) { return std::isnan(point.zeta); });
  if (missing > 0) {
    const bool energies = std::any_of(curve.points.begin(), curve.points.end(),
                                      [](const NonlinearModePoint& point) { return std::isnan(point.energy); });
    curve.message =
        fmt::format("mode {}: no ring-down, {}, at {} of {} amplitudes, where {} missing", mode + 1,
                    energies ? "no motion found beside it, or a mean deflection too large to follow its decay"
                             : "or no motion found beside it",
                    missing, curve.points.size(), energies ? "zeta and energy are" : "zeta is");
  }
  for (const auto& turn : walk.turns()) {
    add_note(fmt::format("mode {}: the amplitude turns back at {:.6g} and grows again from {:.6g}; in between it has "
                         "several motions, of which one is told",
                         mode + 1, turn.largest, turn.smallest),
             curve.message);
  }
  const std::string lags = lags_in_words(curve);
  add_note(lags, curve.message);
  return curve;
}

Eigen::VectorXcd first_harmonic_shape(const System& system, const NonlinearModePoint& point) {
  return times(system.stuck_modes().shapes, Eigen::VectorXcd(point.modal.col(1)));
}

std::vector<double> frequencies_under(const System& system, const NonlinearModePoint& point,
                                      const Eigen::VectorXcd& force) {
  const double a = point.amplitude, w2 = point.omega * point.omega, z = point.zeta_secant;
  const double modal_force = std::abs(first_harmonic_shape(system, point).dot(force)) / a;
  // W^4 - 2 w^2 (1 - 2 zeta^2) W^2 + w^4 - (p/a)^2 = 0.
  const double middle = w2 * (1.0 - 2.0 * z * z);
  const double root = middle * middle - w2 * w2 + std::pow(modal_force / a, 2);
  std::vector<double> result;
  if (root < 0.0) return result;
  for (const double sign : {-1.0, 1.0}) {
    const double square = middle + sign * std::sqrt(root);
    if (square > 0.0) result.push_back(std::sqrt(square));
  }
  return result;
}

}  // namespace microslip
