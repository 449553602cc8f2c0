#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/analyses/fit_modal_iwan/analysis.hpp"
#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/read_earlier.hpp"
#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr std::string_view source_kinds[] = {QsmaAnalysis::kind, RingdownAnalysis::kind};
constexpr std::string_view compared_kinds[] = {RingdownAnalysis::kind};

/// What a parameter may be.
NumberRange range_of(int parameter) {
  if (parameter == 1 || parameter == 5) return nonnegative_number;
  if (parameter == 4) return {-1.0, std::numeric_limits<double>::infinity(), false, true};
  return positive_number;
}

std::vector<std::string> parameter_names() {
  return {modal_iwan_names.begin(), modal_iwan_names.end()};
}

void read_fixed(const TableReader& reader, ModalIwanFitOptions& options) {
  if (!reader.has("fixed")) return;
  const TableReader fixed = reader.table("fixed");
  fixed.allow_only(parameter_names());
  for (int k = 0; k < modal_iwan_size; ++k) {
    if (fixed.has(modal_iwan_names[k])) options.fixed[k] = fixed.number(modal_iwan_names[k], range_of(k));
  }
  const auto given = [](const auto& value) { return value.has_value(); };
  if (std::all_of(options.fixed.begin(), options.fixed.end(), given)) {
    throw reader.error("fixed", "fixed holds every parameter: nothing is left to fit");
  }
}

void read_bounds(const TableReader& reader, ModalIwanFitOptions& options) {
  if (!reader.has("bounds")) return;
  const TableReader bounds = reader.table("bounds");
  bounds.allow_only(parameter_names());
  for (int k = 0; k < modal_iwan_size; ++k) {
    const std::string_view name = modal_iwan_names[k];
    if (!bounds.has(name)) continue;
    const std::vector<double> ends = bounds.numbers(name, range_of(k));
    if (ends.size() != 2 || !(ends[0] < ends[1])) {
      throw bounds.error(name, fmt::format("{} must be [low, high] with low < high", name));
    }
    if (options.fixed[k]) throw bounds.error(name, fmt::format("{} is fixed: it takes no bounds", name));
    options.bounds[k] = {ends[0], ends[1]};
  }
}

void read_forms(const TableReader& reader, FitModalIwanAnalysis& analysis) {
  ModalIwanFitOptions& options = analysis.options;
  options.omega_form = read_choice_or(reader, "omega_form", options.omega_form, omega_form_choices);
  options.zeta_form = read_choice_or(reader, "zeta_form", analysis.from_qsma ? ZetaForm::tangent : ZetaForm::decrement,
                                     zeta_form_choices);
}

void read_errors(const TableReader& reader, ModalIwanFitOptions& options) {
  if (!reader.has("errors")) return;
  const TableReader errors = reader.table("errors");
  errors.allow_only({"omega", "zeta"});
  options.omega_error = errors.number_or("omega", 0.0, positive_number);
  options.zeta_error = errors.number_or("zeta", 1.0, positive_number);
}

void read_amplitude_range(const TableReader& reader, FitModalIwanAnalysis& analysis) {
  if (!reader.has("range")) return;
  const std::vector<double> range = reader.numbers("range", positive_number);
  if (range.size() != 2 || !(range[0] < range[1])) {
    throw reader.error("range", "range must be [from, to], amplitudes q with 0 < from < to");
  }
  analysis.q_low = range[0];
  analysis.q_high = range[1];
}

/// Modes that the sources are known to hold; empty when one of them is not known.
std::vector<int> read_sources(const TableReader& reader, const StudyParts& parts, FitModalIwanAnalysis& analysis) {
  const TomlValue& value = reader.need("from");
  const bool list = value.type == TomlValue::Type::array;
  std::vector<int> known;
  bool all_known = true;
  std::string kind;
  for (const TomlValue& item : list ? value.items : std::vector<TomlValue>{value}) {
    const EarlierAnalysis& source = find_earlier(reader, item, "from", source_kinds, parts);
    if (kind.empty()) kind = source.kind;
    if (source.kind != kind) {
      throw reader.error(item,
                         "from: all of one kind, please: a ring-down and a quasi-static curve differ at the onset "
                         "of macroslip");
    }
    if (std::find(analysis.from.begin(), analysis.from.end(), source.name) != analysis.from.end()) {
      throw reader.error(item, fmt::format("from: {} is there twice", in_quotes(source.name)));
    }
    analysis.from.push_back(source.name);
    all_known = all_known && !source.modes.empty();
    known.insert(known.end(), source.modes.begin(), source.modes.end());
  }
  if (analysis.from.empty()) throw reader.error(value, "from: the list is empty");
  analysis.from_qsma = kind == QsmaAnalysis::kind;
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return all_known ? known : std::vector<int>{};
}

