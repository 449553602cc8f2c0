#pragma once
// MATLAB files of version 5, uncompressed (as by save -v6): structs of texts, and tables as structs.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "microslip/io/output_file.hpp"

namespace microslip {

/// "q[tip, z]" -> "q_tip_z": letters, digits and underscores, a letter first, at most 63 (here 60) of them. A name that
/// `used` has already gets _2, _3, ...; the result is added to `used`.
[[nodiscard]] std::string mat_identifier(const std::string& name, std::vector<std::string>& used);

/// Writes <path>.part; close() gives the file its name. Throws OutputError.
class MatWriter {
 public:
  explicit MatWriter(std::string path);

  /// A struct of texts. Names are made valid and different.
  void texts(const std::string& name, const std::vector<std::pair<std::string, std::string>>& members);

  struct Table {
    std::string name;
    std::vector<std::string> columns;       ///< names; a member each, made valid and different
    std::vector<std::string> units;         ///< as many
    std::vector<std::string> descriptions;  ///< as many
    std::size_t rows = 0;
  };
  /// A struct with a column vector for each column, and the cell arrays `names` (as they were), `units` and
  /// `descriptions`. `column(k)` is called once for each k, in order, and gives `rows` values. A variable of version 5
  /// ends at 2 GB: then OutputError.
  void table(const Table& table, const std::function<std::vector<double>(std::size_t k)>& column);

  void close() { file_.close(); }

 private:
  OutputFile file_;
  std::vector<std::string> used_;
};

}  // namespace microslip
