// Matrices of Abaqus: symmetric when read; rows that are held can be taken out.

#include "matrix_checks.hpp"
#include "microslip/io/abaqus_matrix.hpp"

using namespace microslip;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const MatrixFile matrix = parse_abaqus_matrix(fuzz::text_of(data, size), "job_STIF1.mtx");
    fuzz::check_matrix(matrix, size);
    require_square_symmetric(matrix, "stiffness");
  } catch (const InputError& error) {
    fuzz::must_hold(error.position().line > 0, "a mistake has a line");
  }
  return 0;
}
