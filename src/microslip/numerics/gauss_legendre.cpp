#include "microslip/numerics/gauss_legendre.hpp"

#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

namespace microslip {

GaussRule gauss_legendre(int n) {
  constexpr double converging = 1e-13;  // a step of Newton: the next would be below rounding
  GaussRule rule;
  rule.node.resize(static_cast<std::size_t>(n));
  rule.weight.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < (n + 1) / 2; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double slope = 1.0;
    bool last = false;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double p = 1.0;
      double before = 0.0;
      for (int k = 1; k <= n; ++k) {
        const double older = before;
        before = p;
        p = ((2.0 * k - 1.0) * x * before - (k - 1.0) * older) / k;
      }
      slope = n * (x * p - before) / (x * x - 1.0);
      if (last) break;
      const double step = p / slope;
      x -= step;
      last = std::abs(step) < converging;
    }
    const auto above = static_cast<std::size_t>(n - 1 - i), below = static_cast<std::size_t>(i);
    rule.node[above] = 0.5 * (1.0 + x);
    rule.node[below] = 0.5 * (1.0 - x);
    rule.weight[above] = rule.weight[below] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

const GaussRule& shared_gauss_legendre(int n) {
  static std::mutex mutex;
  static std::map<int, GaussRule> rules;
  const std::scoped_lock lock(mutex);
  const auto found = rules.find(n);
  return found != rules.end() ? found->second : rules.emplace(n, gauss_legendre(n)).first->second;
}

}  // namespace microslip
