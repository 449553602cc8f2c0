#pragma once
// The equations of a curve of periodic motions by shooting.
//
// The unknowns of a curve are the motion of the modes at the start of a period and z of joints whose memory fades; the
// reversals are eliminated, so that they may come and go along it. The steps of a period are given, or doubled until
// what they leave out of the motion is less than `tolerance` (the estimate is twice the largest of what up to five
// coarser maps say). `harmonics`, `samples` and `solver` of the options only concern the motion that the curve starts
// from.

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "microslip/numerics/continuation.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/period_map.hpp"
#include "microslip/periodic/sweep.hpp"

namespace microslip {

/// One system under one load, y = (d, v/omega_scale, z). See CurveEquations.
class ShootingCurve {
 public:
  /// All of them must outlive it. `omega_scale`: about the frequencies that are asked for. Throws std::invalid_argument
  /// like PeriodMap and HarmonicBalance.
  ShootingCurve(const System& system, const HarmonicLoad& load, const ResponseRecord& record,
                const FrequencyResponseOptions& options, double omega_scale);

  /// From the motion that a slow growth of the load leads to, as harmonic balance finds it.
  bool start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message);

  /// Of the load on the way to the last start.
  [[nodiscard]] const Growth& growth() const { return growth_; }

  /// More steps where the estimated error is above the tolerance; the unknowns stay the same.
  bool refine(const CurvePoint& at, const Sweep& sweep);
  static bool coarsen() { return false; }
  static void carry_over(CurvePoint& /*point*/) {}

  [[nodiscard]] ResponsePoint point(const CurvePoint& at, const Sweep& sweep);

  /// The largest one along the piece of the curve between two points, found in the same way all along it; not a number
  /// where there is none.
  [[nodiscard]] std::function<double(const CurvePoint&)> multiplier_between(const ResponsePoint& start,
                                                                            const ResponsePoint& end,
                                                                            const Sweep& sweep);

  /// d amplitude/ds of the degree of freedom whose peaks are asked for, by a central difference along the tangent.
  /// Not a number where it is not known.
  [[nodiscard]] double amplitude_slope(const CurvePoint& at, const Sweep& sweep);

  [[nodiscard]] Residual residual(const Sweep& sweep);
  [[nodiscard]] RelativeSize size_at(double /*level*/);

 private:
  static constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::size_t all_maps = 5, all_halves = 3;  ///< coarser ones, where there are steps enough

  /// What the steps leave out, from the motions that five coarser maps lead to. The error is of second order, but its
  /// coefficient depends on where in a step the joints begin to slip: it changes from one number of steps to the next,
  /// and its sign too. With c_n/n^2 left by n steps the difference to m = n/r is (r^2 c_m - c_n)/n^2, and may be as
  /// small as nothing: the largest of |r^2 c_m - c_n|/(r^2 - 1) is taken, twice. With c_m anywhere between -c and c
  /// twice one of them is below a third of |c_n| = c by a chance of (r^2 - 1)/(6 r^2): 1/8 of a half, 4/27 of a third,
  /// all five 4e-5. Of less than 48 steps there are fewer maps; what they say is enlarged, up to 1 (not known), so that
  /// the chance is the same. Where the force of a joint jumps the error is of first order: r in place of r^2.
  struct Estimate {
    double motion = 1.0;     ///< relative to what moves, normal to a curve
    double steepness = 1.0;  ///< of the curve, see HarmonicBalance::Errors
    struct Multipliers {
      double weight = 0.0;  ///< of the change from them in the error
      Eigen::VectorXcd values;
    };
    std::vector<Multipliers> multipliers;  ///< of the maps with half the steps, and one with a third
    struct Loss {
      double weight = 0.0;            ///< of the difference to it in the error
      std::vector<double> of_joints;  ///< [energy]
    };
    std::vector<Loss> losses;  ///< of their motions
    struct Rough {
      double omega = 0.0, level = 0.0;
      Eigen::MatrixXd u;  ///< deflections; empty: none
    } rough;              ///< that of their motions that is the farthest off
  };

  /// What a joint loses more in a motion that is larger by the stated error: one that barely slips, or barely does not.
  [[nodiscard]] double loss_of_more(std::size_t joint, const ResponsePoint& point) const;

  /// A period that could not be run: every number is there, and says so.
  [[nodiscard]] ResponsePoint unknown_point(const CurvePoint& at, double omega, double level) const;

  /// The largest one, of a period that was run: of its map or, where loops are not the same on both sides, of the
  /// disturbances along them. Not a number where the reversals at the ends of the period are not alike.
  MultiplierEstimate multiplier(const CurvePoint& at, const Sweep& sweep, const PeriodicOrbit& orbit,
                                const PeriodHistory& history, const Eigen::MatrixXd& monodromy);

  [[nodiscard]] MultiplierEstimate multiplier_of_loops(const CurvePoint& at, const Sweep& sweep,
                                                       const PeriodHistory& history, const Estimate& left) const;

  /// Twice the change from maps with half the steps, of which first order would leave half, and once that from a third:
  /// reversals and corners beside the start of the period are at the same places of the steps of all halves. Not known
  /// from less than three halves.
  [[nodiscard]] MultiplierEstimate multiplier_of_map(const Eigen::MatrixXd& monodromy, const Estimate& left) const;

