#include "microslip/numerics/nonnegative_quadratic.hpp"

#include <limits>
#include <numeric>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr int patience = 3;  // rounds of full exchanges that may fail to help

}  // namespace

NonnegativeSolution solve_nonnegative(const Eigen::MatrixXd& h, const Eigen::VectorXd& b,
                                      const std::vector<int>& start) {
  const auto n = static_cast<int>(b.size());
  NonnegativeSolution solution;
  solution.x = Eigen::VectorXd::Zero(n);
  solution.positive = start;
  if (start.empty()) {
    solution.positive.resize(n);
    std::iota(solution.positive.begin(), solution.positive.end(), 0);
  }
  std::vector<char> in(n, 0);
  for (const int i : solution.positive) in[i] = 1;
  CholeskyFactors factor;
  Eigen::VectorXd gradient(n), rounding(n), part;
  const Eigen::MatrixXd size = h.cwiseAbs();
  int fewest = std::numeric_limits<int>::max(), left = patience;
  const int most = 50 * (n + 10);
  while (solution.factorisations < most) {
    auto& p = solution.positive;
    solution.x.setZero();
    if (!p.empty()) {
      ++solution.factorisations;
      if (!factor.compute(h(p, p))) return solution;
      part = b(p);
      factor.solve_in_place(part);
      solution.x(p) = part;
    }
    gradient.noalias() = h.selfadjointView<Eigen::Lower>() * solution.x;
    gradient -= b;
    // What rounding makes of each row, not worth an exchange.
    rounding.noalias() = size * solution.x.cwiseAbs();
    rounding += b.cwiseAbs();
    rounding *= 1e-14;
    int exchanges = 0, last = -1;
    const auto wrong = [&](int i) {
      return in[i] ? h(i, i) * solution.x(i) < -rounding(i) : gradient(i) < -rounding(i);
    };
    for (int i = 0; i < n; ++i) {
      if (!wrong(i)) continue;
      ++exchanges;
      last = i;
    }
    if (exchanges == 0) {
      solution.x = solution.x.cwiseMax(0.0);
      solution.converged = true;
      return solution;
    }
    const bool all = exchanges < fewest || left > 0;
    if (exchanges < fewest) {
      fewest = exchanges;
      left = patience;
    } else if (left > 0) {
      --left;
    }
    for (int i = 0; i < n; ++i) {
      if (all ? wrong(i) : i == last) in[i] = in[i] ? 0 : 1;
    }
    p.clear();
    for (int i = 0; i < n; ++i) {
      if (in[i]) p.push_back(i);
    }
  }
  return solution;
}

}  // namespace microslip
