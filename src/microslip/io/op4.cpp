#include "microslip/io/op4.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "microslip/io/fixed_fields.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr int first_bigmat_rows = 65536;

struct Op4Header {
  std::string name;
  long long columns = 0;
  long long rows = 0;  ///< as written: negative for BIGMAT
  int form = 0;
  int type = 0;

  [[nodiscard]] bool bigmat() const { return rows < 0 || rows >= first_bigmat_rows; }
  [[nodiscard]] bool complex() const { return type > 2; }
  [[nodiscard]] bool single() const { return type % 2 == 1; }
};

std::string matrix_name(std::string_view field) {
  std::string name;
  for (const char c : field) {
    if (c != ' ' && c != '\0') name += c;
  }
  return name;
}

/// What is wrong with the numbers of a header; empty when nothing is.
std::string header_fault(const Op4Header& header) {
  if (header.columns < 1 || header.columns > largest_matrix_size) {
    return fmt::format("the number of columns must be from 1 to {}, got {}", largest_matrix_size, header.columns);
  }
  if (header.rows == 0 || header.rows > largest_matrix_size || header.rows < -largest_matrix_size) {
    return fmt::format("the number of rows must be from 1 to {}, got {}", largest_matrix_size, header.rows);
  }
  if (header.type < 1 || header.type > 4) {
    return fmt::format("the type must be 1 or 2 (real; 3 and 4 are complex), got {}", header.type);
  }
  return "";
}

/// Takes the matrices of a file one after the other and keeps the one that is asked for.
class Collector {
 public:
  Collector(const std::string& file, const std::string& name) : file_(file), name_(name) {}

  /// The matrix to fill, or nullptr when it is not the one. `fail` makes an error at the header.
  template <class Fail>
  MatrixFile* begin(const Op4Header& header, int line, const Fail& fail) {
    names_.push_back(header.name);
    if (name_.empty() ? names_.size() > 1 : lower_case(header.name) != lower_case(name_) || found_) return nullptr;
    if (header.complex()) throw fail(fmt::format("matrix {} is complex; only real ones are read", header.name));
    if (header.form != 1 && header.form != 2 && header.form != 6) {
      throw fail(fmt::format("matrix {} must have the form 1, 2 or 6 (square, rectangular, symmetric), got {}",
                             header.name, header.form));
    }
    found_ = true;
    symmetric_ = header.form == 6;
    matrix_.file = file_;
    matrix_.rows = static_cast<int>(std::llabs(header.rows));
    matrix_.columns = static_cast<int>(header.columns);
    matrix_.size_line = line;
    return &matrix_;
  }

  MatrixFile finish() {
    const std::string list = fmt::format("{}", fmt::join(names_, ", "));
    if (names_.empty()) throw InputError({file_, 0, 0}, "holds no matrix");
    if (!found_) {
      throw InputError({file_, 0, 0}, fmt::format("holds no matrix {}; it has {}", in_quotes(name_), list));
    }
    if (name_.empty() && names_.size() > 1) {
      throw InputError({file_, 0, 0}, fmt::format("holds several matrices: write one of {} behind a colon", list));
    }
    sort_entries(matrix_);
    if (symmetric_ && matrix_.rows == matrix_.columns) mirror_entries(matrix_, Half::triangle);
    return std::move(matrix_);
  }

 private:
  std::string file_;
  std::string name_;
  std::vector<std::string> names_;
  MatrixFile matrix_;
  bool found_ = false;
  bool symmetric_ = false;
};

class TextParser {
 public:
  TextParser(std::string_view text, std::string file, const std::string& name)
      : lines_(text), file_(std::move(file)), collector_(file_, name) {}

  MatrixFile parse() {
    more_ = lines_.next();
    while (skip_blank_lines()) parse_matrix();
    return collector_.finish();
  }

 private:
  struct NumberFormat {
    std::size_t per_line = 5;
    std::size_t width = 16;
    bool wide = false;  ///< sizes of 16 columns
  };

