#include "microslip/updating/update_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "microslip/measurement/mode_pairs.hpp"
#include "microslip/numerics/assignment.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {

/// What is being filled in, and the derivatives of modes that several rows need.
struct UpdateProblem::Evaluation {
  Answer answer;
  bool derivatives = false;
  Eigen::VectorXd scale;  ///< dp/dx of each parameter
  std::map<int, std::vector<ModeChange>> changes;

  const std::vector<ModeChange>& changes_of(const ModelState& state, int mode) {
    const auto [found, added] = changes.try_emplace(mode);
    if (added) {
      for (const MatrixChange& change : state.changes) {
        found->second.push_back(change.keeps_damping() ? ModeChange()
                                                       : mode_change(*state.matrices, *state.modes, change, mode));
      }
    }
    return found->second;
  }
};

UpdateProblem::UpdateProblem(std::shared_ptr<const UpdateModel> model, std::vector<UpdateParameter> parameters,
                             std::vector<CurveTarget> curves, std::vector<ModeTarget> modes,
                             std::vector<LoopTarget> loops)
    : model_(std::move(model)),
      shown_(std::move(parameters)),
      curves_(std::move(curves)),
      modes_(std::move(modes)),
      loops_(std::move(loops)) {
  for (const UpdateParameter& shown : shown_) {
    const auto x = [&](double value) { return shown.logarithmic ? std::log(value) : value; };
    parameters_.push_back({shown.name, x(shown.low), x(shown.high), x(shown.start), shown.prior});
  }
  const ModelModes& study = model_->modes();
  followed_.resize(study.shapes.rows(), static_cast<Eigen::Index>(curves_.size()));
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    const CurveTarget& curve = curves_[c];
    std::vector<double> amplitudes = curve.q;
    std::sort(amplitudes.begin(), amplitudes.end());
    grids_.emplace_back(amplitudes, curve.per_decade);
    followed_.col(static_cast<Eigen::Index>(c)) = model_->parts().matrices.mass * study.shapes.col(curve.mode);
    modes_of_study_.push_back(curve.mode);
    constants_of_study_.push_back(mode_constants(model_->matrices(), study, curve.mode));
    add_curve_rows(c);
  }
  for (std::size_t t = 0; t < modes_.size(); ++t) add_mode_rows(t);
  for (std::size_t l = 0; l < loops_.size(); ++l) add_loop_rows(l);
}

void UpdateProblem::add_curve_rows(std::size_t curve) {
  const CurveTarget& target = curves_[curve];
  first_curve_row_.push_back(rows_.size());
  const auto add = [&](const std::vector<double>& values, const std::vector<double>& errors, const char* what,
                       UpdateRow::Quantity quantity, double weight, bool free_offset) {
    if (values.empty()) return;
    Group group;
    group.name = target.name + " " + what;
    group.first = rows_.size();
    group.count = values.size();
    group.weight = weight;
    group.free_offset = free_offset;
    group.discrepancy = target.discrepancy;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    // A model is wrong by a share of the damping, and of the whole shift of the frequency.
    const double shift = std::max(*high - *low, 1e-6 * *high);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool damping = quantity == UpdateRow::Quantity::zeta;
      rows_.push_back({values[i], errors[i], damping ? std::max(std::abs(values[i]), errors[i]) : shift});
      row_infos_.push_back({static_cast<int>(curve), static_cast<int>(i), 0, quantity});
    }
    groups_.push_back(std::move(group));
  };
  add(target.omega, target.omega_error, target.shift ? "frequency shift" : "frequency", UpdateRow::Quantity::omega,
      target.omega_weight, target.shift);
  add(target.zeta, target.zeta_error, "damping", UpdateRow::Quantity::zeta, target.zeta_weight, false);
}

void UpdateProblem::add_mode_rows(std::size_t target) {
  const ModeTarget& modes = modes_[target];
  first_mode_row_.push_back(rows_.size());
  const int number = static_cast<int>(curves_.size() + target);
  const auto add_group = [&](const char* what, double weight, std::size_t first) {
    if (rows_.size() == first) return;
    groups_.push_back({modes.name + " " + what, first, rows_.size() - first, weight, false, modes.discrepancy, 0.0});
  };
  const auto count = static_cast<int>(modes.numbers.size());
  std::size_t first = rows_.size();
  for (int m = 0; m < count && modes.frequency_weight > 0.0; ++m) {
    rows_.push_back({modes.frequency(m), modes.frequency_error(m), modes.frequency(m)});
    row_infos_.push_back({number, m, 0, UpdateRow::Quantity::frequency});
  }
  add_group("frequencies", modes.frequency_weight, first);
  first = rows_.size();
  for (int m = 0; m < count && modes.shape_rows != ShapeRows::none; ++m) {
    if (modes.shape_rows == ShapeRows::mac) {
      rows_.push_back({0.0, modes.mac_error, 1.0});
      row_infos_.push_back({number, m, 0, UpdateRow::Quantity::mac});
      continue;
    }
    const double largest = modes.shapes.col(m).cwiseAbs().maxCoeff();
    for (Eigen::Index s = 0; s < modes.shapes.rows(); ++s) {
      rows_.push_back({modes.shapes(s, m), modes.shape_error(s, m), largest});
      row_infos_.push_back({number, m, static_cast<int>(s), UpdateRow::Quantity::shape});
    }
  }
  add_group("shapes", modes.shape_weight, first);
}

