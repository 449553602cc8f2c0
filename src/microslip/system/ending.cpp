#include "microslip/system/ending.hpp"

namespace microslip {

void add_note(const std::string& note, std::string& message) {
  if (!note.empty()) message += (message.empty() ? "" : "; ") + note;
}

}  // namespace microslip
