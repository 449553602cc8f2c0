// MATLAB files of version 5: a header of 128 bytes, then data elements, each a tag (type, number of bytes) and its
// data; of a variable compressed by zlib or not. Tables 1-1 to 1-3 of the format's definition are cited below.

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "microslip/io/mat_walk.hpp"

namespace microslip {
namespace {

static_assert(std::endian::native == std::endian::little, "swapping is decided against a little-endian machine");

constexpr std::size_t header_bytes = 128;
constexpr std::size_t peek_bytes = 1024;  ///< enough for flags, sizes and name of a variable

/// Types of data elements (table 1-1).
enum Type : std::uint32_t {
  mi_int8 = 1,
  mi_uint8 = 2,
  mi_int16 = 3,
  mi_uint16 = 4,
  mi_int32 = 5,
  mi_uint32 = 6,
  mi_single = 7,
  mi_double = 9,
  mi_int64 = 12,
  mi_uint64 = 13,
  mi_matrix = 14,
  mi_compressed = 15,
  mi_utf8 = 16,
  mi_utf16 = 17,
  mi_utf32 = 18
};

/// Classes of arrays (table 1-3).
enum Class : std::uint32_t {
  mx_cell = 1,
  mx_struct = 2,
  mx_object = 3,
  mx_char = 4,
  mx_sparse = 5,
  mx_double = 6,
  mx_uint64 = 15
};

constexpr std::uint32_t complex_flag = 0x0800;

std::size_t size_of(std::uint32_t type) {
  switch (type) {
    case mi_int8:
    case mi_uint8:
    case mi_utf8:
      return 1;
    case mi_int16:
    case mi_uint16:
    case mi_utf16:
      return 2;
    case mi_int32:
    case mi_uint32:
    case mi_single:
    case mi_utf32:
      return 4;
    case mi_double:
    case mi_int64:
    case mi_uint64:
      return 8;
    default:
      return 0;
  }
}

/// At most `limit` bytes of what zlib has packed; nothing where it is broken.
std::optional<std::string> inflated(std::string_view packed, std::size_t limit) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return std::nullopt;
  std::string result;
  std::array<unsigned char, 1U << 16U> block{};
  int status = Z_OK;
  std::size_t used = 0;
  while (status == Z_OK && result.size() < limit) {
    if (stream.avail_in == 0) {
      if (used == packed.size()) break;
      const std::size_t count = std::min<std::size_t>(packed.size() - used, std::size_t{1} << 30U);
      // zlib does not write to its input.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + used));
      stream.avail_in = static_cast<uInt>(count);
      used += count;
    }
    stream.next_out = block.data();
    stream.avail_out = static_cast<uInt>(std::min(block.size(), limit - result.size()));
    const uInt room = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    result.append(reinterpret_cast<const char*>(block.data()), room - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_OK && status != Z_STREAM_END) return std::nullopt;
  if (status == Z_OK && result.size() < limit) return std::nullopt;  // it ends too early
  return result;
}

/// A stretch of the file or of an inflated variable.
class Reader {
 public:
  /// `inflated`: the last element may announce more bytes than there are, as matio's texts do.
  Reader(std::string_view bytes, bool swapped, const std::string& file, std::string where, bool inflated = false)
      : bytes_(bytes), swapped_(swapped), inflated_(inflated), file_(&file), where_(std::move(where)) {}

  struct Element {
    std::uint32_t type = 0;
    std::string_view data;
    std::size_t at = 0;  ///< of the data
  };

  [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  void skip(std::size_t count) { at_ += std::min(count, left()); }

  [[nodiscard]] InputError error(std::size_t at, const std::string& what) const {
    return {{*file_, 0, 0}, fmt::format("{} (byte {}): {}", where_, base_ + at, what)};
  }
  [[nodiscard]] InputError error(const std::string& what) const { return error(at_, what); }

  /// The next element and the padding behind it: all but compressed ones are padded to eight bytes.
  Element next() {
    if (left() < 8) throw error(fmt::format("the tag of an element needs 8 bytes, {} are left", left()));
    const std::uint32_t first = word(at_);
    if ((first >> 16U) != 0) {  // small element: the size in the upper half, up to four bytes of data in the tag
      const std::size_t size = first >> 16U;
      if (size > 4) throw error(fmt::format("a small element holds up to 4 bytes, not {}", size));
      const Element element{first & 0xFFFFU, bytes_.substr(at_ + 4, size), at_ + 4};
      at_ += 8;
      return element;
    }
    std::size_t size = word(at_ + 4);
    if (inflated_) size = std::min(size, left() - 8);
    if (size > left() - 8) {
      throw error(fmt::format("an element of {} bytes is announced, {} are left", size, left() - 8));
    }
    const Element element{first, bytes_.substr(at_ + 8, size), at_ + 8};
    at_ += 8 + size;
    if (first != mi_compressed) skip((8 - size % 8) % 8);  // the last one of a file may do without
    return element;
  }

  /// The inside of an element.
  [[nodiscard]] Reader inside(const Element& element) const {
    Reader reader(element.data, swapped_, *file_, where_, inflated_);
    reader.base_ = base_ + element.at;
    return reader;
  }

  template <class T>
  [[nodiscard]] T value(std::string_view data, std::size_t index) const {
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), data.data() + index * sizeof(T), sizeof(T));
    if (swapped_) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
  }

