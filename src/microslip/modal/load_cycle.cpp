#include "microslip/modal/load_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace microslip {

LoadCycler::LoadCycler(const QuasiStaticMode& mode, double tolerance, int max_iterations, int steps)
    : path_(mode, tolerance, max_iterations) {
  for (int i = 0; i <= steps; ++i) cosine_.push_back(std::cos(std::numbers::pi * i / steps));
  cosine_.back() = -1.0;
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
      halvings = std::max(halvings - 1, 0);
    } else if (++halvings > most_halvings) {
      return false;
    }
  }
  return true;
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

LoadCycle LoadCycler::run(const ModalEquilibrium& tip) {
  LoadCycle cycle;
  path_.continue_from(tip);
  const double alpha = tip.committed().alpha;
  const double before = path_.dissipated_energy();
  const double start = path_.committed().q;
  if (!leg(alpha, -alpha)) return cycle;
  const double turn = path_.committed().q;
  if (!leg(-alpha, alpha)) return cycle;

  cycle.converged = true;
  cycle.dissipation = path_.dissipated_energy() - before;
  cycle.half_range = 0.25 * (std::abs(start - turn) + std::abs(path_.committed().q - turn));
  return cycle;
}

}  // namespace microslip
