#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/analyses/modal_fit/analysis.hpp"
#include "microslip/analyses/read_earlier.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/read_responses.hpp"
#include "microslip/measurement/reciprocity.hpp"

namespace microslip {
namespace {

constexpr int most_orders = 400;
constexpr std::string_view response_kinds[] = {"frf_estimate"};

void read_data(const TableReader& reader, ModalFitAnalysis& analysis) {
  analysis.data = read_frequency_responses(reader, "data");
  const TomlValue& files = reader.need("data");
  analysis.data_name = files.type == TomlValue::Type::string ? files.text : "files";
  analysis.quantity = analysis.data->references.front().quantity;
  const double decay = reader.number_or("window_decay", 0.0, nonnegative_number);
  for (FrequencyResponses& responses : analysis.data->references) responses.window_decay = decay;
}

/// What the responses measure is known there.
void read_source(const TableReader& reader, const StudyParts& parts, ModalFitAnalysis& analysis) {
  const EarlierAnalysis& source = find_earlier(reader, reader.need("from"), "from", response_kinds, parts);
  analysis.from = source.name;
  analysis.quantity = source.analysis->response_quantity().value_or(Quantity::acceleration);
  const Quantity asked = read_choice_or(reader, "quantity", analysis.quantity, quantities);
  if (asked == analysis.quantity) return;
  throw reader.error("quantity",
                     fmt::format("quantity: the responses of analysis {} measure {}, not {}", in_quotes(source.name),
                                 word_of(analysis.quantity, quantities), word_of(asked, quantities)));
}

void read_orders(const TableReader& reader, ModalFitOptions& options) {
  if (!reader.has("orders")) return;
  if (options.method == ModalMethod::isolation) reader.refuse("orders", "method = \"lscf\"");
  if (reader.need("orders").type != TomlValue::Type::array) {
    options.highest_order = static_cast<int>(reader.integer("orders", 4, most_orders));
    return;
  }
  const std::vector<double> ends = reader.numbers("orders", {2.0, most_orders, true, true});
  if (ends.size() != 2 || !(ends[0] < ends[1]) || std::floor(ends[0]) != ends[0] || std::floor(ends[1]) != ends[1]) {
    throw reader.error("orders", "orders must be the highest order, or two whole numbers [from, to] with from < to");
  }
  options.lowest_order = static_cast<int>(ends[0]);
  options.highest_order = static_cast<int>(ends[1]);
}

void read_residuals(const TableReader& reader, ModalTerms& terms) {
  if (!reader.has("residuals")) return;
  const std::string word = reader.choice("residuals", {"both", "lower", "upper", "none"});
  terms.lower = word == "both" || word == "lower";
  terms.upper = word == "both" || word == "upper";
}

void read_choice_of_modes(const TableReader& reader, ModalFitOptions& options) {
  if (reader.has("near_hz")) {
    options.near = reader.numbers("near_hz", positive_number);
    if (options.near.empty()) throw reader.error("near_hz", "near_hz must name a frequency or more");
    if (reader.has("modes")) reader.refuse("modes", "no near_hz");
  }
  options.modes = static_cast<int>(reader.integer_or("modes", 0, 1, 1000));
  if (!reader.has("band_hz")) return;
  const std::vector<double> band = reader.numbers("band_hz", nonnegative_number);
  if (band.size() != 2 || !(band[0] < band[1])) {
    throw reader.error("band_hz", "band_hz must be two frequencies [from, to] with from < to");
  }
  options.band = {band[0], band[1]};
  for (const double frequency : options.near) {
    if (frequency > band[0] && frequency < band[1]) continue;
    throw reader.error("near_hz", fmt::format("near_hz must be within band_hz, got {}", frequency));
  }
}

std::vector<std::string> read_names(const TableReader& reader, std::string_view key) {
  std::vector<std::string> names;
  if (!reader.has(key)) return names;
  for (const TomlValue& value : reader.as_list(reader.need(key), key)) names.push_back(reader.as_string(value, key));
  return names;
}

/// Channels of a file are known before the run.
void check_channels(const TableReader& reader, const ModalFitAnalysis& analysis) {
  if (!analysis.data) return;
  const std::vector<FrequencyResponses> references = roving_as_channels(*analysis.data).references;
  const std::vector<std::string>& channels = references.front().channels;
  const auto check = [&](std::string_view key, const std::string& name) {
    if (std::find(channels.begin(), channels.end(), name) != channels.end()) return;
    throw reader.error(key,
                       fmt::format("{}: there is no channel {}{}", key, in_quotes(name), suggestion(name, channels)));
  };
  for (const std::string& name : analysis.leave_out) check("leave_out", name);
  std::string_view key = reader.has("band_hz") ? "band_hz" : "data";
  try {
    const ModalLines lines = modal_lines(references, analysis.options.band);
    key = "near_hz";
    check_near(analysis.options.near, lines);
    key = "driving_point";
    static_cast<void>(driving_channels(channels, lines.references, analysis.options.driving_point));
  } catch (const std::invalid_argument& error) {
    throw reader.error(key, error.what());
  }
  if (!analysis.options.driving_point.empty()) check("driving_point", analysis.options.driving_point);
}

}  // namespace

std::unique_ptr<Analysis> read_modal_fit_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "from", "data", "channels", "quantity", "window_decay", "method", "shapes",
                     "residuals", "orders", "near_hz", "modes", "band_hz", "leave_out", "driving_point"});
  auto analysis = std::make_unique<ModalFitAnalysis>();
  ModalFitOptions& options = analysis->options;
  options.method = read_choice_or(reader, "method", ModalMethod::lscf, ModalFitAnalysis::methods);
  options.terms.normal = read_choice_or(reader, "shapes", false, ModalFitAnalysis::shape_forms);
  read_residuals(reader, options.terms);
  read_orders(reader, options);
  read_choice_of_modes(reader, options);
  analysis->leave_out = read_names(reader, "leave_out");
  options.driving_point = reader.string_or("driving_point", "");
  if (reader.exactly_one_of({"from", "data"}) == "from") {
    for (const std::string_view key : {"channels", "window_decay"}) reader.refuse(key, "data");
    read_source(reader, parts, *analysis);
  } else {
    read_data(reader, *analysis);
  }
  check_channels(reader, *analysis);
  return analysis;
}

}  // namespace microslip
