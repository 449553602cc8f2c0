#include "microslip/gallery/printed_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/io/text_file.hpp"
#include "microslip/numerics/formula.hpp"
#include "microslip/report/number_text.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {
namespace {

constexpr std::size_t largest_file = std::size_t{4} << 20U;

/// A table or column: a name that stays in its directory.
std::string plain_name(const TableReader& reader, std::string_view key) {
  std::string name = reader.string(key);
  if (name.empty() || name.find('/') != std::string::npos || name.find('\\') != std::string::npos) {
    throw reader.error(key, fmt::format("{} must be a name without slashes, got {}", key, in_quotes(name)));
  }
  return name;
}

std::vector<Condition> conditions(const TableReader& reader, std::string_view key) {
  std::vector<Condition> result;
  if (!reader.has(key)) return result;
  const TableReader table = reader.table(key);
  for (const auto& entry : table.value().entries) {
    result.push_back({entry.key, table.as_number(entry.value, entry.key, any_number)});
  }
  return result;
}

ResultSelector read_selector(const TableReader& reader, std::initializer_list<std::string_view> more) {
  ResultSelector selector;
  std::vector<std::string> keys = {"table", "column", "where", "between", "at", "reduce", "summary"};
  keys.insert(keys.end(), more.begin(), more.end());
  reader.allow_only(keys);
  if (reader.exactly_one_of({"table", "summary"}) == "summary") {
    for (const std::string_view key : {"column", "where", "between", "at", "reduce"}) {
      if (reader.has(key)) throw reader.error(key, fmt::format("{} belongs to a table, not to a summary", key));
    }
    selector.summary = reader.string("summary");
    return selector;
  }
  selector.table = plain_name(reader, "table");
  selector.column = reader.string("column");
  selector.where = conditions(reader, "where");
  if (reader.has("between")) {
    const TableReader between = reader.table("between");
    for (const auto& entry : between.value().entries) {
      const std::vector<double> bounds = between.numbers(entry.key, any_number);
      if (bounds.size() != 2 || bounds[0] > bounds[1]) {
        throw between.error(entry.value, fmt::format("{} must be [low, high]", entry.key));
      }
      selector.between.push_back({entry.key, bounds[0], bounds[1]});
    }
  }
  const std::vector<Condition> at = conditions(reader, "at");
  if (at.size() > 1) throw reader.error("at", "at must name one column and its value");
  if (!at.empty()) selector.at = at.front();
  if (reader.has("reduce")) {
    selector.reduce = reader.string("reduce");
    if (selector.at) throw reader.error("reduce", "at and reduce exclude each other");
    if (std::find(reductions.begin(), reductions.end(), selector.reduce) == reductions.end()) {
      throw reader.error("reduce", fmt::format("unknown reduce {}{}", in_quotes(selector.reduce),
                                               suggestion(selector.reduce, reductions)));
    }
  }
  return selector;
}

/// The formula must make sense before any run: all names are there.
void check_formula(const TableReader& reader, std::string_view key, const PrintedValue& value) {
  std::map<std::string, double> names;
  for (const auto& [name, selector] : value.values) names[name] = 1.0;
  try {
    static_cast<void>(evaluate_formula(value.formula, names));
  } catch (const std::invalid_argument& error) {
    throw reader.error(key, fmt::format("{}: {}", key, error.what()));
  }
}

void read_source(const TableReader& reader, PrintedValue& value) {
  if (reader.has("formula")) {
    reader.allow_only({"formula", "values"});
    const TableReader values = reader.table("values");
    for (const auto& entry : values.value().entries)
      value.values[entry.key] = read_selector(values.table(entry.key), {});
    value.formula = reader.string("formula");
    check_formula(reader, "formula", value);
    return;
  }
  value.values["value"] = read_selector(reader, {"scale"});
  value.formula = "value";
  if (const TomlValue* scale = reader.find("scale"); scale != nullptr) {
    value.formula = scale->is_number() ? fmt::format("value * {}", scale->real)
                                       : fmt::format("value * ({})", reader.string("scale"));
    check_formula(reader, "scale", value);
  }
}

/// Half a unit of the last of so many significant digits.
double rounding(double printed, int digits) {
  if (printed == 0.0) return 0.0;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(printed)) + 1e-12));
  return 0.5 * std::pow(10.0, exponent - digits + 1);
}

