#include "microslip/analyses/modal_fit/read_responses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr double frequency_tolerance = 1e-3;  // of a step: files round

/// Evenly spaced and rising, or the row that is not.
Eigen::VectorXd even_frequencies(const std::vector<double>& values, const FilePosition& at) {
  if (values.size() < 2)
    throw InputError(at, fmt::format("responses need two frequencies or more, got {}", values.size()));
  const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double even = values.front() + step * static_cast<double>(i);
    if (step > 0.0 && std::abs(values[i] - even) <= frequency_tolerance * step) continue;
    throw InputError(at, fmt::format("frequencies must rise in even steps: at the mean step {:.6g} number {} would be "
                                     "{:.9g}, got {:.9g}",
                                     step, i + 1, even, values[i]));
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// "re[12.y]" -> "12.y"; empty: another column.
std::string inside(const std::string& name, std::string_view symbol) {
  const bool fits =
      name.size() > symbol.size() + 2 && name.starts_with(symbol) && name[symbol.size()] == '[' && name.ends_with("]");
  return fits ? name.substr(symbol.size() + 1, name.size() - symbol.size() - 2) : std::string();
}

Eigen::VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::optional<Quantity> quantity_of(UniversalKind kind) {
  switch (kind) {
    case UniversalKind::displacement:
      return Quantity::displacement;
    case UniversalKind::velocity:
      return Quantity::velocity;
    case UniversalKind::acceleration:
      return Quantity::acceleration;
    default:
      return std::nullopt;
  }
}

/// What the file says of one function, or the study.
Quantity quantity_of(const UniversalFile& content, const UniversalFunction& function, const ResponseFileFacts& facts) {
  const std::optional<Quantity> told = quantity_of(function.ordinate_kind);
  const FilePosition at{content.file, function.line, 1};
  if (told && facts.quantity && *told != *facts.quantity) {
    throw InputError(
        at, fmt::format("the response at {} is of another quantity than the study says", to_string(function.response)));
  }
  if (told) return *told;
  if (facts.quantity) return *facts.quantity;
  throw InputError(
      at, fmt::format("the file does not say what the response at {} is: give quantity", to_string(function.response)));
}

bool is_response(const UniversalFunction& function) {
  return function.is_complex() && function.abscissa_kind != UniversalKind::time;
}

void add_function(const UniversalFile& content, const UniversalFunction& function, const ResponseFileFacts& facts,
                  MeasuredResponses& result) {
  const FilePosition at{content.file, function.line, 1};
  const std::string reference = to_string(function.reference), channel = to_string(function.response);
  const Quantity quantity = quantity_of(content, function, facts);
  auto group = std::find_if(result.references.begin(), result.references.end(),
                            [&](const FrequencyResponses& known) { return known.reference == reference; });
  if (group == result.references.end()) {
    FrequencyResponses responses;
    responses.reference = reference;
    responses.quantity = quantity;
    responses.window_decay = facts.window_decay;
    responses.frequency = even_frequencies(function.abscissa, at);
    responses.values.resize(responses.frequency.size(), 0);
    group = result.references.insert(result.references.end(), std::move(responses));
  }
  if (group->quantity != quantity) throw InputError(at, "responses of different quantities in one file");
  const Eigen::VectorXd frequency = even_frequencies(function.abscissa, at);
  if (frequency.size() != group->frequency.size() || !frequency.isApprox(group->frequency, 1e-9)) {
    throw InputError(at, fmt::format("the response at {} has other frequencies than those before it", channel));
  }
  if (std::find(group->channels.begin(), group->channels.end(), channel) != group->channels.end()) {
    throw InputError(at, fmt::format("the response at {} to {} is there twice", channel, reference));
  }
  group->channels.push_back(channel);
  group->values.conservativeResize(Eigen::NoChange, group->values.cols() + 1);
  for (Eigen::Index k = 0; k < frequency.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    group->values(k, group->values.cols() - 1) = {function.values[i], function.imaginary[i]};
  }
}

}  // namespace

MeasuredResponses responses_of(const CsvTable& table, const ResponseFileFacts& facts) {
  const FilePosition header{table.file, table.header_line, 1};
  FrequencyResponses responses;
  responses.reference = facts.reference;
  if (!facts.quantity) throw InputError(header, "a table does not say what the responses are: give quantity");
  responses.quantity = *facts.quantity;
  responses.window_decay = facts.window_decay;
  responses.frequency = even_frequencies(table.column("frequency_hz"), header);
  std::vector<const std::vector<double>*> real, imaginary, error;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const std::string channel = inside(table.names[c], "re");
    if (channel.empty()) continue;
    responses.channels.push_back(channel);
    real.push_back(&table.columns[c]);
    imaginary.push_back(&table.column(fmt::format("im[{}]", channel)));
    const std::string of_error = fmt::format("error[{}]", channel);
    if (table.has(of_error)) error.push_back(&table.column(of_error));
  }
  if (real.empty()) throw InputError(header, "the table has no columns re[..] and im[..] of responses");
  const auto channels = static_cast<Eigen::Index>(real.size());
  responses.values.resize(responses.frequency.size(), channels);
  for (Eigen::Index c = 0; c < channels; ++c) {
    const auto i = static_cast<std::size_t>(c);
    responses.values.col(c).real() = vector_of(*real[i]);
    responses.values.col(c).imag() = vector_of(*imaginary[i]);
  }
  if (error.size() == real.size()) {
    responses.error.resize(responses.frequency.size(), channels);
    for (Eigen::Index c = 0; c < channels; ++c) responses.error.col(c) = vector_of(*error[static_cast<std::size_t>(c)]);
    if (!(responses.error.minCoeff() > 0.0)) throw InputError(header, "columns error[..] must be positive");
  } else if (!error.empty()) {
    throw InputError(header, "columns error[..] must be there of all channels, or of none");
  }
  MeasuredResponses result;
  result.references.push_back(std::move(responses));
  return result;
}

MeasuredResponses responses_of(const UniversalFile& content, const ResponseFileFacts& facts) {
  MeasuredResponses result;
  for (const UniversalFunction& function : content.functions) {
    if (is_response(function)) add_function(content, function, facts, result);
  }
  if (result.references.empty()) {
    throw InputError({content.file, 1, 1}, "the file holds no complex functions over frequency (dataset 58)");
  }
  const FrequencyResponses& first = result.references.front();
  for (const FrequencyResponses& responses : result.references) {
    if (responses.channels == first.channels && responses.frequency.isApprox(first.frequency, 1e-9)) continue;
    throw InputError({content.file, 1, 1}, fmt::format("responses to {} and to {} must be of the same channels, in the "
                                                       "same order, at the same frequencies",
                                                       first.reference, responses.reference));
  }
  return result;
}

MeasuredResponses read_responses(const std::string& path, const ResponseFileFacts& facts) {
  const std::string ending = lower_case(path.substr(path.find_last_of('.') + 1));
  if (ending == "unv" || ending == "uff") return responses_of(read_universal_file(path), facts);
  return responses_of(read_csv_table(path), facts);
}

}  // namespace microslip
