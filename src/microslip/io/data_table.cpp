#include "microslip/io/data_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <unordered_set>

#include "microslip/io/mat_file.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

bool ends_in(const std::string& path, std::initializer_list<std::string_view> endings) {
  const std::string lower = lower_case(path);
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return lower.ends_with(ending); });
}

struct Named {
  std::string path;
  std::string member;
};

/// "test.mat:S.run" -> "test.mat", "S.run".
Named split_member(const std::string& name) {
  for (std::size_t at = name.find(':'); at != std::string::npos; at = name.find(':', at + 1)) {
    const std::string path = name.substr(0, at);
    if (ends_in(path, {".mat", ".unv", ".uff"})) return {path, name.substr(at + 1)};
  }
  return {name, ""};
}

/// A table and the names that it has already: files may hold many.
struct Builder {
  CsvTable table;
  std::unordered_set<std::string> names;

  void add(std::string name, std::vector<double> values) {
    if (!names.insert(name).second) {
      throw InputError({table.file, table.header_line, 1}, fmt::format("column {} is there twice", in_quotes(name)));
    }
    table.names.push_back(std::move(name));
    table.columns.push_back(std::move(values));
  }
};

// ---- MATLAB files

/// A column of an array, or a row of one that lies on its side.
std::vector<double> line_of(const std::vector<double>& values, const MatArray& array, std::size_t number, bool turned) {
  const auto rows = static_cast<std::size_t>(array.rows);
  const auto columns = static_cast<std::size_t>(array.columns);
  std::vector<double> result(turned ? columns : rows);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = turned ? values[number + i * rows] : values[number * rows + i];
  }
  return result;
}

/// Names of arrays count from the struct that was asked for; an array that was asked for itself keeps its last name.
std::string relative_name(const std::string& name, const std::string& member) {
  if (name.size() > member.size() && !member.empty() && name.starts_with(member) && name[member.size()] == '.') {
    return name.substr(member.size() + 1);
  }
  return name == member ? name.substr(name.rfind('.') + 1) : name;
}

bool is_vector(const MatArray& array) {
  return array.rows == 1 || array.columns == 1;
}

std::size_t length_of(const MatArray& array) {
  return static_cast<std::size_t>(is_vector(array) ? std::max(array.rows, array.columns) : array.rows);
}

class MatTable {
 public:
  MatTable(std::vector<MatArray> arrays, const std::string& file, const std::string& member) : file_(&file) {
    for (MatArray& array : arrays) {
      array.name = relative_name(array.name, member);
      if (array.is_text && array.name.starts_with("names{")) names_.push_back(array.text);
      if (!array.is_text && !array.sparse && array.rows > 0 && array.columns > 0) arrays_.push_back(std::move(array));
    }
  }

  CsvTable table() {
    Builder builder;
    CsvTable& table = builder.table;
    table.file = *file_;
    if (arrays_.empty()) throw error("holds no vectors of numbers");
    const auto is_scalar = [](const MatArray& array) { return array.rows == 1 && array.columns == 1; };
    if (!std::all_of(arrays_.begin(), arrays_.end(), is_scalar)) {  // numbers beside the columns
      arrays_.erase(std::remove_if(arrays_.begin(), arrays_.end(), is_scalar), arrays_.end());
    }
    const std::size_t length = choose_length();
    for (const MatArray& array : arrays_) add(builder, array, length);
    if (!names_.empty()) rename(table);
    table.lines.assign(length, 0);
    return std::move(builder.table);
  }

 private:
  [[nodiscard]] InputError error(const std::string& what) const { return {{*file_, 0, 0}, what}; }