void UpdateProblem::add_loop_rows(std::size_t loop) {
  const LoopTarget& target = loops_[loop];
  paths_.push_back(target.settled ? settled_masing_path(target.u) : masing_path(target.u));
  const std::size_t first = rows_.size();
  first_loop_row_.push_back(first);
  const auto [low, high] = std::minmax_element(target.force.begin(), target.force.end());
  const double scale = std::max(0.5 * (*high - *low), 1e-300);  // a model is wrong by a share of it
  for (std::size_t i = 0; i < target.u.size(); ++i) {
    rows_.push_back({target.force[i], target.force_error[i], scale});
    row_infos_.push_back(
        {static_cast<int>(curves_.size() + modes_.size() + loop), static_cast<int>(i), 0, UpdateRow::Quantity::force});
  }
  groups_.push_back(
      {target.name + " force", first, target.u.size(), target.weight, target.settled, target.discrepancy, 0.0});
}

Eigen::VectorXd UpdateProblem::values_of(const Eigen::VectorXd& x) const {
  Eigen::VectorXd values = x;
  for (std::size_t p = 0; p < shown_.size(); ++p) {
    double& value = values(static_cast<Eigen::Index>(p));
    if (shown_[p].logarithmic) value = std::exp(value);
    value = std::clamp(value, shown_[p].low, shown_[p].high);  // what rounding of the logarithm adds
  }
  return values;
}

Eigen::VectorXd UpdateProblem::start() const {
  Eigen::VectorXd x(static_cast<Eigen::Index>(parameters_.size()));
  for (std::size_t p = 0; p < parameters_.size(); ++p) x(static_cast<Eigen::Index>(p)) = parameters_[p].start;
  return x;
}

/// By MAC in the mass of the study: curves of one mode share it.
std::vector<int> UpdateProblem::modes_of_curves(const ModelState& state) const {
  if (state.modes_of_study || curves_.empty()) return modes_of_study_;
  const ModelModes& modes = *state.modes;
  const Eigen::Index elastic = modes.omega.size() - modes.rigid;
  Eigen::MatrixXd mac = transpose_times(followed_, Eigen::MatrixXd(modes.shapes.rightCols(elastic))).cwiseAbs2();
  std::map<int, Eigen::Index> first;  // mode of the study -> its row
  std::vector<Eigen::Index> rows;
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    if (first.emplace(curves_[c].mode, static_cast<Eigen::Index>(rows.size())).second) {
      rows.push_back(static_cast<Eigen::Index>(c));
    }
  }
  const std::vector<int> partner = best_assignment(mac(rows, Eigen::all));
  std::vector<int> result;
  for (const CurveTarget& curve : curves_) {
    const int column = partner[static_cast<std::size_t>(first.at(curve.mode))];
    result.push_back(column < 0 ? -1 : column + modes.rigid);
  }
  return result;
}

std::vector<int> UpdateProblem::modes_of_target(const ModelState& state, const ModeTarget& target) const {
  const ModelModes& modes = *state.modes;
  const Eigen::Index elastic = modes.omega.size() - modes.rigid;
  PairingOptions options;
  options.least_mac = 1e-3;
  options.frequency_spread = 0.5;  // far from the minimum frequencies are far off
  const Eigen::MatrixXd shapes = times(target.sensors, Eigen::MatrixXd(modes.shapes.rightCols(elastic)));
  const ModePairs pairs = pair_modes(target.shapes.cast<std::complex<double>>(), target.frequency, shapes,
                                     modes.omega.tail(elastic) / two_pi, options);
  std::vector<int> result = pairs.partner;
  for (int& partner : result) partner = partner < 0 ? -1 : partner + modes.rigid;
  return result;
}

ModeConstants UpdateProblem::constants(std::size_t curve, const ModelState& state, int mode) const {
  const bool of_study = state.modes_of_study && state.matrices.get() == &model_->matrices();
  return of_study ? constants_of_study_[curve] : mode_constants(*state.matrices, *state.modes, mode);
}

