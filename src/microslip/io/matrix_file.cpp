#include "microslip/io/matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "microslip/io/abaqus_matrix.hpp"
#include "microslip/io/calculix_matrix.hpp"
#include "microslip/io/dmig.hpp"
#include "microslip/io/mat_file.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/io/op4.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

bool is_constrained(const MatrixFile& matrix, int row) {
  return std::binary_search(matrix.constrained.begin(), matrix.constrained.end(), row);
}

/// Row i becomes row to(i), or vanishes where that is negative.
template <class To>
void renumber_rows(MatrixFile& matrix, const To& to, int size) {
  for (MatrixFile::Entry& entry : matrix.entries) {
    entry.row = to(entry.row);
    entry.column = to(entry.column);
  }
  std::erase_if(matrix.entries, [](const auto& entry) { return entry.row < 0 || entry.column < 0; });
  for (int& row : matrix.constrained) row = to(row);
  std::erase_if(matrix.constrained, [](int row) { return row < 0; });
  std::sort(matrix.constrained.begin(), matrix.constrained.end());
  matrix.rows = matrix.columns = size;
  sort_entries(matrix);
}

/// Whether no order of the rows has all entries in one triangle: row after column after ... comes back to itself. Rows
/// that no entry leads to are taken away, with the entries that lead from them, until none is left.
bool has_cycle(const MatrixFile& matrix) {
  const auto size = static_cast<std::size_t>(matrix.rows);
  std::vector<int> leading_to(size, 0), open;
  std::vector<std::size_t> first(size + 1, 0);
  for (const MatrixFile::Entry& entry : matrix.entries) {
    ++first[static_cast<std::size_t>(entry.row) + 1];
    if (entry.row != entry.column) ++leading_to[static_cast<std::size_t>(entry.column)];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (int row = 0; row < matrix.rows; ++row) {
    if (leading_to[static_cast<std::size_t>(row)] == 0) open.push_back(row);
  }
  std::size_t taken = 0;
  for (; !open.empty(); ++taken) {
    const auto row = static_cast<std::size_t>(open.back());
    open.pop_back();
    for (std::size_t k = first[row]; k < first[row + 1]; ++k) {
      const MatrixFile::Entry& entry = matrix.entries[k];
      if (entry.row != entry.column && --leading_to[static_cast<std::size_t>(entry.column)] == 0) {
        open.push_back(entry.column);
      }
    }
  }
  return taken < size;
}

constexpr std::array<std::string_view, 6> files_of_several{"mat", "op4", "pch", "dmig", "bdf", "dat"};

bool holds_several(std::string_view ending) {
  return std::find(files_of_several.begin(), files_of_several.end(), ending) != files_of_several.end();
}

/// Neither a Matrix Market file nor a damaged one, but lines of numbers or keywords.
bool looks_like_abaqus(std::string_view text) {
  LineReader lines(text);
  while (lines.next()) {
    if (lines.blank()) continue;
    return std::string_view("*-0123456789").find(lines.line()[lines.line().find_first_not_of(" \t")]) !=
           std::string_view::npos;
  }
  return false;
}

}  // namespace

const MatrixFile::Entry* MatrixFile::find(int row, int column) const {
  const auto at = std::lower_bound(
      entries.begin(), entries.end(), std::pair(row, column),
      [](const Entry& entry, const std::pair<int, int>& key) { return std::pair(entry.row, entry.column) < key; });
  return at != entries.end() && at->row == row && at->column == column ? &*at : nullptr;
}

Eigen::MatrixXd MatrixFile::dense() const {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, columns);
  for (const Entry& entry : entries) matrix(entry.row, entry.column) = entry.value;
  return matrix;
}

void sort_entries(MatrixFile& matrix) {
  const auto before = [](const MatrixFile::Entry& a, const MatrixFile::Entry& b) {
    if (a.row != b.row) return a.row < b.row;
    if (a.column != b.column) return a.column < b.column;
    return a.line < b.line;
  };
  std::sort(matrix.entries.begin(), matrix.entries.end(), before);
  for (std::size_t k = 1; k < matrix.entries.size(); ++k) {
    const auto& first = matrix.entries[k - 1];
    const auto& second = matrix.entries[k];
    if (first.row != second.row || first.column != second.column) continue;
    const char* hint = first.mirrored != second.mirrored ? "; a symmetric file gives one of (i,j) and (j,i)" : "";
    throw InputError({matrix.file, second.line, second.text_column},
                     fmt::format("entry ({},{}) is given twice{}{}", second.row + 1, second.column + 1,
                                 first.line == 0 ? "" : fmt::format(", first on line {}", first.line), hint));
  }
}

void require_square_symmetric(const MatrixFile& matrix, std::string_view what, double tolerance) {
  if (matrix.rows != matrix.columns) {
    throw InputError({matrix.file, matrix.size_line, 1},
                     fmt::format("the {} matrix must be square, got {} x {}", what, matrix.rows, matrix.columns));
  }
  double largest = 0.0;
  for (const auto& entry : matrix.entries) {
    if (!is_constrained(matrix, entry.row)) largest = std::max(largest, std::abs(entry.value));
  }
  for (const auto& entry : matrix.entries) {
    if (entry.row == entry.column) continue;
    const auto* mirror = matrix.find(entry.column, entry.row);
    const double other = mirror != nullptr ? mirror->value : 0.0;
    // Halves, so that values near the largest double do not overflow.
    if (std::abs(0.5 * entry.value - 0.5 * other) > 0.5 * tolerance * largest) {
      throw InputError(
          matrix.position(entry),
          fmt::format("the {} matrix must be symmetric: entry ({},{}) is {}, entry ({},{}) is {}", what, entry.row + 1,
                      entry.column + 1, entry.value, entry.column + 1, entry.row + 1, other));
    }
  }
}