  [[nodiscard]] InputError fail(const std::string& message) const {
    return {{file_, std::max(1, lines_.number()), 1}, message};
  }
  [[nodiscard]] Token field(std::size_t start, std::size_t width) const {
    return fixed_field(lines_.line(), lines_.number(), start, width);
  }
  [[nodiscard]] long long integer(std::size_t start, std::size_t width, std::string_view what, long long low,
                                  long long high) const {
    return parse_integer(field(start, width), file_, what, low, high);
  }
  void need_line(const char* what) const {
    if (!more_) throw fail(fmt::format("the file ends where {} should follow", what));
  }
  void advance() { more_ = lines_.next(); }

  bool skip_blank_lines() {
    while (more_ && lines_.blank()) advance();
    return more_;
  }

  /// "1P,3E23.16|I16": numbers a line, columns a number.
  NumberFormat number_format(std::string_view text, std::size_t column) const {
    NumberFormat result;
    std::string format = lower_case(text);
    if (format.empty()) return result;
    const auto wrong = [&] {
      return InputError({file_, lines_.number(), static_cast<int>(column) + 1},
                        fmt::format("the format must be like \"1P,3E23.16\", got {}", in_quotes(text)));
    };
    const std::size_t bar = format.find('|');
    if (bar != std::string::npos) {
      if (format.substr(bar) != "|i16") throw wrong();
      result.wide = true;
      format.resize(bar);
    }
    if (format.starts_with("1p")) format.erase(0, format.starts_with("1p,") ? 3 : 2);
    const std::size_t letter = format.find_first_of("ed");
    const std::size_t dot = format.find('.');
    if (letter == std::string::npos || dot == std::string::npos || dot < letter) throw wrong();
    const auto number = [&](std::size_t first, std::size_t last) -> std::size_t {
      if (first == last) return 1;
      std::size_t value = 0;
      for (std::size_t k = first; k < last; ++k) {
        if (format[k] < '0' || format[k] > '9' || value > 100) throw wrong();
        value = 10 * value + static_cast<std::size_t>(format[k] - '0');
      }
      if (value == 0 || value > 200) throw wrong();
      return value;
    };
    result.per_line = number(0, letter);
    result.width = number(letter + 1, dot);
    return result;
  }

  Op4Header parse_header(NumberFormat& format) const {
    const bool wide = lines_.line().size() > 16 && lower_case(lines_.line()).ends_with("|i16");
    const std::size_t size = wide ? 16 : 8;
    Op4Header header;
    header.columns = integer(0, size, "the number of columns", 1, largest_matrix_size);
    header.rows = integer(size, size, "the number of rows", -largest_matrix_size, largest_matrix_size);
    header.form = static_cast<int>(integer(2 * size, 8, "the form", -100, 100));
    header.type = static_cast<int>(integer(2 * size + 8, 8, "the type", -100, 100));
    header.name = matrix_name(field(2 * size + 16, 8).text);
    const std::string fault = header_fault(header);
    if (!fault.empty()) throw fail(fault);
    if (header.name.empty()) throw fail("the matrix has no name");
    const Token rest = field(2 * size + 24, lines_.line().size());
    format = number_format(rest.text, static_cast<std::size_t>(rest.column) - 1);
    return header;
  }

  void parse_matrix() {
    NumberFormat format;
    const Op4Header header = parse_header(format);
    MatrixFile* matrix =
        collector_.begin(header, lines_.number(), [this](const std::string& message) { return fail(message); });
    const long long rows = std::llabs(header.rows);
    advance();
    while (true) {
      need_line("a column");
      const long long column = integer(0, 8, "the column", 1, header.columns + 1);
      const long long row = integer(8, 8, "the first row", 0, rows);
      const long long words = integer(16, 8, "the number of words", 0, largest_matrix_size);
      advance();
      if (column > header.columns) {
        if (words > 0) read_values(nullptr, header, column, 1, words, format);
        return;
      }
      if (row > 0) {
        read_dense(matrix, header, column, row, words, format);
      } else {
        read_strings(matrix, header, column, words, format);
      }
    }
  }

