#include "microslip/identify/sice_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

/// Data in the scale of the largest deflection and force, with the square roots of the weights multiplied in.
struct ScaledCurve {
  Eigen::ArrayXd x, f, root;
  double length = 0.0, force = 0.0;
};

ScaledCurve scale(std::span<const double> x, std::span<const double> f, std::span<const double> weight,
                  SiceWeights weights) {
  const auto n = static_cast<Eigen::Index>(x.size());
  ScaledCurve data{Eigen::Map<const Eigen::ArrayXd>(x.data(), n), Eigen::Map<const Eigen::ArrayXd>(f.data(), n),
                   Eigen::ArrayXd::Ones(n)};
  data.length = data.x.abs().maxCoeff();
  data.force = data.f.abs().maxCoeff();
  data.x /= data.length;
  data.f /= data.force;
  if (!weight.empty()) data.root = Eigen::Map<const Eigen::ArrayXd>(weight.data(), n).sqrt();
  if (weights == SiceWeights::secant) data.root /= data.x.abs();
  data.f *= data.root;
  return data;
}

std::vector<int> powers(int order, const SiceOptions& options) {
  std::vector<int> list;
  for (int j = options.stiffness ? 2 : 1; j <= order; ++j) {
    if (!options.odd || j % 2 == 1) list.push_back(j);
  }
  return list;
}

struct Trial {
  Eigen::VectorXd coefficients;  ///< scaled
  Eigen::ArrayXd left_out;       ///< squared errors of points that were left out
  double misfit = 0.0;
};

/// `target`: the data less what is known.
Trial fit(const ScaledCurve& data, const Eigen::ArrayXd& target, const std::vector<int>& powers) {
  const auto n = data.x.size(), count = static_cast<Eigen::Index>(powers.size());
  Eigen::MatrixXd a(n, count);
  Eigen::ArrayXd power = data.root;
  int reached = 0;
  for (Eigen::Index j = 0; j < count; ++j) {
    for (; reached < powers[static_cast<std::size_t>(j)]; ++reached) power *= data.x;
    a.col(j) = power.matrix();
  }
  Trial trial;
  Eigen::ArrayXd residual = target, free = Eigen::ArrayXd::Ones(n);  // 1 - leverages
  if (count > 0) {
    const OrthogonalFit fit = orthogonal_fit(a, target.matrix());
    trial.coefficients = fit.solution;
    residual -= (a * trial.coefficients).array();
    free = (1.0 - fit.basis.rowwise().squaredNorm().array()).max(1e-9);
  }
  trial.left_out = (residual / free).square();
  trial.misfit = std::sqrt(residual.square().mean());
  return trial;
}

/// The lowest order that is as good as the best, by the errors of points left out.
std::size_t choose(const std::vector<Trial>& trials, double size) {
  // Secants of data with 16 digits: their rounding, amplified by differences and leverages, stays below this.
  const double rounding = std::pow(1e-13 * size, 2);
  const auto best = static_cast<std::size_t>(
      std::min_element(trials.begin(), trials.end(),
                       [](const Trial& a, const Trial& b) { return a.left_out.mean() < b.left_out.mean(); }) -
      trials.begin());
  for (std::size_t i = 0; i < best; ++i) {
    const Eigen::ArrayXd excess = trials[i].left_out - trials[best].left_out;
    const double mean = excess.mean(), n = static_cast<double>(excess.size());
    const double error = std::sqrt((excess - mean).square().sum() / ((n - 1.0) * n));
    if (mean <= 2.0 * error || trials[i].left_out.mean() <= rounding) return i;
  }
  return best;
}

}  // namespace

SiceFit fit_sice(std::span<const double> x, std::span<const double> f, std::span<const double> weight,
                 const SiceOptions& options) {
  const int lowest = options.order ? *options.order : 1;
  if (static_cast<int>(x.size()) <= lowest) {
    throw std::invalid_argument(
        fmt::format("a polynomial of order {} needs more than {} points, got {}", lowest, lowest, x.size()));
  }
  const ScaledCurve data = scale(x, f, weight, options.weights);
  const double unit = data.force / data.length;
  Eigen::ArrayXd target = data.f;
  if (options.stiffness) target -= *options.stiffness / unit * data.root * data.x;
  const double size = std::sqrt(data.f.square().mean());

  const int highest = options.order ? lowest : std::min<int>(options.highest, static_cast<int>(x.size()) - 1);
  std::vector<Trial> trials;
  SiceFit result;
  for (int order = lowest; order <= highest; ++order) {
    if (options.odd && order % 2 == 0 && !options.order) continue;
    trials.push_back(fit(data, target, powers(order, options)));
    result.tried.push_back({order, trials.back().misfit / size, std::sqrt(trials.back().left_out.mean()) / size});
  }
  const std::size_t chosen = choose(trials, size);
  result.order = result.tried[chosen].order;
  result.k.assign(static_cast<std::size_t>(result.order), 0.0);
  if (options.stiffness) result.k[0] = *options.stiffness;
  const std::vector<int> list = powers(result.order, options);
  for (std::size_t j = 0; j < list.size(); ++j) {
    result.k[static_cast<std::size_t>(list[j] - 1)] =
        trials[chosen].coefficients(static_cast<Eigen::Index>(j)) * data.force / std::pow(data.length, list[j]);
  }
  if (!(result.k[0] > 0.0)) {
    throw std::invalid_argument(
        fmt::format("the stuck curve has the stiffness {:g} at rest; it must be > 0", result.k[0]));
  }
  return result;
}

}  // namespace microslip