  /// That of `time`, if there is one: what has another is no column of this table. Else all must agree.
  std::size_t choose_length() {
    for (const MatArray& array : arrays_) {
      if (array.name == "time" || array.name == "frequency_hz") return keep_length(length_of(array));
    }
    const MatArray& first = arrays_.front();
    for (const MatArray& array : arrays_) {
      if (length_of(array) == length_of(first)) continue;
      throw error(
          fmt::format("columns of a table must have the same length, {} has {}, {} has {}; keep them in a "
                      "struct of their own, or add a vector \"time\"",
                      in_quotes(first.name), length_of(first), in_quotes(array.name), length_of(array)));
    }
    return length_of(first);
  }
  std::size_t keep_length(std::size_t length) {
    const auto other = [&](const MatArray& array) {
      return length_of(array) != length && static_cast<std::size_t>(array.columns) != length;
    };
    arrays_.erase(std::remove_if(arrays_.begin(), arrays_.end(), other), arrays_.end());
    return length;
  }

  static void add(Builder& builder, const MatArray& array, std::size_t length) {
    const bool turned = static_cast<std::size_t>(array.rows) != length;
    const int count = turned ? array.rows : array.columns;
    for (int k = 0; k < count; ++k) {
      const std::string name = count == 1 ? array.name : fmt::format("{}({})", array.name, k + 1);
      const auto number = static_cast<std::size_t>(k);
      if (array.imaginary.empty()) {
        builder.add(name, line_of(array.values, array, number, turned));
      } else {
        builder.add(fmt::format("re[{}]", name), line_of(array.values, array, number, turned));
        builder.add(fmt::format("im[{}]", name), line_of(array.imaginary, array, number, turned));
      }
    }
  }

  void rename(CsvTable& table) const {
    if (names_.size() != table.names.size()) {
      throw error(fmt::format("names must hold a text for each of the {} columns, it holds {}", table.names.size(),
                              names_.size()));
    }
    table.names.clear();
    std::unordered_set<std::string> taken;
    for (const std::string& name : names_) {
      if (name.empty()) throw error("names: a column has no name");
      if (!taken.insert(name).second) throw error(fmt::format("names: column {} is there twice", in_quotes(name)));
      table.names.push_back(name);
    }
  }

  const std::string* file_;
  std::vector<MatArray> arrays_;
  std::vector<std::string> names_;
};

// ---- universal files

constexpr std::string_view letters = "qvaf";

std::string with_letter(UniversalKind kind, const std::string& name) {
  switch (kind) {
    case UniversalKind::displacement:
      return fmt::format("q[{}]", name);
    case UniversalKind::velocity:
      return fmt::format("v[{}]", name);
    case UniversalKind::acceleration:
      return fmt::format("a[{}]", name);
    case UniversalKind::force:
    case UniversalKind::excitation:
      return fmt::format("f[{}]", name);
    default:
      return name;
  }
}

std::string_view abscissa_name(const UniversalFunction& function) {
  if (function.abscissa_kind == UniversalKind::time) return "time";
  if (function.abscissa_kind == UniversalKind::frequency) return "frequency_hz";
  if (function.abscissa_kind == UniversalKind::unknown) {  // the function tells
    if (function.type == 1) return "time";
    if ((function.type >= 2 && function.type <= 6) || function.type == 9 || function.type == 12) return "frequency_hz";
  }
  return "abscissa";
}

std::string function_name(const UniversalFunction& function) {
  const std::string response = to_string(function.response);
  // Of two channels: frequency responses, transmissibilities, cross spectra, coherences, cross-correlations.
  const bool two = (function.type >= 3 && function.type <= 6) || function.type == 8;
  if (two) return fmt::format("{}/{}", response, to_string(function.reference));
  return with_letter(function.ordinate_kind, response);
}

