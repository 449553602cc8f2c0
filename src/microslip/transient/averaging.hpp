#pragma once
// Modes by averaging: the joints count with the closed forms of their steady cycle at the amplitude X of the moment, so
// that there is no history to follow and no Newton iteration. Several modes are superposed, each as if it moved the
// joints alone.
//
//   under load     x'' + 2 zeta(X) omega(X) x' + omega(X)^2 x = g(t),   X from (x, x')
//   free           X' = -zeta omega X,   phase' = omega sqrt(1 - zeta^2)
//
// x is the modal displacement (mass-normalised stuck shape), g the modal force. Right to first order in the damping:
// good in microslip, a guess in macroslip; see docs/theory.md, "Averaging".
// Ref: Shetty, dissertation, Paper I.

#include <Eigen/Core>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "microslip/joints/steady_cycle.hpp"
#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"
#include "microslip/system/sink.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

enum class AveragingForm {
  tangent,  ///< first harmonic of the loop; free decay by the energy balance dE/dX
  secant    ///< Paper I, (11)-(14): secant stiffness in both
};

struct AveragingOptions {
  AveragingForm form = AveragingForm::tangent;
  double duration = 0.0;    ///< [time]
  double step = 0.0;        ///< of the rows; the integration chooses its own [time]
  double tolerance = 1e-6;  ///< of a step, relative to the amplitude; of the phase in free decay [rad]
  /// Of loads of straight lines: how often stiffness and damping are brought up to date, in a stuck period.
  double blocks_per_period = 20.0;
  int modes = 0;  ///< the lowest so many move, the others not at all; 0: all that were computed
};

/// A mode: stiffness and damping over one cycle of modal amplitude X.
class AveragedMode {
 public:
  /// Throws std::invalid_argument with the text of `obstacle`.
  explicit AveragedMode(const System& system, int mode = 0);

  /// Why averaging does not apply to this system; empty when it does.
  [[nodiscard]] static std::string obstacle(const System& system);

  /// Per unit modal mass.
  [[nodiscard]] SteadyCycle at(double amplitude) const;
  /// Frequency, and damping ratios of a decay and under load.
  struct Rates {
    double omega = 0.0;        ///< [rad/time]
    double zeta = 0.0;         ///< of the free decay
    double zeta_forced = 0.0;  ///< of the equivalent oscillator under load
  };
  [[nodiscard]] Rates rates(double amplitude, AveragingForm form) const;

  [[nodiscard]] double stuck_omega() const { return stuck_omega_; }
  /// Modal amplitude beyond which a joint slips as a whole: the first, its index; infinite if none.
  [[nodiscard]] double macroslip() const { return macroslip_; }
  [[nodiscard]] int macroslip_joint() const { return macroslip_joint_; }
  /// Modal amplitudes where the closed forms are not smooth, ascending.
  [[nodiscard]] const std::vector<double>& corners() const { return corners_; }

  struct Part {
    SteadyCycleLaw law;
    double direction;  ///< deflection per modal displacement
  };
  /// One a joint.
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

 private:
  double stuck_omega_ = 0.0;
  double structure_ = 0.0;  ///< omega^2 without the joints
  double damping_ = 0.0;    ///< phi^T C phi
  std::vector<Part> parts_;
  double macroslip_ = 0.0;
  int macroslip_joint_ = -1;
  std::vector<double> corners_;
};

// Inline: what a caller does not use of it costs nothing.
inline AveragedMode::Rates AveragedMode::rates(double amplitude, AveragingForm form) const {
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

struct AveragingResult {
  Ending ending = Ending::completed;
  std::string message;           ///< of a run that did not complete, or a warning
  long forced_steps = 0;         ///< on (x, x'), of all modes
  long free_steps = 0;           ///< pieces of the free decay
  long evaluations = 0;          ///< of the closed forms
  double time = 0.0;             ///< reached
  double largest = 0.0;          ///< X, at the ends of the steps; of several modes the largest of them
  double macroslip_time = -1.0;  ///< when X first passed phi_max of a joint; -1: never [time]
  Eigen::VectorXd q, v;          ///< at the end
  double amplitude = 0.0;        ///< X at the end, of the first mode
};

/// The columns of `simulate` with X, omega, zeta and macroslip, of several modes X[1], omega[1], zeta[1], X[2], ...;
/// rows at the same times. Loads are forces; a base motion is refused, like a system with an obstacle,
/// std::invalid_argument.
[[nodiscard]] AveragingResult simulate_by_averaging(const System& system, std::span<const Load> loads,
                                                    const InitialConditions& initial, const Record& record, Sink& sink,
                                                    const AveragingOptions& options, const Observer& observer = {});

}  // namespace microslip
