#include "microslip/inference/posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "microslip/inference/chain_statistics.hpp"
#include "microslip/inference/least_squares.hpp"
#include "microslip/inference/posterior_density.hpp"
#include "microslip/inference/prior.hpp"
#include "microslip/inference/samples.hpp"
#include "microslip/inference/trajectories.hpp"
#include "microslip/inference/white_rows.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/percentile.hpp"
#include "microslip/numerics/shared_progress.hpp"

namespace microslip {
namespace {

constexpr std::uint64_t chain_streams = 2ULL << 40;
constexpr int most_tries = 20;            // points of the prior for one start
constexpr int start_iterations = 200;     // of least squares there
constexpr double start_tolerance = 1e-3;  // of half its sum of squares: chains begin within a standard error
constexpr double spread = 1.5;            // of starts around their minimum, in its standard deviations
constexpr double negligible_log = 20.0;   // a minimum with so much less of ln p is no place to begin
constexpr double agree = 1.01;            // R-hat
constexpr double least_size = 100.0;      // effective, a chain

/// A minimum where a chain can begin.
struct ChainStart {
  Eigen::VectorXd z;
  Eigen::MatrixXd units;
  double log_evidence = -std::numeric_limits<double>::infinity();  ///< ln p integrated as if it were normal there
  std::size_t evaluations = 0;
};

ChainStart find_start(const ResidualProblem& problem, const PosteriorDensity& density, const PosteriorOptions& options,
                      std::size_t chain, const std::function<bool()>& stopped) {
  ChainStart start;
  const Samples samples(SampleKind::random, problem.parameters().size(), 1ULL << 32, options.seed);
  for (std::size_t attempt = 0; attempt < most_tries && !stopped(); ++attempt) {
    const bool given = attempt == 0 && chain < options.from.size();
    const Eigen::VectorXd from =
        given ? options.from[chain] : samples.point(chain + attempt * options.chains, problem.parameters());
    const LeastSquares fit = fit_from(problem, from, start_iterations, stopped, start_tolerance);
    start.evaluations += fit.evaluations;
    if (fit.x.size() == 0 || fit.interrupted) continue;
    start.z = density.z_at(fit.x, fit.discrepancy);
    Eigen::VectorXd gradient(density.size());
    Eigen::MatrixXd curvature;
    const double log_density = density(start.z, gradient, &curvature);
    ++start.evaluations;
    if (!std::isfinite(log_density)) continue;
    const auto lower = lower_factor(curvature);
    if (!lower) continue;
    start.units = lower_transposed_solve(*lower, Eigen::MatrixXd::Identity(density.size(), density.size()));
    start.log_evidence = log_density - lower->diagonal().array().log().sum();
    return start;
  }
  return start;
}

/// What one chain has drawn.
struct ChainDraws {
  std::vector<Eigen::VectorXd> z;
  std::vector<double> log_density;
  std::size_t divergences = 0, ended = 0, cut_short = 0, evaluations = 0;
};

/// Covariance of the draws from `first` on, drawn to that of the units as far as they are few.
Eigen::MatrixXd learned_units(const std::vector<Eigen::VectorXd>& z, std::size_t first, const Eigen::MatrixXd& units) {
  const Eigen::Index n = units.rows();
  const auto count = static_cast<double>(z.size() - first);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(n);
  for (std::size_t i = first; i < z.size(); ++i) mean += z[i] / count;
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t i = first; i < z.size(); ++i) covariance.noalias() += (z[i] - mean) * (z[i] - mean).transpose();
  const double prior = 5.0 + 2.0 * static_cast<double>(n);
  covariance = (covariance + prior * units * units.transpose()) / (count + prior);
  const auto lower = lower_factor(covariance);
  return lower ? *lower : units;
}

ChainDraws draw_chain(const PosteriorDensity& density, const ChainStart& start, const PosteriorOptions& options,
                      std::size_t chain, SharedProgress& progress) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  ChainDraws result;
  const LogDensity counted = [&](const Eigen::VectorXd& z, Eigen::VectorXd& gradient) {
    if (!progress.add(0.0)) return none;
    ++result.evaluations;
    return density(z, gradient);
  };
  CounterRandom random(options.seed, chain_streams + chain);
  Eigen::VectorXd z = start.z, gradient(z.size()), off(z.size());
  for (double& value : off) value = random.normal();
  const Eigen::VectorXd away = z + spread * (start.units * off);
  if (std::isfinite(counted(away, gradient))) z = away;
  Trajectories trajectories(counted, z, start.units, options.acceptance, options.most_doublings, random);
  // Units are learned twice, from trajectories that begin with those of the minimum.
  const std::size_t first = options.warmup * 15 / 100, second = options.warmup * 2 / 5,
                    third = options.warmup * 17 / 20;
  std::vector<Eigen::VectorXd> seen;
  for (std::size_t i = 0; i < options.warmup && !progress.stopped(); ++i) {
    trajectories.advance(true);
    progress.add(1.0);
    if (i >= first) seen.push_back(trajectories.z());
    if (i + 1 == second || i + 1 == third) {
      trajectories.change_units(learned_units(seen, 0, trajectories.units()));
      seen.clear();
    }
  }
  trajectories.settle_step();
  for (std::size_t i = 0; i < options.draws && !progress.stopped(); ++i) {
    trajectories.advance(false);
    if (!progress.add(1.0)) break;
    result.z.push_back(trajectories.z());
    result.log_density.push_back(trajectories.log_density());
    result.divergences += trajectories.diverged() ? 1 : 0;
    result.ended += trajectories.met_nothing() ? 1 : 0;
    result.cut_short += trajectories.cut_short() ? 1 : 0;
  }
  return result;
}