  /// The numbers of an element, whatever their type.
  [[nodiscard]] std::vector<double> numbers(const Element& element) const {
    switch (element.type) {
      case mi_int8:
        return converted<std::int8_t>(element);
      case mi_uint8:
      case mi_utf8:
        return converted<std::uint8_t>(element);
      case mi_int16:
        return converted<std::int16_t>(element);
      case mi_uint16:
      case mi_utf16:
        return converted<std::uint16_t>(element);
      case mi_int32:
        return converted<std::int32_t>(element);
      case mi_uint32:
      case mi_utf32:
        return converted<std::uint32_t>(element);
      case mi_single:
        return converted<float>(element);
      case mi_double:
        return converted<double>(element);
      case mi_int64:
        return converted<std::int64_t>(element);
      case mi_uint64:
        return converted<std::uint64_t>(element);
      default:
        throw error(element.at,
                    fmt::format("an element of numbers must have a type from 1 to 13, got {}", element.type));
    }
  }

 private:
  template <class T>
  [[nodiscard]] std::vector<double> converted(const Element& element) const {
    if (element.data.size() % sizeof(T) != 0) {
      throw error(element.at, fmt::format("{} bytes are no whole number of values of {} bytes each",
                                          element.data.size(), sizeof(T)));
    }
    std::vector<double> result(element.data.size() / sizeof(T));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<double>(value<T>(element.data, i));
    return result;
  }
  [[nodiscard]] std::uint32_t word(std::size_t at) const { return value<std::uint32_t>(bytes_.substr(at, 4), 0); }

  std::string_view bytes_;
  bool swapped_;
  bool inflated_;
  const std::string* file_;
  std::string where_;
  std::size_t at_ = 0;
  std::size_t base_ = 0;
};

struct Mat5Header {
  std::uint32_t array_class = 0;
  bool complex = false;
  std::vector<int> sizes;
  std::string name;

  [[nodiscard]] std::size_t count() const {  // no overflow: see read_header
    std::size_t result = 1;
    for (const int size : sizes) result *= static_cast<std::size_t>(size);
    return result;
  }
};

class Mat5Walker {
 public:
  Mat5Walker(const std::string& file, const MatWalk& walk) : file_(&file), walk_(&walk) {}

  /// A variable of the file, inflated.
  void variable(Reader reader) {
    const Reader::Element element = reader.next();
    if (element.type != mi_matrix) {
      throw reader.error(0, fmt::format("a variable must be an array (type 14), got type {}", element.type));
    }
    Reader inside = reader.inside(element);
    const std::string name = Mat5Walker::name(inside);
    if (!name.empty() && walk_->opens(name)) array(reader.inside(element), name, 0);
  }

  /// The name of a variable from its first bytes; the reader stands behind it.
  static std::string name(Reader& inside) { return read_header(inside).name; }

 private:
  static Mat5Header read_header(Reader& reader) {
    Mat5Header header;
    const std::size_t at = reader.at();
    const Reader::Element flags = reader.next();
    if (flags.type != mi_uint32 || flags.data.size() != 8) {
      throw reader.error(at, "an array must begin with its flags: two words of 4 bytes, type 6");
    }
    const auto word = reader.value<std::uint32_t>(flags.data, 0);
    header.array_class = word & 0xFFU;
    header.complex = (word & complex_flag) != 0;
    if (header.array_class > mx_uint64) return header;  // functions and objects of newer kinds: no sizes follow
    const std::size_t sizes_at = reader.at();
    const Reader::Element sizes = reader.next();
    if (sizes.type != mi_int32 || sizes.data.size() < 8 || sizes.data.size() % 4 != 0 || sizes.data.size() > 128) {
      throw reader.error(sizes_at, "the sizes of an array must be 2 to 32 integers of 4 bytes, type 5");
    }
    double total = 1.0;
    for (std::size_t i = 0; i < sizes.data.size() / 4; ++i) {
      const auto size = reader.value<std::int32_t>(sizes.data, i);
      if (size < 0) throw reader.error(sizes_at, fmt::format("a size must be 0 or more, got {}", size));
      header.sizes.push_back(size);
      total *= size;
    }
    if (total > 0x1p62) throw reader.error(sizes_at, "the array is too large");
    const std::size_t name_at = reader.at();
    const Reader::Element name = reader.next();
    if (name.type != mi_int8 && name.type != mi_uint8 && name.type != mi_utf8) {
      throw reader.error(name_at, fmt::format("the name of an array must have type 1, got {}", name.type));
    }
    header.name = std::string(name.data.substr(0, name.data.find('\0')));
    return header;
  }

