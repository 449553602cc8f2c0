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
  Eigen::MatrixXd values;                    ///< nodes x curve_columns; rows before the grid's first() are not set
  std::vector<Eigen::MatrixXd> derivatives;  ///< the same for each direction
};

/// Of joints with virgin curves, one a joint. Holds what a curve needs while it is computed; not for several threads.
class ModalCurveSolver {
 public:
  explicit ModalCurveSolver(const AmplitudeGrid& grid) : grid_(&grid) {}

  /// Derivatives along `directions` where `numbers` (the laws with theirs) is not empty.
  [[nodiscard]] ModalCurveValues solve(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws,
                                       const std::vector<VirginCurve<LawNumber>>& numbers,
                                       const std::vector<CurveDirection>& directions);

 private:
  /// The equilibria at the nodes, one after the other, joint by joint.
  struct Path {
    std::vector<double> u, u1, x, g;  ///< u, du/dq, x, G
    std::vector<double> excess, slope, loss;
  };

  bool find_node(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, int node);
  bool newton(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, double q, double* u, double* x,
              double* g);
  bool solve_matrix(const ModeConstants& mode, const double* g, double* right) const;
  /// Joints that come back while the load rises are on no virgin curve.
  [[nodiscard]] bool turns_back(const std::vector<VirginCurve<double>>& laws, int node);
  void set_values(const ModeConstants& mode, ModalCurveValues& result) const;
  void set_derivatives(const ModeConstants& mode, const std::vector<VirginCurve<LawNumber>>& numbers,
                       const std::vector<CurveDirection>& directions, ModalCurveValues& result);

  const AmplitudeGrid* grid_;
  int joints_ = 0;
  Path path_;
  std::vector<double> farthest_, trial_, step_;
  mutable std::vector<double> matrix_;
};

}  // namespace microslip
