#include "microslip/inference/discrepancy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "microslip/inference/prior.hpp"
#include "microslip/inference/white_rows.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr int grid = 41;  // points over ln(s/c)
constexpr double first_reach = 10.0;
constexpr int most_shifts = 20;         // of it, upwards: errors may be stated far too small
constexpr double negligible = 30.0;     // below the largest logarithm
constexpr double most_variance = 0.25;  // of ln s, that counts for its mean square
constexpr int enough = 16;              // points that are not negligible

/// Squares and products of the columns of J and of the residuals: [J r]^T V^-1 [J r] of one group, for any s. Rows with
/// the same error/scale have v_i = scale_i^2 ((error/scale)^2 + s^2): they are added up once, if they are many.
class GroupProducts {
 public:
  GroupProducts(const ResidualProblem& problem, std::size_t g, const ResidualProblem::Answer& answer,
                const std::vector<int>& free)
      : group_(&problem.groups()[g]), columns_(static_cast<Eigen::Index>(free.size()) + 1) {
    std::map<double, std::vector<std::size_t>> alike;
    for (std::size_t i = group_->first; i < group_->first + group_->count; ++i) {
      if (std::isnan(answer.values(static_cast<Eigen::Index>(i)))) continue;
      const ResidualProblem::Row& row = problem.rows()[i];
      alike[row.error / row.scale].push_back(i);
    }
    std::vector<std::size_t> singles;
    for (const auto& [ratio, rows] : alike) {
      if (rows.size() < free.size() + 1) {
        singles.insert(singles.end(), rows.begin(), rows.end());
      } else {
        sums_.push_back(sum_of(part_of(problem, answer, free, rows)));
      }
    }
    singles_ = part_of(problem, answer, free, singles);
  }

  struct At {
    Eigen::MatrixXd products;
    double logarithms = 0.0;  ///< w sum of ln v, and ln of the sum of 1/v
  };
  [[nodiscard]] At at(double s) const {
    Sum all{Eigen::MatrixXd::Zero(columns_, columns_), Eigen::VectorXd::Zero(columns_), 0.0, 0.0, 0.0};
    double logarithms = logarithms_;
    for (const Sum& sum : sums_) {
      const double f = 1.0 / (sum.ratio + s * s);
      all.products += f * sum.products;
      all.firsts += f * sum.firsts;
      all.weight += f * sum.weight;
      logarithms -= sum.count * std::log(f);
    }
    if (!singles_.ratios.empty()) {
      Eigen::MatrixXd weighted = singles_.rows;
      for (std::size_t k = 0; k < singles_.ratios.size(); ++k) {
        const double f = 1.0 / (singles_.ratios[k] + s * s);
        weighted.row(static_cast<Eigen::Index>(k)) *= f;
        all.firsts += singles_.scales[k] * weighted.row(static_cast<Eigen::Index>(k)).transpose();
        all.weight += f * singles_.scales[k] * singles_.scales[k];
        logarithms -= std::log(f);
      }
      all.products += transpose_times(singles_.rows, weighted);
    }
    At result{std::move(all.products), group_->weight * logarithms};
    if (group_->free_offset && all.weight > 0.0) {
      result.products.noalias() -= all.firsts * (all.firsts.transpose() / all.weight);
      result.logarithms += std::log(all.weight);
    }
    result.products *= group_->weight;
    return result;
  }

 private:
  /// Rows of [J r]/scale.
  struct Part {
    Eigen::MatrixXd rows;
    std::vector<double> scales, ratios;  ///< 1/scale, (error/scale)^2
  };
  /// Of rows that are alike: sums of a a^T, a/scale and 1/scale^2.
  struct Sum {
    Eigen::MatrixXd products;
    Eigen::VectorXd firsts;
    double weight, count, ratio;
  };
  Part part_of(const ResidualProblem& problem, const ResidualProblem::Answer& answer, const std::vector<int>& free,
               const std::vector<std::size_t>& rows) {
    Part part;
    part.rows.resize(static_cast<Eigen::Index>(rows.size()), columns_);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(rows[k]), at = static_cast<Eigen::Index>(k);
      const ResidualProblem::Row& measured = problem.rows()[rows[k]];
      for (Eigen::Index j = 0; j + 1 < columns_; ++j) {
        part.rows(at, j) = answer.jacobian(row, free[static_cast<std::size_t>(j)]) / measured.scale;
      }
      part.rows(at, columns_ - 1) = (answer.values(row) - measured.measured) / measured.scale;
      part.scales.push_back(1.0 / measured.scale);
      part.ratios.push_back(measured.error / measured.scale * (measured.error / measured.scale));
      logarithms_ += 2.0 * std::log(measured.scale);
    }
    return part;
  }
  static Sum sum_of(const Part& part) {
    const Eigen::Map<const Eigen::VectorXd> scales(part.scales.data(), part.rows.rows());
    return {transpose_times(part.rows, part.rows), part.rows.transpose() * scales, scales.squaredNorm(),
            static_cast<double>(part.scales.size()), part.ratios[0]};
  }

  const ResidualProblem::Group* group_;
  Eigen::Index columns_;
  Part singles_;
  std::vector<Sum> sums_;
  double logarithms_ = 0.0;  // sum of ln scale^2
};

