#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "microslip/analyses/compare_records/analysis.hpp"
#include "microslip/analyses/mode_numbers.hpp"
#include "microslip/analyses/read_channels.hpp"
#include "microslip/analyses/read_earlier.hpp"
#include "microslip/analyses/read_measured_modes.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/io/channel_name.hpp"
#include "microslip/modal/modal_filter.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_compared = 64;
constexpr std::size_t least_before = 16;  // samples, to tell what a channel is at rest

const TransientAnalysis& read_simulated_source(const TableReader& reader, const StudyParts& parts,
                                               CompareRecordsAnalysis& analysis) {
  constexpr std::string_view kinds[] = {TransientAnalysis::kind};
  const TomlValue& value = reader.need("simulated");
  const EarlierAnalysis& earlier = find_earlier(reader, value, "simulated", kinds, parts);
  const auto* transient = dynamic_cast<const TransientAnalysis*>(earlier.analysis.get());
  if (transient == nullptr || !has_history(transient->psd)) {
    throw reader.error(value, fmt::format("simulated: {} leaves no history: psd with only = false", earlier.name));
  }
  analysis.simulated = earlier.name;
  const TransientOptions& options = transient->options;
  const bool exact = transient->events != nullptr || options.scheme == Scheme::modal_exact;
  analysis.period_error = exact ? 0.0 : options.step * options.step / 12.0;
  return *transient;
}

/// What the channels measure that move: what the study says, or the file.
Quantity compared_quantity(const TableReader& reader, const CsvTable& table) {
  if (reader.has("quantity")) return read_choice(reader, "quantity", quantities);
  std::set<char> letters;
  for (const std::string& name : table.names) {
    if (name != "time" && !is_force_column(table, name)) letters.insert(split_letter(name).letter);
  }
  for (const auto& choice : quantities) {
    if (letters.size() == 1 && letter_of(choice.value) == *letters.begin()) return choice.value;
  }
  throw reader.error("quantity is missing: the record does not say, for all of its channels alike, what they measure");
}

/// Mean of what is before the hit; or of the last quarter, under a Hann window, which takes no part of what still
/// rings.
double at_rest(const std::vector<double>& values, std::size_t before) {
  double sum = 0.0, weights = 0.0;
  if (before >= least_before) {
    for (std::size_t i = 0; i < before; ++i) sum += values[i];
    return sum / static_cast<double>(before);
  }
  const std::size_t length = values.size() / 4, from = values.size() - length;
  for (std::size_t i = 0; i < length; ++i) {
    const double weight = 1.0 - std::cos(two_pi * (static_cast<double>(i) + 0.5) / static_cast<double>(length));
    sum += weight * values[from + i];
    weights += weight;
  }
  return sum / weights;
}

/// The hits of the forces in the table, and how many samples are well before the first.
std::size_t note_hit(const CsvTable& table, const SampledMotion& grid, MeasuredMotion& motion) {
  const ForceHits hits = hits_in(table, least_before);
  if (hits.second) motion.second_hit = grid.time(static_cast<double>(*hits.second));
  if (!hits.begin || !hits.end) return 0;
  motion.hit_end = grid.time(static_cast<double>(*hits.end));
  return *hits.begin - std::min(*hits.begin, *hits.end - *hits.begin);
}

