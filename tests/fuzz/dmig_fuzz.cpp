// DMIG entries: what is read has labels, and between commas it is written and read again to the last bit.

#include "matrix_checks.hpp"
#include "microslip/io/dmig.hpp"

using namespace microslip;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* name : {"", "KAAX"}) {
    try {
      const MatrixFile matrix = parse_dmig(fuzz::text_of(data, size), "run.pch", name);
      fuzz::check_matrix(matrix, size);
      fuzz::must_hold(!matrix.labels.empty(), "rows have labels");
      const MatrixFile again = parse_dmig(format_dmig(matrix, "A", DmigFields::commas), "again.pch");
      for (const auto& entry : again.entries) {
        if (entry.mirrored) continue;
        const auto row =
            std::find(matrix.labels.begin(), matrix.labels.end(), again.labels[static_cast<std::size_t>(entry.row)]);
        const auto column =
            std::find(matrix.labels.begin(), matrix.labels.end(), again.labels[static_cast<std::size_t>(entry.column)]);
        fuzz::must_hold(row != matrix.labels.end() && column != matrix.labels.end(), "labels come back");
        const auto* first = matrix.find(static_cast<int>(row - matrix.labels.begin()),
                                        static_cast<int>(column - matrix.labels.begin()));
        fuzz::must_hold(first != nullptr && first->value == entry.value, "values come back");
      }
    } catch (const InputError&) {
    }
  }
  return 0;
}
