#include "microslip/input/rigid_labels.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>

namespace microslip {
namespace {

/// "12.x" -> "12" and 0; direction -1 where the label ends with none.
std::pair<std::string, int> name_and_direction(const std::string& label) {
  const std::size_t dot = label.rfind('.');
  if (dot == std::string::npos || dot == 0) return {"", -1};
  const auto found = std::find(six_directions.begin(), six_directions.end(), label.substr(dot + 1));
  if (found == six_directions.end()) return {"", -1};
  return {label.substr(0, dot), static_cast<int>(found - six_directions.begin())};
}

class Places {
 public:
  Places(const NodeTable& nodes, const std::vector<NodePatch>& patches) : nodes_(&nodes), places_(nodes.places()) {
    for (const auto& p : nodes.positions) middle_ += Eigen::Vector3d(p[0], p[1], p[2]);
    middle_ /= std::max(1.0, static_cast<double>(nodes.positions.size()));
    for (const NodePatch& patch : patches) points_.emplace(patch.name, patch.point);
  }

  /// From the middle of the nodes to the node or patch of this name, if there is one.
  [[nodiscard]] bool find(const std::string& name, Eigen::Vector3d& arm) const {
    if (const auto patch = points_.find(name); patch != points_.end()) {
      arm = patch->second - middle_;
      return true;
    }
    long long number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size()) return false;
    const auto at = places_.find(number);
    if (at == places_.end()) return false;
    const auto& p = nodes_->positions[at->second];
    arm = Eigen::Vector3d(p[0], p[1], p[2]) - middle_;
    return true;
  }

 private:
  const NodeTable* nodes_;
  std::unordered_map<long long, std::size_t> places_;
  std::unordered_map<std::string, Eigen::Vector3d> points_;
  Eigen::Vector3d middle_ = Eigen::Vector3d::Zero();
};

}  // namespace

RigidMotions rigid_motions(const std::vector<std::string>& labels, const NodeTable* nodes,
                           const std::vector<NodePatch>& patches) {
  using Known = RigidMotions::Known;
  RigidMotions result;
  result.columns = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(labels.size()), nodes != nullptr ? 6 : 3);
  result.known.assign(labels.size(), Known::nothing);
  std::optional<Places> places;
  if (nodes != nullptr) places.emplace(*nodes, patches);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto [name, direction] = name_and_direction(labels[i]);
    if (direction < 0) continue;
    const auto row = static_cast<Eigen::Index>(i);
    if (!places) {
      if (direction < 3) result.columns(row, direction) = 1.0;
      result.known[i] = Known::translations;
      continue;
    }
    Eigen::Vector3d arm;
    if (!places->find(name, arm)) continue;
    result.known[i] = Known::all;
    result.columns(row, direction) = 1.0;  // a translation, or a rotation of the point's own
    if (direction >= 3) continue;
    for (int axis = 0; axis < 3; ++axis) {
      if (axis == direction) continue;  // e_x x (a, b, c) = (0, -c, b)
      const double sign = (direction - axis + 3) % 3 == 1 ? -1.0 : 1.0;
      result.columns(row, 3 + axis) = sign * arm(3 - axis - direction);
    }
  }
  return result;
}

}  // namespace microslip
