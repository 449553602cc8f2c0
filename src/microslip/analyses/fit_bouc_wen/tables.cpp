#include <algorithm>
#include <cmath>

#include "microslip/analyses/fit_bouc_wen/parts.hpp"
#include "microslip/analyses/fit_columns.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {

Table<BoucWenCandidateRow> bouc_wen_candidate_table() {
  using Row = BoucWenCandidateRow;
  using Parameters = BoucWen<double>::Parameters;
  Table<Row> table;
  const auto parameter = [](double Parameters::*which) {
    return [which](const Row& row) { return row.parameters.*which; };
  };
  const auto error = [](std::size_t k) { return [k](const Row& row) { return row.errors[k]; }; };
  table.add(
      {"stage", "-", "0: the start, 1: least squares in the slopes, 2: forces with n held, 3: forces with n free"},
      [](const Row& row) { return static_cast<double>(row.stage); });
  table.add({"n", "-", "exponent"}, parameter(&Parameters::n));
  table.add({"k0", "force/length", "stiffness"}, parameter(&Parameters::k0));
  table.add({"alpha", "-", "elastic share of k0"}, parameter(&Parameters::alpha));
  table.add({"A", "-", "slope of z at rest"}, parameter(&Parameters::a));
  table.add({"beta", "1/length^n", "of beta |u'| |z|^(n-1) z"}, parameter(&Parameters::beta));
  table.add({"gamma", "1/length^n", "of gamma u' |z|^n"}, parameter(&Parameters::gamma));
  table.add({"equation", "-", "misfit of the slopes"}, &Row::equation);
  table.add({"misfit", "-", "rms misfit of the force over its nonlinear part; nan: the law has no such loop"},
            &Row::misfit);
  table.add({"work_error", "-", "largest relative error of a loop's area or a history's work"}, &Row::work_error);
  table.add({"class", "-", "1: z bounded from anywhere, 2: from rest, 0: not bounded"},
            [](const Row& row) { return static_cast<double>(row.known.ikhouane); });
  table.add({"passive", "-", "1: gives nothing back while unloading, |gamma| <= beta"},
            [](const Row& row) { return row.known.passive ? 1.0 : 0.0; });
  table.add({"converged", "-", "1: the minimisation came to an end"},
            [](const Row& row) { return row.converged ? 1.0 : 0.0; });
  table.add({"k0_error", "force/length",
             "standard error, of the best; inf: undetermined, 0: given or another candidate, nan: not known"},
            error(0));
  table.add({"alpha_error", "-", "standard error, of the best"}, error(1));
  table.add({"A_error", "-", "standard error, of the best"}, error(2));
  table.add({"beta_error", "1/length^n", "standard error, of the best"}, error(3));
  table.add({"gamma_error", "1/length^n", "standard error, of the best"}, error(4));
  table.add({"n_error", "-", "standard error, of the best"}, error(5));
  return table;
}

std::vector<BoucWenCandidateRow> bouc_wen_candidate_rows(const BoucWenFit& fit) {
  std::vector<BoucWenCandidateRow> rows;
  for (std::size_t i = 0; i < fit.candidates.size(); ++i) {
    const BoucWenCandidate& candidate = fit.candidates[i];
    rows.push_back({candidate, admissibility(candidate.parameters), {}});
    if (fit.chosen == i) rows.back().errors = fit.errors;
  }
  return rows;
}

Table<BoucWenCurveRow> bouc_wen_curve_table() {
  using Row = BoucWenCurveRow;
  Table<Row> table;
  add_curve_number(table);
  add_fit_columns("data", "of the law", table);
  return table;
}

std::vector<BoucWenCurveRow> bouc_wen_curve_rows(const BoucWenData& data, const BoucWenFit& fit) {
  std::vector<BoucWenCurveRow> rows;
  for (std::size_t r = 0; r < fit.records.size(); ++r) {
    const HysteresisRecord& record = data.records[r];
    for (std::size_t i = 0; i < record.size(); ++i) rows.push_back({r, record.u[i], record.f[i], fit.records[r].f[i]});
  }
  return rows;
}

Table<BoucWenCycle> bouc_wen_cycle_table() {
  Table<BoucWenCycle> table;
  table.add({"amplitude", "length", "of a steady cycle", Scale::logarithmic}, &BoucWenCycle::amplitude);
  table.add({"force", "force", "at its tip"}, &BoucWenCycle::force);
  table.add({"dissipation", "force length", "per cycle", Scale::logarithmic}, &BoucWenCycle::dissipation);
  table.add({"zeta_secant", "-", "dissipation/(2 pi force amplitude)", Scale::logarithmic},
            [](const BoucWenCycle& cycle) { return cycle.dissipation / (two_pi * cycle.force * cycle.amplitude); });
  return table;
}

std::vector<BoucWenCycle> bouc_wen_cycle_rows(const BoucWenData& data, const BoucWenFit& fit) {
  constexpr int cycles = 61;
  constexpr double smallest = 1e-3;  // of the largest amplitude of the data
  const BoucWen<double> law(fit.best.parameters);
  const double largest = *std::max_element(data.half_ranges.begin(), data.half_ranges.end());
  std::vector<BoucWenCycle> rows;
  for (int i = 0; i < cycles; ++i) {
    const double amplitude = largest * std::pow(smallest, 1.0 - static_cast<double>(i) / (cycles - 1));
    const BoucWenCycle cycle = cycle_of_amplitude(law, amplitude);
    if (cycle.found) rows.push_back(cycle);
  }
  return rows;
}

}  // namespace microslip
