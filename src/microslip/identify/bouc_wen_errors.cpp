#include "microslip/identify/bouc_wen_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/identify/residual_correlation.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using Parameters = BoucWen<double>::Parameters;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double unmoved = 1e-7;        // of the largest singular value: a direction that does not move the forces
constexpr double unmoved_share = 1e-5;  // share of a quantity's gradient in such directions
constexpr double flat_error = 0.1;      // linear error of a coordinate beyond which it is followed
constexpr double one_rise = 1.0, near_rise = 4.0, far_rise = 9.0,
                 aimed_rise = 6.0;  // rises of the sum of squares, in variances
constexpr double farthest = 10.0;   // of logarithms: a parameter that is nothing, or all
constexpr int most_held_steps = 6;  // of one coordinate to one side

template <class T>
std::array<T, bouc_wen_size> listed(const typename BoucWen<T>::Parameters& p) {
  return {p.k0, p.alpha, p.a, p.beta, p.gamma, p.n};
}

/// Of k0, alpha, A, beta, gamma, n. gamma is no coordinate, but comes from beta and beta + gamma.
bool is_given(int k, const BoucWenHeld& held) {
  return k != 4 && held[k];
}

/// A loop made of a first loading has every point twice.
bool is_mirrored(const HysteresisRecord& record) {
  const std::size_t half = record.size() / 2;
  if (!record.closed || record.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < half; ++i) {
    if (record.f[i + half] != -record.f[i] || record.u[i + half] != -record.u[i]) return false;
  }
  return true;
}

/// The minimum and what the linear theory says about it.
struct LinearErrors {
  BoucWenVector x{};
  double square = 0.0;
  Eigen::MatrixXd covariance;  ///< 6 x 6, zero where held
  Eigen::MatrixXd nowhere;     ///< 6 x undetermined directions, orthonormal
  double variance = 0.0;       ///< of the sum of squares' rise
  double independent = 0.0;
  std::vector<double> offset;  ///< of loops whose mean is not 0, in residuals

  [[nodiscard]] double error(const Eigen::VectorXd& gradient) const {
    if ((nowhere.transpose() * gradient).norm() > unmoved_share * gradient.norm()) return endless;
    return std::sqrt(std::max(0.0, gradient.dot(covariance * gradient)));
  }
};

/// sum over i, k of s^2 c^|i-k| b_i b_k^T of one record.
Eigen::MatrixXd spread_of_record(const RowMatrix& basis, double variance, double correlation) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(basis.cols(), basis.cols());
  Eigen::VectorXd before = Eigen::VectorXd::Zero(basis.cols());  // the rows before, each with its c^|i-k|
  for (Eigen::Index i = 0; i < basis.rows(); ++i) {
    const Eigen::VectorXd row = basis.row(i).transpose();
    before *= correlation;
    sum += row * row.transpose() + row * before.transpose() + before * row.transpose();
    before += row;
  }
  return variance * sum;
}

/// Takes a constant force off the residuals of a loop when no parameter could (symmetric loops of the law have none),
/// and returns it: d of the residuals sqrt(w) (F_model - F - d), by least squares.
double take_offset(const RowMatrix& basis, const HysteresisRecord& record, std::span<double> residuals) {
  const auto shape = [&](std::size_t i) { return record.weight.empty() ? 1.0 : std::sqrt(record.weight[i]); };
  Eigen::RowVectorXd common = Eigen::RowVectorXd::Zero(basis.cols());
  double sum = 0.0, weights = 0.0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    common += shape(i) * basis.row(static_cast<Eigen::Index>(i));
    sum += shape(i) * residuals[i];
    weights += shape(i) * shape(i);
  }
  if (common.squaredNorm() > 0.01 * weights) return 0.0;
  const double offset = sum / weights;
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] -= shape(i) * offset;
  return offset;
}