/// Of `kind`, and of one abscissa.
std::vector<const UniversalFunction*> chosen(const UniversalFile& content, std::string_view kind) {
  if (!kind.empty() && kind != "time" && kind != "frequency") {
    throw InputError(
        {content.file, 0, 0},
        fmt::format("of a universal file \"time\" or \"frequency\" may be asked for, got {}", in_quotes(kind)));
  }
  std::vector<const UniversalFunction*> functions;
  for (const UniversalFunction& function : content.functions) {
    const std::string_view name = abscissa_name(function);
    if (kind.empty() || name == (kind == "time" ? "time" : "frequency_hz")) functions.push_back(&function);
  }
  if (functions.empty()) {
    throw InputError({content.file, 1, 1},
                     fmt::format("the file holds no functions{}{} (dataset 58)", kind.empty() ? "" : " of ", kind));
  }
  const UniversalFunction& first = *functions.front();
  for (const UniversalFunction* function : functions) {
    const FilePosition place{content.file, function->line, 1};
    if (abscissa_name(*function) != abscissa_name(first)) {
      throw InputError(place, fmt::format("this function is over {}, the one on line {} over {}: name one kind behind "
                                          "a colon, file:time or file:frequency",
                                          abscissa_name(*function), first.line, abscissa_name(first)));
    }
    const auto close = [&](double a, double b) {
      const double step = first.abscissa.size() > 1 ? std::abs(first.abscissa.back() - first.abscissa.front()) /
                                                          static_cast<double>(first.abscissa.size() - 1)
                                                    : std::abs(a);
      return std::abs(a - b) <= 1e-3 * step;
    };
    if (!std::equal(function->abscissa.begin(), function->abscissa.end(), first.abscissa.begin(), first.abscissa.end(),
                    close)) {
      throw InputError(place, fmt::format("all functions must have the abscissa of the first, which begins on line {}: "
                                          "{} values, here {}, or other values",
                                          first.line, first.abscissa.size(), function->abscissa.size()));
    }
  }
  return functions;
}

/// Turned so that sum phi^2 is real and positive: the largest real part that a factor of magnitude 1 can give.
void make_real(UniversalShape& shape) {
  if (shape.imaginary.empty()) return;
  std::complex<double> sum = 0.0;
  for (std::size_t k = 0; k < shape.values.size(); ++k) {
    const std::complex<double> value(shape.values[k], shape.imaginary[k]);
    sum += value * value;
  }
  const std::complex<double> turn = std::polar(1.0, -0.5 * std::arg(sum));
  for (std::size_t k = 0; k < shape.values.size(); ++k) {
    shape.values[k] = (turn * std::complex<double>(shape.values[k], shape.imaginary[k])).real();
  }
  shape.imaginary.clear();
}

std::string_view plural_of(char letter) {
  switch (letter) {
    case 'q':
      return "displacements";
    case 'v':
      return "velocities";
    case 'a':
      return "accelerations";
    default:
      return "forces";
  }
}

/// The column of a name as it is, with the letter, or, without one, with the only letter there is.
std::optional<std::string> column_name(const CsvTable& table, const std::string& name, char letter) {
  if (table.has(name)) return name;
  std::optional<std::string> found;
  for (const char each : letter == '\0' ? letters : std::string_view(&letter, 1)) {
    const std::string bracketed = fmt::format("{}[{}]", each, name);
    if (!table.has(bracketed)) continue;
    if (found) return std::nullopt;
    found = bracketed;
  }
  return found;
}

}  // namespace

CsvTable mat_table(std::string_view bytes, const std::string& file, const std::string& member) {
  return MatTable(parse_mat_arrays(bytes, file, member), file, member).table();
}

CsvTable universal_table(const UniversalFile& content, std::string_view kind) {
  const std::vector<const UniversalFunction*> functions = chosen(content, kind);
  const UniversalFunction& first = *functions.front();
  Builder builder;
  CsvTable& table = builder.table;
  table.file = content.file;
  table.header_line = first.line;
  table.lines.assign(first.abscissa.size(), first.line);
  builder.add(std::string(abscissa_name(first)), first.abscissa);
  table.units = {""};
  for (const UniversalFunction* function : functions) {
    const std::string name = function_name(*function);
    table.header_line = function->line;  // where a name that is there twice stands
    if (function->is_complex()) {
      builder.add(fmt::format("re[{}]", name), function->values);
      builder.add(fmt::format("im[{}]", name), function->imaginary);
    } else {
      builder.add(name, function->values);
    }
    table.units.resize(table.names.size(), function->unit);
  }
  table.header_line = first.line;
  return std::move(builder.table);
}

