#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "microslip/analyses/loop/analysis.hpp"
#include "microslip/analyses/motion/read_motion.hpp"
#include "microslip/joints/driven_joint.hpp"
#include "microslip/joints/law_traits.hpp"

namespace microslip {
namespace {

constexpr long long most_rows = 20'000'000;

/// The turning points `repeat` times over. Each must turn the motion back; the motion begins at 0.
std::vector<double> read_turns(const TableReader& reader, long long repeat) {
  const std::vector<double> once = reader.numbers("turns", any_number);
  if (once.empty()) throw reader.error("turns", "turns must hold a deflection or more");
  const std::size_t count = once.size();
  if (repeat > most_rows / static_cast<long long>(count)) {
    throw reader.error("repeat", fmt::format("repeat: {} times {} turns are more than {}", repeat, count, most_rows));
  }
  const auto turn = [&](std::size_t i) { return once[i % count]; };
  const std::size_t checked = repeat > 1 ? 2 * count : count;
  for (std::size_t i = 0; i < checked; ++i) {
    const double from = i == 0 ? 0.0 : turn(i - 1), before = i < 2 ? 0.0 : turn(i - 2);
    if (turn(i) != from && (i == 0 || (turn(i) < from) != (from < before))) continue;
    const TomlValue& at = reader.need("turns").items[i % count];
    const std::string again = i < count ? "" : " when the list is repeated";
    if (turn(i) == from)
      throw reader.error(at, fmt::format("turns: from {} to {} nothing moves{}", from, turn(i), again));
    throw reader.error(at, fmt::format("turns: {} goes on the way from {} to {}{}; give the points where the motion "
                                       "turns back only",
                                       turn(i), before, from, again));
  }
  std::vector<double> turns;
  for (long long k = 0; k < repeat; ++k) turns.insert(turns.end(), once.begin(), once.end());
  return turns;
}

void check_laws(const TableReader& reader, const System& system, const std::vector<int>& joints) {
  for (const int j : joints) {
    const Joint& joint = system.joints()[static_cast<std::size_t>(j)];
    if (is_rigid_friction(joint.law)) {
      throw reader.error("joints", fmt::format("joint {} is rigid friction: while it sticks no deflection tells its "
                                               "force; name joints of other laws",
                                               in_quotes(joint.name)));
    }
    if (components_of(joint.law) != 1) {
      throw reader.error("joints", fmt::format("joint {} has {} components; a loop is that of one",
                                               in_quotes(joint.name), components_of(joint.law)));
    }
  }
}

/// From turning point to turning point: forces and work must be numbers.
void check_forces(const TableReader& reader, const System& system, const LoopAnalysis& analysis) {
  const TomlValue& list = reader.need("turns");
  for (const int j : analysis.joints) {
    const Joint& joint = system.joints()[static_cast<std::size_t>(j)];
    DrivenJoint driven(joint.law);
    double from = 0.0, force = 0.0;
    for (std::size_t i = 0; i < std::min(analysis.path.branches(), 2 * list.items.size()); ++i) {
      const double to = analysis.path.turns[i];
      bool finite = true;
      try {
        driven.move_to(to, 0.0, 0.0);
        finite = std::isfinite((to - from) * (std::abs(force) + std::abs(driven.force())));
      } catch (const std::domain_error&) {
        finite = false;
      }
      if (!finite) {
        throw reader.error(list.items[i % list.items.size()],
                           fmt::format("turns: from {} to {} the force or the work of joint {} is beyond all numbers",
                                       from, to, in_quotes(joint.name)));
      }
      from = to;
      force = driven.force();
    }
  }
}

void read_sliders(const TableReader& reader, LoopAnalysis& analysis) {
  if (const TomlValue* value = reader.find("sliders"); value != nullptr && value->type == TomlValue::Type::array) {
    analysis.strengths = reader.numbers("sliders", positive_number);
    const auto& strengths = analysis.strengths;
    if (strengths.empty()) throw reader.error("sliders", "sliders must hold a strength or more; 0 tells none");
    if (std::adjacent_find(strengths.begin(), strengths.end(), std::greater_equal<>()) != strengths.end()) {
      throw reader.error("sliders", "sliders: strengths must increase");
    }
    return;
  }
  analysis.sliders = static_cast<int>(reader.integer_or("sliders", analysis.sliders, 0, 1000));
}

}  // namespace

std::unique_ptr<Analysis> read_loop_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "joints", "turns", "repeat", "period", "points", "sliders"});
  const System& system = parts.system;
  if (system.joints().empty()) throw reader.error("kind", "a loop is that of joints: there is none");
  auto analysis = std::make_unique<LoopAnalysis>();
  analysis->joints.resize(system.joints().size());
  std::iota(analysis->joints.begin(), analysis->joints.end(), 0);
  if (reader.has("joints")) analysis->joints = read_joint_names(reader, "joints", system);
  if (analysis->joints.empty()) throw reader.error("joints", "joints must name one or more");
  check_laws(reader, system, analysis->joints);
  for (const int j : analysis->joints) analysis->names.push_back(system.joints()[static_cast<std::size_t>(j)].name);
  const long long repeat = reader.integer_or("repeat", 1, 1, 1'000'000);
  TurningPath& path = analysis->path;
  path.turns = read_turns(reader, repeat);
  path.period = reader.number_or("period", path.period, positive_number);
  path.parts = static_cast<int>(reader.integer_or("points", path.parts, 2, 1'000'000));
  const auto rows = static_cast<long long>(path.branches()) * path.parts;
  if (rows > most_rows) {
    throw reader.error("turns", fmt::format("{} branches of {} points are {} rows, more than {}: take fewer points",
                                            path.branches(), path.parts, rows, most_rows));
  }
  check_forces(reader, system, *analysis);
  read_sliders(reader, *analysis);
  return analysis;
}

}  // namespace microslip