/// The channels of the record that the transient has.
void read_compared_channels(const TableReader& reader, const StudyParts& parts, const TransientAnalysis& transient,
                            CompareRecordsAnalysis& analysis) {
  const std::vector<RecordTable> records = read_record_tables(reader, "measured", fewest_compared, "a record");
  if (records.size() != 1) throw reader.error("measured", "measured must be one file: give one analysis a record");
  const RecordTable& record = records.front();
  const Quantity quantity = compared_quantity(reader, record.table);
  const SampledMotion grid{record.grid.start, record.grid.step, quantity, {}};
  MeasuredMotion& motion = analysis.measured;
  motion.name = record.at->text;
  motion.by_shapes = true;
  add_channel_units(record.table, motion.name, motion.units);
  const std::size_t before = note_hit(record.table, grid, motion);
  const auto& labels = parts.system.structure().labels();
  std::vector<std::string> recorded, unrecorded;
  for (const int dof : transient.record.dofs) recorded.push_back(labels[static_cast<std::size_t>(dof)]);
  for (const std::string& column : record.table.names) {
    const LetteredName name = split_letter(column);
    const bool of_motion = name.letter == '\0' || name.letter == letter_of(quantity);
    if (column == "time" || !of_motion || is_force_column(record.table, column)) continue;
    const SignedChannel at = channel_or_opposite(name.name, recorded);
    if (at.place < 0) {
      if (channel_or_opposite(name.name, labels).place >= 0) unrecorded.push_back(name.name);
      analysis.left_out.push_back(name.name);
      continue;
    }
    analysis.channels.push_back(
        {name.name, fmt::format("{}[{}]", letter_of(quantity), recorded[static_cast<std::size_t>(at.place)]), at.sign});
    motion.channels.push_back(name.name);
    motion.signals.push_back(grid);
    std::vector<double>& values = motion.signals.back().values;
    values = record.table.column(column);
    const double rest = at_rest(values, before);
    for (double& value : values) value -= rest;
  }
  if (!unrecorded.empty() && (analysis.channels.empty() || analysis.modal())) {
    throw reader.error(
        "simulated",
        fmt::format("simulated: {} does not record {}: add {} to its record = {{ dofs = [..] }}", analysis.simulated,
                    fmt::join(unrecorded, ", "), unrecorded.size() == 1 ? "it" : "them"));
  }
  if (!analysis.channels.empty()) return;
  if (analysis.left_out.empty()) {
    throw reader.error(reader.has("quantity") ? "quantity" : "measured",
                       fmt::format("{}: no channel of {} measures {}", reader.has("quantity") ? "quantity" : "measured",
                                   in_quotes(motion.name), word_of(quantity, quantities)));
  }
  throw reader.error("measured", fmt::format("measured: no channel of {} is a point of the model; there {} {}: "
                                             "channels = {{ .. }} names them",
                                             in_quotes(motion.name), analysis.left_out.size() == 1 ? "is" : "are",
                                             fmt::join(analysis.left_out, ", ")));
}

/// `modes`: shapes of the stuck modes at the channels.
MeasuredModes shapes_of_model(const TableReader& reader, const StudyParts& parts,
                              const CompareRecordsAnalysis& analysis) {
  const System& system = parts.system;
  const std::vector<int> modes = read_modes(reader, system, "modes");
  MeasuredModes result;
  result.unit_modal_mass = true;
  const auto count = static_cast<Eigen::Index>(modes.size()),
             points = static_cast<Eigen::Index>(analysis.channels.size());
  result.shapes.resize(points, count);
  result.frequency_hz.resize(count);
  for (const CompareRecordsAnalysis::Channel& channel : analysis.channels) result.channels.push_back(channel.name);
  for (Eigen::Index r = 0; r < count; ++r) {
    const int mode = modes[static_cast<std::size_t>(r)];
    result.numbers.push_back(mode + 1);
    result.frequency_hz(r) = system.stuck_modes().omega(mode) / two_pi;
    for (Eigen::Index c = 0; c < points; ++c) {
      const CompareRecordsAnalysis::Channel& channel = analysis.channels[static_cast<std::size_t>(c)];
      const int dof = system.structure().index_of(channel.column.substr(2, channel.column.size() - 3));
      result.shapes(c, r) = channel.sign * system.stuck_modes().shapes(dof, mode);
    }
  }
  return result;
}

/// Which shapes; before the channels are read, whose record must have them.
std::string shape_key(const TableReader& reader) {
  std::string found;
  for (const char* key : {"from", "shapes", "modes"}) {
    if (!reader.has(key)) continue;
    if (!found.empty()) {
      throw reader.error_at_key(*reader.value().find(key), fmt::format("{} and {} exclude each other", found, key));
    }
    found = key;
  }
  return found;
}

void require_frequencies(const TableReader& reader, const std::string& key, const CompareRecordsAnalysis& analysis) {
  const double highest = 0.45 / analysis.measured.signals.front().step;
  const Eigen::VectorXd& frequency = analysis.shapes->frequency_hz;
  if (frequency.minCoeff() > 0.0 && frequency.maxCoeff() < highest) return;
  throw reader.error(
      key, fmt::format("{}: every mode needs a frequency between 0 and 0.45 of the sampling rate, {:g}", key, highest));
}

