// kind = "orbit", method = "piecewise_linear": one period from event to event, begun on the exact orbit.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "microslip/analyses/orbit/analysis.hpp"
#include "microslip/analyses/write_table.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/transient/events.hpp"

namespace microslip {
namespace {

struct StickInterval {
  int joint = 0;
  double start = 0.0, end = 0.0;  ///< the end may lie in the next period [time]
  double deflection = 0.0;
};

/// A contact from an event on.
struct ContactStretch {
  double theta = 0.0;
  int state = 0;
  double deflection = 0.0;  ///< at its start
};

/// Around the whole motion, both halves of an antisymmetric one.
std::vector<ContactStretch> stretches(const PiecewiseOrbit& orbit, const PiecewiseModel& model, std::size_t contact) {
  std::vector<ContactStretch> result;
  Eigen::VectorXd eta, rate;
  for (int half = 0; half < (orbit.antisymmetric ? 2 : 1); ++half) {
    const int sign = half == 0 ? 1 : -1;
    for (const OrbitArc& arc : orbit.arcs) {
      arc.regime->flow().coordinates(arc.start, eta, rate);
      result.push_back({arc.theta + half * orbit.span(), sign * arc.regime->states()[contact],
                        sign * model.contacts()[contact].b.dot(eta)});
    }
  }
  return result;
}

void add_intervals(const PiecewiseOrbit& orbit, const PiecewiseModel& model, std::size_t contact,
                   std::vector<StickInterval>& result) {
  std::vector<ContactStretch> parts = stretches(orbit, model, contact);
  const int joint = model.contacts()[contact].joint;
  const double period = orbit.period();
  const auto slides = std::find_if(parts.begin(), parts.end(), [](const auto& part) { return part.state != 0; });
  if (slides == parts.end()) {
    result.push_back({joint, 0.0, period, parts.front().deflection});
    return;
  }
  const double turn = orbit.omega * period;
  for (auto part = parts.begin(); part != slides; ++part) part->theta += turn;
  std::rotate(parts.begin(), slides, parts.end());
  parts.push_back({parts.front().theta + turn, parts.front().state, 0.0});
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].state != 0 || parts[i - 1].state == 0) continue;
    std::size_t end = i;
    while (parts[end].state == 0) ++end;
    const double start = parts[i].theta / orbit.omega;
    const double whole = period * std::floor(start / period);
    result.push_back({joint, start - whole, parts[end].theta / orbit.omega - whole, parts[i].deflection});
  }
}

/// Of each friction joint, in the order of time.
std::vector<StickInterval> stick_intervals(const PiecewiseOrbit& orbit, const PiecewiseModel& model) {
  std::vector<StickInterval> result;
  for (std::size_t c = 0; c < model.contacts().size(); ++c) {
    if (model.contacts()[c].kind == Contact::Kind::friction) add_intervals(orbit, model, c, result);
  }
  std::stable_sort(result.begin(), result.end(), [](const StickInterval& a, const StickInterval& b) {
    return a.joint < b.joint || (a.joint == b.joint && a.start < b.start);
  });
  return result;
}

Table<StickInterval> stick_table() {
  Table<StickInterval> table;
  table.add({"joint", "-", "number of the joint, from 1"}, [](const StickInterval& row) { return row.joint + 1.0; });
  table.add({"start", "time", "it sticks from here, within the period"},
            [](const StickInterval& row) { return row.start; });
  table.add({"end", "time", "to here; beyond the period: in the next one"},
            [](const StickInterval& row) { return row.end; });
  table.add({"u", "length", "its deflection there"}, [](const StickInterval& row) { return row.deflection; });
  return table;
}

OrbitFacts exact_facts(const ResponsePoint& point, const std::vector<int>& dofs, const System& system) {
  OrbitFacts facts = common_facts(point, dofs, system);
  facts.error = point.exact->error;
  facts.events = point.exact->events;
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    if (!is_rigid_friction(system.joints()[j].law)) continue;
    facts.stick_fraction.emplace_back(system.joints()[j].name, point.exact->stick_fraction[j]);
  }
  return facts;
}

}  // namespace

EventsResult OrbitAnalysis::run_period(PiecewiseResponses& responses, AnalysisRun& with) const {
  const PiecewiseOrbit& orbit = responses.first();
  const PiecewiseModel model = motion.model->vibrating(omega, level);
  const OrbitSeed start = responses.orbits().seed_at(orbit, 0.0);
  const Eigen::VectorXd& ground = model.ground_shape();
  Record record{motion.record.dofs, std::vector<int>(with.system.joints().size()), 1};
  std::iota(record.joints.begin(), record.joints.end(), 0);
  EventsOptions options;
  options.duration = orbit.period();
  options.step = options.duration / points;
  TableSink history = with.results.table(name), events = with.results.table(name, "events");
  EventsResult result = simulate_events(with.system, model, start.q + model.ground(0.0) * ground,
                                        start.v + model.ground_rate(0.0) * ground, record, history, events, options);
  history.close();
  events.close();
  return result;
}

AnalysisSummary OrbitAnalysis::run_exact(AnalysisRun& with) const {
  PiecewiseResponses responses(*motion.model, motion.record, motion.options);
  const FrequencyResponse response = response_or_failure(
      [&] { return responses.answer(AtFrequencies{.level = level, .omegas = {omega}}, with.observer); });
  AnalysisSummary summary;
  summary.ending = response.ending;
  summary.message = response.message;
  if (response.points.empty()) return summary;
  const EventsResult period = run_period(responses, with);
  summary.ending = worse(summary.ending, period.motion.ending);
  add_message(period.motion.message, summary);
  summary.files = {table_name(name, "") + ".csv", table_name(name, "events") + ".csv"};
  write_table(name, "sticks", stick_table(), stick_intervals(responses.first(), *motion.model), with.results, summary);
  summary.sum_up(exact_facts(response.points.front(), motion.record.dofs, with.system));
  return summary;
}

}  // namespace microslip
