#pragma once
// Keys that several kinds of [structure] share.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/structure/linear_structure.hpp"
#include "microslip/toml/number_range.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// `labels`: a list, or the name of a file with one a line; else those that the files of the matrices give, or numbers.
/// `what` is labelled, for messages.
[[nodiscard]] std::vector<std::string> read_labels(const TableReader& structure, int size,
                                                   const std::vector<std::string>& of_files = {},
                                                   std::string_view what = "degrees of freedom");

/// `springs` or `dampers`: [["ground", "1", 9.0], ...]
[[nodiscard]] std::vector<LumpedLink> read_links(const TableReader& structure, std::string_view key,
                                                 const NumberRange& range, const std::vector<std::string>& labels);

}  // namespace microslip