void UpdateProblem::fill_curve(std::size_t curve, const ModelState& state, int mode, Evaluation& evaluation) const {
  const CurveTarget& target = curves_[curve];
  const AmplitudeGrid& grid = grids_[curve];
  if (mode < 0) return;
  std::vector<CurveDirection> directions;
  if (evaluation.derivatives) {
    const std::vector<ModeChange>& changes = evaluation.changes_of(state, mode);
    for (std::size_t p = 0; p < changes.size(); ++p) {
      const bool moves = !state.changes[p].keeps_damping();
      directions.push_back({moves ? &changes[p].constants : nullptr, state.motions[p]});
    }
  }
  ModalCurveSolver solver(grid);
  const ModalCurveValues values =
      solver.solve(constants(curve, state, mode), state.laws, state.law_numbers, directions);
  const int omega_column_used = target.secant ? omega_column : omega_ringdown_column;
  const int zeta_column_used = target.secant ? zeta_secant_column : zeta_column;
  std::size_t row = first_curve_row_[curve];
  const auto fill = [&](std::size_t count, int column) {
    for (std::size_t i = 0; i < count; ++i, ++row) {
      const AmplitudeGrid::Interpolation at = grid.at(target.q[i], values.reached, values.jumps);
      if (at.count == 0) continue;
      const auto r = static_cast<Eigen::Index>(row);
      evaluation.answer.values(r) = 0.0;
      for (int k = 0; k < at.count; ++k) {
        evaluation.answer.values(r) += at.weight[k] * values.values(at.node + k, column);
        for (std::size_t p = 0; p < directions.size(); ++p) {
          const auto c = static_cast<Eigen::Index>(p);
          evaluation.answer.jacobian(r, c) +=
              at.weight[k] * values.derivatives[p](at.node + k, column) * evaluation.scale(c);
        }
      }
    }
  };
  fill(target.omega.size(), omega_column_used);
  fill(target.zeta.size(), zeta_column_used);
}

void UpdateProblem::fill_modes(std::size_t target, const ModelState& state, Evaluation& evaluation) const {
  const ModeTarget& modes = modes_[target];
  const std::vector<int> partner = modes_of_target(state, modes);
  const auto parameters = static_cast<Eigen::Index>(parameters_.size());
  auto row = static_cast<Eigen::Index>(first_mode_row_[target]);
  Answer& answer = evaluation.answer;
  const auto count = static_cast<int>(modes.numbers.size());
  if (modes.frequency_weight > 0.0) {
    for (int m = 0; m < count; ++m, ++row) {
      const int mode = partner[static_cast<std::size_t>(m)];
      if (mode < 0) continue;
      const double omega = state.modes->omega(mode);
      answer.values(row) = omega / two_pi;
      for (Eigen::Index p = 0; evaluation.derivatives && p < parameters; ++p) {
        const ModeChange& change = evaluation.changes_of(state, mode)[static_cast<std::size_t>(p)];
        answer.jacobian(row, p) = change.constants.stiffness / (2.0 * omega * two_pi) * evaluation.scale(p);
      }
    }
  }
  if (modes.shape_rows == ShapeRows::none) return;
  for (int m = 0; m < count; ++m) {
    const int mode = partner[static_cast<std::size_t>(m)];
    const Eigen::Index rows = modes.shape_rows == ShapeRows::mac ? 1 : modes.shapes.rows();
    if (mode < 0) {
      row += rows;
      continue;
    }
    // y = kappa phi, the nearest to the measured shape; 1 - MAC = 1 - (phi.m)^2/(phi.phi m.m)
    const Eigen::VectorXd measured = modes.shapes.col(m), phi = modes.sensors * state.modes->shapes.col(mode);
    const double square = phi.squaredNorm(), along = phi.dot(measured), kappa = along / square;
    const double size = measured.squaredNorm();
    if (modes.shape_rows == ShapeRows::mac) {
      answer.values(row) = 1.0 - along * kappa / size;
    } else {
      answer.values.segment(row, rows) = kappa * phi;
    }
    for (Eigen::Index p = 0; evaluation.derivatives && p < parameters; ++p) {
      const ModeChange& change = evaluation.changes_of(state, mode)[static_cast<std::size_t>(p)];
      if (change.shape.size() == 0) continue;
      const Eigen::VectorXd moved = modes.sensors * (state.modes->shapes * change.shape);
      const double d_along = moved.dot(measured), d_kappa = (d_along - 2.0 * kappa * phi.dot(moved)) / square;
      if (modes.shape_rows == ShapeRows::mac) {
        answer.jacobian(row, p) = -(d_along * kappa + along * d_kappa) / size * evaluation.scale(p);
      } else {
        answer.jacobian.block(row, p, rows, 1) = (kappa * moved + d_kappa * phi) * evaluation.scale(p);
      }
    }
    row += rows;
  }
}

