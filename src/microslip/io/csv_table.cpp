#include "microslip/io/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_set>

#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

bool next_data_line(LineReader& lines) {
  while (lines.next()) {
    if (!lines.blank() && lines.line().front() != '#') return true;
  }
  return false;
}

bool looks_like_number(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

/// The value of a cell that holds no finite number.
std::optional<double> gap_value(std::string_view text) {
  if (text.empty() || text == "nan" || text == "-nan" || text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::vector<std::string> parse_names(const std::vector<Token>& tokens, const std::string& file) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> taken;
  for (const Token& token : tokens) {
    std::string_view name = token.text;
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    const FilePosition position{file, token.line, token.column};
    if (name.empty()) throw InputError(position, "a column has no name");
    if (looks_like_number(name)) {
      throw InputError(position,
                       fmt::format("the first line must hold the names of the columns, got {}", in_quotes(name)));
    }
    if (!taken.insert(name).second) {
      throw InputError(position, fmt::format("column {} is there twice", in_quotes(name)));
    }
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

bool CsvTable::has(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<double>& CsvTable::column(std::string_view name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) {
    throw InputError({file, header_line, 1}, fmt::format("there is no column {}; the header has {}", in_quotes(name),
                                                         in_quotes(fmt::format("{}", fmt::join(names, ",")))));
  }
  return columns[static_cast<std::size_t>(at - names.begin())];
}

CsvTable parse_csv_table(std::string_view text, const std::string& file, CsvGaps gaps) {
  LineReader lines(text);
  std::vector<Token> tokens;
  if (!next_data_line(lines)) throw InputError({file, 1, 1}, "the file holds no header line");
  lines.split(',', tokens);
  CsvTable table{file, lines.number(), parse_names(tokens, file), {}, {}};
  table.columns.resize(table.names.size());
  while (next_data_line(lines)) {
    lines.split(',', tokens);
    if (tokens.size() != table.names.size()) {
      throw InputError({file, lines.number(), 1}, fmt::format("a row must have {} numbers like the header, got {}",
                                                              table.names.size(), tokens.size()));
    }
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const auto gap = gaps == CsvGaps::allowed ? gap_value(tokens[k].text) : std::nullopt;
      table.columns[k].push_back(
          gap ? *gap : parse_number(tokens[k], file, fmt::format("column {}", in_quotes(table.names[k]))));
    }
    table.lines.push_back(lines.number());
  }
  return table;
}

CsvTable read_csv_table(const std::string& path, CsvGaps gaps) {
  return parse_csv_table(read_text_file(path), path, gaps);
}

}  // namespace microslip
