#pragma once
// What a structure that came from files turned out to be: the checks that an analyst makes after an import.

#include <array>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "microslip/structure/linear_structure.hpp"
#include "microslip/system/unit_labels.hpp"

namespace microslip {

struct StructureFacts {
  struct Patch {
    std::string name;
    std::size_t nodes = 0;
    double condition = 1.0;  ///< of the mean motion; large: the patch is nearly a line
  };

  double stiffness_factor = 1.0;  ///< on the stiffness of the study, of any kind of structure
  int imported = 0;               ///< degrees of freedom of the files; 0: the structure is not from files
  int held = 0;                   ///< rows that the files hold fixed, taken out
  std::array<double, 3> mass{};   ///< that moves along x, y, z [mass]; 0 where no label says so
  std::optional<int> zero_modes;  ///< motions without strain, joints left out
  /// |K r|/(|K| |r|) of rigid motions, by name: x y z, and rx ry rz where the places of the nodes are known.
  std::map<std::string, double> rigid_residuals;
  std::vector<Patch> patches;            ///< spiders and rigid ties
  int boundary = 0;                      ///< of a reduced structure: boundary coordinates
  int inertia_shapes = 0;                ///< of a reduced structure: shapes beside the modes, see craig_bampton.hpp
  std::vector<double> held_frequencies;  ///< of a reduced structure: modes with the boundary held [rad/time]
};

/// Sentences for a terminal, one a line; of what was imported none where the structure is not from files.
[[nodiscard]] std::vector<std::string> in_lines(const StructureFacts& facts, const UnitLabels& units);
[[nodiscard]] nlohmann::ordered_json to_json(const StructureFacts& facts);

}  // namespace microslip
