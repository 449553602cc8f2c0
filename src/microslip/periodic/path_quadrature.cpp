#include "microslip/periodic/path_quadrature.hpp"

#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/fading_loop.hpp"

namespace microslip {

PathQuadrature::PathQuadrature(const TransformSetting& setting)
    : PieceQuadrature(setting), start_basis(size), scanner_(setting.harmonics) {}

bool PathQuadrature::set_turns(const double* u) {
  const auto& extrema = scanner_.extrema(u);
  if (!moves(u, extrema.size())) return false;
  list_turns(extrema, turns);
  return true;
}

void PathQuadrature::set_path(const double* u) {
  cuts.push_back(turns.back().tau);
  std::size_t nodes = 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) nodes += rule_for(cuts[i + 1] - cuts[i]).node.size();
  path_u.resize(nodes);
  path_weight_.resize(nodes);
  path_basis.resize(size, static_cast<Eigen::Index>(nodes));
  std::size_t at = 0, cut = 0;
  for (std::size_t& end : leg_ends) {
    for (const std::size_t first = cut; cut < end; ++cut) {
      set_nodes(cuts[cut], cuts[cut + 1], cut == first);
      for (std::size_t i = 0; i < count; ++i, ++at) set_path_node(at, tau[i], weight[i], u);
    }
    end = at;
  }
}

void PathQuadrature::set_path_node(std::size_t node, double at, double w, const double* u) {
  auto basis = path_basis.col(static_cast<Eigen::Index>(node));
  series_basis(harmonics, at, basis.data());
  path_u[node] = Eigen::Map<const Eigen::VectorXd>(u, size).dot(basis);
  path_weight_[node] = w;
}

void PathQuadrature::series_basis_at(double at, Eigen::VectorXd& basis) const {
  series_basis(harmonics, at, basis.data());
}

void PathQuadrature::add_force(Eigen::Index node, double force) {
  const double w = path_weight_[static_cast<std::size_t>(node)] * force;
  out_force[0] += norm(0) * w * path_basis(0, node);
  for (int i = 1; i < size; ++i) out_force[i] += norm(1) * w * path_basis(i, node);
}

void PathQuadrature::add_slopes(Eigen::Index first, Eigen::Index columns) {
  const auto nodes = static_cast<Eigen::Index>(path_u.size());
  const auto weights = Eigen::Map<const Eigen::RowVectorXd>(path_weight_.data(), nodes);
  path_weighted_.resize(size, nodes);
  path_weighted_ = path_basis.array().rowwise() * (norm(1) * weights).array();
  path_weighted_.row(0) *= 0.5;
  path_slope_turned_.resize(nodes, columns);
  path_slope_turned_ = path_slope.topRows(columns).transpose();
  out_jacobian->middleCols(first, columns) += times(path_weighted_, path_slope_turned_);
}

}  // namespace microslip
