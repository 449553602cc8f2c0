#include "microslip/numerics/box_quadratic.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/numerics/dense.hpp"

namespace microslip {

BoxStep solve_in_box(const Eigen::MatrixXd& h, const Eigen::VectorXd& g, const Eigen::VectorXd& low,
                     const Eigen::VectorXd& high) {
  const auto n = static_cast<int>(g.size());
  BoxStep result;
  Eigen::VectorXd& x = result.x;
  x = Eigen::VectorXd::Zero(n);
  std::vector<char> held(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < n; ++i) held[i] = (low(i) >= 0.0 && g(i) >= 0.0) || (high(i) <= 0.0 && g(i) <= 0.0);
  CholeskyFactors factors;
  std::vector<int> free;
  Eigen::VectorXd step, gradient = g;
  const int most_steps = 20 * (n + 1);
  for (int round = 0; round < most_steps; ++round) {
    free.clear();
    for (int i = 0; i < n; ++i) {
      if (!held[i]) free.push_back(i);
    }
    double share = 1.0;
    int met = -1;
    if (!free.empty()) {
      if (!factors.compute(h, free)) return result;
      step = -gradient(free);
      factors.solve_in_place(step);
      for (std::size_t k = 0; k < free.size(); ++k) {
        const double s = step(static_cast<Eigen::Index>(k));
        const double room = s > 0.0 ? high(free[k]) - x(free[k]) : low(free[k]) - x(free[k]);
        if (s != 0.0 && room / s < share) share = std::max(room / s, 0.0), met = free[k];
      }
      for (std::size_t k = 0; k < free.size(); ++k) x(free[k]) += share * step(static_cast<Eigen::Index>(k));
      if (met >= 0) {
        const bool up = step(static_cast<Eigen::Index>(std::find(free.begin(), free.end(), met) - free.begin())) > 0.0;
        x(met) = up ? high(met) : low(met);
        held[met] = 1;
      }
      gradient = g;
      gradient.noalias() += h * x;
    }
    result.decrease = -0.5 * x.dot(g + gradient);
    if (met >= 0) continue;
    // All that are free are at rest: which of the others is pulled inwards most, in units of its own curvature?
    double strongest = 1e-12;
    int release = -1;
    for (int i = 0; i < n; ++i) {
      if (!held[i] || low(i) >= high(i)) continue;
      const double inwards = x(i) <= low(i) ? -gradient(i) : gradient(i);
      const double room = high(i) - low(i);
      const double gain = inwards * room;  // an upper bound of what a move of it gives
      if (inwards > 0.0 && gain > strongest * (std::abs(result.decrease) + gain)) {
        const double pull = inwards * inwards / h(i, i);
        if (release < 0 || pull > (gradient(release) * gradient(release)) / h(release, release)) release = i;
      }
    }
    if (release < 0) {
      result.solved = true;
      return result;
    }
    held[release] = 0;
  }
  return result;
}

}  // namespace microslip
