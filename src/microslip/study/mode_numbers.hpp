#pragma once
// `mode = 2` or `mode = [1, 2]`: numbers of vibrating modes, from 1.

#include <vector>

#include "microslip/structure/modes.hpp"
#include "microslip/study/table_reader.hpp"

namespace microslip {

/// From 0, each once. Complains about numbers that are no mode, rigid modes, and an empty list.
[[nodiscard]] std::vector<int> read_modes(const TableReader& reader, const Modes& modes);

}  // namespace microslip