  void read_strings(MatrixFile* matrix, const Op4Header& header, long long column, long long words,
                    const NumberFormat& format) {
    const int words_a_value = header.single() ? 1 : 2;
    while (words > 0) {
      need_line("a string of values");
      long long length = 0;  // words of the string
      long long row = 0;
      if (header.bigmat()) {
        length = integer(0, 8, "the length of the string", 2, largest_matrix_size) - 1;
        row = integer(8, 8, "the row of the string", 1, std::llabs(header.rows));
        words -= 2;
      } else {
        const Token token = field(0, lines_.line().size());
        const long long packed =
            parse_integer(token, file_, "the string's row + 65536 (length + 1)", 1, largest_matrix_size);
        length = packed / first_bigmat_rows - 1;
        row = packed % first_bigmat_rows;
        if (length < 1 || row < 1 || row > header.rows) {
          throw fail(fmt::format("the string {} means row {} and {} words, which cannot be", packed, row, length));
        }
        words -= 1;
      }
      if (length % words_a_value != 0) {
        throw fail(
            fmt::format("a string of double-precision values must have an even number of words, got {}", length));
      }
      words -= length;
      if (words < 0) throw fail("the strings of the column have more words than its first line says");
      advance();
      read_values(matrix, header, column, row, length / words_a_value, format);
    }
  }

  /// Values down a column from `row` on.
  void read_values(MatrixFile* matrix, const Op4Header& header, long long column, long long row, long long count,
                   const NumberFormat& format) {
    for (long long read = 0; read < count;) {
      need_line("a value");
      for (std::size_t k = 0; k < format.per_line && read < count; ++k, ++read) {
        add(matrix, header, column, row + read, field(k * format.width, format.width));
      }
      advance();
    }
  }

  /// Nastran counts the values of a dense column; other programs count words, two for a double.
  void read_dense(MatrixFile* matrix, const Op4Header& header, long long column, long long row, long long count,
                  const NumberFormat& format) {
    long long read = 0;
    while (read < count) {
      need_line("a value");
      if (lines_.line().find('.') == std::string_view::npos) break;
      for (std::size_t k = 0; k < format.per_line && read < count; ++k, ++read) {
        const Token token = field(k * format.width, format.width);
        if (token.text.empty()) break;
        add(matrix, header, column, row + read, token);
      }
      advance();
    }
    if (read != count && (header.single() || 2 * read != count)) {
      throw fail(fmt::format("column {} must have {} values, got {}", column, count, read));
    }
  }

  void add(MatrixFile* matrix, const Op4Header& header, long long column, long long row, const Token& token) const {
    if (matrix == nullptr) return;
    const double value = parse_fortran_number(token, file_, "a value");
    if (row > std::llabs(header.rows)) {
      throw InputError({file_, token.line, token.column},
                       fmt::format("column {} has values below the last row, {}", column, std::llabs(header.rows)));
    }
    if (value == 0.0) return;
    matrix->entries.push_back(
        {static_cast<int>(row) - 1, static_cast<int>(column) - 1, value, token.line, token.column, false});
  }

  LineReader lines_;
  std::string file_;
  Collector collector_;
  bool more_ = false;
};

/// Numbers of a given byte order; Word is the size of integers and single-precision values.
class BinaryParser {
 public:
  BinaryParser(std::string_view bytes, std::string file, const std::string& name, bool little, std::size_t word)
      : bytes_(bytes), file_(std::move(file)), collector_(file_, name), little_(little), word_(word) {}

  MatrixFile parse() {
    while (next_record()) parse_matrix();
    return collector_.finish();
  }

 private:
  [[nodiscard]] InputError fail(const std::string& message) const {
    return {{file_, 0, 0}, fmt::format("record {} (byte {}): {}", record_number_, record_start_, message)};
  }

  template <class Unsigned>
  [[nodiscard]] Unsigned bits(std::size_t at) const {
    Unsigned value = 0;
    for (std::size_t k = 0; k < sizeof(Unsigned); ++k) {
      const auto byte = static_cast<unsigned char>(bytes_[at + (little_ ? sizeof(Unsigned) - 1 - k : k)]);
      value = static_cast<Unsigned>(value << 8U) | byte;
    }
    return value;
  }

