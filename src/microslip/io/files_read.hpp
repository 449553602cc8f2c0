#pragma once
// Which files a study reads: whoever keeps results for later has to know when one of them has changed.

#include <string>
#include <vector>

namespace microslip {

/// While it lives, notes every file that this thread opens for reading. One at a time on a thread.
class FilesRead {
 public:
  FilesRead();
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

  /// In the order of their first opening, each once.
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

  /// For those who open files. Nothing where nobody listens.
  static void note(const std::string& path);

 private:
  FilesRead* outer_;
  std::vector<std::string> paths_;
};

}  // namespace microslip
