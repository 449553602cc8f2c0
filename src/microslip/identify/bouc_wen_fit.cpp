#include "microslip/identify/bouc_wen_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "microslip/identify/bouc_wen_errors.hpp"
#include "microslip/identify/bouc_wen_minimum.hpp"
#include "microslip/identify/bouc_wen_residuals.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/golden_section.hpp"

namespace microslip {
namespace {

using Parameters = BoucWen<double>::Parameters;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr int alpha_points = 24;                       // of the scan over the elastic stiffness
constexpr double poor_share = 0.5, lost_share = 0.95;  // standard errors over sizes; beta ends at 0, one size away
constexpr double large_offset = 0.05;                  // of a loop, over its nonlinear part
constexpr int most_rounds = 3;                         // lower minima met on the way to the errors
constexpr int free_starts = 3;                         // candidates that go on with n free

/// The steps of all records, weighed for the equation of slopes.
struct Steps {
  Eigen::ArrayXd du, df, u, f;  ///< u and f in the middle
  Eigen::ArrayXd weight;        ///< so that the sum of squares is a share of the departure from a constant slope
};

Steps steps_of(const std::vector<HysteresisRecord>& records) {
  std::size_t count = 0;
  for (const HysteresisRecord& record : records) count += record.size();
  Steps steps;
  for (Eigen::ArrayXd* column : {&steps.du, &steps.df, &steps.u, &steps.f, &steps.weight}) {
    column->resize(static_cast<Eigen::Index>(count));
  }
  Eigen::Index row = 0;
  for (const HysteresisRecord& record : records) {
    const Eigen::Index first = row;
    const std::size_t points = record.size();
    for (std::size_t i = 0; i < points; ++i, ++row) {
      // A loop ends at its first point; a history begins at rest.
      const bool rest = !record.closed && i == 0;
      const std::size_t before = record.closed ? i : i - 1, after = record.closed ? (i + 1) % points : i;
      const double u0 = rest ? 0.0 : record.u[before], f0 = rest ? 0.0 : record.f[before];
      steps.du[row] = record.u[after] - u0;
      steps.df[row] = record.f[after] - f0;
      steps.u[row] = 0.5 * (record.u[after] + u0);
      steps.f[row] = 0.5 * (record.f[after] + f0);
      steps.weight[row] = record.weight.empty() ? 1.0 : std::sqrt(record.weight[after]);
    }
    const auto du = steps.du.segment(first, row - first), df = steps.df.segment(first, row - first);
    const double slope = (du * df).sum() / du.square().sum();
    const double departure = (df - slope * du).square().sum();
    const double whole = departure > 1e-24 * df.square().sum() ? departure : df.square().sum();
    steps.weight.segment(first, row - first) /= std::sqrt(whole * static_cast<double>(records.size()));
  }
  return steps;
}

/// F = elastic u + tangent w, dw = du - beta |du| |w|^(n-1) w - gamma du |w|^n: the law with A = 1.
struct ScaledLaw {
  double elastic = 0.0, tangent = 0.0, beta = 0.0, gamma = 0.0;
  double residual = std::numeric_limits<double>::infinity();
};

/// Linear least squares for one n and one elastic stiffness; `tangent` given or free.
ScaledLaw solve_linear(const Steps& steps, double n, double elastic, std::optional<double> tangent) {
  const Eigen::ArrayXd g = steps.f - elastic * steps.u;
  const double largest = g.abs().maxCoeff();
  ScaledLaw result;
  if (!(largest > 0.0)) return result;
  const Eigen::ArrayXd power = g.unaryExpr([&](double x) { return std::pow(std::abs(x) / largest, n); });
  const Eigen::Index unknowns = tangent ? 2 : 3;
  Eigen::MatrixXd columns(g.size(), unknowns);
  columns.col(0) = (-steps.weight * steps.du.abs() * power * g.sign()).matrix();
  columns.col(1) = (-steps.weight * steps.du * power).matrix();
  if (!tangent) columns.col(2) = (steps.weight * steps.du).matrix();
  const double known = tangent.value_or(0.0);
  const Eigen::VectorXd right = (steps.weight * (steps.df - (elastic + known) * steps.du)).matrix();
  const Eigen::RowVectorXd scale = columns.cwiseAbs().colwise().maxCoeff().cwiseMax(1e-300);
  const Eigen::MatrixXd normalised = columns * scale.cwiseInverse().asDiagonal();
  const Eigen::VectorXd solution = least_squares(normalised, right);
  result.elastic = elastic;
  result.tangent = tangent ? known : solution[2] / scale[2];
  if (!(result.tangent > 0.0)) return result;
  // beta tangent W^n with W = largest/tangent.
  const double unit = result.tangent * std::pow(largest / result.tangent, n);
  result.beta = solution[0] / scale[0] / unit;
  result.gamma = solution[1] / scale[1] / unit;
  result.residual = (normalised * solution - right).norm();
  return result;
}

/// Residual of the same equation for given parameters.
double equation_of(const Steps& steps, const Parameters& p) {
  const double elastic = p.alpha * p.k0, hysteretic = (1.0 - p.alpha) * p.k0;
  double square = 0.0;
  for (Eigen::Index i = 0; i < steps.du.size(); ++i) {
    const double z = (steps.f[i] - elastic * steps.u[i]) / hysteretic, du = steps.du[i];
    const double power = std::pow(std::abs(z), p.n);
    const double dz = p.a * du - p.beta * std::abs(du) * std::copysign(power, z) - p.gamma * du * power;
    square += std::pow(steps.weight[i] * (steps.df[i] - elastic * du - hysteretic * dz), 2);
  }
  return std::sqrt(square);
}

/// The tangent that goes with an elastic stiffness, where it is not free.
std::optional<double> tangent_of(double elastic, const BoucWenFitOptions& options) {
  if (!options.a) return std::nullopt;
  if (options.k0) return (*options.k0 - elastic) * *options.a;
  if (options.alpha && *options.alpha > 0.0) return elastic * (1.0 - *options.alpha) / *options.alpha * *options.a;
  return std::nullopt;
}

ScaledLaw solve(const Steps& steps, double n, double stiffest, const BoucWenFitOptions& options) {
  const auto at = [&](double elastic) { return solve_linear(steps, n, elastic, tangent_of(elastic, options)); };
  if (options.alpha && (options.k0 || *options.alpha == 0.0)) return at(*options.alpha * options.k0.value_or(0.0));
  // The elastic stiffness: scan, then golden section around the best.
  const double most = std::min(stiffest, options.k0.value_or(stiffest)) * highest_alpha;
  double best = 0.0, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= alpha_points; ++i) {
    const double elastic = most * i / alpha_points;
    const double residual = at(elastic).residual;
    if (residual < least) least = residual, best = elastic;
  }
  const double step = most / alpha_points;
  const double found = golden_section(std::max(best - step, 0.0), std::min(best + step, most), 1e-7 * most,
                                      [&](double elastic) { return at(elastic).residual; });
  const ScaledLaw refined = at(found), scanned = at(best);
  return refined.residual < scanned.residual ? refined : scanned;
}

/// z = A w: beta and gamma take A^(1-n).
Parameters unscale(const ScaledLaw& s, double n, const BoucWenFitOptions& options) {
  Parameters p;
  p.k0 = options.k0 ? *options.k0 : s.elastic + s.tangent / *options.a;
  p.alpha = options.alpha ? *options.alpha : s.elastic / p.k0;
  p.a = options.a ? *options.a : s.tangent / ((1.0 - p.alpha) * p.k0);
  p.beta = s.beta * std::pow(p.a, 1.0 - n);
  p.gamma = s.gamma * std::pow(p.a, 1.0 - n);
  p.n = n;
  return p;
}

/// Largest secant stiffness that all records allow an elastic spring to have.
double secant_of(const std::vector<HysteresisRecord>& records) {
  double secant = std::numeric_limits<double>::infinity();
  for (const HysteresisRecord& record : records) {
    const auto [u_low, u_high] = std::minmax_element(record.u.begin(), record.u.end());
    const auto [f_low, f_high] = std::minmax_element(record.f.begin(), record.f.end());
    secant = std::min(secant, (*f_high - *f_low) / (*u_high - *u_low));
  }
  return secant;
}

double largest_u(const std::vector<HysteresisRecord>& records) {
  double largest = 0.0;
  for (const HysteresisRecord& record : records) {
    for (const double u : record.u) largest = std::max(largest, std::abs(u));
  }
  return largest;
}

void add_misfit(const std::vector<HysteresisRecord>& records, BoucWenCandidate& candidate,
                std::vector<BoucWenRecordFit>* fits = nullptr) {
  candidate.misfit = candidate.work_error = none;
  if (!admissibility(candidate.parameters).law) return;
  const BoucWen<double> law(candidate.parameters);
  double square = 0.0, error = 0.0;
  for (const HysteresisRecord& record : records) {
    BoucWenRecordFit fit;
    fit.f = bouc_wen_forces(law, record);
    if (fit.f.empty()) return;
    double sum = 0.0;
    for (std::size_t i = 0; i < record.size(); ++i) {
      sum += (record.weight.empty() ? 1.0 : record.weight[i]) * std::pow(fit.f[i] - record.f[i], 2);
    }
    fit.misfit = std::sqrt(sum / static_cast<double>(record.size())) / nonlinear_part(record);
    fit.work = work(record, record.f);
    fit.work_model = work(record, fit.f);
    square += fit.misfit * fit.misfit / static_cast<double>(records.size());
    error = std::max(error, std::abs(fit.work_model / fit.work - 1.0));
    if (fits == nullptr) continue;
    const auto [u_low, u_high] = std::minmax_element(record.u.begin(), record.u.end());
    const auto [f_low, f_high] = std::minmax_element(record.f.begin(), record.f.end());
    const BoucWenCycle same_u = cycle_of_amplitude(law, 0.5 * (*u_high - *u_low));
    const BoucWenCycle same_f = cycle_of_force(law, 0.5 * (*f_high - *f_low));
    fit.dissipation = same_u.found ? same_u.dissipation : none;
    fit.dissipation_force = same_f.found ? same_f.dissipation : none;
    fits->push_back(std::move(fit));
  }
  candidate.misfit = std::sqrt(square);
  candidate.work_error = error;
}

BoucWenHeld held_coordinates(const BoucWenFitOptions& options, bool n_free) {
  return {options.k0.has_value(), options.alpha.has_value(), options.a.has_value(), false, false, !n_free};
}

/// Step 2 from a candidate that the law takes.
BoucWenCandidate polish(const std::vector<HysteresisRecord>& records, const BoucWenCandidate& from, bool n_free,
                        const BoucWenFitOptions& options, int& iterations) {
  const Parameters& p = from.parameters;
  BoucWenResiduals residuals(records, p.a * largest_u(records));
  const BoucWenVector x = residuals.coordinates(p);
  const CoordinateBox box = bouc_wen_box(x, options.n_low, options.n_high, held_coordinates(options, n_free));
  const BoundedMinimum minimum = minimise_forces(residuals, x, box, options.max_iterations);
  iterations += minimum.iterations;
  BoucWenCandidate result;
  result.stage = n_free ? BoucWenStage::free : BoucWenStage::polished;
  result.parameters = residuals.parameters(minimum.x);
  // What was given stays as it was, to the last bit.
  if (options.k0) result.parameters.k0 = *options.k0;
  if (options.alpha) result.parameters.alpha = *options.alpha;
  if (options.a) result.parameters.a = *options.a;
  if (!n_free) result.parameters.n = p.n;
  result.converged = minimum.converged;
  result.equation = equation_of(steps_of(records), result.parameters);
  add_misfit(records, result);
  if (!minimum.usable) result.misfit = none;
  return result;
}

bool better(double a, double b) {
  return std::isfinite(a) && (!std::isfinite(b) || a < b);
}

/// The direction of the free coordinates in which the misfit is flattest.
void add_sensitivity(const std::vector<HysteresisRecord>& records, const BoucWenFitOptions& options, BoucWenFit& fit) {
  constexpr std::array<const char*, bouc_wen_size> names = {"k0", "alpha", "A", "beta", "beta + gamma", "n"};
  fit.sensitivity = none;
  if (!options.polish) return;
  BoucWenResiduals residuals(records, fit.best.parameters.a * largest_u(records));
  std::vector<double> values(residuals.size()), jacobian(residuals.size() * bouc_wen_size);
  if (!residuals.evaluate(residuals.coordinates(fit.best.parameters), values, jacobian)) return;
  const BoucWenHeld held = held_coordinates(options, !options.n);
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, bouc_wen_size, Eigen::RowMajor>> all(
      jacobian.data(), static_cast<Eigen::Index>(residuals.size()), bouc_wen_size);
  std::vector<int> free;
  for (int k = 0; k < bouc_wen_size; ++k) {
    if (!held[k]) free.push_back(k);
  }
  Eigen::MatrixXd columns(all.rows(), static_cast<Eigen::Index>(free.size()));
  for (std::size_t j = 0; j < free.size(); ++j) columns.col(static_cast<Eigen::Index>(j)) = all.col(free[j]);
  const SymmetricEigen eigen = symmetric_eigen(columns.transpose() * columns);
  fit.sensitivity = std::sqrt(std::max(eigen.values[0], 0.0));
  for (std::size_t j = 0; j < free.size(); ++j) {
    if (std::abs(eigen.vectors(static_cast<Eigen::Index>(j), 0)) > 0.3) fit.weakest.emplace_back(names[free[j]]);
  }
}

/// What an error is measured by: alpha is a share, gamma stands beside beta.
BoucWenEstimates sizes(const Parameters& p) {
  return {p.k0, 0.5, p.a, p.beta, p.beta + std::abs(p.gamma), p.n};
}

/// Errors of the best candidate; a lower minimum that is met on the way becomes the best. `stopped` takes the fraction
/// done and makes the fit an interrupted one.
template <class Stopped>
void add_errors(const std::vector<HysteresisRecord>& records, const BoucWenFitOptions& options, Stopped&& stopped,
                BoucWenFit& fit) {
  fit.errors.fill(none);
  if (!options.polish || fit.ending == Ending::interrupted) return;
  const BoucWenHeld held = held_coordinates(options, !options.n);
  BoucWenErrors found;
  for (int round = 0;; ++round) {
    std::vector<BoucWenCandidate> minima = fit.candidates;
    std::erase_if(minima, [](const BoucWenCandidate& c) { return c.stage < BoucWenStage::polished; });
    const Parameters& p = fit.best.parameters;
    // Half of the work is done; most fits take one round, each after it half of what is left.
    const double left = std::ldexp(0.5, -round);
    found = bouc_wen_errors(records, p, p.a * largest_u(records), minima, held, options, fit.iterations,
                            [&](double fraction) { return !stopped(1.0 - left + 0.5 * left * fraction); });
    if (found.interrupted) {
      fit.message = "interrupted before the standard errors were known";
      return;
    }
    if (!found.improved || round == most_rounds) break;  // the errors are those of the best
    BoucWenCandidate lower;
    lower.parameters = *found.improved;
    lower = polish(records, lower, !options.n, options, fit.iterations);
    if (!better(lower.misfit, fit.best.misfit)) break;
    fit.chosen = fit.candidates.size();
    fit.candidates.push_back(lower);
    fit.best = lower;
  }
  fit.errors = found.error;
  fit.independent = found.independent;
  fit.offset = found.offset;
  const BoucWenEstimates size = sizes(fit.best.parameters);
  for (std::size_t k = 0; k < size.size(); ++k) {
    if (!(fit.errors[k] > poor_share * size[k])) continue;
    const bool lost = !(fit.errors[k] < lost_share * size[k]);
    if (lost) fit.errors[k] = std::numeric_limits<double>::infinity();
    (lost ? fit.undetermined : fit.poor).emplace_back(bouc_wen_names[k]);
  }
}

void check(const std::vector<HysteresisRecord>& records, const BoucWenFitOptions& options) {
  if (records.empty()) throw std::invalid_argument("a Bouc-Wen fit needs data");
  if (!options.a && !options.k0) {
    throw std::invalid_argument("k0 and A say the same where both are free: give one of them");
  }
  const bool wrong = (options.k0 && !(*options.k0 > 0.0)) || (options.a && !(*options.a > 0.0)) ||
                     (options.alpha && !(*options.alpha >= 0.0 && *options.alpha < 1.0)) ||
                     (options.n && !(*options.n >= 0.01)) || !(options.n_low >= 0.01) ||
                     !(options.n_low < options.n_high) || options.n_points < 2;
  if (wrong) throw std::invalid_argument("a given parameter or the range of n is out of bounds");
}

std::vector<double> exponents(const BoucWenFitOptions& options) {
  if (options.n) return {*options.n};
  std::vector<double> list;
  const double ratio = options.n_high / options.n_low;
  for (int i = 0; i < options.n_points; ++i) {
    list.push_back(options.n_low * std::pow(ratio, static_cast<double>(i) / (options.n_points - 1)));
  }
  list.back() = options.n_high;
  return list;
}

/// Step 1 for each n, and where the equation of slopes is best.
void least_squares_candidates(const std::vector<HysteresisRecord>& records, const BoucWenFitOptions& options,
                              std::vector<BoucWenCandidate>& candidates) {
  const std::size_t first = candidates.size();
  for (const double n : exponents(options)) candidates.push_back(bouc_wen_least_squares(records, n, options));
  if (options.n) return;
  std::size_t best = first;
  for (std::size_t i = first; i < candidates.size(); ++i) {
    if (candidates[i].equation < candidates[best].equation) best = i;
  }
  if (best == first || best + 1 == candidates.size()) return;
  const double n = golden_section(candidates[best - 1].parameters.n, candidates[best + 1].parameters.n, 1e-4,
                                  [&](double at) { return bouc_wen_least_squares(records, at, options).equation; });
  const BoucWenCandidate refined = bouc_wen_least_squares(records, n, options);
  const auto place =
      candidates.begin() + static_cast<std::ptrdiff_t>(n < candidates[best].parameters.n ? best : best + 1);
  candidates.insert(place, refined);
}

/// What a caller's start has that was not given otherwise.
BoucWenCandidate start_of(const std::vector<HysteresisRecord>& records, const Parameters& start) {
  BoucWenCandidate candidate;
  candidate.stage = BoucWenStage::start;
  candidate.parameters = start;
  candidate.equation = equation_of(steps_of(records), start);
  add_misfit(records, candidate);
  return candidate;
}

/// The start with what is given put in.
BoucWenCandidate obedient(BoucWenCandidate candidate, const BoucWenFitOptions& options) {
  Parameters& p = candidate.parameters;
  if (options.k0) p.k0 = *options.k0;
  if (options.alpha) p.alpha = *options.alpha;
  if (options.a && *options.a != p.a) {
    const double factor = std::pow(*options.a / p.a, 1.0 - p.n);
    p.beta *= factor;
    p.gamma *= factor;
    p.a = *options.a;
  }
  if (options.n) p.n = *options.n;
  return candidate;
}

}  // namespace

