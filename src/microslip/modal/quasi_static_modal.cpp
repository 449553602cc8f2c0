#include "microslip/modal/quasi_static_modal.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <numbers>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "microslip/modal/free_swing.hpp"
#include "microslip/modal/load_cycle.hpp"
#include "microslip/modal/masing_harmonic.hpp"
#include "microslip/modal/ramp_walker.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

/// Points below the first of the ramp, each at half the load of the next: the loop of an amplitude needs the curve
/// below it. Before the first of them it is a power of q.
constexpr int lead_in = 6;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

double load_of(const LoadRamp& ramp, int i) {
  if (i == ramp.points - 1) return ramp.to;
  const double share = static_cast<double>(i) / (ramp.points - 1);
  if (ramp.spacing == Spacing::linear) return ramp.from + share * (ramp.to - ramp.from);
  return ramp.from * std::pow(ramp.to / ramp.from, share);
}

/// Builds one curve.
class CurveBuilder {
 public:
  CurveBuilder(const QuasiStaticMode& mode, const LoadRamp& ramp, const QsmaOptions& options)
      : mode_(&mode),
        options_(options),
        equilibrium_(mode, options.tolerance, options.max_iterations),
        walker_(equilibrium_, mode, options.refinements),
        first_alpha_(ramp.from * (1.0 - 1e-12)) {
    const auto room = static_cast<std::size_t>(2 * ramp.points + 64);
    curve_.mode = mode.mode;
    curve_.points.reserve(room);
    curve_.deflections.reserve(room * static_cast<std::size_t>(mode.system->components()));
    farthest_.assign(static_cast<std::size_t>(mode.system->components()), 0.0);
    for (const Joint& joint : mode.system->joints()) {
      slips_.insert(slips_.end(), static_cast<std::size_t>(joint.directions.cols()), !is_straight(joint.law));
    }
    if (mode.masing) {
      harmonic_.emplace(1.0 / mode.modal_compliance, room + lead_in);
    } else {
      go_through_cycles();
    }
  }

  /// Joints with a force at rest find their equilibrium first.
  bool start() {
    if (mode_->masing) return true;
    if (!equilibrium_.try_load(0.0)) return stop(Ending::no_convergence, 0.0, "no equilibrium without load");
    equilibrium_.commit();
    return true;
  }

  bool raise_to(double alpha) {
    while (equilibrium_.committed().alpha < alpha * (1.0 - 1e-12)) {
      switch (walker_.step_towards(alpha)) {
        case RampStep::advanced:
          if (!record()) return false;
          break;
        case RampStep::limit_load:
          return stop(Ending::limit_load, walker_.limit(), "the load cannot rise beyond");
        case RampStep::no_convergence:
          return stop(Ending::no_convergence, equilibrium_.committed().alpha, "no equilibrium found beyond");
      }
    }
    return true;
  }

  ModalCurve finish() {
    curve_.evaluations = equilibrium_.evaluations();
    if (cycler_) curve_.evaluations += cycler_->evaluations() + swing_->evaluations();
    if (without_swing_ > 0) remark("no free swing", without_swing_, "omega_ringdown and zeta are missing");
    if (early_ > 0) {
      remark("no decay but that of the first swings", early_, "omega_ringdown and zeta remember how it began");
    }
    if (unsettled_ > 0) {
      remark("after " + std::to_string(LoadCycler::most_cycles) + " cycles joint \"" + restless_ + "\" does not settle",
             unsettled_, "zeta_secant and dissipation are missing");
    }
    if (driven_rows_ > 0) add_note(driven_modes_in_words(), curve_.message);
    return std::move(curve_);
  }

  void interrupt() { stop(Ending::interrupted, equilibrium_.committed().alpha, "stopped at"); }

 private:
  void remark(const std::string& what, int points, const char* missing) {
    std::ostringstream message;
    message << "mode " << mode_->mode + 1 << ": " << what << " at " << points << " of " << curve_.points.size()
            << " amplitudes, where " << missing;
    add_note(message.str(), curve_.message);
  }

  bool stop(Ending ending, double alpha, const char* what) {
    std::ostringstream message;
    message << "mode " << mode_->mode + 1 << ": " << what << " alpha = " << alpha;
    if (ending == Ending::no_convergence) message << ": joint \"" << equilibrium_.worst_component() << "\"";
    if (ending == Ending::no_convergence && passed_fold()) {
      message << "; the modes that vibrate along turn the motion back there (a fold): see nonlinear_mode";
    }
    curve_.ending = ending;
    curve_.message = message.str();
    return false;
  }

