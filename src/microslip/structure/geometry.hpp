#pragma once
// Where the degrees of freedom of a structure are in space, for pictures of its shapes. No method needs it.

#include <array>
#include <vector>

namespace microslip {

struct Geometry {
  using Vector = std::array<double, 3>;

  /// A degree of freedom moves a point: displacement of the point = sum of q[dof] * direction.
  struct Motion {
    int point = 0;
    int dof = 0;
    Vector direction{};
  };

  std::vector<Vector> points;           ///< at rest
  std::vector<Motion> motions;          ///< a point may have any number of them; none: it stands still
  std::vector<std::vector<int>> lines;  ///< points joined in this order
  bool assumed = false;                 ///< nobody gave it: see chain_geometry

  [[nodiscard]] bool empty() const { return points.empty(); }
};

/// For a structure of which nothing is known but its degrees of freedom: points along x in their order, one apart,
/// joined by one line, each moving along y.
[[nodiscard]] inline Geometry chain_geometry(int size) {
  Geometry geometry;
  geometry.assumed = true;
  geometry.lines.emplace_back();
  for (int i = 0; i < size; ++i) {
    geometry.points.push_back({static_cast<double>(i), 0.0, 0.0});
    geometry.motions.push_back({i, i, {0.0, 1.0, 0.0}});
    geometry.lines.back().push_back(i);
  }
  return geometry;
}

}  // namespace microslip