/// Each virgin force once, then the sums of the rows.
void UpdateProblem::fill_loop(std::size_t loop, const ModelState& state, Evaluation& evaluation) const {
  const MasingPath& path = paths_[loop];
  const auto joint = static_cast<std::size_t>(loops_[loop].joint);
  const auto count = static_cast<Eigen::Index>(path.deflections.size());
  const auto parameters = static_cast<Eigen::Index>(parameters_.size());
  Eigen::VectorXd force(count);
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(evaluation.derivatives ? count : 0, parameters);
  for (Eigen::Index i = 0; i < count; ++i) {
    const double u = path.deflections[static_cast<std::size_t>(i)];
    force(i) = state.laws[joint].at(u).force;
    if (!evaluation.derivatives) continue;
    const LawNumber exact = state.law_numbers[joint].at(LawNumber(u)).force;
    for (Eigen::Index p = 0; p < parameters; ++p) {
      for (const LawMotion& motion : state.motions[static_cast<std::size_t>(p)]) {
        if (motion.joint != loops_[loop].joint) continue;
        slopes(i, p) += exact.gradient()[motion.number + 1] * motion.factor * evaluation.scale(p);
      }
    }
  }
  auto row = static_cast<Eigen::Index>(first_loop_row_[loop]);
  for (const auto& terms : path.rows) {
    evaluation.answer.values(row) = 0.0;
    for (const auto& [number, factor] : terms) {
      evaluation.answer.values(row) += factor * force(static_cast<Eigen::Index>(number));
      if (evaluation.derivatives) {
        evaluation.answer.jacobian.row(row) += factor * slopes.row(static_cast<Eigen::Index>(number));
      }
    }
    ++row;
  }
}

ResidualProblem::Answer UpdateProblem::evaluate(const Eigen::VectorXd& x, bool want_jacobian) const {
  Evaluation evaluation;
  evaluation.derivatives = want_jacobian;
  Answer& answer = evaluation.answer;
  const auto rows = static_cast<Eigen::Index>(rows_.size()), parameters = static_cast<Eigen::Index>(parameters_.size());
  try {
    const Eigen::VectorXd values = values_of(x);
    const ModelState state = model_->at(values, want_jacobian);
    answer.values = Eigen::VectorXd::Constant(rows, std::nan(""));
    if (want_jacobian) {
      answer.jacobian = Eigen::MatrixXd::Zero(rows, parameters);
      evaluation.scale = Eigen::VectorXd::Ones(parameters);
      for (Eigen::Index p = 0; p < parameters; ++p) {
        if (shown_[static_cast<std::size_t>(p)].logarithmic) evaluation.scale(p) = values(p);
      }
    }
    const std::vector<int> modes = modes_of_curves(state);
    for (std::size_t c = 0; c < curves_.size(); ++c) fill_curve(c, state, modes[c], evaluation);
    for (std::size_t t = 0; t < modes_.size(); ++t) fill_modes(t, state, evaluation);
    for (std::size_t l = 0; l < loops_.size(); ++l) fill_loop(l, state, evaluation);
  } catch (const std::invalid_argument& error) {
    answer = Answer();
    answer.why = error.what();
  }
  return answer;
}

UpdateProblem::NodeCurve UpdateProblem::curve_at(const Eigen::VectorXd& x, std::size_t curve, bool derivatives) const {
  NodeCurve result;
  result.q = grids_[curve].nodes();
  const ModelState state = model_->at(values_of(x), derivatives);
  result.mode = modes_of_curves(state)[curve];
  if (result.mode < 0) return result;
  std::vector<CurveDirection> directions;
  std::vector<ModeChange> changes;
  for (const MatrixChange& change : state.changes) {
    changes.push_back(mode_change(*state.matrices, *state.modes, change, result.mode));
  }
  for (std::size_t p = 0; p < changes.size(); ++p) directions.push_back({&changes[p].constants, state.motions[p]});
  ModalCurveSolver solver(grids_[curve]);
  result.values = solver.solve(constants(curve, state, result.mode), state.laws, state.law_numbers, directions);
  result.q.erase(result.q.begin(), result.q.begin() + grids_[curve].first());
  result.values.values = result.values.values.bottomRows(static_cast<Eigen::Index>(result.q.size())).eval();
  for (Eigen::MatrixXd& columns : result.values.derivatives) {
    columns = columns.bottomRows(static_cast<Eigen::Index>(result.q.size())).eval();
  }
  result.values.reached = std::max(0, result.values.reached - grids_[curve].first());
  return result;
}

}  // namespace microslip
