#pragma once
// Curves of exact orbits over frequency or level, in two ways, both by pseudo-arclength continuation. By the phases of
// their events: fast for any number of degrees of freedom. Where events change, the motion settles anew, which is right
// where there is one motion at each parameter. Through their states: fixed points of the map over one period
// (event_map.hpp). There no list of events is assumed, so that they come and go along the way, on unstable branches
// too; it costs a square matrix of the size of the state for every event. Internal to PiecewiseResponses.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "microslip/numerics/continuation.hpp"
#include "microslip/periodic/piecewise_response.hpp"

namespace microslip {

/// What a curve is followed over, from where to where (either may be the larger).
struct CurvePath {
  Sweep sweep;
  double from = 0.0, to = 0.0;

  [[nodiscard]] double range() const { return to > from ? to - from : from - to; }
  [[nodiscard]] double way() const { return to > from ? 1.0 : -1.0; }
  [[nodiscard]] double done(double lambda) const { return (lambda - from) / (to - from); }
  /// Of two, the one farther on the way.
  [[nodiscard]] double farther(double a, double b) const { return (b - a) * way() > 0.0 ? b : a; }
  /// "omega = 3.5".
  [[nodiscard]] std::string text(double lambda) const;
};

/// Where a curve is.
struct CurveFront {
  CurvePath path;
  PiecewiseOrbit orbit;    ///< of the last point
  double direction = 1.0;  ///< of the parameter from there on
  FrequencyResponse result;

  void stop(Ending ending, std::string message) {
    result.ending = ending;
    result.message = std::move(message);
  }
  /// Back where it began, without another branch to go on with.
  void stop_at_start();
};

struct OrbitStep {
  PiecewiseOrbit orbit;
  ResponsePoint point;
  bool fold = false;    ///< since the point before
  bool branch = false;  ///< a branch point since then
  bool anew = false;    ///< not by continuation: the motion settled
  bool last = false;    ///< at an end of the path
};

/// One way to go along a curve.
class OrbitSteps {
 public:
  OrbitSteps(PiecewiseResponses& of, CurveFront& at) : of_(&of), at_(&at) {}
  virtual ~OrbitSteps() = default;
  OrbitSteps(const OrbitSteps&) = delete;
  OrbitSteps& operator=(const OrbitSteps&) = delete;

  /// From the orbit of the front on; false: no tangent.
  [[nodiscard]] virtual bool start() = 0;
  /// The next point; false: there is none, and the front has stopped.
  [[nodiscard]] virtual bool next(OrbitStep& step) = 0;
  /// The point between the last two where `test` passes zero.
  [[nodiscard]] std::optional<ResponsePoint> locate(const std::function<double(const CurvePoint&)>& test);
  /// Where the largest multiplier passes the unit circle.
  [[nodiscard]] std::optional<ResponsePoint> locate_stability();

 protected:
  /// The orbit that a point of the continuation stands for; false: none.
  [[nodiscard]] virtual bool orbit(const CurvePoint& point, PiecewiseOrbit& orbit) = 0;
  [[nodiscard]] ContinuationOptions continuation_options() const;

  PiecewiseResponses* of_;
  CurveFront* at_;
  std::optional<Continuation> curve_;
};

/// `while_held`: it stops where events begin.
[[nodiscard]] std::unique_ptr<OrbitSteps> steps_by_phases(PiecewiseResponses& of, CurveFront& at, bool while_held);
[[nodiscard]] std::unique_ptr<OrbitSteps> steps_by_states(PiecewiseResponses& of, CurveFront& at);

class PiecewiseCurve {
 public:
  /// Begins with an orbit at path.from.
  PiecewiseCurve(PiecewiseResponses& of, const CurvePath& path, PiecewiseOrbit first);
  [[nodiscard]] FrequencyResponse run(const Observer& observer);

 private:
  void trace(OrbitSteps& steps, const Observer& observer);
  [[nodiscard]] bool closed(const ResponsePoint& point);
  void mark(OrbitSteps& steps, const OrbitStep& step);
  void find_peak(const OrbitStep& step);
  [[nodiscard]] ResponsePoint stability_change(const PiecewiseOrbit& last);
  bool jump(bool back);

  PiecewiseResponses* of_;
  CurveFront at_;
  PiecewiseOrbit before_;             ///< of the point before the last; no arcs: none
  PiecewiseOrbit farthest_;           ///< on the way
  double edge_ = 0.0;                 ///< farthest parameter, of folds too
  std::vector<ResponsePoint> turns_;  ///< points behind folds
};

}  // namespace microslip
