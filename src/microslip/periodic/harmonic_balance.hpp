#pragma once
// Harmonic balance in joint space: the unknowns are the Fourier coefficients of the joint deflections, (2 H + 1) a
// component, whatever the size of the structure.
//
//   R = U_h + D(h omega) X_h(U) - level L_h = 0,   X = F(U) - k U
//
// D, L: joint_receptance.hpp; F: alternating_transform.hpp. The derivative is exact.
//
// Ref: docs/theory.md, "Harmonic balance"; Krack and Gross, Harmonic Balance for Nonlinear Vibration Problems (2019).

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "microslip/numerics/continuation.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/alternating_transform.hpp"
#include "microslip/periodic/joint_receptance.hpp"
#include "microslip/system/ending.hpp"

namespace microslip {

/// A periodic motion, u(t) = a_0 + sum a_h cos(h omega t) + b_h sin(h omega t).
struct PeriodicOrbit {
  double omega = 0.0;          ///< [rad/time]
  double level = 1.0;          ///< of the load
  int harmonics = 0;           ///< H
  Eigen::MatrixXd deflection;  ///< of the joints, (2 H + 1) x components
  Eigen::MatrixXd force;       ///< of the joints, the same
};

class HarmonicBalance {
 public:
  /// The system must outlive it. Throws std::invalid_argument like JointReceptance, and for a system without joints.
  HarmonicBalance(const System& system, const HarmonicLoad& load, int harmonics, int samples);

  [[nodiscard]] int harmonics() const { return harmonics_; }
  [[nodiscard]] int samples() const { return samples_; }
  /// Unknowns: component by component, 2 H + 1 each.
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] const System& system() const { return *system_; }

  /// Sliders start from that memory instead of from rest, see AlternatingTransform.
  void begin_with(std::shared_ptr<const JointMemory> memory);

  /// R with its derivatives where the pointers are not null. False: a joint gave no number or did not settle.
  bool residual(const Eigen::VectorXd& y, double omega, double level, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                Eigen::VectorXd* by_omega, Eigen::VectorXd* by_level);
  /// Largest |R|/(|U| + |level L|) of a component.
  [[nodiscard]] double relative_size(const Eigen::VectorXd& r, const Eigen::VectorXd& y, double level) const;

  /// Deflections of the structure with stuck joints.
  [[nodiscard]] Eigen::VectorXd linear_solution(double omega, double level);

  /// The same series with more or fewer harmonics.
  [[nodiscard]] Eigen::VectorXd with_harmonics(const Eigen::VectorXd& y, int from) const;

  [[nodiscard]] PeriodicOrbit orbit(const Eigen::VectorXd& y, double omega, double level);

  /// Displacements of degrees of freedom, (2 H + 1) x dofs.
  [[nodiscard]] Eigen::MatrixXd displacements(const Eigen::VectorXd& y, double omega, double level,
                                              const std::vector<int>& dofs);
  /// The same at the last residual, of the same level.
  [[nodiscard]] Eigen::MatrixXd last_displacements(double level, const std::vector<int>& dofs) const;
  /// Their change along a direction in y, omega and level.
  [[nodiscard]] Eigen::MatrixXd displacement_changes(const Eigen::VectorXd& y, double omega, double level,
                                                     const Eigen::VectorXd& y_change, double omega_change,
                                                     double level_change, const std::vector<int>& dofs);

  /// Derivatives of weights . series, the series that of the displacement of one degree of freedom.
  struct Gradient {
    Eigen::VectorXd y;
    double omega = 0.0, level = 0.0;
  };
  /// At the last residual that had a Jacobian, of the same omega and level.
  [[nodiscard]] Gradient displacement_gradient(int dof, const Eigen::VectorXd& weights, double level) const;

  /// What is wrong with a solution, relative to the displacements of `dofs`:
  ///   truncation   harmonics above H, up to the highest mode, that the joint forces cause in them, and what these
  ///                harmonics, acting on the joints, change in the others (to first order)
  ///   quadrature   change when the joint forces are integrated with twice as many nodes, or four for each of these
  ///                harmonics if that is more, and what Newton has left
  /// Both are 1 where they cannot be told.
  struct Errors {
    double truncation = 0.0;
    double quadrature = 0.0;
    double steepness = 1.0;  ///< of the curve: the error at this omega (or level) over its distance from the right one

