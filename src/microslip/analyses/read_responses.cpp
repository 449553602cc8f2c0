#include "microslip/analyses/read_responses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "microslip/analyses/read_channels.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_lines = 8;
constexpr double line_tolerance = 0.01;  // of the spacing: files have six digits

/// A response to a reference, as a file has it.
struct SingleResponse {
  std::string response, reference;
  std::vector<double> frequency;
  std::vector<std::complex<double>> values;
  std::vector<double> error, coherence;  ///< empty: not known
  std::optional<Quantity> quantity;
  FilePosition at;
};

/// "a1.y/s.y" -> "a1.y", "s.y"; nothing where there is no slash, or more than one.
std::optional<std::pair<std::string, std::string>> split_pair(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == name.size()) return {};
  if (name.find('/', slash + 1) != std::string::npos) return {};
  return std::pair(name.substr(0, slash), name.substr(slash + 1));
}

std::vector<SingleResponse> responses_of(const CsvTable& table) {
  std::vector<SingleResponse> found;
  for (const std::string& name : table.names) {
    if (!name.starts_with("re[") || !name.ends_with("]")) continue;
    const std::string both = name.substr(3, name.size() - 4);
    const auto pair = split_pair(both);
    if (!pair) continue;
    SingleResponse response{pair->first, pair->second, table.column("frequency_hz"), {}, {}, {}, {}, {}};
    response.at = {table.file, table.header_line, 1};
    const std::vector<double>&re = table.column(name), &im = table.column(fmt::format("im[{}]", both));
    for (std::size_t k = 0; k < re.size(); ++k) response.values.emplace_back(re[k], im[k]);
    const auto beside = [&](const char* symbol, const std::string& bare) -> std::vector<double> {
      const std::string column = fmt::format("{}[{}]", symbol, both);
      if (table.has(column)) return table.column(column);
      return bare.empty() || !table.has(bare) ? std::vector<double>{} : table.column(bare);
    };
    response.error = beside("error", "");
    response.coherence = beside("coherence", both);  // a universal file calls it by the pair alone
    found.push_back(std::move(response));
  }
  if (found.empty()) {
    throw InputError({table.file, table.header_line, 1},
                     "the file holds no frequency responses: complex functions of two channels (universal files), or "
                     "columns re[a/s] and im[a/s] over frequency_hz");
  }
  return found;
}

std::optional<Quantity> quantity_of(UniversalKind kind) {
  if (kind == UniversalKind::acceleration) return Quantity::acceleration;
  if (kind == UniversalKind::velocity) return Quantity::velocity;
  if (kind == UniversalKind::displacement) return Quantity::displacement;
  return {};
}

/// Frequency responses of a universal file, the only ones of two channels that are complex and over frequency.
std::vector<SingleResponse> responses_of(UniversalFile content) {
  std::vector<SingleResponse> all = [&] {
    UniversalFile kept;
    kept.file = content.file;
    for (UniversalFunction& function : content.functions) {
      if (function.type == 4 || function.type == 6) kept.functions.push_back(function);
    }
    return responses_of(universal_table(kept, "frequency"));
  }();
  for (const UniversalFunction& function : content.functions) {
    if (function.type != 4) continue;
    for (SingleResponse& response : all) {
      if (response.response != to_string(function.response) || response.reference != to_string(function.reference))
        continue;
      response.quantity = quantity_of(function.ordinate_kind);
      response.at = {content.file, function.line, 1};
      const UniversalKind over = function.denominator_kind;
      if (over != UniversalKind::unknown && over != UniversalKind::force && over != UniversalKind::excitation) {
        throw InputError(response.at,
                         fmt::format("the reference of a frequency response must be a force (13 or 9), the "
                                     "file says type {}: a transmissibility has no modal mass",
                                     static_cast<int>(over)));
      }
    }
  }
  return all;
}

std::vector<SingleResponse> parse_responses(std::string_view bytes, const std::string& file) {
  if (looks_universal(bytes)) return responses_of(parse_universal_file(bytes, file));
  return responses_of(parse_csv_table(bytes, file));
}

std::vector<SingleResponse> read_response_file(const std::string& path) {
  const std::string file = lower_case(path.substr(path.find_last_of('/') + 1));
  if (file.ends_with(".mat") || file.find(".mat:") != std::string::npos) return responses_of(read_data_table(path));
  return parse_responses(read_text_file(path), path);
}

void check_lines(const SingleResponse& each, const SingleResponse& first) {
  const std::vector<double>& f = each.frequency;
  if (f.size() < fewest_lines) {
    throw InputError(each.at,
                     fmt::format("frequency responses need at least {} lines, got {}", fewest_lines, f.size()));
  }
  const double spacing = (f.back() - f.front()) / static_cast<double>(f.size() - 1);
  for (std::size_t k = 0; k < f.size(); ++k) {
    const double expected = f.front() + spacing * static_cast<double>(k);
    if (spacing > 0.0 && std::abs(f[k] - expected) <= line_tolerance * spacing) continue;
    throw InputError(each.at, fmt::format("frequencies must rise evenly: line {} would be at {:.9g}, it is at {:.9g}",
                                          k + 1, expected, f[k]));
  }
  const bool same = f.size() == first.frequency.size() &&
                    std::abs(f.front() - first.frequency.front()) <= line_tolerance * spacing &&
                    std::abs(f.back() - first.frequency.back()) <= line_tolerance * spacing;
  if (!same) {
    throw InputError(each.at,
                     fmt::format("all frequency responses must have the same lines: {} from {:g} to {:g}, those "
                                 "of {} are {} from {:g} to {:g}",
                                 f.size(), f.front(), f.back(), first.at.file, first.frequency.size(),
                                 first.frequency.front(), first.frequency.back()));
  }
}

