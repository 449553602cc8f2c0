#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/transient/analysis.hpp"
#include "microslip/analyses/transient/schemes.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

/// Input, stored, and where the rest went.
Figure energy_figure(const System& system) {
  Figure figure = figure_of("energy", "Where the energy goes", time_axis(), {"energy", "force length", false}, {});
  for (const auto& [column, label] :
       {std::pair{"input", "work of the loads"}, {"stored", "stored"}, {"damping", "linear damping"}}) {
    figure.curves.push_back(curve_of("energy", "time", column, label));
  }
  for (const std::string& name : joint_names(system)) {
    if (figure.curves.size() == curves_in_a_figure + 3) break;
    figure.curves.push_back(curve_of("energy", "time", column_of("joint", name), fmt::format("joint {}", name)));
  }
  figure.caption =
      "What was there at the start and the work of the loads is what is stored and what damping and joints have taken "
      "since. Nothing here closes by construction.";
  if (system.joints().size() > curves_in_a_figure) {
    figure.caption += fmt::format(" {} more joints are in the table.", system.joints().size() - curves_in_a_figure);
  }
  return figure;
}

bool has_regimes(const Law& law) {
  return is_rigid_friction(law) || (is_made_of_lines(law) && !is_straight(law));
}

/// Joints that the event method gives a regime, among the recorded ones.
std::vector<int> joints_with_regimes(const TransientAnalysis& analysis, const System& system) {
  std::vector<int> joints;
  for (const int joint : analysis.record.joints) {
    if (has_regimes(system.joints()[static_cast<std::size_t>(joint)].law)) joints.push_back(joint);
  }
  return joints;
}

void add_event_figures(const TransientAnalysis& analysis, const System& system, std::vector<Figure>& result) {
  const std::vector<int> joints = joints_with_regimes(analysis, system);
  if (joints.empty()) return;
  for (Figure& figure : result) {
    if (figure.name != "deflection" && figure.name != "force") continue;
    for (std::size_t i = 0; i < joints.size() && i < curves_in_a_figure; ++i) {
      Marks marks;
      marks.points = curve_of("events", "time", figure.name == "force" ? "f" : "u",
                              fmt::format("events of {}", system.joints()[static_cast<std::size_t>(joints[i])].name));
      marks.points.where = {{"joint", joints[i] + 1.0}};
      figure.marks.push_back(std::move(marks));
    }
  }
  std::vector<std::string> names;
  for (const int joint : joints) names.push_back(system.joints()[static_cast<std::size_t>(joint)].name);
  Figure regimes = each_over("regime", "Regime of the joints over time", "", "time", time_axis(), "regime",
                             {"regime", "-", false}, names,
                             "Friction: 0 sticks, 1 and −1 slide forward and back. Springs: the piece of the "
                             "characteristic, from 0.");
  for (Curve& curve : regimes.curves) curve.style = CurveStyle::steps;
  result.push_back(std::move(regimes));
}

std::string scheme_words(const TransientOptions& o) {
  switch (o.scheme) {
    case Scheme::newmark:
      return fmt::format("Newmark's method with gamma = {:g}, beta = {:g}", o.gamma, o.beta);
    case Scheme::hht:
      return fmt::format("the method of Hilber, Hughes and Taylor with alpha = {:g}", o.alpha);
    case Scheme::generalized_alpha:
      return fmt::format("the generalized-alpha method with rho_infinity = {:g}", o.rho_infinity);
    case Scheme::modal_exact:
      return "exact integration of each mode, forces linear over a step";
  }
  return "";
}

constexpr Choice<Scheme> scheme_legends[] = {{"Newmark", Scheme::newmark},
                                             {"HHT-alpha", Scheme::hht},
                                             {"generalized alpha", Scheme::generalized_alpha},
                                             {"exact modal integration", Scheme::modal_exact}};

std::string modes_words(int modes) {
  return modes > 0 ? fmt::format("the lowest {}", words::count_of(modes, "stuck mode")) : std::string("all modes");
}

std::string energy_quantity(double value, const UnitLabels& units) {
  return words::quantity(value, "force length", units);
}

/// "Of 3 J there at the start and 2 J put in by the loads".
std::string energy_source_words(double initial, double input, const UnitLabels& units) {
  if (initial == 0.0) return fmt::format("Of {} put in by the loads", energy_quantity(input, units));
  if (input == 0.0) return fmt::format("Of {} there at the start", energy_quantity(initial, units));
  return fmt::format("Of {} there at the start and {} put in by the loads", energy_quantity(initial, units),
                     energy_quantity(input, units));
}