    /// From the right solution or, along a curve, from the right curve.
    [[nodiscard]] double distance() const { return truncation + quadrature; }
    /// At this omega (or level), to first order. Beside a fold the right curve may not reach there, and more than a
    /// tenth of the motion says nothing: there a tenth, or the distance of the curves where that is more.
    [[nodiscard]] double at_point() const {
      const double here = distance() * steepness;
      return here <= 0.1 ? here : std::max(distance(), 0.1);
    }
  };
  /// Tangent of the curve that a solution lies on, over omega or over level.
  struct Along {
    Eigen::VectorXd y;
    double lambda = 0.0;
    bool over_level = false;
    const Continuation* factors = nullptr;  ///< of R' there, from before the last correction, with its residual
  };
  /// Without a curve truncation and quadrature are those at this omega and level. Along a curve, which may be turning
  /// back, they are the distance to the right curve, normal to this one; 1 % of omega (or level) counts as much as all
  /// of the motion.
  /// `better`: the motion corrected by these errors to first order, with those of these harmonics that are more than
  /// rounding, and the forces of the joints under it; empty where they cannot be told.
  [[nodiscard]] Errors errors(const Eigen::VectorXd& y, double omega, double level, const std::vector<int>& dofs,
                              const Along* along = nullptr, PeriodicOrbit* better = nullptr);

  /// Iteration of Wang's MHBM: U <- L - D_K F(U), with D_K the compliance without any joint. False when a joint force
  /// cannot be evaluated. The change relative to |U| goes to `change`.
  bool fixed_point_step(Eigen::VectorXd& y, double omega, double level, double& change);
  /// Spectral radius of D_K(h omega) k: the iteration diverges from the stuck solution where it is above 1. For one
  /// oscillator with the share y_s of its stiffness omega_0^2 in the joint: omega_0^2 (1 - 2 y_s) < (h omega)^2 <
  /// omega_0^2.
  [[nodiscard]] double fixed_point_radius(int h, double omega);

 private:
  void set_omega(double omega);
  /// Past 2 H and up to the highest mode (200 harmonics at most): a weak one may meet a mode that answers strongly. In
  /// steps, so that neighbours share theirs.
  [[nodiscard]] int checked_harmonics(double omega) const;
  /// dX_h/dU_h of the highest harmonic, m x m, at the last residual: about that of all higher ones.
  [[nodiscard]] Eigen::MatrixXcd mean_tangent() const;
  /// D dF, of the harmonics of the unknowns.
  [[nodiscard]] Eigen::VectorXd deflection_under(const Eigen::VectorXd& force) const;
  /// F and, with_jacobian, tangents_ and rates_.
  bool evaluate_joints(const Eigen::VectorXd& y, double omega, bool with_jacobian, Eigen::VectorXd& force);
  /// F and X, and with_jacobian their derivatives; what is asked again is there already.
  bool forces(const Eigen::VectorXd& y, double omega, bool with_jacobian);
  [[nodiscard]] bool evaluated(const Eigen::VectorXd& y, double omega) const {
    return evaluated_omega_ == omega && evaluated_.size() == y.size() && evaluated_ == y;
  }

  const System* system_;
  HarmonicLoad load_;
  int harmonics_, samples_, series_, size_;
  JointReceptance receptance_;
  std::vector<AlternatingTransform> joints_;
  SeriesScanner scanner_;
  std::shared_ptr<const JointMemory> past_;  ///< nullptr: rest
  std::vector<int> first_;                   ///< component of each joint
  Eigen::VectorXd force_, x_;                ///< F and X, like the unknowns
  std::vector<Eigen::MatrixXd> tangents_;    ///< dX/dU of each joint
  std::vector<Eigen::VectorXd> rates_;       ///< dF/d omega of each joint
  Eigen::VectorXd evaluated_;                ///< y of the last forces
  double evaluated_omega_ = std::numeric_limits<double>::quiet_NaN();
  bool has_tangents_ = false;         ///< were asked for too
  Eigen::MatrixXd turned_;            ///< workspace: rows a_h, b_h -> b_h, -a_h
  Eigen::VectorXd real_, imaginary_;  ///< workspace: D of one pair of components, row by row
  // For errors(), made when first asked for: more harmonics, more nodes.
  std::vector<AlternatingTransform> check_joints_;
  std::unique_ptr<JointReceptance> check_receptance_;
};

}  // namespace microslip
