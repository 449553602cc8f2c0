#include "microslip/input/read_points.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "microslip/input/structure_keys.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr int most_points = 100'000;

using Entries = std::vector<Eigen::Triplet<double>>;

/// The rows as they are written: how many, entries in the columns of the files, and labels where the file has them.
struct WrittenRows {
  int count = 0;
  Entries entries;
  std::vector<std::string> labels;
};

void require_columns(int got, int wanted, const FilePosition& at) {
  if (got == wanted) return;
  throw InputError(
      at, fmt::format("the rows of points must have {} columns, one a row of the matrices, got {}", wanted, got));
}

/// rows = [[1, 0], [0.5, 0.5]]
WrittenRows rows_of_list(const TableReader& points, int columns) {
  WrittenRows rows;
  for (const TomlValue& item : points.as_list(points.need("rows"), "rows")) {
    const std::vector<TomlValue>& values = points.as_list(item, "a row of points");
    if (static_cast<int>(values.size()) != columns) {
      throw points.error(item, fmt::format("a row of points must have {} numbers, one a degree of freedom, got {}",
                                           columns, values.size()));
    }
    for (int c = 0; c < columns; ++c) {
      const double value = points.as_number(values[static_cast<std::size_t>(c)], "a row of points", any_number);
      if (value != 0.0) rows.entries.emplace_back(rows.count, c, value);
    }
    ++rows.count;
  }
  return rows;
}

WrittenRows rows_of_file(const TableReader& points, int columns) {
  return read_named_file(points, "rows", [&](const std::string& path) {
    const MatrixFile matrix = read_matrix_file(path);
    require_columns(matrix.columns, columns, {matrix.file, matrix.size_line, 1});
    WrittenRows rows;
    rows.count = matrix.rows;
    rows.labels = matrix.labels;
    for (const MatrixFile::Entry& entry : matrix.entries) {
      if (!std::isfinite(entry.value)) {
        throw InputError(matrix.position(entry), fmt::format("entry ({},{}) must be finite, got {}", entry.row + 1,
                                                             entry.column + 1, entry.value));
      }
      rows.entries.emplace_back(entry.row, entry.column, entry.value);
    }
    return rows;
  });
}

/// Where each column of the files is in the structure; -1: held fixed.
std::vector<int> places_of_columns(const MatrixRows& matrices) {
  std::vector<int> places(static_cast<std::size_t>(matrices.in_files), 0);
  for (const int row : matrices.removed) places[static_cast<std::size_t>(row)] = -1;
  int next = 0;
  for (int& place : places) place = place < 0 ? -1 : next++;
  return places;
}

}  // namespace

DependentCoordinates read_points(const TableReader& structure, const MatrixRows& matrices,
                                 const std::vector<std::string>& taken) {
  if (!structure.has("points")) return {};
  const TableReader points = structure.table("points");
  points.allow_only({"rows", "labels"});
  const bool listed = points.need("rows").type == TomlValue::Type::array;
  const WrittenRows rows = listed ? rows_of_list(points, matrices.in_files) : rows_of_file(points, matrices.in_files);
  if (rows.count < 1 || rows.count > most_points) {
    throw points.error("rows", fmt::format("rows must be of 1 to {} points, got {}", most_points, rows.count));
  }
  if (rows.labels.empty()) static_cast<void>(points.need("labels"));
  DependentCoordinates result;
  result.labels = read_labels(points, rows.count, rows.labels, "rows");
  const std::set<std::string> others(taken.begin(), taken.end());
  for (const std::string& label : result.labels) {
    if (others.contains(label)) {
      throw points.error("labels", fmt::format("label {} is a degree of freedom already", in_quotes(label)));
    }
  }
  const std::vector<int> places = places_of_columns(matrices);
  Entries entries;
  for (const auto& entry : rows.entries) {
    const int place = places[static_cast<std::size_t>(entry.col())];
    if (place >= 0) entries.emplace_back(entry.row(), place, entry.value());
  }
  result.rows.resize(rows.count, matrices.size());
  result.rows.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace microslip
