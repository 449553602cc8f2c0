#include "microslip/input/read_structure.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "microslip/input/imported_structure.hpp"
#include "microslip/input/load_definition.hpp"
#include "microslip/input/read_damping.hpp"
#include "microslip/input/read_geometry.hpp"
#include "microslip/input/read_points.hpp"
#include "microslip/input/structure_keys.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

LinearStructure read_lumped(const TableReader& structure, StructureFacts& facts) {
  structure.allow_only({"kind", "masses", "springs", "stiffness_factor", "dampers", "damping", "labels", "points",
                        "constrain_rigid_body", "geometry", "modes"});
  const auto masses = structure.numbers("masses", positive_number);
  if (masses.empty() || masses.size() > most_degrees_of_freedom) {
    throw structure.error("masses", fmt::format("masses must be a list of 1 to {} numbers, got {}",
                                                most_degrees_of_freedom, masses.size()));
  }
  const MatrixRows rows{static_cast<int>(masses.size()), {}, {}, {}};
  const auto labels = read_labels(structure, rows.size());
  std::vector<LumpedLink> springs = read_links(structure, "springs", any_number, labels);
  facts.stiffness_factor = read_stiffness_factor(structure);
  for (LumpedLink& spring : springs) spring.value *= facts.stiffness_factor;
  DependentCoordinates points = read_points(structure, rows, labels);
  std::vector<std::string> all = labels;
  all.insert(all.end(), points.labels.begin(), points.labels.end());
  const auto dampers = read_links(structure, "dampers", nonnegative_number, all);
  return LinearStructure::lumped(masses, labels, springs, dampers, read_damping(structure, rows),
                                 structure.flag_or("constrain_rigid_body", false), read_geometry(structure, all),
                                 std::move(points));
}

/// The key of [structure] that is to blame when a system has no modes.
std::string faulty_key(const TableReader& structure, const LinearStructure& linear, const std::vector<Joint>& joints) {
  const bool lumped = structure.string("kind") == "lumped";
  if (linear.independent() > Truncation::most_dense) return lumped ? "springs" : "stiffness";
  if (!CholeskyFactors().compute(linear.independent_mass())) return lumped ? "masses" : "mass";
  try {
    const auto* modal = std::get_if<ModalDamping>(&linear.damping());
    if (modal != nullptr && modal->ratios.size() > 1) {
      LinearStructure::Parts undamped;
      undamped.mass = linear.independent_mass();
      undamped.stiffness = linear.independent_stiffness();
      undamped.dependent = linear.dependent();
      const System system(LinearStructure(std::move(undamped)), joints);
      return "damping";
    }
  } catch (const std::invalid_argument&) {
    // the stiffness, then
  }
  return lumped ? "springs" : "stiffness";
}

}  // namespace

LinearStructure read_structure(const TableReader& root, StructureFacts& facts) {
  const TableReader structure = root.table("structure");
  const std::string kind = structure.choice("kind", {"lumped", "matrices", "reduced"});
  try {
    return kind == "lumped" ? read_lumped(structure, facts) : read_imported_structure(root, facts);
  } catch (const std::invalid_argument& error) {
    throw structure.error(error.what());
  }
}

System build_system(const TableReader& root, LinearStructure structure, std::vector<Joint> joints) {
  try {
    Truncation truncation;
    if (structure.independent() > Truncation::most_dense) {
      const TableReader table = root.table("structure");
      if (table.string("kind") != "reduced") {
        truncation.count = static_cast<int>(table.integer_or("modes", truncation.count, 1, most_modes));
      }
      truncation.static_loads = static_load_directions(root, structure);
    }
    System system(structure, joints, truncation);
    if (!system.stuck_modes().omega.allFinite() || !system.stuck_modes().shapes.allFinite()) {
      throw std::invalid_argument("the numbers of the structure are too large or too small for its modes");
    }
    return system;
  } catch (const std::invalid_argument& error) {
    const TableReader table = root.table("structure");
    if (table.string("kind") == "reduced") {
      throw table.error("modes",
                        fmt::format("{}: do modes and boundary describe the same motion? Ask for fewer modes, or "
                                    "set inertia_shapes = false",
                                    error.what()));
    }
    throw table.error(faulty_key(table, structure, joints), error.what());
  } catch (const std::runtime_error& error) {  // modes of a large structure
    if (dynamic_cast<const InputError*>(&error) != nullptr) throw;
    const TableReader table = root.table("structure");
    throw table.error("modes", error.what());
  }
}

}  // namespace microslip
