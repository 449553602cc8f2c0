#pragma once
// The equations of a curve of peaks for numerics/continuation: unknowns z = (y, theta), omega = omega_0 + theta
// omega_1, with the level or another number of the model as parameter. The derivative with respect to such a number is
// a central difference between systems beside it; it steers the steps, and changes no result.

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "microslip/periodic/balance_curve.hpp"
#include "microslip/periodic/cycle_energy.hpp"
#include "microslip/periodic/peak_condition.hpp"
#include "microslip/periodic/peak_curve.hpp"

namespace microslip {

class PeakEquations {
 public:
  /// All of them must outlive it. Throws like BalanceCurve and request.model.
  PeakEquations(const System& system, const HarmonicLoad& load, const PeakRequest& request,
                const ResponseRecord& record, const FrequencyResponseOptions& options);

  /// z of a motion near its peak, with the scales of frequency and the border for its neighbourhood; false where R
  /// cannot be evaluated there.
  bool begin_near(const PeriodicOrbit& orbit, double value, Eigen::VectorXd& z);
  /// Scales and border for the neighbourhood of a point; false where R cannot be evaluated there.
  bool set_frame(const CurvePoint& at);

  /// The derivatives of the condition stay while Newton moves a motion by no more than 1e-4 of it; not while
  /// `exact`, where tangents are looked at.
  void take_exact_derivatives(bool exact);
  [[nodiscard]] Residual residual();
  [[nodiscard]] RelativeSize size();

  /// As of BalanceCurve.
  bool refine(const CurvePoint& at);
  bool coarsen();
  void carry_over(CurvePoint& point) const;

  [[nodiscard]] PeakPoint point(const CurvePoint& at);
  /// Is the multiplier of the amplitude 0, up to rounding, against those of the motion? See PeakCondition.
  [[nodiscard]] bool responses_meet(const CurvePoint& at);

 private:
  /// Equations of another system, made when first asked for.
  struct Beside {
    LoadedSystem model;
    std::unique_ptr<HarmonicBalance> equations;
  };
  bool move_to(double value);
  void forget();  ///< after a change of the border
  bool evaluate(const Eigen::VectorXd& z, double value, bool with_gradient);
  bool by_value(const Eigen::VectorXd& y, double omega, Eigen::VectorXd& r_value, double& g_value);
  bool make_beside(double value, Beside& beside);
  [[nodiscard]] double omega_of(const Eigen::VectorXd& z) const { return omega_0_ + z(z.size() - 1) * omega_1_; }
  [[nodiscard]] double level() const { return request_->model ? request_->level : value_; }
  /// The motion with the tangent of its response, for BalanceCurve.
  [[nodiscard]] CurvePoint on_response(const CurvePoint& at);
  bool keep_frame(int old_harmonics, bool changed);

  const PeakRequest* request_;
  LoadedSystem model_;
  double value_ = 0.0;
  std::optional<BalanceCurve> curve_;
  std::optional<CycleEnergies> energies_;
  PeakCondition condition_;
  PeakCondition::Value found_;  ///< at the last evaluation
  struct Place {
    Eigen::VectorXd z;
    double value = 0.0;
  };
  std::optional<Place> known_;                  ///< where that was
  std::optional<Eigen::VectorXd> differenced_;  ///< z of its derivatives of the condition
  bool exact_ = false;
  double omega_0_ = 0.0, omega_1_ = 1.0;  ///< theta has the unit of y
  double row_ = 1.0;                      ///< scale of g among the rows of R
};

}  // namespace microslip
