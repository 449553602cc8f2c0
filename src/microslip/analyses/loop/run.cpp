#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "microslip/analyses/loop/analysis.hpp"
#include "microslip/analyses/write_table.hpp"
#include "microslip/joints/driven_joint.hpp"
#include "microslip/joints/law_traits.hpp"

namespace microslip {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct DrivenOne {
  DrivenJoint joint;
  std::string name;
  bool tells_energy = false;
  std::vector<double> strengths;  ///< of the sliders that are told
};

/// What a joint did from one turning point to the next.
struct Branch {
  int joint = 0, number = 0;  ///< from 0
  double from = 0.0, to = 0.0, force_from = 0.0, force_to = 0.0;
  double work = 0.0;         ///< integral of f du
  double dissipation = 0.0;  ///< by the law; NaN: it does not tell
  double stored = 0.0;       ///< energy at the end, the same

  [[nodiscard]] double secant() const { return (force_to - force_from) / (to - from); }
};

/// Two branches: there and back.
struct Cycle {
  const Branch *there, *back;

  [[nodiscard]] double work() const { return there->work + back->work; }
  [[nodiscard]] double dissipation() const { return there->dissipation + back->dissipation; }
  [[nodiscard]] double gap() const { return back->force_to - there->force_from; }
};

struct HistoryRow {
  double time;
  std::vector<DrivenOne>* joints;
};

Table<HistoryRow> history_table(const std::vector<DrivenOne>& joints, const std::vector<std::string>& names) {
  Table<HistoryRow> table;
  table.add({"time", "time", "from the start at 0; two branches take a period"}, &HistoryRow::time);
  const auto each = [](auto value) {
    return [value](const HistoryRow& row, std::size_t i) { return value((*row.joints)[i].joint); };
  };
  table.add_each("u", names, "length", "joint deflection", each([](const DrivenJoint& j) { return j.deflection(); }));
  table.add_each("f", names, "force", "joint force", each([](const DrivenJoint& j) { return j.force(); }));
  table.add_each("stiffness", names, "force/length", "tangent of the joint",
                 each([](const DrivenJoint& j) { return j.stiffness(); }));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (std::isnan(joints[i].joint.slipped_share())) continue;
    table.add({fmt::format("slipped[{}]", names[i]), "-", "share of the joint's stuck stiffness that slips"},
              [i](const HistoryRow& row) { return (*row.joints)[i].joint.slipped_share(); });
    for (std::size_t k = 0; k < joints[i].strengths.size(); ++k) {
      const double strength = joints[i].strengths[k];
      table.add({fmt::format("x[{}.{}]", names[i], k + 1), "length",
                 fmt::format("position of the slider of strength {:.6g}", strength)},
                [i, strength](const HistoryRow& row) { return (*row.joints)[i].joint.slider_position(strength); });
    }
  }
  return table;
}

Table<Branch> branch_table() {
  Table<Branch> table;
  table.add({"joint", "-", "number, in the order of the analysis, from 1"},
            [](const Branch& b) { return b.joint + 1; });
  table.add({"branch", "-", "number, from 1"}, [](const Branch& b) { return b.number + 1; });
  table.add({"from", "length", "deflection at its start"}, &Branch::from);
  table.add({"to", "length", "deflection at its end"}, &Branch::to);
  table.add({"force_from", "force", "at its start"}, &Branch::force_from);
  table.add({"force_to", "force", "at its end"}, &Branch::force_to);
  table.add({"secant", "force/length", "slope between its ends"}, &Branch::secant);
  table.add({"work", "force length", "integral of the force over the deflection"}, &Branch::work);
  table.add({"dissipation", "force length", "by the law's own energy"}, &Branch::dissipation);
  table.add({"stored", "force length", "recoverable energy at its end"}, &Branch::stored);
  return table;
}

