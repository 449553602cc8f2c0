#include "microslip/transient/averaging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "microslip/joints/law_traits.hpp"
#include "microslip/joints/make_law.hpp"
#include "microslip/numerics/chebyshev.hpp"
#include "microslip/numerics/dormand_prince.hpp"
#include "microslip/transient/motion_table.hpp"

namespace microslip {

std::string AveragedMode::obstacle(const System& system) {
  const Modes& modes = system.stuck_modes();
  if (modes.omega.size() != 1 || modes.rigid > 0) {
    return fmt::format(
        "averaging is for one mode that vibrates; this structure has {} mode{}{}: take transient, or a "
        "modal model of one mass",
        modes.omega.size(), modes.omega.size() == 1 ? "" : "s",
        modes.rigid > 0 ? fmt::format(", {} of them rigid", modes.rigid) : "");
  }
  if (const double zeta = system.damping_ratios()(0); !(zeta < 1.0) || !(zeta >= 0.0)) {
    return fmt::format("averaging needs a damping ratio from 0 to 1, the stuck mode has {:g}: take transient", zeta);
  }
  for (const Joint& joint : system.joints()) {
    if (is_rigid_friction(joint.law)) {
      return fmt::format(
          "averaging does not take the rigid friction (coulomb) of joint \"{}\": take transient with "
          "method = \"events\"",
          joint.name);
    }
    if (SteadyCycleLaw::of(joint.law)) continue;
    return fmt::format(
        "averaging needs the closed forms of a steady cycle, and the law of joint \"{}\" has none; it "
        "takes {}. transient takes every law",
        joint.name, laws_that([](const Law& law) { return SteadyCycleLaw::of(law).has_value(); }));
  }
  return "";
}

AveragedMode::AveragedMode(const System& system) {
  if (const std::string why = obstacle(system); !why.empty()) throw std::invalid_argument(why);
  stuck_omega_ = system.stuck_modes().omega(0);
  damping_ = 2.0 * stuck_omega_ * system.damping_ratios()(0);
  structure_ = stuck_omega_ * stuck_omega_;
  macroslip_ = std::numeric_limits<double>::infinity();
  const Eigen::VectorXd directions = system.directions().transpose() * system.stuck_modes().shapes.col(0);
  for (int j = 0; j < static_cast<int>(system.joints().size()); ++j) {
    const double direction = directions(system.offset(j));
    parts_.push_back({*SteadyCycleLaw::of(system.joints()[j].law), direction});
    structure_ -= direction * direction * system.stuck_joint_stiffness()(j, j);
    if (direction == 0.0) continue;
    const SteadyCycleLaw& law = parts_.back().law;
    if (const double at = law.macroslip() / std::abs(direction); at < macroslip_) {
      macroslip_ = at;
      macroslip_joint_ = j;
    }
    for (const double corner : law.corners()) corners_.push_back(corner / std::abs(direction));
  }
  std::sort(corners_.begin(), corners_.end());
}

SteadyCycle AveragedMode::at(double amplitude) const {
  SteadyCycle sum{structure_, structure_, structure_, 0.0};
  for (const Part& part : parts_) {
    const SteadyCycle cycle = part.law.at(std::abs(part.direction) * amplitude);
    const double square = part.direction * part.direction;
    sum.secant += square * cycle.secant;
    sum.harmonic += square * cycle.harmonic;
    sum.energy += square * cycle.energy;
    sum.loss += square * cycle.loss;
  }
  return sum;
}

AveragedMode::Rates AveragedMode::rates(double amplitude, AveragingForm form) const {
  const SteadyCycle cycle = at(amplitude);
  Rates rates;
  if (form == AveragingForm::secant) {  // (I-13), (I-14)
    rates.omega = std::sqrt(cycle.secant);
    rates.zeta = rates.zeta_forced = 0.5 * (damping_ / stuck_omega_ + cycle.loss / cycle.secant);
  } else {
    rates.omega = std::sqrt(cycle.harmonic);
    const double loss = cycle.loss + damping_ * rates.omega;
    rates.zeta = 0.5 * loss / cycle.energy;
    rates.zeta_forced = 0.5 * loss / cycle.harmonic;
  }
  return rates;
}

namespace {

using Rates = AveragedMode::Rates;

/// sqrt(1 - zeta^2), where zeta is small; a tenth at least, so that X stays a number where averaging is about to give
/// up.
double damped_share(double zeta) {
  return std::sqrt(std::max(0.01, 1.0 - zeta * zeta));
}

/// A load in modal coordinates.
struct ModalLoad {
  const Signal* signal;
  double factor;
};

/// x'' + c x' + K x = g, g from g0 to g1 along a straight line: exact over a step h.
///   y = x - offset, w = v - slope of the particular solution;   d = c/2, w_d^2 = K - d^2
class LinearStep {
 public:
  LinearStep(double stiffness, double damping, double h) : damping_(damping), h_(h) {
    const double d = 0.5 * damping;
    const double z = (stiffness - d * d) * h * h;
    double cosine = 0.0, sine = 0.0;  // cos(w_d h), sin(w_d h)/w_d
    if (std::abs(z) < 0.11) {         // the rest of the series is below rounding
      constexpr double c2 = 1.0 / 2, c4 = 1.0 / 24, c6 = 1.0 / 720, c8 = 1.0 / 40320, c10 = 1.0 / 3628800,
                       c12 = 1.0 / 479001600;
      constexpr double s3 = 1.0 / 6, s5 = 1.0 / 120, s7 = 1.0 / 5040, s9 = 1.0 / 362880, s11 = 1.0 / 39916800;
      cosine = 1.0 - z * (c2 - z * (c4 - z * (c6 - z * (c8 - z * (c10 - z * c12)))));
      sine = h * (1.0 - z * (s3 - z * (s5 - z * (s7 - z * (s9 - z * s11)))));
    } else if (z > 0.0) {
      const double angle = std::sqrt(z);
      cosine = std::cos(angle);
      sine = h * std::sin(angle) / angle;
    } else {
      const double angle = std::sqrt(-z);
      cosine = std::cosh(angle);
      sine = h * std::sinh(angle) / angle;
    }
    const double decay = std::exp(-d * h);
    xx_ = decay * (cosine + d * sine);
    xv_ = decay * sine;
    vx_ = -decay * stiffness * sine;
    vv_ = decay * (cosine - d * sine);
    compliance_ = 1.0 / stiffness;
  }

