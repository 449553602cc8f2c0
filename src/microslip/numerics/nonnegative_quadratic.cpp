#include "microslip/numerics/nonnegative_quadratic.hpp"

#include <limits>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr int patience = 3;  // rounds of full exchanges that may fail to help

std::vector<int> indices_of(const std::vector<char>& in) {
  std::vector<int> list;
  for (int i = 0; i < static_cast<int>(in.size()); ++i) {
    if (in[i]) list.push_back(i);
  }
  return list;
}

}  // namespace

NonnegativeSolution solve_nonnegative(const Eigen::MatrixXd& h, const Eigen::VectorXd& b, const std::vector<int>& start,
                                      int free) {
  const auto n = static_cast<int>(b.size());
  NonnegativeSolution solution;
  solution.x = Eigen::VectorXd::Zero(n);
  std::vector<char> in(n, start.empty() ? 1 : 0);
  for (const int i : start) in[i] = 1;
  for (int i = 0; i < free; ++i) in[i] = 1;
  solution.positive = indices_of(in);
  CholeskyFactors factor;
  Eigen::VectorXd gradient(n), rounding(n), part;
  const Eigen::VectorXd root = h.diagonal().cwiseMax(0.0).cwiseSqrt();
  int fewest = std::numeric_limits<int>::max(), left = patience;
  const int most = 50 * (n + 10);
  while (solution.factorisations < most) {
    const auto& p = solution.positive;
    solution.x.setZero();
    if (!p.empty()) {
      ++solution.factorisations;
      if (!factor.compute(h, p)) return solution;
      part = b(p);
      factor.solve_in_place(part);
      solution.x(p) = part;
    }
    gradient.noalias() = h.selfadjointView<Eigen::Lower>() * solution.x;
    gradient -= b;
    // What rounding makes of each row, not worth an exchange: |h_ij| <= sqrt(h_ii h_jj).
    rounding = 1e-14 * (root.dot(solution.x.cwiseAbs()) * root + b.cwiseAbs());
    int exchanges = 0, last = -1;
    const auto wrong = [&](int i) {
      return in[i] ? h(i, i) * solution.x(i) < -rounding(i) : gradient(i) < -rounding(i);
    };
    for (int i = free; i < n; ++i) {
      if (!wrong(i)) continue;
      ++exchanges;
      last = i;
    }
    if (exchanges == 0) {
      solution.x.tail(n - free) = solution.x.tail(n - free).cwiseMax(0.0);
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
    for (int i = free; i < n; ++i) {
      if (all ? wrong(i) : i == last) in[i] = in[i] ? 0 : 1;
    }
    solution.positive = indices_of(in);
  }
  return solution;
}

}  // namespace microslip
