// method = "posterior".

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "microslip/analyses/update/methods.hpp"
#include "microslip/analyses/update/predicted_curves.hpp"
#include "microslip/analyses/update/tables.hpp"
#include "microslip/analyses/write_table.hpp"
#include "microslip/inference/predictive.hpp"

namespace microslip {
namespace {

using Index = Eigen::Index;

/// A quantity of the tables over the draws, in the user's values.
double shown_value(const UpdateProblem& problem, std::size_t p, double x) {
  return problem.update_parameters()[p].logarithmic ? std::exp(x) : x;
}

Table<std::size_t> posterior_table(const UpdateProblem& problem, const Posterior& posterior) {
  const auto of = [&](double ChainStatistics::*member) {
    return [&problem, &posterior, member](std::size_t p) {
      return shown_value(problem, p, posterior.parameters[p].*member);
    };
  };
  const auto plain = [&](double ChainStatistics::*member) {
    return [&posterior, member](std::size_t p) { return posterior.parameters[p].*member; };
  };
  const Eigen::VectorXd best = problem.values_of(posterior.draws.col(static_cast<Index>(posterior.best)));
  Table<std::size_t> table;
  table.add({"parameter", "-", "number, from 1: " + numbered_parameters(problem)}, [](std::size_t p) { return p + 1; });
  table.add({"low", "", "2.5 % of the draws lie below"}, of(&ChainStatistics::low));
  table.add({"median", "", "half of the draws lie below"}, of(&ChainStatistics::median));
  table.add({"high", "", "97.5 % of the draws lie below"}, of(&ChainStatistics::high));
  table.add({"best", "", "of the draw with the largest likelihood times prior"},
            [best](std::size_t p) { return best(static_cast<Index>(p)); });
  table.add({"deviation", "", "standard deviation; on a logarithmic scale of the logarithm"},
            plain(&ChainStatistics::deviation));
  table.add({"r_hat", "-", "1: the chains agree"}, plain(&ChainStatistics::r_hat));
  table.add({"bulk_size", "-", "effective number of draws, of the middle"}, plain(&ChainStatistics::bulk_size));
  table.add({"tail_size", "-", "the same of the tails"}, plain(&ChainStatistics::tail_size));
  return table;
}

Table<std::size_t> draw_table(const UpdateProblem& problem, const Posterior& posterior) {
  const std::size_t each = posterior.draws_of_a_chain();
  Table<std::size_t> table;
  table.add({"chain", "-", "number, from 1"}, [each](std::size_t i) { return i / each + 1; });
  table.add({"draw", "-", "of the chain, from 1"}, [each](std::size_t i) { return i % each + 1; });
  table.add({"log_density", "-", "of likelihood and prior, up to a constant"},
            [&posterior](std::size_t i) { return posterior.log_density(static_cast<Index>(i)); });
  table.add_each("p", parameter_names_of(problem), "", "parameter",
                 [&problem, &posterior](std::size_t i, std::size_t p) {
                   return shown_value(problem, p, posterior.draws(static_cast<Index>(p), static_cast<Index>(i)));
                 });
  std::vector<std::string> groups;
  std::vector<Index> places;
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    if (!problem.groups()[g].discrepancy) continue;
    groups.push_back(problem.groups()[g].name);
    places.push_back(static_cast<Index>(g));
  }
  table.add_each("s", groups, "-", "discrepancy of the group", [places, &posterior](std::size_t i, std::size_t g) {
    return posterior.discrepancy(places[g], static_cast<Index>(i));
  });
  return table;
}

/// A row of the test with the bands of the model and of a new measurement.
struct BandRow {
  std::size_t row, group;
};

std::vector<BandRow> band_rows(const UpdateProblem& problem) {
  std::vector<BandRow> rows;
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    for (std::size_t i = 0; i < problem.groups()[g].count; ++i) rows.push_back({problem.groups()[g].first + i, g});
  }
  return rows;
}