  [[nodiscard]] long long marker(std::size_t at) const { return static_cast<std::int32_t>(bits<std::uint32_t>(at)); }
  [[nodiscard]] long long integer(std::size_t at) const {
    return word_ == 4 ? static_cast<std::int32_t>(bits<std::uint32_t>(at))
                      : static_cast<std::int64_t>(bits<std::uint64_t>(at));
  }
  [[nodiscard]] double real(std::size_t at, std::size_t size) const {
    return size == 4 ? static_cast<double>(std::bit_cast<float>(bits<std::uint32_t>(at)))
                     : std::bit_cast<double>(bits<std::uint64_t>(at));
  }

  /// Goes to the next record: begin_ .. end_ are its bytes. False at the end of the file.
  bool next_record() {
    record_start_ = next_;
    if (next_ == bytes_.size()) return false;
    ++record_number_;
    if (bytes_.size() - next_ < 8) throw fail("the file ends inside of a record");
    const long long length = marker(next_);
    if (length < 0 || static_cast<std::size_t>(length) > bytes_.size() - next_ - 8) {
      throw fail(fmt::format("the record claims {} bytes, the file has {} more", length, bytes_.size() - next_ - 8));
    }
    begin_ = next_ + 4;
    end_ = begin_ + static_cast<std::size_t>(length);
    if (marker(end_) != length) {
      throw fail(fmt::format("the record starts with the length {} and ends with {}", length, marker(end_)));
    }
    next_ = end_ + 4;
    return true;
  }

  void parse_matrix() {
    if (end_ - begin_ != 6 * word_) {
      throw fail(fmt::format("the header of a matrix must have {} bytes, got {}", 6 * word_, end_ - begin_));
    }
    Op4Header header;
    header.columns = integer(begin_);
    header.rows = integer(begin_ + word_);
    const long long form = integer(begin_ + 2 * word_);
    const long long type = integer(begin_ + 3 * word_);
    header.form = static_cast<int>(std::clamp(form, -1LL, 100LL));
    header.type = static_cast<int>(std::clamp(type, -1LL, 100LL));
    header.name = matrix_name(bytes_.substr(begin_ + 4 * word_, 2 * word_));
    const std::string fault = header_fault(header);
    if (!fault.empty()) throw fail(fault);
    if (!std::all_of(header.name.begin(), header.name.end(), [](char c) { return c > ' ' && c < '\x7f'; }) ||
        header.name.empty()) {
      throw fail(fmt::format("the matrix has no proper name: {}", in_quotes(header.name)));
    }
    MatrixFile* matrix = collector_.begin(header, 0, [this](const std::string& message) { return fail(message); });
    while (true) {
      if (!next_record()) {
        ++record_number_;
        throw fail(fmt::format("the file ends before the last column of {}", header.name));
      }
      if (end_ - begin_ < 3 * word_) throw fail("a column must start with three integers");
      const long long column = integer(begin_);
      const long long row = integer(begin_ + word_);
      const long long words = integer(begin_ + 2 * word_);
      if (column < 1 || column > header.columns + 1) {
        throw fail(fmt::format("the column must be from 1 to {}, got {}", header.columns + 1, column));
      }
      if (column > header.columns) return;
      const std::size_t room = (end_ - begin_) / word_ - 3;
      if (words < 0 || static_cast<std::size_t>(words) > room) {
        throw fail(fmt::format("column {} claims {} words, its record has {}", column, words, room));
      }
      if (row < 0 || row > std::llabs(header.rows)) {
        throw fail(fmt::format("the first row must be from 0 to {}, got {}", std::llabs(header.rows), row));
      }
      const std::size_t start = begin_ + 3 * word_;
      if (row > 0) {
        read_values(matrix, header, column, row, words, start);
      } else {
        read_strings(matrix, header, column, words, start);
      }
    }
  }

