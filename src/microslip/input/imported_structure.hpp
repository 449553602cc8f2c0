#pragma once
// Structures from matrices: kind = "matrices" and kind = "reduced". Files -> matrices, patches of nodes, rigid ties,
// and for "reduced" a Craig-Bampton model of them.

#include "microslip/input/structure_facts.hpp"
#include "microslip/structure/linear_structure.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// `root`: the whole study. A boundary that is not given is what its joints and loads name.
[[nodiscard]] LinearStructure read_imported_structure(const TableReader& root, StructureFacts& facts);

}  // namespace microslip
