#include "microslip/updating/update_model.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace microslip {
namespace {

void add_change(const MatrixChange& change, double times, MatrixChange& sum) {
  if (change.mass.nonZeros() > 0) sum.mass += times * change.mass;
  if (change.stiffness.nonZeros() > 0) sum.stiffness += times * change.stiffness;
  sum.rayleigh_a += times * change.rayleigh_a;
  sum.rayleigh_b += times * change.rayleigh_b;
  const auto add = [times](const std::vector<double>& values, std::vector<double>& to) {
    to.resize(std::max(to.size(), values.size()), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) to[i] += times * values[i];
  };
  add(change.ratios, sum.ratios);
  add(change.dampers, sum.dampers);
  if (change.damping.size() == 0) return;
  if (sum.damping.size() == 0) sum.damping = Eigen::MatrixXd::Zero(change.damping.rows(), change.damping.cols());
  sum.damping += times * change.damping;
}

MatrixChange no_change(const ModelMatrices& matrices) {
  MatrixChange change;
  change.mass.resize(matrices.mass.rows(), matrices.mass.cols());
  change.stiffness.resize(matrices.mass.rows(), matrices.mass.cols());
  change.stuck = Eigen::VectorXd::Zero(matrices.stuck.size());
  return change;
}

void move_matrices(const MatrixChange& change, ModelMatrices& matrices) {
  if (change.mass.nonZeros() > 0) matrices.mass += change.mass;
  if (change.stiffness.nonZeros() > 0) matrices.stiffness += change.stiffness;
  if (auto* modal = std::get_if<ModalDamping>(&matrices.damping)) {
    for (std::size_t i = 0; i < change.ratios.size(); ++i) modal->ratios[i] += change.ratios[i];
  } else if (auto* rayleigh = std::get_if<RayleighDamping>(&matrices.damping)) {
    rayleigh->a += change.rayleigh_a;
    rayleigh->b += change.rayleigh_b;
  } else if (auto* full = std::get_if<MatrixDamping>(&matrices.damping); full && change.damping.size() > 0) {
    full->matrix += change.damping;
  }
  for (std::size_t i = 0; i < change.dampers.size(); ++i) matrices.dampers[i].coefficient += change.dampers[i];
}

/// Of laws with other numbers, `numbers` of those that `moved` names.
std::vector<VirginCurve<double>> curves_of(const std::vector<LawSpec>& laws, const std::vector<ModelNumber>& moved = {},
                                           const std::vector<double>& numbers = {}) {
  std::vector<VirginCurve<double>> curves;
  curves.reserve(laws.size());
  std::vector<double> own;
  for (std::size_t j = 0; j < laws.size(); ++j) {
    own.clear();
    for (const auto& [key, value] : laws[j].numbers) own.push_back(value);
    for (std::size_t k = 0; k < moved.size(); ++k) {
      if (moved[k].joint == static_cast<int>(j)) own[static_cast<std::size_t>(moved[k].number)] = numbers[k];
    }
    curves.emplace_back(laws[j], own);
  }
  return curves;
}

Eigen::VectorXd stiffness_at_rest(const std::vector<VirginCurve<double>>& laws) {
  Eigen::VectorXd stuck(static_cast<Eigen::Index>(laws.size()));
  for (std::size_t j = 0; j < laws.size(); ++j) stuck(static_cast<Eigen::Index>(j)) = laws[j].stuck_stiffness();
  return stuck;
}

}  // namespace

UpdateModel::UpdateModel(Parts parts) : parts_(std::move(parts)) {
  parts_.matrices.stuck = stiffness_at_rest(curves_of(parts_.laws));
  matrices_ = std::make_shared<const ModelMatrices>(parts_.matrices);
  modes_ = std::make_shared<const ModelModes>(model_modes(*matrices_));
}

std::vector<LawSpec> UpdateModel::laws_at(const std::vector<double>& numbers) const {
  std::vector<LawSpec> laws = parts_.laws;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const ModelNumber& number = parts_.numbers[k];
    if (number.joint < 0) continue;
    laws[static_cast<std::size_t>(number.joint)].numbers[static_cast<std::size_t>(number.number)].second = numbers[k];
  }
  return laws;
}

ModelState UpdateModel::at(const Eigen::VectorXd& values, bool derivatives) const {
  constexpr double rounding = 1e-13;
  ModelState state;
  for (const ModelNumber& number : parts_.numbers) state.numbers.push_back(number.start);
  for (const NumberLink& link : parts_.links) {
    state.numbers[static_cast<std::size_t>(link.number)] = link.value(values(link.parameter));
  }
  state.laws = curves_of(parts_.laws, parts_.numbers, state.numbers);
  const Eigen::VectorXd stuck = stiffness_at_rest(state.laws);
  bool same = (stuck - matrices_->stuck).cwiseAbs().sum() <= rounding * matrices_->stuck.cwiseAbs().sum();
  std::optional<MatrixChange> change;
  for (std::size_t k = 0; k < parts_.numbers.size(); ++k) {
    const ModelNumber& number = parts_.numbers[k];
    if (number.joint >= 0 || state.numbers[k] == number.start) continue;
    if (!change) change = no_change(*matrices_);
    add_change(number.change, state.numbers[k] - number.start, *change);
    same = same && number.change.keeps_modes();
  }
  state.modes_of_study = same;
  state.matrices = matrices_;
  if (change || !same) {
    auto matrices = std::make_shared<ModelMatrices>(*matrices_);
    if (!same) matrices->stuck = stuck;
    if (change) move_matrices(*change, *matrices);
    state.matrices = std::move(matrices);
  }
  state.modes = same ? modes_ : std::make_shared<const ModelModes>(model_modes(*state.matrices));
  if (derivatives) set_changes(values, laws_at(state.numbers), state);
  return state;
}

void UpdateModel::set_changes(const Eigen::VectorXd& values, const std::vector<LawSpec>& laws,
                              ModelState& state) const {
  constexpr double rounding = 1e-12;
  for (const LawSpec& law : laws) state.law_numbers.emplace_back(law, law_numbers(law));
  const auto count = static_cast<std::size_t>(parts_.parameters);
  state.changes.assign(count, no_change(*matrices_));
  state.motions.assign(count, {});
  for (const NumberLink& link : parts_.links) {
    const auto p = static_cast<std::size_t>(link.parameter), k = static_cast<std::size_t>(link.number);
    const ModelNumber& number = parts_.numbers[k];
    const double slope = link.slope(values(link.parameter));
    if (number.joint < 0) {
      add_change(number.change, slope, state.changes[p]);
      continue;
    }
    state.motions[p].push_back({number.joint, number.number, slope});
    const LawNumber stuck = state.law_numbers[static_cast<std::size_t>(number.joint)].stuck_stiffness();
    const double at_rest = stuck.gradient()[number.number + 1];
    if (std::abs(at_rest * state.numbers[k]) > rounding * std::abs(stuck.value)) {
      state.changes[p].stuck(number.joint) += slope * at_rest;
    }
  }
}

}  // namespace microslip
