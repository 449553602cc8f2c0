#pragma once
// [[structure.spider]]: patches of nodes whose motion is averaged (RBE3) or rigid (RBE2).

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "microslip/io/input_deck.hpp"
#include "microslip/structure/spider.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// The directions of a point: x y z rx ry rz.
inline constexpr std::array<const char*, 6> six_directions = {"x", "y", "z", "rx", "ry", "rz"};

/// "12.x" -> 0: which degree of freedom has a label.
using LabelPlaces = std::unordered_map<std::string, int>;
[[nodiscard]] LabelPlaces places_of(const std::vector<std::string>& labels);

struct NodePatch {
  std::string name;
  bool rigid = false;
  std::vector<PatchNode> nodes;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
};

/// `nodes`: of the key `nodes`, with the sets that patches name.
[[nodiscard]] std::vector<NodePatch> read_node_patches(const TableReader& structure, const NodeTable& nodes,
                                                       const LabelPlaces& places);

/// Areas of the faces whose nodes all are in the set, shared among these nodes; zero for a node at none. Faces of
/// elements in the plane and in space; shares of quadratic faces as of a lumped mass (Hinton, Rock, Zienkiewicz).
[[nodiscard]] std::unordered_map<long long, double> area_weights(const NodeTable& nodes,
                                                                 const std::vector<long long>& set);

}  // namespace microslip
