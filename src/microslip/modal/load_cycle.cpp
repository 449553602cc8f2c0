#include "microslip/modal/load_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace microslip {

LoadCycler::LoadCycler(const QuasiStaticMode& mode, double tolerance, int max_iterations, int steps)
    : path_(mode, tolerance, max_iterations) {
  for (int i = 0; i <= steps; ++i) cosine_.push_back(std::cos(std::numbers::pi * i / steps));
  cosine_.back() = -1.0;
  q_.reserve(2 * cosine_.size());
}

/// A load that Newton does not reach at once is reached in halves.
bool LoadCycler::go_to(double alpha) {
  constexpr int most_halvings = 12;
  int halvings = 0;
  while (path_.committed().alpha != alpha) {
    const double left = alpha - path_.committed().alpha;
    const double next = halvings == 0 ? alpha : path_.committed().alpha + std::ldexp(left, -halvings);
    if (path_.try_load(next) && path_.trial().tangent > 0.0) {  // < 0: another solution, beyond a limit load
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
    q_.push_back(path_.committed().q);
  }
  return true;
}

LoadCycle LoadCycler::run(const ModalEquilibrium& tip, double stretch) {
  LoadCycle cycle;
  path_.continue_from(tip);
  const double alpha = (1.0 + stretch) * tip.committed().alpha;
  if (!go_to(alpha)) return cycle;
  const double before = path_.dissipated_energy();
  q_.assign(1, path_.committed().q);
  if (!leg(alpha, -alpha) || !leg(-alpha, alpha)) return cycle;

  cycle.converged = true;
  cycle.dissipation = path_.dissipated_energy() - before;
  const auto steps = static_cast<double>(cosine_.size() - 1);
  const std::size_t turn = cosine_.size() - 1;
  double sum = 0.0;
  double range = 0.0;
  for (const std::size_t first : {std::size_t{0}, turn}) {
    const double middle = 0.5 * (q_[first] + q_[first + turn]);
    const double half = 0.5 * std::abs(q_[first] - q_[first + turn]);
    range += half;
    for (std::size_t i = 1; i < turn; ++i) {
      const double cosine = (q_[first + i] - middle) / half;
      const double sine_of_load = std::sqrt((1.0 - cosine_[i]) * (1.0 + cosine_[i]));
      sum += std::sqrt(std::max(0.0, (1.0 - cosine) * (1.0 + cosine))) * sine_of_load;
    }
  }
  cycle.half_range = 0.5 * range;
  cycle.first_harmonic = alpha * sum / (steps * cycle.half_range);  // 1/(pi Q) * alpha * pi/steps * sum
  return cycle;
}

}  // namespace microslip