  void read_strings(MatrixFile* matrix, const Op4Header& header, long long column, long long words,
                    std::size_t at) const {
    const long long head = header.bigmat() ? 2 : 1;
    while (words > 0) {
      if (words < head) throw fail("a string of values is cut off");
      const long long first = integer(at);
      long long length = 0;
      long long row = 0;
      if (header.bigmat()) {
        length = first - 1;
        row = integer(at + word_);
      } else {
        length = first / first_bigmat_rows - 1;
        row = first % first_bigmat_rows;
      }
      at += static_cast<std::size_t>(head) * word_;
      words -= head;
      if (length < 1 || length > words || row < 1 || row > std::llabs(header.rows)) {
        throw fail(fmt::format("column {} has a string of {} words from row {}, which cannot be", column, length, row));
      }
      read_values(matrix, header, column, row, length, at);
      at += static_cast<std::size_t>(length) * word_;
      words -= length;
    }
  }

  void read_values(MatrixFile* matrix, const Op4Header& header, long long column, long long row, long long words,
                   std::size_t at) const {
    if (matrix == nullptr) return;
    const std::size_t size = header.single() ? word_ : 8;
    const auto words_a_value = static_cast<long long>(size / word_);
    if (words % words_a_value != 0) {
      throw fail(fmt::format("double-precision values must have an even number of words, got {}", words));
    }
    const long long count = words / words_a_value;
    if (count > matrix->rows - row + 1) {
      throw fail(fmt::format("column {} has values below the last row, {}", column, matrix->rows));
    }
    for (long long k = 0; k < count; ++k, at += size) {
      const double value = real(at, size);
      if (!std::isfinite(value)) {
        throw fail(fmt::format("entry ({},{}) must be finite, got {}", row + k, column, value));
      }
      if (value == 0.0) continue;
      matrix->entries.push_back({static_cast<int>(row + k) - 1, static_cast<int>(column) - 1, value, 0, 0, false});
    }
  }

  std::string_view bytes_;
  std::string file_;
  Collector collector_;
  bool little_;
  std::size_t word_;
  std::size_t next_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t record_start_ = 0;
  int record_number_ = 0;
};

/// The words of one record, or the lines of one, in the encoding asked for.
class Writer {
 public:
  explicit Writer(const Op4Options& options) : options_(options) {}

  void header(const MatrixFile& matrix, std::string_view name) {
    const bool bigmat = options_.storage == Op4Storage::bigmat;
    const int rows = bigmat ? -matrix.rows : matrix.rows;
    const int form = matrix.rows == matrix.columns ? 6 : 2;
    const int type = options_.single ? 1 : 2;
    std::string field(name.substr(0, 8));
    field.resize(8, ' ');
    if (text()) {
      out_ += fmt::format("{:8}{:8}{:8}{:8}{}1P,3E24.16\n", matrix.columns, rows, form, type, field);
      return;
    }
    begin_record();
    for (const int value : {matrix.columns, rows, form, type}) integer(value);
    record_ += field;
    end_record();
  }

  void column(int number, int row, std::size_t words) {
    if (text()) {
      out_ += fmt::format("{:8}{:8}{:8}\n", number, row, words);
      return;
    }
    begin_record();
    integer(number);
    integer(row);
    integer(static_cast<int>(words));
  }

  /// The head of a string of values in a sparse column.
  void string(int row, std::size_t words) {
    const auto length = static_cast<int>(words) + 1;
    if (options_.storage == Op4Storage::bigmat) {
      if (text()) {
        out_ += fmt::format("{:8}{:8}\n", length, row);
      } else {
        integer(length);
        integer(row);
      }
    } else if (text()) {
      out_ += fmt::format("{:12}\n", row + first_bigmat_rows * length);
    } else {
      integer(row + first_bigmat_rows * length);
    }
  }

