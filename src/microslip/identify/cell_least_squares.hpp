#pragma once
// The least-squares problem of distribution_fit.hpp for one set of points: cells that follow the data, the quadratic
// forms of misfit and roughness, and their minimum for a given phi_max and lambda. Deflections and forces are scaled
// to 1.

#include <Eigen/Core>
#include <map>
#include <optional>
#include <vector>

#include "microslip/identify/force_curve.hpp"
#include "microslip/identify/slider_distribution.hpp"

namespace microslip {

/// Edges of cells that follow deflections u > 0, ascending: 0, then from an eighth of the first up to the last. No cell
/// is wider than 12 % of its strength or 2 % of the largest deflection, none has more than its share of the points
/// where these lie densely.
[[nodiscard]] std::vector<double> slider_cells(const std::vector<double>& u);

/// The minimum for one phi_max.
struct CellSolution {
  SliderDistribution distribution;  ///< scaled
  Eigen::VectorXd fitted;           ///< at the points, scaled
  double rss = 0.0;                 ///< weighted
  double objective = 0.0;           ///< J
  std::vector<int> positive;        ///< unknowns that may be positive: cells, the end, K_inf
  int shared = 0;                   ///< cells that are cells of the whole grid
  int factorisations = 0;
  bool converged = false;
};

class CellLeastSquares {
 public:
  /// `points`: ascending, weights of mean 1. `residual`: K_inf, if known.
  CellLeastSquares(const ForceCurve& points, std::optional<double> residual, bool spread);

  [[nodiscard]] std::size_t points() const { return static_cast<std::size_t>(u_.size()); }
  [[nodiscard]] double length() const { return length_; }  ///< unit of deflection
  [[nodiscard]] double force() const { return force_; }    ///< unit of force
  [[nodiscard]] const Eigen::VectorXd& data() const { return f_; }
  [[nodiscard]] const Eigen::VectorXd& weights() const { return w_; }
  [[nodiscard]] const Eigen::VectorXd& deflections() const { return u_; }

  /// Edges of the cells, scaled: every one of them but 0 is a candidate for phi_max.
  [[nodiscard]] const std::vector<double>& edges() const { return edge_; }

  /// The minimum with cells up to phi_max (0 < phi_max <= 1) for the data `f` (scaled, residual taken off). `start`: a
  /// solution nearby, or nothing.
  [[nodiscard]] CellSolution solve(double phi_max, double lambda, const Eigen::VectorXd& f,
                                   const CellSolution* start = nullptr);
  /// Trace of the map from data to fit, of the unknowns that are positive.
  [[nodiscard]] double freedom(double phi_max, double lambda, const std::vector<int>& positive);

  /// In the user's units.
  [[nodiscard]] SliderDistribution unscaled(SliderDistribution distribution) const;

 private:
  /// Everything that depends on phi_max alone.
  struct Candidate {
    std::vector<double> edge;   ///< of its cells
    Eigen::VectorXd scale;      ///< stiffness of an unknown = scale * unknown
    Eigen::MatrixXd columns;    ///< of the last cell, the end and K_inf
    Eigen::MatrixXd misfit;     ///< A^T W A, all unknowns
    Eigen::MatrixXd roughness;  ///< of all unknowns, times s
    int shared = 0;             ///< cells whose columns are those of the whole grid
    bool has_end = false;
  };

  const Candidate& candidate(double phi_max);
  [[nodiscard]] Candidate make_candidate(double phi_max) const;
  /// sqrt(phi) of a cell and its width: stiffness of the unknown g.
  [[nodiscard]] static double cell_scale(double a, double b);
  [[nodiscard]] Eigen::VectorXd cell_column(double a, double b) const;
  [[nodiscard]] static Eigen::MatrixXd roughness(const std::vector<double>& edge, double power);

  double length_ = 1.0, force_ = 1.0;
  std::optional<double> residual_;  ///< scaled
  bool spread_;
  Eigen::VectorXd u_, f_, w_;
  std::vector<double> edge_;
  Eigen::MatrixXd columns_;  ///< of all cells, times their scales
  Eigen::MatrixXd misfit_;   ///< A^T W A of all cells
  double trace_ratio_ = 1.0;
  std::map<double, Candidate> candidates_;
};

}  // namespace microslip