/// -2 ln of the likelihood with the parameters integrated out, up to a constant.
double integrated(const Eigen::MatrixXd& products, double logarithms) {
  const Eigen::Index n = products.rows() - 1;
  double result = logarithms + products(n, n);
  if (n == 0) return result;
  const auto lower = lower_factor(products.topLeftCorner(n, n));
  if (!lower) return std::numeric_limits<double>::infinity();
  result += 2.0 * lower->diagonal().array().log().sum();
  return result - lower_solve(*lower, products.topRightCorner(n, 1)).squaredNorm();
}

/// Mean and variance of t under exp(log_density(t)), within first_reach of 0, or beyond where the density still rises
/// there: the grid closes in until enough of its points count.
struct LineMoments {
  double mean = 0.0, variance = 0.0;
};
template <typename Density>
LineMoments moments_over_line(const Density& log_density) {
  double from = -first_reach, to = first_reach;
  LineMoments result;
  for (int shift = 0; shift < most_shifts && log_density(to) > log_density(to - 1.0); ++shift) {
    from += first_reach, to += first_reach;
  }
  for (int round = 0; round < 12; ++round) {
    std::array<double, grid> logs{};
    const double step = (to - from) / (grid - 1);
    for (int k = 0; k < grid; ++k) logs[static_cast<std::size_t>(k)] = log_density(from + k * step);
    const double most = *std::max_element(logs.begin(), logs.end());
    double sum = 0.0, moment = 0.0, second = 0.0;
    int first = grid, last = 0;
    for (int k = 0; k < grid; ++k) {
      const double log = logs[static_cast<std::size_t>(k)];
      if (!(log > most - negligible)) continue;
      first = std::min(first, k), last = k;
      const double t = from + k * step, weight = std::exp(log - most);
      sum += weight;
      moment += weight * t;
      second += weight * t * t;
    }
    if (!(sum > 0.0)) return {};
    result.mean = moment / sum;
    result.variance = std::max(second / sum - result.mean * result.mean, 0.0);
    if (last - first >= enough) break;
    const double centre = from;
    from = centre + std::max(first - 1, 0) * step;
    to = centre + std::min(last + 1, grid - 1) * step;
  }
  return result;
}

}  // namespace

std::vector<double> first_discrepancy(const ResidualProblem& problem) {
  std::vector<double> result(problem.groups().size(), 0.0);
  for (std::size_t g = 0; g < result.size(); ++g) {
    if (problem.groups()[g].discrepancy) result[g] = usual_discrepancy(problem, g);
  }
  return result;
}

std::vector<double> next_discrepancy(const ResidualProblem& problem, const ResidualProblem::Answer& answer,
                                     const Eigen::VectorXd& x, const std::vector<bool>& held,
                                     std::vector<double> discrepancy) {
  std::vector<int> free;
  for (std::size_t k = 0; k < held.size(); ++k) {
    if (!held[k]) free.push_back(static_cast<int>(k));
  }
  const auto n = static_cast<Eigen::Index>(free.size());
  // Of the priors, a uniform one as if it were normal: only to keep apart what no row does.
  Eigen::MatrixXd total = Eigen::MatrixXd::Zero(n + 1, n + 1);
  for (Eigen::Index k = 0; k < n; ++k) {
    const ResidualProblem::Parameter& p =
        problem.parameters()[static_cast<std::size_t>(free[static_cast<std::size_t>(k)])];
    const double deviation = p.prior.normal ? p.prior.deviation : prior_deviation(p);
    total(k, k) = 1.0 / (deviation * deviation);
    if (p.prior.normal) {
      total(k, n) = total(n, k) = (x(free[static_cast<std::size_t>(k)]) - p.prior.mean) / (deviation * deviation);
    }
  }
  std::vector<GroupProducts> groups;
  std::vector<Eigen::MatrixXd> products;
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    groups.emplace_back(problem, g, answer, free);
    products.push_back(groups[g].at(discrepancy[g]).products);
    total += products[g];
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!problem.groups()[g].discrepancy) continue;
    total -= products[g];
    const double usual = usual_discrepancy(problem, g);
    const LineMoments logs = moments_over_line([&](double t) {
      const GroupProducts::At at = groups[g].at(usual * std::exp(t));
      return -0.5 * integrated(total + at.products, at.logarithms) - std::log(std::cosh(t));
    });
    discrepancy[g] = usual * std::exp(logs.mean + std::min(logs.variance, most_variance));
    products[g] = groups[g].at(discrepancy[g]).products;
    total += products[g];
  }
  return discrepancy;
}

}  // namespace microslip
