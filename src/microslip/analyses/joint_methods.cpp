#include "microslip/analyses/joint_methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "microslip/joints/law_traits.hpp"
#include "microslip/joints/make_law.hpp"

namespace microslip {
namespace {

/// joint "a", or joints "a", "b".
std::string list(const std::vector<std::string>& names) {
  std::string text = names.size() == 1 ? "joint" : "joints";
  for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format("{} \"{}\"", i == 0 ? "" : ",", names[i]);
  return text;
}

constexpr std::string_view stiff_jenkins =
    "replace coulomb by a stiff jenkins (kt large, the same fs) and use newmark, harmonic_balance or shooting";

std::string no_method(const JointMethods& joints) {
  return fmt::format("no method takes rigid friction (coulomb: {}) together with the law of {}: {}", list(joints.rigid),
                     list(joints.smooth), stiff_jenkins);
}

}  // namespace

JointMethods joint_methods(const System& system) {
  JointMethods result;
  for (const Joint& joint : system.joints()) {
    if (is_rigid_friction(joint.law)) {
      result.rigid.push_back(joint.name);
    } else if (!is_made_of_lines(joint.law)) {
      result.smooth.push_back(joint.name);
    }
  }
  return result;
}

std::string rigid_friction_obstacle(const System& system, std::string_view what) {
  const JointMethods joints = joint_methods(system);
  if (joints.rigid.empty()) return "";
  if (!joints.smooth.empty()) return no_method(joints);
  return fmt::format(
      "{} does not take rigid friction (coulomb: {}); transient with method = \"events\", frf, level_sweep and orbit "
      "with method = \"piecewise_linear\" and modes do",
      what, list(joints.rigid));
}

std::string massless_obstacle(const System& system, std::string_view what) {
  if (system.truncated() || system.stuck_modes().omega.size() == system.computed_modes()) return "";
  return fmt::format(
      "{} needs mass in every motion, and the mass matrix is singular; reduce the structure (kind = "
      "\"reduced\"), or use another method",
      what);
}

std::string smooth_law_obstacle(const System& system, std::string_view what) {
  const JointMethods joints = joint_methods(system);
  if (joints.smooth.empty()) return "";
  if (!joints.rigid.empty()) return no_method(joints);
  return fmt::format("{} takes the laws {}; the law of {} is none of them", what, laws_that(is_linear_between_events),
                     list(joints.smooth));
}

void refuse_rigid_friction(const TableReader& analysis, std::string_view kind, const System& system) {
  const std::string obstacle = rigid_friction_obstacle(system, fmt::format("kind = \"{}\"", kind));
  if (!obstacle.empty()) throw analysis.error("kind", obstacle);
}

void check_event_method(const TableReader& analysis, const EventMethod& event, const System& system) {
  if (joint_methods(system).rigid.empty()) return;
  const std::string method = analysis.string_or("method", std::string(event.fallback));
  const std::string what = fmt::format("method = \"{}\"", method);
  const std::string_view at = analysis.has("method") ? "method" : "kind";
  const bool known = std::find(event.others.begin(), event.others.end(), method) != event.others.end();
  if (method == event.name) {
    if (!joint_methods(system).smooth.empty()) throw analysis.error(at, smooth_law_obstacle(system, what));
  } else if (known) {  // of any other the reader of the analysis complains
    throw analysis.error(at, rigid_friction_obstacle(system, what));
  }
}

}  // namespace microslip
