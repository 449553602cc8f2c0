#pragma once
// Steady vibration under harmonic loads over frequency or level: what can be chosen, and what is told. See
// steady_vibration.hpp.

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "microslip/periodic/harmonic_balance.hpp"
#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

enum class SteadyMethod {
  harmonic_balance,
  shooting,
  piecewise_linear  ///< exact orbits of piecewise-linear systems, which finds events
};

enum class HarmonicSolver {
  newton,
  fixed_point  ///< Wang's MHBM: single frequencies only; it diverges where HarmonicBalance::fixed_point_radius is above
               ///< 1
};

struct FrequencyResponseOptions {
  SteadyMethod method = SteadyMethod::harmonic_balance;
  int harmonics = 0;        ///< 0: chosen
  int samples = 0;          ///< evaluations of each joint a period; 0: chosen
  double tolerance = 1e-4;  ///< of the choice: error of the recorded displacements, relative
  int max_harmonics = 101;  ///< of the choice
  int max_samples = 4096;   ///< of the choice
  int steps = 0;            ///< of a period, by shooting, at least 16; 0: chosen
  int max_steps = 16384;    ///< of the choice
  int modes = 0;            ///< stuck modes kept in exact orbits, 0: all; the others count statically, PiecewiseModel
  int periods = 1;          ///< of the load in one of the motion, of exact orbits
  double max_step = 0.15;   ///< along a curve: relative change of the motion, or part of the range of frequencies
  int max_points = 20000;   ///< of a curve
  HarmonicSolver solver = HarmonicSolver::newton;
  /// First harmonic of the displacements, one a degree of freedom: the first motion is looked for near this one. Empty:
  /// it is the one that a slow growth of the load leads to.
  Eigen::VectorXcd start;
  std::optional<PeriodicOrbit> near;  ///< the same with all of its harmonics, instead
  [[nodiscard]] bool begins_near() const { return start.size() > 0 || near.has_value(); }
  /// Curves detached from one over frequency are looked for by curves over the level, up to so many times its level;
  /// 0: they are not. See isolas.hpp.
  double isolas = 0.0;
  bool stability = true;                ///< Floquet multipliers of every point, where floquet.hpp can find them
  int stability_steps = 128;            ///< in a period, and more where the multiplier needs them
  double fixed_point_tolerance = 1e-3;  ///< |x - x'|/|x|
  int fixed_point_iterations = 1000;
};

/// Relative size of the residual before the last Newton correction. Where harmonics are chosen it may be a tenth of
/// what they leave out: the correction takes off nearly all of it, and the rest.
[[nodiscard]] double curve_tolerance(const FrequencyResponseOptions& options);

/// What is told of each point.
struct ResponseRecord {
  std::vector<int> dofs;  ///< amplitudes of these
  int peak_dof = -1;      ///< peaks of the amplitude of this one are located; -1: none
};

/// How the load grew to a motion.
struct Growth {
  bool folds = false;        ///< it had to fall on its way
  bool transient = false;    ///< it was not followed: the motion is one beside a transient
  bool nothing = false;      ///< nor does a transient settle to a motion of the load's period
  Eigen::VectorXd farthest;  ///< u of largest |u| of the joint components on its way; empty: not known
};

/// What only exact orbits tell of a motion. Of each joint, zero where it is not friction: stick_fraction, cases.
struct ExactOrbit {
  std::vector<double> stick_fraction;  ///< stuck time over period
  /// 1 it never sticks, 2 it sticks at both ends, 3 at the largest, 4 at the smallest deflection only (Altamirano,
  /// Tien, D'Souza 2021); 0 anything else.
  std::vector<int> cases;
  int events = 0;               ///< in a period of the motion
  double error = 0.0;           ///< what is left to correct at the event phases [rad], or what does not close, relative
  double peak_amplitude = 0.0;  ///< of ResponseRecord::peak_dof, and its first harmonic
  std::complex<double> peak_motion = 0.0;
};

struct ResponsePoint {
  PeriodicOrbit orbit;              ///< of exact orbits: frequency and level alone
  std::vector<double> amplitude;    ///< half of the range, a degree of freedom
  std::vector<double> harmonic1;    ///< amplitude of the first harmonic
  std::vector<double> phase1;       ///< its phase against the load, (-pi, pi]
  std::vector<double> dissipation;  ///< of each joint per period of the load [energy]; of exact orbits, by friction
  std::vector<double> dissipation_error;  ///< estimate, at this frequency; not a number where it cannot be told
  std::optional<ExactOrbit> exact;        ///< then neither dissipation_error nor `errors` tell anything
  bool behind_a_gap = false;              ///< no curve leads here from the point before
  int piece = 0;                          ///< 0: of the curve from the start of the range; 1, 2, ...: of DetachedCurve
  int iterations = 0;  ///< evaluations of the equations; of a single frequency, with the growth of the load
  int samples = 0;
  HarmonicBalance::Errors errors;
  Eigen::VectorXd farthest_before;   ///< Growth::farthest; empty: the motion was not reached by growth
  std::optional<double> multiplier;  ///< largest |Floquet multiplier|; not a number where it was not found
  double multiplier_error = 0.0;     ///< estimate
  /// Not where the period could not be run: all numbers of the motion are none then.
  [[nodiscard]] bool known() const { return orbit.deflection.allFinite(); }
  /// Known to be: no multiplier is outside the unit circle, or one is. On it (to rounding) is the mean position of a
  /// joint that slips all around and is held by nothing else. Neither: the error hides it.
  [[nodiscard]] bool stable() const { return multiplier && *multiplier + multiplier_error <= 1.0 + 1e-9; }
  [[nodiscard]] bool unstable() const { return multiplier && *multiplier - multiplier_error > 1.0 + 1e-9; }
};

enum class SpecialKind {
  fold = 1,       ///< the curve turns back in frequency
  peak = 2,       ///< of the amplitude of ResponseRecord::peak_dof
  stability = 3,  ///< a multiplier passes the unit circle elsewhere than at a fold
  branch = 4,     ///< another curve crosses
  jump = 5,       ///< the motion goes over to another one: where a branch ends
};
struct SpecialPoint {
  SpecialKind kind = SpecialKind::fold;
  ResponsePoint point;
};

/// Over frequency, a curve that the one from the start of the range does not lead to.
struct DetachedCurve {
  int piece = 0;                ///< see ResponsePoint
  double from = 0.0, to = 0.0;  ///< least and largest omega
  bool closed = false;          ///< an isola; else it leaves the range
};

struct FrequencyResponse {
  Ending ending = Ending::completed;
  std::string message;  ///< why it ended, and what is in doubt
  std::string remark;   ///< worth knowing; no number is in doubt for it
  std::vector<ResponsePoint> points;
  std::vector<SpecialPoint> special;
  [[nodiscard]] HarmonicBalance::Errors largest_errors() const;
  /// A sentence on points and special points that are not known; empty: there are none.
  [[nodiscard]] std::string unknown_points() const;
  /// Of single frequencies and of the start of a curve: where the growth of the load that led to the motion folds back
  /// on its way.
  std::vector<double> folded_growth;
  /// The same, where the growth was not followed and the motion comes from a transient.
  std::vector<double> from_transient;
  bool closed = false;                  ///< a curve through a motion came back to it
  std::vector<DetachedCurve> detached;  ///< where they were looked for
};

}  // namespace microslip