ChainStatistics statistics_of(const Eigen::RowVectorXd& row, std::size_t chains) {
  ChainStatistics result;
  std::vector<double> values(row.begin(), row.end());
  const ChainDiagnosis diagnosis = diagnose(values, chains);
  result.r_hat = diagnosis.r_hat;
  result.bulk_size = diagnosis.bulk_size;
  result.tail_size = diagnosis.tail_size;
  result.mean = row.mean();
  if (row.size() > 1) {
    result.deviation = std::sqrt((row.array() - result.mean).square().sum() / static_cast<double>(row.size() - 1));
  }
  result.low = percentile(values, 0.025);
  result.median = percentile(values, 0.5);
  result.high = percentile(values, 0.975);
  return result;
}

/// Whether all is well, and sentences where it is not.
void judge(const ResidualProblem& problem, Posterior& posterior) {
  const double enough = least_size * static_cast<double>(posterior.chains);
  double worst = 0.0, fewest = std::numeric_limits<double>::infinity();
  std::string worst_name, fewest_name;
  bool known = true;
  const auto look = [&](const ChainStatistics& s, const std::string& name) {
    known = known && std::isfinite(s.r_hat);
    if (s.r_hat > worst) worst = s.r_hat, worst_name = name;
    const double size = std::min(s.bulk_size, s.tail_size);
    if (size < fewest) fewest = size, fewest_name = name;
  };
  for (std::size_t k = 0; k < posterior.parameters.size(); ++k) {
    look(posterior.parameters[k], problem.parameters()[k].name);
  }
  for (std::size_t g = 0; g < posterior.discrepancies.size(); ++g) {
    if (problem.groups()[g].discrepancy) {
      look(posterior.discrepancies[g], "the discrepancy of " + problem.groups()[g].name);
    }
  }
  const auto say = [&](const std::string& sentence) {
    posterior.message += (posterior.message.empty() ? "" : " ") + sentence;
  };
  if (!known) say("R-hat is not known: too few draws.");
  if (worst > agree) {
    say(fmt::format("The chains do not agree: R-hat of {} is {:.4g}, more than {}.", worst_name, worst, agree));
  }
  if (fewest < enough) {
    say(fmt::format("Too few independent draws: those of {} are worth {:.0f}, less than {:.0f}.", fewest_name, fewest,
                    enough));
  }
  if (posterior.divergences > 0) {
    say(
        fmt::format("{} trajectories left the level of their energy: the posterior may have places that they do not "
                    "reach.",
                    posterior.divergences));
  }
  if (posterior.ended > 0) say(fmt::format("{} trajectories ended where the model has no answer.", posterior.ended));
  if (posterior.longest > 0) {
    say(fmt::format("{} trajectories were cut short before they turned back.", posterior.longest));
  }
  posterior.converged = known && !(worst > agree) && !(fewest < enough) && !posterior.interrupted;
}

