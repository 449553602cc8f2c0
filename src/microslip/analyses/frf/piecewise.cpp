// kind = "frf", method = "piecewise_linear": exact orbits with rigid friction.

#include <any>
#include <optional>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/frf/analysis.hpp"
#include "microslip/analyses/response/follow_curves.hpp"

namespace microslip {
namespace {

/// Joints of rigid friction, by number and name.
struct FrictionJoints {
  std::vector<std::size_t> numbers;
  std::vector<std::string> names;

  explicit FrictionJoints(const System& system) {
    for (std::size_t j = 0; j < system.joints().size(); ++j) {
      if (!is_rigid_friction(system.joints()[j].law)) continue;
      numbers.push_back(j);
      names.push_back(system.joints()[j].name);
    }
  }
};

template <class Row>
Table<Row> piecewise_table(const FrfAnalysis& analysis, const System& system) {
  Table<Row> table;
  add_motion_columns(analysis.motions.record, system, table);
  table.add_each("dissipation", joint_names(system), "force length", "of the joint, per period of the load",
                 [](const Row& row, std::size_t j) { return point_of(row).friction_energy[j]; });
  if (analysis.tells_stability(system)) {
    add_stability_columns("1: no Floquet multiplier is outside the unit circle", table);
  }
  table.add({"iterations", "-", "evaluations of the equations"},
            [](const Row& row) { return static_cast<double>(point_of(row).iterations); });
  const FrictionJoints friction(system);
  table.add_each(
      "stick_fraction", friction.names, "-", "stuck time over period",
      [numbers = friction.numbers](const Row& row, std::size_t i) { return point_of(row).stick_fraction[numbers[i]]; });
  table.add_each("friction_energy", friction.names, "force length", "dissipated by friction, per period of the load",
                 [numbers = friction.numbers](const Row& row, std::size_t i) {
                   return point_of(row).friction_energy[numbers[i]];
                 });
  table.add_each(
      "case", friction.names, "-",
      "1: never sticks, 2: sticks at both ends, 3: at the largest, 4: at the smallest deflection only; 0: "
      "anything else",
      [numbers = friction.numbers](const Row& row, std::size_t i) { return point_of(row).cases[numbers[i]]; });
  table.add({"events", "-", "in a period of the motion"},
            [](const Row& row) { return static_cast<double>(point_of(row).events); });
  table.add({"error", "-", "last correction of the phases of the events [rad], or what does not close, relative"},
            [](const Row& row) { return point_of(row).error; });
  return table;
}

/// What a combination of a parameter study leaves for the next one.
struct FirstStates {
  double omega = 0.0;
  std::vector<OrbitSeed> seeds;  ///< one a level
};

PiecewiseResponse piecewise_response(const FrfAnalysis& analysis, std::size_t level, const FirstStates* before,
                                     OrbitSeed& first, const Observer& observer) {
  try {
    PiecewiseResponses responses(*analysis.piecewise_model, analysis.motions.record, analysis.piecewise_options);
    if (before != nullptr && before->omega == analysis.from && level < before->seeds.size()) {
      responses.begin_near(before->seeds[level]);
    }
    PiecewiseResponse response = analysis.has_curves()
                                     ? responses.curve(analysis.levels[level], analysis.from, analysis.to, observer)
                                     : responses.at(analysis.levels[level], analysis.at, observer);
    first = responses.first();
    return response;
  } catch (const std::invalid_argument& error) {
    PiecewiseResponse response;
    response.ending = Ending::no_convergence;
    response.message = error.what();
    return response;
  }
}

}  // namespace

AnalysisSummary FrfAnalysis::run_piecewise(AnalysisRun& with) const {
  std::optional<Table<PiecewiseSpecial>> special;
  if (has_curves()) special = piecewise_table<PiecewiseSpecial>(*this, with.system);
  ResponseTables<PiecewisePoint, PiecewiseSpecial> sinks(name, piecewise_table<PiecewisePoint>(*this, with.system),
                                                         std::move(special), with.results);
  AnalysisSummary summary = completed_summary();
  const FirstStates* before = with.neighbour != nullptr ? std::any_cast<FirstStates>(with.neighbour) : nullptr;
  FirstStates states{from, {}};
  follow_curves(*this, with, sinks, summary, [&](std::size_t level, const Observer& observer) {
    states.seeds.emplace_back();
    return piecewise_response(*this, level, before, states.seeds.back(), observer);
  });
  if (with.neighbour != nullptr) *with.neighbour = std::move(states);
  summary.files = table_files();
  return summary;
}

}  // namespace microslip
