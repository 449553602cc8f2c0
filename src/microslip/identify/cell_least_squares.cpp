#include "microslip/identify/cell_least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/nonnegative_quadratic.hpp"

namespace microslip {
namespace {

constexpr double below_data = 8.0;         // the cells begin at the first deflection over this
constexpr double widest_ratio = 1.12;      // of neighbouring edges
constexpr double widest = 0.02;            // of the largest deflection
constexpr std::size_t cells_of_data = 80;  // points are shared out among so many cells
constexpr double most_cells = 160.0;
constexpr double smoother_below = 2.0;        // power of 1/phi in the roughness
constexpr std::size_t most_kept = 2'000'000;  // numbers in the columns of candidates

/// The positive unknowns of a solution nearby, with every unknown that is new.
std::vector<int> start_set(const CellSolution* start, int shared, int unknowns) {
  if (start == nullptr) return {};
  const bool fits = start->positive.empty() || start->positive.back() < unknowns;  // ascending
  if (start->shared == shared && fits) return start->positive;
  const int common = std::min(start->shared, shared);
  std::vector<int> set;
  for (const int i : start->positive) {
    if (i < common) set.push_back(i);
  }
  for (int i = common; i < unknowns; ++i) set.push_back(i);
  return set;
}

}  // namespace

std::vector<double> slider_cells(const std::vector<double>& u) {
  const double end = u.back();
  const std::size_t share = std::max<std::size_t>(1, (u.size() + cells_of_data - 1) / cells_of_data);
  const double lowest = u.front() / below_data;
  const double ratio = std::max(widest_ratio, std::exp(std::log(end / lowest) / most_cells));
  std::vector<double> edge = {0.0, lowest};
  while (edge.back() < end) {
    const double from = edge.back();
    const auto next = static_cast<std::size_t>(std::upper_bound(u.begin(), u.end(), from) - u.begin());
    double to = std::min(from * ratio, from + widest * end);
    if (next + share <= u.size()) to = std::min(to, u[next + share - 1]);
    if (to > end - 0.5 * (to - from)) to = end;
    edge.push_back(to);
  }
  return edge;
}

CellLeastSquares::CellLeastSquares(const ForceCurve& points, std::optional<double> residual, bool spread)
    : spread_(spread) {
  const auto n = static_cast<Eigen::Index>(points.size());
  u_ = Eigen::Map<const Eigen::VectorXd>(points.u.data(), n);
  f_ = Eigen::Map<const Eigen::VectorXd>(points.f.data(), n);
  w_ = Eigen::Map<const Eigen::VectorXd>(points.weight.data(), n);
  if (residual) f_ -= *residual * u_;
  length_ = u_.maxCoeff();
  force_ = f_.cwiseAbs().maxCoeff();
  if (!(force_ > 0.0)) force_ = 1.0;
  u_ /= length_;
  f_ /= force_;
  if (residual) residual_ = *residual * length_ / force_;
  edge_ = slider_cells({u_.begin(), u_.end()});
  const std::size_t cells = edge_.size() - 1;
  columns_.resize(n, static_cast<Eigen::Index>(cells));
  for (std::size_t j = 0; j < cells; ++j) {
    columns_.col(static_cast<Eigen::Index>(j)) = cell_column(edge_[j], edge_[j + 1]);
  }
  misfit_ = columns_.transpose() * w_.asDiagonal() * columns_;
  trace_ratio_ = misfit_.trace() / roughness(edge_, 0.0).trace();
}

double CellLeastSquares::cell_scale(double a, double b) {
  return (b - a) / std::sqrt(0.5 * (a + b));
}

Eigen::VectorXd CellLeastSquares::cell_column(double a, double b) const {
  const double scale = cell_scale(a, b), centre = 0.5 * (a + b);
  return u_.unaryExpr([&](double u) { return scale * (spread_ ? spread_slider(u, a, b) : std::min(u, centre)); });
}

/// Integral of (d^2 g/dt^2)^2/phi^power dt by second differences of g at the centres of the cells.
Eigen::MatrixXd CellLeastSquares::roughness(const std::vector<double>& edge, double power) {
  const auto cells = static_cast<Eigen::Index>(edge.size()) - 1;
  Eigen::VectorXd t(cells);
  for (Eigen::Index j = 0; j < cells; ++j) t(j) = std::log(0.5 * (edge[j] + edge[j + 1]));
  Eigen::MatrixXd form = Eigen::MatrixXd::Zero(cells, cells);
  for (Eigen::Index j = 1; j + 1 < cells; ++j) {
    const double left = t(j) - t(j - 1), right = t(j + 1) - t(j);
    const Eigen::Vector3d d =
        Eigen::Vector3d(1.0 / left, -1.0 / left - 1.0 / right, 1.0 / right) / std::sqrt(0.5 * (left + right));
    form.block<3, 3>(j - 1, j - 1) += d * d.transpose() * std::exp(-power * t(j));
  }
  return form;
}

auto CellLeastSquares::make_candidate(double phi_max) const -> Candidate {
  Candidate c;
  const auto above = std::lower_bound(edge_.begin() + 1, edge_.end(), phi_max);  // first edge >= phi_max
  auto last = static_cast<std::size_t>(above - edge_.begin()) - 1;               // the cell that phi_max cuts
  // A short rest joins the cell before it.
  if (last > 0 && phi_max - edge_[last] < 0.5 * (edge_[last + 1] - edge_[last])) --last;
  c.shared = static_cast<int>(last);
  c.edge.assign(edge_.begin(), edge_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  c.edge.push_back(phi_max);
  const bool residual = !residual_;
  c.has_end = phi_max < 1.0 || !residual;  // else the sliders at the end are one with K_inf
  const int own = 1 + (c.has_end ? 1 : 0) + (residual ? 1 : 0);
  const int unknowns = c.shared + own;
  c.columns.resize(u_.size(), own);
  c.scale = Eigen::VectorXd::Ones(unknowns);
  for (int j = 0; j <= c.shared; ++j) c.scale(j) = cell_scale(c.edge[j], c.edge[j + 1]);
  int k = 0;
  c.columns.col(k++) = cell_column(c.edge[last], phi_max);
  if (c.has_end) c.columns.col(k++) = u_.cwiseMin(phi_max);
  if (residual) c.columns.col(k++) = u_;
  c.misfit.resize(unknowns, unknowns);
  c.misfit.topLeftCorner(c.shared, c.shared) = misfit_.topLeftCorner(c.shared, c.shared);
  const Eigen::MatrixXd weighted = w_.asDiagonal() * c.columns;
  c.misfit.bottomLeftCorner(own, c.shared) = weighted.transpose() * columns_.leftCols(c.shared);
  c.misfit.topRightCorner(c.shared, own) = c.misfit.bottomLeftCorner(own, c.shared).transpose();
  c.misfit.bottomRightCorner(own, own) = weighted.transpose() * c.columns;
  c.roughness = Eigen::MatrixXd::Zero(unknowns, unknowns);
  c.roughness.topLeftCorner(c.shared + 1, c.shared + 1) = trace_ratio_ * roughness(c.edge, smoother_below);
  // A little more than rounding: keeps unknowns apart that no datum tells apart.
  c.misfit.diagonal() *= 1.0 + 1e-12;
  return c;
}

auto CellLeastSquares::candidate(double phi_max) -> const Candidate& {
  const auto found = candidates_.find(phi_max);
  if (found != candidates_.end()) return found->second;
  const std::size_t most = std::clamp<std::size_t>(most_kept / points(), 64, 400);
  if (candidates_.size() >= most) candidates_.clear();
  return candidates_.emplace(phi_max, make_candidate(phi_max)).first->second;
}

CellSolution CellLeastSquares::solve(double phi_max, double lambda, const Eigen::VectorXd& f,
                                     const CellSolution* start) {
  const Candidate& c = candidate(phi_max);
  const auto own = c.columns.cols();
  const Eigen::VectorXd weighted = w_.cwiseProduct(f);
  Eigen::VectorXd b(c.shared + own);
  b.head(c.shared).noalias() = columns_.leftCols(c.shared).transpose() * weighted;
  b.tail(own).noalias() = c.columns.transpose() * weighted;
  const Eigen::MatrixXd h = c.misfit + lambda * c.roughness;
  NonnegativeSolution minimum = solve_nonnegative(h, b, start_set(start, c.shared, static_cast<int>(b.size())));

  CellSolution solution;
  solution.converged = minimum.converged;
  solution.factorisations = minimum.factorisations;
  solution.positive = std::move(minimum.positive);
  solution.shared = c.shared;
  const Eigen::VectorXd& x = minimum.x;
  solution.fitted = columns_.leftCols(c.shared) * x.head(c.shared) + c.columns * x.tail(own);
  solution.rss = w_.dot((solution.fitted - f).cwiseAbs2());
  solution.objective =
      minimum.converged ? solution.rss + lambda * x.dot(c.roughness * x) : std::numeric_limits<double>::infinity();
  SliderDistribution& d = solution.distribution;
  d.edge = c.edge;
  d.spread = spread_;
  d.phi_max = phi_max;
  d.stiffness.resize(c.edge.size() - 1);
  for (std::size_t j = 0; j < d.stiffness.size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    d.stiffness[j] = c.scale(i) * x(i);
  }
  if (c.has_end) d.end_stiffness = x(c.shared + 1);
  d.residual = residual_ ? *residual_ : x(x.size() - 1);
  return solution;
}

double CellLeastSquares::freedom(double phi_max, double lambda, const std::vector<int>& positive) {
  const Candidate& c = candidate(phi_max);
  if (positive.empty()) return 0.0;
  const Eigen::MatrixXd misfit = c.misfit(positive, positive);
  const Eigen::MatrixXd h = misfit + lambda * c.roughness(positive, positive);
  return solve_positive(h, misfit).trace();
}

SliderDistribution CellLeastSquares::unscaled(SliderDistribution d) const {
  const double stiffness = force_ / length_;
  for (double& e : d.edge) e *= length_;
  for (double& k : d.stiffness) k *= stiffness;
  d.phi_max *= length_;
  d.end_stiffness *= stiffness;
  d.residual *= stiffness;
  return d;
}

}  // namespace microslip
