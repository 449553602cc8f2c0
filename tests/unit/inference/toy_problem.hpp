#pragma once
// A ResidualProblem of a function given with its derivatives, and checks of the statistics that tests of methods share.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "microslip/inference/residual_problem.hpp"
#include "microslip/numerics/counter_random.hpp"
#include "microslip/numerics/normal_quantile.hpp"

namespace microslip {

class ToyProblem final : public ResidualProblem {
 public:
  using Function = std::function<Answer(const Eigen::VectorXd& x, bool want_jacobian)>;

  ToyProblem(std::vector<Parameter> parameters, std::vector<Row> rows, std::vector<Group> groups, Function function)
      : function_(std::move(function)) {
    parameters_ = std::move(parameters);
    rows_ = std::move(rows);
    groups_ = std::move(groups);
  }
  [[nodiscard]] Answer evaluate(const Eigen::VectorXd& x, bool want_jacobian) const override {
    return function_(x, want_jacobian);
  }

 private:
  Function function_;
};

/// The Jacobian is a x for all x.
inline ToyProblem::Function straight(Eigen::MatrixXd a) {
  return [a = std::move(a)](const Eigen::VectorXd& x, bool want_jacobian) {
    return ResidualProblem::Answer{a * x, want_jacobian ? a : Eigen::MatrixXd(), ""};
  };
}

inline std::vector<ResidualProblem::Parameter> wide_parameters(int count, double reach) {
  std::vector<ResidualProblem::Parameter> parameters;
  for (int k = 0; k < count; ++k) parameters.push_back({"p" + std::to_string(k + 1), -reach, reach, 0.1, {}});
  return parameters;
}

inline ResidualProblem::Group group_of(std::string name, std::size_t first, std::size_t count) {
  ResidualProblem::Group group;
  group.name = std::move(name);
  group.first = first;
  group.count = count;
  return group;
}

/// Chance that the largest distance between the distribution of as many standard normal numbers and the normal one is
/// larger (Kolmogorov; Stephens' form for few).
inline double normal_chance(std::vector<double> z) {
  std::sort(z.begin(), z.end());
  const auto n = static_cast<double>(z.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double share = normal_share(z[i]);
    distance = std::max({distance, share - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - share});
  }
  const double t = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  double chance = 0.0;
  for (int k = 1; k <= 100; ++k) chance += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * t * t);
  return std::clamp(chance, 0.0, 1.0);
}

/// Chance of a chi-squared number with so many degrees of freedom beyond `value` (Wilson and Hilferty 1931).
inline double chi_squared_chance(double value, double freedom) {
  const double v = 2.0 / (9.0 * freedom);
  return normal_share(-(std::cbrt(value / freedom) - 1.0 + v) / std::sqrt(v));
}

}  // namespace microslip
