#include "microslip/modal/modal_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

/// Mean squares over stretches of a signal.
class MeanSquare {
 public:
  explicit MeanSquare(std::span<const double> y) : sum_(y.size() + 1, 0.0) {
    for (std::size_t i = 0; i < y.size(); ++i) sum_[i + 1] = sum_[i] + y[i] * y[i];
  }
  [[nodiscard]] double over(double from, double to) const {
    const auto last = static_cast<double>(sum_.size() - 2);
    const auto a = static_cast<std::size_t>(std::clamp(from, 0.0, last));
    const auto b = static_cast<std::size_t>(std::clamp(to, 0.0, last)) + 1;
    return std::max(sum_[b] - sum_[a], 0.0) / static_cast<double>(b - a);
  }

 private:
  std::vector<double> sum_;
};

}  // namespace

Eigen::MatrixXd mass_filter(const Eigen::MatrixXd& shapes, const Eigen::MatrixXd& mass) {
  return shapes.transpose() * mass;
}

Eigen::MatrixXd pseudo_inverse_filter(const Eigen::MatrixXd& shapes) {
  if (shapes.rows() < shapes.cols()) {
    throw std::invalid_argument("there must be at least as many channels as modes, got " +
                                std::to_string(shapes.rows()) + " channels and " + std::to_string(shapes.cols()) +
                                " modes");
  }
  // Columns of length one, so that the rank does not depend on the scale of a shape.
  const Eigen::VectorXd length = shapes.colwise().norm();
  if (!(length.minCoeff() > 0.0)) throw std::invalid_argument("a shape is zero at every channel");
  const Eigen::MatrixXd scaled = shapes * length.cwiseInverse().asDiagonal();
  const PseudoInverse inverse = pseudo_inverse(scaled, 1e-8);
  if (inverse.rank < shapes.cols()) {
    throw std::invalid_argument("the channels cannot tell the shapes apart: only " + std::to_string(inverse.rank) +
                                " of " + std::to_string(shapes.cols()) + " are independent there");
  }
  return length.cwiseInverse().asDiagonal() * inverse.matrix;
}

std::vector<OtherMode> strongest_others(std::span<const SampledMotion> signals, std::size_t mode,
                                        std::span<const RingdownPoint> points) {
  std::vector<OtherMode> others(points.size());
  const SampledMotion& own = signals[mode];
  const auto stretch = [&](const MeanSquare& square, const RingdownPoint& point) {
    const double centre = (point.time - own.start) / own.step, half = std::numbers::pi / (point.omega * own.step);
    return square.over(centre - half, centre + half);
  };
  const MeanSquare own_square(own.values);
  for (std::size_t s = 0; s < signals.size(); ++s) {
    if (s == mode) continue;
    const MeanSquare square(signals[s].values);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double ratio = std::sqrt(stretch(square, points[i]) / stretch(own_square, points[i]));
      if (others[i].index < 0 || ratio > others[i].ratio) others[i] = {static_cast<int>(s), ratio};
    }
  }
  return others;
}

std::vector<OtherMode> rest_of_channel(const SampledMotion& own, const SampledMotion& rest, int index, double noise,
                                       std::span<const RingdownPoint> points) {
  std::vector<double> sum(rest.values.size() + 1, 0.0);
  for (std::size_t i = 0; i < rest.values.size(); ++i) sum[i + 1] = sum[i] + rest.values[i];
  const MeanSquare own_square(own.values), rest_square(rest.values);
  std::vector<OtherMode> others;
  const auto last = static_cast<double>(rest.values.size());
  for (const RingdownPoint& point : points) {
    const double centre = (point.time - own.start) / own.step;
    const double half = 0.5 * std::max(point.half_cycles, 2) * std::numbers::pi / (point.omega * own.step);
    const double from = std::clamp(centre - half, 0.0, last - 2.0),
                 to = std::clamp(centre + half, from + 1.0, last - 1.0);
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to) + 1;
    const auto count = static_cast<double>(b - a);
    const double mean = (sum[b] - sum[a]) / count;
    const double of_noise = noise * noise * (1.0 + 4.0 * std::sqrt(2.0 / count));
    const double left = std::max(rest_square.over(from, to) - mean * mean - of_noise, 0.0);
    others.push_back({index, std::sqrt(left / own_square.over(from, to))});
  }
  return others;
}

int dominant(std::span<const SampledMotion> signals) {
  int best = -1;
  double largest = 0.0;
  for (std::size_t s = 0; s < signals.size(); ++s) {
    double sum = 0.0;
    for (const double value : signals[s].values) sum += value * value;
    if (sum > largest) {
      largest = sum;
      best = static_cast<int>(s);
    }
  }
  return best;
}

}  // namespace microslip
