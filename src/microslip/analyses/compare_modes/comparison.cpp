#include "microslip/analyses/compare_modes/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "microslip/io/channel_name.hpp"
#include "microslip/modal/modal_filter.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/structure/craig_bampton.hpp"

namespace microslip {
namespace {

/// Keeps the channels that are points of the model, with its names and signs.
void take_points(const MeasuredModes& all, const LinearStructure& structure, ModeComparison& result) {
  std::vector<int> rows;
  std::vector<double> signs;
  result.measured = all;
  result.measured.channels.clear();
  for (std::size_t c = 0; c < all.channels.size(); ++c) {
    const std::string& name = all.channels[c];
    const SignedChannel dof =
        channel_or_opposite(name, [&](const std::string& each) { return structure.index_of(each); });
    if (dof.place < 0) {
      result.unknown.push_back(name);
      continue;
    }
    rows.push_back(static_cast<int>(c));
    signs.push_back(dof.sign);
    result.points.push_back(dof.place);
    result.measured.channels.push_back(dof.sign > 0.0 ? name : opposite_channel(name).value());
  }
  const Eigen::Map<const Eigen::VectorXd> turn(signs.data(), static_cast<Eigen::Index>(signs.size()));
  result.measured.shapes = turn.asDiagonal() * all.shapes(rows, Eigen::all).eval();
  if (all.shape_error.size() != 0) result.measured.shape_error = all.shape_error(rows, Eigen::all).eval();
}

/// Modes of the model that vibrate, as many as are asked for.
void take_model(const System& system, int count, ModeComparison& result) {
  const Modes& stuck = system.stuck_modes();
  const double highest = 2.0 * result.measured.frequency_hz.maxCoeff();
  const auto least = static_cast<std::size_t>(result.measured.shapes.cols());
  for (int m = stuck.rigid; m < system.computed_modes(); ++m) {
    const bool wanted = count > 0 ? m < count : result.model.size() < least || stuck.omega(m) / two_pi <= highest;
    if (wanted && stuck.omega(m) > 0.0) result.model.push_back(m);
  }
  result.model_frequency = stuck.omega(result.model) / two_pi;
  result.model_shapes = stuck.shapes(result.points, result.model);
}

/// M_a = (Phi^+)^T Phi^+ of the paired modes at the points. Ref: O'Callahan, Avitabile, Riemer, System equivalent
/// reduction expansion process (SEREP), Proc. 7th IMAC (1989) 29.
Eigen::MatrixXd mass_by_modes(const Eigen::MatrixXd& shapes) {
  const Eigen::MatrixXd filter = pseudo_inverse_filter(shapes);
  return transpose_times(filter, filter);
}

/// M_a = Psi^T M Psi, Psi the static answers of the structure with stuck joints to unit motions of the points. Ref:
/// Guyan, Reduction of stiffness and mass matrices, AIAA J. 3 (1965) 380.
Eigen::MatrixXd mass_by_statics(const System& system, const std::vector<int>& points) {
  const LinearStructure& structure = system.structure();
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(structure.size(), static_cast<Eigen::Index>(points.size()));
  for (std::size_t p = 0; p < points.size(); ++p) forces(points[p], static_cast<Eigen::Index>(p)) = 1.0;
  const Eigen::MatrixXd rows = structure.on_independent(forces).transpose();
  const SparseMatrix b = structure.on_independent(system.directions()).sparseView();
  const SparseMatrix stuck = system.stuck_joint_stiffness().sparseView();
  const SparseMatrix bridge = b * stuck * SparseMatrix(b.transpose());
  return craig_bampton(structure.independent_stiffness() + bridge, structure.independent_mass(), rows.sparseView(), 0)
      .mass;
}

void find_orthogonality(const System& system, MassReduction reduction, ModeComparison& result) {
  const Eigen::MatrixXd shapes = result.model_shapes(Eigen::all, result.paired);
  try {
    const Eigen::MatrixXd mass =
        reduction == MassReduction::by_modes ? mass_by_modes(shapes) : mass_by_statics(system, result.points);
    result.orthogonality = cross_orthogonality(shapes, mass, result.pairs.real_shape).transpose();
  } catch (const std::exception& error) {
    result.no_orthogonality = error.what();
  }
}

}  // namespace

ModeComparison compare_modes(const MeasuredModes& measured, const System& system, const ComparisonOptions& options) {
  ModeComparison result;
  take_points(measured, system.structure(), result);
  if (result.points.empty()) {
    result.fault = "no measured channel is a degree of freedom or a point of the model";
    return result;
  }
  take_model(system, options.modes, result);
  if (result.model.empty()) {
    result.fault = "the model has no mode that vibrates among those that are asked for";
    return result;
  }
  result.pairs = pair_modes(result.measured.shapes, result.measured.frequency_hz, result.model_shapes,
                            result.model_frequency, options.pairing);
  for (const int partner : result.pairs.partner) {
    if (partner >= 0) result.paired.push_back(partner);
  }
  std::sort(result.paired.begin(), result.paired.end());
  if (!result.paired.empty()) find_orthogonality(system, options.reduction, result);
  return result;
}

}  // namespace microslip