void read_shapes_to_compare(const TableReader& reader, const StudyParts& parts, const std::string& key,
                            CompareRecordsAnalysis& analysis) {
  if (key.empty() || key == "from") return;
  analysis.shapes = key == "modes" ? shapes_of_model(reader, parts, analysis) : read_measured_modes(reader);
  analysis.shapes_from = key == "modes" ? "the model" : reader.string("shapes");
  require_frequencies(reader, key, analysis);
  const MeasuredModes& modes = *analysis.shapes;
  for (const std::string& channel : modes.channels) {
    if (channel_or_opposite(channel, analysis.measured.channels).place >= 0) continue;
    throw reader.error(key, fmt::format("{}: the shapes have a channel {}, which {}", key, channel,
                                        analysis.measured.name + " and " + analysis.simulated + " do not share"));
  }
  try {
    static_cast<void>(pseudo_inverse_filter(modes.shapes.real()));
  } catch (const std::invalid_argument& error) {
    throw reader.error(key, fmt::format("{}: {}", key, error.what()));
  }
}

/// filter = "mass": every degree of freedom of the matrices, and which mode is which.
void read_mass_filter(const TableReader& reader, const StudyParts& parts, const TransientAnalysis& transient,
                      const std::string& key, CompareRecordsAnalysis& analysis) {
  analysis.mass_filter = read_choice_or(reader, "filter", false, simulated_filters);
  if (!analysis.mass_filter) return reader.refuse("pairs", "filter = \"mass\"");
  if (key.empty()) throw reader.error("filter", "filter goes with modes: give from, shapes or modes");
  if (parts.system.truncated()) {
    throw reader.error("filter",
                       "filter = \"mass\" needs all modes of the model; of so large a structure take \"shapes\"");
  }
  const auto& labels = parts.system.structure().labels();
  for (int dof = 0; dof < parts.system.structure().independent(); ++dof) {
    const std::string& label = labels[static_cast<std::size_t>(dof)];
    if (std::find(transient.record.dofs.begin(), transient.record.dofs.end(), dof) == transient.record.dofs.end()) {
      throw reader.error("filter",
                         fmt::format("filter = \"mass\" needs every degree of freedom, and {} does not record "
                                     "{}: record it without dofs",
                                     analysis.simulated, label));
    }
    analysis.all_columns.push_back(fmt::format("{}[{}]", letter_of(analysis.measured.signals.front().quantity), label));
  }
  if (key == "modes") return reader.refuse("pairs", "from or shapes");
  constexpr std::string_view kinds[] = {"compare_modes"};
  if (!reader.has("pairs")) {
    throw reader.error("filter",
                       "filter = \"mass\" needs pairs: a compare_modes further up, which tells the mode of the "
                       "model that each measured shape belongs to");
  }
  analysis.pairs = find_earlier(reader, reader.need("pairs"), "pairs", kinds, parts).name;
}

/// Times that both have, in those of the record.
std::pair<double, double> overlap_of(const CompareRecordsAnalysis& analysis, const TransientAnalysis& transient) {
  const SampledMotion& record = analysis.measured.signals.front();
  const double last = record.time(static_cast<double>(record.values.size() - 1));
  return {std::max(record.start, -analysis.shift), std::min(last, transient.options.duration - analysis.shift)};
}

void read_times(const TableReader& reader, const TransientAnalysis& transient, CompareRecordsAnalysis& analysis) {
  analysis.shift = reader.number_or("shift", 0.0, any_number);
  const auto [from, to] = overlap_of(analysis, transient);
  const SampledMotion& record = analysis.measured.signals.front();
  const double row = transient.options.step * transient.record.every;
  const double least = static_cast<double>(fewest_compared) * std::max(record.step, row);
  if (to - from < least) {
    throw reader.error(
        reader.has("shift") ? "shift" : "simulated",
        fmt::format("{}, from {:g} to {:g} in times of the record, and the record, {:g} to {:g}, must "
                    "overlap by {} samples",
                    analysis.simulated, -analysis.shift, transient.options.duration - analysis.shift, record.start,
                    record.time(static_cast<double>(record.values.size() - 1)), fewest_compared));
  }
  if (reader.has("span")) {
    const std::vector<double> span = reader.numbers("span", any_number);
    if (span.size() != 2 || !(span[0] < span[1]) || span[0] < from - record.step || span[1] > to + record.step) {
      throw reader.error("span", fmt::format("span must be [from, to] within the times that both have, {:g} to {:g}, "
                                             "got [{:g}]",
                                             from, to, fmt::join(span, ", ")));
    }
    analysis.span = {span[0], span[1]};
  }
  if (analysis.curves.start && !(*analysis.curves.start >= from && *analysis.curves.start < to)) {
    throw reader.error("start", fmt::format("start must be within the times that both have, {:g} to {:g}, got {:g}",
                                            from, to, *analysis.curves.start));
  }
}

