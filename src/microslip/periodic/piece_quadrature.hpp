#pragma once
// Integrals over pieces of the period: Gauss nodes, cos(h tau) and sin(h tau) there, and sums of F and k = dF/du with
// them. The derivative of int F e d tau is  sum_i w_i k_i e_i e_i^T, from the harmonics of k up to 2 H alone.
// Where F = k u + c no nodes are needed: with L the length of the piece and m its middle,
//   int (cos, sin)(n tau) d tau = 2/n sin(n L/2) (cos, sin)(n m),   int k u e d tau = (int k e e^T d tau) u
// exactly.

#include <Eigen/Core>
#include <array>
#include <vector>

#include "microslip/numerics/gauss_legendre.hpp"
#include "microslip/periodic/joint_transform.hpp"

namespace microslip {

class PieceQuadrature : public JointTransform {
 protected:
  explicit PieceQuadrature(const TransformSetting& setting);

  /// For half a period or more all nodes, for less in proportion.
  [[nodiscard]] const GaussRule& rule_for(double length);
  /// Gauss between `from` and `to`; `corner`: from = tau_r is a reversal, tau = from + length sigma^2.
  void set_nodes(double from, double to, bool corner);
  void set_uniform_nodes(int number);

  /// cos(h tau), sin(h tau) and u at the nodes.
  void fill_nodes(const double* u);
  /// Sums over the nodes: w F e into the force; with a Jacobian, w k (cos, sin)(h tau) up to 2 H into tangent_sums,
  /// w k e into weighted_tangent and w e into weighted_basis.
  void accumulate();
  void clear_tangent_sums();
  /// A piece on which F = slope u + offset. As accumulate(), but for slope u: see add_line_forces.
  void add_line(double from, double to, double slope, double offset);
  /// A jump of F at tau that moves with u: -weight e e^T in the derivative.
  void add_moving_point(double at, double weight);
  /// sum w v e, with the norm of the coefficients, is added to a column of `sums` for each of the values v: columns of
  /// `values`, as long as `used` or longer and a multiple of four in number; those past the sums are 0.
  void add_basis_sums(const Eigen::MatrixXd& values, Eigen::Ref<Eigen::MatrixXd> sums);
  /// sum w k e e^T from the harmonics of k.
  void add_tangent_matrix();
  /// (sum w k e e^T) u into the force, where all pieces are lines.
  void add_line_forces(const double* u);

  std::size_t count = 0, used = 0;  // nodes of the piece, and with padding
  std::vector<double> tau, weight, deflection, weighted_force, weighted_stiffness;
  Eigen::VectorXd weighted_basis, weighted_tangent;

 private:
  static constexpr int rule_parts = 16, fewest_nodes = 8;

  void reserve(std::size_t nodes);
  void pad();
  [[nodiscard]] int nodes_of(int part) const;
  void fill_basis(int highest);
  void fill_deflection(const double* u);
  void accumulate_force();
  void accumulate_tangent();
  void spread_sums();
  [[nodiscard]] double* cosine(int h) { return cosines.data() + static_cast<std::size_t>(h) * capacity; }
  [[nodiscard]] double* sine(int h) { return sines.data() + static_cast<std::size_t>(h) * capacity; }

  std::array<const GaussRule*, rule_parts> rules{};  // for 1/16, 2/16, ... of half a period, as far as needed
  std::size_t capacity = 0;                          // nodes allocated a row
  std::vector<double> cosines, sines;                // of h tau_i, one row a harmonic up to 2 H
  std::vector<double> first_cosine, first_sine;
  std::vector<double> tangent_sums;
  std::vector<double> line_sums;                 // integrals of (cos, sin)(n tau) over one piece
  Eigen::VectorXd spread_cosines, spread_sines;  // of tangent_sums, from -H to 2 H
};

}  // namespace microslip
