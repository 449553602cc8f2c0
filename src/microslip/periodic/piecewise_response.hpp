#pragma once
// Steady vibration with rigid friction and piecewise-linear springs over frequency: exact orbits, see
// piecewise_orbit.hpp, along curves with folds or at single frequencies.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/piecewise_orbit.hpp"

namespace microslip {

struct PiecewiseOptions {
  int modes = 0;           ///< stuck modes kept, 0: all; the others count statically, see PiecewiseModel
  int periods = 1;         ///< of the load in one of the motion
  bool stability = true;   ///< Floquet multipliers of every point
  double max_step = 0.15;  ///< along a curve: change of the phases over pi, or part of the range of frequencies
  int max_points = 20000;  ///< of a curve
};

struct PiecewisePoint {
  double omega = 0.0, level = 0.0;
  std::vector<double> amplitude;        ///< half of the range, a recorded degree of freedom
  std::vector<double> harmonic1;        ///< amplitude of the first harmonic
  std::vector<double> phase1;           ///< its phase against the load, (-pi, pi]
  std::vector<double> friction_energy;  ///< of each joint, per period of the load; zero where it is not friction
  std::vector<double> stick_fraction;   ///< of each joint: stuck time over period; zero where it is not friction
  /// Of each joint: 1 it never sticks, 2 it sticks at both ends, 3 at the largest, 4 at the smallest deflection only
  /// (Altamirano, Tien, D'Souza 2021); 0 anything else.
  std::vector<int> cases;
  double peak_amplitude = 0.0;  ///< of ResponseRecord::peak_dof, and its first harmonic
  std::complex<double> peak_motion = 0.0;
  int events = 0;  ///< in a period of the motion
  int iterations = 0;
  double error = 0.0;                ///< last correction of the event phases [rad], or what does not close, relative
  std::optional<double> multiplier;  ///< largest |Floquet multiplier|
  [[nodiscard]] bool stable() const { return multiplier && *multiplier <= 1.0 + 1e-9; }
  [[nodiscard]] bool unstable() const { return multiplier && !stable(); }
};

struct PiecewiseSpecial {
  SpecialKind kind = SpecialKind::fold;
  PiecewisePoint point;
};

struct PiecewiseResponse {
  Ending ending = Ending::completed;
  std::string message;
  std::vector<PiecewisePoint> points;
  std::vector<PiecewiseSpecial> special;
};

/// Steady vibration of one system under loads that are sines, Fourier series or constants, the first two in multiples
/// of the frequency asked for.
class PiecewiseResponses {
 public:
  /// Throws std::invalid_argument like PiecewiseModel.
  PiecewiseResponses(const System& system, std::span<const Load> loads, ResponseRecord record,
                     const PiecewiseOptions& options = {});
  /// Of a model that is there already; its modes count, not those of the options.
  PiecewiseResponses(PiecewiseModel model, ResponseRecord record, const PiecewiseOptions& options = {});

  /// From omega `from` to `to`, through folds. Never throws for lack of convergence: see `ending`.
  [[nodiscard]] PiecewiseResponse curve(double level, double from, double to, const Observer& observer = {});
  /// Single frequencies, each begun at the motion of the one before.
  [[nodiscard]] PiecewiseResponse at(double level, std::span<const double> omegas, const Observer& observer = {});
  /// The largest amplitude of record.peak_dof between two frequencies that hold one maximum; false: none found.
  bool peak(double level, double from, double to, PiecewisePoint& point);

  /// What is told of an orbit.
  [[nodiscard]] PiecewisePoint measure(const PiecewiseOrbit& orbit);
  [[nodiscard]] PiecewiseOrbits& orbits() { return orbits_; }
  /// A state of the first orbit of the last curve or list of frequencies, and the same of a neighbour to begin with.
  [[nodiscard]] const OrbitSeed& first() const { return first_; }
  void begin_near(const OrbitSeed& seed) { near_ = seed; }

 private:
  struct Weights;
  /// Goes on from an orbit, the last point of the result, in a direction of omega; both are of the last point after
  /// it. By the phases of the events: fast for any number of degrees of freedom. Where events change, the motion
  /// settles anew, which is right where there is one motion at each frequency.
  void trace(double from, double to, PiecewiseOrbit& orbit, double& direction, PiecewiseResponse& result,
             const Observer& observer);
  /// The same by the states: whatever the events, on unstable branches too. `front`: the orbit farthest on the way from
  /// `from` to `to`. See piecewise_curve.cpp.
  void trace_states(double from, double to, PiecewiseOrbit& orbit, double& direction, PiecewiseOrbit& front,
                    PiecewiseResponse& result, const Observer& observer);
  bool jump(double from, double to, bool back, const PiecewiseOrbit& front, PiecewiseOrbit& orbit, double& direction,
            PiecewiseResponse& result);
  /// The peak among three orbits in a row whose points are the last ones of the result.
  void find_peak(const PiecewiseOrbit& first, const PiecewiseOrbit& middle, const PiecewiseOrbit& last,
                 PiecewiseResponse& result);
  /// Where stability changes between two orbits of a curve that is followed by phases, to 1e-9 of the range: bisection.
  [[nodiscard]] PiecewisePoint stability_change(const PiecewiseOrbit& first, const PiecewiseOrbit& last, double range);
  bool begin(double omega, double level, PiecewiseOrbit& orbit);
  [[nodiscard]] const Weights& weights(const LinearFlow& flow);
  [[nodiscard]] double peak_amplitude(const PiecewiseOrbit& orbit);
  /// Of the measured degrees of freedom after the first `skip`.
  void amplitudes(const PiecewiseOrbit& orbit, std::size_t skip, std::vector<double>& amplitude);
  void first_harmonics(const PiecewiseOrbit& orbit, PiecewisePoint& point);
  void friction(const PiecewiseOrbit& orbit, PiecewisePoint& point) const;
  bool maximise(PiecewiseOrbit orbit, double low, double high, PiecewisePoint& point);

  PiecewiseModel model_;
  PiecewiseOrbits orbits_;
  ResponseRecord record_;
  PiecewiseOptions options_;
  std::vector<int> measured_;  ///< degrees of freedom: the recorded ones, then the one whose peaks count
  std::map<const LinearFlow*, std::shared_ptr<const Weights>> weights_;
  OrbitSeed first_, near_;
};

}  // namespace microslip
