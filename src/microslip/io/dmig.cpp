#include "microslip/io/dmig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "microslip/io/fixed_fields.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr long long largest_point = 999'999'999'999;
constexpr std::size_t name_fields = 4;  ///< of the first line of a column: name, GJ, CJ, an empty one

using Point = std::pair<long long, int>;  ///< grid point and component

struct RawEntry {
  Point row;
  Point column;
  Token value;
};

struct RawMatrix {
  std::string name;  ///< as in the file
  std::optional<Token> header;
  int form = 0;
  int type = 0;
  Token first;  ///< column entry
  std::vector<RawEntry> entries;
};

class DmigParser {
 public:
  DmigParser(std::string_view text, std::string file, const std::string& name)
      : text_(text), file_(std::move(file)), name_(name) {}

  MatrixFile parse() {
    LineReader lines(text_);
    while (lines.next()) {
      const std::string_view line = lines.line().substr(0, lines.line().find('$'));
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      const bool continued = line.front() == ' ' || line.front() == '+' || line.front() == '*' || line.front() == ',' ||
                             line.front() == '\t';
      if (!continued) finish_card();
      add_line(line, lines.number(), continued);
    }
    finish_card();
    return result();
  }

 private:
  [[nodiscard]] InputError fail(const Token& token, const std::string& message) const {
    return {{file_, token.line, token.column}, message};
  }

  /// Fields 2 to 9 of a line (2 to 5 of a wide one) go to the card at hand, if that is a DMIG.
  void add_line(std::string_view line, int number, bool continued) {
    const bool commas = line.find(',') != std::string_view::npos;
    const Token first = commas ? fixed_field(line, number, 0, line.find(','))
                               : fixed_field(line, number, 0, std::min<std::size_t>(8, line.size()));
    const bool wide = first.text.find('*') != std::string_view::npos;
    if (!continued) {
      std::string_view word = first.text;
      if (wide) word = word.substr(0, word.find('*'));
      inside_ = lower_case(word) == "dmig";
      start_ = first;
    }
    if (!inside_) return;
    const std::size_t count = wide ? 4 : 8;
    if (commas) {
      std::size_t at = line.find(',') + 1;
      std::size_t fields = 0;
      while (fields < count) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        card_.push_back(fixed_field(line, number, at, end - at));
        ++fields;
        if (end == line.size()) break;
        at = end + 1;
      }
      for (; fields < count; ++fields) card_.push_back({{}, number, static_cast<int>(line.size()) + 1});
    } else {
      const std::size_t width = wide ? 16 : 8;
      for (std::size_t k = 0; k < count; ++k) card_.push_back(fixed_field(line, number, 8 + k * width, width));
    }
  }

  void finish_card() {
    if (inside_) {
      if (card_[0].text.empty()) throw fail(start_, "the DMIG entry names no matrix");
      RawMatrix& matrix = matrix_named(card_[0].text);
      if (card_[1].text == "0") {
        header(matrix);
      } else {
        column(matrix);
      }
    }
    inside_ = false;
    card_.clear();
  }

  RawMatrix& matrix_named(std::string_view name) {
    const std::string key = lower_case(name);
    const auto [at, added] = places_.emplace(key, matrices_.size());
    if (added) matrices_.push_back({std::string(name), {}, 0, 0, {}, {}});
    return matrices_[at->second];
  }

  void header(RawMatrix& matrix) {
    if (matrix.header) {
      throw fail(card_[1], fmt::format("matrix {} has a second header, the first is on line {}", matrix.name,
                                       matrix.header->line));
    }
    matrix.header = card_[1];
    matrix.form = static_cast<int>(parse_integer(card_[2], file_, "the form (IFO)", 1, 9));
    matrix.type = static_cast<int>(parse_integer(card_[3], file_, "the type (TIN)", 1, 4));
  }

  [[nodiscard]] Point point(const Token& grid, const Token& component) const {
    const long long number = parse_integer(grid, file_, "the point", 1, largest_point);
    const long long direction = component.text.empty() ? 0 : parse_integer(component, file_, "the component", 0, 6);
    return {number, static_cast<int>(direction)};
  }

  void column(RawMatrix& matrix) {
    if (matrix.entries.empty()) matrix.first = card_[1];
    if (!asked_for(matrix)) {
      // Its entries are not needed, but that there are some is.
      return;
    }
    const Point place = point(card_[1], card_[2]);
    if (!card_[3].text.empty()) {
      throw fail(card_[3],
                 fmt::format("the field behind the component must be empty, got {}", in_quotes(card_[3].text)));
    }
    bool any = false;
    for (std::size_t k = name_fields; k + 3 < card_.size(); k += 4) {
      const Token& imaginary = card_[k + 3];
      if (card_[k].text.empty() && card_[k + 1].text.empty() && card_[k + 2].text.empty()) continue;
      if (!imaginary.text.empty() && matrix.type < 3 &&
          parse_fortran_number(imaginary, file_, "the imaginary part") != 0.0) {
        throw fail(imaginary, fmt::format("a real matrix has no imaginary part, got {}", in_quotes(imaginary.text)));
      }
      matrix.entries.push_back({point(card_[k], card_[k + 1]), place, card_[k + 2]});
      any = true;
    }
    if (!any) throw fail(card_[1], "the column has no row");
  }

  /// Is it the one, or may it be?
  [[nodiscard]] bool asked_for(const RawMatrix& matrix) const {
    return name_.empty() ? &matrix == matrices_.data() : lower_case(matrix.name) == lower_case(name_);
  }

  MatrixFile result() {
    std::vector<std::string> names;
    for (const RawMatrix& matrix : matrices_) names.push_back(matrix.name);
    const std::string list = fmt::format("{}", fmt::join(names, ", "));
    if (names.empty()) throw InputError({file_, 0, 0}, "holds no DMIG entry");
    if (name_.empty() && names.size() > 1) {
      throw InputError({file_, 0, 0}, fmt::format("holds several matrices: write one of {} behind a colon", list));
    }
    const auto at = name_.empty() ? places_.begin() : places_.find(lower_case(name_));
    if (at == places_.end()) {
      throw InputError({file_, 0, 0}, fmt::format("holds no matrix {}; it has {}", in_quotes(name_), list));
    }
    return assemble(matrices_[at->second]);
  }

  MatrixFile assemble(const RawMatrix& raw) const {
    if (!raw.header) {
      throw fail(raw.first, fmt::format("matrix {0} has no header, an entry \"DMIG, {0}, 0, ...\"", raw.name));
    }
    if (raw.form != 1 && raw.form != 6) {
      throw fail(*raw.header,
                 fmt::format("matrix {} must be square or symmetric, IFO 1 or 6, got {}", raw.name, raw.form));
    }
    if (raw.type > 2) throw fail(*raw.header, fmt::format("matrix {} is complex; only real ones are read", raw.name));
    if (raw.entries.empty()) throw fail(*raw.header, fmt::format("matrix {} has no column", raw.name));
    std::map<Point, int> rows;
    for (const RawEntry& entry : raw.entries) {
      rows.emplace(entry.row, 0);
      rows.emplace(entry.column, 0);
    }
    MatrixFile matrix;
    matrix.file = file_;
    matrix.size_line = raw.header->line;
    for (auto& [place, row] : rows) {
      row = static_cast<int>(matrix.labels.size());
      matrix.labels.push_back(row_label(place.first, place.second));
    }
    matrix.rows = matrix.columns = static_cast<int>(rows.size());
    for (const RawEntry& entry : raw.entries) {
      matrix.entries.push_back({rows.at(entry.row), rows.at(entry.column),
                                parse_fortran_number(entry.value, file_, "a value"), entry.value.line,
                                entry.value.column, false});
    }
    sort_entries(matrix);
    if (raw.form == 6) mirror_entries(matrix, Half::pairs);
    return matrix;
  }

  std::string_view text_;
  std::string file_;
  std::string name_;
  std::vector<RawMatrix> matrices_;
  std::map<std::string, std::size_t> places_;
  bool inside_ = false;  ///< of a DMIG entry
  Token start_;
  std::vector<Token> card_;  ///< fields from the second on
};

