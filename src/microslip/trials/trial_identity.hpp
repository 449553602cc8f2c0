#pragma once
// What trials depend on, as a short word: the same word, the same trials.

#include <cstdint>
#include <string>
#include <string_view>

namespace microslip {

/// 64-bit FNV-1a over names and values, with their lengths. It tells changes apart, and does not withstand forgery.
class TrialIdentity {
 public:
  /// Begins with the build of the program: another one may compute other bits.
  TrialIdentity();

  void add(std::string_view name, std::string_view value);
  /// The content of a file that the study reads. Throws InputError where it cannot be read.
  void add_file(const std::string& path);

  /// Sixteen hexadecimal digits.
  [[nodiscard]] std::string text() const;

 private:
  void add_bytes(std::string_view bytes);

  std::uint64_t state_ = 14695981039346656037ULL;
};

}  // namespace microslip
