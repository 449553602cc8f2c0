#include "microslip/identify/modal_iwan_fit.hpp"

#include <ceres/ceres.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "microslip/identify/modal_iwan_residuals.hpp"
#include "microslip/identify/modal_iwan_starts.hpp"
#include "microslip/identify/modal_iwan_statistics.hpp"
#include "microslip/identify/quiet_log.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/stretch_weights.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_amplitudes = 4;
constexpr std::size_t grid_points = 40;    // of the data that the grid of starts sees, evenly along ln q
constexpr std::size_t start_points = 300;  // that the minimisation from each start sees
constexpr int starts = 4;

/// All residuals as one function of six blocks of one coordinate each, so that each can be held.
class AllResiduals final : public ceres::CostFunction {
 public:
  explicit AllResiduals(const ModalIwanResiduals& residuals) : residuals_(&residuals) {
    set_num_residuals(static_cast<int>(residuals.size()));
    for (int k = 0; k < modal_iwan_size; ++k) mutable_parameter_block_sizes()->push_back(1);
    jacobian_.resize(residuals.size() * modal_iwan_size);
  }
  bool Evaluate(double const* const* blocks, double* values, double** jacobians) const override {
    FitVector x{};
    for (int k = 0; k < modal_iwan_size; ++k) x[k] = blocks[k][0];
    const std::size_t rows = residuals_->size();
    const bool finite = residuals_->evaluate(x, {values, rows},
                                             jacobians != nullptr ? std::span<double>(jacobian_) : std::span<double>());
    for (int k = 0; k < modal_iwan_size && jacobians != nullptr; ++k) {
      if (jacobians[k] == nullptr) continue;
      for (std::size_t i = 0; i < rows; ++i)
        jacobians[k][i] = jacobian_[i * modal_iwan_size + static_cast<std::size_t>(k)];
    }
    return finite;
  }

 private:
  const ModalIwanResiduals* residuals_;
  mutable std::vector<double> jacobian_;
};

struct Box {
  FitVector low{}, high{};
};

struct Minimum {
  FitVector x{};
  double cost = 0.0;
  bool usable = false;
  bool converged = false;
  int iterations = 0;
};

/// `tolerance`: relative change of the sum of squares at which to stop.
Minimum minimise(const ModalIwanResiduals& residuals, FitVector x, const Box& box, const ModalIwanFitOptions& options,
                 double tolerance) {
  ceres::Problem problem;
  std::vector<double*> blocks;
  for (double& coordinate : x) blocks.push_back(&coordinate);
  problem.AddResidualBlock(new AllResiduals(residuals), nullptr, blocks);  // the problem owns it
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (options.fixed[k]) {
      problem.SetParameterBlockConstant(&x[k]);
      continue;
    }
    x[k] = std::clamp(x[k], box.low[k], box.high[k]);
    problem.SetParameterLowerBound(&x[k], 0, box.low[k]);
    problem.SetParameterUpperBound(&x[k], 0, box.high[k]);
  }
  ceres::Solver::Options solver;
  solver.linear_solver_type = ceres::DENSE_QR;
  solver.num_threads = 1;  // the same numbers on every run
  solver.max_num_iterations = options.max_iterations;
  solver.function_tolerance = tolerance;
  solver.gradient_tolerance = 1e-15;
  solver.parameter_tolerance = 1e-12;
  solver.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  const QuietLog quiet;
  ceres::Solve(solver, &problem, &summary);
  return {x, summary.final_cost, summary.IsSolutionUsable() && std::isfinite(summary.final_cost),
          summary.termination_type == ceres::CONVERGENCE, static_cast<int>(summary.iterations.size())};
}

void check_points(const std::vector<AmplitudePoint>& points) {
  for (const AmplitudePoint& point : points) {
    if (!(point.q > 0.0 && std::isfinite(point.q))) {
      throw std::invalid_argument(fmt::format("amplitude must be > 0, got {:g}", point.q));
    }
    if (!(point.omega > 0.0 && std::isfinite(point.omega))) {
      throw std::invalid_argument(fmt::format("omega must be > 0, got {:g} at q = {:g}", point.omega, point.q));
    }
    if (!std::isfinite(point.zeta)) {
      throw std::invalid_argument(fmt::format("zeta must be finite, got {:g} at q = {:g}", point.zeta, point.q));
    }
  }
}