void require_half(const MatrixFile& matrix, Half half) {
  const MatrixFile::Entry *lower = nullptr, *upper = nullptr;  // the first of each triangle
  for (const MatrixFile::Entry& entry : matrix.entries) {
    if (entry.row == entry.column || entry.value == 0.0 || entry.mirrored) continue;
    const MatrixFile::Entry*& first = entry.row > entry.column ? lower : upper;
    if (first == nullptr) first = &entry;
  }
  if (lower == nullptr || upper == nullptr || half == Half::pairs) return;
  if (half == Half::some_triangle && !has_cycle(matrix)) return;
  throw InputError(
      matrix.position(*lower),
      fmt::format(
          "the matrix is neither symmetric nor a triangle: entry ({},{}) is {} and entry ({},{}) is {}, neither "
          "with its mirror image",
          lower->row + 1, lower->column + 1, lower->value, upper->row + 1, upper->column + 1, upper->value));
}

void mirror_entries(MatrixFile& matrix, Half half) {
  std::erase_if(matrix.entries, [](const auto& entry) { return entry.value == 0.0 && entry.row != entry.column; });
  std::vector<MatrixFile::Entry> missing;
  bool any_image = false;
  for (const MatrixFile::Entry& entry : matrix.entries) {
    if (entry.row == entry.column) continue;
    if (matrix.find(entry.column, entry.row) != nullptr) {
      any_image = true;
      continue;
    }
    missing.push_back(entry);
    std::swap(missing.back().row, missing.back().column);
    missing.back().mirrored = true;
  }
  if (missing.empty() || (any_image && half != Half::pairs)) return;
  require_half(matrix, half);
  matrix.entries.insert(matrix.entries.end(), missing.begin(), missing.end());
  sort_entries(matrix);
}

void remove_rows(MatrixFile& matrix, const std::vector<int>& rows) {
  if (rows.empty()) return;
  // How many removed rows lie before a row; -1 for those that go.
  const auto to = [&rows](int row) {
    const auto at = std::lower_bound(rows.begin(), rows.end(), row);
    return at != rows.end() && *at == row ? -1 : row - static_cast<int>(at - rows.begin());
  };
  std::vector<std::string> labels;
  for (std::size_t row = 0; row < matrix.labels.size(); ++row) {
    if (to(static_cast<int>(row)) >= 0) labels.push_back(std::move(matrix.labels[row]));
  }
  matrix.labels = std::move(labels);
  renumber_rows(matrix, to, matrix.rows - static_cast<int>(rows.size()));
}

void align_rows(MatrixFile& first, MatrixFile& second) {
  if (first.labels.empty() || second.labels.empty() || first.labels == second.labels) return;
  std::unordered_map<std::string, int> rows;
  for (const std::string& label : first.labels) rows.emplace(label, static_cast<int>(rows.size()));
  std::vector<int> places;
  for (const std::string& label : second.labels) {
    const auto [at, added] = rows.emplace(label, static_cast<int>(rows.size()));
    if (added) first.labels.push_back(label);
    places.push_back(at->second);
  }
  const auto size = static_cast<int>(rows.size());
  first.rows = first.columns = size;
  second.labels = first.labels;
  renumber_rows(
      second, [&places](int row) { return places[static_cast<std::size_t>(row)]; }, size);
}

std::string row_label(long long node, int direction) {
  constexpr std::array<std::string_view, 6> names{"x", "y", "z", "rx", "ry", "rz"};
  if (direction == 0) return fmt::format("{}", node);
  if (direction >= 1 && direction <= 6) {
    return fmt::format("{}.{}", node, names[static_cast<std::size_t>(direction) - 1]);
  }
  return fmt::format("{}.{}", node, direction);
}

std::string file_ending(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string_view::npos ? "" : lower_case(name.substr(dot + 1));
}

FileMember split_file_member(const std::string& path_and_member) {
  const std::size_t colon = path_and_member.find_last_of(':');
  if (colon == std::string::npos || !holds_several(file_ending(path_and_member.substr(0, colon)))) {
    return {path_and_member, ""};
  }
  return {path_and_member.substr(0, colon), path_and_member.substr(colon + 1)};
}

MatrixFile read_matrix_file(const std::string& path_and_member) {
  const auto [path, member] = split_file_member(path_and_member);
  const std::string ending = file_ending(path);
  if (ending == "mat") return read_mat_matrix(path, member);
  if (ending == "op4") return read_op4(path, member);
  if (holds_several(ending)) return read_dmig(path, member);
  if (ending == "sti" || ending == "mas") return read_calculix_matrix(path);
  const std::string text = read_text_file(path);
  return looks_like_abaqus(text) ? parse_abaqus_matrix(text, path) : parse_matrix_market(text, path);
}

}  // namespace microslip
