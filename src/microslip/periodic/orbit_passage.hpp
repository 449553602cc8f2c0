#pragma once
// One way around a periodic motion of arcs: what does not close, and how it changes. Internal to PiecewiseOrbits.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "microslip/periodic/flow_derivatives.hpp"
#include "microslip/periodic/flow_transition.hpp"
#include "microslip/periodic/piecewise_orbit.hpp"

namespace microslip::orbit_passage {

/// Free motion below exp of this is no unknown.
inline constexpr double died_out = -37.0;
/// Arcs may be this much shorter than nothing: events at the same instant [rad].
inline constexpr double same_instant = 1e-9;

inline std::size_t before(std::size_t arc, std::size_t count) {
  return arc == 0 ? count - 1 : arc - 1;
}

/// One way around the orbit: residuals, and on request their derivatives.
class OrbitPassage {
 public:
  OrbitPassage(TransitionBook& transitions, const PeriodicLoad& load, const PiecewiseOrbit& orbit);

  [[nodiscard]] Eigen::Index free() const {
    return 2 * static_cast<Eigen::Index>(alive_.size()) + static_cast<Eigen::Index>(held_.size());
  }
  [[nodiscard]] Eigen::Index unknowns() const { return free() + events_; }
  [[nodiscard]] Eigen::Index events() const { return events_; }

  /// Unknowns of an orbit, and back.
  void read(const PiecewiseOrbit& orbit, Eigen::VectorXd& x) const;
  void write(const Eigen::VectorXd& x, PiecewiseOrbit& orbit) const;

  /// Residual of closure and events; keeps the states of the arcs.
  void evaluate(const PiecewiseOrbit& orbit, Eigen::VectorXd& residual, bool all_states = false);
  /// Derivatives with respect to the unknowns and, in the last column, the frequency; after evaluate().
  void derivatives(const PiecewiseOrbit& orbit, Eigen::MatrixXd& jacobian) const;
  /// Change of the free motion around the orbit, the events moving with it; after evaluate().
  [[nodiscard]] Eigen::MatrixXd monodromy(const PiecewiseOrbit& orbit) const;

  void keep_states(PiecewiseOrbit& orbit) const {
    for (std::size_t i = 0; i < start_.size(); ++i) orbit.arcs[i].start = start_[i];
  }
  /// Sizes of displacements and rates, for what counts as small.
  [[nodiscard]] double scale(Eigen::Index unknown) const {
    const auto n = static_cast<Eigen::Index>(alive_.size());
    if (unknown >= free()) return 1.0;
    return unknown >= n && unknown < 2 * n ? rate_scale_ : scale_;
  }

 private:
  class Derivatives;

  void pass_arc(const PiecewiseOrbit& orbit, std::size_t arc, bool partly, const FlowState& arrival);
  [[nodiscard]] double event_at(const PiecewiseOrbit& orbit, std::size_t arc, const FlowState& x, double t) const;
  void add_saltation(const PiecewiseOrbit& orbit, std::size_t arc, const FlowColumns& before_it,
                     FlowColumns& after_it) const;

  const PeriodicLoad* load_;
  std::vector<Eigen::Index> alive_, held_;
  Eigen::Index events_ = 0;
  std::vector<const FlowTransition*> transitions_;
  std::vector<std::shared_ptr<const Drive>> drives_;
  std::vector<FlowState> start_, end_;
  std::vector<FlowStep> step_;
  FlowState free_start_;
  double scale_ = 1.0, rate_scale_ = 1.0;
};

}  // namespace microslip::orbit_passage
