#pragma once
// The equations of a curve of periodic motions by harmonic balance, with harmonics and samples of the joint forces as
// many as the tolerance needs, or as are given.

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "microslip/numerics/continuation.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/harmonic_balance.hpp"
#include "microslip/periodic/settled_motion.hpp"
#include "microslip/periodic/sweep.hpp"

namespace microslip {

/// One system under one load. See CurveEquations.
class BalanceCurve {
 public:
  static constexpr int keep_factors_from = 80;  ///< see ContinuationOptions

  /// All of them must outlive it. Throws std::invalid_argument like HarmonicBalance.
  BalanceCurve(const System& system, const HarmonicLoad& load, const ResponseRecord& record,
               const FrequencyResponseOptions& options);

  /// The motion that a load growing from zero leads to, or the one near options.start, with harmonics and samples as
  /// the tolerance needs them. With the fixed point, what the iteration from the structure without joints leads to.
  bool start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message);

  /// Asked within a transient that settles, where there is nobody else to ask.
  void watch(std::function<bool()> stopped) { stopped_ = std::move(stopped); }

  /// Its factors are used where they are kept; it must outlive what is asked about its points.
  void use_factors_of(const Continuation& curve) { curve_ = &curve; }

  /// Of the load on the way to the last start.
  [[nodiscard]] const Growth& growth() const { return growth_; }

  /// More harmonics or nodes when a solution needs them; true when they changed.
  bool refine(const CurvePoint& at, const Sweep& sweep) { return refine(errors(at, sweep)); }

  /// Fewer harmonics after a stretch that needs them no more; true when they changed.
  bool coarsen();

  /// A solution or tangent from before the last change of harmonics.
  void carry_over(CurvePoint& point) const;

  [[nodiscard]] ResponsePoint point(const CurvePoint& at, const Sweep& sweep);

  /// The largest one along a piece of the curve.
  [[nodiscard]] std::function<double(const CurvePoint&)> multiplier_between(const ResponsePoint& /*start*/,
                                                                            const ResponsePoint& /*end*/,
                                                                            const Sweep& sweep);

  /// d amplitude/ds of the degree of freedom whose peaks are asked for.
  [[nodiscard]] double amplitude_slope(const CurvePoint& at, const Sweep& sweep);

  /// Of the present harmonics and samples, until they change.
  [[nodiscard]] HarmonicBalance& equations() { return *equations_; }
  /// Another system of the same joints and another load, which must outlive it; harmonics and samples stay.
  void move_to(const System& system, const HarmonicLoad& load);

  [[nodiscard]] Residual residual(const Sweep& sweep);
  [[nodiscard]] RelativeSize size_at(double level);

 private:
  /// Of each joint over the period; not a number without forces [energy].
  [[nodiscard]] std::vector<double> work_of_joints(const PeriodicOrbit& orbit) const;
  void look_at_growth(const Eigen::VectorXd& y);
  [[nodiscard]] bool tells_stability() const { return floquet_.has_value(); }

  /// What to change when the errors are too large; false when they are not, or nothing may be changed.
  bool refine(const HarmonicBalance::Errors& errors);

  /// With as many harmonics as there are.
  bool begin(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message);

  void set_harmonics(int harmonics);

  /// Half as many again; false when their number is given or at its limit.
  bool add_harmonics();

  /// What is left out, and the motion corrected by it, computed once a solution. A point without a tangent is no part
  /// of a curve.
  const HarmonicBalance::Errors& errors(const CurvePoint& at, const Sweep& sweep);

  /// The motion before its correction and, on a curve, as far along it as the correction leads away from it: which
  /// motion of the right curve is meant is not known better than that.
  [[nodiscard]] PeriodicOrbit beside(const CurvePoint& at, const Sweep& sweep) const;

  void rebuild();

  /// Wang's iteration, from the structure without joints.
  bool fixed_point(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message);

  /// Grown from zero (where that fails, settled to by a transient), or near options.near or options.start, with as
  /// many harmonics as there are.
  bool first_motion(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message);

  /// Newton from options.near.
  bool beside_orbit(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message);

  bool near_start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message);

  static bool is_near(const Eigen::VectorXcd& u, const Eigen::VectorXd& y, int series, double omega, double level,
                      std::string& message);

  bool beside_settled(const SettledMotion& found, double omega, double level, Eigen::VectorXd& y, int& iterations);
  void begin_with(std::shared_ptr<const JointMemory> memory);

  /// So many points of the curve over the level at most.
  bool ramp(double omega, double level, int most_points, Eigen::VectorXd& y, int& iterations, std::string& message);

  /// The motion beside what a transient settles to; tells in growth_ that it is one, or that there is none.
  /// With sliders from rest or, where no motion is beside it so, as the transient leaves them.
  bool settled(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message);

  const System* system_;
  const HarmonicLoad* load_;
  const ResponseRecord* record_;
  const FrequencyResponseOptions* options_;
  int harmonics_ = 0, samples_ = 0, old_harmonics_ = 0;
  std::function<bool()> stopped_;
  Growth growth_;
  bool wound_ = false;      ///< the last growth had not come to its end after so many points as it was given
  int easy_ = 0;            ///< points in a row with more harmonics than needed
  int stretch_ = 6;         ///< of such points, after which there are fewer
  bool coarsened_ = false;  ///< the last change of harmonics was one to fewer
  std::shared_ptr<const JointMemory> past_;  ///< sliders start from it; nullptr: from rest
  std::unique_ptr<HarmonicBalance> equations_;
  std::unique_ptr<SeriesScanner> scanner_;
  std::optional<Floquet> floquet_;
  const Continuation* curve_ = nullptr;
  HarmonicBalance::Errors errors_;
  PeriodicOrbit better_;  ///< the motion corrected by them
  CurvePoint checked_;    ///< of both
  Sweep checked_sweep_;
};

}  // namespace microslip