/// Sorted by amplitude, with weights of mean 1.
std::vector<WeightedPoint> weighted(const std::vector<AmplitudePoint>& points, bool by_log_q) {
  std::vector<WeightedPoint> result;
  for (const AmplitudePoint& point : points) {
    if (point.zeta > 0.0) result.push_back({point, 1.0});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const WeightedPoint& a, const WeightedPoint& b) { return a.data.q < b.data.q; });
  if (!by_log_q || result.size() < 2 || !(result.back().data.q > result.front().data.q)) return result;
  std::vector<double> log_q;
  for (const WeightedPoint& point : result) log_q.push_back(std::log(point.data.q));
  const std::vector<double> stretch = stretch_weights(log_q);
  const double mean = (log_q.back() - log_q.front()) / static_cast<double>(result.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i].weight = stretch[i] / mean;
  return result;
}

/// So many of the points, evenly along ln q, for the starts.
ModalIwanResiduals thinned(ModalIwanResiduals residuals, std::size_t most) {
  std::vector<WeightedPoint>& points = residuals.points;
  if (points.size() <= most) return residuals;
  const double first = std::log(points.front().data.q), last = std::log(points.back().data.q);
  std::vector<AmplitudePoint> kept;
  long cell_before = -1;
  for (const WeightedPoint& point : points) {
    const auto cell =
        std::lround(std::floor((std::log(point.data.q) - first) / (last - first) * static_cast<double>(most - 1)));
    if (cell != cell_before) kept.push_back(point.data);
    cell_before = cell;
  }
  points = weighted(kept, true);
  return residuals;
}

/// Whether damping ever does what it cannot do in microslip: rise faster than q (there it is zeta0 + c q^(chi+1), chi
/// <= 0, over a tangent that falls slowly) or fall. Without that, a phi_max among the data would only be one more
/// number to shape the curve with. Medians over stretches of ln q stand for the curve.
bool macroslip_shows(const std::vector<WeightedPoint>& points) {
  constexpr double stretches = 20.0, steep = 1.2, fall = 0.9;
  const double first = std::log(points.front().data.q), range = std::log(points.back().data.q) - first;
  std::vector<std::pair<double, double>> curve;  // ln q, ln zeta
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    const double until =
        first + range * (std::floor((std::log(points[begin].data.q) - first) / range * stretches) + 1.0) / stretches;
    std::vector<double> zeta;
    for (end = begin; end < points.size() && (end == begin || std::log(points[end].data.q) < until); ++end) {
      zeta.push_back(std::log(points[end].data.zeta));
    }
    const auto middle = zeta.begin() + static_cast<std::ptrdiff_t>(zeta.size() / 2);
    std::nth_element(zeta.begin(), middle, zeta.end());
    curve.emplace_back(std::log(points[begin + zeta.size() / 2].data.q), *middle);
  }
  double highest = curve.front().second;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    highest = std::max(highest, curve[i].second);
    if (curve[i].second < highest + std::log(fall)) return true;
    const double rise = curve[i].second - curve[i - 1].second;
    if (rise > steep * (curve[i].first - curve[i - 1].first) && rise > 0.2) return true;
  }
  return false;
}

/// The amplitude that a point knows of. A decrement is taken from the half swing before, larger by exp(delta) and,
/// where damping rises with amplitude, a little more; of strong damping no more is made than of a tenth.
double largest_swing(const AmplitudePoint& point, ZetaForm form) {
  if (form != ZetaForm::decrement) return point.q;
  const double zeta = std::clamp(point.zeta, 0.0, 0.1);
  const double delta = pi * zeta / std::sqrt(1.0 - zeta * zeta);
  return point.q * std::exp(delta * (1.0 + 0.5 * delta));
}

