#pragma once
// geometry = "nodes.csv" of [structure] -> where its degrees of freedom are.

#include <string>
#include <vector>

#include "microslip/io/universal_file.hpp"
#include "microslip/structure/geometry.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// A file with the columns label, x, y, z, dx, dy, dz and, if its points are not all on one line, `line`. A row is a
/// degree of freedom that moves the point (x, y, z) along (dx, dy, dz); "ground" is a point that stands still. Rows
/// with the same coordinates are one point. Empty without the key.
[[nodiscard]] Geometry read_geometry(const TableReader& structure, const std::vector<std::string>& labels);

/// The nodes of a universal file: degrees of freedom 12.x, 12.y, 12.z move node 12 along the axes; points that none
/// moves are left out. Throws InputError where there are none.
[[nodiscard]] Geometry universal_geometry(const UniversalFile& content, const std::vector<std::string>& labels);

/// The text of such a file. Throws InputError.
[[nodiscard]] Geometry parse_geometry(const std::string& text, const std::string& file,
                                      const std::vector<std::string>& labels);

}  // namespace microslip
