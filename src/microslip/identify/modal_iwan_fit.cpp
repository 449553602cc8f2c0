#include "microslip/identify/modal_iwan_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "microslip/identify/modal_iwan_evidence.hpp"
#include "microslip/identify/modal_iwan_minimum.hpp"
#include "microslip/identify/modal_iwan_profile.hpp"
#include "microslip/identify/modal_iwan_starts.hpp"
#include "microslip/identify/modal_iwan_statistics.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/stretch_weights.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_amplitudes = 4;
constexpr std::size_t grid_points = 40;    // of the data that the grid of starts sees, evenly along ln q
constexpr std::size_t start_points = 100;  // that the minimisation from each start sees
constexpr std::size_t profile_points = 60;
constexpr std::size_t starts = 4;

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
    for (std::size_t k = 0; k < i; ++k) {  // a rise that can be seen, over one stretch or several
      const double rise = curve[i].second - curve[k].second;
      if (rise > steep * (curve[i].first - curve[k].first) && rise > 0.2) return true;
    }
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

FitBox fit_box(const ModalIwanResiduals& residuals, const ModalIwanFitOptions& options) {
  const auto bounds = parameter_bounds(residuals, options);
  FitBox box;
  for (int k = 0; k < modal_iwan_size; ++k) {
    box.low[k] = residuals.coordinate(k, bounds[k].low);
    box.high[k] = residuals.coordinate(k, bounds[k].high);
    box.held[k] = options.fixed[k].has_value();
    if (!(box.low[k] < box.high[k])) {
      throw std::invalid_argument(
          fmt::format("{}: bounds [{:g}, {:g}] leave nothing", modal_iwan_names[k], bounds[k].low, bounds[k].high));
    }
  }
  return box;
}

/// Minima from several starts.
struct Search {
  const ModalIwanFitOptions& options;
  const FitBox& box;
  const Observer& observer;
  int iterations = 0;
  bool interrupted = false;

  /// The best first: roughly from every start, then to the end where that may lead to another or a better one.
  std::vector<FitMinimum> minima(const ModalIwanResiduals& residuals) {
    const ModalIwanResiduals few = thinned(residuals, start_points);
    ModalIwanResiduals fewer = thinned(residuals, grid_points);
    double damping = 0.0;
    for (const WeightedPoint& point : fewer.points) damping = std::max(damping, point.data.zeta);
    const bool light = damping < 0.05;  // a tangent is near enough then, and faster
    if (fewer.zeta_form == ZetaForm::decrement && light) fewer.zeta_form = ZetaForm::tangent;
    std::vector<FitMinimum> rough;
    std::vector<FitVector> candidates;
    for (const auto& start : modal_iwan_starts(fewer, options.fixed, static_cast<int>(starts))) {
      candidates.push_back(few.coordinates(start));
    }
    for (const double chi : {-0.1, -0.5, -0.85}) {  // the grid has one chi for each phi_max
      if (light || candidates.empty() || options.fixed[4]) break;
      candidates.push_back(candidates.front());
      candidates.back()[4] = chi;
    }
    if (!light && !candidates.empty() && !options.fixed[2]) add_onsets(residuals, candidates);
    for (std::size_t i = 0; i < candidates.size() && !interrupted; ++i) {
      interrupted = observer && !observer(static_cast<double>(i) / static_cast<double>(candidates.size() + 2));
      if (!interrupted) add(minimise(few, candidates[i], box, options.max_iterations, 1e-4), rough);
    }
    std::vector<FitMinimum> finer, result;
    for (const FitMinimum& start : rough) {
      if (interrupted || finer.size() == starts || start.cost > hopeless * rough.front().cost ||
          is_near(start, rough, 0.02)) {
        continue;
      }
      add(minimise(residuals, start.x, box, options.max_iterations, 1e-6), finer);
    }
    for (const FitMinimum& start : finer) {
      if (interrupted || start.cost > 2.0 * finer.front().cost || is_near(start, finer, 1e-3)) continue;
      add(minimise(residuals, start.x, box, options.max_iterations, 1e-13), result);
    }
    return result;
  }

  /// From one start; nothing if it is worse than `worst` by far.
  std::vector<FitMinimum> minimum_near(const ModalIwanResiduals& residuals, const FitVector& x, double worst) {
    std::vector<FitMinimum> result;
    const ModalIwanResiduals few = thinned(residuals, start_points);
    add(minimise(few, x, box, options.max_iterations, 1e-4), result);
    if (result.empty() || residuals.cost(result.front().x) > hopeless * worst) return {};
    const FitVector start = result.front().x;
    result.clear();
    add(minimise(residuals, start, box, options.max_iterations, 1e-13), result);
    return result;
  }

 private:
  static constexpr double hopeless = 4.0;  // times the least sum of squares

