// Matrices of CalculiX, and the lines that label their rows.

#include "matrix_checks.hpp"
#include "microslip/io/calculix_matrix.hpp"

using namespace microslip;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  try {
    fuzz::check_matrix(parse_calculix_matrix(text, "block.sti"), size);
    const std::vector<std::string> labels{"1.x", "1.y", "1.z", "2.x"};
    fuzz::must_hold(parse_calculix_matrix(text, "block.sti", labels).rows == 4, "the labels give the size");
  } catch (const InputError& error) {
    fuzz::must_hold(error.position().line > 0, "a mistake has a line");
  }
  try {
    fuzz::must_hold(parse_calculix_dofs(text, "block.dof").size() <= size, "a label takes a line");
  } catch (const InputError& error) {
    fuzz::must_hold(error.position().line > 0, "a mistake has a line");
  }
  return 0;
}