CsvTable universal_shape_table(const UniversalFile& content) {
  if (content.shapes.empty()) {
    throw InputError({content.file, 1, 1}, "the file holds no modes (datasets 55 and 2414)");
  }
  Builder builder;
  CsvTable& table = builder.table;
  table.file = content.file;
  table.header_line = content.shapes.front().line;
  const UniversalShape& first = content.shapes.front();
  const bool numbered = std::all_of(content.shapes.begin(), content.shapes.end(),
                                    [](const UniversalShape& shape) { return shape.mode > 0; });
  std::vector<double> modes, frequencies, ratios;
  std::vector<std::vector<double>> columns(first.values.size());
  for (const UniversalShape& shape : content.shapes) {
    if (shape.nodes != first.nodes || shape.values_a_node != first.values_a_node) {
      throw InputError({content.file, shape.line, 1},
                       fmt::format("all shapes must have the nodes of the first, which begins on line {}", first.line));
    }
    UniversalShape real = shape;
    make_real(real);
    table.lines.push_back(shape.line);
    modes.push_back(numbered ? shape.mode : static_cast<double>(modes.size() + 1));
    frequencies.push_back(shape.frequency_hz);
    ratios.push_back(shape.damping_ratio);
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(real.values[k]);
  }
  builder.add("mode", std::move(modes));
  if (std::any_of(frequencies.begin(), frequencies.end(), [](double value) { return value != 0.0; })) {
    builder.add("frequency_hz", std::move(frequencies));
    builder.add("zeta", std::move(ratios));
  }
  const auto each = static_cast<std::size_t>(first.values_a_node);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (std::all_of(columns[k].begin(), columns[k].end(), [](double value) { return value == 0.0; })) continue;
    const int direction = each == 1 ? 0 : static_cast<int>(k % each) + 1;
    builder.add(to_string(UniversalPoint{first.nodes[k / each], direction}), std::move(columns[k]));
  }
  return std::move(builder.table);
}

CsvTable read_data_table(const std::string& path_and_member, CsvGaps gaps) {
  const auto [path, member] = split_member(path_and_member);
  if (ends_in(path, {".mat"})) return MatTable(read_mat_arrays(path, member), path, member).table();
  const std::string bytes = read_text_file(path);
  if (looks_universal(bytes) || ends_in(path, {".unv", ".uff"})) {
    return universal_table(parse_universal_file(bytes, path), member);
  }
  return parse_csv_table(bytes, path, gaps);
}

CsvTable read_shape_table(const std::string& path_and_member) {
  const auto [path, member] = split_member(path_and_member);
  if (ends_in(path, {".mat"})) return read_data_table(path_and_member);
  const std::string bytes = read_text_file(path);
  if (looks_universal(bytes) || ends_in(path, {".unv", ".uff"})) {
    return universal_shape_table(parse_universal_file(bytes, path));
  }
  return parse_csv_table(bytes, path);
}

std::vector<double> data_column(const CsvTable& table, const std::string& name, char letter) {
  const FilePosition header{table.file, table.header_line, 1};
  const bool bracketed = name.size() > 3 && name[1] == '[' && name.back() == ']';
  if (letter != '\0' && bracketed && name[0] != letter && letters.find(name[0]) != std::string_view::npos) {
    throw InputError(header,
                     fmt::format("column {} holds {}, not {}", in_quotes(name), plural_of(name[0]), plural_of(letter)));
  }
  if (const auto found = column_name(table, name, letter)) return table.column(*found);
  const auto other = opposite_channel(name);
  if (other) {
    if (const auto found = column_name(table, *other, letter)) {
      std::vector<double> values = table.column(*found);
      for (double& value : values) value = -value;
      return values;
    }
  }
  for (const char each : letters) {
    for (const std::string& known : {name, other.value_or(name)}) {
      const std::string there = fmt::format("{}[{}]", each, known);
      if (letter == '\0' || !table.has(there)) continue;
      throw InputError(header,
                       fmt::format("column {} holds {}, not {}", in_quotes(there), plural_of(each), plural_of(letter)));
    }
  }
  return table.column(name);  // complains
}

}  // namespace microslip
