#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "microslip/analyses/modal_fit/analysis.hpp"
#include "microslip/analyses/modal_fit/tables.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/refused.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/measurement/reciprocity.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

/// Throws std::invalid_argument where the earlier analysis has left nothing, or something else.
const MeasuredResponses& responses_for(const ModalFitAnalysis& analysis, const Results& results) {
  if (analysis.data) return *analysis.data;
  const auto* left = results.left<MeasuredResponses>(analysis.from);
  if (left == nullptr || left->references.empty()) {
    throw std::invalid_argument(fmt::format("analysis \"{}\" has left no frequency responses", analysis.from));
  }
  return *left;
}

/// All channels but those that are left out; throws std::invalid_argument for names that are none.
std::vector<std::string> fitted_channels(const ModalFitAnalysis& analysis, const MeasuredResponses& data) {
  std::vector<std::string> channels = data.references.front().channels;
  const auto need = [&](const std::string& name) {
    const auto at = std::find(channels.begin(), channels.end(), name);
    if (at == channels.end()) {
      throw std::invalid_argument(fmt::format("there is no channel \"{}\" among {}", name, fmt::join(channels, ", ")));
    }
    return at;
  };
  if (!analysis.options.driving_point.empty()) need(analysis.options.driving_point);
  for (const std::string& name : analysis.leave_out) channels.erase(need(name));
  return channels;
}

ModalFitFacts facts_of(const ModalFitAnalysis& analysis, const ModalFit& fit) {
  ModalFitFacts facts;
  const MeasuredModes& modes = fit.modes;
  for (Eigen::Index m = 0; m < modes.frequency_hz.size(); ++m) {
    facts.modes.push_back(
        {modes.frequency_hz(m), modes.frequency_error(m), modes.zeta(m), modes.zeta_error(m), fit.collinearity(m)});
  }
  facts.lines = static_cast<long>(fit.lines.lines());
  facts.functions = static_cast<long>(fit.lines.functions());
  facts.channels = static_cast<long>(fit.lines.channels.size());
  facts.highest_order = analysis.options.method == ModalMethod::lscf ? fit.highest_order : 0;
  facts.iterations = fit.fit.iterations;
  facts.noise_known = fit.lines.noise_known;
  facts.residual_over_noise = std::sqrt(fit.chi_squared_ratio);
  Eigen::MatrixXd mac = modal_assurance(modes.shapes, modes.shapes);
  mac.diagonal().setZero();
  facts.largest_mac = mac.size() > 0 ? mac.maxCoeff() : 0.0;
  facts.force_amplitude = fit.force_amplitude;
  for (const ModalPart& part : fit.parts) facts.parts.push_back(part.name);
  facts.unit_modal_mass = modes.unit_modal_mass;
  return facts;
}

/// Sentences that a reader of the numbers needs.
void tell(const ModalFitAnalysis& analysis, const ModalFit& fit, Results& results, AnalysisSummary& summary) {
  for (const std::string& doubt : fit.doubts) add_message(doubt, summary);
  if (!fit.doubts.empty()) results.doubt(analysis.name, fit.doubts.front());
  for (const std::string& remark : fit.remarks) add_remark(remark, summary);
  if (fit.fit.poles.size() == 0) return;
  if (fit.force_amplitude > 0.0) {
    add_remark(fmt::format("the fit holds for hits of up to {}",
                           words::quantity(fit.force_amplitude, "force", results.units())),
               summary);
  }
  if (!fit.modes.unit_modal_mass) {
    add_remark("no channel is at the driving point: shapes are scaled to a largest component of 1", summary);
  }
}

}  // namespace

ordered_json ModalFitFacts::to_json() const {
  ordered_json json;
  json["modes"] = ordered_json::array();
  for (const Mode& mode : modes) {
    json["modes"].push_back({{"frequency_hz", mode.frequency_hz},
                             {"frequency_hz_error", mode.frequency_error},
                             {"zeta", mode.zeta},
                             {"zeta_error", mode.zeta_error},
                             {"mpc", mode.collinearity}});
  }
  json["lines"] = lines;
  json["functions"] = functions;
  json["channels"] = channels;
  if (highest_order > 0) json["highest_order"] = highest_order;
  json["iterations"] = iterations;
  json["noise"] = noise_known ? "of the data" : "of the residual";
  json["residual_over_noise"] = residual_over_noise;
  json["largest_mac"] = largest_mac;
  if (force_amplitude > 0.0) json["force_amplitude"] = force_amplitude;
  json["unit_modal_mass"] = unit_modal_mass;
  if (!parts.empty()) json["parts"] = parts;
  return json;
}

