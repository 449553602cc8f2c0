// OP4 files, text and binary: what is read can be written in each of them and is read again to the last bit.

#include "matrix_checks.hpp"
#include "microslip/io/op4.hpp"

using namespace microslip;

namespace {

bool same(const MatrixFile& a, const MatrixFile& b) {
  return a.rows == b.rows && a.columns == b.columns &&
         std::equal(
             a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
             [](const auto& x, const auto& y) { return x.row == y.row && x.column == y.column && x.value == y.value; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fuzz::text_of(data, size);
  try {
    const MatrixFile matrix = parse_op4(bytes, "model.op4");
    fuzz::check_matrix(matrix, size);
    // Sizes that fit the fields of the format, and columns without gaps that would take the memory of all of them.
    if (matrix.rows < 60000 && matrix.columns < 60000) {
      for (const auto encoding : {Op4Encoding::text, Op4Encoding::little_endian, Op4Encoding::big_endian}) {
        for (const auto storage : {Op4Storage::sparse, Op4Storage::bigmat}) {
          const MatrixFile again = parse_op4(format_op4(matrix, "AA", {encoding, storage, false}), "again.op4", "aa");
          // A written square matrix claims to be symmetric, and half of one would be completed.
          if (matrix.rows != matrix.columns) fuzz::must_hold(same(matrix, again), "written matrices are read again");
        }
      }
    }
  } catch (const InputError&) {
  }
  try {
    fuzz::check_matrix(parse_op4(bytes, "model.op4", "KAA"), size);
  } catch (const InputError&) {
  }
  return 0;
}
