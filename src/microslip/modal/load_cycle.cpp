#include "microslip/modal/load_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "microslip/joints/law_traits.hpp"

namespace microslip {

LoadCycler::LoadCycler(const QuasiStaticMode& mode, double tolerance, int max_iterations, int steps)
    : path_(mode, tolerance, max_iterations), tolerance_(tolerance) {
  for (int i = 0; i <= steps; ++i) cosine_.push_back(std::cos(std::numbers::pi * i / steps));
  cosine_.back() = -1.0;
  const auto room = static_cast<std::size_t>(8 * steps);
  trace_.q.reserve(room);
  trace_.x.reserve(room * static_cast<std::size_t>(mode.system->components()));
  for (const Joint& joint : mode.system->joints()) {
    remembers_.insert(remembers_.end(), static_cast<std::size_t>(joint.directions.cols()), !is_spring(joint.law));
  }
}

/// A load that Newton does not reach at once is reached in halves; so is one on the way to which the tangent changes
/// much: joints that slip, stick or turn within a step would be taken straight from its beginning to its end.
bool LoadCycler::go_to(double alpha) {
  constexpr int most_halvings = 12, most_refinements = 6;
  constexpr double sharp_bend = 0.05;
  int halvings = 0;
  const double way = std::abs(alpha - path_.committed().alpha);
  while (path_.committed().alpha != alpha) {
    const double left = alpha - path_.committed().alpha;
    const double next = halvings == 0 ? alpha : path_.committed().alpha + std::ldexp(left, -halvings);
    const bool found = next != path_.committed().alpha && path_.try_load(next) &&
                       path_.trial().tangent > 0.0;  // < 0: another solution, beyond a limit load
    const double change = std::abs(path_.trial().tangent - path_.committed().tangent);
    const double step = std::abs(next - path_.committed().alpha);
    if (found && (change <= sharp_bend * path_.committed().tangent || step <= std::ldexp(way, -most_refinements))) {
      path_.commit();
      add_to_trace();
      halvings = std::max(halvings - 1, 0);
    } else if (++halvings > most_halvings) {
      return false;
    }
  }
  return true;
}

void LoadCycler::add_to_trace() {
  trace_.q.push_back(path_.committed().q);
  trace_.x.insert(trace_.x.end(), path_.excess_forces().begin(), path_.excess_forces().end());
}

bool LoadCycler::leg(double from, double to) {
  path_.turn();
  const double middle = 0.5 * (from + to);
  const double amplitude = 0.5 * (from - to);
  for (std::size_t i = 1; i < cosine_.size(); ++i) {
    if (!go_to(i + 1 < cosine_.size() ? middle + amplitude * cosine_[i] : to)) return false;
  }
  return true;
}

LoadCycler::Drift LoadCycler::drift() {
  constexpr double residuals = 10.0;  // of a force, while its equilibrium is within the tolerance: the others' pull too
  Drift sum;
  double largest = -1.0;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double u = path_.deflections()[i], f = path_.forces()[i], k = path_.stiffness(i);
    const double range_u = std::abs(u - u_turn_[i]), range_f = std::abs(f - f_turn_[i]);
    const double change = 2.0 * (range_f * std::abs(u - u_[i]) + range_u * std::abs(f - f_[i]));
    sum.change += change;
    const double blur = residuals * tolerance_ * (std::abs(f) + k * std::abs(u));  // of f; over k, of u
    sum.noise += 2.0 * blur * (range_u + (k > 0.0 ? range_f / k : 0.0));
    if (remembers_[i] && change > largest) {
      largest = change;
      restless_ = static_cast<int>(i);
    }
  }
  return sum;
}

/// `drift` has led from `last` to `now`.
bool LoadCycler::Settling::settled(const LoadCycle& now, const LoadCycle& last, const Drift& drift, double alpha) {
  constexpr double of_drift = 1e-6, of_loss = 1e-5, of_range = 1e-6;
  const double energy = alpha * now.half_range;
  const double ratio = now.cycles > 1 ? drift.change / change : 1.0;  // r
  const double more = ratio < 1.0 ? ratio / (1.0 - ratio) : std::numeric_limits<double>::infinity();
  const double loss_before = std::exchange(loss, std::abs(now.dissipation - last.dissipation));
  const double range_before = std::exchange(range, std::abs(now.half_range - last.half_range));
  change = drift.change;
  if (change <= drift.noise) return true;
  if (std::max(now.cycles > 1 ? more : 1.0, 1.0) * change <= of_drift * std::abs(now.dissipation) + 1e-10 * energy)
    return true;
  return now.cycles > 3 && std::max(loss, loss_before) * more <= of_loss * std::abs(now.dissipation) + 1e-8 * energy &&
         std::max(range, range_before) * more <= of_range * now.half_range;
}

bool LoadCycler::once(LoadCycle& cycle) {
  const double alpha = path_.committed().alpha, start = path_.committed().q;
  const double before = path_.dissipated_energy();
  u_ = path_.deflections();
  f_ = path_.forces();
  trace_.q.clear();
  trace_.x.clear();
  add_to_trace();
  if (!leg(alpha, -alpha)) return false;
  const double turn = path_.committed().q;
  trace_.turn = trace_.q.size() - 1;
  u_turn_ = path_.deflections();
  f_turn_ = path_.forces();
  if (!leg(-alpha, alpha)) return false;
  cycle.dissipation = path_.dissipated_energy() - before;
  cycle.half_range = 0.25 * (std::abs(start - turn) + std::abs(path_.committed().q - turn));
  ++cycle.cycles;
  return true;
}

LoadCycle LoadCycler::run(const ModalEquilibrium& tip) {
  LoadCycle cycle, last;
  path_.continue_from(tip);
  Settling settling;
  while (!cycle.steady && cycle.cycles < most_cycles) {
    last = cycle;
    if (!once(cycle)) return cycle;
    cycle.steady = settling.settled(cycle, last, drift(), tip.committed().alpha);
  }
  cycle.converged = true;
  return cycle;
}

}  // namespace microslip