  [[nodiscard]] bool passed_fold() const {
    return equilibrium_.passed_fold() || (cycler_ && cycler_->tip().passed_fold());
  }

  bool record() {
    const EquilibriumState& state = equilibrium_.committed();
    ModalPoint point;
    point.alpha = state.alpha;
    point.q = state.q;
    point.tangent = state.tangent;
    if (harmonic_ && a_joint_turns_back()) go_through_cycles();
    if (harmonic_) {
      harmonic_->add(state.q, state.excess, state.slope, walker_.passed_kink());
      if (state.alpha < first_alpha_) return true;
      point.omega_ringdown = std::sqrt(std::max(harmonic_->stiffness(), 0.0));
      point.dissipation = 4.0 * equilibrium_.dissipated_energy();  // a virgin curve takes a quarter of its loop
      point.zeta = masing_zeta(point);
    } else {
      if (state.alpha < first_alpha_) return true;
      const LoadCycle cycle = cycler_->run(equilibrium_);
      if (!cycle.converged) return stop(Ending::no_convergence, state.alpha, "no full cycle of the load at");
      point.q = cycle.half_range;
      point.dissipation = cycle.dissipation;
      const double decrement = 0.5 * cycle.dissipation / (state.alpha * cycle.half_range) + pi * mode_->zeta0;
      const FreeDecay decay = swing_->run(cycler_->tip(), cycle.half_range, decrement);
      constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
      if (!cycle.steady) {
        ++unsettled_;
        restless_ = cycler_->restless_component();
        point.dissipation = nothing;
      }
      if (!decay.converged) ++without_swing_;
      if (decay.converged && decay.early) ++early_;
      point.omega_ringdown = decay.converged ? decay.omega : nothing;
      point.zeta = decay.converged ? decay.zeta : nothing;
      if (cycle.steady) look_at_driven_modes(point);
    }
    point.omega = std::sqrt(point.alpha / point.q);
    point.zeta_secant = point.dissipation / (two_pi * point.alpha * point.q) + mode_->zeta0;
    const Eigen::VectorXd& ratios = equilibrium_.ratios();
    point.coupling = ratios.size() > 0 ? ratios.cwiseAbs().maxCoeff() : 0.0;
    curve_.ratios.insert(curve_.ratios.end(), ratios.begin(), ratios.end());
    curve_.points.push_back(point);
    const auto& u = equilibrium_.deflections();
    curve_.deflections.insert(curve_.deflections.end(), u.begin(), u.end());
    return true;
  }

  /// Rows in which harmonics of the joints lead more than `little` of their loss to other modes.
  void look_at_driven_modes(const ModalPoint& point) {
    constexpr double little = 0.02, rounding = 1e-12;  // of the loss; of the energy
    const double omega = std::isfinite(point.omega_ringdown) ? point.omega_ringdown : std::sqrt(point.alpha / point.q);
    const double own = point.dissipation + pi * mode_->damping * omega * point.q * point.q;
    const double nothing = rounding * point.alpha * point.q;
    const DrivenModes driven = (*driven_)(cycler_->trace(), omega);
    if (!(driven.loss > std::max(little * own, nothing))) return;
    const double share = own > nothing ? driven.loss / own : std::numeric_limits<double>::infinity();
    if (driven_rows_++ == 0) first_driven_q_ = point.q;
    if (driven_rows_ == 1 || share > most_driven_.share) most_driven_ = {share, point.q, driven.mode, driven.harmonic};
  }

  [[nodiscard]] std::string driven_modes_in_words() const {
    std::ostringstream words;
    words << "mode " << mode_->mode + 1 << ": at " << driven_rows_ << " of " << curve_.points.size()
          << " amplitudes, the first q = " << first_driven_q_
          << ", harmonics of the joint forces drive other modes, whose damping is left out here: "
          << std::setprecision(3);
    if (std::isfinite(most_driven_.share)) {
      words << "by estimate " << 100.0 * most_driven_.share << " % of the loss at q = " << most_driven_.q;
    } else {
      words << "there is no other loss at q = " << most_driven_.q;
    }
    words << ", most of it harmonic " << most_driven_.harmonic << " in mode " << most_driven_.mode + 1
          << "; nonlinear_mode has the motion with its harmonics";
    return words.str();
  }

