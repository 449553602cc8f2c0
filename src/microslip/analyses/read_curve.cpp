#include "microslip/analyses/read_curve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/read_ramp.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/joints/joint_memory.hpp"
#include "microslip/numerics/random.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr long long most_curve_points = 1'000'000;

void scale(ForceCurve& curve, const CurveSource& source) {
  for (double& u : curve.u) u *= source.scale_u;
  for (double& f : curve.f) f *= source.scale_f;
}

void read_columns(const TableReader& data, CurveSource& source) {
  source.u = data.string_or("u", source.u);
  source.f = data.string_or("f", source.f);
  source.weight = data.string_or("weight", "");
  const auto factor = [&](std::string_view key) {
    const double value = data.number_or(key, 1.0, any_number);
    if (value == 0.0) throw data.error(key, fmt::format("{} must not be 0", key));
    return value;
  };
  source.scale_u = factor("scale_u");
  source.scale_f = factor("scale_f");
}

void take_table(const CsvTable& table, CurveSource& source) {
  source.file = table.file;
  source.lines = table.lines;
  source.curve.u = data_column(table, source.u);
  source.curve.f = data_column(table, source.f);
  if (!source.weight.empty()) source.curve.weight = data_column(table, source.weight);
  if (table.rows() == 0) throw InputError({table.file, table.header_line, 1}, "the curve has no points");
  scale(source.curve, source);
}

void read_file(const TableReader& data, std::string_view key, CurveSource& source) {
  const CsvTable table = read_named_file(data, key, [](const std::string& path) { return read_data_table(path); });
  source.origin = data.string(key);
  take_table(table, source);
}

/// Deflections from `from` (not included) to `to`.
void append_stretch(double from, double to, double lowest, int points, bool log, std::vector<double>& u) {
  for (int i = 1; i <= points; ++i) {
    const double share = static_cast<double>(i) / points;
    // The last point is `to` itself; of logarithmic ones the first is `lowest`.
    const double x = log ? to * std::pow(lowest / to, static_cast<double>(points - i) / std::max(points - 1, 1))
                         : from + (to - from) * share;
    u.push_back(i == points ? to : x);
  }
}

/// The forces of a joint that has never moved, slowly along u. Scale-free in time: the rate is one stretch a unit.
std::vector<double> pull(const Law& law, const std::vector<double>& u) {
  const Law* laws[] = {&law};
  JointMemory memory(laws);
  JointResponse response = memory.make_response();
  std::vector<double> f;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double rate = u[i] - (i > 0 ? u[i - 1] : 0.0);
    memory.evaluate(&u[i], &rate, static_cast<double>(i + 1), response);
    memory.commit();
    f.push_back(response.force[0]);
  }
  return f;
}

const Joint& find_joint(const TableReader& data, const System& system) {
  const std::string name = data.string("joint");
  std::vector<std::string> names;
  for (const Joint& joint : system.joints()) {
    if (joint.name == name) {
      if (joint.directions.cols() == 1) return joint;
      throw data.error("joint", fmt::format("joint {} has {} components; a curve has one", in_quotes(name),
                                            joint.directions.cols()));
    }
    names.push_back(joint.name);
  }
  throw data.error("joint", fmt::format("there is no joint {}{}", in_quotes(name), suggestion(name, names)));
}

void read_joint(const TableReader& data, const System& system, CurveSource& source) {
  data.allow_only({"joint", "to", "points", "spacing", "lowest", "noise", "seed"});
  const Joint& joint = find_joint(data, system);
  const bool loop = data.need("to").type == TomlValue::Type::array;
  const std::vector<double> turns =
      loop ? data.numbers("to", any_number) : std::vector<double>{data.number("to", positive_number)};
  if (turns.empty()) throw data.error("to", "to: the list is empty");
  const int points = static_cast<int>(data.integer_or("points", 200, 2, most_curve_points));
  const bool log = read_choice_or(data, "spacing", Spacing::linear, spacings) == Spacing::log;
  if (log && loop) throw data.error("spacing", "spacing = \"log\" goes with one stretch: to = a number");
  if (data.has("lowest") && !log) throw data.error("lowest", "lowest goes with spacing = \"log\"");
  const double lowest = log ? data.number_or("lowest", 1e-3 * turns.front(), {0.0, turns.front(), false, false}) : 0.0;
  double at = 0.0;
  for (const double turn : turns) {
    if (turn == at) throw data.error("to", fmt::format("to: {:g} is where the stretch begins", turn));
    append_stretch(at, turn, lowest, points, log, source.curve.u);
    at = turn;
  }
  source.origin = fmt::format("joint \"{}\"", joint.name);
  try {
    source.curve.f = pull(joint.law, source.curve.u);
  } catch (const std::domain_error& error) {
    throw data.error("to", fmt::format("to: {}", error.what()));
  }
  const double noise = data.number_or("noise", 0.0, nonnegative_number);
  if (noise == 0.0) return;
  double largest = 0.0;
  for (const double f : source.curve.f) largest = std::max(largest, std::abs(f));
  Normal normal(static_cast<std::uint64_t>(data.integer_or("seed", 1, 0, std::numeric_limits<long long>::max())));
  for (double& f : source.curve.f) f += noise * largest * normal();
}

