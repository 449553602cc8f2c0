#include "microslip/io/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "microslip/io/output_file.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

struct MatrixMarketHeader {
  bool coordinate = false;
  bool symmetric = false;
};

class MatrixMarketParser {
 public:
  MatrixMarketParser(std::string_view text, std::string file)
      : text_size_(text.size()), lines_(text), file_(std::move(file)) {}

  MatrixFile parse() {
    const MatrixMarketHeader header = parse_header();
    MatrixFile matrix;
    matrix.file = file_;
    if (!next_data_line()) throw fail_at_end("the line of sizes is missing");
    matrix.size_line = tokens_[0].line;
    const std::size_t numbers = header.coordinate ? 3 : 2;
    if (tokens_.size() != numbers) {
      throw fail(tokens_[0],
                 fmt::format("the line of sizes must be \"{}\", got {}",
                             header.coordinate ? "rows columns entries" : "rows columns", in_quotes(lines_.line())));
    }
    matrix.rows = size(tokens_[0], "the number of rows", 1);
    matrix.columns = size(tokens_[1], "the number of columns", 1);
    if (header.symmetric && matrix.rows != matrix.columns) {
      throw fail(tokens_[1],
                 fmt::format("a symmetric matrix must be square, got {} x {}", matrix.rows, matrix.columns));
    }
    if (header.coordinate) {
      parse_coordinates(matrix, header.symmetric, size(tokens_[2], "the number of entries", 0), tokens_[2]);
    } else {
      parse_array(matrix, header.symmetric, tokens_[0]);
    }
    if (next_data_line())
      throw fail(tokens_[0], fmt::format("nothing may follow the last entry, got {}", in_quotes(tokens_[0].text)));
    sort_entries(matrix);
    if (header.symmetric) require_half(matrix, Half::triangle);
    return matrix;
  }

 private:
  [[nodiscard]] InputError fail(const Token& token, const std::string& message) const {
    return {{file_, token.line, token.column}, message};
  }
  [[nodiscard]] InputError fail_at_end(const std::string& message) const {
    return {{file_, std::max(1, lines_.number()), 1}, message};
  }
  [[nodiscard]] int size(const Token& token, std::string_view what, long long low) const {
    return static_cast<int>(parse_integer(token, file_, what, low, largest_matrix_size));
  }

  MatrixMarketHeader parse_header() {
    const std::string example = "\"%%MatrixMarket matrix coordinate real symmetric\"";
    if (!lines_.next()) throw InputError({file_, 1, 1}, "the file is empty; its first line must be like " + example);
    lines_.split(tokens_);
    if (tokens_.size() != 5 || lower_case(tokens_[0].text) != "%%matrixmarket") {
      throw InputError({file_, 1, 1},
                       fmt::format("the first line must be like {}, got {}", example, in_quotes(lines_.line())));
    }
    expect(1, {"matrix"}, "object");
    const bool coordinate = expect(2, {"coordinate", "array"}, "format") == 0;
    expect(3, {"real", "integer"}, "field");
    const bool symmetric = expect(4, {"general", "symmetric"}, "symmetry") == 1;
    return {coordinate, symmetric};
  }

  int expect(std::size_t token, std::initializer_list<std::string_view> allowed, std::string_view what) const {
    const std::string word = lower_case(tokens_[token].text);
    int index = 0;
    std::string list;
    for (const auto& name : allowed) {
      if (word == name) return index;
      list += fmt::format("{}\"{}\"", index == 0 ? "" : " or ", name);
      ++index;
    }
    throw fail(tokens_[token], fmt::format("the {} must be {}, got {}", what, list, in_quotes(tokens_[token].text)));
  }

  /// The next line that is neither blank nor a comment, split into tokens_.
  bool next_data_line() {
    while (lines_.next()) {
      if (lines_.blank() || lines_.line().front() == '%') continue;
      lines_.split(tokens_);
      return true;
    }
    return false;
  }

  /// Refuses counts that the file cannot hold before any memory is asked for.
  void require_room(std::int64_t count, std::size_t bytes_each, const Token& token) const {
    if (static_cast<std::uint64_t>(count) > text_size_ / bytes_each + 1) {
      throw fail(token, fmt::format("the header announces {} entries, more than a file of {} bytes can hold", count,
                                    text_size_));
    }
  }

