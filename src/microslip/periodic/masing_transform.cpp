// Laws with return-point memory: one walk around the closed loop, piece by piece (masing_loop.hpp). Along a branch
//   dF = F0'(|u - u_r|/2) (du - du_r) + dF_r,   du_r and dF_r frozen at the reversal.
// Lines, as of Jenkins elements and in macroslip, are integrated in closed form, other pieces by Gauss.

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/masing_loop.hpp"
#include "microslip/periodic/piece_quadrature.hpp"

namespace microslip {
namespace {

/// Before macroslip, ascending; none where they are too many.
template <MasingLaw L>
std::vector<double> corners_to_cut(const L& law) {
  constexpr std::size_t most_corners = 32;  // slopes of more are smooth enough
  std::vector<double> corners = law.shape().corners();
  if (corners.size() > most_corners) corners.clear();
  return corners;
}

template <MasingLaw L>
class MasingTransform final : public PieceQuadrature {
 public:
  MasingTransform(const L& law, const TransformSetting& setting)
      : PieceQuadrature(setting),
        law_(law),
        scanner_(setting.harmonics),
        corners_(corners_to_cut(law)),
        lines_(is_made_of_lines(law.shape()) && corners_.size() == law.shape().corners().size()) {
    const auto most = static_cast<std::size_t>(4 * harmonics + 4);
    stack_.reserve(most);
    allocate(static_cast<Eigen::Index>(most));
  }

 private:
  bool run(const double* u, double /*omega*/) override {
    const auto& shape = law_.shape();
    add_spring(law_.residual(), u);
    const auto& extrema = scanner_.extrema(u);
    if (!moves(u, extrema.size())) {
      const auto point = shape.at(std::abs(u[0]));
      stay_at_rest(u[0] < 0.0 ? -point.force : point.force, point.slope, shape.initial_slope(), u);
      return true;
    }
    walk_masing_loop(shape, u, harmonics, extrema, loop_, stack_, corners_);
    if (out_jacobian != nullptr) set_reversals();
    clear_tangent_sums();
    for (const MasingLoop::Piece& piece : loop_.pieces) integrate(shape, u, piece);
    if (lines_) add_line_forces(u);
    if (out_jacobian == nullptr) return true;
    add_tangent_matrix();
    const auto number = static_cast<Eigen::Index>(loop_.reversals.size());
    out_jacobian->noalias() -= tangent_behind_.leftCols(number) * reversal_basis_.leftCols(number).transpose();
    out_jacobian->noalias() += basis_behind_.leftCols(number) * reversal_slope_.leftCols(number).transpose();
    return true;
  }

  void allocate(Eigen::Index reversals) {
    for (auto* columns : {&reversal_basis_, &reversal_slope_, &tangent_behind_, &basis_behind_}) {
      columns->resize(size, reversals);
    }
  }

  /// Basis and dF at the reversals.
  void set_reversals() {
    const auto number = static_cast<Eigen::Index>(loop_.reversals.size());
    if (reversal_basis_.cols() < number) allocate(number);
    tangent_behind_.leftCols(number).setZero();
    basis_behind_.leftCols(number).setZero();
    for (Eigen::Index r = 0; r < number; ++r) {
      const MasingLoop::Reversal& reversal = loop_.reversals[static_cast<std::size_t>(r)];
      series_basis(harmonics, reversal.tau, reversal_basis_.col(r).data());
      reversal_slope_.col(r) = reversal.slope * reversal_basis_.col(r);
      if (reversal.below < 0) continue;
      reversal_slope_.col(r) +=
          reversal_slope_.col(reversal.below) - reversal.slope * reversal_basis_.col(reversal.below);
    }
  }

  template <class Shape>
  void integrate(const Shape& shape, const double* u, const MasingLoop::Piece& piece) {
    const MasingLoop::Reversal& reversal = loop_.reversals[static_cast<std::size_t>(piece.reversal)];
    const double middle = 0.5 * (piece.u_from + piece.u_to);
    const double strength = std::max(0.0, 0.5 * piece.direction * (middle - reversal.u));
    if (lines_ || strength >= shape.yield()) {
      const auto point = shape.at(strength);
      const double force = reversal.f + 2.0 * piece.direction * point.force;
      add_line(piece.from, piece.to, point.slope, force - point.slope * middle);
      ++evaluations;
    } else {
      integrate_by_nodes(shape, u, piece, reversal);
    }
    if (out_jacobian == nullptr) return;
    tangent_behind_.col(piece.reversal) += weighted_tangent;
    basis_behind_.col(piece.reversal) += weighted_basis;
  }

  template <class Shape>
  void integrate_by_nodes(const Shape& shape, const double* u, const MasingLoop::Piece& piece,
                          const MasingLoop::Reversal& reversal) {
    set_nodes(piece.from, piece.to, piece.corner);
    fill_nodes(u);
    for (std::size_t i = 0; i < count; ++i) {
      const auto point = shape.at(std::max(0.0, 0.5 * piece.direction * (deflection[i] - reversal.u)));
      weighted_force[i] = weight[i] * (reversal.f + 2.0 * piece.direction * point.force);
      weighted_stiffness[i] = weight[i] * point.slope;
    }
    for (std::size_t i = count; i < used; ++i) weighted_force[i] = weighted_stiffness[i] = 0.0;
    evaluations += static_cast<long>(count);
    accumulate();
  }

  const L& law_;
  SeriesScanner scanner_;
  std::vector<double> corners_;  // of the backbone, to end pieces at
  bool lines_;                   // there are only lines between them
  MasingLoop loop_;
  std::vector<int> stack_;
  Eigen::MatrixXd reversal_basis_, reversal_slope_;  // a column a reversal: e and dF there,
  Eigen::MatrixXd tangent_behind_, basis_behind_;    // and the integrals of k e and of e over the branches behind it
};

}  // namespace

std::unique_ptr<JointTransform> masing_transform(const Law& law, const TransformSetting& setting) {
  return std::visit(
      [&]<class L>(const L& l) -> std::unique_ptr<JointTransform> {
        if constexpr (MasingLaw<L>) return std::make_unique<MasingTransform<L>>(l, setting);
        return nullptr;
      },
      law);
}

}  // namespace microslip