/// Bounds of the parameters, the user's within those that make sense for the data.
std::array<ParameterBounds, modal_iwan_size> parameter_bounds(const ModalIwanResiduals& residuals,
                                                              const ModalIwanFitOptions& options) {
  double omega2 = 0.0, zeta = 0.0;
  for (const WeightedPoint& point : residuals.points) {
    omega2 = std::max(omega2, point.data.omega * point.data.omega);
    zeta = std::max(zeta, point.data.zeta);
  }
  const double q_low = residuals.points.front().data.q, q_high = residuals.points.back().data.q;
  std::array<ParameterBounds, modal_iwan_size> bounds = {{{1e-4 * omega2, 2.0 * omega2},
                                                          {0.0, zeta},
                                                          {1e-10 * omega2 * q_low, 1e6 * omega2 * q_high},
                                                          {1e-8 * omega2, 100.0 * omega2},
                                                          {-0.99, 0.0},
                                                          {0.0, 1e4}}};
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (std::isfinite(options.bounds[k].low)) bounds[k].low = options.bounds[k].low;
    if (std::isfinite(options.bounds[k].high)) bounds[k].high = options.bounds[k].high;
  }
  return bounds;
}

void check_options(const ModalIwanFitOptions& options) {
  const auto allowed = [](int k, double value) {
    if (!std::isfinite(value)) return false;
    if (k == 1 || k == 5) return value >= 0.0;
    return k == 4 ? value > -1.0 : value > 0.0;
  };
  for (int k = 0; k < modal_iwan_size; ++k) {
    const ParameterBounds& bound = options.bounds[k];
    const bool wrong = (options.fixed[k] && !allowed(k, *options.fixed[k])) ||
                       (std::isfinite(bound.low) && !allowed(k, bound.low)) ||
                       (std::isfinite(bound.high) && !allowed(k, bound.high)) || !(bound.low < bound.high);
    if (wrong) {
      throw std::invalid_argument(fmt::format("{}: the given value or bounds are out of range", modal_iwan_names[k]));
    }
  }
  if (!(options.omega_error >= 0.0 && options.zeta_error > 0.0)) {
    throw std::invalid_argument("the errors of omega and zeta must be > 0");
  }
}

/// Correlation of residuals `first`, `first` + 2, ... with their successors, weights taken out.
double serial_correlation(const ModalIwanResiduals& residuals, const std::vector<double>& values, std::size_t first) {
  double product = 0.0, square = 0.0, before = 0.0;
  for (std::size_t i = 0; i < residuals.points.size(); ++i) {
    const double weight = residuals.points[i].weight;
    if (!(weight > 0.0)) continue;
    const double value = values[2 * i + first] / std::sqrt(weight);
    product += before * value;
    square += value * value;
    before = value;
  }
  return square > 0.0 ? product / square : 0.0;
}

void add_residuals(const ModalIwanResiduals& residuals, const FitVector& x, ModalIwanFit& fit) {
  std::vector<double> values(residuals.size());
  residuals.evaluate(x, values, {});
  double omega = 0.0, zeta = 0.0, weights = 0.0;
  const double phi_max = ModalIwanModel<double>(fit.parameters).phi_max();
  for (std::size_t i = 0; i < residuals.points.size(); ++i) {
    omega += values[2 * i] * values[2 * i];
    zeta += values[2 * i + 1] * values[2 * i + 1];
    weights += residuals.points[i].weight;
    fit.macroslip_points += residuals.points[i].data.q > phi_max ? 1 : 0;
  }
  fit.omega_serial = serial_correlation(residuals, values, 0);
  fit.zeta_serial = serial_correlation(residuals, values, 1);
  fit.omega_residual = residuals.omega_error * std::sqrt(omega / weights);
  fit.zeta_residual = residuals.zeta_error * std::sqrt(zeta / weights);
}

/// Parameters that may move, which is not so for one pressed against a bound.
std::array<bool, modal_iwan_size> free_parameters(const FitVector& x, const Box& box,
                                                  const ModalIwanFitOptions& options, ModalIwanFit& fit) {
  std::array<bool, modal_iwan_size> free{};
  for (int k = 0; k < modal_iwan_size; ++k) {
    const double tolerance = 1e-9 * (box.high[k] - box.low[k]);
    const bool at_bound = x[k] <= box.low[k] + tolerance || x[k] >= box.high[k] - tolerance;
    free[k] = !options.fixed[k] && !at_bound;
    if (!options.fixed[k] && at_bound) fit.at_bound.emplace_back(modal_iwan_names[k]);
  }
  return free;
}

}  // namespace

