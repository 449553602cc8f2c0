#include "microslip/study/fit_bouc_wen_analysis.hpp"
#include "microslip/report/analysis_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace microslip {
namespace {

using nlohmann::ordered_json;

constexpr int cycle_rows = 61;           // of the table of steady cycles
constexpr double smallest_cycle = 1e-3;  // of the largest amplitude of the data
constexpr double one_amplitude = 1.5;    // loops whose half-ranges differ by less do not tell n

/// A tenth of a parameter that makes less than a thousandth of the nonlinear part of the force.
constexpr double hardly_felt = 0.01;

std::string_view name_of(Motion motion) {
  return motion == Motion::history ? "history" : motion == Motion::loop ? "loop" : "masing";
}

struct Data {
  std::vector<HysteresisRecord> records;
  std::vector<std::string> motions;
};

/// Throws std::invalid_argument.
Data data_of(const FitBoucWenAnalysis& analysis, const Results& results) {
  Data data;
  for (const CurveSource& source : analysis.data) {
    const ForceCurve curve = curve_of(source, results);
    const Motion motion = analysis.motion.value_or(motion_of(curve));
    if (const auto fault = record_fault(curve, motion)) {
      throw std::invalid_argument(fmt::format("{}, row {}: {}", source.origin, fault->point + 1, fault->message));
    }
    data.records.push_back(record_of(curve, motion));
    data.motions.emplace_back(name_of(motion));
  }
  return data;
}

double half_range(const HysteresisRecord& record) {
  const auto [low, high] = std::minmax_element(record.u.begin(), record.u.end());
  return 0.5 * (*high - *low);
}

void write_candidates(const BoucWenFit& fit, Sink& sink) {
  const Column columns[] = {
      {"stage", "-", "0: the start, 1: least squares in the slopes, 2: forces with n held, 3: forces with n free"},
      {"n", "-", "exponent"},
      {"k0", "force/length", "stiffness"},
      {"alpha", "-", "elastic share of k0"},
      {"A", "-", "slope of z at rest"},
      {"beta", "1/length^n", "of beta |u'| |z|^(n-1) z"},
      {"gamma", "1/length^n", "of gamma u' |z|^n"},
      {"equation", "-", "misfit of the slopes"},
      {"misfit", "-", "rms misfit of the force over its nonlinear part; nan: the law has no such loop"},
      {"work_error", "-", "largest relative error of a loop's area or a history's work"},
      {"class", "-", "1: z bounded from anywhere, 2: from rest, 0: not bounded"},
      {"passive", "-", "1: gives nothing back while unloading, |gamma| <= beta"},
      {"converged", "-", "1: the minimisation came to an end"},
      {"k0_error", "force/length",
       "standard error, of the best; inf: undetermined, 0: given or another candidate, nan: not known"},
      {"alpha_error", "-", "standard error, of the best"},
      {"A_error", "-", "standard error, of the best"},
      {"beta_error", "1/length^n", "standard error, of the best"},
      {"gamma_error", "1/length^n", "standard error, of the best"},
      {"n_error", "-", "standard error, of the best"}};
  sink.begin(columns);
  for (std::size_t i = 0; i < fit.candidates.size(); ++i) {
    const BoucWenCandidate& c = fit.candidates[i];
    const auto& p = c.parameters;
    const BoucWenAdmissibility known = admissibility(p);
    const auto error = [&](std::size_t k) { return fit.chosen == i ? fit.errors[k] : 0.0; };
    const double row[] = {static_cast<double>(c.stage),
                          p.n,
                          p.k0,
                          p.alpha,
                          p.a,
                          p.beta,
                          p.gamma,
                          c.equation,
                          c.misfit,
                          c.work_error,
                          static_cast<double>(known.ikhouane),
                          known.passive ? 1.0 : 0.0,
                          c.converged ? 1.0 : 0.0,
                          error(0),
                          error(1),
                          error(2),
                          error(3),
                          error(4),
                          error(5)};
    sink.row(row);
  }
}

void write_curve(const std::vector<HysteresisRecord>& records, const BoucWenFit& fit, Sink& sink) {
  const Column columns[] = {{"curve", "-", "number, from 1"},
                            {"u", "length", "deflection"},
                            {"f", "force", "data"},
                            {"f_fit", "force", "of the law"},
                            {"residual", "force", "f_fit - f"}};
  sink.begin(columns);
  for (std::size_t r = 0; r < fit.records.size(); ++r) {
    for (std::size_t i = 0; i < records[r].size(); ++i) {
      const double f = records[r].f[i], fitted = fit.records[r].f[i];
      const double row[] = {static_cast<double>(r + 1), records[r].u[i], f, fitted, fitted - f};
      sink.row(row);
    }
  }
}

/// Steady cycles of the fitted law up to the largest amplitude of the data.
void write_cycles(const std::vector<HysteresisRecord>& records, const BoucWenFit& fit, Sink& sink) {
  const Column columns[] = {{"amplitude", "length", "of a steady cycle", Scale::logarithmic},
                            {"force", "force", "at its tip"},
                            {"dissipation", "force length", "per cycle", Scale::logarithmic},
                            {"zeta_secant", "-", "dissipation/(2 pi force amplitude)", Scale::logarithmic}};
  sink.begin(columns);
  const BoucWen<double> law(fit.best.parameters);
  double largest = 0.0;
  for (const HysteresisRecord& record : records) largest = std::max(largest, half_range(record));
  for (int i = 0; i < cycle_rows; ++i) {
    const double amplitude = largest * std::pow(smallest_cycle, 1.0 - static_cast<double>(i) / (cycle_rows - 1));
    const BoucWenCycle cycle = cycle_of_amplitude(law, amplitude);
    if (!cycle.found) continue;
    const double row[] = {amplitude, cycle.force, cycle.dissipation,
                          cycle.dissipation / (2.0 * std::numbers::pi * cycle.force * amplitude)};
    sink.row(row);
  }
}

/// A joint that runs once its place is filled in.
std::string joint_text(const FitBoucWenAnalysis& analysis, const BoucWenFit& fit) {
  const auto& p = fit.best.parameters;
  return fmt::format(
      "# A joint of analysis \"{}\", {:.3g} off the data in the root mean square. Give it a place and copy it into a "
      "study.\n"
      "[[joint]]\nname    = \"joint\"\nbetween = [\"ground\", \"1\"]\nlaw     = \"bouc_wen\"\nk0      = {:.17g}\n"
      "alpha   = {:.17g}\nA       = {:.17g}\nbeta    = {:.17g}\ngamma   = {:.17g}\nn       = {:.17g}\n",
      analysis.name, fit.best.misfit, p.k0, p.alpha, p.a, p.beta, p.gamma, p.n);
}

ordered_json admissibility_facts(const BoucWen<double>::Parameters& p) {
  const BoucWenAdmissibility known = admissibility(p);
  ordered_json json;
  json["bounded"] = known.bounded;
  json["class"] = known.ikhouane == 1 ? "I" : known.ikhouane == 2 ? "II" : "none";
  json["dissipates"] = known.dissipates;
  json["passive"] = known.passive;
  json["z_max"] = known.z_max;
  if (std::isfinite(known.z_basin)) json["z_basin"] = known.z_basin;
  return json;
}

ordered_json parameter_facts(const BoucWenCandidate& candidate) {
  const auto& p = candidate.parameters;
  ordered_json json;
  json["k0"] = p.k0;
  json["alpha"] = p.alpha;
  json["A"] = p.a;
  json["beta"] = p.beta;
  json["gamma"] = p.gamma;
  json["n"] = p.n;
  json["misfit"] = candidate.misfit;
  json["work_error"] = candidate.work_error;
  return json;
}

ordered_json facts_of(const Data& data, const BoucWenFit& fit) {
  ordered_json facts = parameter_facts(fit.best);
  for (std::size_t k = 0; k < fit.errors.size(); ++k) {
    if (std::isfinite(fit.errors[k])) facts[fmt::format("{}_error", bouc_wen_names[k])] = fit.errors[k];
  }
  if (!std::isnan(fit.errors.front())) {
    facts["undetermined"] = fit.undetermined;
    facts["independent"] = fit.independent;
  }
  facts["stage"] = static_cast<int>(fit.best.stage);
  facts["iterations"] = fit.iterations;
  if (std::isfinite(fit.sensitivity)) {
    facts["sensitivity"] = fit.sensitivity;
    facts["weakest"] = fit.weakest;
  }
  facts["admissibility"] = admissibility_facts(fit.best.parameters);
  ordered_json curves = ordered_json::array();
  for (std::size_t r = 0; r < fit.records.size(); ++r) {
    const BoucWenRecordFit& record = fit.records[r];
    ordered_json json;
    json["motion"] = data.motions[r];
    json["points"] = data.records[r].size();
    json["half_range"] = half_range(data.records[r]);
    json["misfit"] = record.misfit;
    json["work"] = record.work;
    json["work_fit"] = record.work_model;
    json["cycle_of_amplitude"] = record.dissipation;
    json["cycle_of_force"] = record.dissipation_force;
    curves.push_back(std::move(json));
  }
  facts["curves"] = std::move(curves);
  for (const BoucWenCandidate& candidate : fit.candidates) {
    if (candidate.stage == BoucWenStage::start) facts["start"] = parameter_facts(candidate);
  }
  return facts;
}

std::vector<std::string> origins(const FitBoucWenAnalysis& analysis) {
  std::vector<std::string> names;
  for (const CurveSource& source : analysis.data) names.push_back(source.origin);
  return names;
}

ordered_json settings(const FitBoucWenAnalysis& analysis) {
  const BoucWenFitOptions& options = analysis.options;
  ordered_json json;
  json["kind"] = std::string(FitBoucWenAnalysis::kind);
  json["data"] = origins(analysis);
  json["motion"] = analysis.motion ? std::string(name_of(*analysis.motion)) : std::string("as it looks");
  json["method"] = options.polish ? "polish" : "least_squares";
  if (options.k0) json["k0"] = *options.k0;
  if (options.alpha) json["alpha"] = *options.alpha;
  if (options.a) json["A"] = *options.a;
  if (options.n) {
    json["n"] = *options.n;
  } else {
    json["n"] = std::vector<double>{options.n_low, options.n_high};
    json["exponents"] = options.n_points;
  }
  json["max_iterations"] = options.max_iterations;
  return json;
}

/// What a user should know before using the law elsewhere.
void add_warnings(const FitBoucWenAnalysis& analysis, const Data& data, const BoucWenFit& fit,
                  AnalysisSummary& summary) {
  double low = half_range(data.records.front()), high = low;
  bool loops = true;
  for (const HysteresisRecord& record : data.records) {
    low = std::min(low, half_range(record));
    high = std::max(high, half_range(record));
    loops = loops && record.closed;
  }
  if (!analysis.options.n && loops && high < one_amplitude * low) {
    add_message("loops of one amplitude hardly tell n: give several amplitudes", summary);
  }
  if (fit.sensitivity < hardly_felt && fit.undetermined.empty() && fit.poor.empty()) {
    add_message(fmt::format("the data hardly determine {}", fmt::join(fit.weakest, ", ")), summary);
  }
  const auto& p = fit.best.parameters;
  if (p.gamma > p.beta) {
    add_message("not passive, gamma > beta: gives back energy while unloading", summary);
  }
}

}  // namespace