std::optional<LinearErrors> linear_theory(const std::vector<HysteresisRecord>& records, BoucWenResiduals& residuals,
                                          const BoucWenVector& x, const BoucWenHeld& held) {
  const auto rows = static_cast<Eigen::Index>(residuals.size());
  std::vector<double> values(residuals.size()), entries(residuals.size() * bouc_wen_size);
  if (!residuals.evaluate(x, values, entries)) return std::nullopt;
  const Eigen::Map<const RowMatrix> all(entries.data(), rows, bouc_wen_size);
  std::vector<int> free;
  for (int k = 0; k < bouc_wen_size; ++k) {
    if (!held[k]) free.push_back(k);
  }
  const auto count = static_cast<Eigen::Index>(free.size());
  RowMatrix jacobian(rows, count);
  for (Eigen::Index k = 0; k < count; ++k) jacobian.col(k) = all.col(free[static_cast<std::size_t>(k)]);
  const RightSingular svd = right_singular(triangle_of(jacobian));
  const Eigen::Index kept = (svd.values.array() > unmoved * svd.values(0)).count();
  // In coordinates whose H is 1.
  const Eigen::MatrixXd unscaled = svd.v.leftCols(kept) * svd.values.head(kept).cwiseInverse().asDiagonal();
  const RowMatrix basis = jacobian * unscaled;

  LinearErrors result;
  result.x = x;
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(kept, kept);
  std::size_t first = 0;
  std::vector<double> offsets;
  double pooled = 0.0;  // alike, mean of the records: one alone tells little of its correlation
  for (const double value : values) result.square += value * value;
  for (const HysteresisRecord& record : records) {
    const std::span<double> own(values.data() + first, record.size());
    const RowMatrix part = basis.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(record.size()));
    offsets.push_back(record.closed ? take_offset(part, record, own) : 0.0);
    pooled += residuals_alike(own) * static_cast<double>(record.size()) / static_cast<double>(rows);
    first += record.size();
  }
  first = 0;
  for (const HysteresisRecord& record : records) {
    const auto size = static_cast<Eigen::Index>(record.size());
    const std::span<double> own(values.data() + first, record.size());
    const RowMatrix part = basis.middleRows(static_cast<Eigen::Index>(first), size);
    const double offset = offsets[result.offset.size()];
    const double copies = is_mirrored(record) ? 2.0 : 1.0, alike = std::max(residuals_alike(own), pooled);
    const double variance = noise_variance(own, copies * alike, part.squaredNorm());
    spread += copies * spread_of_record(part, variance, neighbour_correlation(alike));
    const double independent = static_cast<double>(size) / (copies * alike);
    result.independent += independent;
    result.offset.push_back(std::abs(offset) > 4.0 * std::sqrt(variance / independent) ? offset : 0.0);
    first += record.size();
  }
  result.variance = spread.trace() / static_cast<double>(std::max<Eigen::Index>(kept, 1));
  const Eigen::MatrixXd small = unscaled * spread * unscaled.transpose();
  result.covariance = Eigen::MatrixXd::Zero(bouc_wen_size, bouc_wen_size);
  result.nowhere = Eigen::MatrixXd::Zero(bouc_wen_size, count - kept);
  for (Eigen::Index k = 0; k < count; ++k) {
    const int at = free[static_cast<std::size_t>(k)];
    result.nowhere.row(at) = svd.v.row(k).tail(count - kept);
    for (Eigen::Index l = 0; l < count; ++l) result.covariance(at, free[static_cast<std::size_t>(l)]) = small(k, l);
  }
  return result;
}

/// Widens errors by points whose sum of squares the noise allows.
class AllowedPoints {
 public:
  AllowedPoints(const Parameters& best, const LinearErrors& linear, BoucWenErrors& errors)
      : best_(listed<double>(best)), linear_(linear), errors_(errors) {}

  /// Rise of the sum of squares, in variances.
  [[nodiscard]] double rise(double square) const { return (square - linear_.square) / linear_.variance; }

  void add(const Parameters& p, double square, const BoucWenHeld& held) {
    const double up = rise(square);
    if (up < -one_rise) {
      if (square < lowest_) errors_.improved = p;
      lowest_ = std::min(lowest_, square);
    }
    if (!(up <= far_rise)) return;
    const std::array<double, bouc_wen_size> values = listed<double>(p);
    for (int k = 0; k < bouc_wen_size; ++k) {
      if (is_given(k, held)) continue;
      double& error = errors_.error[k];
      error = std::max(error, std::abs(values[k] - best_[k]) / std::sqrt(std::max(up, one_rise)));
    }
  }

