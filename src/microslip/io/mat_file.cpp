#include "microslip/io/mat_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "microslip/io/files_read.hpp"
#include "microslip/io/mat_walk.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr std::size_t header_bytes = 128;
constexpr std::size_t hdf5_offset = 512;
constexpr std::string_view hdf5_signature("\x89HDF\r\n\x1a\n", 8);

enum class Version { mat5, mat73 };

/// From the first 520 bytes.
Version version_of(std::string_view start, const std::string& file) {
  if (start.size() >= hdf5_offset + hdf5_signature.size() &&
      start.substr(hdf5_offset, hdf5_signature.size()) == hdf5_signature) {
    return Version::mat73;
  }
  if (start.substr(0, hdf5_signature.size()) == hdf5_signature) return Version::mat73;
  if (start.size() >= header_bytes) {
    const std::string_view order = start.substr(126, 2);
    if (order == "IM" || order == "MI") return Version::mat5;
  }
  throw InputError({file, 0, 0},
                   "is not a MATLAB file of version 5 or 7.3: write it with save -v6, -v7 or -v7.3 (a file of version "
                   "4 must be saved again)");
}

std::string first_bytes(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  std::string start(hdf5_offset + hdf5_signature.size(), '\0');
  if (file) FilesRead::note(path);
  start.resize(file ? std::fread(start.data(), 1, start.size(), file.get()) : 0);
  return start;
}

void walk_bytes(std::string_view bytes, const std::string& file, const MatWalk& walk) {
  if (version_of(bytes, file) == Version::mat5) {
    walk_mat5(bytes, file, walk);
  } else {
    walk_mat73("", bytes, file, walk);
  }
}

void walk_path(const std::string& path, const MatWalk& walk) {
  constexpr std::size_t limit = std::size_t{1} << 36U;  // a file may hold many variables of 4 GB
  const std::string start = first_bytes(path);
  if (!start.empty() && version_of(start, path) == Version::mat73) {
    walk_mat73(path, {}, path, walk);
  } else {
    walk_mat5(read_text_file(path, limit), path, walk);
  }
}

/// "S(1).M" is the same as "S.M" where there is one S only.
std::string without_first(std::string name) {
  for (auto at = name.find("(1)"); at != std::string::npos; at = name.find("(1)", at)) name.erase(at, 3);
  return name;
}

/// Is `name` the member or inside it?
bool is_in(std::string_view name, std::string_view member) {
  if (member.empty() || name == member) return true;
  return name.size() > member.size() && name.starts_with(member) &&
         (name[member.size()] == '.' || name[member.size()] == '(' || name[member.size()] == '{');
}

std::string variable_of(const std::string& member) {
  return member.substr(0, member.find_first_of(".({"));
}

using Walk = std::function<void(const MatWalk&)>;

std::vector<std::string> names_in(const Walk& go) {
  std::vector<std::string> names;
  MatWalk walk;
  walk.opens = [](const std::string&) { return true; };
  walk.wants = [&](const std::string& name, bool is_text) {
    if (!is_text) names.push_back(name);
    return false;
  };
  walk.take = [](MatArray) {};
  go(walk);
  return names;
}

InputError unknown_name(const std::string& file, const std::string& member, std::vector<std::string> names) {
  constexpr std::size_t most_named = 20;
  const std::string dots = names.size() > most_named ? ", ..." : "";
  if (names.size() > most_named) names.resize(most_named);
  for (std::string& name : names) name = in_quotes(name);
  const std::string list = names.empty() ? "no numeric arrays" : fmt::format("{}{}", fmt::join(names, ", "), dots);
  if (member.empty()) {
    return {{file, 0, 0}, fmt::format("must hold one matrix, or its name must follow a colon; it holds {}", list)};
  }
  return {{file, 0, 0}, fmt::format("has no numeric array {}; it holds {}", in_quotes(member), list)};
}

std::vector<MatArray> arrays_in(const Walk& go, const std::string& member) {
  std::vector<MatArray> arrays;
  const std::string plain = without_first(member);
  MatWalk walk;
  walk.opens = [&](const std::string& name) { return member.empty() || name == variable_of(member); };
  walk.wants = [&](const std::string& name, bool) { return is_in(name, member) || is_in(name, plain); };
  walk.take = [&](MatArray array) { arrays.push_back(std::move(array)); };
  go(walk);
  return arrays;
}