  /// Heavy damping leaves few rows in macroslip, each far from the next: an onset between any two of them may be a
  /// minimum of its own.
  static void add_onsets(const ModalIwanResiduals& residuals, std::vector<FitVector>& candidates) {
    constexpr std::size_t most = 5;
    const FitVector best = candidates.front();
    const double phi_max = ModalIwanModel<double>(residuals.parameters(best)).phi_max();
    const std::size_t n = residuals.points.size();
    for (std::size_t i = 0; i < std::min(most, n - 1); ++i) {
      const double onset = std::sqrt(residuals.points[n - 1 - i].data.q * residuals.points[n - 2 - i].data.q);
      candidates.push_back(best);
      candidates.back()[2] += std::log(onset / phi_max);  // phi_max goes with F_S
    }
  }
  static double distance(const FitVector& a, const FitVector& b) {
    double largest = 0.0;
    for (int k = 0; k < modal_iwan_size; ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
    return largest;
  }
  /// To one that stands before it.
  static bool is_near(const FitMinimum& minimum, const std::vector<FitMinimum>& sorted, double near) {
    for (const FitMinimum& other : sorted) {
      if (&other == &minimum) return false;
      if (distance(other.x, minimum.x) < near) return true;
    }
    return false;
  }
  void add(const FitMinimum& minimum, std::vector<FitMinimum>& sorted) {
    iterations += minimum.iterations;
    if (!minimum.usable) return;
    const auto after =
        std::find_if(sorted.begin(), sorted.end(), [&](const FitMinimum& other) { return other.cost > minimum.cost; });
    sorted.insert(after, minimum);
  }
};

/// Whether what `better` fits better may be chance: the gain over the variance that the residuals have, as many as are
/// independent, is less than 12 (of two numbers more, three standard deviations), or no more than errors of the closed
/// forms and of windows make.
bool fits_as_well(const ModalIwanResiduals& residuals, const FitMinimum& worse, const FitMinimum& better,
                  const FitBox& box) {
  constexpr double chance = 12.0;
  const auto parameters = static_cast<int>(std::count(box.held.begin(), box.held.end(), false));
  const RowEvidence evidence = row_evidence(residuals, worse.x, parameters);
  const double by_chance = chance * better.cost / evidence.left_by(parameters);
  const double by_form = row_evidence(residuals, better.x, parameters).bias_cost;
  return worse.cost - better.cost < by_chance + by_form;
}

/// Parameters that may move, which is not so for one pressed against a bound.
std::array<bool, modal_iwan_size> free_parameters(const FitVector& x, const FitBox& box,
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
  const FitBox box = fit_box(residuals, options);
  Search search{options, box, observer};
  std::vector<FitMinimum> minima = search.minima(residuals);
  if (residuals.least_phi_max == 0.0 && !options.fixed[2] && !minima.empty() && !search.interrupted) {
    ModalIwanResiduals beyond = residuals;
    beyond.least_phi_max = 1.01 * largest_swing(residuals.points.back().data, residuals.zeta_form);
    FitVector start = minima.front().x;  // phi_max goes with F_S
    const double phi_max = ModalIwanModel<double>(residuals.parameters(start)).phi_max();
    start[2] += std::log(std::max(1.05 * beyond.least_phi_max / phi_max, 1.0));
    const double worst = minima.front().cost + row_evidence(residuals, minima.front().x, 0).bias_cost;
    std::vector<FitMinimum> without = search.minimum_near(beyond, start, worst);
    if (!without.empty() && fits_as_well(beyond, without.front(), minima.front(), box)) {
      residuals = std::move(beyond);
      minima = std::move(without);
    }
  }
  fit.iterations = search.iterations;
  if (search.interrupted) {
    fit.ending = Ending::interrupted;
    fit.message = "interrupted";
    return fit;
  }
  if (minima.empty()) {
    fit.message = "no start led to a finite sum of squares";
    return fit;
  }
  const FitMinimum best = minima.front();
  fit.parameters = residuals.parameters(best.x);
  fit.ending = best.converged ? Ending::completed : Ending::no_convergence;
  if (!best.converged) fit.message = fmt::format("no minimum after {} iterations", best.iterations);
  add_residuals(residuals, best.x, fit);
  const auto free = free_parameters(best.x, box, options, fit);
  if (!fit.at_bound.empty()) add_note(fmt::format("at its bound: {}", fmt::join(fit.at_bound, ", ")), fit.message);
  if (fit.dropped > 0) {
    add_note(fmt::format("{} of {} points left out, where zeta <= 0", fit.dropped, points.size()), fit.message);
  }
  std::array<bool, modal_iwan_size> fitted{};
  for (int k = 0; k < modal_iwan_size; ++k) fitted[k] = !options.fixed[k];
  add_statistics(residuals, best.x, free, fitted, fit);
  minima.erase(std::remove_if(minima.begin() + 1, minima.end(),
                              [&](const FitMinimum& m) { return !fits_as_well(residuals, m, best, box); }),
               minima.end());
  add_other_minima(residuals, minima, free, fit);
  add_flat_profiles(thinned(residuals, profile_points), best.x, box, free, fit);
  return fit;
}

}  // namespace microslip