Table<BandRow> band_table(const UpdateProblem& problem, const Bands& model, const Bands& measured) {
  const auto of = [](const Eigen::VectorXd& values) {
    return [&values](const BandRow& row) { return values(static_cast<Index>(row.row)); };
  };
  Table<BandRow> table;
  table.add({"group", "-", "number, from 1: " + numbered_groups_of(problem)},
            [](const BandRow& row) { return row.group + 1; });
  table.add({"target", "-", "number, from 1: curves first, then modes, then loops"},
            [&problem](const BandRow& row) { return problem.update_rows()[row.row].target + 1; });
  table.add({"q", "sqrt(mass) length", "amplitude, of a curve; 0 of others", Scale::logarithmic},
            [&problem](const BandRow& row) { return amplitude_of(problem, row.row); });
  table.add({"measured", "", "omega, zeta, frequency in cycles, component of a shape, 1 - MAC (0), or force of a loop"},
            [&problem](const BandRow& row) { return problem.rows()[row.row].measured; });
  table.add({"error", "", "its standard error"},
            [&problem](const BandRow& row) { return problem.rows()[row.row].error; });
  table.add({"model_low", "", "2.5 % of the draws lie below, with the offset where only shifts count"}, of(model.low));
  table.add({"model_median", "", "half of the draws lie below"}, of(model.median));
  table.add({"model_high", "", "97.5 % of the draws lie below"}, of(model.high));
  table.add({"low", "", "the same of a new measurement, with its error and the discrepancy"}, of(measured.low));
  table.add({"high", "", "the same"}, of(measured.high));
  table.add({"reached", "-", "share of the draws whose model reaches it"}, of(model.known));
  return table;
}

/// Share of the rows within the band of a new measurement.
double covered(const UpdateProblem& problem, const Bands& bands) {
  std::size_t within = 0, known = 0;
  for (std::size_t i = 0; i < problem.rows().size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (!std::isfinite(bands.low(row))) continue;
    ++known;
    within += problem.rows()[i].measured >= bands.low(row) && problem.rows()[i].measured <= bands.high(row);
  }
  return known > 0 ? static_cast<double>(within) / static_cast<double>(known) : 0.0;
}

}  // namespace

void update_by_posterior(const UpdateAnalysis& analysis, const UpdateProblem& problem, AnalysisRun& with,
                         AnalysisSummary& summary) {
  const Posterior posterior = sample_posterior(problem, analysis.posterior, with.part(0, 2));
  if (posterior.draws.cols() == 0) {
    summary.ending = posterior.interrupted ? Ending::interrupted : Ending::no_convergence;
    summary.message = posterior.message.empty() ? "no chain had a draw" : posterior.message;
    return;
  }
  const PredictedRows rows = predict_rows(problem, posterior, some_draws(posterior, analysis.band_draws),
                                          analysis.posterior.seed, analysis.posterior.threads, with.part(1, 2));
  summary.ending = posterior.interrupted || rows.model.interrupted ? Ending::interrupted
                   : posterior.converged                           ? Ending::completed
                                                                   : Ending::no_convergence;
  add_message(posterior.message, summary);
  const Bands model = bands(rows.model.values), measured = bands(rows.measured.values);
  write_table(analysis.name, "", posterior_table(problem, posterior), counted_up(problem.parameters().size()),
              with.results, summary);
  write_table(analysis.name, update_rows_part, band_table(problem, model, measured), band_rows(problem), with.results,
              summary);
  write_test_curves(analysis.name, problem, {&model, &measured}, with.results, summary);
  write_loops(analysis.name, problem, model.median, with.results, summary);
  write_table(analysis.name, update_draws_part, draw_table(problem, posterior),
              counted_up(static_cast<std::size_t>(posterior.draws.cols())), with.results, summary);
  const Eigen::VectorXd best = posterior.draws.col(static_cast<Index>(posterior.best));
  tell_interpolation(analysis, problem, best, summary);
  write_updated_study(analysis, problem, best, with, summary);

  UpdateFacts facts = facts_of_best(analysis, problem, best);
  for (std::size_t p = 0; p < facts.parameters.size(); ++p) {
    const ChainStatistics& statistics = posterior.parameters[p];
    UpdateFacts::Parameter& parameter = facts.parameters[p];
    parameter.low = shown_value(problem, p, statistics.low);
    parameter.high = shown_value(problem, p, statistics.high);
    parameter.error = statistics.deviation * (problem.update_parameters()[p].logarithmic ? parameter.value : 1.0);
    parameter.determined = posterior.information.determined[p];
  }
  for (std::size_t g = 0; g < facts.groups.size(); ++g) {
    if (problem.groups()[g].discrepancy) facts.groups[g].discrepancy = posterior.discrepancies[g].median;
  }
  facts.covered = covered(problem, measured);
  if (!analysis.predictions.empty()) facts.predictions = predict_curves(analysis, posterior, with, summary);
  facts.evaluations = posterior.evaluations;
  summary.sum_up(std::move(facts));
}

}  // namespace microslip
