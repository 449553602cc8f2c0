#include "microslip/analyses/motion/read_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "microslip/input/degrees_of_freedom.hpp"

namespace microslip {
namespace {

constexpr double most_time_steps = 1e12;

int joint_index(const TableReader& record, const TomlValue& value, const System& system) {
  const std::string& name = record.as_string(value, "joints");
  std::vector<std::string> names;
  for (const Joint& joint : system.joints()) {
    if (joint.name == name) return static_cast<int>(names.size());
    names.push_back(joint.name);
  }
  throw record.error(value, fmt::format("joints: unknown joint {}{}", in_quotes(name), suggestion(name, names)));
}

template <class Index>
std::vector<int> read_selection(const TableReader& record, std::string_view key, Index&& index) {
  std::vector<int> selection;
  for (const auto& item : record.as_list(record.need(key), key)) {
    const int found = index(item);
    if (std::find(selection.begin(), selection.end(), found) != selection.end()) {
      throw record.error(item, fmt::format("{}: {} is there twice", key, in_quotes(item.text)));
    }
    selection.push_back(found);
  }
  return selection;
}

}  // namespace

InitialState read_initial(const TableReader& reader, const StudyParts& parts, double duration) {
  InitialState state;
  if (!reader.has("initial")) return state;
  const TableReader initial = reader.table("initial");
  initial.allow_only({"q", "v", "static"});
  const auto& labels = parts.system.structure().labels();
  if (!initial.has("static")) {
    if (initial.has("q")) state.q = weighted_labels(initial, "q", labels, false);
    if (initial.has("v")) state.v = weighted_labels(initial, "v", labels, false);
    return state;
  }
  for (const char* other : {"q", "v"}) {
    if (!initial.has(other)) continue;
    throw initial.error_at_key(*initial.value().find(other), fmt::format("static and {} exclude each other", other));
  }
  state.static_load = load_over(initial, initial.need("static"), "static", parts.loads, duration);
  if (state.static_load->base) {
    throw initial.error(
        "static", fmt::format("static must name a force, got the base motion {}", in_quotes(state.static_load->name)));
  }
  return state;
}

std::vector<int> read_joint_names(const TableReader& reader, std::string_view key, const System& system) {
  return read_selection(reader, key, [&](const TomlValue& item) { return joint_index(reader, item, system); });
}

Record read_record(const TableReader& reader, const System& system) {
  Record result = record_everything(system);
  if (!reader.has("record")) return result;
  const TableReader record = reader.table("record");
  record.allow_only({"dofs", "joints", "every"});
  if (record.has("dofs")) {
    result.dofs = read_selection(record, "dofs", [&](const TomlValue& item) {
      return degree_of_freedom(record, item, "dofs", system.structure().labels(), false);
    });
  }
  if (record.has("joints")) {
    result.joints = read_joint_names(record, "joints", system);
  }
  result.every = static_cast<int>(record.integer_or("every", 1, 1, std::numeric_limits<int>::max()));
  return result;
}

void check_step_count(const TableReader& reader, const char* step_key, double duration, double step) {
  if (step > duration) {
    throw reader.error(step_key, fmt::format("the step must be <= duration = {:g}, got {:g}", duration, step));
  }
  if (!(duration / step <= most_time_steps)) {
    throw reader.error(step_key,
                       fmt::format("duration/step must be <= {:.0e}, got {:.3g}", most_time_steps, duration / step));
  }
}

std::vector<std::string> names_of(const std::vector<Load>& loads) {
  std::vector<std::string> names;
  for (const Load& load : loads) names.push_back(load.name);
  return names;
}

std::string loads_in_words(const std::vector<Load>& loads) {
  return loads.empty() ? "no load" : fmt::format("load {}", fmt::join(names_of(loads), ", "));
}

}  // namespace microslip
