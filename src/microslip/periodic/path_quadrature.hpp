#pragma once
// Integrals over the period for laws whose state is marched. Between two reversals z and sliders depend on their state
// at the first of them only: `turns` lists the reversals from that of largest |u|. So
//   dF = k du + sum_r g_r du_r,   r the turns,
// and the derivative of int F e d tau is  sum w k e e^T + sum_r (sum w g_r e) e_r^T: k at the nodes, and a matrix whose
// rank is the number of turns.

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
  /// The last turn is the first one, a period later.
  [[nodiscard]] Eigen::Index place_of(std::size_t turn) const {
    return static_cast<Eigen::Index>(turn == legs() ? 0 : turn);
  }

  /// Gauss nodes from a leg's reversal to the next one, piece by piece between the `cuts`: `visit()` fills
  /// weighted_force and weighted_stiffness at the `count` nodes of each and calls add_nodes().
  template <class Visit>
  void walk_leg(std::size_t leg, const double* u, Visit&& visit) {
    cuts.push_back(turns[leg + 1].tau);
    double from = turns[leg].tau;
    bool corner = true;
    for (const double to : cuts) {
      set_nodes(from, to, corner);
      fill_nodes(u);
      visit();
      from = to;
      corner = false;
    }
  }
  /// accumulate() of a piece.
  void add_nodes();
  /// At the end, with a Jacobian.
  void add_derivatives();

  std::vector<SeriesScanner::Extremum> turns;
  std::vector<double> cuts;  // of the present leg, ascending
  Eigen::MatrixXd by_turn;   // sum w g_r e, a column a turn

 private:
  SeriesScanner scanner_;
  Eigen::MatrixXd turn_basis_;
};

}  // namespace microslip
