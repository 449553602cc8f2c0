#include "microslip/inference/predictive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/inference/white_rows.hpp"
#include "microslip/numerics/counter_random.hpp"
#include "microslip/numerics/percentile.hpp"
#include "microslip/numerics/shared_progress.hpp"

namespace microslip {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t replica_streams = 3ULL << 40;

/// The rows of draw `d` with the offsets that the measured rows want, and as a new measurement could find them.
void add_rows(const ResidualProblem& problem, const Posterior& posterior, std::size_t d, std::uint64_t seed,
              Eigen::Ref<Eigen::VectorXd> model, Eigen::Ref<Eigen::VectorXd> measured) {
  const auto column = static_cast<Eigen::Index>(d);
  const ResidualProblem::Answer answer = problem.evaluate(posterior.draws.col(column), false);
  const Eigen::VectorXd s = posterior.discrepancy.col(column);
  const WhiteRows rows = white_rows(problem, answer, {s.data(), static_cast<std::size_t>(s.size())});
  if (!rows.why.empty()) return;
  CounterRandom random(seed, replica_streams + d);
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const ResidualProblem::Group& group = problem.groups()[g];
    double weights = 0.0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      if (!std::isnan(answer.values(static_cast<Eigen::Index>(i)))) {
        weights += group.weight / variance_of(problem.rows()[i], s(static_cast<Eigen::Index>(g)));
      }
    }
    const double unsure = group.free_offset ? random.normal() / std::sqrt(weights) : 0.0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      model(row) = answer.values(row) + rows.offsets[g];
      measured(row) = model(row) + unsure +
                      std::sqrt(variance_of(problem.rows()[i], s(static_cast<Eigen::Index>(g)))) * random.normal();
    }
  }
}

}  // namespace

std::vector<std::size_t> some_draws(const Posterior& posterior, std::size_t count) {
  const auto all = static_cast<std::size_t>(posterior.draws.cols());
  count = std::min(count, all);
  std::vector<std::size_t> draws(count);
  for (std::size_t i = 0; i < count; ++i) draws[i] = (2 * i + 1) * all / (2 * count);
  return draws;
}

Predictions predict(const Posterior& posterior, std::vector<std::size_t> draws, std::size_t size,
                    const std::function<Eigen::VectorXd(const Eigen::VectorXd& x)>& quantity, std::size_t threads,
                    const std::function<bool(double fraction)>& observer) {
  Predictions result;
  result.draws = std::move(draws);
  result.values = Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(size),
                                            static_cast<Eigen::Index>(result.draws.size()), unknown);
  SharedProgress progress(observer, static_cast<double>(result.draws.size()));
  share_work(result.draws.size(), threads, [&](std::size_t i) {
    if (progress.stopped()) return;
    result.values.col(static_cast<Eigen::Index>(i)) =
        quantity(posterior.draws.col(static_cast<Eigen::Index>(result.draws[i])));
    progress.add(1.0);
  });
  result.interrupted = progress.stopped();
  return result;
}

PredictedRows predict_rows(const ResidualProblem& problem, const Posterior& posterior, std::vector<std::size_t> draws,
                           std::uint64_t seed, std::size_t threads,
                           const std::function<bool(double fraction)>& observer) {
  PredictedRows result;
  result.model.draws = std::move(draws);
  const auto columns = static_cast<Eigen::Index>(result.model.draws.size());
  result.model.values = Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(problem.rows().size()), columns, unknown);
  result.measured = result.model;
  SharedProgress progress(observer, static_cast<double>(columns));
  share_work(result.model.draws.size(), threads, [&](std::size_t i) {
    if (progress.stopped()) return;
    const auto column = static_cast<Eigen::Index>(i);
    add_rows(problem, posterior, result.model.draws[i], seed, result.model.values.col(column),
             result.measured.values.col(column));
    progress.add(1.0);
  });
  result.model.interrupted = result.measured.interrupted = progress.stopped();
  return result;
}

Bands bands(const Eigen::MatrixXd& values, double confidence) {
  const Eigen::Index n = values.rows();
  Bands result{Eigen::VectorXd::Constant(n, unknown), Eigen::VectorXd::Constant(n, unknown),
               Eigen::VectorXd::Constant(n, unknown), Eigen::VectorXd::Zero(n)};
  std::vector<double> known;
  for (Eigen::Index i = 0; i < n; ++i) {
    known.clear();
    for (const double value : values.row(i)) {
      if (!std::isnan(value)) known.push_back(value);
    }
    if (known.empty()) continue;
    result.known(i) = static_cast<double>(known.size()) / static_cast<double>(values.cols());
    result.low(i) = percentile(known, 0.5 - 0.5 * confidence);
    result.median(i) = percentile(known, 0.5);
    result.high(i) = percentile(known, 0.5 + 0.5 * confidence);
  }
  return result;
}

}  // namespace microslip
