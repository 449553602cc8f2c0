#pragma once
// `mode = 2` or `mode = [1, 2]`: numbers of vibrating modes, from 1.

#include <string_view>
#include <vector>

#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// From 0, each once. Complains about numbers that are no mode, rigid modes, and an empty list.
[[nodiscard]] std::vector<int> read_modes(const TableReader& reader, const System& system,
                                          std::string_view key = "mode");

/// `modes`: how many move in a transient, the rest of them answering statically; 0: all. A truncated system needs it.
[[nodiscard]] int read_moving_modes(const TableReader& reader, const System& system);

}  // namespace microslip
