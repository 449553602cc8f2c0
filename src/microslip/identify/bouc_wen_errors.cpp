#include "microslip/identify/bouc_wen_errors.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "microslip/identify/parameter_covariance.hpp"
#include "microslip/identify/residual_correlation.hpp"

namespace microslip {
namespace {

using Parameters = BoucWen<double>::Parameters;

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double flat_error = 0.1;  // linear error of a coordinate beyond which it is followed
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
  ParameterCovariance covariance;  ///< of the coordinates
  double variance = 0.0;           ///< of the sum of squares' rise
  double independent = 0.0;
  std::vector<double> offset;  ///< of loops whose mean is not 0, in residuals

  [[nodiscard]] double error(int coordinate) const {
    return covariance.error(Eigen::VectorXd::Unit(bouc_wen_size, coordinate));
  }
};

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
  std::array<bool, bouc_wen_size> free{};
  for (int k = 0; k < bouc_wen_size; ++k) free[k] = !held[k];
  const DeterminedDirections directions(all, free);
  const RowMatrix& basis = directions.basis();
  const Eigen::Index kept = basis.cols();

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
    spread += copies * variance * correlated_squares(part, neighbour_correlation(alike));
    const double independent = static_cast<double>(size) / (copies * alike);
    result.independent += independent;
    result.offset.push_back(std::abs(offset) > 4.0 * std::sqrt(variance / independent) ? offset : 0.0);
    first += record.size();
  }
  result.variance = spread.trace() / static_cast<double>(std::max<Eigen::Index>(kept, 1));
  result.covariance = directions.covariance(spread);
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

/// One coordinate held away from the minimum to one side. `going` is asked before each step; false when it said no.
bool follow(BoucWenResiduals& residuals, const LinearErrors& linear, int k, double direction, const BoucWenHeld& held,
            const BoucWenFitOptions& options, AllowedPoints& evidence, int& iterations,
            const std::function<bool(int step)>& going) {
  CoordinateBox box = bouc_wen_box(linear.x, options.n_low, options.n_high, held);
  box.held[k] = true;
  const double bound = direction > 0.0 ? box.high[k] : box.low[k];
  const double most = std::min(std::abs(bound - linear.x[k]), farthest), end = linear.x[k] + direction * most;
  const double first = linear.error(k);
  BoucWenVector from = linear.x;
  const double tolerance = 0.01 * linear.variance / linear.square;  // of the sum of squares: the rise is a guide
  double distance = std::isfinite(first) ? first : 1.0;
  for (int step = 0; step < most_held_steps && most > 0.0; ++step) {
    if (!going(step)) return false;
    const bool at_end = distance >= most;
    from[k] = at_end ? end : linear.x[k] + direction * distance;
    const BoundedMinimum there = minimise_forces(residuals, from, box, options.max_iterations, tolerance);
    iterations += there.iterations;
    const double square = 2.0 * there.cost, rise = there.usable ? evidence.rise(square) : endless;
    if (there.usable) evidence.add(residuals.parameters(there.x), square, held);
    if ((rise >= near_rise && rise <= far_rise) || (at_end && rise < near_rise)) return true;
    if (rise < near_rise) from = there.x;
    distance = std::min(distance, most) * std::clamp(std::sqrt(aimed_rise / std::max(rise, 1e-3)), 0.3, 3.0);
  }
  return true;
}

}  // namespace

BoucWenErrors bouc_wen_errors(const std::vector<HysteresisRecord>& records, const Parameters& best, double length,
                              const std::vector<BoucWenCandidate>& minima, const BoucWenHeld& held,
                              const BoucWenFitOptions& options, int& iterations, const Observer& observer) {
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
    errors.error[k] = linear->covariance.error(gradient);
  }
  if (!(linear->variance > 0.0)) return errors;
  AllowedPoints evidence(best, *linear, errors);
  for (const BoucWenCandidate& candidate : minima) {
    if (std::isfinite(candidate.misfit)) {
      evidence.add(candidate.parameters, candidate.misfit * candidate.misfit, held);
    }
  }
  std::vector<int> flat;
  for (int k = 0; k < bouc_wen_size; ++k) {
    if (!held[k] && linear->error(k) > flat_error) flat.push_back(k);
  }
  const std::size_t sides = 2 * flat.size();
  for (std::size_t side = 0; side < sides && !errors.interrupted; ++side) {
    const auto going = [&](int step) {
      const double done = static_cast<double>(side) + static_cast<double>(step) / most_held_steps;
      return !observer || observer(done / static_cast<double>(sides));
    };
    errors.interrupted = !follow(residuals, *linear, flat[side / 2], side % 2 == 0 ? -1.0 : 1.0, held, options,
                                 evidence, iterations, going);
  }
  return errors;
}

}  // namespace microslip
