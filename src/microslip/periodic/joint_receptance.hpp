#pragma once
// The linear structure with stuck joints under forces of one frequency and its multiples, seen from the joints:
//
//   U_h = L_h - D(h omega) X_h,   D(s) = B^T (K0 - s^2 M + i s C)^-1 B
//
// U_h, X_h: complex amplitudes of the joint deflections and of what the joints add to the stuck structure, u(t) =
// Re(U_h exp(i h omega t)); L_h: deflections under the load alone (h = 1, and h = 0 for a static load).
//
// Over a moving ground the equations are those of q - r g, under the load (omega^2 - i omega a) M r; a: Rayleigh's,
// where its mass term acts on the absolute motion, else 0.
//
// In the stuck modes K0 - s^2 M + i s C is diagonal; Rayleigh damping and discrete dampers add terms of low rank in
// joint space (Woodbury), a full damping matrix takes a direct solution a harmonic. So does s at a mode that only
// dampers damp: there the diagonal has no inverse. Where nothing damps the mode nothing has, and it is detuned by 1e-8
// of its stiffness. Rigid modes have no static solution: they are left out of D(0), which is right as long as no joint
// moves them.

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "microslip/numerics/dense.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

/// p(t) = level Re(force exp(i omega t)) + constant, and a displacement level Re(ground exp(i omega t)) of the ground.
struct HarmonicLoad {
  Eigen::VectorXcd force;    ///< per unit level
  Eigen::VectorXcd ground;   ///< displacement of q when everything moves with the ground; empty: none
  Eigen::VectorXd constant;  ///< not scaled by the level; empty: none
};

/// From loads whose signals are sines (amplitude and phase count, the frequency does not) or constants. Phases count
/// from the first sine: its force is level * amplitude * cos(omega t). Throws std::invalid_argument for another signal,
/// no sine, or a static motion of the ground.
[[nodiscard]] HarmonicLoad harmonic_load(const System& system, std::span<const Load> loads);

/// Throws std::invalid_argument when a joint or a constant load moves a rigid mode: nothing says where it is then.
void require_mean_position(const System& system, const HarmonicLoad& load);

class JointReceptance {
 public:
  /// Throws std::invalid_argument like require_mean_position.
  JointReceptance(const System& system, HarmonicLoad load, int harmonics);

  /// At another frequency, with derivatives with respect to it.
  void set_omega(double omega);
  [[nodiscard]] double omega() const { return omega_; }
  [[nodiscard]] int harmonics() const { return harmonics_; }

  /// D(h omega), m x m, and its derivative with respect to omega.
  [[nodiscard]] const Eigen::MatrixXcd& compliance(int h) const { return compliance_[h]; }
  [[nodiscard]] const Eigen::MatrixXcd& compliance_slope(int h) const { return compliance_slope_[h]; }
  /// L_1 per unit level, and its derivative with respect to omega; L_0.
  [[nodiscard]] const Eigen::VectorXcd& loaded() const { return loaded_; }
  [[nodiscard]] const Eigen::VectorXcd& loaded_slope() const { return loaded_slope_; }
  [[nodiscard]] const Eigen::VectorXd& loaded_statically() const { return static_; }

  /// Modal amplitudes of harmonic h under the load and the joint terms X_h.
  [[nodiscard]] Eigen::VectorXcd modal(int h, const Eigen::VectorXcd& x, double level) const;
  /// Their change with omega, level and X_h.
  [[nodiscard]] Eigen::VectorXcd modal_change(int h, const Eigen::VectorXcd& x, double level,
                                              const Eigen::VectorXcd& x_change, double omega_change,
                                              double level_change) const;
  /// Displacements of some degrees of freedom from modal amplitudes, with the ground's motion.
  [[nodiscard]] Eigen::VectorXcd displacement(int h, const Eigen::VectorXcd& modal, const std::vector<int>& dofs,
                                              double level) const;

 private:
  enum class Damping { diagonal, low_rank, full };

  /// (diag + low rank or full)^-1 times columns.
  [[nodiscard]] Eigen::MatrixXcd solve(int h, const Eigen::MatrixXcd& columns) const;
  /// d/d omega of the matrix, times columns.
  [[nodiscard]] Eigen::MatrixXcd slope_times(int h, const Eigen::MatrixXcd& columns) const;
  void set_diagonal(int h);
  void set_direct(int h);
  void set_low_rank(int h);
  /// No load where the ends of a joint move alike: what their difference leaves there is rounding, another one at every
  /// frequency. `alone`: modal amplitudes under the load.
  void keep_at_rest(const Eigen::VectorXcd& alone);
  [[nodiscard]] Eigen::VectorXcd load_of(int h, double level) const;
  [[nodiscard]] Eigen::VectorXcd load_slope_of(int h) const;

  const System* system_;
  HarmonicLoad load_;
  int harmonics_;
  double omega_ = 0.0;
  Damping damping_ = Damping::diagonal;
  Eigen::VectorXd omega0_squared_, damping_diagonal_;
  Eigen::MatrixXd joints_;         ///< Phi^T B
  Eigen::MatrixXd joint_ends_;     ///< |Phi|^T |B|: what both ends of a joint move
  Eigen::MatrixXd pairs_;          ///< products of its columns: upper triangle of D from one matrix product
  Eigen::MatrixXcd terms_;         ///< low rank: Phi^T [B, dampers]
  Eigen::MatrixXcd term_damping_;  ///< their coefficients
  Eigen::MatrixXcd full_damping_;  ///< of the modes, joints and dampers
  std::vector<bool> direct_;       ///< harmonics whose factors are of the whole matrix
  Eigen::VectorXcd modal_force_;   ///< Phi^T p
  Eigen::VectorXcd modal_ground_;  ///< Phi^T M r
  Eigen::VectorXd modal_constant_;
  std::vector<Eigen::VectorXcd> inverse_;                 ///< 1/(omega0^2 - s^2 + i s c), a harmonic
  std::vector<LuFactors<std::complex<double>>> factors_;  ///< low rank: of I + i s c T^T inverse T; or of all
  std::vector<Eigen::MatrixXcd> compliance_, compliance_slope_;
  Eigen::VectorXcd loaded_, loaded_slope_;
  Eigen::VectorXd static_;
  Eigen::MatrixXd columns_, products_;  ///< workspace of the diagonal case
};

}  // namespace microslip
