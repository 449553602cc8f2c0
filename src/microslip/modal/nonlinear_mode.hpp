#pragma once
// Nonlinear modes: periodic motions of the damped system that an artificial negative damping keeps going (extended
// periodic motion concept), by harmonic balance in joint space. With eta_s the stuck modes,
//
//   eta_s'' + (c_s - 2 zeta omega) eta_s' + omega_s^2 eta_s + psi_s x = 0,   x = f(u) - k u,  u = sum psi_s eta_s
//
// The first harmonic of mode r has the amplitude a and sets the phase; its equation gives omega and zeta, and
//
//   U_h + D_h X_h = (h = 1: psi_r a),   D_h = sum over (s, h) != (r, 1) of psi_s psi_s^T/[omega_s^2 - (h omega)^2 +
//                                             i h omega (c_s - 2 zeta omega)]
//
// has nothing singular in it. zeta is the damping of a steady vibration, the `zeta_secant` of quasi-static modal
// analysis. A ring-down decays with zeta = D/(2 pi q dE/dq): D all that is lost in a period, E the energy at the
// turning point of the mode, q its half-range, d the change as the joints' loops shrink (decay_anchor.hpp).
//
// That holds for Masing elements and springs. With any other joint the decay itself is followed (joint_decay.hpp): zeta
// is the -d ln q/(omega dt) at which the structure loses in a cycle what the joints, in the state that a long decay
// leaves, and the linear damping take. Relative to a ring-down it is right to the order of zeta.
//
// A conservative system has zeta = 0, and this is its nonlinear normal mode.
//
// Ref: Krack, Nonlinear modal analysis of nonconservative systems (2015); docs/theory.md, "Nonlinear modes".

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

struct NonlinearModeOptions {
  int harmonics = 0;        ///< 0: chosen
  int samples = 0;          ///< evaluations of each joint a period; 0: chosen
  double tolerance = 1e-7;  ///< of the choice: harmonics left out, relative to the joint deflections
  int max_harmonics = 101;  ///< of the choice
  int max_iterations = 20;  ///< Newton iterations a point
};

/// Another mode that answers a harmonic in resonance and settles slowly: as the motion decays it is behind.
struct ModeLag {
  double share = 0.0;  ///< of zeta, an estimate; 0: no other mode is behind
  int mode = 0;        ///< from 0
  int harmonic = 0;
};

struct NonlinearModePoint {
  double amplitude = 0.0;    ///< a: first harmonic of the modal displacement
  double q = 0.0;            ///< half of its range
  double omega = 0.0;        ///< [rad/time]
  double zeta = 0.0;         ///< of a ring-down; NaN: there is none, or a neighbour was not found
  double zeta_secant = 0.0;  ///< of steady vibration, the concept's own
  double energy = 0.0;       ///< at the turning point of the mode; with joints that are not Masing, NaN where zeta is
  double dissipation = 0.0;  ///< of all joints per period [energy]
  double coupling = 0.0;     ///< largest |eta_s,h|/a of another mode or harmonic
  double truncation = 0.0;   ///< estimate: harmonics left out, relative
  ModeLag lag;               ///< the largest
  int harmonics = 0;
  int iterations = 0;
  Eigen::MatrixXcd modal;  ///< eta_s,h: modes x (harmonics + 1), motion Re(sum eta_h exp(i h omega t))
};

struct NonlinearModeCurve {
  Ending ending = Ending::completed;
  std::string message;
  int mode = 0;  ///< from 0
  std::vector<NonlinearModePoint> points;
};

/// Throws std::invalid_argument for a mode that does not vibrate (`mode` from 0), amplitudes that do not grow, damping
/// that is not modal, joints of several components or that move rigid modes.
void check_nonlinear_mode(const System& system, int mode, const std::vector<double>& amplitudes);

/// At each amplitude in turn. Never throws for lack of convergence: see `ending`, the points up to there are kept.
/// Throws like check_nonlinear_mode.
[[nodiscard]] NonlinearModeCurve nonlinear_mode(const System& system, int mode, const std::vector<double>& amplitudes,
                                                const NonlinearModeOptions& options = {},
                                                const Observer& observer = {});

/// First harmonic of the displacements, one a degree of freedom.
[[nodiscard]] Eigen::VectorXcd first_harmonic_shape(const System& system, const NonlinearModePoint& point);

/// Frequencies at which a force of complex amplitude p (one number a degree of freedom) holds the amplitude of a point,
/// if the motion is that of the mode: a [omega^2 - W^2 + 2 i zeta omega W] = phi^H p, phi the first harmonic shape over
/// a. None, one or two, growing.
[[nodiscard]] std::vector<double> frequencies_under(const System& system, const NonlinearModePoint& point,
                                                    const Eigen::VectorXcd& force);

}  // namespace microslip
