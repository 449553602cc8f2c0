#include "microslip/input/node_patches.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include "microslip/toml/number_range.hpp"

namespace microslip {
namespace {

using Face = std::vector<int>;  // places in the element: corners around, then the nodes between them in that order

/// Faces of a solid, or the element itself when it is flat; by type and number of nodes, as Abaqus numbers them.
std::vector<Face> faces_of(const MeshElement& element) {
  const std::size_t count = element.nodes.size();
  if (element.type.starts_with("C3D")) {
    switch (count) {
      case 4:
        return {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
      case 10:
        return {{0, 1, 2, 4, 5, 6}, {0, 3, 1, 7, 8, 4}, {1, 3, 2, 8, 9, 5}, {2, 3, 0, 9, 7, 6}};
      case 6:
        return {{0, 1, 2}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
      case 8:
        return {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
      case 20:
        return {{0, 1, 2, 3, 8, 9, 10, 11},  {4, 5, 6, 7, 12, 13, 14, 15}, {0, 1, 5, 4, 8, 17, 12, 16},
                {1, 2, 6, 5, 9, 18, 13, 17}, {2, 3, 7, 6, 10, 19, 14, 18}, {3, 0, 4, 7, 11, 16, 15, 19}};
      default:
        return {};
    }
  }
  const bool line = element.type.starts_with("B") || element.type.starts_with("T");
  if (line || (count != 3 && count != 4 && count != 6 && count != 8)) return {};
  Face face(count);
  for (std::size_t i = 0; i < count; ++i) face[i] = static_cast<int>(i);
  return {face};
}

/// Shares of the area that corners and nodes between them get: the diagonal of the consistent mass, scaled.
std::pair<double, double> shares(std::size_t nodes) {
  if (nodes == 6) return {3.0 / 57.0, 16.0 / 57.0};
  if (nodes == 8) return {3.0 / 76.0, 16.0 / 76.0};
  return {1.0 / static_cast<double>(nodes), 0.0};
}

std::vector<long long> patch_nodes(const TableReader& patch, const NodeTable& nodes) {
  if (patch.exactly_one_of({"set", "nodes"}) == "set") {
    const std::string name = patch.string("set");
    try {
      return nodes.set(name);
    } catch (const InputError& error) {
      throw patch.error("set", fmt::format("set: {}", error.message()));
    }
  }
  std::vector<long long> list;
  for (const double number : patch.numbers("nodes", any_number)) list.push_back(static_cast<long long>(number));
  return list;
}

Eigen::Vector3d read_point(const TableReader& patch, const Eigen::Vector3d& centre) {
  if (!patch.has("point")) return centre;
  const std::vector<double> values = patch.numbers("point", any_number);
  if (values.size() != 3) throw patch.error("point", fmt::format("point must be [x, y, z], got {}", values.size()));
  return {values[0], values[1], values[2]};
}

}  // namespace

LabelPlaces places_of(const std::vector<std::string>& labels) {
  LabelPlaces places;
  places.reserve(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) places.emplace(labels[i], static_cast<int>(i));
  return places;
}

std::unordered_map<long long, double> area_weights(const NodeTable& nodes, const std::vector<long long>& set) {
  const auto places = nodes.places();
  const std::unordered_set<long long> in_set(set.begin(), set.end());
  std::unordered_map<long long, double> weights;
  std::set<std::vector<long long>> seen;  // a face between two elements counts once
  const auto position = [&](long long node) {
    const auto& p = nodes.positions[places.at(node)];
    return Eigen::Vector3d(p[0], p[1], p[2]);
  };
  for (const MeshElement& element : nodes.elements) {
    for (const Face& face : faces_of(element)) {
      std::vector<long long> members;
      for (const int place : face) members.push_back(element.nodes[static_cast<std::size_t>(place)]);
      const auto here = [&](long long node) { return in_set.contains(node) && places.contains(node); };
      if (!std::all_of(members.begin(), members.end(), here)) continue;
      std::vector<long long> key = members;
      std::sort(key.begin(), key.end());
      if (!seen.insert(key).second) continue;
      const std::size_t corners = members.size() == 6 ? 3 : members.size() == 8 ? 4 : members.size();
      Eigen::Vector3d normal = Eigen::Vector3d::Zero();  // half of the sum of cross products: the area of a polygon
      const Eigen::Vector3d origin = position(members[0]);
      for (std::size_t i = 1; i + 1 < corners; ++i) {
        normal += 0.5 * (position(members[i]) - origin).cross(position(members[i + 1]) - origin);
      }
      const auto [corner, between] = shares(members.size());
      for (std::size_t i = 0; i < members.size(); ++i) {
        weights[members[i]] += normal.norm() * (i < corners ? corner : between);
      }
    }
  }
  return weights;
}

std::vector<NodePatch> read_node_patches(const TableReader& structure, const NodeTable& nodes,
                                         const LabelPlaces& places) {
  std::vector<NodePatch> patches;
  std::set<std::string> names;
  const auto node_places = nodes.places();
  for (TableReader& patch : structure.tables("spider")) {
    patch.allow_only({"name", "set", "nodes", "weights", "point", "kind"});
    NodePatch result;
    result.name = patch.string("name");
    const std::string fault = name_fault(result.name, "name");
    if (!fault.empty()) throw patch.error("name", fault);
    patch.rename(fmt::format("spider \"{}\"", result.name));
    if (!names.insert(result.name).second) throw patch.error("name", "another spider has this name");
    for (const char* direction : six_directions) {
      if (!places.contains(result.name + "." + direction)) continue;
      throw patch.error("name", fmt::format("the structure already has a degree of freedom {}",
                                            in_quotes(result.name + "." + direction)));
    }
    result.rigid = patch.has("kind") && patch.choice("kind", {"average", "rigid"}) == "rigid";
    if (result.rigid && patch.has("weights")) {
      throw patch.error_at_key(*patch.value().find("weights"), "weights are of an average; a rigid spider has none");
    }
    const bool by_area = patch.has("weights") && patch.choice("weights", {"uniform", "area"}) == "area";
    const std::vector<long long> members = patch_nodes(patch, nodes);
    std::unordered_map<long long, double> areas;
    if (by_area) areas = area_weights(nodes, members);
    if (by_area && areas.empty()) {
      throw patch.error("weights",
                        "weights: no face of an element has all of its nodes in the patch, so that there is no area");
    }
    std::unordered_set<long long> twice;
    for (const long long number : members) {
      const char* key = patch.has("set") ? "set" : "nodes";
      const auto at = node_places.find(number);
      if (at == node_places.end()) throw patch.error(key, fmt::format("{} has no node {}", nodes.file, number));
      if (!twice.insert(number).second) throw patch.error(key, fmt::format("node {} is there twice", number));
      PatchNode node;
      const auto& p = nodes.positions[at->second];
      node.position = {p[0], p[1], p[2]};
      for (std::size_t d = 0; d < 3; ++d) {
        const auto dof = places.find(fmt::format("{}.{}", number, six_directions[d]));
        if (dof != places.end()) node.dofs[d] = dof->second;
      }
      if (std::all_of(node.dofs.begin(), node.dofs.end(), [](int dof) { return dof < 0; })) {
        throw patch.error(key,
                          fmt::format("node {} has no degree of freedom: none is labelled \"{}.x\"", number, number));
      }
      if (by_area) node.weight = areas.contains(number) ? areas.at(number) : 0.0;
      result.nodes.push_back(node);
    }
    if (result.nodes.size() < 3) {
      throw patch.error(fmt::format("a patch needs at least 3 nodes, got {}", result.nodes.size()));
    }
    result.point = read_point(patch, centre_of(result.nodes));
    patches.push_back(std::move(result));
  }
  return patches;
}

}  // namespace microslip