void fill_best(const ResidualProblem& problem, Posterior& posterior) {
  double most = -std::numeric_limits<double>::infinity();
  const auto& parameters = problem.parameters();
  for (Eigen::Index i = 0; i < posterior.draws.cols(); ++i) {
    // From the density of z to that of x: no ln of the standard normal, but that of the prior of x.
    double log_density = posterior.log_density(i);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const double x = posterior.draws(static_cast<Eigen::Index>(k), i), z = to_standard(parameters[k], x, 38.0);
      log_density += 0.5 * z * z;
      if (parameters[k].prior.normal) {
        log_density -= 0.5 * std::pow((x - parameters[k].prior.mean) / parameters[k].prior.deviation, 2);
      }
    }
    if (log_density > most) most = log_density, posterior.best = static_cast<std::size_t>(i);
  }
  const auto best = static_cast<Eigen::Index>(posterior.best);
  const Eigen::VectorXd x = posterior.draws.col(best), s = posterior.discrepancy.col(best);
  const WhiteRows rows = white_rows(problem, problem.evaluate(x, true), {s.data(), static_cast<std::size_t>(s.size())},
                                    Unreached::left_out);
  ++posterior.evaluations;
  if (!rows.why.empty()) return;
  const std::size_t missing = std::accumulate(rows.missing.begin(), rows.missing.end(), std::size_t{0});
  if (missing > 0) {
    posterior.message += fmt::format("{}{} of {} rows are not reached at the best draw.",
                                     posterior.message.empty() ? "" : " ", missing, problem.rows().size());
  }
  posterior.information =
      information_of(parameters, transpose_times(rows.jacobian, rows.jacobian), x, Eigen::VectorXd::Zero(x.size()));
}

}  // namespace

Posterior sample_posterior(const ResidualProblem& problem, const PosteriorOptions& options,
                           const std::function<bool(double fraction)>& observer) {
  Posterior posterior;
  const PosteriorDensity density(problem);
  const double steps = static_cast<double>(options.warmup + options.draws);
  SharedProgress progress(observer, static_cast<double>(options.chains) * (1.05 * steps));
  const auto stopped = [&] { return !progress.add(0.0); };
  std::vector<ChainStart> starts(options.chains);
  share_work(options.chains, options.threads, [&](std::size_t c) {
    starts[c] = find_start(problem, density, options, c, stopped);
    progress.add(0.05 * steps);
  });
  std::size_t best = 0, replaced = 0;
  for (std::size_t c = 0; c < starts.size(); ++c) {
    posterior.evaluations += starts[c].evaluations;
    if (starts[c].log_evidence > starts[best].log_evidence) best = c;
  }
  if (options.chains == 0 || !std::isfinite(starts[best].log_evidence)) {
    posterior.interrupted = progress.stopped();
    posterior.message = posterior.interrupted ? "Interrupted." : "No chain finds a place to begin.";
    return posterior;
  }
  for (ChainStart& start : starts) {
    if (start.log_evidence >= starts[best].log_evidence - negligible_log) continue;
    start = starts[best];
    ++replaced;
  }
  std::vector<ChainDraws> chains(options.chains);
  share_work(options.chains, options.threads,
             [&](std::size_t c) { chains[c] = draw_chain(density, starts[c], options, c, progress); });
  posterior.interrupted = progress.stopped();
  std::size_t length = options.draws;
  for (const ChainDraws& chain : chains) length = std::min(length, chain.z.size());
  const auto all = static_cast<Eigen::Index>(length * options.chains);
  posterior.chains = options.chains;
  posterior.draws.resize(static_cast<Eigen::Index>(problem.parameters().size()), all);
  posterior.discrepancy.resize(static_cast<Eigen::Index>(problem.groups().size()), all);
  posterior.log_density.resize(all);
  Eigen::Index column = 0;
  for (const ChainDraws& chain : chains) {
    posterior.divergences += chain.divergences;
    posterior.ended += chain.ended;
    posterior.longest += chain.cut_short;
    posterior.evaluations += chain.evaluations;
    for (std::size_t i = 0; i < length; ++i, ++column) {
      posterior.draws.col(column) = density.parameters_at(chain.z[i]);
      const std::vector<double> s = density.discrepancies_at(chain.z[i]);
      for (std::size_t g = 0; g < s.size(); ++g) posterior.discrepancy(static_cast<Eigen::Index>(g), column) = s[g];
      posterior.log_density(column) = chain.log_density[i];
    }
  }
  if (posterior.interrupted) posterior.message = "Interrupted.";
  if (length == 0) return posterior;
  for (Eigen::Index k = 0; k < posterior.draws.rows(); ++k) {
    posterior.parameters.push_back(statistics_of(posterior.draws.row(k), posterior.chains));
  }
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    posterior.discrepancies.push_back(
        problem.groups()[g].discrepancy
            ? statistics_of(posterior.discrepancy.row(static_cast<Eigen::Index>(g)), posterior.chains)
            : ChainStatistics{});
  }
  judge(problem, posterior);
  if (replaced > 0) {
    posterior.message += fmt::format(
        "{}{} of {} starts ended in minima with less than e^-{:.0f} of the posterior; their "
        "chains began at the best.",
        posterior.message.empty() ? "" : " ", replaced, options.chains, negligible_log);
  }
  fill_best(problem, posterior);
  const std::string open = what_is_open(posterior.information, problem.parameters());
  if (!open.empty()) posterior.message += (posterior.message.empty() ? "" : " ") + open;
  return posterior;
}

}  // namespace microslip