ModalIwanFit fit_modal_iwan(const std::vector<AmplitudePoint>& points, const ModalIwanFitOptions& options,
                            const Observer& observer) {
  check_points(points);
  check_options(options);
  ModalIwanFit fit;
  ModalIwanResiduals residuals{weighted(points, options.weigh_by_log_q),
                               options.omega_form,
                               options.zeta_form,
                               options.omega_error,
                               options.zeta_error,
                               1.0};
  fit.points = static_cast<int>(residuals.points.size());
  fit.dropped = static_cast<int>(points.size() - residuals.points.size());
  if (residuals.points.size() < fewest_amplitudes ||
      !(residuals.points.back().data.q > residuals.points.front().data.q)) {
    fit.message =
        fmt::format("a fit needs at least {} amplitudes with zeta > 0, got {}", fewest_amplitudes, fit.points);
    return fit;
  }
  double omega_low = residuals.points.front().data.omega, omega_high = omega_low;
  residuals.zeta_scale = residuals.points.front().data.zeta;
  for (const WeightedPoint& point : residuals.points) {
    omega_low = std::min(omega_low, point.data.omega);
    omega_high = std::max(omega_high, point.data.omega);
    residuals.zeta_scale = std::min(residuals.zeta_scale, point.data.zeta);
  }
  if (residuals.omega_error == 0.0) residuals.omega_error = std::max(0.1 * (omega_high / omega_low - 1.0), 1e-9);

  if (!options.fixed[2] && !macroslip_shows(residuals.points)) {
    residuals.least_phi_max = 1.01 * largest_swing(residuals.points.back().data, residuals.zeta_form);
  }
  const auto bounds = parameter_bounds(residuals, options);
  Box box;
  for (int k = 0; k < modal_iwan_size; ++k) {
    box.low[k] = residuals.coordinate(k, bounds[k].low);
    box.high[k] = residuals.coordinate(k, bounds[k].high);
    if (!(box.low[k] < box.high[k])) {
      throw std::invalid_argument(
          fmt::format("{}: bounds [{:g}, {:g}] leave nothing", modal_iwan_names[k], bounds[k].low, bounds[k].high));
    }
  }
  const ModalIwanResiduals few = thinned(residuals, start_points);
  ModalIwanResiduals fewer = thinned(residuals, grid_points);
  if (fewer.zeta_form == ZetaForm::decrement) fewer.zeta_form = ZetaForm::tangent;  // near enough, and faster
  std::vector<Minimum> minima;
  const auto candidates = modal_iwan_starts(fewer, options.fixed, starts);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (observer && !observer(static_cast<double>(i) / static_cast<double>(candidates.size() + 2))) {
      fit.ending = Ending::interrupted;
      fit.message = "interrupted";
      return fit;
    }
    minima.push_back(minimise(few, few.coordinates(candidates[i]), box, options, 1e-4));
    fit.iterations += minima.back().iterations;
  }
  std::erase_if(minima, [](const Minimum& m) { return !m.usable; });
  std::stable_sort(minima.begin(), minima.end(), [](const Minimum& a, const Minimum& b) { return a.cost < b.cost; });
  if (minima.empty()) {
    fit.message = "no start led to a finite sum of squares";
    return fit;
  }
  const Minimum best = minimise(residuals, minima.front().x, box, options, 1e-13);
  fit.iterations += best.iterations;
  fit.parameters = residuals.parameters(best.x);
  fit.ending = best.usable && best.converged ? Ending::completed : Ending::no_convergence;
  if (!best.converged) fit.message = fmt::format("no minimum after {} iterations", best.iterations);
  add_residuals(residuals, best.x, fit);
  const auto free = free_parameters(best.x, box, options, fit);
  if (!fit.at_bound.empty()) {
    fit.message += fmt::format("{}at its bound: {}", fit.message.empty() ? "" : "; ", fmt::join(fit.at_bound, ", "));
  }
  if (fit.dropped > 0) {
    fit.message += fmt::format("{}{} of {} points left out, where zeta <= 0", fit.message.empty() ? "" : "; ",
                               fit.dropped, points.size());
  }
  add_statistics(residuals, best.x, free, fit);
  return fit;
}

}  // namespace microslip
