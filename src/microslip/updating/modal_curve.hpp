#pragma once
// The amplitude curve of one mode at the nodes of a grid, and its exact derivatives with respect to any number of
// parameters: quasi-static modal analysis with the modal displacement q held, every joint on its virgin curve.
//
//   u = q beta - A' x(u),   x = f(u) - k u,   s = alpha - omega_0^2 q = beta . x
//
// With G = df/du - k and u' = du/dq = (I + A' G)^-1 beta, y = dx/dq = G u': ds/dq = beta . y, and along a parameter
//
//   ds  = d beta . (x + q y) - y . dA' x + u' . dx|_u
//   ds' = d beta . (2 y + q y') - y' . dA' x - y . dA' y + u'' . dx|_u + u' . dG|_u u'
//
// (the adjoint of the equilibrium is y itself, so that no parameter costs an equation of its own; u'' = d2u/dq2). The
// loss D of a cycle takes one more solution for all parameters together. From s, s', D follow, exactly as of
// quasi_static_modal.hpp,
//
//   omega = sqrt(omega_0^2 + s/q),  omega_ringdown = sqrt(K1),  zeta = (D + pi d omega_ringdown q^2)/(2 pi q^2 T)
//
// with T = omega_0^2 + s', d = phi^T C phi, K1 by the grid. Ref: docs/theory.md, "Derivatives of modes and of modal
// curves".

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "microslip/joints/virgin_curve.hpp"
#include "microslip/updating/amplitude_grid.hpp"
#include "microslip/updating/model_modes.hpp"

namespace microslip {

/// A number of the law of a joint that moves with a parameter, so much of it.
struct LawMotion {
  int joint = 0;
  int number = 0;
  double factor = 1.0;
};

/// How a parameter moves the mode and the laws. `constants` is null where the mode stays.
struct CurveDirection {
  const ModeConstants* constants = nullptr;
  std::vector<LawMotion> laws;
};

/// Columns of values and derivatives.
enum CurveColumn : int { omega_ringdown_column, zeta_column, omega_column, zeta_secant_column, curve_columns };

struct ModalCurveValues {
  int reached = 0;                           ///< nodes, from the first of the grid; the others have no values
  std::string why;                           ///< it does not reach all
  std::vector<double> jumps;                 ///< amplitudes at which a joint goes into macroslip
  Eigen::MatrixXd values;                    ///< nodes x curve_columns; rows before the grid's first() are not set
  std::vector<Eigen::MatrixXd> derivatives;  ///< the same for each direction
};

/// Of joints with virgin curves, one a joint, or of none. Holds what a curve needs while it is computed; not for
/// several threads.
class ModalCurveSolver {
 public:
  explicit ModalCurveSolver(const AmplitudeGrid& grid) : grid_(&grid) {}

  /// Derivatives along `directions`; `numbers` are the laws with theirs, where there are directions.
  [[nodiscard]] ModalCurveValues solve(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws,
                                       const std::vector<VirginCurve<LawNumber>>& numbers,
                                       const std::vector<CurveDirection>& directions);

 private:
  /// The equilibria at the nodes, one after the other, joint by joint.
  struct Path {
    std::vector<double> u, u1, x, g;  ///< u, du/dq, x, G
    std::vector<double> excess, slope, loss;
  };
  /// A side of an amplitude at which joints go into macroslip.
  struct Side {
    std::vector<double> u, u1, x, g;
    double excess = 0.0, slope = 0.0;
  };
  struct Jump {
    int segment = 0;  ///< from this node to the next
    int joint = 0;    ///< one that goes into macroslip
    double q = 0.0;
    Side before, after;
  };
  struct PiecePoint {
    enum class Kind { node, before, after };
    Kind kind = Kind::node;
    std::size_t index = 0;  ///< of the node, or of the jump
  };
  struct Piece {
    HarmonicSegment weights;
    int segment = 0;
    double sign = 1.0;
    PiecePoint from, to;
  };
  /// d s, d s' and d D along each direction, at one point of the curve.
  struct PointChange {
    Eigen::VectorXd excess, slope, loss;
  };

  bool find_node(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, int node);
  bool newton(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, double q, double* u, double* x,
              double* g);
  bool solve_matrix(const ModeConstants& mode, const double* g, double* right) const;
  /// Joints that come back while the load rises are on no virgin curve.
  [[nodiscard]] bool turns_back(const std::vector<VirginCurve<double>>& laws, int node);
  void find_jumps(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, int node);
  bool find_jump(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, Jump& jump);
  bool set_side(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, const std::vector<double>& u,
                double turn, Side& side);
  /// Pieces of the segments in which slopes jump, in the place of the whole ones.
  void set_pieces();
  /// What they add to the sum over nodes for K1 at a node: `value` tells (s, s') at a PiecePoint.
  template <class Value>
  [[nodiscard]] double jump_part(int node, const Value& value) const;
  void set_values(const ModeConstants& mode, ModalCurveValues& result) const;
  void set_derivatives(const ModeConstants& mode, const std::vector<VirginCurve<LawNumber>>& numbers,
                       const std::vector<CurveDirection>& directions, ModalCurveValues& result);
  [[nodiscard]] PointChange change_at(const ModeConstants& mode, const std::vector<VirginCurve<LawNumber>>& numbers,
                                      const std::vector<CurveDirection>& directions, double q, const double* u,
                                      const double* u1, const double* x, const double* g) const;
  /// dq along each direction of the amplitude of a jump.
  [[nodiscard]] Eigen::VectorXd motion_of(const Jump& jump, const ModeConstants& mode,
                                          const std::vector<VirginCurve<LawNumber>>& numbers,
                                          const std::vector<CurveDirection>& directions) const;

  const AmplitudeGrid* grid_;
  int joints_ = 0;
  Path path_;
  std::vector<Jump> jumps_;  ///< by growing q
  std::vector<Piece> pieces_;
  std::vector<double> farthest_, trial_, step_;
  mutable std::vector<double> matrix_;
};

template <class Value>
double ModalCurveSolver::jump_part(int node, const Value& value) const {
  double sum = 0.0;
  for (const Piece& piece : pieces_) {
    if (piece.segment >= node) continue;
    const std::array<double, 4> w = piece.weights.weights(grid_->nodes()[static_cast<std::size_t>(node)]);
    const std::array<double, 2> from = value(piece.from), to = value(piece.to);
    sum += piece.sign * (w[0] * from[0] + w[1] * from[1] + w[2] * to[0] + w[3] * to[1]);
  }
  return sum;
}

}  // namespace microslip
