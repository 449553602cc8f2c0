#include "microslip/io/universal_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>

#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr int largest_int = std::numeric_limits<int>::max();
constexpr int most_values_a_node = 1000;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// "    -1", which begins and ends a dataset; an I10 field of -1 reaches further.
bool is_delimiter(std::string_view line) {
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line.size() <= 6 && trimmed(line) == "-1";
}

/// The length of the number that begins a text; 0 when none does. Numbers of Fortran may stand without a blank between
/// them, have D for E, or a sign alone before an exponent of three digits: -1.00000E+00-2.50000D-01 1.00000-101.
std::size_t number_length(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start;
  };
  const auto is_sign = [&] { return at < text.size() && (text[at] == '+' || text[at] == '-'); };
  if (is_sign()) ++at;
  std::size_t mantissa = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    mantissa += digits();
  }
  if (mantissa == 0) return 0;
  const std::size_t end = at;
  const bool letter = at < text.size() && std::string_view("EeDd").find(text[at]) != std::string_view::npos;
  if (letter) ++at;
  if (is_sign()) {
    ++at;
  } else if (!letter) {
    return end;
  }
  return digits() > 0 ? at : end;
}

/// A number of that length, from number_length.
std::optional<double> number_of(std::string_view text) {
  std::string plain;
  if (text.front() == '+') text.remove_prefix(1);
  plain.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool sign = c == '+' || c == '-';
    if (sign && i > 0 && plain.back() != 'e') plain += 'e';
    plain += c == 'E' || c == 'D' || c == 'd' ? 'e' : c;
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error == std::errc::result_out_of_range) value = std::strtod(plain.c_str(), nullptr);  // 1e-999 is 0
  if (error == std::errc::invalid_argument || end != plain.data() + plain.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<long long> integer_of(std::string_view text) {
  if (text.size() > 1 && text.front() == '+') text.remove_prefix(1);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Field {
  enum Type { integer, real, words } type;
  std::size_t width;
  std::size_t gap = 0;  ///< blank columns before it
};

/// Walks over lines and stretches of bytes.
class Cursor {
 public:
  Cursor(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(&file) {}

  [[nodiscard]] const std::string& file() const { return *file_; }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] InputError error(const std::string& what, std::size_t column = 0) const {
    return {{*file_, std::max(line_, 1), static_cast<int>(column) + 1}, what};
  }

  bool next() {
    if (at_ >= bytes_.size()) return false;
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    text_ = bytes_.substr(at_, end - at_);
    if (!text_.empty() && text_.back() == '\r') text_.remove_suffix(1);
    at_ = std::min(end + 1, bytes_.size());
    ++line_;
    return true;
  }
  /// Bytes after the line; nothing where there are fewer.
  std::optional<std::string_view> take(std::size_t count) {
    if (count > left()) return std::nullopt;
    const std::string_view result = bytes_.substr(at_, count);
    at_ += count;
    line_ += static_cast<int>(std::count(result.begin(), result.end(), '\n'));  // as an editor counts
    return result;
  }

 private:
  std::string_view bytes_;
  const std::string* file_;
  std::size_t at_ = 0;
  std::string_view text_;
  int line_ = 0;
};

class UniversalParser {
 public:
  UniversalParser(std::string_view bytes, const std::string& file) : cursor_(bytes, file) { content_.file = file; }

  UniversalFile parse() {
    bool any = false;
    while (cursor_.next()) {
      if (trimmed(cursor_.text()).empty()) continue;
      if (!is_delimiter(cursor_.text())) {
        throw cursor_.error(fmt::format("a dataset of a universal file begins with a line \"    -1\", got {}",
                                        in_quotes(cursor_.text())));
      }
      if (!cursor_.next()) break;  // a delimiter too many
      any = true;
      dataset();
    }
    if (!any) throw cursor_.error("the file holds no dataset: it must begin with a line \"    -1\"");
    return std::move(content_);
  }

 private:
  void dataset() {
    begin_ = cursor_.line();
    std::string_view number = trimmed(cursor_.text());
    number = number.substr(0, number.find_first_of(" \t"));
    name_ = std::string(number);
    const bool binary = !number.empty() && (number.back() == 'b' || number.back() == 'B');
    if (binary) number.remove_suffix(1);
    const auto id = integer_of(number);
    if (!id || *id < 0) {
      throw cursor_.error(
          fmt::format("the number of a dataset must follow \"    -1\", got {}", in_quotes(cursor_.text())));
    }
    if (*id == 58) return function(binary);
    if (binary) return skip_binary();
    if (*id == 15) return nodes_15();
    if (*id == 2411) return nodes_2411();
    if (*id == 55) return shape_55();
    if (*id == 2414) return shape_2414();
    skip();
  }

  [[nodiscard]] std::string here() const { return fmt::format("dataset {} that begins on line {}", name_, begin_); }

  void need_line() {
    if (!cursor_.next()) throw cursor_.error(fmt::format("the file ends inside {}", here()));
  }

  /// The next line of a dataset, not its end.
  void need_record(std::string_view what) {
    need_line();
    if (is_delimiter(cursor_.text())) throw cursor_.error(fmt::format("{} ends before {}", here(), what));
  }

  /// To the line behind the dataset.
  void skip() {
    while (true) {
      need_line();
      if (is_delimiter(cursor_.text())) return;
    }
  }

  void need_end() {
    do {
      need_line();
    } while (trimmed(cursor_.text()).empty());
    if (!is_delimiter(cursor_.text())) {
      throw cursor_.error(
          fmt::format("{} must end here with a line \"    -1\", got {}", here(), in_quotes(cursor_.text())));
    }
  }

  /// Fields of fixed width, as the definition has them, or, where these are no numbers, pieces between blanks. Numbers
  /// that are missing or blank are 0.
  std::vector<double> fields(std::initializer_list<Field> layout, std::string_view what) const {
    std::vector<double> values;
    if (fixed_fields(layout, values)) return values;
    values.clear();
    std::string_view rest = cursor_.text();
    for (const Field& field : layout) {
      rest = trimmed(rest);
      const std::string_view piece = rest.substr(0, rest.find_first_of(" \t"));
      const auto column = static_cast<std::size_t>(piece.data() - cursor_.text().data());
      rest.remove_prefix(piece.size());
      if (field.type == Field::words) continue;
      if (piece.empty()) {
        throw cursor_.error(fmt::format("{} has too few numbers: {}", what, in_quotes(cursor_.text())));
      }
      const auto value = number_in(field, piece);
      if (!value) {
        throw cursor_.error(fmt::format("{} must have {} here, got {}", what,
                                        field.type == Field::integer ? "an integer" : "a number", in_quotes(piece)),
                            column);
      }
      values.push_back(*value);
    }
    return values;
  }

  static std::optional<double> number_in(const Field& field, std::string_view piece) {
    if (field.type == Field::integer) {
      const auto value = integer_of(piece);
      if (!value || std::abs(*value) > largest_int) return std::nullopt;
      return static_cast<double>(*value);
    }
    return !piece.empty() && number_length(piece) == piece.size() ? number_of(piece) : std::nullopt;
  }

  bool fixed_fields(std::initializer_list<Field> layout, std::vector<double>& values) const {
    std::string_view rest = cursor_.text();
    const auto cut = [&](std::size_t count) {
      const std::string_view piece = rest.substr(0, count);
      rest.remove_prefix(piece.size());
      return piece;
    };
    for (const Field& field : layout) {
      if (field.type != Field::words && !trimmed(cut(field.gap)).empty()) return false;
      if (field.type == Field::words) cut(field.gap);
      const std::string_view piece = trimmed(cut(field.width));
      if (field.type == Field::words) continue;
      if (piece.empty()) {
        values.push_back(0.0);
        continue;
      }
      const auto value = number_in(field, piece);
      if (!value) return false;
      values.push_back(*value);
    }
    // A number that goes on behind its field means that the fields are others.
    return rest.empty() || is_blank(rest.front()) || layout.end()[-1].type == Field::words;
  }

  int integer_field(std::string_view what) { return static_cast<int>(fields({{Field::integer, 10}}, what)[0]); }

  /// `count` numbers from as many lines as they take.
  std::vector<double> numbers(std::size_t count, std::string_view what) {
    if (count > cursor_.left() / 2 + 1) {  // "1\n"
      throw cursor_.error(fmt::format("{} announces {} values, more than the {} bytes that follow can hold", what,
                                      count, cursor_.left()));
    }
    std::vector<double> values;
    values.reserve(count);
    while (values.size() < count) {
      need_line();
      if (is_delimiter(cursor_.text())) {
        throw cursor_.error(fmt::format("{} ends after {} of {} values", here(), values.size(), count));
      }
      const std::string_view line = cursor_.text();
      std::size_t at = 0;
      while (true) {
        while (at < line.size() && is_blank(line[at])) ++at;
        if (at == line.size()) break;
        if (values.size() == count) {
          throw cursor_.error(fmt::format("{} has more values than the {} that it announces", here(), count), at);
        }
        const std::size_t length = number_length(line.substr(at));
        const auto value = length > 0 ? number_of(line.substr(at, length)) : std::nullopt;
        if (!value) {
          const std::string_view rest = line.substr(at);
          throw cursor_.error(fmt::format("a value must be a finite number, got {}",
                                          in_quotes(rest.substr(0, rest.find_first_of(" \t")))),
                              at);
        }
        values.push_back(*value);
        at += length;
      }
    }
    return values;
  }

  static double value_of(std::string_view data, std::size_t at, std::size_t size, bool big) {
    std::array<char, 8> raw{};
    std::memcpy(raw.data(), data.data() + at, size);
    if (big) std::reverse(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(size));
    if (size == 8) return std::bit_cast<double>(raw);
    std::array<char, 4> half{};
    std::copy_n(raw.begin(), 4, half.begin());
    return static_cast<double>(std::bit_cast<float>(half));
  }

  struct BinaryHeader {
    bool big = false;
    int lines = 0;  ///< of text before the bytes
    std::size_t bytes = 0;
  };

  /// "    58b     1     2          11        4096     0     0           0           0"
  BinaryHeader binary_header() const {
    const std::vector<double> header = fields(
        {{Field::words, 7}, {Field::integer, 6}, {Field::integer, 6}, {Field::integer, 12}, {Field::integer, 12}},
        "the first line of a binary dataset");
    if (header[0] != 1.0 && header[0] != 2.0) {
      throw cursor_.error(fmt::format("the byte order must be 1 (little) or 2 (big), got {}", header[0]));
    }
    if (header[1] != 2.0) {
      throw cursor_.error(fmt::format("the floating-point format must be 2 (IEEE 754), got {}", header[1]));
    }
    if (header[3] < 0.0) throw cursor_.error(fmt::format("the number of bytes must be 0 or more, got {}", header[3]));
    return {header[0] == 2.0, static_cast<int>(header[2]), static_cast<std::size_t>(header[3])};
  }

  void skip_binary() {
    const BinaryHeader header = binary_header();
    for (int i = 0; i < header.lines; ++i) need_line();
    take_bytes(header.bytes);
    skip();
  }

  std::string_view take_bytes(std::size_t count) {
    const std::size_t left = cursor_.left();
    const auto data = cursor_.take(count);
    if (!data) throw cursor_.error(fmt::format("{} announces {} bytes, {} are left", here(), count, left));
    return *data;
  }

  UniversalKind kind_field(std::string_view what) {
    need_record(what);
    return static_cast<UniversalKind>(integer_field(what));
  }

  /// Behind kind, exponents and the name of the axis.
  [[nodiscard]] std::string unit_label() const {
    constexpr std::size_t from = 47, length = 20;
    const std::string_view record = cursor_.text();
    if (record.size() <= from) return "";
    const std::string_view label = trimmed(record.substr(from, length));
    const bool readable = std::all_of(label.begin(), label.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return readable ? std::string(label) : "";
  }

  [[nodiscard]] UniversalPoint point(double node, double direction) const {
    if (std::abs(direction) > 99.0) {
      throw cursor_.error(fmt::format("a direction must be from -6 to 6, got {}", direction));
    }
    return {node_label(node), static_cast<int>(direction)};
  }
  [[nodiscard]] int node_label(double node) const {
    if (node < 0.0) throw cursor_.error(fmt::format("the number of a node must be 0 or more, got {}", node));
    return static_cast<int>(node);
  }

  void function(bool binary) {
    UniversalFunction result;
    result.line = begin_;
    const BinaryHeader header = binary ? binary_header() : BinaryHeader{};
    for (int i = 0; i < 5; ++i) need_line();  // in words, and may be "-1"
    need_record("its record 6");
    const std::vector<double> place = fields({{Field::integer, 5},
                                              {Field::integer, 10},
                                              {Field::integer, 5},
                                              {Field::integer, 10},
                                              {Field::words, 10, 1},
                                              {Field::integer, 10},
                                              {Field::integer, 4},
                                              {Field::words, 10, 1},
                                              {Field::integer, 10},
                                              {Field::integer, 4}},
                                             "record 6 of dataset 58");
    if (place[0] < 0.0 || place[0] > 9999.0) {
      throw cursor_.error(fmt::format("the type of a function must be from 0 to 27, got {}", place[0]));
    }
    result.type = static_cast<int>(place[0]);
    result.response = point(place[4], place[5]);
    result.reference = point(place[6], place[7]);
    need_record("its record 7");
    const std::vector<double> form = fields({{Field::integer, 10},
                                             {Field::integer, 10},
                                             {Field::integer, 10},
                                             {Field::real, 13},
                                             {Field::real, 13},
                                             {Field::real, 13}},
                                            "record 7 of dataset 58");
    const int type = static_cast<int>(form[0]);
    const int form_line = cursor_.line();
    if (type != 2 && type != 4 && type != 5 && type != 6) {
      throw cursor_.error(
          fmt::format("the data type of dataset 58 must be 2, 4 (real), 5 or 6 (complex), got {}", type));
    }
    const bool is_complex = type >= 5;
    const bool is_double = type == 4 || type == 6;
    if (form[1] < 1.0) throw cursor_.error(fmt::format("dataset 58 must have 1 value or more, got {}", form[1]), 10);
    const auto count = static_cast<std::size_t>(form[1]);
    if (form[2] != 0.0 && form[2] != 1.0) {
      throw cursor_.error(fmt::format("the spacing must be 0 (uneven) or 1 (even), got {}", form[2]), 20);
    }
    const bool even = form[2] == 1.0;
    if (even && !(form[4] > 0.0) && count > 1) {
      throw cursor_.error(fmt::format("the increment of an even spacing must be > 0, got {}", form[4]), 43);
    }
    result.abscissa_kind = kind_field("its record 8");
    result.ordinate_kind = kind_field("its record 9");
    result.unit = unit_label();
    result.denominator_kind = kind_field("its record 10");
    need_record("its record 11");
    const std::size_t each = (even ? 0U : 1U) + (is_complex ? 2U : 1U);
    const std::vector<double> values =
        binary ? binary_values(header, count, each, is_double, even) : numbers(count * each, "dataset 58");
    result.abscissa.reserve(count);
    result.values.reserve(count);
    if (is_complex) result.imaginary.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double* value = values.data() + i * each;
      result.abscissa.push_back(even ? form[3] + form[4] * static_cast<double>(i) : *value++);
      if (!std::isfinite(result.abscissa.back())) {
        throw InputError({cursor_.file(), form_line, 1}, "the abscissa must be finite");
      }
      result.values.push_back(value[0]);
      if (is_complex) result.imaginary.push_back(value[1]);
    }
    need_end();
    content_.functions.push_back(std::move(result));
  }

  /// `count` times `each` values. Abscissas of double values are doubles or, in the manner of the text form, singles;
  /// the number of bytes tells.
  std::vector<double> binary_values(const BinaryHeader& header, std::size_t count, std::size_t each, bool is_double,
                                    bool even) {
    const int at_line = cursor_.line();
    const std::string_view data = take_bytes(header.bytes);
    const std::size_t size = is_double ? 8 : 4;
    const bool short_abscissa = is_double && !even && data.size() / count == (each - 1) * size + 4 &&
                                data.size() == count * ((each - 1) * size + 4);
    const std::size_t needed = count * (short_abscissa ? (each - 1) * size + 4 : each * size);
    if (data.size() < needed) {
      throw InputError({cursor_.file(), at_line, 1},
                       fmt::format("{} must have {} bytes of values, it announces {}", here(), needed, data.size()));
    }
    std::vector<double> values;
    values.reserve(count * each);
    std::size_t at = 0;
    for (std::size_t i = 0; i < count * each; ++i) {
      const std::size_t width = short_abscissa && i % each == 0 ? 4 : size;
      values.push_back(value_of(data, at, width, header.big));
      if (!std::isfinite(values.back())) {
        throw InputError({cursor_.file(), at_line, 1},
                         fmt::format("{}: value {} must be finite, got {}", here(), i / each + 1, values.back()));
      }
      at += width;
    }
    return values;
  }

  void nodes_15() {
    while (true) {
      need_line();
      if (is_delimiter(cursor_.text())) return;
      const std::vector<double> record = fields({{Field::integer, 10},
                                                 {Field::integer, 10},
                                                 {Field::integer, 10},
                                                 {Field::integer, 10},
                                                 {Field::real, 13},
                                                 {Field::real, 13},
                                                 {Field::real, 13}},
                                                "a node of dataset 15");
      content_.nodes.push_back({node_label(record[0]), {record[4], record[5], record[6]}});
    }
  }

  void nodes_2411() {
    while (true) {
      need_line();
      if (is_delimiter(cursor_.text())) return;
      const int label = node_label(integer_field("a node of dataset 2411"));
      const std::vector<double> place = numbers(3, "a node of dataset 2411");
      content_.nodes.push_back({label, {place[0], place[1], place[2]}});
    }
  }

  struct Form {
    int analysis = 0;
    bool is_complex = false;
    int values_a_node = 0;
    [[nodiscard]] bool is_mode() const { return analysis == 2 || analysis == 3 || analysis == 7; }
  };

  /// Record 6 of dataset 55 and 9 of 2414.
  Form form_record() {
    need_record("its form");
    const std::vector<double> record = fields({{Field::integer, 10},
                                               {Field::integer, 10},
                                               {Field::integer, 10},
                                               {Field::integer, 10},
                                               {Field::integer, 10},
                                               {Field::integer, 10}},
                                              "the form of a shape");
    Form form;
    form.analysis = static_cast<int>(record[1]);
    const int type = static_cast<int>(record[4]);
    form.is_complex = type == 5 || type == 6;
    form.values_a_node = static_cast<int>(record[5]);
    if (form.is_mode() && type != 2 && type != 4 && !form.is_complex) {
      throw cursor_.error(fmt::format("the data type of a shape must be 2, 4 (real), 5 or 6 (complex), got {}", type),
                          40);
    }
    if (form.is_mode() && (form.values_a_node < 1 || form.values_a_node > most_values_a_node)) {
      throw cursor_.error(
          fmt::format("a shape must have 1 to {} values a node, got {}", most_values_a_node, form.values_a_node), 50);
    }
    return form;
  }

  /// Node and values, until the dataset ends.
  void shape_values(UniversalShape& shape, const Form& form) {
    shape.values_a_node = form.values_a_node;
    const auto each = static_cast<std::size_t>(form.values_a_node);
    while (true) {
      need_line();
      if (is_delimiter(cursor_.text())) break;
      if (trimmed(cursor_.text()).empty()) continue;
      shape.nodes.push_back(node_label(integer_field("a node of a shape")));
      const std::vector<double> values = numbers(each * (form.is_complex ? 2 : 1), "a node of a shape");
      for (std::size_t k = 0; k < each; ++k) {
        shape.values.push_back(values[form.is_complex ? 2 * k : k]);
        if (form.is_complex) shape.imaginary.push_back(values[2 * k + 1]);
      }
    }
    if (shape.nodes.empty()) throw cursor_.error(fmt::format("{} holds no nodes", here()));
    content_.shapes.push_back(std::move(shape));
  }

  void shape_55() {
    UniversalShape shape;
    shape.line = begin_;
    for (int i = 0; i < 5; ++i) need_line();
    const Form form = form_record();
    if (!form.is_mode()) return skip();
    need_record("its record 7");
    const std::vector<double> sizes =
        fields({{Field::integer, 10}, {Field::integer, 10}, {Field::integer, 10}, {Field::integer, 10}},
               "record 7 of dataset 55");
    const auto integers = static_cast<int>(sizes[0]), reals = static_cast<int>(sizes[1]);
    if (integers < 2 || integers > 100 || reals < 0 || reals > 100) {
      throw cursor_.error(
          fmt::format("record 7 of dataset 55 must announce 2 integers or more and up to 100 numbers, got {} and {}",
                      integers, reals));
    }
    shape.mode = std::max(0, static_cast<int>(sizes[3]));
    for (int read = 8; read < integers + 2; read += 8) need_record("its record 7");  // eight a line
    const std::vector<double> facts = numbers(static_cast<std::size_t>(reals), "record 8 of dataset 55");
    if (form.analysis == 2) {
      if (reals > 0) shape.frequency_hz = facts[0];
      if (reals > 2) shape.damping_ratio = facts[2];
    } else if (reals > 1) {
      eigenvalue(shape, facts[0], facts[1]);
    }
    shape_values(shape, form);
  }

  /// lambda = omega (-zeta + i sqrt(1 - zeta^2)).
  static void eigenvalue(UniversalShape& shape, double real, double imaginary) {
    const double omega = std::hypot(real, imaginary);
    shape.frequency_hz = omega / (2.0 * std::numbers::pi);
    shape.damping_ratio = omega > 0.0 ? -real / omega : 0.0;
  }

  void shape_2414() {
    UniversalShape shape;
    shape.line = begin_;
    need_record("its record 1");
    need_line();
    need_record("its record 3");
    const int location = integer_field("record 3 of dataset 2414");
    for (int i = 0; i < 5; ++i) need_line();
    const Form form = form_record();
    if (!form.is_mode() || location != 1) return skip();  // 1: at nodes
    need_record("its record 10");
    const std::vector<double> numbers_10 = fields({{Field::integer, 10},
                                                   {Field::integer, 10},
                                                   {Field::integer, 10},
                                                   {Field::integer, 10},
                                                   {Field::integer, 10},
                                                   {Field::integer, 10}},
                                                  "record 10 of dataset 2414");
    shape.mode = std::max(0, static_cast<int>(numbers_10[5]));
    need_record("its record 11");
    const std::vector<double> facts = numbers(12, "records 12 and 13 of dataset 2414");
    if (form.analysis == 2) {
      shape.frequency_hz = facts[1];
      shape.damping_ratio = facts[4];
    } else {
      eigenvalue(shape, facts[6], facts[7]);
    }
    shape_values(shape, form);
  }

  Cursor cursor_;
  UniversalFile content_;
  std::string name_;  ///< of the dataset
  int begin_ = 0;
};

}  // namespace

std::string to_string(const UniversalPoint& point) {
  constexpr std::array<std::string_view, 6> names = {"x", "y", "z", "rx", "ry", "rz"};
  if (point.direction == 0) return fmt::format("{}", point.node);
  const int size = std::abs(point.direction);
  const char* sign = point.direction < 0 ? "-" : "";
  if (size > 6) return fmt::format("{}.{}{}", point.node, sign, size);
  return fmt::format("{}.{}{}", point.node, sign, names[static_cast<std::size_t>(size - 1)]);
}

bool looks_universal(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    if (is_delimiter(line)) return true;
    if (!trimmed(line).empty()) return false;
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return false;
}

UniversalFile parse_universal_file(std::string_view bytes, const std::string& file) {
  return UniversalParser(bytes, file).parse();
}

UniversalFile read_universal_file(const std::string& path) {
  constexpr std::size_t limit = std::size_t{1} << 33U;
  return parse_universal_file(read_text_file(path, limit), path);
}

}  // namespace microslip
