#pragma once
// The machine that the program runs on, for the record.

#include <string>

namespace microslip {

struct Machine {
  std::string processor;  ///< empty where the system does not tell
  unsigned threads = 0;   ///< that run at once
  std::string system;     ///< "Linux 6.1.0"
};

[[nodiscard]] Machine this_machine();

}  // namespace microslip
