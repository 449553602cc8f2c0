#include "microslip/analyses/frf_estimate/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>

#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/write_table.hpp"
#include "microslip/io/universal_file.hpp"
#include "microslip/measurement/block_spectra.hpp"
#include "microslip/measurement/spectrogram.hpp"

namespace microslip {
namespace {

constexpr std::size_t most_shown_rows = 4000;
constexpr std::size_t spectrogram_times = 100, spectrogram_lines = 120;

std::vector<Eigen::Index> numbers_to(Eigen::Index count) {
  std::vector<Eigen::Index> numbers(static_cast<std::size_t>(count));
  for (Eigen::Index i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = i;
  return numbers;
}

/// Columns of one response to one reference.
void add_pair(const FrequencyResponses& of, Eigen::Index c, const std::string& unit, Table<Eigen::Index>& table) {
  const std::string pair = fmt::format("{}/{}", of.channels[static_cast<std::size_t>(c)], of.reference);
  std::vector<Column> columns = {
      {fmt::format("re[{}]", pair), unit, "response over force, real part"},
      {fmt::format("im[{}]", pair), unit, "response over force, imaginary part"},
      {fmt::format("error[{}]", pair), unit, "standard error of either part, from the noise", Scale::logarithmic},
      {fmt::format("coherence[{}]", pair), "-", "share of the response that the force explains; 1 of a single average"},
      {fmt::format("abs[{}]", pair), unit, "size of the response over the force", Scale::logarithmic},
      {fmt::format("phase[{}]", pair), "rad", "by which the response leads the force"}};
  table.add_group(std::move(columns), [&of, c](Eigen::Index k, double* at) {
    const std::complex<double> value = of.values(k, c);
    at[0] = value.real();
    at[1] = value.imag();
    at[2] = of.error(k, c);
    at[3] = of.coherence(k, c);
    at[4] = std::abs(value);
    at[5] = std::arg(value);
  });
}

/// The value of largest size of each of `rows` intervals.
std::vector<double> extremes(const Eigen::VectorXd& values, std::size_t rows) {
  std::vector<double> result(rows);
  const auto n = static_cast<std::size_t>(values.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = r * n / rows; i < (r + 1) * n / rows; ++i) {
      const double value = values(static_cast<Eigen::Index>(i));
      if (std::abs(value) >= std::abs(result[r])) result[r] = value;
    }
  }
  return result;
}

/// Without the lead.
std::size_t block_samples(const ShownBlock& shown) {
  return shown.samples - (shown.hit->block - shown.hit->lead);
}

Eigen::VectorXd shown(const std::vector<double>& channel, const ShownBlock& block) {
  Eigen::VectorXd values =
      Eigen::Map<const Eigen::VectorXd>(channel.data() + block.first, static_cast<Eigen::Index>(block.samples));
  const double offset = block.hit != nullptr ? offset_before(channel, *block.hit, block_samples(block)) : values.mean();
  return values.array() - offset;
}

void write_spectrogram(const FrfEstimateAnalysis& analysis, const std::vector<Eigen::VectorXd>& responses, double start,
                       Results& results, AnalysisSummary& summary) {
  const auto weaker = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return a.squaredNorm() < b.squaredNorm();
  };
  if (responses.empty()) return;
  const Eigen::VectorXd& strongest = *std::max_element(responses.begin(), responses.end(), weaker);
  const double step = analysis.test.records.front().step;
  const double band = analysis.random ? analysis.segments.band_high : analysis.hits.band_high;
  const Spectrogram picture = spectrogram({strongest.data(), static_cast<std::size_t>(strongest.size())}, step,
                                          band > 0.0 ? band : 0.5 / step, spectrogram_times, spectrogram_lines);
  Table<std::size_t> table;
  const std::size_t lines = std::max<std::size_t>(1, picture.frequency.size());
  table.add({"time", "time", "middle of the segment"}, [&](std::size_t i) { return start + picture.time[i / lines]; });
  table.add({"frequency_hz", "1/time", "cycles a unit of time"},
            [&](std::size_t i) { return picture.frequency[i % lines]; });
  table.add({"amplitude", unit_of(analysis.quantity), "of a sine, of the strongest response", Scale::logarithmic},
            [&](std::size_t i) { return picture.amplitude[i]; });
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < picture.amplitude.size(); ++i) rows.push_back(i);
  write_table(analysis.name, spectrogram_part, std::move(table), rows, results, summary);
}