/// The shortest of the roundings of a value that fill a field of `width` characters: no exponent letter, no leading
/// zeros.
std::string nastran_number(double value, std::size_t width) {
  for (int digits = static_cast<int>(width); digits >= 1; --digits) {
    std::string text = fmt::format("{:.{}e}", value, digits - 1);
    const std::size_t letter = text.find('e');
    const int exponent = std::atoi(text.c_str() + letter + 1);
    std::string mantissa = text.substr(0, letter);
    if (mantissa.find('.') == std::string::npos) mantissa += '.';
    const std::string whole = fmt::format("{}{:+d}", mantissa, exponent);
    if (whole.size() <= width) return whole;
  }
  return fmt::format("{:.0e}", value);
}

Point point_of_label(const MatrixFile& matrix, int row) {
  const Point numbered{row + 1, 0};
  if (matrix.labels.empty()) return numbered;
  const std::string& label = matrix.labels[static_cast<std::size_t>(row)];
  for (int direction = 0; direction <= 6; ++direction) {
    long long node = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), node);
    if (error == std::errc() && node > 0 && row_label(node, direction) == label) return {node, direction};
  }
  return numbered;
}

}  // namespace

MatrixFile parse_dmig(std::string_view text, const std::string& file, const std::string& name) {
  return DmigParser(text, file, name).parse();
}

MatrixFile read_dmig(const std::string& path, const std::string& name) {
  return parse_dmig(read_text_file(path), path, name);
}

std::string format_dmig(const MatrixFile& matrix, std::string_view name, DmigFields fields) {
  std::vector<MatrixFile::Entry> entries = matrix.entries;
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.column != b.column ? a.column < b.column : a.row < b.row; });
  std::string out = fields == DmigFields::commas ? fmt::format("DMIG,{},0,6,2\n", name)
                                                 : fmt::format("DMIG    {:<8}{:8}{:8}{:8}{:8}\n", name, 0, 6, 2, 0);
  int last = -1;
  for (const auto& entry : entries) {
    if (entry.row < entry.column) continue;
    const Point row = point_of_label(matrix, entry.row);
    const Point column = point_of_label(matrix, entry.column);
    const bool starts = entry.column != last;
    last = entry.column;
    if (fields == DmigFields::commas) {
      out += fmt::format("DMIG,{},{},{},,{},{},{:.17g}\n", name, column.first, column.second, row.first, row.second,
                         entry.value);
    } else if (fields == DmigFields::wide) {
      if (starts) out += fmt::format("DMIG*   {:<16}{:16}{:16}\n", name, column.first, column.second);
      out += fmt::format("*       {:16}{:16}{:>16}\n", row.first, row.second, nastran_number(entry.value, 16));
    } else {
      out += starts ? fmt::format("DMIG    {:<8}{:8}{:8}{:8}", name, column.first, column.second, "") : "        ";
      out += fmt::format("{:8}{:8}{:>8}\n", row.first, row.second, nastran_number(entry.value, 8));
    }
  }
  return out;
}

}  // namespace microslip