  void parse_coordinates(MatrixFile& matrix, bool symmetric, int count, const Token& count_token) {
    require_room(count, 6, count_token);  // "1 1 1\n"
    matrix.entries.reserve(static_cast<std::size_t>(count) * (symmetric ? 2 : 1));
    for (int k = 0; k < count; ++k) {
      if (!next_data_line()) throw fail_at_end(fmt::format("the file ends after {} of {} entries", k, count));
      if (tokens_.size() != 3) {
        throw fail(tokens_[0], fmt::format("an entry must be \"row column value\", got {}", in_quotes(lines_.line())));
      }
      const auto row = static_cast<int>(parse_integer(tokens_[0], file_, "the row", 1, matrix.rows)) - 1;
      const auto column = static_cast<int>(parse_integer(tokens_[1], file_, "the column", 1, matrix.columns)) - 1;
      add(matrix, row, column, tokens_[2], symmetric);
    }
  }

  void parse_array(MatrixFile& matrix, bool symmetric, const Token& token) {
    const auto rows = static_cast<std::int64_t>(matrix.rows);
    const std::int64_t count = symmetric ? rows * (rows + 1) / 2 : rows * matrix.columns;
    require_room(count, 2, token);  // "1\n"
    matrix.entries.reserve(static_cast<std::size_t>(symmetric ? rows * rows : count));
    std::size_t next = 0;
    tokens_.clear();
    std::int64_t read = 0;
    for (int column = 0; column < matrix.columns; ++column) {
      for (int row = symmetric ? column : 0; row < matrix.rows; ++row, ++read) {
        if (next == tokens_.size()) {
          if (!next_data_line()) throw fail_at_end(fmt::format("the file ends after {} of {} entries", read, count));
          next = 0;
        }
        add(matrix, row, column, tokens_[next++], symmetric);
      }
    }
    if (next < tokens_.size()) {
      throw fail(tokens_[next],
                 fmt::format("nothing may follow the last entry, got {}", in_quotes(tokens_[next].text)));
    }
  }

  void add(MatrixFile& matrix, int row, int column, const Token& token, bool symmetric) const {
    MatrixFile::Entry entry{row, column, parse_number(token, file_, "an entry"), token.line, token.column, false};
    matrix.entries.push_back(entry);
    if (symmetric && row != column) {
      std::swap(entry.row, entry.column);
      entry.mirrored = true;
      matrix.entries.push_back(entry);
    }
  }

  std::size_t text_size_;
  LineReader lines_;
  std::string file_;
  std::vector<Token> tokens_;
};

std::string market_header(int rows, std::size_t entries, std::string_view comment) {
  std::string out = "%%MatrixMarket matrix coordinate real symmetric\n";
  LineReader lines(comment);
  while (lines.next()) out += fmt::format("% {}\n", lines.line());
  return out + fmt::format("{0} {0} {1}\n", rows, entries);
}

void append_entry(std::string& out, int row, int column, double value) {
  fmt::format_to(std::back_inserter(out), "{} {} {:.17g}\n", row + 1, column + 1, value);
}

}  // namespace

MatrixFile parse_matrix_market(std::string_view text, const std::string& file) {
  return MatrixMarketParser(text, file).parse();
}

MatrixFile read_matrix_market(const std::string& path) {
  return parse_matrix_market(read_text_file(path), path);
}

std::string format_matrix_market(const MatrixFile& matrix, std::string_view comment) {
  std::size_t count = 0;
  for (const auto& entry : matrix.entries) count += entry.row >= entry.column ? 1 : 0;
  std::string out = market_header(matrix.rows, count, comment);
  for (const auto& entry : matrix.entries) {
    if (entry.row >= entry.column) append_entry(out, entry.row, entry.column, entry.value);
  }
  return out;
}

void write_matrix_market(const std::string& path, const MatrixFile& matrix, std::string_view comment) {
  OutputFile file(path);
  file.write(format_matrix_market(matrix, comment));
  file.close();
}

void write_matrix_market(const std::string& path, const Eigen::SparseMatrix<double>& matrix, std::string_view comment) {
  using Inner = Eigen::SparseMatrix<double>::InnerIterator;
  std::size_t count = 0;
  for (int column = 0; column < matrix.outerSize(); ++column) {
    for (Inner entry(matrix, column); entry; ++entry) count += entry.row() >= column ? 1 : 0;
  }
  OutputFile file(path);
  std::string out = market_header(static_cast<int>(matrix.rows()), count, comment);
  for (int column = 0; column < matrix.outerSize(); ++column) {
    for (Inner entry(matrix, column); entry; ++entry) {
      if (entry.row() >= column) append_entry(out, static_cast<int>(entry.row()), column, entry.value());
    }
    file.write(out);
    out.clear();
  }
  file.write(out);
  file.close();
}

}  // namespace microslip
