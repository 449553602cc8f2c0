#include "microslip/inference/least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "microslip/inference/descent.hpp"
#include "microslip/inference/discrepancy.hpp"
#include "microslip/inference/error_check.hpp"
#include "microslip/inference/half_squares.hpp"
#include "microslip/inference/samples.hpp"
#include "microslip/inference/sobol.hpp"
#include "microslip/inference/white_rows.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/shared_progress.hpp"

namespace microslip {
namespace {

constexpr int most_rounds = 50;            // of discrepancy and descent
constexpr double same_discrepancy = 1e-3;  // relative
constexpr double held_share = 1e-6;

std::vector<bool> held_at_ends(const Box& box, const Eigen::VectorXd& x) {
  std::vector<bool> held;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double near = held_share * (box.high(k) - box.low(k));
    held.push_back(x(k) < box.low(k) + near || x(k) > box.high(k) - near);
  }
  return held;
}

/// Discrepancies and descent by turns, from where a descent with the first ones has come to rest.
Descent settle(const ResidualProblem& problem, const Box& box, DescentOptions options, Descent descent,
               std::vector<double>& discrepancy) {
  const auto& groups = problem.groups();
  if (std::none_of(groups.begin(), groups.end(), [](const auto& g) { return g.discrepancy; })) return descent;
  for (int round = 0; round < most_rounds && descent.why.empty(); ++round) {
    const ResidualProblem::Answer answer = problem.evaluate(descent.x, true);
    ++descent.evaluations;
    const std::vector<double> next =
        next_discrepancy(problem, answer, descent.x, held_at_ends(box, descent.x), discrepancy);
    double change = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (groups[g].discrepancy) change = std::max(change, std::abs(std::log(next[g] / discrepancy[g])));
    }
    Descent anew = descend(HalfSquares(problem, next), box, descent.x, options);
    anew.evaluations += descent.evaluations;
    if (anew.model.gradient.size() == 0) {  // stopped before its first value: what was there before is kept, marked
      descent.converged = false;
      descent.interrupted = anew.interrupted;
      descent.why = anew.why;
      return descent;
    }
    discrepancy = next;
    descent = std::move(anew);
    if (change < same_discrepancy) return descent;
  }
  if (descent.why.empty()) {
    descent.converged = false;
    descent.why = fmt::format("the discrepancies have not settled after {} rounds", most_rounds);
  }
  return descent;
}

/// What holds at the end of a descent.
void fill_values(const ResidualProblem& problem, const Descent& descent, LeastSquares& fit) {
  fit.x = descent.x;
  fit.square = 2.0 * descent.model.value;
  fit.converged = descent.converged;
  fit.interrupted = fit.interrupted || descent.interrupted;
  const ResidualProblem::Answer answer = problem.evaluate(fit.x, false);
  const WhiteRows rows = white_rows(problem, answer, fit.discrepancy, Unreached::left_out);
  if (!rows.why.empty()) return;
  fit.values = answer.values;
  fit.offsets = rows.offsets;
  fit.squares = rows.squares;
  for (std::size_t i = 0; i < problem.rows().size(); ++i) {
    if (std::isnan(answer.values(static_cast<Eigen::Index>(i)))) fit.unreached.push_back(i);
  }
}

void add_sentence(const std::string& sentence, std::string& message) {
  if (!sentence.empty()) message += (message.empty() ? "" : " ") + sentence;
}

/// A reason as a sentence.
std::string sentence_of(std::string why) {
  if (why.empty()) return why;
  why[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(why[0])));
  return why + ".";
}

std::vector<Eigen::VectorXd> all_starts(const ResidualProblem& problem, const LeastSquaresOptions& options) {
  const auto& parameters = problem.parameters();
  std::vector<Eigen::VectorXd> starts;
  if (options.starts > 0) {
    Eigen::VectorXd own(static_cast<Eigen::Index>(parameters.size()));
    for (std::size_t k = 0; k < parameters.size(); ++k) own(static_cast<Eigen::Index>(k)) = parameters[k].start;
    starts.push_back(own);
  }
  starts.insert(starts.end(), options.from.begin(), options.from.end());
  if (options.starts > 1) {
    const SampleKind kind =
        parameters.size() <= most_sobol_dimensions ? SampleKind::sobol : SampleKind::latin_hypercube;
    const Samples samples(kind, parameters.size(), options.starts, options.seed);
    for (std::size_t k = 1; k < options.starts; ++k) starts.push_back(samples.point(k - 1, parameters));
  }
  return starts;
}

}  // namespace