std::vector<std::string> table_parts(const FitBoucWenAnalysis&) {
  return {"", "curve", "cycles"};
}

std::vector<std::string> other_files(const FitBoucWenAnalysis& analysis) {
  return {analysis.name + "-joint.toml"};
}

std::string describe(const FitBoucWenAnalysis& analysis) {
  const BoucWenFitOptions& options = analysis.options;
  const std::string n = options.n ? fmt::format("n = {:g}", *options.n)
                                  : fmt::format("n from {:g} to {:g}", options.n_low, options.n_high);
  return fmt::format("{}, {}, {}", fmt::join(origins(analysis), ", "), n,
                     options.polish ? "fitted to the force" : "least squares in the slopes");
}

AnalysisSummary run(const FitBoucWenAnalysis& analysis, AnalysisRun& with) {
  with.results.settings(analysis.name, settings(analysis));
  AnalysisSummary summary;
  summary.ending = Ending::no_convergence;
  summary.message = "";
  Data data;
  BoucWenFit fit;
  try {
    data = data_of(analysis, with.results);
    fit = fit_bouc_wen(data.records, analysis.options, with.observer);
  } catch (const std::invalid_argument& error) {
    summary.message = error.what();
    return summary;
  }
  summary.ending = fit.ending;
  summary.message = fit.message;
  const auto table = [&](const std::string& part, auto&& write) {
    TableSink sink = with.results.table(analysis.name, part);
    write(sink);
    sink.close();
    summary.files.push_back(table_name(analysis.name, part) + ".csv");
  };
  table("", [&](Sink& sink) { write_candidates(fit, sink); });
  if (fit.records.empty()) return summary;
  summary.facts = facts_of(data, fit);
  add_warnings(analysis, data, fit, summary);
  table("curve", [&](Sink& sink) { write_curve(data.records, fit, sink); });
  table("cycles", [&](Sink& sink) { write_cycles(data.records, fit, sink); });
  const std::string file = other_files(analysis).front();
  with.results.text(file, joint_text(analysis, fit));
  summary.files.push_back(file);
  return summary;
}

}  // namespace microslip
