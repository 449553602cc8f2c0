#pragma once
// [structure] -> LinearStructure; with the joints, a System.

#include <vector>

#include "microslip/input/structure_facts.hpp"
#include "microslip/structure/linear_structure.hpp"
#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// More are refused: they would not fit into memory with their factors.
inline constexpr int most_degrees_of_freedom = 1'000'000;

/// Modes of a large structure that can be asked for.
inline constexpr int most_modes = 1000;

/// `facts`: what it turned out to be.
[[nodiscard]] LinearStructure read_structure(const TableReader& root, StructureFacts& facts);

/// Puts both together; a structure without modes is a mistake in [structure], with the place of the matrix.
[[nodiscard]] System build_system(const TableReader& root, LinearStructure structure, std::vector<Joint> joints);

}  // namespace microslip
