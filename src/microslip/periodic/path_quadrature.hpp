#pragma once
// Integrals over the period for laws whose state is marched. Between two reversals z and sliders depend on their state
// at the first of them only: `turns` lists the reversals from that of largest |u|, path_* the nodes of the legs between
// them.

#include <Eigen/Core>
#include <vector>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/piece_quadrature.hpp"

namespace microslip {

class PathQuadrature : public PieceQuadrature {
 protected:
  explicit PathQuadrature(const TransformSetting& setting);

  /// False: nothing moves.
  bool set_turns(const double* u);
  [[nodiscard]] std::size_t legs() const { return turns.size() - 1; }
  /// Nodes between the cuts; leg_ends says on entry how many cuts, and then how many nodes, there are up to each leg's
  /// end.
  void set_path(const double* u);

  /// F at one node of the path into the force, with weight.
  void add_force(Eigen::Index node, double force);
  /// sum over the nodes of w e dF^T, where column i of path_slope is dF at node i: into columns [first, ...) of the
  /// Jacobian.
  void add_slopes(Eigen::Index first, Eigen::Index columns);
  void series_basis_at(double at, Eigen::VectorXd& basis) const;

  std::vector<SeriesScanner::Extremum> turns;
  std::vector<double> cuts;           // where pieces begin
  std::vector<std::size_t> leg_ends;  // nodes up to the end of each leg
  std::vector<double> path_u;
  Eigen::MatrixXd path_basis, path_slope;  // a column a node: e, and dF
  Eigen::VectorXd start_basis;

 private:
  void set_path_node(std::size_t node, double at, double w, const double* u);

  SeriesScanner scanner_;
  std::vector<double> path_weight_;
  Eigen::MatrixXd path_weighted_, path_slope_turned_;  // factors of the Jacobian
};

}  // namespace microslip
