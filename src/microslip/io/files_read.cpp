#include "microslip/io/files_read.hpp"

#include <algorithm>
#include <utility>

namespace microslip {
namespace {

thread_local FilesRead* listener = nullptr;

}  // namespace

FilesRead::FilesRead() : outer_(std::exchange(listener, this)) {}

FilesRead::~FilesRead() {
  listener = outer_;
}

void FilesRead::note(const std::string& path) {
  if (listener == nullptr) return;
  std::vector<std::string>& paths = listener->paths_;
  if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
}

}  // namespace microslip