  void apply(double g0, double g1, double& x, double& v) const {
    const double rate = (g1 - g0) * compliance_ / h_;
    const double offset = g0 * compliance_ - damping_ * compliance_ * rate;
    const double y = x - offset, w = v - rate;
    x = xx_ * y + xv_ * w + offset + rate * h_;
    v = vx_ * y + vv_ * w + rate;
  }

 private:
  double damping_, h_, xx_, xv_, vx_, vv_, compliance_;
};

/// A piece of free decay. Time and phase are integrals over y = ln X, dt/dy = -1/(zeta omega) and
/// dphase/dy = -sqrt(1 - zeta^2)/zeta: Chebyshev series in s, from y = low (s = -1) to low + 2 half (s = 1).
struct FreePanel {
  static constexpr std::size_t points = 10;
  using Series = ChebyshevPanel<points>;
  Series time, phase;
  double low = 0.0, half = 0.0;

  [[nodiscard]] double amplitude(double s) const { return std::exp(low + half * (1.0 + s)); }
  [[nodiscard]] Rates rates(double s) const {
    const double p = phase.value(s);  // sqrt(1 - zeta^2)/zeta
    Rates r;
    r.zeta = r.zeta_forced = 1.0 / std::sqrt(1.0 + p * p);
    r.omega = 1.0 / (r.zeta * time.value(s));
    return r;
  }
  /// s at a time after the start of the panel, which is later than that of s = `high`: Newton within brackets.
  [[nodiscard]] double find(double t, double high) const {
    double s = high, low_s = -1.0;
    for (int i = 0; i < 60; ++i) {
      const double late = time.from_top(s) - t;
      (late < 0.0 ? high : low_s) = s;
      double next = s + late / (half * time.value(s));
      if (!(next >= low_s && next <= high)) next = 0.5 * (low_s + high);
      const bool done = std::abs(next - s) < 1e-14;
      s = next;
      if (done) break;
    }
    return s;
  }
};

class Averaging {
 public:
  Averaging(const System& system, std::span<const Load> loads, const InitialConditions& initial, const Record& record,
            Sink& sink, const AveragingOptions& options, const Observer& observer)
      : system_(system),
        mode_(system),
        record_(record),
        sink_(sink),
        options_(options),
        observer_(observer),
        recording_(!record.dofs.empty() || !record.joints.empty()),
        total_steps_(row_steps(options)),
        end_(static_cast<double>(total_steps_) * options.step) {
    const Eigen::VectorXd shape = system.stuck_modes().shapes.col(0);
    const Eigen::VectorXd inertia = system.structure().mass() * shape;
    if (initial.q.size() > 0) x_ = inertia.dot(initial.q);
    if (initial.v.size() > 0) v_ = inertia.dot(initial.v);
    for (const Load& load : loads) loads_.push_back({&load.signal, shape.dot(load.direction)});
    shapes_ = shape(record.dofs);
    for (const double corner : mode_.corners()) log_corners_.push_back(std::log(corner));
    rows_ = history_table();
  }

