#pragma once
// The geometry of a structure for report.json.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "microslip/structure/geometry.hpp"

namespace microslip {

/// { "points": [[x, y, z], ..], "motions": [{ "point": 0, "dof": "label", "direction": [dx, dy, dz] }, ..],
///   "lines": [[0, 1, ..], ..], "assumed": false }
/// Points count from 0; displacement of a point = sum over its motions of q[dof] * direction.
[[nodiscard]] nlohmann::ordered_json to_json(const Geometry& geometry, const std::vector<std::string>& labels);

}  // namespace microslip
