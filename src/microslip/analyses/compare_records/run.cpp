#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/compare_records/analysis.hpp"
#include "microslip/analyses/compare_records/comparison.hpp"
#include "microslip/analyses/compare_records/tables.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_channels_named = 6;  // in messages

ordered_json json_of(const CompareRecordsFacts::Signal& signal) {
  const SignalDifference& d = signal.difference;
  ordered_json json;
  if (signal.mode > 0) json["mode"] = signal.mode;
  json["channel"] = signal.channel;
  json["normalised_error"] = d.normalised_error;
  json["noise_error"] = d.noise_error;
  json["assurance"] = d.assurance;
  json["size_ratio"] = d.size_ratio;
  json["used"] = d.used;
  if (d.used > 0.0) {
    json["envelope_mean"] = d.envelope_mean;
    json["envelope_rms"] = d.envelope_rms;
    json["envelope_largest"] = d.envelope_largest;
    json["phase_first"] = d.phase_first;
    json["phase_last"] = d.phase_last;
    json["phase_largest"] = d.phase_largest;
  }
  if (signal.mode == 0) return json;
  json["rows"] = signal.rows;
  json["rows_beyond"] = signal.beyond;
  if (signal.rows > 0) {
    json["frequency_difference"] = signal.frequency;
    json["zeta_difference"] = signal.zeta;
  }
  return json;
}

CompareRecordsFacts facts_of(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison) {
  CompareRecordsFacts facts;
  facts.point = analysis.channels[comparison.point].name;
  facts.from = comparison.time(comparison.begin);
  facts.to = comparison.time(comparison.end - 1);
  facts.step = comparison.step;
  facts.resampling_error = comparison.resampling_error;
  facts.signals = comparison.differences;
  return facts;
}

/// What puts the numbers in doubt, and what is worth knowing.
void tell_of_records(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison,
                     const UnitLabels& units, AnalysisSummary& summary) {
  constexpr double seen = 1e-3;
  add_message(foreign_units(analysis.measured.units, units), summary);
  for (const std::string& note : comparison.notes) add_message(note, summary);
  if (comparison.resampling_error > seen) {
    add_message(
        fmt::format("resampled to steps of {:.6g}, {:.2g} of the largest value is uncertain: one of the motions "
                    "has much near half of that rate, where the other tells nothing of it",
                    comparison.step, comparison.resampling_error),
        summary);
  }
  const std::optional<double>& second = analysis.measured.second_hit;
  if (second && *second < comparison.time(comparison.end - 1)) {
    add_message(fmt::format("the force rises again at {:.6g}, a second hit: has the load of {} it too?", *second,
                            analysis.simulated),
                summary);
  }
  if (analysis.left_out.empty()) return;
  const std::size_t named = std::min(most_channels_named, analysis.left_out.size());
  add_remark(fmt::format("{} not compared, since {} has not recorded {}: {}{}",
                         words::count_of(static_cast<long>(analysis.left_out.size()), "channel"), analysis.simulated,
                         analysis.left_out.size() == 1 ? "it" : "them",
                         fmt::join(analysis.left_out.begin(),
                                   analysis.left_out.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                         named < analysis.left_out.size() ? ", ..." : ""),
             summary);
}

}  // namespace

ordered_json CompareRecordsFacts::to_json() const {
  ordered_json json;
  json["point"] = point;
  json["span"] = {from, to};
  json["step"] = step;
  json["resampling_error"] = resampling_error;
  json["signals"] = ordered_json::array();
  for (const Signal& signal : signals) json["signals"].push_back(json_of(signal));
  return json;
}

std::string CompareRecordsAnalysis::unit() const {
  return unit_of(measured.signals.front().quantity);
}

ordered_json CompareRecordsAnalysis::settings() const {
  ordered_json json;
  json["simulated"] = simulated;
  json["measured"] = measured.name;
  json["quantity"] = word_of(measured.signals.front().quantity, quantities);
  if (!from.empty()) json["from"] = from;
  if (shapes) json["shapes"] = shapes_from;
  if (modal()) {
    json["filter"] = word_of(mass_filter, simulated_filters);
    json["band_order"] = curves.band_order;
    json["method"] = word_of(curves.hilbert, ringdown_methods);
  }
  if (!pairs.empty()) json["pairs"] = pairs;
  json["point"] = point;
  json["shift"] = shift;
  if (span) json["span"] = {span->first, span->second};
  if (band) json["band_hz"] = {band->low, band->high};
  return json;
}

std::string CompareRecordsAnalysis::describe() const {
  const std::string modes = !modal()       ? ""
                            : from.empty() ? fmt::format(", {} of {}", words::mode_list(shapes->numbers), shapes_from)
                                           : fmt::format(", the modes of {}", from);
  return fmt::format("{} against {}, {}{}", simulated, measured.name,
                     words::count_of(static_cast<long>(channels.size()), "channel"), modes);
}

std::vector<std::string> CompareRecordsAnalysis::tables() const {
  std::vector<std::string> parts = {"", compared_record_part, compared_spectra_part};
  if (modal()) parts.insert(parts.end(), {compared_modes_part, compared_curves_part});
  return parts;
}

std::vector<std::string> CompareRecordsAnalysis::sources() const {
  std::vector<std::string> names = {simulated};
  for (const std::string& name : {from, pairs}) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

AnalysisSummary CompareRecordsAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary = completed_summary();
  RecordComparison comparison;
  try {
    comparison = compare_records(*this, with);
  } catch (const std::invalid_argument& error) {
    summary.ending = Ending::no_convergence;
    summary.message = error.what();
    return summary;
  }
  if (comparison.interrupted) {
    summary.ending = Ending::interrupted;
    return summary;
  }
  write_compared_tables(*this, comparison, with.results, summary);
  tell_of_records(*this, comparison, with.results.units(), summary);
  summary.sum_up(facts_of(*this, comparison));
  return summary;
}

void CompareRecordsAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  const MemorySink* table = tables.find();
  if (table == nullptr) return;
  const std::vector<double> modes = table->column("mode"), places = table->column("channel");
  for (const char* column : {"normalised_error", "envelope_rms", "phase_largest"}) {
    const std::vector<double> values = table->column(column);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string who =
          modes[i] > 0.0 ? fmt::format("{}", modes[i]) : channels[static_cast<std::size_t>(places[i]) - 1].name;
      result.add({fmt::format("{}[{}]", column, who), "-", modes[i] > 0.0 ? "of this mode" : "of this channel"},
                 values[i]);
    }
  }
}

}  // namespace microslip
