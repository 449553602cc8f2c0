#include "microslip/io/abaqus_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "microslip/io/coordinate_text.hpp"
#include "microslip/io/fixed_fields.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

struct Row {
  long long node = 0;
  int direction = 0;

  /// Nodes of the mesh by their numbers, then internal ones: -1, -2, ...
  bool operator<(const Row& other) const {
    const auto key = [](const Row& row) {
      return std::tuple(row.node < 0, row.node < 0 ? -row.node : row.node, row.direction);
    };
    return key(*this) < key(other);
  }
};

class AbaqusParser {
 public:
  AbaqusParser(std::string_view text, const std::string& file) : lines_(text) {
    matrix_.file = file;
    matrix_.size_line = 1;
  }

  MatrixFile parse() {
    while (lines_.next()) {
      if (lines_.blank() || lines_.line().starts_with("**")) continue;
      if (lines_.line().front() == '*') {
        keyword();
        continue;
      }
      entry();
    }
    if (matrix_.entries.empty()) throw InputError({matrix_.file, 1, 1}, "the file holds no entry");
    if (!rows_.empty()) number_rows();
    matrix_.columns = matrix_.rows;
    sort_entries(matrix_);
    mark_constrained();
    complete_symmetric(matrix_, rows_.empty() ? Half::triangle : Half::some_triangle);
    return std::move(matrix_);
  }

 private:
  [[nodiscard]] InputError fail(const std::string& message) const {
    return {{matrix_.file, lines_.number(), 1}, message};
  }

  void keyword() {
    const std::string word = lower_case(lines_.line());
    if (!matrix_.entries.empty()) throw fail("one matrix must stand in a file, a second keyword follows its entries");
    if (!word.starts_with("*matrix")) {
      throw fail(fmt::format("the file must be one of *MATRIX OUTPUT, FORMAT=COORDINATE or MATRIX INPUT, got {}",
                             in_quotes(lines_.line())));
    }
  }

  void split() {
    if (lines_.line().find(',') == std::string_view::npos) {
      lines_.split(tokens_);
      return;
    }
    lines_.split(',', tokens_);
    if (tokens_.size() > 1 && tokens_.back().text.empty()) tokens_.pop_back();
  }

  void entry() {
    split();
    if (width_ == 0) width_ = tokens_.size();
    if ((width_ != 3 && width_ != 5) || tokens_.size() != width_) {
      throw fail(fmt::format("a line must be {}, got {}",
                             width_ == 3   ? "\"row, column, value\" like the first"
                             : width_ == 5 ? "\"node, direction, node, direction, value\" like the first"
                                           : "\"row, column, value\" or \"node, direction, node, direction, value\"",
                             in_quotes(lines_.line())));
    }
    MatrixFile::Entry entry;
    if (width_ == 3) {
      entry.row = number(tokens_[0], "the row") - 1;
      entry.column = number(tokens_[1], "the column") - 1;
      matrix_.rows = std::max({matrix_.rows, entry.row + 1, entry.column + 1});
    } else {
      entry.row = place(tokens_[0], tokens_[1]);
      entry.column = place(tokens_[2], tokens_[3]);
    }
    const Token& value = tokens_[width_ - 1];
    entry.value = parse_fortran_number(value, matrix_.file, "the value");
    entry.line = value.line;
    entry.text_column = value.column;
    matrix_.entries.push_back(entry);
  }

  [[nodiscard]] int number(const Token& token, std::string_view what) const {
    return static_cast<int>(parse_integer(token, matrix_.file, what, 1, largest_matrix_size));
  }

  /// In the order in which they occur, for now.
  int place(const Token& node, const Token& direction) {
    const Row row{parse_integer(node, matrix_.file, "the node", -largest_matrix_size, largest_matrix_size),
                  static_cast<int>(parse_integer(direction, matrix_.file, "the direction", 1, 999))};
    if (row.node == 0) {
      throw InputError({matrix_.file, node.line, node.column}, "the node must not be 0");
    }
    return rows_.emplace(row, static_cast<int>(rows_.size())).first->second;
  }

  void number_rows() {
    std::vector<int> to(rows_.size());
    for (const auto& [row, first_seen] : rows_) {
      to[static_cast<std::size_t>(first_seen)] = static_cast<int>(matrix_.labels.size());
      matrix_.labels.push_back(row_label(row.node, row.direction));
    }
    for (auto& entry : matrix_.entries) {
      entry.row = to[static_cast<std::size_t>(entry.row)];
      entry.column = to[static_cast<std::size_t>(entry.column)];
    }
    matrix_.rows = static_cast<int>(rows_.size());
  }

  void mark_constrained() {
    for (const auto& entry : matrix_.entries) {
      if (entry.row == entry.column && entry.value >= abaqus_constrained) matrix_.constrained.push_back(entry.row);
    }
  }

  LineReader lines_;
  std::vector<Token> tokens_;
  MatrixFile matrix_;
  std::size_t width_ = 0;    ///< numbers a line
  std::map<Row, int> rows_;  ///< of nodes
};

}  // namespace

MatrixFile parse_abaqus_matrix(std::string_view text, const std::string& file) {
  return AbaqusParser(text, file).parse();
}

MatrixFile read_abaqus_matrix(const std::string& path) {
  return parse_abaqus_matrix(read_text_file(path), path);
}

}  // namespace microslip
