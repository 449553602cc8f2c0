#pragma once
// Quasi-static modal analysis: amplitude-dependent frequency and damping of one mode from a slow ramp of the load
// alpha M phi. No time integration.
//
//   K q + B f(u) = alpha M phi,   q_r = phi^T M q
//
//   omega          = sqrt(alpha/q)                                       secant, Lacayo (3.17)
//   omega_ringdown = sqrt(K1), K1 the first harmonic of the loop         what a ring-down follows
//   zeta_secant    = D/(2 pi alpha q) + zeta0                            steady vibration as the papers have it, (3.20)
//   zeta           = (D + 2 pi zeta0 omega0 omega q^2)/(2 pi q^2 T)      ring-down
// D: dissipation of all joints per cycle; T: the tangent d alpha/dq. T q is the energy that a ring-down gives up per
// length of amplitude.
//
// That is so where every joint obeys the Masing rules and none turns back as the load rises: D is their closed form,
// and the loop is that of the curve. Otherwise full cycles of the load are followed at every point until they are
// steady (load_cycle.hpp), D and zeta_secant being NaN where they are not, and omega_ringdown and zeta are those of a
// free decay (free_swing.hpp), the frequency with its damping; NaN where there is none.
//
// Ref: Lacayo thesis, chapter 3; docs/theory.md, "Quasi-static modal analysis".

#include <string>
#include <vector>

#include "microslip/modal/quasi_static_mode.hpp"
#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

enum class Spacing { log, linear };

/// alpha from `from` to `to`; M phi alpha is a force, so that alpha is a modal acceleration.
struct LoadRamp {
  double from = 0.0;  ///< > 0
  double to = 0.0;    ///< > from
  int points = 50;    ///< >= 2
  Spacing spacing = Spacing::log;
};

struct QsmaOptions {
  LoadShape load_shape = LoadShape::stuck;
  OtherModes other_modes = OtherModes::at_rest;
  int refinements = 5;       ///< halvings of a load step over which the tangent changes by much; 0: none
  int cycle_steps = 32;      ///< of each half of a full load cycle
  double tolerance = 1e-11;  ///< of the joint forces, relative
  int max_iterations = 30;   ///< Newton iterations a step
};

/// One amplitude.
struct ModalPoint {
  double alpha = 0.0;           ///< load
  double q = 0.0;               ///< modal displacement; half of the range where the cycle is not symmetric
  double omega = 0.0;           ///< [rad/time]
  double omega_ringdown = 0.0;  ///< [rad/time]
  double zeta = 0.0;            ///< of a ring-down
  double zeta_secant = 0.0;     ///< of steady vibration
  double dissipation = 0.0;     ///< of all joints per cycle [energy]
  double coupling = 0.0;        ///< largest |q_s/q| of another mode
  double tangent = 0.0;         ///< d alpha/dq of the ramp
};

struct ModalCurve {
  Ending ending = Ending::completed;
  std::string message;
  int mode = 0;                     ///< from 0
  std::vector<ModalPoint> points;   ///< those of the ramp, and more where the curve bends sharply
  std::vector<double> deflections;  ///< of the joints, point by point, one a component
  std::vector<double> ratios;       ///< q_s/q of every other mode, point by point
  long evaluations = 0;             ///< of all joints
};

/// The ramp of one mode, from joints that have never moved. Never throws for lack of convergence: see
/// ModalCurve::ending, the points up to there are kept. `limit_load`: the load cannot rise any further. Throws
/// std::invalid_argument for a ramp or options out of range, or a mode that does not vibrate (`mode` from 0).
[[nodiscard]] ModalCurve quasi_static_modal_analysis(const System& system, int mode, const LoadRamp& ramp,
                                                     const QsmaOptions& options = {}, const Observer& observer = {});

/// The same with the mode prepared; load_shape and other_modes of the options are not looked at.
[[nodiscard]] ModalCurve quasi_static_modal_analysis(const QuasiStaticMode& mode, const LoadRamp& ramp,
                                                     const QsmaOptions& options = {}, const Observer& observer = {});

}  // namespace microslip
