#pragma once
// A complaint about a file that a user wrote, with the place in it.

#include <stdexcept>
#include <string>
#include <string_view>

namespace microslip {

/// Lines and columns count from 1; 0 where the complaint is about the whole file.
struct FilePosition {
  std::string file;
  int line = 0;
  int column = 0;
};

/// "file:line:column", without the parts that are zero.
[[nodiscard]] std::string to_string(const FilePosition& position);

/// what() is "file:line:column: message". Bytes that are no text in UTF-8 are escaped in both, as hexadecimal numbers.
class InputError : public std::runtime_error {
 public:
  InputError(FilePosition position, const std::string& message);

  [[nodiscard]] const FilePosition& position() const { return position_; }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  FilePosition position_;
  std::string message_;
};

/// Text of the user's for a message: quoted, control characters and bytes that are no text in UTF-8 escaped, long text
/// cut.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace microslip