 private:
  std::array<double, bouc_wen_size> best_;
  const LinearErrors& linear_;
  BoucWenErrors& errors_;
  double lowest_ = endless;
};

/// One coordinate held away from the minimum to one side.
void follow(BoucWenResiduals& residuals, const LinearErrors& linear, int k, double direction, const BoucWenHeld& held,
            const BoucWenFitOptions& options, AllowedPoints& evidence, int& iterations) {
  const BoucWenBounds bounds = bouc_wen_bounds(linear.x, options.n_low, options.n_high);
  const double bound = direction > 0.0 ? bounds.high[k] : bounds.low[k];
  const double most = std::min(std::abs(bound - linear.x[k]), farthest), end = linear.x[k] + direction * most;
  const double first = linear.error(Eigen::VectorXd::Unit(bouc_wen_size, k));
  BoucWenHeld with = held;
  with[k] = true;
  BoucWenVector from = linear.x;
  const double tolerance = 0.01 * linear.variance / linear.square;  // of the sum of squares: the rise is a guide
  double distance = std::isfinite(first) ? first : 1.0;
  for (int step = 0; step < most_held_steps && most > 0.0; ++step) {
    const bool at_end = distance >= most;
    from[k] = at_end ? end : linear.x[k] + direction * distance;
    const BoucWenMinimum there = minimise_forces(residuals, from, with, bounds, options.max_iterations, tolerance);
    iterations += there.iterations;
    const double rise = there.usable ? evidence.rise(there.square) : endless;
    if (there.usable) evidence.add(residuals.parameters(there.x), there.square, held);
    if ((rise >= near_rise && rise <= far_rise) || (at_end && rise < near_rise)) return;
    if (rise < near_rise) from = there.x;
    distance = std::min(distance, most) * std::clamp(std::sqrt(aimed_rise / std::max(rise, 1e-3)), 0.3, 3.0);
  }
}

}  // namespace

BoucWenErrors bouc_wen_errors(const std::vector<HysteresisRecord>& records, const Parameters& best, double length,
                              const std::vector<BoucWenCandidate>& minima, const BoucWenHeld& held,
                              const BoucWenFitOptions& options, int& iterations) {
  BoucWenErrors errors;
  for (int k = 0; k < bouc_wen_size; ++k) errors.error[k] = is_given(k, held) ? 0.0 : endless;
  BoucWenResiduals residuals(records, length);
  const auto linear = linear_theory(records, residuals, residuals.coordinates(best), held);
  if (!linear) return errors;
  errors.independent = linear->independent;
  for (std::size_t r = 0; r < records.size(); ++r) {
    const double points = static_cast<double>(records[r].size()) * static_cast<double>(records.size());
    errors.offset = std::max(errors.offset, std::abs(linear->offset[r]) * std::sqrt(points));
  }
  const auto quantities = listed<BoucWenDual>(residuals.parameters_with_derivatives(linear->x));
  for (int k = 0; k < bouc_wen_size; ++k) {
    if (is_given(k, held)) continue;
    const Eigen::Map<const Eigen::VectorXd> gradient(quantities[k].gradient(), bouc_wen_size);
    errors.error[k] = linear->error(gradient);
  }
  if (!(linear->variance > 0.0)) return errors;
  AllowedPoints evidence(best, *linear, errors);
  for (const BoucWenCandidate& candidate : minima) {
    if (std::isfinite(candidate.misfit)) {
      evidence.add(candidate.parameters, candidate.misfit * candidate.misfit, held);
    }
  }
  for (int k = 0; k < bouc_wen_size; ++k) {
    if (held[k] || !(linear->error(Eigen::VectorXd::Unit(bouc_wen_size, k)) > flat_error)) continue;
    for (const double direction : {-1.0, 1.0}) {
      follow(residuals, *linear, k, direction, held, options, evidence, iterations);
    }
  }
  return errors;
}

}  // namespace microslip