/// Directions of universal files: 1 to 6, negative against them; 0 without one.
int direction_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return 0;
  std::string direction = name.substr(dot + 1);
  const int sign = direction.starts_with('-') ? -1 : 1;
  if (sign < 0) direction.erase(0, 1);
  constexpr std::string_view known[] = {"x", "y", "z", "rx", "ry", "rz"};
  const auto* found = std::find(std::begin(known), std::end(known), direction);
  return found == std::end(known) ? 0 : sign * (static_cast<int>(found - std::begin(known)) + 1);
}

/// "12.z" -> 12; 0 for names of another form.
int node_in(const std::string& name) {
  int node = 0;
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  const auto [end, error] = std::from_chars(name.data(), name.data() + dot, node);
  return error == std::errc() && end == name.data() + dot && node > 0 ? node : 0;
}

/// Nodes of the channels and references: as in their names where all of these have numbers, else counted from 1.
class Nodes {
 public:
  explicit Nodes(const std::vector<FrequencyResponses>& of) {
    for (const std::string& name : of.front().channels) add(name);
    for (const FrequencyResponses& each : of) add(each.reference);
    numbered_ = std::all_of(names_.begin(), names_.end(), [](const std::string& name) { return node_in(name) > 0; });
  }
  [[nodiscard]] UniversalPoint operator()(const std::string& name) const {
    const auto at = std::find(names_.begin(), names_.end(), name) - names_.begin();
    return {numbered_ ? node_in(name) : static_cast<int>(at) + 1, direction_of(name)};
  }

 private:
  void add(const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  }
  std::vector<std::string> names_;
  bool numbered_ = false;
};

UniversalKind universal_kind(Quantity quantity) {
  return quantity == Quantity::acceleration ? UniversalKind::acceleration
         : quantity == Quantity::velocity   ? UniversalKind::velocity
                                            : UniversalKind::displacement;
}

/// Six digits, as many as the format has for start and step.
double six_digits(double value) {
  return std::stod(fmt::format("{:.5E}", value));
}

}  // namespace

void write_responses(const FrfEstimateAnalysis& analysis, const std::vector<FrequencyResponses>& references,
                     Results& results, AnalysisSummary& summary) {
  Table<Eigen::Index> table;
  const FrequencyResponses& first = references.front();
  table.add({"frequency_hz", "1/time", "cycles a unit of time"}, [&](Eigen::Index k) { return first.frequency(k); });
  for (const FrequencyResponses& of : references) {
    table.add({fmt::format("force_error[{}]", of.reference), "-",
               "standard error of all responses to it over their size, beside `error`: noise of the force"},
              [&of](Eigen::Index k) { return of.force_error.size() > 0 ? of.force_error(k) : 0.0; });
    for (Eigen::Index c = 0; c < of.values.cols(); ++c) add_pair(of, c, analysis.response_unit(), table);
  }
  write_table(analysis.name, "", std::move(table), numbers_to(first.frequency.size()), results, summary);
}

void write_hits(const FrfEstimateAnalysis& analysis, const std::vector<HitFacts>& hits, Results& results,
                AnalysisSummary& summary) {
  using Row = std::pair<std::size_t, const HitFacts*>;
  Table<Row> table;
  table.add({"hit", "-", "number, from 1"}, [](const Row& row) { return row.first + 1; });
  table.add({"record", "-", "number of its record in the study, from 1"},
            [](const Row& row) { return row.second->hit.record + 1; });
  table.add({"time", "time", "when the force rises"}, [](const Row& row) { return row.second->time; });
  table.add({"peak_force", "force", "largest force, less that at rest"},
            [](const Row& row) { return row.second->hit.peak; });
  table.add({"duration", "time", "of the pulse"}, [](const Row& row) { return row.second->duration; });
  table.add({"double_hit", "time", "after which the force rises again within the block; 0: it does not"},
            [](const Row& row) { return row.second->double_hit; });
  table.add({"overloads", "-", "channels at the end of their range"},
            [](const Row& row) { return row.second->overloads; });
  table.add({"used", "-", "1: part of the average"}, [](const Row& row) { return row.second->used ? 1 : 0; });
  table.add({"force_to_noise", "-", "peak over the standard deviation before the hit", Scale::logarithmic},
            [](const Row& row) { return row.second->force_to_noise; });
  table.add({"response_to_noise", "-", "the same of the response where it is least", Scale::logarithmic},
            [](const Row& row) { return row.second->response_to_noise; });
  std::vector<Row> rows;
  for (std::size_t k = 0; k < hits.size(); ++k) rows.emplace_back(k, &hits[k]);
  write_table(analysis.name, hits_part, std::move(table), rows, results, summary);
}

