#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "microslip/analyses/joint_methods.hpp"
#include "microslip/analyses/read_measured_modes.hpp"
#include "microslip/analyses/ringdown/analysis.hpp"

namespace microslip {
namespace {

/// Keys that belong to the processing, whatever is processed.
std::vector<std::string> processing_keys(bool hilbert) {
  std::vector<std::string> keys = {"mode", "band_hz", "band_order", "max_other", "spectrum_to_hz", "computed", "pairs"};
  const std::vector<std::string> of_method = ringdown_method_keys(hilbert);
  keys.insert(keys.end(), of_method.begin(), of_method.end());
  return keys;
}

void read_simulated(const TableReader& reader, const StudyParts& parts, std::vector<std::string> keys,
                    RingdownAnalysis& analysis) {
  keys.emplace_back("every");
  TransientAnalysis transient = read_transient_keys(reader, parts, {"integrator", std::move(keys)});
  transient.record = record_everything(parts.system);
  transient.record.joints.clear();
  transient.record.every = static_cast<int>(reader.integer_or("every", 1, 1, 1'000'000));
  double end = 0.0;
  for (const Load& load : transient.loads) end = std::max(end, load.signal.end());
  if (!analysis.start) {
    if (!std::isfinite(end))
      throw reader.error("load", "load never ends: give start, the time when the ring-down begins");
    analysis.start = end;
  }
  const double duration = transient.options.duration;
  if (!(*analysis.start < duration)) {
    throw reader.error(
        reader.has("start") ? "start" : "duration",
        fmt::format("the ring-down begins at {:g}, after the duration of {:g}", *analysis.start, duration));
  }
  analysis.transient = std::move(transient);
}

void read_data(const TableReader& reader, const StudyParts& parts, std::vector<std::string> keys,
               RingdownAnalysis& analysis) {
  keys.insert(keys.end(), {"kind", "name", "data", "quantity", "channel", "channels", "shapes", "from"});
  reader.allow_only(keys);
  analysis.measured = read_measured_motions(reader, parts.system);
  if (reader.has("from")) analysis.from = read_modal_fit_source(reader, parts);
  for (const MeasuredMotion& record : analysis.measured) {
    const SampledMotion& motion = record.signals.front();
    const double last = motion.time(static_cast<double>(motion.values.size() - 16));
    if (!analysis.start || *analysis.start <= last) continue;
    throw reader.error("start",
                       fmt::format("start must leave 16 samples, at most {:g}, got {:g}", last, *analysis.start));
  }
}

/// Numbers of modes that can be processed; empty: a fit further up will tell.
std::vector<int> known_modes(const RingdownAnalysis& analysis, const StudyParts& parts) {
  if (!analysis.from.empty()) {
    for (const EarlierAnalysis& earlier : parts.earlier) {
      if (earlier.name == analysis.from) return earlier.modes;
    }
  }
  if (!analysis.measured.empty()) return analysis.measured.front().modes;
  const System& system = parts.system;
  std::vector<int> modes;
  const int kept = analysis.transient->options.modes;
  const auto count = kept > 0 ? kept : static_cast<int>(system.stuck_modes().omega.size());
  for (int r = system.stuck_modes().rigid; r < count; ++r) modes.push_back(r + 1);
  return modes;
}

void read_modes(const TableReader& reader, const StudyParts& parts, RingdownAnalysis& analysis) {
  const TomlValue* value = reader.find("mode");
  if (value == nullptr) return;
  if (analysis.single_channel()) {  // a number for the table, whatever it is
    for (MeasuredMotion& record : analysis.measured) {
      record.modes = {static_cast<int>(reader.integer("mode", 1, 1'000'000))};
    }
    return;
  }
  const std::vector<int> known = known_modes(analysis, parts);
  const auto add = [&](const TomlValue& item) {
    const bool whole = item.type == TomlValue::Type::integer;
    if (known.empty() && !(whole && item.integer >= 1 && item.integer <= 1'000'000)) {
      throw reader.error(item, fmt::format("mode must be a whole number from 1, got {}", item.describe_no_integer()));
    }
    if (!known.empty() && !(whole && std::find(known.begin(), known.end(), item.integer) != known.end())) {
      throw reader.error(
          item, fmt::format("mode must be one of {}, got {}", fmt::join(known, ", "), item.describe_no_integer()));
    }
    const auto mode = static_cast<int>(item.integer);
    if (std::find(analysis.modes.begin(), analysis.modes.end(), mode) != analysis.modes.end()) {
      throw reader.error(item, fmt::format("mode: {} is there twice", mode));
    }
    analysis.modes.push_back(mode);
  };
  if (value->type != TomlValue::Type::array) return add(*value);
  for (const TomlValue& item : value->items) add(item);
}

/// [1/time]
double sampling_rate(const RingdownAnalysis& analysis) {
  double step = 0.0;
  for (const MeasuredMotion& record : analysis.measured) step = std::max(step, record.signals.front().step);
  if (step > 0.0) return 1.0 / step;
  return 1.0 / (analysis.transient->options.step * analysis.transient->record.every);
}

/// "auto": each mode in a band of its own, where its frequency is known.
void read_band_word(const TableReader& reader, RingdownAnalysis& analysis) {
  analysis.bands_of_fit = reader.choice("band_hz", {"auto", "none"}) == "auto";
  if (!analysis.bands_of_fit || !analysis.from.empty()) return;
  const auto unknown = [](const MeasuredMotion& record) { return record.bands.empty(); };
  if (analysis.measured.empty() || std::any_of(analysis.measured.begin(), analysis.measured.end(), unknown)) {
    throw reader.error("band_hz",
                       "band_hz = \"auto\" needs the frequencies of the modes, below 0.45 of the sampling rate: from "
                       "a modal_fit, or shapes with a column frequency_hz");
  }
}

void read_band(const TableReader& reader, RingdownAnalysis& analysis) {
  analysis.band_order = static_cast<int>(reader.integer_or("band_order", analysis.band_order, 1, 20));
  const TomlValue* value = reader.find("band_hz");
  analysis.bands_of_fit = value == nullptr && !analysis.from.empty();
  if (value != nullptr && value->type == TomlValue::Type::string) return read_band_word(reader, analysis);
  if (value == nullptr) {
    if (!analysis.bands_of_fit && reader.has("band_order")) {
      throw reader.error_at_key(*reader.value().find("band_order"), "band_order goes with band_hz");
    }
    return;
  }
  const std::vector<double> band = reader.numbers("band_hz", positive_number);
  const double highest = 0.5 * sampling_rate(analysis);
  if (band.size() != 2 || !(band[0] < band[1]) || !(band[1] < highest)) {
    throw reader.error("band_hz", fmt::format("band_hz must be [low, high] with low < high < {:g}, half the sampling "
                                              "rate, got [{:g}]",
                                              highest, fmt::join(band, ", ")));
  }
  if (analysis.modes.size() > 1 || (!analysis.from.empty() && analysis.modes.empty())) {
    throw reader.error("band_hz", "band_hz goes with one mode: give one analysis a mode");
  }
  analysis.band = Band{band[0], band[1]};
}

/// Numbers of modes are those of the model, but for measured shapes.
void read_computed(const TableReader& reader, const StudyParts& parts, RingdownAnalysis& analysis) {
  analysis.computed = read_computed_sources(reader, parts);
  if (analysis.computed.curves.empty()) return;
  if (analysis.single_channel()) {
    throw reader.error("computed", "computed: curves of the model are of modal displacements, and channel has none");
  }
  if (analysis.by_shapes() && analysis.computed.pairs.empty()) {
    throw reader.error("computed",
                       "computed needs pairs: a compare_modes further up, which tells the mode of the model that each "
                       "measured shape belongs to");
  }
  if (!analysis.by_shapes()) reader.refuse("pairs", "from or shapes");
}

}  // namespace

std::vector<std::string> ringdown_method_keys(bool hilbert) {
  if (hilbert) return {"method", "start", "trim_cycles", "pieces"};
  return {"method", "start", "half_cycles", "accuracy"};
}

void read_ringdown_method(const TableReader& reader, RingdownAnalysis& analysis) {
  analysis.hilbert = read_choice_or(reader, "method", false, ringdown_methods);
  if (reader.has("start")) analysis.start = reader.number("start", any_number);
  RingdownOptions& points = analysis.turning_points;
  points.half_cycles = static_cast<int>(reader.integer_or("half_cycles", 0, 3, 9999));
  if (points.half_cycles > 0 && points.half_cycles % 2 == 0) {
    throw reader.error("half_cycles", fmt::format("half_cycles must be odd, got {}", points.half_cycles));
  }
  points.accuracy = reader.number_or("accuracy", points.accuracy, positive_number);
  HilbertOptions& hilbert = analysis.hilbert_options;
  hilbert.trim_cycles = reader.number_or("trim_cycles", hilbert.trim_cycles, nonnegative_number);
  hilbert.pieces = static_cast<int>(reader.integer_or("pieces", 0, 1, 100'000));
}

std::unique_ptr<Analysis> read_ringdown_analysis(const TableReader& reader, const StudyParts& parts) {
  if (!reader.has("data") && parts.system.empty()) {
    throw reader.error("kind", "\"ringdown\" needs a [structure], or data");
  }
  if (!reader.has("data")) refuse_rigid_friction(reader, RingdownAnalysis::kind, parts.system);
  auto analysis = std::make_unique<RingdownAnalysis>();
  read_ringdown_method(reader, *analysis);
  if (reader.has("data")) {
    read_data(reader, parts, processing_keys(analysis->hilbert), *analysis);
  } else {
    read_simulated(reader, parts, processing_keys(analysis->hilbert), *analysis);
  }
  read_modes(reader, parts, *analysis);
  read_band(reader, *analysis);
  read_computed(reader, parts, *analysis);
  analysis->most_other = reader.number_or("max_other", analysis->most_other, positive_number);
  analysis->spectrum_to = reader.number_or("spectrum_to_hz", 0.0, positive_number);
  return analysis;
}

}  // namespace microslip