  /// dE/dq over q is the tangent.
  [[nodiscard]] double masing_zeta(const ModalPoint& point) const {
    const double q2 = point.q * point.q;
    return (point.dissipation + std::numbers::pi * mode_->damping * point.omega_ringdown * q2) /
           (two_pi * q2 * point.tangent);
  }

  void go_through_cycles() {
    harmonic_.reset();
    driven_.emplace(*mode_);
    cycler_.emplace(*mode_, options_.tolerance, options_.max_iterations, options_.cycle_steps);
    swing_.emplace(*mode_, options_.tolerance, options_.max_iterations, options_.cycle_steps);
  }

  /// The modal curve obeys the Masing rules as long as every joint is loaded with it. Load that is redistributed may
  /// unload one. A joint that comes back by d from its farthest deflection u changes the loss of a cycle by 4 k u d at
  /// most; what that is too little to be seen (the middle joint of a symmetric beam) may stay.
  [[nodiscard]] bool a_joint_turns_back() {
    constexpr double rounding = 1e-7;  // of the largest deflection
    constexpr double unseen = 1e-6;    // of the loss of a cycle
    const auto& u = equilibrium_.deflections();
    double largest = 0.0;
    for (const double value : farthest_) largest = std::max(largest, std::abs(value));
    double change = 0.0;
    for (std::size_t i = 0; i < farthest_.size(); ++i) {
      const double far = std::abs(farthest_[i]);
      const double back = far - std::copysign(1.0, farthest_[i]) * u[i];
      if (slips_[i] && far != 0.0 && back > rounding * largest) change += 4.0 * equilibrium_.stiffness(i) * far * back;
      if (std::abs(u[i]) > far) farthest_[i] = u[i];
    }
    return change > 0.0 && change > unseen * 4.0 * equilibrium_.dissipated_energy();
  }

  const QuasiStaticMode* mode_;
  QsmaOptions options_;
  ModalEquilibrium equilibrium_;
  RampWalker walker_;
  double first_alpha_;
  std::optional<MasingHarmonic> harmonic_;
  std::optional<LoadCycler> cycler_;
  std::optional<FreeSwing> swing_;
  std::vector<double> farthest_;  ///< deflections, a component
  std::vector<bool> slips_;       ///< its way back differs from its way forth
  int without_swing_ = 0;         ///< points
  int early_ = 0;                 ///< points
  int unsettled_ = 0;             ///< points whose cycle of the load does not become steady
  std::string restless_;          ///< the joint component that moved most at the last of them
  std::optional<DrivenModeEstimate> driven_;
  struct Driven {
    double share = 0.0, q = 0.0;
    int mode = 0, harmonic = 0;
  };
  Driven most_driven_;  ///< the row with the largest share
  int driven_rows_ = 0;
  double first_driven_q_ = 0.0;
  ModalCurve curve_;
};

}  // namespace

ModalCurve quasi_static_modal_analysis(const QuasiStaticMode& mode, const LoadRamp& ramp, const QsmaOptions& options,
                                       const Observer& observer) {
  require(ramp.from > 0.0 && std::isfinite(ramp.from), "alpha must start above 0");
  require(ramp.to > ramp.from && std::isfinite(ramp.to), "alpha must end above its start");
  require(ramp.points >= 2, "a ramp needs 2 points or more");
  require(options.tolerance > 0.0 && options.max_iterations > 0, "tolerance and max_iterations must be > 0");
  require(options.refinements >= 0 && options.cycle_steps >= 2, "refinements must be >= 0, cycle_steps >= 2");

  CurveBuilder builder(mode, ramp, options);
  bool going = builder.start();
  for (int k = lead_in; going && mode.masing && k > 0; --k) going = builder.raise_to(std::ldexp(ramp.from, -k));
  for (int i = 0; going && i < ramp.points; ++i) {
    going = builder.raise_to(load_of(ramp, i));
    if (going && observer && !observer(static_cast<double>(i + 1) / ramp.points)) {
      builder.interrupt();
      break;
    }
  }
  return builder.finish();
}

ModalCurve quasi_static_modal_analysis(const System& system, int mode, const LoadRamp& ramp, const QsmaOptions& options,
                                       const Observer& observer) {
  return quasi_static_modal_analysis(QuasiStaticMode(system, mode, options.load_shape, options.other_modes), ramp,
                                     options, observer);
}

}  // namespace microslip