MatArray one_matrix(const Walk& go, const std::string& file, const std::string& member) {
  const std::vector<std::string> names = member.empty() ? names_in(go) : std::vector<std::string>{};
  if (member.empty() && names.size() != 1) throw unknown_name(file, member, names);
  const std::string& exact = member.empty() ? names.front() : member;
  const std::string plain = without_first(exact);
  MatArray found;
  MatWalk walk;
  walk.opens = [&](const std::string& name) { return name == variable_of(exact); };
  walk.wants = [&](const std::string& name, bool is_text) { return !is_text && (name == exact || name == plain); };
  walk.take = [&](MatArray array) { found = std::move(array); };
  go(walk);
  if (found.name.empty()) throw unknown_name(file, member, names_in(go));
  return found;
}

/// Entries sorted.
MatrixFile entries_of(const MatArray& array, const std::string& file) {
  const auto wrong = [&](const std::string& what) {
    return InputError({file, 0, 0}, fmt::format("array {} {}", in_quotes(array.name), what));
  };
  if (array.rows == 0 || array.columns == 0) throw wrong("is empty");
  if (std::any_of(array.imaginary.begin(), array.imaginary.end(), [](double value) { return value != 0.0; })) {
    throw wrong("must be real, it is complex");
  }
  MatrixFile matrix;
  matrix.file = file;
  matrix.rows = array.rows;
  matrix.columns = array.columns;
  const auto rows = static_cast<std::size_t>(array.rows);
  const auto nonzero =
      array.values.size() - static_cast<std::size_t>(std::count(array.values.begin(), array.values.end(), 0.0));
  const auto each = [&](const auto& use) {
    std::size_t k = 0;
    for (int column = 0; column < array.columns; ++column) {
      const std::size_t end =
          array.sparse ? static_cast<std::size_t>(array.column_start[static_cast<std::size_t>(column) + 1]) : k + rows;
      for (const std::size_t start = k; k < end; ++k) {
        if (array.values[k] == 0.0) continue;
        use(array.sparse ? array.row_of[k] : static_cast<int>(k - start), column, array.values[k]);
      }
    }
  };
  if (rows > 8 * nonzero + 1024) {  // a sparse matrix may claim any number of rows: no memory for each
    matrix.entries.reserve(nonzero);
    each([&](int row, int column, double value) { matrix.entries.push_back({row, column, value, 0, 0, false}); });
    std::stable_sort(matrix.entries.begin(), matrix.entries.end(),
                     [](const MatrixFile::Entry& a, const MatrixFile::Entry& b) { return a.row < b.row; });
    return matrix;
  }
  std::vector<std::size_t> next(rows + 1, 0);  // place of the next entry of each row
  each([&](int row, int, double) { ++next[static_cast<std::size_t>(row) + 1]; });
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  matrix.entries.resize(nonzero);
  each([&](int row, int column, double value) {
    matrix.entries[next[static_cast<std::size_t>(row)]++] = {row, column, value, 0, 0, false};
  });
  return matrix;
}

/// Either triangle may be given.
MatrixFile matrix_of(const MatArray& array, const std::string& file) {
  MatrixFile matrix = entries_of(array, file);
  if (matrix.rows != matrix.columns) return matrix;
  mirror_entries(matrix, Half::triangle);
  return matrix;
}

Walk in_bytes(std::string_view bytes, const std::string& file) {
  return [bytes, file](const MatWalk& walk) { walk_bytes(bytes, file, walk); };
}

Walk in_path(const std::string& path) {
  return [path](const MatWalk& walk) { walk_path(path, walk); };
}

}  // namespace

MatrixFile read_mat_matrix(const std::string& path, const std::string& member) {
  return matrix_of(one_matrix(in_path(path), path, member), path);
}

MatrixFile parse_mat_matrix(std::string_view bytes, const std::string& file, const std::string& member) {
  return matrix_of(one_matrix(in_bytes(bytes, file), file, member), file);
}

std::vector<std::string> mat_variables(const std::string& path) {
  return names_in(in_path(path));
}

std::vector<std::string> parse_mat_variables(std::string_view bytes, const std::string& file) {
  return names_in(in_bytes(bytes, file));
}