LeastSquares fit_from(const ResidualProblem& problem, const Eigen::VectorXd& start, int max_iterations,
                      const std::function<bool()>& stopped, double tolerance) {
  LeastSquares fit;
  const Box box = box_of(problem.parameters());
  DescentOptions options;
  options.max_iterations = max_iterations;
  options.stopped = stopped;
  options.tolerance = tolerance;
  fit.discrepancy = first_discrepancy(problem);
  Descent descent = descend(HalfSquares(problem, fit.discrepancy), box, start, options);
  if (descent.why.empty()) descent = settle(problem, box, options, std::move(descent), fit.discrepancy);
  fit.evaluations = descent.evaluations;
  fit.interrupted = descent.interrupted;
  fit.message = sentence_of(descent.why);
  if (descent.model.gradient.size() > 0) fill_values(problem, descent, fit);
  return fit;
}

LeastSquares fit_least_squares(const ResidualProblem& problem, const LeastSquaresOptions& options,
                               const std::function<bool(double fraction)>& observer) {
  LeastSquares fit;
  const Box box = box_of(problem.parameters());
  const std::vector<Eigen::VectorXd> starts = all_starts(problem, options);
  fit.starts.resize(starts.size());
  std::vector<Descent> descents(starts.size());
  SharedProgress progress(observer, static_cast<double>(starts.size()) + 1.0);
  DescentOptions descent_options;
  descent_options.max_iterations = options.max_iterations;
  descent_options.tolerance = options.tolerance;
  descent_options.stopped = [&] { return !progress.add(0.0); };
  fit.discrepancy = first_discrepancy(problem);
  const HalfSquares half(problem, fit.discrepancy);
  share_work(starts.size(), options.threads, [&](std::size_t i) {
    descents[i] = descend(half, box, starts[i], descent_options);
    progress.add(1.0);
  });
  std::size_t best = starts.size();
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const Descent& d = descents[i];
    const bool answered = d.model.gradient.size() > 0;
    fit.starts[i] = {starts[i], answered ? d.x : Eigen::VectorXd(), 2.0 * d.model.value, d.converged, d.evaluations,
                     d.why};
    fit.evaluations += d.evaluations;
    fit.interrupted = fit.interrupted || d.interrupted;
    if (answered && (best == starts.size() || d.model.value < descents[best].model.value)) best = i;
  }
  if (best == starts.size()) {
    fit.message = starts.empty() ? "No start is given." : fmt::format("No start has an answer: {}.", descents[0].why);
    return fit;
  }
  const std::size_t before = descents[best].evaluations;
  const Descent descent = settle(problem, box, descent_options, descents[best], fit.discrepancy);
  fit.evaluations += descent.evaluations - before;
  fill_values(problem, descent, fit);
  const WhiteRows rows = white_rows(problem, problem.evaluate(fit.x, true), fit.discrepancy, Unreached::left_out);
  if (rows.why.empty()) {
    fit.information = information_of(problem.parameters(), transpose_times(rows.jacobian, rows.jacobian), fit.x,
                                     descent.model.gradient);
    std::string larger;
    if (!fit.interrupted) {
      larger = check_errors(HalfSquares(problem, fit.discrepancy), problem.parameters(), fit.x, descent.model.value,
                            descent_options.stopped, fit.information);
    }
    add_sentence(what_is_open(fit.information, problem.parameters()), fit.message);
    add_sentence(larger, fit.message);
  }
  add_sentence(sentence_of(descent.why), fit.message);
  if (!fit.unreached.empty()) {
    add_sentence(
        fmt::format("{} of {} rows are not reached and left out.", fit.unreached.size(), problem.rows().size()),
        fit.message);
  }
  progress.add(1.0);
  return fit;
}

}  // namespace microslip