  AveragingResult run();

  // What a row tells.
  [[nodiscard]] double time() const { return moment_.t; }
  void displacements(double* values) const { show(moment_.x, values); }
  void velocities(double* values) const { show(moment_.v, values); }
  void accelerations(double* values) const { show(moment_.a, values); }
  void deflections(double* values) const;
  void joint_forces(double* values) const;

 private:
  /// The motion at a moment, for a row.
  struct Moment {
    double t = 0.0, x = 0.0, v = 0.0, a = 0.0;
    double amplitude = 0.0, omega = 0.0, zeta = 0.0;
  };
  struct Point {
    double amplitude = 0.0;
    Rates rates;
  };

  static long row_steps(const AveragingOptions& options) {
    TransientOptions same;
    same.duration = options.duration;
    same.step = options.step;
    return step_count(same);
  }

  [[nodiscard]] double force(double t) const {
    double sum = 0.0;
    for (const ModalLoad& load : active_) sum += load.factor * load.signal->value(t);
    return sum;
  }
  [[nodiscard]] double next_corner(double t, double end) const {
    for (const ModalLoad& load : active_) end = std::min(end, load.signal->next_corner(t));
    return end;
  }

  Rates rates(double amplitude) {
    result_.evaluations++;
    return mode_.rates(amplitude, options_.form);
  }
  Point amplitude_under_load(double x, double v, double guess);
  void enter_free_motion();
  void leave_free_motion(double log_amplitude, const Rates& rates);

  bool forced_to(double end);
  bool sampled_to(double end);
  void gather_block(double g, double end);
  void cross_block(const Rates& rates, bool write_rows, double& x, double& v);
  enum class PanelOutcome { made, stalled, failed };
  PanelOutcome next_panel(double y, FreePanel& panel);
  bool free_to(double end);
  bool hold_to(double end, const Rates& rates);

  void watch_macroslip(double t_before, double amplitude_before, double amplitude);
  bool carry_on();
  bool fail(Ending ending, std::string message) {
    result_.ending = ending;
    result_.message = std::move(message);
    return false;
  }

  [[nodiscard]] double row_time() const { return static_cast<double>(next_row_) * options_.step; }
  [[nodiscard]] bool row_due(double t) const {
    return recording_ && next_row_ <= total_steps_ && row_time() <= t * (1.0 + 1e-14);
  }
  void show(double modal, double* values) const;
  [[nodiscard]] Table<Averaging> history_table() const;
  void write_row(const Moment& moment);
  void write_forced_row(double t, double x, double v, const Point& point) {
    const Rates& r = point.rates;
    write_row({t, x, v, force(t) - 2.0 * r.zeta_forced * r.omega * v - r.omega * r.omega * x, point.amplitude, r.omega,
               r.zeta_forced});
  }
  void write_free_row(double t, double amplitude, double phase, double omega, double zeta);

  const System& system_;
  AveragedMode mode_;
  const Record& record_;
  Sink& sink_;
  const AveragingOptions& options_;
  const Observer& observer_;
  bool recording_;
  long total_steps_;
  double end_;
  std::vector<ModalLoad> loads_, active_;
  Eigen::VectorXd shapes_;
  std::vector<double> log_corners_;

