#include "microslip/io/machine.hpp"

#include <sys/utsname.h>

#include <fstream>
#include <thread>

namespace microslip {

Machine this_machine() {
  Machine machine;
  machine.threads = std::thread::hardware_concurrency();
  utsname name{};
  if (uname(&name) == 0) machine.system = std::string(name.sysname) + " " + name.release;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    machine.processor = line.substr(std::min(colon + 2, line.size()));
    break;
  }
  return machine;
}

}  // namespace microslip