void read_earlier(const TableReader& data, const StudyParts& parts, CurveSource& source) {
  data.allow_only({"from", "u", "f", "weight", "scale_u", "scale_f", "mode"});
  source.from = data.string("from");
  std::vector<std::string> names;
  for (const EarlierAnalysis& earlier : parts.earlier) names.push_back(earlier.name);
  const auto found = std::find(names.begin(), names.end(), source.from);
  if (found == names.end()) {
    throw data.error("from", fmt::format("no analysis {} stands before this one{}", in_quotes(source.from),
                                         suggestion(source.from, names)));
  }
  const EarlierAnalysis& earlier = parts.earlier[static_cast<std::size_t>(found - names.begin())];
  if (earlier.kind == QsmaAnalysis::kind) {  // the modal curve
    // Not the literals themselves: g++ 12 warns of their assignment.
    source.u = std::string("q");
    source.f = std::string("alpha");
    if (earlier.modes.size() > 1 && !data.has("mode")) {
      throw data.error("from", fmt::format("analysis {} has modes {}: which mode?", in_quotes(source.from),
                                           fmt::join(earlier.modes, ", ")));
    }
  } else if (!data.has("u") || !data.has("f")) {
    throw data.error(data.has("u") ? "f" : "u", "u and f must name columns of the table");
  }
  read_columns(data, source);
  if (data.has("mode")) {
    source.mode = static_cast<int>(data.integer("mode", 1, 1'000'000));
    const auto& modes = earlier.modes;
    if (!modes.empty() && std::find(modes.begin(), modes.end(), source.mode) == modes.end()) {
      throw data.error("mode", fmt::format("mode must be one of {}, got {}", fmt::join(modes, ", "), source.mode));
    }
  }
  source.origin = fmt::format("analysis \"{}\"", source.from);
}

CurveSource read_curve(const TableReader& data, const StudyParts& parts) {
  CurveSource source;
  const std::string kind = data.exactly_one_of({"file", "joint", "from"});
  if (kind == "joint") {
    read_joint(data, parts.system, source);
  } else if (kind == "from") {
    read_earlier(data, parts, source);
  } else {
    data.allow_only({"file", "u", "f", "weight", "scale_u", "scale_f"});
    read_columns(data, source);
    read_file(data, "file", source);
  }
  source.line = data.value().line;
  source.column = data.value().column;
  return source;
}

}  // namespace

std::vector<CurveSource> read_curves(const TableReader& reader, std::string_view key, const StudyParts& parts) {
  const TomlValue& value = reader.need(key);
  std::vector<CurveSource> sources;
  if (value.type == TomlValue::Type::string) {
    CurveSource source;
    read_file(reader, key, source);
    source.line = value.line;
    source.column = value.column;
    sources.push_back(std::move(source));
  } else if (value.type == TomlValue::Type::array) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const TomlValue& item = value.items[i];
      const std::string what = fmt::format("{}[{}]", key, i + 1);
      if (item.type != TomlValue::Type::table) {
        throw reader.error(item, fmt::format("{} must be a table, got {}", what, item.describe()));
      }
      sources.push_back(read_curve({item, reader.file(), fmt::format("{}: {}", reader.where(), what)}, parts));
    }
    if (sources.empty()) throw reader.error(value, fmt::format("{}: the list is empty", key));
  } else if (value.type == TomlValue::Type::table) {
    sources.push_back(read_curve(reader.table(key), parts));
  } else {
    throw reader.error(value, fmt::format("{} must be the name of a file or a table, got {}", key, value.describe()));
  }
  return sources;
}

void require_first_loading(const TableReader& reader, const CurveSource& source, std::size_t fewest) {
  if (!source.from.empty()) return;
  if (const auto fault = first_loading_fault(source.curve, fewest)) throw fault_error(reader, source, *fault);
}

StudyError fault_error(const TableReader& reader, const CurveSource& source, const CurveFault& fault) {
  if (!source.file.empty()) return StudyError({source.file, source.lines[fault.point], 1}, fault.message);
  return StudyError({reader.file(), source.line, source.column},
                    fmt::format("{}: {}: {}", reader.where(), source.origin, fault.message));
}

std::invalid_argument row_error(const CurveSource& source, const CurveFault& fault) {
  return std::invalid_argument(fmt::format("{}, row {}: {}", source.origin, fault.point + 1, fault.message));
}

std::vector<std::string> origins_of(const std::vector<CurveSource>& sources) {
  std::vector<std::string> names;
  for (const CurveSource& source : sources) names.push_back(source.origin);
  return names;
}

std::vector<std::string> analyses_of(const std::vector<CurveSource>& sources) {
  std::vector<std::string> names;
  for (const CurveSource& source : sources) {
    if (!source.from.empty() && std::find(names.begin(), names.end(), source.from) == names.end()) {
      names.push_back(source.from);
    }
  }
  return names;
}

ForceCurve curve_of(const CurveSource& source, const Results& results) {
  if (source.from.empty()) return source.curve;
  const MemorySink& table = results.kept(table_name(source.from, ""));
  if (table.rows() == 0) throw std::invalid_argument(fmt::format("{} gave no rows", source.origin));
  const auto column = [&](const std::string& name) {
    try {
      return table.column(name);
    } catch (const std::out_of_range&) {
      std::vector<std::string> names;
      for (const Column& c : table.columns()) names.push_back(c.name);
      throw std::invalid_argument(
          fmt::format("{} has no column {}{}", source.origin, in_quotes(name), suggestion(name, names)));
    }
  };
  ForceCurve all{column(source.u), column(source.f), {}};
  if (!source.weight.empty()) all.weight = column(source.weight);
  scale(all, source);
  if (source.mode == 0) return all;
  const std::vector<double> modes = column("mode");
  ForceCurve chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (modes[i] != source.mode) continue;
    chosen.u.push_back(all.u[i]);
    chosen.f.push_back(all.f[i]);
    if (!all.weight.empty()) chosen.weight.push_back(all.weight[i]);
  }
  if (chosen.u.empty())
    throw std::invalid_argument(fmt::format("{} has no rows of mode {}", source.origin, source.mode));
  return chosen;
}

}  // namespace microslip