  /// Of sliders that stick at more than they slip at (iwan5) the map has a corner at every periodic motion, and on
  /// which side of it the derivative is taken is chance: the largest change to one whose sliders have been a little
  /// farther out, or a little less far.
  double change_of_sides(std::complex<double> largest, const PeriodState& state, double omega, double level);

  /// A stop that the motion barely touches, or a joint that barely slips, changes the multiplier by the root of how far
  /// it does, or at once, and all steps whose nodes see nothing of it agree. Where slopes have corners the multipliers
  /// of motions that are larger and smaller by twice their error count too; these factors, else none.
  [[nodiscard]] std::vector<double> sizes_within(double error) const;
  /// The largest change of that of the map, from motions about `mean` in modes.
  [[nodiscard]] double change_of_size(std::complex<double> largest, const PeriodState& state,
                                      const Eigen::VectorXd& mean, double error, double omega, double level) const;

  /// Are the loops of friction the same on both sides? Where they are not, which side of the outermost reversal the
  /// derivative of the map is taken on is chance, and of a decaying disturbance it is always the inner one, see
  /// joint_variation.cpp. They have a mean or even harmonics then, more than the relative `error` of the motion may
  /// make (an odd number of steps does); as long as it may make them, nobody knows. Where a system has sliders that
  /// stick at more than they slip at, disturbances along such loops are not followed, and their multiplier is not
  /// known.
  enum class Sides { alike, may_differ, differ };
  [[nodiscard]] Sides sides(const PeriodicOrbit& orbit, double error) const;
  [[nodiscard]] PeriodicOrbit motion_of(const Eigen::MatrixXd& u, const CurvePoint& at, const Sweep& sweep) const;
  /// Deflections over a period as a series.
  [[nodiscard]] static PeriodicOrbit orbit_of(const Eigen::MatrixXd& u, double omega, double level, int harmonics);

  void set_steps(int steps);

  [[nodiscard]] Eigen::Index modes() const { return reference_.d.size(); }
  [[nodiscard]] Eigen::VectorXd motion(const PeriodState& state) const;

  /// The reversals follow from the last linearisation.
  [[nodiscard]] PeriodState state_at(const Eigen::VectorXd& y, double omega, double level) const;

  /// The equations at a motion, r + motion dy + by_lambda dlambda, with the reversals eliminated:
  ///   dm = (I - M_mm)^-1 (change_m + M_my dy + M_ml dlambda).
  struct Linear {
    PeriodState state;
    PeriodDerivative derivative;
    Eigen::VectorXd r, by_lambda;
    Eigen::MatrixXd motion;
    Eigen::VectorXd memory_shift, memory_by_lambda;
    Eigen::MatrixXd memory_by_motion;
  };

  /// From a state whose reversals are about right: where some have come or gone the memory follows the motion.
  bool linearise(PeriodMap& map, PeriodState state, double omega, double level, bool over_level, Linear& out,
                 PeriodHistory* history = nullptr, Turns turns = Turns::at_nodes) const;

  /// Of the degrees of freedom that are recorded.
  [[nodiscard]] std::vector<double> amplitudes(PeriodMap& map, const PeriodHistory& history, double omega,
                                               double level) const;
  /// The same period without derivatives; what is run goes to `history`.
  static bool run_alike(PeriodMap& map, PeriodState state, double omega, double level, PeriodHistory& history);
  static constexpr int most_changes = 8;  ///< of the reversals

  /// A state moved by dy and dlambda, the reversals with it.
  [[nodiscard]] PeriodState moved(const Linear& from, const Eigen::VectorXd& dy, double dlambda) const;

  bool evaluate(const Eigen::VectorXd& y, double lambda, const Sweep& sweep, Eigen::VectorXd& r,
                Eigen::MatrixXd* jacobian, Eigen::VectorXd* by_lambda, PeriodHistory* history = nullptr);

  /// Not a number where the period cannot be run.
  double amplitude_of(int dof, const Eigen::VectorXd& y, double omega, double level);

  /// Of this point, computed once.
  const Estimate& estimate(const CurvePoint& at, const Sweep& sweep);

  const System* system_;
  const HarmonicLoad* load_;
  const ResponseRecord* record_;
  const FrequencyResponseOptions* options_;
  double omega_scale_;
  bool drops_ =
      false;  ///< the force of a joint jumps when its last slider slips (iwan5): steps leave errors of first order
  bool corners_ = false;  ///< the slope of a joint jumps somewhere
  std::unique_ptr<PeriodMap> map_;
  std::optional<Floquet> floquet_;
  std::vector<std::unique_ptr<PeriodMap>> coarse_;  ///< about half as many steps, then about a third
  std::size_t halves_ = 0;                          ///< of them, those with about half
  PeriodState reference_;
  Eigen::VectorXd reference_y_;
  Sweep sweep_;
  double reference_lambda_ = 0.0;
  Growth growth_;
  bool linear_ = false;  ///< the next is of the reference
  Linear linearised_;
  CurvePoint estimated_;  ///< the next but one is of it
  Sweep estimated_sweep_;
  Estimate estimate_;
};

}  // namespace microslip
