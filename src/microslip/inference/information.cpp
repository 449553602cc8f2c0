#include "microslip/inference/information.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "microslip/inference/prior.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr double end_share = 1e-6;
constexpr double least_information = 1e-8;  // a direction held to no better than 1e4 times the prior is held by nothing
constexpr double open_share = 1e-4;         // of a quantity's gradient in such directions
constexpr double least_component = 0.1;

void fill_covariance(const std::vector<ResidualProblem::Parameter>& parameters, const Eigen::MatrixXd& information,
                     const std::vector<int>& free, Information& result) {
  const auto n = static_cast<Eigen::Index>(free.size());
  const auto all = static_cast<Eigen::Index>(parameters.size());
  Eigen::MatrixXd held = information;
  for (Eigen::Index k = 0; k < n; ++k) {
    const ResidualProblem::Parameter& p = parameters[static_cast<std::size_t>(free[static_cast<std::size_t>(k)])];
    if (p.prior.normal) held(k, k) += std::pow(result.unit(free[static_cast<std::size_t>(k)]) / p.prior.deviation, 2);
  }
  const SymmetricEigen eigen = symmetric_eigen(held);
  Eigen::Index none = 0;
  while (none < n && !(eigen.values(none) > least_information)) ++none;
  result.open = Eigen::MatrixXd::Zero(all, none);
  Eigen::MatrixXd vectors = Eigen::MatrixXd::Zero(all, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto row = static_cast<Eigen::Index>(free[static_cast<std::size_t>(k)]);
    vectors.row(row) = result.unit(row) * eigen.vectors.row(k);
    result.open.row(row) = vectors.row(row).head(none);
  }
  const Eigen::MatrixXd known = vectors.rightCols(n - none);
  const Eigen::MatrixXd scaled = known * eigen.values.tail(n - none).cwiseInverse().asDiagonal();
  result.covariance = scaled * known.transpose();
}

}  // namespace

double Information::error(const Eigen::VectorXd& gradient) const {
  const Eigen::VectorXd scaled = unit.cwiseProduct(gradient);
  // Columns of `open` over the units are orthonormal.
  if (open.cols() > 0 && (open.transpose() * gradient).norm() > open_share * scaled.norm()) {
    return std::numeric_limits<double>::infinity();
  }
  return std::sqrt(std::max(gradient.dot(covariance * gradient), 0.0));
}

Information information_of(const std::vector<ResidualProblem::Parameter>& parameters, const Eigen::MatrixXd& squares,
                           const Eigen::VectorXd& x, const Eigen::VectorXd& gradient) {
  Information result;
  const auto all = static_cast<Eigen::Index>(parameters.size());
  result.unit.resize(all);
  std::vector<int> free;
  for (Eigen::Index k = 0; k < all; ++k) {
    const ResidualProblem::Parameter& p = parameters[static_cast<std::size_t>(k)];
    result.unit(k) = prior_deviation(p);
    const double near = end_share * (p.high - p.low);
    const int end = x(k) < p.low + near && gradient(k) > 0.0 ? -1 : x(k) > p.high - near && gradient(k) < 0.0 ? 1 : 0;
    result.at_end.push_back(end);
    if (end == 0) free.push_back(static_cast<int>(k));
  }
  const auto n = static_cast<Eigen::Index>(free.size());
  result.errors = Eigen::VectorXd::Constant(all, std::numeric_limits<double>::quiet_NaN());
  result.determined.assign(parameters.size(), false);
  result.covariance = Eigen::MatrixXd::Zero(all, all);
  result.open.resize(all, 0);
  if (n == 0) return result;
  const Eigen::VectorXd units = result.unit(free);
  const Eigen::MatrixXd part = squares(free, free);
  const Eigen::MatrixXd information = units.asDiagonal() * part * units.asDiagonal();
  const SymmetricEigen eigen = symmetric_eigen(information);
  for (Eigen::Index k = n; k-- > 0;) {
    InformedDirection direction{Eigen::VectorXd::Zero(all), std::max(eigen.values(k), 0.0)};
    Eigen::Index largest = 0;
    eigen.vectors.col(k).cwiseAbs().maxCoeff(&largest);
    const double sign = eigen.vectors(largest, k) < 0.0 ? -1.0 : 1.0;
    for (Eigen::Index j = 0; j < n; ++j)
      direction.along(free[static_cast<std::size_t>(j)]) = sign * eigen.vectors(j, k);
    result.directions.push_back(std::move(direction));
  }
  fill_covariance(parameters, information, free, result);
  for (const int k : free) {
    result.errors(k) = result.error(Eigen::VectorXd::Unit(all, k));
    result.determined[static_cast<std::size_t>(k)] = result.errors(k) < 0.5 * result.unit(k);
  }
  return result;
}

std::string in_words(const InformedDirection& direction, const std::vector<ResidualProblem::Parameter>& parameters) {
  const double least = least_component * direction.along.cwiseAbs().maxCoeff();
  std::string words;
  for (Eigen::Index k = 0; k < direction.along.size(); ++k) {
    const double share = direction.along(k);
    if (std::abs(share) < least) continue;
    const char* sign = words.empty() ? (share < 0.0 ? "-" : "") : (share < 0.0 ? " - " : " + ");
    words += fmt::format("{}{:.2f} {}", sign, std::abs(share), parameters[static_cast<std::size_t>(k)].name);
  }
  return words;
}

std::string what_is_open(const Information& information, const std::vector<ResidualProblem::Parameter>& parameters) {
  std::string ends, single, combined;
  const auto list = [](std::string& words, const std::string& more) { words += (words.empty() ? "" : ", ") + more; };
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (information.at_end[k] != 0) {
      list(ends, parameters[k].name + (information.at_end[k] < 0 ? " at its lower end" : " at its upper end"));
    } else if (!information.determined[k]) {
      list(single, parameters[k].name);
    }
  }
  for (const InformedDirection& direction : information.directions) {
    if (!direction.determined()) list(combined, in_words(direction, parameters));
  }
  std::string words;
  if (!ends.empty()) words += "At an end of its range: " + ends + ".";
  if (!single.empty()) words += (words.empty() ? "" : " ") + ("Not determined: " + single + ".");
  if (!combined.empty()) {
    words += (words.empty() ? "" : " ") +
             ("Combinations, in standard deviations of the priors, that the rows do not determine: " + combined + ".");
  }
  return words;
}

}  // namespace microslip