  double t_ = 0.0, x_ = 0.0, v_ = 0.0;
  double amplitude_ = 0.0, phase_ = 0.0;
  double step_ = 0.0;                              ///< of the adaptive integration, kept from one stretch to the next
  double panel_width_ = 1.0;                       ///< of the free decay, in ln X
  std::vector<double> block_times_, block_loads_;  ///< corners of the block of lines at hand
  double corner_ = 0.0;                            ///< the next one
  LinearStep line_{1.0, 0.0, 1.0};
  long next_row_ = 0;
  long calls_ = 0;
  Moment moment_;  ///< of the row at hand
  Table<Averaging> rows_;
  AveragingResult result_;
};

/// X = sqrt(x^2 + (v/omega)^2), omega of X: fixed-point iteration, a contraction by |d ln omega/d ln X|, sped up by
/// secants. (I-18) has the damped frequency.
Averaging::Point Averaging::amplitude_under_load(double x, double v, double guess) {
  const double accuracy = 1e-2 * options_.tolerance;
  Point point{guess, {}};
  double last = 0.0, last_change = 0.0;
  for (int i = 0; i < 100; ++i) {
    point.rates = rates(point.amplitude);
    double omega = point.rates.omega;
    if (!(omega > 0.0)) break;  // the caller tells
    if (options_.form == AveragingForm::secant) {
      omega *= damped_share(point.rates.zeta);
    }
    const double image = std::hypot(x, v / omega);
    const double change = image - point.amplitude;
    if (!(std::abs(change) > accuracy * image)) break;
    double next = image;
    if (i > 0) {
      const double secant = point.amplitude - change * (point.amplitude - last) / (change - last_change);
      if (secant > 0.5 * image && secant < 2.0 * image) next = secant;
    }
    last = point.amplitude;
    last_change = change;
    point.amplitude = next;
  }
  return point;
}

/// x = X cos(phase), v = -X (zeta omega cos + omega_d sin) with the rates of the free decay: both continuous.
void Averaging::enter_free_motion() {
  double amplitude = std::max(amplitude_, std::abs(x_));
  if (amplitude == 0.0) amplitude = std::hypot(x_, v_ / mode_.stuck_omega());
  Rates r;
  for (int i = 0; i < 100; ++i) {
    r = rates(amplitude);
    if (!(r.omega > 0.0)) break;
    const double damped = r.omega * damped_share(r.zeta);
    const double cross = r.zeta < 1.0 ? (v_ + r.zeta * r.omega * x_) / damped : v_ / r.omega;
    const double image = std::hypot(x_, cross);
    const double change = image - amplitude;
    amplitude = image;
    phase_ = std::atan2(-cross, x_);
    if (!(std::abs(change) > 1e-12 * image)) break;
  }
  amplitude_ = amplitude;
}

void Averaging::leave_free_motion(double log_amplitude, const Rates& r) {
  amplitude_ = std::exp(log_amplitude);
  const double damped = r.omega * std::sqrt(1.0 - r.zeta * r.zeta);
  x_ = amplitude_ * std::cos(phase_);
  v_ = -amplitude_ * (r.zeta * r.omega * std::cos(phase_) + damped * std::sin(phase_));
}

void Averaging::watch_macroslip(double t_before, double amplitude_before, double amplitude) {
  result_.largest = std::max(result_.largest, amplitude);
  if (result_.macroslip_time >= 0.0 || !(amplitude > mode_.macroslip())) return;
  const double share =
      amplitude > amplitude_before
          ? std::clamp((mode_.macroslip() - amplitude_before) / (amplitude - amplitude_before), 0.0, 1.0)
          : 1.0;
  result_.macroslip_time = t_before + share * (t_ - t_before);
}

bool Averaging::carry_on() {
  constexpr long observe_every = 4096;
  if (!observer_ || calls_++ % observe_every != 0 || observer_(std::min(1.0, t_ / end_))) return true;
  return fail(Ending::interrupted, fmt::format("stopped at t = {:.6g}", t_));
}

/// Adaptive Runge-Kutta on (x, v), from corner to corner of the loads.
bool Averaging::forced_to(double end) {
  using Vector = DormandPrinceStep<2>::Vector;
  DormandPrinceStep<2> step;
  Point point = amplitude_under_load(x_, v_, amplitude_);
  const auto rhs = [&](double t, const Vector& y) -> Vector {
    point = amplitude_under_load(y[0], y[1], point.amplitude);
    const Rates& r = point.rates;
    return {y[1], force(std::min(t, end)) - 2.0 * r.zeta_forced * r.omega * y[1] - r.omega * r.omega * y[0]};
  };
  Vector y{x_, v_};
  amplitude_ = point.amplitude;
  Vector slope = rhs(t_, y);
  if (step_ == 0.0) step_ = 0.05 / mode_.stuck_omega();
  double corner = next_corner(t_, end);
  const double shortest = 1e-12 * std::max(end_, 1.0 / mode_.stuck_omega());
  while (t_ < end) {
    if (!carry_on()) return false;
    const bool to_corner = t_ + 1.01 * step_ >= corner;
    const double h = to_corner ? corner - t_ : step_;
    step.attempt(rhs, t_, y, slope, h);
    const double after = point.amplitude;  // the last stage is the end of the step
    const double scale = options_.tolerance * std::max({after, amplitude_, std::numeric_limits<double>::min()});
    const double error =
        std::max(std::abs(step.error()[0]) / scale, std::abs(step.error()[1]) / (scale * mode_.stuck_omega()));
    if (!std::isfinite(error) || !(point.rates.omega > 0.0)) {
      if (h < shortest) {
        return fail(
            Ending::no_convergence,
            fmt::format("the stiffness of a cycle of X = {:.4g} is not positive at t = {:.6g}", amplitude_, t_));
      }
      step_ = 0.2 * h;
      point.amplitude = amplitude_;
      continue;
    }
    const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
    if (error > 1.0) {
      if (h < shortest)
        return fail(Ending::step_too_small, fmt::format("the steps become too short at t = {:.6g}", t_));
      step_ = h * std::min(factor, 0.9);
      point.amplitude = amplitude_;
      continue;
    }
    result_.forced_steps++;
    const double before = t_, amplitude_before = amplitude_;
    t_ = to_corner ? corner : t_ + h;
    y = step.end();
    amplitude_ = after;
    while (row_due(t_)) {
      const Vector inside = step.at(row_time());
      write_forced_row(row_time(), inside[0], inside[1], amplitude_under_load(inside[0], inside[1], after));
    }
    watch_macroslip(before, amplitude_before, amplitude_);
    point.amplitude = amplitude_;
    slope = step.end_slope();
    if (to_corner && t_ < end) {
      corner = next_corner(t_, end);
      slope = rhs(t_, y);  // the load's rate jumps, its value does not; a value that does starts a new stretch
    }
    step_ = to_corner ? std::max(step_, h * factor) : h * factor;
  }
  x_ = y[0];
  v_ = y[1];
  return true;
}

/// The lines that follow, up to the length of a block; a longer one is cut into equal pieces.
void Averaging::gather_block(double g, double end) {
  const double longest = 2.0 * std::numbers::pi / (mode_.stuck_omega() * options_.blocks_per_period);
  block_times_.assign(1, t_);
  block_loads_.assign(1, g);
  while (block_times_.back() < end) {
    const double from = block_times_.back();
    if (!(corner_ > from)) corner_ = next_corner(from, end);
    if (block_times_.size() > 1 && corner_ - t_ > longest) return;
    const double g_corner = force(corner_);
    if (corner_ - from > longest) {
      const double share = 1.0 / std::ceil((corner_ - from) / longest);
      block_times_.push_back(from + share * (corner_ - from));
      block_loads_.push_back(block_loads_.back() + share * (g_corner - block_loads_.back()));
      return;
    }
    block_times_.push_back(corner_);
    block_loads_.push_back(g_corner);
  }
}

/// Through the lines of the block; rows on the way if asked for.
void Averaging::cross_block(const Rates& r, bool write_rows, double& x, double& v) {
  const double k = r.omega * r.omega, c = 2.0 * r.zeta_forced * r.omega;
  double h = 0.0;
  for (std::size_t i = 1; i < block_times_.size(); ++i) {
    const double from = block_times_[i - 1], next = block_times_[i] - from;
    const double g0 = block_loads_[i - 1], g1 = block_loads_[i];
    if (std::abs(next - h) > 1e-9 * h) line_ = LinearStep(k, c, h = next);
    while (write_rows && row_due(block_times_[i])) {
      const double inside = std::clamp(row_time() - from, 0.0, h);
      double x_row = x, v_row = v;
      if (inside > 0.0) LinearStep(k, c, inside).apply(g0, g0 + (g1 - g0) * inside / h, x_row, v_row);
      write_forced_row(row_time(), x_row, v_row, {std::hypot(x_row, v_row / r.omega), r});
    }
    line_.apply(g0, g1, x, v);
  }
}

/// Loads of straight lines: the oscillator exactly, line by line. Stiffness and damping are those of the amplitude in
/// the middle of a block of lines, extrapolated from the two blocks before: second order in its change over a block.
bool Averaging::sampled_to(double end) {
  amplitude_ = amplitude_under_load(x_, v_, amplitude_).amplitude;
  corner_ = t_;
  double g = force(t_);
  double growth = 0.0;     // dX/dt over the block before
  double stiffness = 0.0;  // of the block before
  double length = 0.0;     // of the block before; 0: this is the first
  while (t_ < end) {
    if (!carry_on()) return false;
    gather_block(g, end);
    const double block = block_times_.back() - t_;
    const bool first = length == 0.0;
    double middle = std::max(0.0, amplitude_ + 0.5 * block * growth);
    double x = 0.0, v = 0.0, k = 0.0, after = 0.0;
    for (int pass = first ? 0 : 2; pass < 3; ++pass) {  // the first block has nothing to extrapolate: by iteration
      const Rates r = rates(middle);
      k = r.omega * r.omega;
      x = x_;
      v = v_;
      cross_block(r, pass == 2, x, v);
      // The amplitude takes the stiffness at the end of the block; that of the middle is known.
      double k_end = first ? k : k + (k - stiffness) * block / (block + length);
      if (options_.form == AveragingForm::secant) k_end *= std::pow(damped_share(r.zeta), 2);
      after = std::sqrt(x * x + v * v / k_end);
      if (first) middle = 0.5 * (amplitude_ + after);
    }
    if (!(k > 0.0) || !std::isfinite(x + v)) {
      return fail(Ending::no_convergence,
                  fmt::format("the stiffness of a cycle of X = {:.4g} is not positive at t = {:.6g}", amplitude_, t_));
    }
    result_.forced_steps++;
    const double before = t_, amplitude_before = amplitude_;
    t_ = block_times_.back();
    g = block_loads_.back();
    growth = (after - amplitude_) / block;
    stiffness = k;
    length = block;
    x_ = x;
    v_ = v;
    amplitude_ = after;
    watch_macroslip(before, amplitude_before, amplitude_);
  }
  return true;
}

/// No decay worth speaking of: X stays.
bool Averaging::hold_to(double end, const Rates& rates) {
  Rates r = rates;
  if (amplitude_ == 0.0) r.zeta = std::min(r.zeta, 1.0);  // at rest, whatever the damping
  const double damped = r.omega * std::sqrt(1.0 - r.zeta * r.zeta);
  while (row_due(end)) {
    write_free_row(row_time(), amplitude_, phase_ + damped * (row_time() - t_), r.omega, r.zeta);
    if (!carry_on()) return false;
  }
  phase_ += damped * (end - t_);
  t_ = end;
  if (amplitude_ > 0.0) {
    leave_free_motion(std::log(amplitude_), r);
  } else {
    x_ = v_ = 0.0;
  }
  return true;
}

/// The panel below ln X = y: as wide as the tolerance allows, down to the next corner of the laws at most.
Averaging::PanelOutcome Averaging::next_panel(double y, FreePanel& panel) {
  constexpr double narrowest = 1e-9, widest = 8.0;
  const auto corner = std::lower_bound(log_corners_.begin(), log_corners_.end(), y - 1e-12);
  const double limit = corner == log_corners_.begin() ? -std::numeric_limits<double>::infinity() : *(corner - 1);
  while (panel_width_ >= narrowest) {
    panel.low = std::max(y - panel_width_, limit);
    panel.half = 0.5 * (y - panel.low);
    std::array<double, FreePanel::points> time_rate{}, phase_rate{};
    double fastest = 0.0;
    for (std::size_t j = 0; j < FreePanel::points; ++j) {
      const double amplitude = panel.amplitude(FreePanel::Series::point(j));
      const Rates r = rates(amplitude);
      if (!(r.zeta < 1.0) || !(r.omega > 0.0)) {
        fail(Ending::no_convergence,
             fmt::format("the damping ratio of a free cycle of X = {:.4g} is {:.3g} at t = {:.6g}: the amplitude does "
                         "not change slowly; take transient",
                         amplitude, r.zeta, t_));
        return PanelOutcome::failed;
      }
      time_rate[j] = 1.0 / (r.zeta * r.omega);
      phase_rate[j] = std::sqrt(1.0 - r.zeta * r.zeta) / r.zeta;
      fastest = std::max(fastest, r.omega);
    }
    panel.time = FreePanel::Series(time_rate, panel.half);
    panel.phase = FreePanel::Series(phase_rate, panel.half);
    const double error = std::max(panel.phase.error(), fastest * panel.time.error());
    if (error <= options_.tolerance) {
      if (error < 1e-4 * options_.tolerance) panel_width_ = std::min(2.0 * panel_width_, widest);
      return PanelOutcome::made;
    }
    panel_width_ = 0.5 * std::min(panel_width_, 2.0 * panel.half);
  }
  return PanelOutcome::stalled;
}

/// Panel after panel, with the rows that fall into each.
bool Averaging::free_to(double end) {
  enter_free_motion();
  watch_macroslip(t_, amplitude_, amplitude_);
  if (amplitude_ == 0.0) return hold_to(end, rates(0.0));
  double y = std::log(amplitude_);
  panel_width_ = 1.0;
  FreePanel panel;
  while (true) {
    if (!carry_on()) return false;
    amplitude_ = std::exp(y);
    const Rates here = rates(amplitude_);
    if (!(here.zeta >= 0.0) || !(here.omega > 0.0)) {
      return fail(
          Ending::no_convergence,
          fmt::format("a free cycle of X = {:.4g} at t = {:.6g} has no positive stiffness or damping: there is no "
                      "decay to follow",
                      amplitude_, t_));
    }
    if (here.zeta * here.omega * (end - t_) < 1e-13) return hold_to(end, here);
    const PanelOutcome outcome = next_panel(y, panel);
    if (outcome == PanelOutcome::failed) return false;
    // Friction alone, at the amplitude where it starts to slip: the decay ends here.
    if (outcome == PanelOutcome::stalled) return hold_to(end, here);
    result_.free_steps++;

    const double last = t_ + panel.time.whole();
    double s = 1.0;
    while (row_due(std::min(last, end))) {
      s = panel.find(std::max(0.0, row_time() - t_), s);
      const Rates r = panel.rates(s);
      write_free_row(row_time(), panel.amplitude(s), phase_ + panel.phase.from_top(s), r.omega, r.zeta);
      if (!carry_on()) return false;
    }
    s = last >= end ? panel.find(end - t_, s) : -1.0;
    phase_ += panel.phase.from_top(s);
    t_ = std::min(last, end);
    y = panel.low + panel.half * (1.0 + s);
    if (last >= end) {
      leave_free_motion(y, panel.rates(s));
      return true;
    }
  }
}

void Averaging::write_free_row(double t, double amplitude, double phase, double omega, double zeta) {
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  const double cosine = std::cos(phase), sine = std::sin(phase);
  const double x = amplitude * cosine, v = -amplitude * (zeta * omega * cosine + damped * sine);
  write_row({t, x, v, -2.0 * zeta * omega * v - omega * omega * x, amplitude, omega, zeta});
}

void Averaging::show(double modal, double* values) const {
  for (Eigen::Index i = 0; i < shapes_.size(); ++i) values[i] = shapes_(i) * modal;
}

void Averaging::deflections(double* values) const {
  for (const int joint : record_.joints) *values++ = mode_.parts()[joint].direction * moment_.x;
}

void Averaging::joint_forces(double* values) const {
  for (const int joint : record_.joints) {
    const auto& part = mode_.parts()[joint];
    const SteadyCycle cycle = part.law.at(std::abs(part.direction) * moment_.amplitude);
    const double stiffness = options_.form == AveragingForm::secant ? cycle.secant : cycle.harmonic;
    *values++ = part.direction * (stiffness * moment_.x + cycle.loss / moment_.omega * moment_.v);
  }
}

/// The columns of a motion, and what averaging knows of it.
Table<Averaging> Averaging::history_table() const {
  Table<Averaging> table = motion_table<Averaging>(system_, record_);
  table.add({"X", "sqrt(mass) length", "amplitude of the modal displacement"},
            [](const Averaging& run) { return run.moment_.amplitude; });
  table.add({"omega", "rad/time", "frequency at this amplitude"},
            [](const Averaging& run) { return run.moment_.omega; });
  table.add({"zeta", "-", "damping ratio at this amplitude", Scale::logarithmic},
            [](const Averaging& run) { return run.moment_.zeta; });
  table.add({"macroslip", "-", "1: X is beyond phi_max of a joint"},
            [](const Averaging& run) { return run.moment_.amplitude > run.mode_.macroslip() ? 1.0 : 0.0; });
  return table;
}

void Averaging::write_row(const Moment& moment) {
  moment_ = moment;
  rows_.write(*this, sink_);
  next_row_ = next_row_ == total_steps_ ? total_steps_ + 1 : std::min(next_row_ + record_.every, total_steps_);
}

AveragingResult Averaging::run() {
  rows_.begin(sink_);

  // Stretches in which the same loads act.
  while (t_ < end_) {
    double stretch = end_;
    active_.clear();
    bool straight = true;
    for (const ModalLoad& load : loads_) {
      const double start = load.signal->start(), stop = load.signal->end();
      for (const double change : {start, stop}) {
        if (change > t_) stretch = std::min(stretch, change);
      }
      if (start > t_ || stop <= t_ || load.factor == 0.0) continue;
      active_.push_back(load);
      straight = straight && load.signal->piecewise_linear();
    }
    if (t_ == 0.0 && row_due(0.0)) {
      write_forced_row(0.0, x_, v_, amplitude_under_load(x_, v_, std::hypot(x_, v_ / mode_.stuck_omega())));
    }
    const bool done = active_.empty() ? free_to(stretch) : straight ? sampled_to(stretch) : forced_to(stretch);
    if (!done) break;
  }
  if (observer_ && result_.ending == Ending::completed) observer_(1.0);

  result_.time = t_;
  const Eigen::VectorXd shape = system_.stuck_modes().shapes.col(0);
  result_.q = shape * x_;
  result_.v = shape * v_;
  result_.amplitude = amplitude_;
  if (result_.macroslip_time >= 0.0 && result_.ending == Ending::completed) {
    result_.message = fmt::format(
        "X passes {:.4g}, phi_max of joint \"{}\", at t = {:.6g} and comes to {:.4g}: in macroslip averaging is a "
        "guess, "
        "compare with transient",
        mode_.macroslip(), system_.joints()[mode_.macroslip_joint()].name, result_.macroslip_time, result_.largest);
  }
  return result_;
}

void check(const System& system, std::span<const Load> loads, const InitialConditions& initial, const Record& record,
           const AveragingOptions& options) {
  const auto require = [](bool condition, const char* what, double got) {
    if (!condition) throw std::invalid_argument(fmt::format("{}, got {}", what, got));
  };
  require(options.duration > 0.0, "duration must be > 0", options.duration);
  require(options.step > 0.0, "step must be > 0", options.step);
  require(options.tolerance > 0.0 && options.tolerance <= 1e-2, "tolerance must be in (0, 0.01]", options.tolerance);
  require(options.blocks_per_period >= 1.0, "blocks_per_period must be >= 1", options.blocks_per_period);
  require(record.every >= 1, "record every must be >= 1", record.every);
  for (const Eigen::VectorXd* vector : {&initial.q, &initial.v}) {
    require(vector->size() == 0 || vector->size() == system.size(), "initial conditions must have one number a dof",
            static_cast<double>(vector->size()));
  }
  if (initial.memory) throw std::invalid_argument("averaging has no joint memory to start from");
  for (const Load& load : loads) {
    if (load.base) throw std::invalid_argument("averaging takes forces; load \"" + load.name + "\" moves the base");
  }
}

}  // namespace

AveragingResult simulate_by_averaging(const System& system, std::span<const Load> loads,
                                      const InitialConditions& initial, const Record& record, Sink& sink,
                                      const AveragingOptions& options, const Observer& observer) {
  check(system, loads, initial, record, options);
  return Averaging(system, loads, initial, record, sink, options, observer).run();
}

}  // namespace microslip