void write_signals(const FrfEstimateAnalysis& analysis, const ShownBlock& block, Results& results,
                   AnalysisSummary& summary) {
  const MeasuredRecord& record = analysis.test.records[block.record];
  const std::size_t rows = std::min(block.samples, most_shown_rows);
  const auto time_of = [&](std::size_t row) { return record.time(block.first + row * block.samples / rows); };
  std::vector<Eigen::VectorXd> responses;
  Table<std::size_t> table;
  table.add({"time", "time", "first sample of the interval"}, time_of);
  const auto add = [&](std::string column, const std::string& unit, const char* what, const Eigen::VectorXd& values) {
    table.add({std::move(column), unit, what},
              [shown = extremes(values, rows)](std::size_t row) { return shown[row]; });
  };
  add("force", "force", "value of largest size in the interval, less that at rest", shown(record.force, block));
  if (block.hit != nullptr) {
    const Eigen::VectorXd window = analysis.hits.force_window
                                       ? force_window(*block.hit, block_samples(block))
                                       : Eigen::VectorXd::Ones(static_cast<Eigen::Index>(block.samples));
    add("force_window", "-", "window of the force, without the exponential one", window);
    BlockOptions options;
    options.samples = block_samples(block);
    options.decay = block.decay * record.step;
    add("exponential_window", "-", "window of force and responses, 1 at the largest force; it rises before the hit",
        block_window(*block.hit, options));
  }
  for (std::size_t c = 0; c < record.responses.size(); ++c) {
    if (record.responses[c].empty()) continue;
    responses.push_back(shown(record.responses[c], block));
    add(fmt::format("x[{}]", analysis.test.channels[c]), unit_of(analysis.quantity),
        "value of largest size in the interval, less its offset", responses.back());
  }
  std::vector<std::size_t> numbers(rows);
  for (std::size_t i = 0; i < rows; ++i) numbers[i] = i;
  write_table(analysis.name, signals_part, std::move(table), numbers, results, summary);
  write_spectrogram(analysis, responses, record.time(block.first), results, summary);
}

std::string universal_responses(const std::vector<FrequencyResponses>& references) {
  UniversalFile content;
  const Nodes nodes(references);
  for (const FrequencyResponses& of : references) {
    const auto lines = static_cast<std::size_t>(of.frequency.size());
    const double start = six_digits(of.frequency(0));
    const double step = lines > 1 ? six_digits(of.frequency(1) - of.frequency(0)) : 1.0;
    for (Eigen::Index c = 0; c < of.values.cols(); ++c) {
      UniversalFunction function;
      function.type = 4;
      function.words = fmt::format("{}/{}", of.channels[static_cast<std::size_t>(c)], of.reference);
      function.response = nodes(of.channels[static_cast<std::size_t>(c)]);
      function.reference = nodes(of.reference);
      function.abscissa_kind = UniversalKind::frequency;
      function.ordinate_kind = universal_kind(of.quantity);
      function.denominator_kind = UniversalKind::excitation;
      for (std::size_t k = 0; k < lines; ++k) {
        const std::complex<double> value = of.values(static_cast<Eigen::Index>(k), c);
        function.abscissa.push_back(start + step * static_cast<double>(k));
        function.values.push_back(value.real());
        function.imaginary.push_back(value.imag());
      }
      content.functions.push_back(std::move(function));
    }
  }
  return universal_text(content, UniversalForm::little_endian);
}

}  // namespace microslip