Table<Cycle> cycle_table() {
  Table<Cycle> table;
  table.add({"joint", "-", "number, in the order of the analysis, from 1"},
            [](const Cycle& c) { return c.there->joint + 1; });
  table.add({"cycle", "-", "number, from 1: from this turning point to the next and back"},
            [](const Cycle& c) { return c.there->number; });
  table.add({"from", "length", "deflection at its start"}, [](const Cycle& c) { return c.there->from; });
  table.add({"over", "length", "deflection in its middle"}, [](const Cycle& c) { return c.there->to; });
  table.add({"to", "length", "deflection at its end"}, [](const Cycle& c) { return c.back->to; });
  table.add({"secant", "force/length", "slope from its start to its middle"},
            [](const Cycle& c) { return c.there->secant(); });
  table.add({"work", "force length", "integral of the force: of a closed loop its area"}, &Cycle::work);
  table.add({"dissipation", "force length", "by the law's own energy"}, &Cycle::dissipation);
  table.add({"gap", "force", "force at the end less that at the start: 0 where the loop closes"}, &Cycle::gap);
  return table;
}

/// Work of a step by Simpson's rule, which is exact for a straight line and a parabola; the joint goes on.
double step_to(const TurningPath::Point& to, const TurningPath::Point& from, DrivenJoint& joint) {
  const double before = joint.force();
  const double middle = joint.force_at(0.5 * (from.u + to.u), 0.5 * (from.v + to.v), 0.5 * (from.t + to.t));
  joint.move_to(to.u, to.v, to.t);
  return (to.u - from.u) * (before + 4.0 * middle + joint.force()) / 6.0;
}

/// From the state at its start; `branch.work` is there.
void finish(const DrivenOne& one, double dissipated_before, Branch& branch) {
  branch.force_to = one.joint.force();
  branch.dissipation = one.tells_energy ? one.joint.dissipated_energy() - dissipated_before : nan;
  branch.stored = one.tells_energy ? one.joint.stored_energy() : nan;
}

/// Branch after branch, of every joint; its rows go to the sink.
std::vector<Branch> walk(const TurningPath& path, std::vector<DrivenOne>& joints, Table<HistoryRow> table,
                         TableSink& sink, const Observer& observer, Ending& ending) {
  std::vector<Branch> branches;
  for (DrivenOne& one : joints) one.joint.move_to(0.0, path.at(0, 0).v, 0.0);
  table.begin(sink);
  table.write({0.0, &joints}, sink);
  for (std::size_t b = 0; b < path.branches(); ++b) {
    if (observer && !observer(static_cast<double>(b) / static_cast<double>(path.branches()))) {
      ending = Ending::interrupted;
      break;
    }
    std::vector<Branch> now;
    std::vector<double> dissipated;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      now.push_back({static_cast<int>(j), static_cast<int>(b), path.start(b), path.turns[b], joints[j].joint.force()});
      dissipated.push_back(joints[j].joint.dissipated_energy());
    }
    for (int step = 1; step <= path.steps(b); ++step) {
      const TurningPath::Point from = path.at(b, step - 1), to = path.at(b, step);
      for (std::size_t j = 0; j < joints.size(); ++j) now[j].work += step_to(to, from, joints[j].joint);
      table.write({to.t, &joints}, sink);
    }
    for (std::size_t j = 0; j < joints.size(); ++j) finish(joints[j], dissipated[j], now[j]);
    branches.insert(branches.end(), now.begin(), now.end());
  }
  return branches;
}

/// Sorted by joint, the branches of each in the order of the motion. The first leads from 0 and is of no cycle.
std::vector<Cycle> cycles_of(const std::vector<Branch>& sorted) {
  std::vector<Cycle> cycles;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const Branch &there = sorted[i - 1], &back = sorted[i];
    if (there.joint == back.joint && there.number > 0) cycles.push_back({&there, &back});
  }
  return cycles;
}

/// `branches` of this joint, at least one.
LoopFacts::OfJoint facts_of(const DrivenOne& one, std::span<const Branch> branches, const Cycle* last) {
  LoopFacts::OfJoint facts{one.name};
  double stored = 0.0, scale = 0.0, worst = 0.0;
  if (!one.tells_energy) worst = nan;
  for (const Branch& branch : branches) {
    facts.largest_force = std::max({facts.largest_force, std::abs(branch.force_from), std::abs(branch.force_to)});
    facts.dissipation += branch.dissipation;
    const double gained = branch.dissipation + branch.stored - stored;
    scale = std::max({scale, std::abs(branch.work), std::abs(gained)});
    worst = one.tells_energy ? std::max(worst, std::abs(branch.work - gained)) : nan;
    stored = branch.stored;
  }
  facts.energy_error = scale > 0.0 ? worst / scale : worst;
  facts.secant = last != nullptr ? last->there->secant() : nan;
  facts.work = last != nullptr ? last->work() : nan;
  facts.gap = last != nullptr ? last->gap() : nan;
  return facts;
}