PrintedValue read_value(const TableReader& reader) {
  reader.allow_only({"study", "paper", "where", "what", "printed", "unit", "digits", "tolerance", "reason", "relation",
                     "misprint", "note", "from"});
  PrintedValue value;
  value.position = {reader.file(), reader.value().line, reader.value().column};
  value.study = reader.has("study") ? plain_name(reader, "study") : "study.toml";
  value.paper = reader.string("paper");
  value.where = reader.string("where");
  value.what = reader.string("what");
  value.printed = reader.number("printed", any_number);
  value.unit = reader.string_or("unit", "");
  value.note = reader.string_or("note", "");
  value.misprint = reader.flag_or("misprint", false);
  if (value.misprint && value.note.empty()) {
    throw reader.error("misprint", "a misprint needs a note that says why it is one");
  }
  if (reader.has("relation")) {
    const std::string word = reader.choice("relation", {"equal", "at most", "at least"});
    value.relation = word == "at most"    ? PrintedValue::Relation::at_most
                     : word == "at least" ? PrintedValue::Relation::at_least
                                          : PrintedValue::Relation::equal;
  }
  if (reader.has("digits")) value.digits = static_cast<int>(reader.integer("digits", 1, 17));
  if (reader.has("tolerance")) {
    value.tolerance = reader.number("tolerance", nonnegative_number);
    value.reason = reader.string("reason");
  } else if (value.digits > 0) {
    if (reader.has("reason")) throw reader.error("reason", "reason belongs to tolerance");
    value.tolerance = rounding(value.printed, value.digits);
    value.reason = fmt::format("rounding of {} printed digit{}", value.digits, value.digits == 1 ? "" : "s");
  } else if (value.relation == PrintedValue::Relation::equal) {
    throw reader.error("one of digits, tolerance is missing");
  }
  read_source(reader.table("from"), value);
  return value;
}

}  // namespace

std::vector<PrintedValue> parse_printed_values(std::string text, const std::string& path) {
  const TomlDocument document = parse_toml(std::move(text), path);
  const TableReader root(document.root, document.file, "");
  root.allow_only({"value"});
  std::vector<PrintedValue> values;
  for (const TableReader& reader : root.tables("value")) values.push_back(read_value(reader));
  return values;
}

std::vector<PrintedValue> read_printed_values(const std::string& path) {
  return parse_printed_values(read_text_file(path, largest_file), path);
}

Comparison compare(const PrintedValue& value, ResultFiles& results) {
  Comparison comparison;
  try {
    std::map<std::string, double> names;
    for (const auto& [name, selector] : value.values) names[name] = results.value(selector);
    comparison.ours = evaluate_formula(value.formula, names);
  } catch (const std::exception& error) {
    comparison.message = error.what();
    return comparison;
  }
  if (!std::isfinite(comparison.ours)) {
    comparison.message = "the value is no finite number";
    return comparison;
  }
  const double off = comparison.ours - value.printed;
  comparison.difference = value.printed == 0.0 ? off : off / std::abs(value.printed);
  // Numbers on the edge of their rounding count as inside.
  const double room = value.tolerance + 1e-12 * std::abs(value.printed);
  const bool good = value.relation == PrintedValue::Relation::at_most    ? off <= room
                    : value.relation == PrintedValue::Relation::at_least ? off >= -room
                                                                         : std::abs(off) <= room;
  comparison.verdict = good             ? Comparison::Verdict::agrees
                       : value.misprint ? Comparison::Verdict::misprint
                                        : Comparison::Verdict::differs;
  return comparison;
}

std::string in_words(const Comparison& comparison) {
  switch (comparison.verdict) {
    case Comparison::Verdict::agrees:
      return "agrees";
    case Comparison::Verdict::misprint:
      return "misprint in the paper, see note";
    case Comparison::Verdict::differs:
      return fmt::format("differs by {} %", engineering(100.0 * comparison.difference, 2));
    case Comparison::Verdict::not_read:
      break;
  }
  return "not read";
}

}  // namespace microslip