namespace {

std::vector<MatArray> some_arrays(const Walk& go, const std::string& file, const std::string& member) {
  std::vector<MatArray> arrays = arrays_in(go, member);
  if (arrays.empty()) throw unknown_name(file, member, names_in(go));
  return arrays;
}

}  // namespace

std::vector<MatArray> read_mat_arrays(const std::string& path, const std::string& member) {
  return some_arrays(in_path(path), path, member);
}

std::vector<MatArray> parse_mat_arrays(std::string_view bytes, const std::string& file, const std::string& member) {
  return some_arrays(in_bytes(bytes, file), file, member);
}

std::string mat_member_name(const std::string& parent, std::string_view field, std::size_t index, std::size_t count) {
  if (count == 1) return fmt::format("{}.{}", parent, field);
  return fmt::format("{}({}).{}", parent, index + 1, field);
}

void require_sound(const MatArray& array, const std::string& file) {
  const auto wrong = [&](const std::string& what) {
    return InputError({file, 0, 0}, fmt::format("array {}: {}", in_quotes(array.name), what));
  };
  if (array.sparse) {
    const auto& starts = array.column_start;
    if (starts.size() != static_cast<std::size_t>(array.columns) + 1 || starts.front() != 0 ||
        static_cast<std::size_t>(starts.back()) != array.row_of.size() || array.row_of.size() != array.values.size()) {
      throw wrong("the index of a sparse matrix does not fit its values");
    }
    for (int column = 0; column < array.columns; ++column) {
      const auto c = static_cast<std::size_t>(column);
      if (starts[c + 1] < starts[c]) throw wrong(fmt::format("column {} ends before it begins", column + 1));
      // Not beyond the last start, which the loop has still to reach.
      if (static_cast<std::size_t>(starts[c + 1]) > array.row_of.size()) {
        throw wrong("the index of a sparse matrix does not fit its values");
      }
      for (auto k = static_cast<std::size_t>(starts[c]); k < static_cast<std::size_t>(starts[c + 1]); ++k) {
        const int row = array.row_of[k];
        if (row < 0 || row >= array.rows) {
          throw wrong(fmt::format("column {} has an entry in row {} of {}", column + 1, row + 1LL, array.rows));
        }
        if (k > static_cast<std::size_t>(starts[c]) && row <= array.row_of[k - 1]) {
          throw wrong(fmt::format("the rows of column {} must increase", column + 1));
        }
      }
    }
  }
  for (const auto* values : {&array.values, &array.imaginary}) {
    const auto at = std::find_if_not(values->begin(), values->end(), [](double value) { return std::isfinite(value); });
    if (at == values->end()) continue;
    const auto k = static_cast<std::size_t>(at - values->begin());
    std::size_t row = 0, column = 0;
    if (array.sparse) {
      row = static_cast<std::size_t>(array.row_of[k]);
      while (static_cast<std::size_t>(array.column_start[column + 1]) <= k) ++column;
    } else {
      row = k % static_cast<std::size_t>(array.rows);
      column = k / static_cast<std::size_t>(array.rows);
    }
    throw wrong(fmt::format("entry ({},{}) must be finite, got {}", row + 1, column + 1, *at));
  }
}

std::string utf8_of(std::u16string_view text) {
  std::string result;
  const auto add = [&](char32_t code) {
    if (code < 0x80) {
      result += static_cast<char>(code);
    } else if (code < 0x800) {
      result += static_cast<char>(0xC0U | (code >> 6U));
      result += static_cast<char>(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
      result += static_cast<char>(0xE0U | (code >> 12U));
      result += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
      result += static_cast<char>(0x80U | (code & 0x3FU));
    } else {
      result += static_cast<char>(0xF0U | (code >> 18U));
      result += static_cast<char>(0x80U | ((code >> 12U) & 0x3FU));
      result += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
      result += static_cast<char>(0x80U | (code & 0x3FU));
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t unit = text[i];
    const bool high = unit >= 0xD800 && unit < 0xDC00;
    if (high && i + 1 < text.size() && text[i + 1] >= 0xDC00 && text[i + 1] < 0xE000) {
      add(0x10000 + ((unit - 0xD800) << 10U) + (text[++i] - 0xDC00U));
    } else {
      add(unit >= 0xD800 && unit < 0xE000 ? char32_t{0xFFFD} : unit);
    }
  }
  return result;
}

}  // namespace microslip
