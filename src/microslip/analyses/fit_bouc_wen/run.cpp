#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "microslip/analyses/fit_bouc_wen/parts.hpp"
#include "microslip/analyses/refused.hpp"
#include "microslip/analyses/write_table.hpp"

namespace microslip {
namespace {

constexpr double one_amplitude = 1.5;  // loops whose half-ranges differ by less do not tell n

/// A tenth of a parameter that makes less than a thousandth of the nonlinear part of the force.
constexpr double hardly_felt = 0.01;

/// Throws std::invalid_argument for a curve of an earlier analysis that is of no use.
BoucWenData data_of(const FitBoucWenAnalysis& analysis, const Results& results) {
  BoucWenData data;
  for (const CurveSource& source : analysis.data) {
    const ForceCurve curve = curve_of(source, results);
    const Motion motion = analysis.motion.value_or(motion_of(curve));
    if (const auto fault = record_fault(curve, motion)) throw row_error(source, *fault);
    const HysteresisRecord& record = data.records.emplace_back(record_of(curve, motion));
    const auto [low, high] = std::minmax_element(record.u.begin(), record.u.end());
    data.motions.push_back(motion);
    data.half_ranges.push_back(0.5 * (*high - *low));
  }
  return data;
}

/// A joint that runs once its place is filled in.
std::string joint_text(const std::string& analysis, const BoucWenCandidate& best) {
  const auto& p = best.parameters;
  return fmt::format(
      "# A joint of analysis \"{}\", {:.3g} off the data in the root mean square. Give it a place and copy it into a "
      "study.\n"
      "[[joint]]\nname    = \"joint\"\nbetween = [\"ground\", \"1\"]\nlaw     = \"bouc_wen\"\nk0      = {:.17g}\n"
      "alpha   = {:.17g}\nA       = {:.17g}\nbeta    = {:.17g}\ngamma   = {:.17g}\nn       = {:.17g}\n",
      analysis, best.misfit, p.k0, p.alpha, p.a, p.beta, p.gamma, p.n);
}

/// What a user should know before using the law elsewhere.
void add_warnings(const FitBoucWenAnalysis& analysis, const BoucWenData& data, const BoucWenFit& fit,
                  AnalysisSummary& summary) {
  const auto [low, high] = std::minmax_element(data.half_ranges.begin(), data.half_ranges.end());
  const bool loops = std::all_of(data.records.begin(), data.records.end(),
                                 [](const HysteresisRecord& record) { return record.closed; });
  if (!analysis.options.n && loops && *high < one_amplitude * *low) {
    add_message("loops of one amplitude hardly tell n: give several amplitudes", summary);
  }
  if (fit.sensitivity < hardly_felt && fit.undetermined.empty() && fit.poor.empty()) {
    add_message(fmt::format("the data hardly determine {}", fmt::join(fit.weakest, ", ")), summary);
  }
  const auto& p = fit.best.parameters;
  if (p.gamma > p.beta) add_message("not passive, gamma > beta: gives back energy while unloading", summary);
}

}  // namespace

nlohmann::ordered_json FitBoucWenAnalysis::settings() const {
  nlohmann::ordered_json json;
  json["data"] = origins_of(data);
  json["motion"] = motion ? word_of(*motion, motions) : "as it looks";
  json["method"] = word_of(options.polish, methods);
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

std::string FitBoucWenAnalysis::describe() const {
  const std::string n = options.n ? fmt::format("n = {:g}", *options.n)
                                  : fmt::format("n from {:g} to {:g}", options.n_low, options.n_high);
  return fmt::format("{}, {}, {}", fmt::join(origins_of(data), ", "), n,
                     options.polish ? "fitted to the force" : "least squares in the slopes");
}

std::vector<std::string> FitBoucWenAnalysis::tables() const {
  return {"", "curve", "cycles"};
}

AnalysisSummary FitBoucWenAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary;
  BoucWenData measured;
  BoucWenFit fit;
  const auto do_fit = [&] {
    measured = data_of(*this, with.results);
    fit = fit_bouc_wen(measured.records, options, with.observer);
  };
  if (refused(summary, do_fit)) return summary;
  summary.ending = fit.ending;
  summary.message = fit.message;
  write_table(name, "", bouc_wen_candidate_table(), bouc_wen_candidate_rows(fit), with.results, summary);
  if (fit.records.empty()) return summary;
  summary.sum_up(bouc_wen_facts(measured, fit));
  add_warnings(*this, measured, fit, summary);
  write_table(name, "curve", bouc_wen_curve_table(), bouc_wen_curve_rows(measured, fit), with.results, summary);
  write_table(name, "cycles", bouc_wen_cycle_table(), bouc_wen_cycle_rows(measured, fit), with.results, summary);
  const std::string file = other_files().front();
  with.results.text(file, joint_text(name, fit.best));
  summary.files.push_back(file);
  return summary;
}

}  // namespace microslip
