#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "microslip/analyses/frf_estimate/analysis.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/measurement/channel_faults.hpp"

namespace microslip {
namespace {

constexpr NumberRange window_share{1e-12, 1.0, true, true};
constexpr NumberRange overlap_range{0.0, 0.9, true, true};
constexpr std::size_t fewest_samples_in_a_block = 64;

std::vector<std::string> frf_estimate_keys(bool random) {
  std::vector<std::string> keys = {"kind",      "name",     "records",    "channels",  "reference",
                                   "responses", "quantity", "excitation", "estimator", "band_hz"};
  if (random) {
    keys.insert(keys.end(), {"resolution_hz", "overlap"});
  } else {
    keys.insert(keys.end(), {"duration", "force_window", "exponential_window", "double_hits", "overloads"});
  }
  return keys;
}

double shortest_record(const MeasuredTest& test) {
  double least = 0.0;
  for (const MeasuredRecord& record : test.records) {
    const double length = record.step * static_cast<double>(record.force.size());
    least = least > 0.0 ? std::min(least, length) : length;
  }
  return least;
}

void read_lines_band(const TableReader& reader, double step, double& low, double& high) {
  if (!reader.has("band_hz")) return;
  const std::vector<double> band = reader.numbers("band_hz", nonnegative_number);
  const double half = 0.5 / step;
  if (band.size() != 2 || !(band[0] < band[1]) || !(band[1] <= half)) {
    throw reader.error("band_hz", fmt::format("band_hz must be [low, high] with low < high <= {:g}, half the sampling "
                                              "rate, got [{:g}]",
                                              half, fmt::join(band, ", ")));
  }
  low = band[0];
  high = band[1];
}

/// A share at the end of the block, or { decay = ... }.
void read_exponential(const TableReader& reader, HitOptions& options) {
  const TomlValue* value = reader.find("exponential_window");
  if (value == nullptr) return;
  if (value->type == TomlValue::Type::table) {
    const TableReader window = reader.table("exponential_window");
    window.allow_only({"end", "decay"});
    if (window.exactly_one_of({"end", "decay"}) == "decay") {
      options.window_decay = window.number("decay", positive_number);
    } else {
      options.window_end = window.number("end", window_share);
    }
    return;
  }
  options.window_end = reader.number("exponential_window", window_share);
}

void read_hit_keys(const TableReader& reader, FrfEstimateAnalysis& analysis) {
  HitOptions& options = analysis.hits;
  const double step = analysis.test.records.front().step, shortest = shortest_record(analysis.test);
  if (reader.has("duration")) {
    options.duration = reader.number("duration", positive_number);
    const double least = step * fewest_samples_in_a_block;
    if (!(options.duration >= least && options.duration <= shortest)) {
      throw reader.error("duration", fmt::format("duration must be from {:g}, {} samples, to {:g}, the length of the "
                                                 "shortest record, got {:g}",
                                                 least, fewest_samples_in_a_block, shortest, options.duration));
    }
  }
  options.force_window = reader.flag_or("force_window", true);
  read_exponential(reader, options);
  options.leave_out_double_hits = read_choice_or(reader, "double_hits", false, faulty_hits);
  options.leave_out_overloads = read_choice_or(reader, "overloads", true, faulty_hits);
  read_lines_band(reader, step, options.band_low, options.band_high);
}

void read_random_keys(const TableReader& reader, FrfEstimateAnalysis& analysis) {
  RandomOptions& options = analysis.segments;
  const double step = analysis.test.records.front().step, shortest = shortest_record(analysis.test);
  options.overlap = reader.number_or("overlap", options.overlap, overlap_range);
  if (reader.has("resolution_hz")) {
    const double resolution = reader.number("resolution_hz", positive_number);
    const double samples = 1.0 / (resolution * step);
    if (!(samples >= fewest_samples_in_a_block) || !(samples * step <= shortest)) {
      throw reader.error(
          "resolution_hz",
          fmt::format("resolution_hz must be from {:g}, one segment, to {:g}, segments of "
                      "{} samples, got {:g}",
                      1.0 / shortest, 1.0 / (step * fewest_samples_in_a_block), fewest_samples_in_a_block, resolution));
    }
    options.segment = static_cast<std::size_t>(std::llround(samples));
  }
  read_lines_band(reader, step, options.band_low, options.band_high);
  for (const MeasuredRecord& record : analysis.test.records) {
    if (record.reference == analysis.test.records.front().reference) continue;
    throw reader.error("records",
                       fmt::format("records: random excitation at one reference an analysis, got {} and {}",
                                   in_quotes(analysis.test.records.front().reference), in_quotes(record.reference)));
  }
}

}  // namespace

std::unique_ptr<Analysis> read_frf_estimate_analysis(const TableReader& reader, const StudyParts&) {
  auto analysis = std::make_unique<FrfEstimateAnalysis>();
  analysis->random = read_choice_or(reader, "excitation", false, excitations);
  reader.allow_only(frf_estimate_keys(analysis->random));
  const FrfEstimator estimator = read_choice_or(reader, "estimator", FrfEstimator::H1, frf_estimators);
  analysis->hits.estimator = analysis->segments.estimator = estimator;
  RecordsRead read = read_records(reader);
  analysis->test = std::move(read.test);
  analysis->quantity = read.quantity;
  analysis->notes = std::move(read.notes);
  analysis->units = std::move(read.units);
  for (const MeasuredRecord& record : analysis->test.records) {
    if (!is_dead(record.force)) continue;
    throw reader.error(
        "records", fmt::format("records: {}: the force {} is dead, all of its values are {:g}", in_quotes(record.name),
                               in_quotes(record.reference), record.force.front()));
  }
  if (analysis->random) {
    read_random_keys(reader, *analysis);
  } else {
    read_hit_keys(reader, *analysis);
  }
  return analysis;
}

}  // namespace microslip