/// Where the energy went, in shares.
std::string energy_words(const EnergyFacts& energy, const UnitLabels& units) {
  const EnergyLedger& ledger = energy.ledger;
  const double input = ledger.input, initial = ledger.initial, all = input + initial;
  if (!(all > 0.0)) return fmt::format("The loads put in {} of energy.", energy_quantity(input, units));
  std::vector<std::pair<double, std::string>> joints;
  for (std::size_t j = 0; j < ledger.joints.size(); ++j) joints.emplace_back(ledger.joints[j], energy.joints[j]);
  std::stable_sort(joints.begin(), joints.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string words = energy_source_words(initial, input, units);
  const auto add = [&](double value, const std::string& where) {
    words += fmt::format(", {} {}", words::percent(value / all), where);
  };
  constexpr std::size_t most = 3;
  double rest = 0.0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (i < most) {
      add(joints[i].first, fmt::format("went into joint {}", joints[i].second));
    } else {
      rest += joints[i].first;
    }
  }
  if (joints.size() > most) add(rest, "into the other joints");
  add(ledger.damping, "into linear damping");
  add(ledger.stored, "is left at the end");
  return words + ".";
}

std::string balance_words(const EnergyFacts& energy) {
  return fmt::format(" The energy balance is off by {} of its largest term.", words::number(energy.ledger.error));
}

}  // namespace

std::vector<Figure> TransientAnalysis::figures(const System& system) const {
  const bool history = has_history(psd);
  std::vector<Figure> result = history_figures(system, record, history, psd.has_value());
  if (history) {
    for (Figure& loop : loop_figures(component_names(system, record.joints),
                                     "The area of a loop is what the joint takes in a cycle.")) {
      result.push_back(std::move(loop));
    }
  }
  if (events && history) add_event_figures(*this, system, result);
  result.push_back(energy_figure(system));
  return result;
}

std::string TransientAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<TransientFacts>();
  if (facts == nullptr || !(facts->time() > 0.0)) return words::no_result(summary);
  std::string words = fmt::format("The motion over {}", words::quantity(facts->time(), "time", units));
  if (!loads.empty()) words += fmt::format(" under {}", fmt::join(load_names(), ", "));
  if (const auto& largest = facts->history.largest_displacement) {
    words += fmt::format(": the largest recorded displacement is {}, of degree of freedom {} at t = {}",
                         words::quantity(largest->value, "length", units), largest->dof,
                         words::quantity(largest->time, "time", units));
  }
  words += ". " + energy_words(*facts->energy(), units);
  if (facts->by_events) {
    words += fmt::format(" Joints changed between sticking, sliding and touching {} times.", facts->by_events->events);
  }
  return words;
}

std::string TransientAnalysis::method_in_words() const {
  return events ? std::string(events_method) : word_of(options.scheme, scheme_legends);
}

std::string integration_in_words(const TransientAnalysis& analysis, const MotionFacts* motion) {
  const TransientOptions& options = analysis.options;
  return fmt::format(
             "Time integration by {}, {}, in {} of {}; Newton's method for the joint forces to a relative residual of "
             "{} before the last correction: {} evaluations, {} halved.",
             scheme_words(options), modes_words(options.modes), words::count_of(motion ? motion->steps : 0, "step"),
             words::number(options.step), words::number(options.tolerance), motion ? motion->newton_iterations : 0,
             words::count_of(motion ? motion->halved_steps : 0, "step")) +
         (motion ? balance_words(motion->energy) : "");
}

std::string TransientAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<TransientFacts>();
  if (!events) return integration_in_words(*this, facts && facts->motion ? &*facts->motion : nullptr);
  const bool moved = facts && facts->by_events;
  return fmt::format(
             "Exact linear motion from event to event, every event located to rounding, {}: {} events, {} "
             "evaluations "
             "of event functions; rows every {} of time, on which the motion does not depend.",
             modes_words(options.modes), moved ? facts->by_events->events : 0,
             moved ? facts->by_events->event_evaluations : 0, words::number(options.step * record.every)) +
         (moved ? balance_words(facts->by_events->energy) : "");
}

}  // namespace microslip
