#include "microslip/periodic/path_quadrature.hpp"

#include "microslip/periodic/fading_loop.hpp"

namespace microslip {

PathQuadrature::PathQuadrature(const TransformSetting& setting)
    : PieceQuadrature(setting), scanner_(setting.harmonics) {}

bool PathQuadrature::set_turns(const double* u) {
  const auto& extrema = scanner_.extrema(u);
  if (!moves(u, extrema.size())) return false;
  list_turns(extrema, turns);
  clear_tangent_sums();
  if (out_jacobian == nullptr) return true;
  by_turn.setZero(size, static_cast<Eigen::Index>(legs()));
  turn_basis_.resize(size, static_cast<Eigen::Index>(legs()));
  for (std::size_t turn = 0; turn < legs(); ++turn) {
    series_basis(harmonics, turns[turn].tau, turn_basis_.col(static_cast<Eigen::Index>(turn)).data());
  }
  return true;
}

void PathQuadrature::add_nodes() {
  for (std::size_t i = count; i < used; ++i) weighted_force[i] = weighted_stiffness[i] = 0.0;
  accumulate();
  evaluations += static_cast<long>(count);
}

void PathQuadrature::add_derivatives() {
  add_tangent_matrix();
  out_jacobian->noalias() += by_turn * turn_basis_.transpose();
}

}  // namespace microslip
