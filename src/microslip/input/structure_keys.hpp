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

/// `stiffness_factor`, 1 if missing: what the stiffness of the study (files, springs) is multiplied by before anything
/// is made of it. Joints, masses, dampers, a damping matrix and modal damping ratios stay; Rayleigh's b K goes along.
[[nodiscard]] double read_stiffness_factor(const TableReader& structure);

}  // namespace microslip