void tell_rough_work(const LoopFacts& facts, AnalysisSummary& summary) {
  constexpr double rough = 1e-3;
  for (const LoopFacts::OfJoint& joint : facts.joints) {
    if (!(joint.energy_error > rough)) continue;
    add_message(fmt::format("joint {}: the integral of its force and the energy of its law differ by {:.2g} %: take "
                            "more points, or trust the law's dissipation",
                            joint.name, 100.0 * joint.energy_error),
                summary);
  }
}

}  // namespace

std::vector<double> LoopAnalysis::slider_strengths_of(const Law& law) const {
  if (sliders_of(law) == SliderCount::none) return {};
  return strengths.empty() ? slider_strengths(law, sliders) : strengths;
}

nlohmann::ordered_json LoopFacts::to_json() const {
  nlohmann::ordered_json json;
  const auto add = [&](const OfJoint& joint, const char* key, double value) {
    if (!std::isnan(value)) json["joints"][joint.name][key] = value;
  };
  for (const OfJoint& joint : joints) {
    add(joint, "largest_force", joint.largest_force);
    add(joint, "dissipation", joint.dissipation);
    add(joint, "last_secant", joint.secant);
    add(joint, "last_work", joint.work);
    add(joint, "last_gap", joint.gap);
    add(joint, "energy_error", joint.energy_error);
  }
  return json;
}

nlohmann::ordered_json LoopAnalysis::settings() const {
  nlohmann::ordered_json json = {
      {"joints", names}, {"turns", path.turns}, {"period", path.period}, {"points", path.parts}};
  if (strengths.empty()) {
    json["sliders"] = sliders;
  } else {
    json["sliders"] = strengths;
  }
  return json;
}

std::string LoopAnalysis::describe() const {
  const auto [low, high] = std::minmax_element(path.turns.begin(), path.turns.end());
  return fmt::format("{} between {:g} and {:g}, {} of {} points",
                     names.size() == 1 ? names.front() : fmt::format("{} joints", names.size()), *low, *high,
                     path.branches() == 1 ? "1 branch" : fmt::format("{} branches", path.branches()), path.parts);
}

AnalysisSummary LoopAnalysis::run(AnalysisRun& with) const {
  std::vector<DrivenOne> driven;
  for (const int j : joints) {
    const Joint& joint = with.system.joints()[static_cast<std::size_t>(j)];
    driven.push_back({DrivenJoint(joint.law), joint.name, tells_energy(joint.law), slider_strengths_of(joint.law)});
  }
  AnalysisSummary summary = completed_summary();
  TableSink history = with.results.table(name);
  std::vector<Branch> branches =
      walk(path, driven, history_table(driven, names), history, with.observer, summary.ending);
  history.close();
  summary.files.push_back(table_name(name, "") + ".csv");
  std::stable_sort(branches.begin(), branches.end(),
                   [](const Branch& a, const Branch& b) { return a.joint < b.joint; });
  const std::vector<Cycle> cycles = cycles_of(branches);
  write_table(name, "branches", branch_table(), branches, with.results, summary);
  write_table(name, "cycles", cycle_table(), cycles, with.results, summary);
  if (branches.empty()) return summary;
  LoopFacts facts;
  const std::size_t each = branches.size() / driven.size(), rounds = cycles.size() / driven.size();
  for (std::size_t j = 0; j < driven.size(); ++j) {
    const Cycle* last = rounds > 0 ? &cycles[(j + 1) * rounds - 1] : nullptr;
    facts.joints.push_back(facts_of(driven[j], {branches.data() + j * each, each}, last));
  }
  tell_rough_work(facts, summary);
  summary.sum_up(std::move(facts));
  return summary;
}

}  // namespace microslip
