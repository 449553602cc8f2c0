#include "microslip/modal/ramp_walker.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

/// Share of the whole range of tangent and secant, stuck to slipped, that one step may take; and of the tangent itself.
constexpr double sharp_bend = 0.1;
/// Tangent over that at rest below which the load does not rise any more.
constexpr double flat = 1e-4;
/// Halvings of a load step that Newton cannot take, before the displacement is prescribed instead.
constexpr int load_halvings = 3;
constexpr int displacement_halvings = 24;
/// Of the displacement: a fold that close ends the curve.
constexpr double near_fold = 1e-3;

double between(double low, double high) {
  return low > 0.0 ? std::sqrt(low * high) : 0.25 * high;
}

}  // namespace

bool RampWalker::tangent_jumps() const {
  const EquilibriumState& from = equilibrium_->committed();
  const double stuck = 1.0 / mode_->modal_compliance;
  const double range = stuck - mode_->slipped_tangent;
  const double change = std::abs(equilibrium_->trial().tangent - from.tangent);
  return (range > 1e-4 * stuck && change > sharp_bend * range) || change > sharp_bend * from.tangent;
}

bool RampWalker::bends_sharply() const {
  if (tangent_jumps()) return true;
  const EquilibriumState& from = equilibrium_->committed();
  const EquilibriumState& to = equilibrium_->trial();
  const double stuck = 1.0 / mode_->modal_compliance;
  const double range = stuck - mode_->slipped_tangent;
  const double secant = from.q > 0.0 ? from.alpha / from.q : stuck;
  return range > 1e-4 * stuck && std::abs(to.alpha / to.q - secant) > sharp_bend * range;
}

bool RampWalker::is_flat() const {
  return equilibrium_->trial().tangent * mode_->modal_compliance < flat;
}

RampStep RampWalker::advance() {
  passed_kink_ = tangent_jumps();
  equilibrium_->commit();
  return RampStep::advanced;
}

RampStep RampWalker::step_towards(double alpha) {
  const EquilibriumState& from = equilibrium_->committed();
  if (alpha != target_) {
    target_ = alpha;
    shortest_ = std::ldexp(alpha - from.alpha, -refinements_);
  }
  double to = alpha;
  int failed = 0;
  while (true) {
    const bool solved = equilibrium_->try_load(to) && equilibrium_->trial().q > from.q && !is_flat();
    if (solved && (to - from.alpha <= 1.5 * shortest_ || !bends_sharply())) return advance();
    if (!solved && ++failed > load_halvings) return step_in_displacement(alpha);
    to = between(from.alpha, to);
  }
}

RampStep RampWalker::step_in_displacement(double alpha) {
  const EquilibriumState from = equilibrium_->committed();
  const double tangent = std::max(from.tangent, flat / mode_->modal_compliance);
  const double start = from.q > 0.0 ? from.q : alpha * mode_->modal_compliance;
  double step = std::min((alpha - from.alpha) / tangent, 0.25 * start);
  double flat_from = 0.0;  // the shortest step that ends where the load does not rise
  for (int halvings = 0; halvings < displacement_halvings; ++halvings, step *= 0.5) {
    if (!equilibrium_->try_displacement(from.q + step)) {
      if (equilibrium_->passed_fold() && step < near_fold * start) break;
      continue;
    }
    const EquilibriumState& trial = equilibrium_->trial();
    if (is_flat()) {
      limit_ = std::max({limit_, trial.alpha, from.alpha});
      flat_from = step;
      continue;
    }
    if (flat_from == 0.0 && halvings < refinements_ && bends_sharply()) continue;
    if (trial.alpha > alpha && !find_load(alpha, trial.q)) return RampStep::no_convergence;
    return advance();
  }
  if (flat_from == 0.0) return RampStep::no_convergence;
  return jump_over_drop() ? advance() : RampStep::limit_load;
}

bool RampWalker::find_load(double alpha, double high) {
  double low = equilibrium_->committed().q;
  double q = high;
  for (int i = 0; i < 60; ++i) {
    const EquilibriumState& trial = equilibrium_->trial();
    if (std::abs(trial.alpha - alpha) <= 1e-13 * alpha) break;
    (trial.alpha > alpha ? high : low) = q;
    q += (alpha - trial.alpha) / trial.tangent;
    if (!(q > low && q < high)) q = 0.5 * (low + high);
    if (!equilibrium_->try_displacement(q)) return false;
  }
  return true;
}

bool RampWalker::jump_over_drop() {
  const EquilibriumState from = equilibrium_->committed();
  for (const double factor : {1.001, 1.01, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0}) {
    if (!equilibrium_->try_displacement(factor * from.q) || is_flat()) continue;
    if (equilibrium_->trial().alpha > limit_) return true;
  }
  return false;
}

}  // namespace microslip