Quantity common_quantity(const TableReader& reader, std::string_view key, const std::vector<SingleResponse>& all) {
  std::optional<Quantity> asked;
  if (reader.has("quantity")) asked = read_choice(reader, "quantity", quantities);
  for (const SingleResponse& each : all) {
    if (!each.quantity) continue;
    if (asked && *asked != *each.quantity) {
      throw reader.error(reader.has("quantity") ? "quantity" : key,
                         fmt::format("quantity: {}: the responses are {}s, not {}s", to_string(each.at),
                                     word_of(*each.quantity, quantities), word_of(*asked, quantities)));
    }
    asked = each.quantity;
  }
  if (!asked) throw reader.error("quantity is missing: the files do not say what the responses measure");
  return *asked;
}

/// The place of a response among those of its reference, which may be new.
void place(const SingleResponse& each, const ChannelMap::Named& response, double scale, Eigen::Index lines,
           FrequencyResponses& into) {
  if (std::find(into.channels.begin(), into.channels.end(), response.name) != into.channels.end()) {
    throw InputError(each.at, fmt::format("the response of {} to {} is there twice", in_quotes(response.name),
                                          in_quotes(into.reference)));
  }
  const Eigen::Index column = into.values.cols();
  into.channels.push_back(response.name);
  into.values.conservativeResize(lines, column + 1);
  const auto keep = [&](const std::vector<double>& from, double by, Eigen::MatrixXd& to) {
    const bool whole = static_cast<Eigen::Index>(from.size()) == lines && to.cols() == column;
    if (!whole) return;  // of some channels only is as good as not known
    to.conservativeResize(lines, column + 1);
    for (Eigen::Index k = 0; k < lines; ++k) to(k, column) = by * from[static_cast<std::size_t>(k)];
  };
  for (Eigen::Index k = 0; k < lines; ++k) into.values(k, column) = scale * each.values[static_cast<std::size_t>(k)];
  keep(each.error, std::abs(scale), into.error);
  keep(each.coherence, 1.0, into.coherence);
}

MeasuredResponses put_together(const TableReader& reader, std::string_view key, const std::vector<SingleResponse>& all,
                               const std::vector<std::string>& files) {
  std::vector<std::string> known;
  for (const SingleResponse& each : all) known.insert(known.end(), {each.response, each.reference});
  for (const SingleResponse& each : all) check_lines(each, all.front());
  ChannelMap map(reader);
  const Quantity quantity = common_quantity(reader, key, all);
  const auto lines = static_cast<Eigen::Index>(all.front().frequency.size());
  MeasuredResponses result;
  for (const SingleResponse& each : all) {
    const ChannelMap::Named response = map.of(each.response), reference = map.of(each.reference);
    auto into = std::find_if(result.references.begin(), result.references.end(),
                             [&](const FrequencyResponses& r) { return r.reference == reference.name; });
    if (into == result.references.end()) {
      into = result.references.insert(into, FrequencyResponses{});
      into->reference = reference.name;
      into->quantity = quantity;
      into->frequency = Eigen::VectorXd::LinSpaced(lines, all.front().frequency.front(), all.front().frequency.back());
    }
    place(each, response, response.scale * reference.sign, lines, *into);
  }
  map.require_used(files, known);
  for (FrequencyResponses& each : result.references) {
    if (each.channels != result.references.front().channels) {
      throw reader.error(key,
                         fmt::format("{}: all references must have the same responses in the same order; those of {} "
                                     "and {} differ",
                                     key, in_quotes(result.references.front().reference), in_quotes(each.reference)));
    }
    if (each.error.cols() != each.values.cols()) each.error.resize(0, 0);
    if (each.coherence.cols() != each.values.cols()) each.coherence.resize(0, 0);
  }
  return result;
}

}  // namespace

MeasuredResponses read_frequency_responses(const TableReader& reader, std::string_view key) {
  std::vector<SingleResponse> all;
  std::vector<std::string> files;
  for (const TomlValue* file : one_or_several(reader, key)) {
    for (SingleResponse& each : read_named_file(reader, *file, key, read_response_file)) all.push_back(std::move(each));
    files.push_back(in_quotes(file->text));
  }
  return put_together(reader, key, all, files);
}

MeasuredResponses parse_frequency_responses(const TableReader& reader, std::string_view bytes,
                                            const std::string& file) {
  return put_together(reader, "data", parse_responses(bytes, file), {in_quotes(file)});
}

}  // namespace microslip