void read_channel_band(const TableReader& reader, const TransientAnalysis& transient,
                       CompareRecordsAnalysis& analysis) {
  analysis.curves.band_order = static_cast<int>(reader.integer_or("band_order", 6, 1, 20));
  if (!reader.has("band_hz")) return;
  const std::vector<double> band = reader.numbers("band_hz", positive_number);
  const double step = std::max(analysis.measured.signals.front().step, transient.options.step * transient.record.every);
  if (band.size() != 2 || !(band[0] < band[1]) || !(band[1] < 0.5 / step)) {
    throw reader.error("band_hz", fmt::format("band_hz must be [low, high] with low < high < {:g}, half the lower "
                                              "sampling rate, got [{:g}]",
                                              0.5 / step, fmt::join(band, ", ")));
  }
  analysis.band = Band{band[0], band[1]};
}

/// The strongest channel of the record, among those of the shapes where these are known.
std::string strongest_channel(const CompareRecordsAnalysis& analysis) {
  const MeasuredMotion& motion = analysis.measured;
  std::string best;
  double largest = -1.0;
  for (std::size_t c = 0; c < motion.channels.size(); ++c) {
    if (analysis.shapes && channel_or_opposite(motion.channels[c], analysis.shapes->channels).place < 0) continue;
    double sum = 0.0;
    for (const double value : motion.signals[c].values) sum += value * value;
    if (sum <= largest) continue;
    largest = sum;
    best = motion.channels[c];
  }
  return best;
}

void read_point(const TableReader& reader, CompareRecordsAnalysis& analysis) {
  if (!reader.has("point")) {
    analysis.point = strongest_channel(analysis);
    return;
  }
  const std::string point = reader.string("point");
  const auto& names = analysis.measured.channels;
  const SignedChannel at = channel_or_opposite(point, names);
  if (at.place < 0) {
    throw reader.error("point",
                       fmt::format("point: both have no channel {}{}", in_quotes(point), suggestion(point, names)));
  }
  analysis.point = names[static_cast<std::size_t>(at.place)];
  if (analysis.shapes && channel_or_opposite(point, analysis.shapes->channels).place < 0) {
    throw reader.error("point", fmt::format("point: the shapes have no channel {}{}", in_quotes(point),
                                            suggestion(point, analysis.shapes->channels)));
  }
}

std::vector<std::string> compare_records_keys(bool hilbert) {
  std::vector<std::string> keys = {"kind", "name",   "simulated", "measured",   "channels", "quantity",
                                   "from", "shapes", "modes",     "filter",     "pairs",    "shift",
                                   "span", "point",  "band_hz",   "band_order", "max_other"};
  const std::vector<std::string> of_method = ringdown_method_keys(hilbert);
  keys.insert(keys.end(), of_method.begin(), of_method.end());
  return keys;
}

}  // namespace

std::unique_ptr<Analysis> read_compare_records_analysis(const TableReader& reader, const StudyParts& parts) {
  auto analysis = std::make_unique<CompareRecordsAnalysis>();
  reader.allow_only(compare_records_keys(read_choice_or(reader, "method", false, ringdown_methods)));
  const TransientAnalysis& transient = read_simulated_source(reader, parts, *analysis);
  const std::string key = shape_key(reader);
  if (key == "from") analysis->from = read_modal_fit_source(reader, parts);
  read_compared_channels(reader, parts, transient, *analysis);
  read_shapes_to_compare(reader, parts, key, *analysis);
  read_mass_filter(reader, parts, transient, key, *analysis);
  read_ringdown_method(reader, analysis->curves);
  read_times(reader, transient, *analysis);
  read_channel_band(reader, transient, *analysis);
  read_point(reader, *analysis);
  analysis->curves.most_other = reader.number_or("max_other", analysis->curves.most_other, positive_number);
  analysis->curves.measured = {analysis->measured};
  analysis->curves.measured.front().signals.resize(1);  // its quantity; offsets are taken off
  analysis->curves.bands_of_fit = true;
  return analysis;
}

}  // namespace microslip
