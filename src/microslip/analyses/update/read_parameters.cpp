#include "microslip/analyses/update/read_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace microslip {
namespace {

ParameterPath read_parameter_path(const TableReader& reader, const TomlValue& value) {
  ParameterPath result;
  const TomlValue* text = &value;
  if (value.type == TomlValue::Type::table) {
    const TableReader table(value, reader.file(), reader.where() + ": paths");
    table.allow_only({"path", "factor", "inverse"});
    text = &table.need("path");
    result.factor = table.number_or("factor", 1.0, any_number);
    if (result.factor == 0.0) throw table.error("factor", "factor must not be 0");
    result.inverse = table.flag_or("inverse", false);
  }
  result.path = {reader.as_string(*text, "paths"), {reader.file(), text->line, text->column}, reader.where()};
  return result;
}

std::vector<double> two_numbers(const TableReader& reader, std::string_view key, const NumberRange& range) {
  std::vector<double> pair = reader.numbers(key, range);
  if (pair.size() != 2) throw reader.error(key, fmt::format("{} must be two numbers, got {}", key, pair.size()));
  return pair;
}

void read_parameter_prior(const TableReader& reader, UpdateParameter& parameter) {
  if (!reader.has("prior") || reader.need("prior").type == TomlValue::Type::string) {
    if (reader.has("prior")) static_cast<void>(reader.choice("prior", {"uniform"}));
    return;
  }
  const TableReader prior = reader.table("prior");
  prior.allow_only({"normal", "log_normal"});
  const std::string kind = prior.exactly_one_of({"normal", "log_normal"});
  if ((kind == "log_normal") != parameter.logarithmic) {
    throw prior.error(kind, parameter.logarithmic ? "on a logarithmic scale the prior is uniform or log_normal"
                                                  : "on a linear scale the prior is uniform or normal");
  }
  const std::vector<double> pair = two_numbers(prior, kind, any_number);
  if (parameter.logarithmic && !(pair[0] > 0.0)) {
    throw prior.error(kind,
                      fmt::format("log_normal = [median, deviation of the logarithm]: the median must be > 0, got "
                                  "{:g}",
                                  pair[0]));
  }
  if (!(pair[1] > 0.0)) throw prior.error(kind, fmt::format("the deviation must be > 0, got {:g}", pair[1]));
  parameter.prior = {true, parameter.logarithmic ? std::log(pair[0]) : pair[0], pair[1]};
}

WrittenParameter read_parameter(const TableReader& reader) {
  reader.allow_only({"name", "paths", "range", "scale", "start", "prior"});
  WrittenParameter result;
  UpdateParameter& parameter = result.parameter;
  parameter.name = reader.string("name");
  if (const std::string fault = name_fault(parameter.name, "name"); !fault.empty()) throw reader.error("name", fault);
  const TomlValue& paths = reader.need("paths");
  if (paths.type == TomlValue::Type::array) {
    for (const TomlValue& item : paths.items) result.paths.push_back(read_parameter_path(reader, item));
  } else {
    result.paths.push_back(read_parameter_path(reader, paths));
  }
  if (result.paths.empty()) throw reader.error(paths, "paths: the list is empty");
  const std::vector<double> range = two_numbers(reader, "range", any_number);
  parameter.low = range[0];
  parameter.high = range[1];
  if (!(parameter.low < parameter.high)) {
    throw reader.error("range",
                       fmt::format("range must be [low, high] with low < high, got [{:g}, {:g}]", range[0], range[1]));
  }
  parameter.logarithmic = reader.has("scale") && reader.choice("scale", {"linear", "log"}) == "log";
  if (parameter.logarithmic && !(parameter.low > 0.0)) {
    throw reader.error("range", fmt::format("scale = \"log\" needs a range > 0, got [{:g}, {:g}]", range[0], range[1]));
  }
  const bool inverse = std::any_of(result.paths.begin(), result.paths.end(), [](const auto& p) { return p.inverse; });
  if (inverse && parameter.low <= 0.0 && parameter.high >= 0.0) {
    throw reader.error("range", "inverse = true: the range must not hold 0");
  }
  result.has_start = reader.has("start");
  if (result.has_start) {
    parameter.start = reader.number("start", {parameter.low, parameter.high});
  }
  read_parameter_prior(reader, parameter);
  return result;
}

}  // namespace

std::vector<WrittenParameter> read_parameters(const std::vector<TableReader>& tables) {
  std::vector<WrittenParameter> result;
  std::set<std::string> names, paths;
  for (const TableReader& reader : tables) {
    WrittenParameter parameter = read_parameter(reader);
    if (!names.insert(parameter.parameter.name).second) {
      throw reader.error("name", "another parameter has this name");
    }
    for (const ParameterPath& path : parameter.paths) {
      if (paths.insert(path.path.path).second) continue;
      throw StudyError(path.path.at, fmt::format("{}: {} is moved twice", reader.where(), in_quotes(path.path.path)));
    }
    result.push_back(std::move(parameter));
  }
  return result;
}

}  // namespace microslip
