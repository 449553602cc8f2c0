#include "microslip/study/joint_methods.hpp"

#include <fmt/format.h>

#include <algorithm>

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
      "{} does not take rigid friction (coulomb: {}); transient with method = \"events\", frf with method = "
      "\"piecewise_linear\" and modes do",
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
  return fmt::format("{} takes the laws linear, gap, piecewise_linear and coulomb; the law of {} is none of them", what,
                     list(joints.smooth));
}

void check_joint_methods(const TableReader& analysis, std::string_view kind, const System& system) {
  const bool without_joints =
      kind == "modes" || kind.starts_with("fit_") || (kind == "ringdown" && analysis.has("data"));
  if (without_joints || joint_methods(system).rigid.empty()) return;
  std::string what = fmt::format("kind = \"{}\"", kind);
  std::string_view at = "kind";
  const std::string_view events = kind == "transient" ? "events" : kind == "frf" ? "piecewise_linear" : "";
  if (!events.empty()) {
    const std::string method = analysis.string_or("method", kind == "transient" ? "newmark" : "harmonic_balance");
    what = fmt::format("method = \"{}\"", method);
    if (analysis.has("method")) at = "method";
    const std::string_view known[] = {"newmark",          "hht",     "generalized_alpha", "modal_exact",
                                      "harmonic_balance", "shooting"};
    const bool understood = std::find(std::begin(known), std::end(known), method) != std::end(known);
    if (method != events && !understood) return;  // the reader of the analysis complains
    if (method == events) {
      if (!joint_methods(system).smooth.empty()) throw analysis.error(at, smooth_law_obstacle(system, what));
      return;
    }
  }
  throw analysis.error(at, rigid_friction_obstacle(system, what));
}

}  // namespace microslip
