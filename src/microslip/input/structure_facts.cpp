#include "microslip/input/structure_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace microslip {

std::vector<std::string> in_lines(const StructureFacts& facts, const UnitLabels& units) {
  std::vector<std::string> lines;
  if (facts.stiffness_factor != 1.0) {
    lines.push_back(fmt::format("stiffness times {:.9g}: without joints, frequencies times {:.9g}",
                                facts.stiffness_factor, std::sqrt(facts.stiffness_factor)));
  }
  if (facts.imported == 0) return lines;
  lines.push_back(fmt::format("imported: {} degrees of freedom{}", facts.imported,
                              facts.held > 0 ? fmt::format(", and {} held fixed by the files", facts.held) : ""));
  if (std::any_of(facts.mass.begin(), facts.mass.end(), [](double m) { return m != 0.0; })) {
    const std::string unit = units.of("mass");
    lines.push_back(fmt::format("mass moving along x, y, z: {:.9g}, {:.9g}, {:.9g}{}", facts.mass[0], facts.mass[1],
                                facts.mass[2], unit == "mass" ? "" : " " + unit));
  }
  if (facts.zero_modes) {
    lines.push_back(fmt::format("motions without strain (zero modes of the structure alone): {}", *facts.zero_modes));
  }
  if (!facts.rigid_residuals.empty()) {
    std::vector<std::string> parts;
    for (const char* name : {"x", "y", "z", "rx", "ry", "rz"}) {
      const auto at = facts.rigid_residuals.find(name);
      if (at != facts.rigid_residuals.end()) parts.push_back(fmt::format("{} {:.1e}", name, at->second));
    }
    lines.push_back(fmt::format("|K r|/(|K| |r|) of rigid motions: {}", fmt::join(parts, ", ")));
  }
  for (const StructureFacts::Patch& patch : facts.patches) {
    const std::string how = patch.condition > 0.0 ? fmt::format("condition {:.3g}", patch.condition) : "rigid";
    lines.push_back(fmt::format("patch \"{}\": {} nodes, {}", patch.name, patch.nodes, how));
  }
  if (facts.boundary > 0) {
    std::string modes = "no modes";
    if (!facts.held_frequencies.empty()) {
      const auto hz = [](double omega) { return omega / (2.0 * std::numbers::pi); };
      modes = fmt::format("{} modes with the boundary held, {:.6g} to {:.6g} per {}", facts.held_frequencies.size(),
                          hz(facts.held_frequencies.front()), hz(facts.held_frequencies.back()), units.of("time"));
    }
    if (facts.inertia_shapes > 0) modes += fmt::format(", {} shapes of inertia", facts.inertia_shapes);
    lines.push_back(fmt::format("reduced to {} boundary coordinates and {}", facts.boundary, modes));
  }
  return lines;
}

nlohmann::ordered_json to_json(const StructureFacts& facts) {
  nlohmann::ordered_json json;
  json["imported"] = facts.imported;
  json["held"] = facts.held;
  json["stiffness_factor"] = facts.stiffness_factor;
  json["mass"] = facts.mass;
  if (facts.zero_modes) json["zero_modes"] = *facts.zero_modes;
  if (!facts.rigid_residuals.empty()) json["rigid_residuals"] = facts.rigid_residuals;
  for (const StructureFacts::Patch& patch : facts.patches) {
    json["patches"].push_back({{"name", patch.name}, {"nodes", patch.nodes}, {"condition", patch.condition}});
  }
  if (facts.boundary > 0) {
    json["boundary"] = facts.boundary;
    json["inertia_shapes"] = facts.inertia_shapes;
    json["held_frequencies"] = facts.held_frequencies;
  }
  return json;
}

}  // namespace microslip
