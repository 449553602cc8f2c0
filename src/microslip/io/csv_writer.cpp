#include "microslip/io/csv_writer.hpp"

#include <cassert>
#include <charconv>

namespace microslip {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 16U;
constexpr std::size_t longest_number = 32;  // -d.dddddddddddddddde-ddd and a separator take 25

}  // namespace

CsvWriter::CsvWriter(const std::string& path, std::span<const std::string> names)
    : file_(path), columns_(names.size()), buffer_(buffer_size) {
  std::string header;
  for (const std::string& name : names) header += (header.empty() ? "" : ",") + name;
  file_.write(header + "\n");
}

void CsvWriter::row(std::span<const double> values) {
  assert(values.size() == columns_);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (used_ + longest_number > buffer_.size()) flush();
    char* const start = buffer_.data() + used_;
    char* const end = std::to_chars(start, start + longest_number - 1, values[k], std::chars_format::general, 17).ptr;
    *end = k + 1 == values.size() ? '\n' : ',';
    used_ += static_cast<std::size_t>(end + 1 - start);
  }
  ++rows_;
}

void CsvWriter::flush() {
  file_.write({buffer_.data(), used_});
  used_ = 0;
}

void CsvWriter::close() {
  flush();
  file_.close();
}

}  // namespace microslip
