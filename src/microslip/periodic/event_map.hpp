#pragma once
// Where a state of a piecewise-linear model goes while the load turns by some phase: exact motion from event to event,
// whatever events come, with exact derivatives. A periodic motion is a fixed point of the map over its period, and the
// map is continuous where events come and go: curves of fixed points need no list of events.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/periodic/flow_transition.hpp"
#include "microslip/periodic/sweep.hpp"
#include "microslip/transient/contact_motion.hpp"

namespace microslip {

/// Where states are taken: in the coordinates of a regime, at a phase of the load.
struct MapPlace {
  const Regime* regime = nullptr;
  double phase = 0.0;  ///< [rad]
};

class EventMap {
 public:
  /// Book and load must outlive it. `sweep`: what lambda is. `rate_scale`: states are (q, v/rate_scale, d), of one
  /// unit.
  EventMap(RegimeBook& book, const PeriodicLoad& load, const Sweep& sweep, double rate_scale);

  [[nodiscard]] static Eigen::Index size(const Regime& regime);
  [[nodiscard]] Eigen::VectorXd pack(const FlowState& state) const;
  [[nodiscard]] FlowState unpack(const Eigen::VectorXd& x, const Regime& regime) const;

  struct Arrival {
    MapPlace place;
    Eigen::VectorXd x;
    Eigen::MatrixXd derivative;  ///< by the state at the start and, in the last column, by lambda; at a fixed phase
    std::vector<double> events;  ///< their phases
  };
  /// From a state until the load has turned to `phase`. False when a regime does not hold at the start or events do not
  /// end: see `message`.
  bool run(const MapPlace& from, const Eigen::VectorXd& x, double lambda, double phase, bool derivatives,
           Arrival& arrival);
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  [[nodiscard]] FlowColumns unit_columns(Eigen::Index blocks, Eigen::Index size) const;

  RegimeBook* book_;
  const PeriodicLoad* load_;
  Sweep sweep_;
  double rate_scale_;
  TransitionBook transitions_;
  std::string message_;
};

}  // namespace microslip