  void array(Reader reader, const std::string& name, int depth) {
    if (depth > deepest_mat_struct) throw reader.error("structs are nested too deeply");
    if (++arrays_ > most_mat_arrays) throw reader.error("there are too many arrays");
    if (reader.at_end()) return;  // an empty member
    const Mat5Header header = read_header(reader);
    if (header.array_class == mx_cell) return cells(reader, header, name, depth);
    if (header.array_class == mx_struct || header.array_class == mx_object) {
      return members(reader, header, name, depth);
    }
    if (header.array_class == mx_char) return text(reader, header, name);
    if (header.array_class == mx_sparse || (header.array_class >= mx_double && header.array_class <= mx_uint64)) {
      return numbers(reader, header, name);
    }
    if (header.array_class == 0) throw reader.error("an array must have a class from 1 to 17, got 0");
  }

  void child(Reader& reader, const std::string& name, int depth) {
    const std::size_t at = reader.at();
    const Reader::Element element = reader.next();
    if (element.type != mi_matrix) {
      throw reader.error(at, fmt::format("a member must be an array (type 14), got type {}", element.type));
    }
    array(reader.inside(element), name, depth + 1);
  }

  /// As many children as the bytes can hold, 8 each.
  static void require_room(const Reader& reader, std::size_t count) {
    if (count > reader.left() / 8) {
      throw reader.error(fmt::format("{} members are announced, {} bytes are left", count, reader.left()));
    }
  }

  void cells(Reader& reader, const Mat5Header& header, const std::string& name, int depth) {
    const std::size_t count = header.count();
    require_room(reader, count);
    for (std::size_t i = 0; i < count; ++i) child(reader, fmt::format("{}{{{}}}", name, i + 1), depth);
  }

