// printed.toml: what papers print.

#include <string>

#include "fuzz_target.hpp"
#include "microslip/gallery/printed_values.hpp"

using namespace microslip;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)parse_printed_values(std::string(fuzz::text_of(data, size)), "no-such-folder/printed.toml");
  } catch (const StudyError& error) {
    fuzz::must_hold(error.position().line > 0, "a mistake has a line");
  }
  return 0;
}
