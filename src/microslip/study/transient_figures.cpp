#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/transient_analysis.hpp"

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

std::string method_words(const TransientAnalysis& analysis) {
  const TransientOptions& o = analysis.options;
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

std::string modes_words(int modes) {
  return modes > 0 ? fmt::format("the lowest {}", count_of(modes, "stuck mode")) : std::string("all modes");
}

}  // namespace

std::vector<Figure> figures(const TransientAnalysis& analysis, const System& system) {
  const bool history = !analysis.psd || !analysis.psd->only;
  std::vector<Figure> result = history_figures(system, analysis.record, history, analysis.psd.has_value());
  if (history) {
    for (Figure& loop : loop_figures(component_names(system, analysis.record.joints),
                                     "The area of a loop is what the joint takes in a cycle.")) {
      result.push_back(std::move(loop));
    }
  }
  if (analysis.events && history) add_event_figures(analysis, system, result);
  result.push_back(energy_figure(system));
  return result;
}

namespace {

/// Where the energy went, in shares.
std::string energy_words(const nlohmann::ordered_json& facts, const UnitLabels& units) {
  if (!facts.contains("energy")) return "";
  const auto& energy = facts["energy"];
  const double input = number_in(energy, "input").value_or(0.0), initial = number_in(energy, "initial").value_or(0.0);
  const double all = input + initial;
  std::string words =
      initial != 0.0 && input != 0.0
          ? fmt::format("Of {} there at the start and {} put in by the loads", quantity(initial, "force length", units),
                        quantity(input, "force length", units))
      : initial != 0.0 ? fmt::format("Of {} there at the start", quantity(initial, "force length", units))
                       : fmt::format("Of {} put in by the loads", quantity(input, "force length", units));
  std::vector<std::string> parts;
  const auto add = [&](double value, const std::string& where) {
    if (all > 0.0) parts.push_back(fmt::format("{} {}", percent(value / all), where));
  };
  if (energy.contains("joints")) {
    constexpr std::size_t most = 3;
    double rest = 0.0;
    std::vector<std::pair<double, std::string>> joints;
    for (const auto& [name, value] : energy["joints"].items()) joints.emplace_back(value.get<double>(), name);
    std::stable_sort(joints.begin(), joints.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (i < most) {
        add(joints[i].first, fmt::format("went into joint {}", joints[i].second));
      } else {
        rest += joints[i].first;
      }
    }
    if (joints.size() > most) add(rest, "into the other joints");
  }
  add(number_in(energy, "damping").value_or(0.0), "into linear damping");
  add(number_in(energy, "stored").value_or(0.0), "is left at the end");
  if (parts.empty()) return fmt::format("The loads put in {} of energy.", quantity(input, "force length", units));
  return fmt::format("{}, {}.", words, fmt::join(parts, ", "));
}

}  // namespace

std::string in_words(const TransientAnalysis& analysis, const AnalysisSummary& summary, const UnitLabels& units) {
  const auto time = number_in(summary.facts, "time");
  if (!time || !(*time > 0.0)) return no_result(summary);
  std::string words = fmt::format("The motion over {}", quantity(*time, "time", units));
  if (!analysis.loads.empty()) words += fmt::format(" under {}", fmt::join(names_of(analysis.loads), ", "));
  if (summary.facts.contains("largest_displacement")) {
    const auto& largest = summary.facts["largest_displacement"];
    words += fmt::format(": the largest recorded displacement is {}, of degree of freedom {} at t = {}",
                         quantity(number_in(largest, "value").value_or(0.0), "length", units),
                         largest.value("dof", std::string()),
                         quantity(number_in(largest, "time").value_or(0.0), "time", units));
  }
  words += ". " + energy_words(summary.facts, units);
  if (const auto events = number_in(summary.facts, "events")) {
    words += fmt::format(" Joints changed between sticking, sliding and touching {} times.", *events);
  }
  return words;
}

std::string method_of(const TransientAnalysis& analysis) {
  if (analysis.events) return "events";
  switch (analysis.options.scheme) {
    case Scheme::newmark:
      return "Newmark";
    case Scheme::hht:
      return "HHT-alpha";
    case Scheme::generalized_alpha:
      return "generalized alpha";
    case Scheme::modal_exact:
      return "exact modal integration";
  }
  return "";
}

std::string how(const TransientAnalysis& analysis, const AnalysisSummary& summary) {
  const auto& facts = summary.facts;
  const std::string balance = facts.contains("energy")
                                  ? fmt::format(" The energy balance is off by {} of its largest term.",
                                                number(number_in(facts["energy"], "error").value_or(0.0)))
                                  : "";
  if (analysis.events) {
    return fmt::format(
               "Exact linear motion from event to event, every event located to rounding, {}: {} events, {} "
               "evaluations "
               "of event functions; rows every {} of time, on which the motion does not depend.",
               modes_words(analysis.options.modes), facts.value("events", 0L), facts.value("event_evaluations", 0L),
               number(analysis.options.step * analysis.record.every)) +
           balance;
  }
  return fmt::format(
             "Time integration by {}, {}, in {} of {}; Newton's method for the joint forces to a relative residual of "
             "{} before the last correction: {} evaluations, {} halved.",
             method_words(analysis), modes_words(analysis.options.modes), count_of(facts.value("steps", 0L), "step"),
             number(analysis.options.step), number(analysis.options.tolerance), facts.value("newton_iterations", 0L),
             count_of(facts.value("halved_steps", 0L), "step")) +
         balance;
}

}  // namespace microslip