std::string ModalFitAnalysis::response_unit() const {
  return unit_of(quantity) + "/force";
}

ordered_json ModalFitAnalysis::settings() const {
  ordered_json json;
  if (data) {
    json["data"] = data_name;
  } else {
    json["from"] = from;
  }
  json["quantity"] = word_of(quantity, quantities);
  json["method"] = word_of(options.method, methods);
  json["shapes"] = word_of(options.terms.normal, shape_forms);
  json["residuals"] = options.terms.lower   ? (options.terms.upper ? "both" : "lower")
                      : options.terms.upper ? "upper"
                                            : "none";
  if (options.highest_order > 0) json["orders"] = {options.lowest_order, options.highest_order};
  if (!options.near.empty()) json["near_hz"] = options.near;
  if (options.modes > 0) json["modes"] = options.modes;
  if (std::isfinite(options.band.second)) json["band_hz"] = {options.band.first, options.band.second};
  if (!leave_out.empty()) json["leave_out"] = leave_out;
  if (!options.driving_point.empty()) json["driving_point"] = options.driving_point;
  return json;
}

std::string ModalFitAnalysis::describe() const {
  const std::string which = !options.near.empty() ? fmt::format("modes near {} Hz", fmt::join(options.near, ", "))
                            : options.modes > 0   ? fmt::format("the {} strongest modes", options.modes)
                                                  : "all modes that stand out";
  return fmt::format("{} of {}, by {}", which, data ? data_name : fmt::format("\"{}\"", from), method_in_words());
}

std::vector<std::string> ModalFitAnalysis::tables() const {
  return {"", "shapes", "sensors", "frf", "stabilisation", "mac", "nyquist", "circles", "parts"};
}

std::vector<std::string> ModalFitAnalysis::sources() const {
  return from.empty() ? std::vector<std::string>{} : std::vector<std::string>{from};
}

std::vector<std::string> ModalFitAnalysis::other_files() const {
  return {name + "-shapes.unv", name + "-shapes-2414.unv"};
}

std::vector<int> ModalFitAnalysis::mode_numbers() const {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < options.near.size(); ++i) numbers.push_back(static_cast<int>(i) + 1);
  return numbers;
}

std::string ModalFitAnalysis::method_in_words() const {
  return options.method == ModalMethod::lscf ? "least-squares complex frequency" : "mode isolation";
}

AnalysisSummary ModalFitAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary = completed_summary();
  ModalFit fit;
  bool roving = false;
  const auto do_fit = [&] {
    const MeasuredResponses& given = responses_for(*this, with.results);
    const MeasuredResponses responses = roving_as_channels(given);
    roving = given.references.size() != responses.references.size();
    ModalFitOptions chosen = options;
    chosen.channels = fitted_channels(*this, responses);
    fit = fit_modes(responses, chosen, with.observer);
  };
  if (refused(summary, do_fit)) return summary;
  write_modal_tables(*this, fit, with.results, summary);
  if (fit.interrupted) {
    summary.ending = Ending::interrupted;
  } else if (!fit.converged || fit.fit.poles.size() == 0) {
    summary.ending = Ending::no_convergence;
  }
  summary.sum_up(facts_of(*this, fit));
  tell(*this, fit, with.results, summary);
  if (roving) add_remark("one channel and several references: by reciprocity the references are the channels", summary);
  if (fit.fit.poles.size() > 0) {
    const ShapeFile file = modal_shape_file(fit.modes);
    const std::vector<std::string> files = other_files();
    with.results.text(files[0], file.text_55);
    with.results.text(files[1], file.text_2414);
    summary.files.insert(summary.files.end(), files.begin(), files.end());
    add_remark(file.told, summary);
    with.results.leave(name, std::any(fit.modes));
  }
  return summary;
}

}  // namespace microslip