  void members(Reader& reader, const Mat5Header& header, const std::string& name, int depth) {
    if (header.array_class == mx_object) reader.next();  // name of the class
    const std::size_t length_at = reader.at();
    const std::vector<double> length = reader.numbers(reader.next());
    if (length.size() != 1 || !(length[0] >= 1.0 && length[0] <= 1e6)) {
      throw reader.error(length_at, "the length of the names of members must be one number > 0");
    }
    const Reader::Element list = reader.next();
    const auto each = static_cast<std::size_t>(length[0]);
    const std::size_t fields = list.data.size() / each;
    const std::size_t count = header.count();
    if (fields == 0 || count == 0) return;
    if (count > reader.left() / 8) require_room(reader, count);
    require_room(reader, count * fields);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < fields; ++k) {
        std::string_view field = list.data.substr(k * each, each);
        field = field.substr(0, field.find('\0'));
        child(reader, mat_member_name(name, field, i, count), depth);
      }
    }
  }

  void text(Reader& reader, const Mat5Header& header, const std::string& name) {
    if (!walk_->wants(name, true)) return;
    MatArray array;
    array.name = name;
    array.is_text = true;
    array.rows = header.sizes[0];
    array.columns = header.sizes[1];
    const std::size_t count = header.count();
    if (!reader.at_end() && count > 0) {
      const Reader::Element element = reader.next();
      if (element.type == mi_utf8 && header.sizes[0] == 1) {
        array.text = std::string(element.data);
      } else {
        const std::vector<double> units = reader.numbers(element);
        if (units.size() == count) {  // by columns in the file
          const std::size_t rows = static_cast<std::size_t>(array.rows), columns = count / rows;
          std::u16string wide;
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < columns; ++k) {
              const double unit = units[i + k * rows];
              wide += unit >= 0.0 && unit < 65536.0 ? static_cast<char16_t>(unit) : u'\xFFFD';
            }
          }
          array.text = utf8_of(wide);
        }
      }
    }
    walk_->take(std::move(array));
  }

  void numbers(Reader& reader, const Mat5Header& header, const std::string& name) {
    if (!walk_->wants(name, false)) return;
    MatArray array;
    array.name = name;
    array.sparse = header.array_class == mx_sparse;
    if (header.sizes.size() > 2 && header.count() != static_cast<std::size_t>(header.sizes[0]) * header.sizes[1]) {
      throw reader.error(
          fmt::format("array {} must have two dimensions, it has {}", in_quotes(name), header.sizes.size()));
    }
    array.rows = header.sizes[0];
    array.columns = header.sizes[1];
    if (array.rows == 0 || array.columns == 0) {
      array.sparse = false;
      return walk_->take(std::move(array));
    }
    if (array.sparse) {
      array.row_of = indices(reader, name);
      array.column_start = indices(reader, name);
      // A sparse array may keep room for more than it holds.
      if (!array.column_start.empty() && array.column_start.back() >= 0 &&
          static_cast<std::size_t>(array.column_start.back()) < array.row_of.size()) {
        array.row_of.resize(static_cast<std::size_t>(array.column_start.back()));
      }
    }
    const std::size_t count = array.sparse ? array.row_of.size() : header.count();
    array.values = values(reader, name, count, array.sparse);
    if (header.complex) array.imaginary = values(reader, name, count, array.sparse);
    require_sound(array, *file_);
    walk_->take(std::move(array));
  }

  static std::vector<int> indices(Reader& reader, const std::string& name) {
    const std::size_t at = reader.at();
    const Reader::Element element = reader.next();
    if (element.type == mi_single || element.type == mi_double) {
      throw reader.error(at, fmt::format("the indices of array {} must be integers", in_quotes(name)));
    }
    const std::vector<double> wide = reader.numbers(element);  // MATLAB has type 5, other programs 6
    std::vector<int> result;
    result.reserve(wide.size());
    for (const double index : wide) {
      if (!(std::abs(index) <= std::numeric_limits<int>::max())) {
        throw reader.error(at, fmt::format("array {} has an index of {:.0f}", in_quotes(name), index));
      }
      result.push_back(static_cast<int>(index));
    }
    return result;
  }

  static std::vector<double> values(Reader& reader, const std::string& name, std::size_t count, bool sparse) {
    const std::size_t at = reader.at();
    const Reader::Element element = reader.next();
    const std::size_t each = size_of(element.type);
    const std::size_t there = each == 0 ? 0 : element.data.size() / each;
    if (each != 0 && (there < count || (there > count && !sparse))) {
      throw reader.error(at, fmt::format("array {} must have {} values, there are {}", in_quotes(name), count, there));
    }
    std::vector<double> result = reader.numbers(element);
    result.resize(count);
    return result;
  }

  const std::string* file_;
  const MatWalk* walk_;
  int arrays_ = 0;
};

}  // namespace

void walk_mat5(std::string_view bytes, const std::string& file, const MatWalk& walk) {
  if (bytes.size() < header_bytes) {
    throw InputError({file, 0, 0},
                     fmt::format("a MATLAB file begins with {} bytes, there are {}", header_bytes, bytes.size()));
  }
  const bool swapped = bytes.substr(126, 2) == "MI";  // "MI" as a word, read by its own kind of machine
  Mat5Walker walker(file, walk);
  Reader top(bytes, swapped, file, "file");
  top.skip(header_bytes);
  int number = 0;
  while (!top.at_end()) {
    const std::string where = fmt::format("variable {}", ++number);
    const std::size_t at = top.at();
    const Reader::Element element = top.next();
    if (element.type == mi_matrix) {
      const std::size_t end = element.at + element.data.size();
      Reader reader(bytes.substr(0, end), swapped, file, where);
      reader.skip(at);
      walker.variable(reader);
      continue;
    }
    if (element.type != mi_compressed) {
      throw top.error(
          at, fmt::format("{} must be an array (type 14) or compressed (15), got type {}", where, element.type));
    }
    const std::string inflated_where = where + ", inflated";
    const auto unpacked = [&](std::size_t limit) {
      auto result = inflated(element.data, limit);
      if (!result) throw top.error(at, where + ": its compressed data are broken");
      return std::move(*result);
    };
    // The name first: what is not wanted is not inflated.
    std::string start = unpacked(peek_bytes);
    if (start.size() == peek_bytes) {
      Reader peek(start, swapped, file, inflated_where, true);
      peek.skip(8);
      const std::string name = Mat5Walker::name(peek);
      if (name.empty() || !walk.opens(name)) continue;
      start = unpacked(std::size_t{1} << 32U);
    }
    walker.variable(Reader(start, swapped, file, inflated_where, true));
  }
}

}  // namespace microslip
