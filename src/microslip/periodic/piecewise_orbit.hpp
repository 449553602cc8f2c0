#pragma once
// Periodic motions of a piecewise-linear model as arcs between events.
//
// Unknowns are the phases theta_i = omega t_i of the events and the free motion z that is left at the end of the arc
// with the most decay (blocks that die out on it are no unknowns). Every arc is exact, so that
//   z = A(theta, omega) z + c(theta, omega)        the motion closes,
//   g_i(z, theta, omega) = 0                       event i happens at theta_i,
// and the derivatives are exact: E (T f- - f+) for an event time, f-, f+ the rates before and after. Newton eliminates
// z and the phases together. The sequence of regimes is a guess: it is verified by the search for first events and the
// complementarity problem at each of them, and taken anew from the motion itself where it does not hold.

#include <Eigen/Core>
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "microslip/periodic/flow_transition.hpp"
#include "microslip/transient/contact_motion.hpp"

namespace microslip {

struct OrbitArc {
  const Regime* regime = nullptr;
  double theta = 0.0;  ///< phase of the load at its start [rad]
  int ended_by = -1;   ///< event function of its regime; -1: the orbit has no events
  FlowState start;     ///< all of the motion at its start
};

struct PiecewiseOrbit {
  double omega = 0.0, level = 0.0;
  int periods = 1;             ///< of the load in one of the motion
  bool antisymmetric = false;  ///< the arcs are half of the motion, x(t + T/2) = -x(t)
  std::vector<OrbitArc> arcs;
  FlowState end;  ///< free motion at the end of the last arc, and the positions of its stuck dampers
  std::shared_ptr<Excitation> excitation;
  int iterations = 0;
  double error = 0.0;     ///< last correction of the phases [rad], or what does not close, relative
  Eigen::VectorXd slope;  ///< about how the unknowns change with frequency: a good start for the next

  /// Phase over all arcs.
  [[nodiscard]] double span() const;
  [[nodiscard]] double end_of(std::size_t arc) const;
  [[nodiscard]] int events() const;
  /// Of the whole motion.
  [[nodiscard]] double period() const;
  [[nodiscard]] Segment segment(std::size_t arc) const;
  [[nodiscard]] std::size_t longest_arc() const;
};

/// A state on an orbit, in displacements: where another search may begin, of another system too.
struct OrbitSeed {
  double phase = 0.0;    ///< of the load [rad]
  Eigen::VectorXd q, v;  ///< relative to the ground
};

class PiecewiseOrbits {
 public:
  /// The model must outlive it. `periods`: of the load in one of the motion.
  explicit PiecewiseOrbits(const PiecewiseModel& model, int periods = 1);

  /// The motion that follows from rest or from the vibration of the linear structure.
  bool find(double omega, double level, PiecewiseOrbit& orbit);
  /// The same from a state; false when it leads nowhere within some periods.
  bool find_near(const OrbitSeed& seed, double omega, double level, PiecewiseOrbit& orbit);
  [[nodiscard]] OrbitSeed seed(const PiecewiseOrbit& orbit) const;
  /// The same at a phase of the load.
  [[nodiscard]] OrbitSeed seed_at(const PiecewiseOrbit& orbit, double phase) const;
  /// The motion near `orbit` at another frequency or level, or where it settles; the sequence of events may change.
  bool follow(double omega, double level, PiecewiseOrbit& orbit);
  /// The orbit through a state in a regime that is known to close.
  bool adopt(double omega, double level, const Regime& regime, double phase, const FlowState& state,
             PiecewiseOrbit& orbit);
  /// Its events are the ones that happen, each the first, and lead to the regimes that it lists.
  [[nodiscard]] bool holds(const PiecewiseOrbit& orbit);

  /// Floquet multipliers of the motion over its period, with the saltation of every event.
  [[nodiscard]] Eigen::VectorXcd multipliers(const PiecewiseOrbit& orbit);

  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const PiecewiseModel& model() const { return *model_; }
  [[nodiscard]] RegimeBook& book() { return book_; }
  [[nodiscard]] TransitionBook& transitions() { return transitions_; }
  [[nodiscard]] int periods() const { return periods_; }  ///< of the load in one of the motion
  [[nodiscard]] const PeriodicLoad& load() const { return load_; }
  [[nodiscard]] long factorisations() const { return factorisations_; }

 private:
  [[nodiscard]] PiecewiseOrbit blank(double omega, double level) const;
  bool newton(PiecewiseOrbit& orbit);
  /// Arcs of the last of `count` periods from a state on.
  bool simulate(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate, int count, PiecewiseOrbit& orbit);
  bool simulate(ContactMotion& motion, double t, int count, bool halves, PiecewiseOrbit& orbit);
  bool settle(PiecewiseOrbit& orbit, double t, Eigen::VectorXd eta, Eigen::VectorXd rate, int most_periods);
  /// Why the motion from a state on has not the period asked for, in words.
  [[nodiscard]] std::string settled_period(PiecewiseOrbit& orbit, double t, Eigen::VectorXd eta, Eigen::VectorXd rate);
  /// `halves`: one half is kept where the other looks like its mirror image.
  void arrange(PiecewiseOrbit& orbit, std::vector<OrbitArc> arcs, std::vector<FlowState> ends, bool halves);
  /// The middle of the longest arc, and the state there.
  void middle(const PiecewiseOrbit& orbit, double& t, Eigen::VectorXd& eta, Eigen::VectorXd& rate) const;

  const PiecewiseModel* model_;
  int periods_ = 1;
  PeriodicLoad load_;
  RegimeBook book_;
  TransitionBook transitions_;
  std::string message_;
  long factorisations_ = 0;
  // Where the last simulation ended.
  double time_ = 0.0;
  Eigen::VectorXd eta_, rate_;
};

}  // namespace microslip