std::vector<double> bouc_wen_forces(const BoucWen<double>& law, const HysteresisRecord& record) {
  std::vector<double> force;
  double z0 = 0.0;
  if (!steady_forces(law, record, z0, force)) force.clear();
  return force;
}

BoucWenCandidate bouc_wen_least_squares(const std::vector<HysteresisRecord>& records, double n,
                                        const BoucWenFitOptions& options) {
  check(records, options);
  const ScaledLaw scaled = solve(steps_of(records), n, secant_of(records), options);
  BoucWenCandidate candidate;
  candidate.equation = scaled.residual;
  candidate.parameters = unscale(scaled, n, options);
  add_misfit(records, candidate);
  return candidate;
}

BoucWenFit fit_bouc_wen(const std::vector<HysteresisRecord>& records, const BoucWenFitOptions& options,
                        const Observer& observer) {
  check(records, options);
  BoucWenFit fit;
  const auto stopped = [&](double fraction) {
    if (!observer || observer(fraction)) return false;
    fit.ending = Ending::interrupted;
    fit.message = "interrupted";
    return true;
  };
  for (const Parameters& start : options.starts) fit.candidates.push_back(start_of(records, start));
  const std::size_t given = fit.candidates.size();
  least_squares_candidates(records, options, fit.candidates);
  const std::size_t linear = fit.candidates.size();

  if (options.polish) {
    for (std::size_t i = 0; i < linear; ++i) {
      if (stopped(0.05 + 0.3 * static_cast<double>(i) / static_cast<double>(linear))) break;
      const BoucWenCandidate from = obedient(fit.candidates[i], options);
      if (!admissibility(from.parameters).law) continue;
      fit.candidates.push_back(polish(records, from, false, options, fit.iterations));
    }
    if (!options.n && fit.ending != Ending::interrupted) {
      std::vector<BoucWenCandidate> starts(fit.candidates.begin() + static_cast<std::ptrdiff_t>(linear),
                                           fit.candidates.end());
      std::erase_if(starts, [](const BoucWenCandidate& c) { return !std::isfinite(c.misfit); });
      std::stable_sort(starts.begin(), starts.end(),
                       [](const BoucWenCandidate& a, const BoucWenCandidate& b) { return a.misfit < b.misfit; });
      if (starts.size() > free_starts) starts.resize(free_starts);
      BoucWenCandidate least;
      least.misfit = none;
      for (std::size_t i = 0; i < starts.size(); ++i) {
        if (stopped(0.35 + 0.15 * static_cast<double>(i) / free_starts)) break;
        const BoucWenCandidate candidate = polish(records, starts[i], true, options, fit.iterations);
        if (better(candidate.misfit, least.misfit)) least = candidate;
      }
      if (std::isfinite(least.misfit)) fit.candidates.push_back(least);
    }
  }

  // By the loop, or, of step 1 alone, by its own equation: the procedure of Paper II.
  fit.best.misfit = fit.best.equation = none;
  for (std::size_t i = given; i < fit.candidates.size(); ++i) {
    const BoucWenCandidate& candidate = fit.candidates[i];
    const bool admissible = std::isfinite(candidate.misfit);
    const bool wins = options.polish ? better(candidate.misfit, fit.best.misfit)
                                     : admissible && better(candidate.equation, fit.best.equation);
    if (!wins) continue;
    fit.best = candidate;
    fit.chosen = i;
  }
  if (!std::isfinite(fit.best.misfit)) {
    if (fit.ending != Ending::interrupted) {
      fit.message =
          "no n gives parameters that the law takes (beta > 0, beta + gamma > 0): is there hysteresis in the "
          "data, and does the path run clockwise in time?";
    }
    return fit;
  }
  add_errors(records, options, stopped, fit);
  add_misfit(records, fit.best, &fit.records);
  add_sensitivity(records, options, fit);
  const double n = fit.best.parameters.n;
  fit.n_at_bound = !options.n && (n <= options.n_low * (1.0 + 1e-9) || n >= options.n_high * (1.0 - 1e-9));
  if (fit.ending == Ending::interrupted) return fit;
  fit.ending = fit.best.converged ? Ending::completed : Ending::no_convergence;
  if (!fit.best.converged) fit.message = "the minimisation did not come to an end";
  if (fit.n_at_bound) add_note(fmt::format("n = {:g} is an end of its range", n), fit.message);
  if (fit.offset > large_offset) {
    add_note(fmt::format("the mean force of a loop is off by {:.3g} of its nonlinear part: a preload, or a loop that "
                         "is not steady yet",
                         fit.offset),
             fit.message);
  }
  if (!fit.undetermined.empty()) {
    add_note(fmt::format("the data do not determine {}: the standard error is as large as the parameter",
                         fmt::join(fit.undetermined, ", ")),
             fit.message);
  }
  if (!fit.poor.empty()) {
    add_note(fmt::format("poorly determined, with a standard error above half of it: {}", fmt::join(fit.poor, ", ")),
             fit.message);
  }
  return fit;
}

}  // namespace microslip