void read_compare(const TableReader& reader, const StudyParts& parts, FitModalIwanAnalysis& analysis) {
  if (!reader.has("compare")) return;
  for (const TomlValue& item : reader.as_list(reader.need("compare"), "compare")) {
    const std::string& name = find_earlier(reader, item, "compare", compared_kinds, parts).name;
    if (std::find(analysis.compare.begin(), analysis.compare.end(), name) != analysis.compare.end()) {
      throw reader.error(item, fmt::format("compare: {} is there twice", in_quotes(name)));
    }
    analysis.compare.push_back(name);
  }
}

std::vector<int> read_data(const TableReader& reader, FitModalIwanAnalysis& analysis) {
  bool numbered = false;
  analysis.data = read_named_file(reader, "data", [&](const std::string& path) {
    const CsvTable table = read_data_table(path);
    numbered = table.has("mode");
    return amplitude_curves_of(table);
  });
  std::vector<int> known;
  for (const AmplitudeCurve& curve : analysis.data) known.push_back(curve.mode);
  if (!numbered && reader.has("mode")) {  // the curve's number for the tables
    known = {static_cast<int>(reader.integer("mode", 1, 1'000'000))};
    analysis.data.front().mode = known.front();
  }
  return known;
}

void read_modes(const TableReader& reader, const std::vector<int>& known, FitModalIwanAnalysis& analysis) {
  const TomlValue* value = reader.find("mode");
  if (value == nullptr) return;
  const bool list = value->type == TomlValue::Type::array;
  for (const TomlValue& item : list ? value->items : std::vector<TomlValue>{*value}) {
    if (item.type != TomlValue::Type::integer || item.integer < 1 || item.integer > 1'000'000) {
      throw reader.error(item,
                         fmt::format("mode must be an integer from 1 to 1000000, got {}", item.describe_no_integer()));
    }
    const auto mode = static_cast<int>(item.integer);
    if (!known.empty() && std::find(known.begin(), known.end(), mode) == known.end()) {
      throw reader.error(item, fmt::format("mode must be one of {}, got {}", fmt::join(known, ", "), mode));
    }
    if (std::find(analysis.modes.begin(), analysis.modes.end(), mode) != analysis.modes.end()) {
      throw reader.error(item, fmt::format("mode: {} is there twice", mode));
    }
    analysis.modes.push_back(mode);
  }
  if (analysis.modes.empty()) throw reader.error(*value, "mode: the list is empty");
}

}  // namespace

std::unique_ptr<Analysis> read_fit_modal_iwan_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "from", "data", "mode", "clean_only", "range", "omega_form", "zeta_form", "fixed",
                     "bounds", "errors", "weights", "compare"});
  auto analysis = std::make_unique<FitModalIwanAnalysis>();
  ModalIwanFitOptions& options = analysis->options;
  const bool data = reader.exactly_one_of({"from", "data"}) == "data";
  const std::vector<int> known = data ? read_data(reader, *analysis) : read_sources(reader, parts, *analysis);
  read_modes(reader, known, *analysis);
  if (reader.has("clean_only") && (data || analysis->from_qsma)) {
    throw reader.error_at_key(*reader.value().find("clean_only"), "clean_only goes with ring-downs");
  }
  read_compare(reader, parts, *analysis);
  analysis->clean_only = reader.flag_or("clean_only", true);
  read_amplitude_range(reader, *analysis);
  read_forms(reader, *analysis);
  read_fixed(reader, options);
  read_bounds(reader, options);
  read_errors(reader, options);
  options.weigh_by_log_q = read_choice_or(reader, "weights", options.weigh_by_log_q, weigh_by_log_q_choices);
  return analysis;
}

}  // namespace microslip