  void values(const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (text()) {
        out_ += fmt::format("{:24.16E}{}", values[k], k % 3 == 2 || k + 1 == values.size() ? "\n" : "");
      } else if (options_.single) {
        bytes(std::bit_cast<std::uint32_t>(static_cast<float>(values[k])));
      } else {
        bytes(std::bit_cast<std::uint64_t>(values[k]));
      }
    }
  }

  void end_column() {
    if (!text()) end_record();
  }

  [[nodiscard]] std::size_t words(std::size_t values) const { return options_.single ? values : 2 * values; }
  [[nodiscard]] bool text() const { return options_.encoding == Op4Encoding::text; }
  std::string take() { return std::move(out_); }

 private:
  template <class Unsigned>
  void append(std::string& to, Unsigned value) const {
    for (std::size_t k = 0; k < sizeof(Unsigned); ++k) {
      const std::size_t shift = options_.encoding == Op4Encoding::little_endian ? k : sizeof(Unsigned) - 1 - k;
      to += static_cast<char>((value >> (8 * shift)) & 0xffU);
    }
  }
  template <class Unsigned>
  void bytes(Unsigned value) {
    append(record_, value);
  }
  void integer(int value) { bytes(static_cast<std::uint32_t>(value)); }
  void begin_record() { record_.clear(); }
  void end_record() {
    const auto length = static_cast<std::uint32_t>(record_.size());
    append(out_, length);
    out_ += record_;
    append(out_, length);
  }

  Op4Options options_;
  std::string out_;
  std::string record_;
};

struct Run {
  int row = 0;  ///< from 0
  std::vector<double> values;
};

/// Entries of a column as runs without gaps.
std::vector<Run> runs_of(const std::vector<MatrixFile::Entry>& column) {
  std::vector<Run> runs;
  for (const auto& entry : column) {
    if (runs.empty() || runs.back().row + static_cast<int>(runs.back().values.size()) != entry.row) {
      runs.push_back({entry.row, {}});
    }
    runs.back().values.push_back(entry.value);
  }
  return runs;
}

void write_column(Writer& writer, int number, const std::vector<MatrixFile::Entry>& column, Op4Storage storage) {
  const std::vector<Run> runs = runs_of(column);
  if (storage == Op4Storage::dense) {
    Run whole{column.front().row, {}};
    for (const Run& run : runs) {
      whole.values.resize(static_cast<std::size_t>(run.row - whole.row), 0.0);
      whole.values.insert(whole.values.end(), run.values.begin(), run.values.end());
    }
    // In a text file the values of a dense column are counted, elsewhere words.
    const std::size_t count = whole.values.size();
    writer.column(number, whole.row + 1, writer.text() ? count : writer.words(count));
    writer.values(whole.values);
  } else {
    std::size_t words = 0;
    for (const Run& run : runs) {
      words += writer.words(run.values.size()) + (storage == Op4Storage::bigmat ? 2 : 1);
    }
    writer.column(number, 0, words);
    for (const Run& run : runs) {
      writer.string(run.row + 1, writer.words(run.values.size()));
      writer.values(run.values);
    }
  }
  writer.end_column();
}

}  // namespace

MatrixFile parse_op4(std::string_view bytes, const std::string& file, const std::string& name) {
  if (bytes.empty()) throw InputError({file, 1, 1}, "the file is empty");
  if (bytes.size() >= 4) {
    const std::string_view first = bytes.substr(0, 4);
    for (const std::size_t word : {std::size_t{4}, std::size_t{8}}) {
      const char length = static_cast<char>(6 * word);
      if (first == std::string{length, '\0', '\0', '\0'}) {
        return BinaryParser(bytes, file, name, true, word).parse();
      }
      if (first == std::string{'\0', '\0', '\0', length}) {
        return BinaryParser(bytes, file, name, false, word).parse();
      }
    }
  }
  return TextParser(bytes, file, name).parse();
}

MatrixFile read_op4(const std::string& path, const std::string& name) {
  return parse_op4(read_text_file(path), path, name);
}

std::string format_op4(const MatrixFile& matrix, std::string_view name, const Op4Options& options) {
  std::vector<MatrixFile::Entry> entries = matrix.entries;
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.column != b.column ? a.column < b.column : a.row < b.row; });
  Writer writer(options);
  writer.header(matrix, name);
  std::vector<MatrixFile::Entry> column;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    column.push_back(entries[k]);
    if (k + 1 < entries.size() && entries[k + 1].column == entries[k].column) continue;
    write_column(writer, entries[k].column + 1, column, options.storage);
    column.clear();
  }
  writer.column(matrix.columns + 1, 1, writer.text() ? 1 : writer.words(1));
  writer.values({1.0});
  writer.end_column();
  return writer.take();
}

}  // namespace microslip
