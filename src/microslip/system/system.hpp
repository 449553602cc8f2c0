#pragma once
// System = linear structure + joints: M q'' + C q' + K q + B f(u, u') = p(t), u = B^T q.
//
// It keeps what every method needs: the stuck modes (every joint at its tangent at rest), and the joint directions. The
// joints are few and the structure is linear, so that no method works on more unknowns than joints (times harmonics).

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "microslip/joints/any_law.hpp"
#include "microslip/joints/joint_memory.hpp"
#include "microslip/joints/law_traits.hpp"
#include "microslip/structure/linear_structure.hpp"
#include "microslip/structure/modes.hpp"
#include "microslip/system/signal.hpp"

namespace microslip {

/// N = 1 for rigid friction, whose levels then are forces; 0 for any other law.
[[nodiscard]] Signal default_normal(const Law& law);

struct Joint {
  std::string name;
  Law law;
  Eigen::MatrixXd directions;           ///< W, n x components: u = W^T q
  Signal normal = default_normal(law);  ///< normal load, for laws that use one, never negative [force]; methods that
                                        ///< know no load that changes with time take its static_value()
};

/// p(t) = direction * signal(t), or a displacement signal(t) of the ground.
struct Load {
  std::string name;
  /// Of the force; for a base motion, the displacement of q when the ground moves by one: of the independent
  /// coordinates, which the others follow.
  Eigen::VectorXd direction;
  Signal signal;
  bool base = false;
};

/// How much of a large structure is kept. Up to `most_dense` degrees of freedom every mode is; beyond, the lowest
/// `count` stuck modes, and the static answers to the joints and to `static_loads` that these modes leave out.
struct Truncation {
  static constexpr int most_dense = 3000;
  int count = 20;
  Eigen::MatrixXd static_loads;  ///< n x any number of directions
};

class System {
 public:
  /// Throws std::invalid_argument for a joint of the wrong size or a negative normal load, a structure without stuck
  /// modes (M not positive definite, K0 indefinite) or damping ratios that do not match the number of modes.
  System(LinearStructure structure, std::vector<Joint> joints, const Truncation& truncation = {});

  /// Nothing, which no method takes: of a study of measurements alone.
  static System none() { return {}; }
  /// Is there a structure?
  [[nodiscard]] bool empty() const { return structure_.size() == 0; }

  /// The same with other laws, which keeps the modes; nothing when the number of joints, their names, directions or
  /// stiffness at rest change, for then the modes may.
  [[nodiscard]] std::optional<System> with_laws(std::vector<Joint> joints) const;

  [[nodiscard]] const LinearStructure& structure() const { return structure_; }
  [[nodiscard]] const std::vector<Joint>& joints() const { return joints_; }
  [[nodiscard]] int size() const { return structure_.size(); }
  /// Number of joint components, the columns of B.
  [[nodiscard]] int components() const { return static_cast<int>(directions_.cols()); }
  /// B, n x components; joint j has columns offset(j) to offset(j+1).
  [[nodiscard]] const Eigen::MatrixXd& directions() const { return directions_; }
  [[nodiscard]] int offset(int joint) const { return offsets_[joint]; }
  /// "lap", or "lap.1", "lap.2" for a joint with several components.
  [[nodiscard]] std::string component_name(int component) const;

  /// Joint stiffness at rest and in macroslip, block-diagonal, components x components.
  [[nodiscard]] const Eigen::MatrixXd& stuck_joint_stiffness() const { return stuck_; }
  [[nodiscard]] const Eigen::MatrixXd& slipped_joint_stiffness() const { return slipped_; }

  /// Modes with every joint at its tangent at rest; without the rigid ones when they are constrained. Of a truncated
  /// system the first `computed_modes()` are modes, the rest stand for the static answer of all others.
  [[nodiscard]] const Modes& stuck_modes() const { return stuck_modes_; }
  [[nodiscard]] int computed_modes() const { return computed_modes_; }
  /// Are there modes that nobody computed?
  [[nodiscard]] bool truncated() const { return truncated_; }
  /// Modes with every joint at what is left in macroslip; of a truncated system within the shapes of stuck_modes().
  [[nodiscard]] Modes slipped_modes() const;

  /// Modal damping phi_i^T C phi_j of the stuck modes without the terms that live in joint space (see
  /// joint_damping and the structure's dampers): a diagonal unless the damping is a full matrix.
  [[nodiscard]] const Eigen::MatrixXd& modal_damping() const { return modal_damping_; }
  [[nodiscard]] bool modal_damping_is_diagonal() const { return diagonal_damping_; }
  /// Rayleigh damping acts on K without the joints: C = a M + b K0 - B (b k) B^T. This is -b k.
  [[nodiscard]] const Eigen::MatrixXd& joint_damping() const { return joint_damping_; }
  /// a of a Rayleigh term a M that acts on q' while all other damping acts on q' - r g'; else 0 [1/time]. A base motion
  /// then adds the force -a M r g' to that of damping on the relative motion.
  [[nodiscard]] double absolute_mass_damping() const;
  /// What a motion of the ground along r has beyond the stuck modes, r - Phi Phi^T M r: of coordinates without mass, of
  /// modes that nobody computed or that are left out. It moves with the ground and strains nothing that the modes know.
  /// Empty where it is rounding.
  [[nodiscard]] Eigen::VectorXd beyond_modes(const Eigen::VectorXd& r) const;
  /// Damping ratio of each stuck mode, phi^T C phi/(2 omega), all terms included; 0 for rigid modes.
  [[nodiscard]] Eigen::VectorXd damping_ratios() const;

  /// Joints that have never moved. Throws std::invalid_argument where one is rigid friction: see
  /// refuse_rigid_friction.
  [[nodiscard]] JointMemory initial_memory() const;

  /// M phi_r: the force that excites stuck mode r (from 0) alone.
  [[nodiscard]] Eigen::VectorXd modal_force(int mode) const;

 private:
  System() = default;

  LinearStructure structure_ = LinearStructure::none();
  std::vector<Joint> joints_;
  std::vector<int> offsets_ = {0};
  Eigen::MatrixXd directions_, stuck_, slipped_;
  Modes stuck_modes_;
  int computed_modes_ = 0;
  bool truncated_ = false;
  Eigen::MatrixXd modal_damping_, joint_damping_;
  bool diagonal_damping_ = true;
  int constrained_ = 0;  ///< rigid modes left out
};

/// For every method that works through the laws' evaluate: throws std::invalid_argument, naming the joint and the
/// methods that take it, where a law is rigid friction.
void refuse_rigid_friction(const System& system);

}  // namespace microslip
