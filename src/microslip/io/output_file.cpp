#include "microslip/io/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "microslip/io/write_file.hpp"

namespace microslip {
namespace {

OutputError cannot_write(const std::string& path) {
  return OutputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

}  // namespace

std::string part_name(const std::string& path) {
  return path + ".part";
}

void finish_part(const std::string& path) {
  if (std::rename(part_name(path).c_str(), path.c_str()) == 0) return;
  const OutputError error = cannot_write(path);
  remove_part(path);
  throw error;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), file_(std::fopen(part_name(path_).c_str(), "wb")) {
  if (file_ == nullptr) throw cannot_write(path_);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, nullptr)) {}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void OutputFile::write(std::string_view text) {
  if (text.empty()) return;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) throw cannot_write(path_);
}

void OutputFile::close() {
  if (file_ == nullptr) return;
  if (std::fclose(std::exchange(file_, nullptr)) != 0) throw cannot_write(path_);
  finish_part(path_);
}

}  // namespace microslip
