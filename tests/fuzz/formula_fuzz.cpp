// Formulas of users: a number or a complaint.

#include <stdexcept>

#include "fuzz_target.hpp"
#include "microslip/numerics/formula.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)microslip::evaluate_formula(microslip::fuzz::text_of(data, size), {{"a", 2.0}, {"width", 0.0}});
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
