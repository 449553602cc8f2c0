#pragma once
// Loads in modal coordinates and in joint space.
//
// A force load adds phi^T p s(t). A base motion g(t) with shape r (q = r g moves everything with the ground) makes
// springs, dampers and joints act on q - r g:
//   M q'' + C (q' - r g') + K0 (q - r g) + B f~ = 0,   u = B^T (q - r g)
// so that it adds Phi^T (K0 r g + C r g') and the joint offsets -B^T r g, -B^T r g'. Where the mass term of Rayleigh
// damping acts on q' it adds -Phi^T a M r g'. The modes hold Phi Phi^T M r of r; the rest of it goes with the ground,
// outside of the equations (System::beyond_modes).

#include <Eigen/Core>
#include <span>
#include <vector>

#include "microslip/system/system.hpp"

namespace microslip {

/// The stuck modes kept in a run, and what the others do statically. Modes that do nothing (no shape, no frequency) pad
/// their number to a multiple of eight.
struct ModalBasis {
  Eigen::Index kept = 0;  ///< modes without the padding
  Eigen::VectorXd omega;
  Eigen::MatrixXd shapes;
  Eigen::MatrixXd damping;
  Eigen::MatrixXd directions;        ///< B and the directions of the dampers, n x unknowns
  Eigen::MatrixXd truncated_shapes;  ///< phi/omega of the modes left out: their static compliance is S S^T
  [[nodiscard]] bool truncated() const { return truncated_shapes.cols() > 0; }
};
/// `modes` of them from number `first` on (rigid modes come first); 0: all.
[[nodiscard]] ModalBasis modal_basis(const System& system, int modes, Eigen::Index first = 0);

class Forcing {
 public:
  Forcing(const System& system, const ModalBasis& basis, std::span<const Load> loads);

  /// Evaluates every signal at t.
  void set_time(double t);
  /// True when any load acts at the time set.
  [[nodiscard]] bool active() const { return active_; }
  /// Load part of the modal force at the time set.
  [[nodiscard]] const Eigen::VectorXd& modal() const { return modal_; }
  /// Adds the static deflection of truncated modes and the motion of the ground to u* and v*.
  void add_to_joints(double* u_star, double* v_star) const;

  /// Power of the force loads on the kept modes.
  [[nodiscard]] double power(const Eigen::VectorXd& velocity) const;
  /// r^T (M q'' + a M q' - p): the force with which the ground of a base motion moves the structure; a: damping by the
  /// absolute motion, see System::absolute_mass_damping.
  [[nodiscard]] double ground_force(int load, const Eigen::VectorXd& velocity,
                                    const Eigen::VectorXd& acceleration) const;
  /// Static deflection of a force load's direction in the truncated modes, relative to the ground, for its work.
  [[nodiscard]] double truncated_deflection(int load, const double* x) const;

  [[nodiscard]] int count() const { return static_cast<int>(loads_.size()); }
  [[nodiscard]] double value(int load) const { return values_[load]; }
  [[nodiscard]] bool is_base(int load) const { return loads_[load].base; }

  /// Modal motion of the ground at the time set, Phi^T M r times g (0) or g' (1); zero without one.
  [[nodiscard]] const Eigen::VectorXd& ground_modal(int derivative) const { return ground_modal_[derivative]; }
  [[nodiscard]] bool has_base() const { return has_base_; }
  /// Is there motion of the ground that no mode holds?
  [[nodiscard]] bool moves_beyond_modes() const { return beyond_; }
  /// That motion at the time set, its rate (1) or its acceleration (2), at some degrees of freedom.
  [[nodiscard]] Eigen::VectorXd motion_beyond_modes(const std::vector<int>& dofs, int derivative) const;
  /// Velocity of the truncated modes that follow the ground, at the rows of basis.truncated_shapes that are given.
  [[nodiscard]] Eigen::VectorXd truncated_ground_velocity(const Eigen::MatrixXd& shapes) const;
  /// Static part of q from truncated modes at the time set, for loads and joint forces x; at such rows.
  [[nodiscard]] Eigen::VectorXd truncated_displacement(const Eigen::MatrixXd& shapes, const double* x) const;
  /// Strain energy of the truncated modes under loads and joint forces x.
  [[nodiscard]] double truncated_energy(const double* x) const;

 private:
  enum class Frame { absolute, ground };
  /// S^T (p - B x) of the truncated modes; in the absolute frame with the motion of the ground.
  [[nodiscard]] Eigen::VectorXd truncated_coordinates(const double* x, Frame frame) const;

  struct Entry {
    const Load* load;
    bool base;
    Eigen::VectorXd modal_value;      ///< modal force per unit signal
    Eigen::VectorXd modal_rate;       ///< modal force per unit rate of the signal; base motions
    Eigen::VectorXd joint_value;      ///< deflection of the unknowns' directions per unit signal
    Eigen::VectorXd joint_rate;       ///< rate of the same per unit rate
    Eigen::VectorXd ground;           ///< Phi^T M r; base motions
    Eigen::VectorXd truncated_force;  ///< S^T p per unit signal
    Eigen::VectorXd beyond;           ///< of r beyond all modes; empty: nothing
  };

  const ModalBasis* basis_;
  std::vector<Entry> loads_;
  std::vector<double> values_, rates_;
  Eigen::VectorXd modal_;
  Eigen::VectorXd ground_modal_[2];
  Eigen::MatrixXd truncated_directions_;  ///< S^T B
  double time_ = 0.0;
  double absolute_damping_ = 0.0;
  bool active_ = false;
  bool has_base_ = false;
  bool beyond_ = false;
};

}  // namespace microslip
