#include "microslip/report/geometry_json.hpp"

#include <nlohmann/json.hpp>

namespace microslip {

nlohmann::ordered_json to_json(const Geometry& geometry, const std::vector<std::string>& labels) {
  auto motions = nlohmann::ordered_json::array();
  for (const Geometry::Motion& motion : geometry.motions) {
    nlohmann::ordered_json json;
    json["point"] = motion.point;
    json["dof"] = labels.at(static_cast<std::size_t>(motion.dof));
    json["direction"] = motion.direction;
    motions.push_back(std::move(json));
  }
  nlohmann::ordered_json json;
  json["points"] = geometry.points;
  json["motions"] = std::move(motions);
  json["lines"] = geometry.lines;
  json["assumed"] = geometry.assumed;
  return json;
}

}  // namespace microslip
