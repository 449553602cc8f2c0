#pragma once
// The linear part of a system: M q'' + C q' + K q, without the joints.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>
#include <variant>
#include <vector>

#include "microslip/structure/geometry.hpp"

namespace microslip {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Damping ratios on the stuck modes: one for all, or one a mode.
struct ModalDamping {
  std::vector<double> ratios;
};
/// C = a M + b K, K without the joints.
struct RayleighDamping {
  double a = 0.0;  ///< [1/time]
  double b = 0.0;  ///< [time]
  /// Over a moving ground: does a M act on q' (true) or, like all other damping, on q' - r g'?
  bool absolute_mass_term = false;
};
/// C as it is.
struct MatrixDamping {
  Eigen::MatrixXd matrix;
};
using Damping = std::variant<ModalDamping, RayleighDamping, MatrixDamping>;

/// A discrete damper: force c (w^T q') along w.
struct Damper {
  Eigen::VectorXd direction;  ///< w
  double coefficient = 0.0;   ///< c [force time/length]
};

/// A spring or damper of a lumped structure between two degrees of freedom; -1 is the ground.
struct LumpedLink {
  int from = -1;
  int to = -1;
  double value = 0.0;
};

/// Motions of the structure as one body, as far as its labels and the places of its nodes tell.
struct RigidMotions {
  enum class Known { nothing, translations, all };
  /// Rows: degrees of freedom of the matrices; columns: x y z, and rx ry rz where places are known. Empty: not known.
  Eigen::MatrixXd columns;
  /// What labels tell of each degree of freedom, the dependent ones included. Rows that no label tells of are zero, or
  /// what follows from the others (coordinates of a reduced model).
  std::vector<Known> known;
};

/// Coordinates that follow from those of the matrices, q_d = rows q.
struct DependentCoordinates {
  SparseMatrix rows;
  std::vector<std::string> labels;  ///< of the rows
};

/// Immutable. Construction checks sizes, finiteness and symmetry (to 1e-9 of the largest entry; the symmetric part is
/// kept), and throws std::invalid_argument that names the matrix and the entry. Definiteness shows in the modes.
class LinearStructure {
 public:
  struct Parts {
    SparseMatrix mass;
    SparseMatrix stiffness;
    std::vector<std::string> labels;  ///< one a degree of freedom; empty: "1".."n"
    Damping damping = ModalDamping{};
    std::vector<Damper> dampers;
    bool constrain_rigid_body = false;  ///< leave rigid modes out
    Eigen::VectorXd base_shape;         ///< displacement of q when the ground moves by one; empty: none known
    RigidMotions rigid;                 ///< for a base motion where base_shape is not known; may be empty
    Geometry geometry;                  ///< for pictures; may be empty
    /// R: coordinates q_d = R q that follow from those of the matrices, for outputs and to attach joints and loads to:
    /// a point that is no degree of freedom, the mean motion of a patch. They stand behind the others and have labels
    /// like them.
    SparseMatrix dependent;
  };

  explicit LinearStructure(Parts parts);

  /// No degree of freedom at all: of a study of measurements alone.
  static LinearStructure none() { return {}; }

  /// Point masses joined by springs and dampers, and points that follow from them; every ground moves with a base
  /// motion. Without a geometry the masses are drawn as a chain.
  static LinearStructure lumped(const std::vector<double>& masses, std::vector<std::string> labels,
                                const std::vector<LumpedLink>& springs, const std::vector<LumpedLink>& dampers,
                                Damping damping, bool constrain_rigid_body = false, Geometry geometry = {},
                                DependentCoordinates points = {});

  /// Degrees of freedom, the dependent ones included.
  [[nodiscard]] int size() const { return static_cast<int>(parts_.mass.rows()); }
  /// Degrees of freedom of the matrices; the others follow.
  [[nodiscard]] int independent() const { return size() - static_cast<int>(parts_.dependent.rows()); }
  [[nodiscard]] const SparseMatrix& dependent() const { return parts_.dependent; }
  /// x of the independent coordinates -> of all.
  [[nodiscard]] Eigen::MatrixXd with_dependent(const Eigen::MatrixXd& x) const;
  /// The same of a vector of all coordinates, whose dependent part is not looked at. A base motion moves them so.
  [[nodiscard]] Eigen::VectorXd made_consistent(const Eigen::VectorXd& q) const;
  /// Directions of forces on all coordinates -> on the independent ones, of the same work: b_i + R^T b_d.
  [[nodiscard]] Eigen::MatrixXd on_independent(const Eigen::MatrixXd& directions) const;
  /// The matrices without the empty rows of dependent coordinates.
  [[nodiscard]] SparseMatrix independent_mass() const;
  [[nodiscard]] SparseMatrix independent_stiffness() const;

  /// Both are empty in the rows and columns of dependent coordinates, so that products with any q are right.
  [[nodiscard]] const SparseMatrix& mass() const { return parts_.mass; }
  [[nodiscard]] const SparseMatrix& stiffness() const { return parts_.stiffness; }
  [[nodiscard]] const std::vector<std::string>& labels() const { return parts_.labels; }
  [[nodiscard]] const Damping& damping() const { return parts_.damping; }
  [[nodiscard]] const std::vector<Damper>& dampers() const { return parts_.dampers; }
  [[nodiscard]] bool constrain_rigid_body() const { return parts_.constrain_rigid_body; }
  [[nodiscard]] const Eigen::VectorXd& base_shape() const { return parts_.base_shape; }
  [[nodiscard]] const RigidMotions& rigid() const { return parts_.rigid; }
  [[nodiscard]] const Geometry& geometry() const { return parts_.geometry; }
  /// Index of a label, -1 when there is none.
  [[nodiscard]] int index_of(const std::string& label) const;

 private:
  LinearStructure() = default;

  Parts parts_;
};

/// Throws std::invalid_argument, naming `what`, unless the matrix is square, finite and symmetric to 1e-9 of its
/// largest entry.
void require_symmetric(const SparseMatrix& matrix, const std::string& what);

}  // namespace microslip
