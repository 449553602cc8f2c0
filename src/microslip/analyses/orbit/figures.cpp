#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/orbit/analysis.hpp"
#include "microslip/analyses/response/response_facts.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

template <class Test>
std::vector<int> joints_whose_law(const System& system, Test test) {
  std::vector<int> joints;
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    if (test(system.joints()[j].law)) joints.push_back(static_cast<int>(j));
  }
  return joints;
}

/// Joints whose law knows what slips.
std::vector<int> slipping_joints(const System& system) {
  return joints_whose_law(system, [](const Law& law) { return sliders_of(law) != SliderCount::none; });
}

/// Joints with sliders of many strengths.
std::vector<int> slider_joints(const System& system) {
  return joints_whose_law(system, [](const Law& law) { return sliders_of(law) == SliderCount::many; });
}

std::vector<std::string> names_of(const System& system, const std::vector<int>& joints) {
  std::vector<std::string> names;
  for (const int joint : joints) names.push_back(system.joints()[static_cast<std::size_t>(joint)].name);
  return names;
}

Figure state_map(const System& system, int joint) {
  const std::string& name = system.joints()[static_cast<std::size_t>(joint)].name;
  Figure figure;
  figure.name = fmt::format("sliders-{}", joint + 1);
  figure.title = fmt::format("Sliders of joint {} over the cycle", name);
  figure.kind = FigureKind::map;
  figure.x = {"phase of the cycle", "rad", false};
  figure.y = {"strength of the slider", "length", true};
  figure.z = {"stretch of its spring over the strength", "-", false};
  Curve curve = curve_of("states", "phase", "strength", name);
  curve.z = "stretch";
  curve.where = {{"joint", joint + 1.0}};
  figure.curves = {curve};
  figure.caption =
      "Sliders slip at 1 (forward) and −1 (back) and stick between. Strength: the deflection at which a "
      "slider slips.";
  return figure;
}

}  // namespace

std::vector<Figure> OrbitAnalysis::figures(const System& system) const {
  const std::vector<std::string> dofs = labels_of(system, motion.record.dofs);
  std::vector<int> all(system.joints().size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::string> components = component_names(system, all);
  std::vector<Figure> result = {each_over("displacement", "Displacement over a period", "", "time", time_axis(), "q",
                                          {"displacement", "length", false}, dofs)};
  Figure portrait = figure_of("portrait", "Velocity over displacement", {"displacement", "length", false},
                              {"velocity", "length/time", false}, {}, "A periodic motion is a closed curve.");
  for (std::size_t i = 0; i < dofs.size() && i < curves_in_a_figure; ++i) {
    portrait.curves.push_back(curve_of("", column_of("q", dofs[i]), column_of("v", dofs[i]), dofs[i]));
  }
  result.push_back(std::move(portrait));
  for (Figure& loop : loop_figures(components, "The area is what the joint takes in a period.")) {
    result.push_back(std::move(loop));
  }
  if (motion.piecewise()) {
    const auto friction = joints_whose_law(system, [](const Law& law) { return is_rigid_friction(law); });
    if (friction.empty()) return result;
    result.push_back(each_over("regime", "Sticking and sliding over a period", "", "time", time_axis(), "regime",
                               {"sign of the slip", "-", false}, names_of(system, friction), "0: the joint sticks."));
    return result;
  }
  if (const auto joints = slipping_joints(system); !joints.empty()) {
    result.push_back(each_over("slipped", "Share of the sliders that slip, by stiffness", "", "time", time_axis(),
                               "slipped", {"share of the stuck stiffness", "-", false}, names_of(system, joints),
                               "0: all stick, 1: macroslip."));
  }
  const std::vector<int> maps = slider_joints(system);
  for (std::size_t i = 0; i < maps.size() && i < figures_of_a_kind; ++i) result.push_back(state_map(system, maps[i]));
  Figure harmonics =
      each_over("harmonics", "Harmonics of the displacement", "harmonics", "harmonic", {"harmonic", "-", false},
                "amplitude", {"amplitude", "length", false}, dofs, "0: the mean.");
  for (Curve& curve : harmonics.curves) curve.style = CurveStyle::dots;
  result.push_back(std::move(harmonics));
  return result;
}

std::string OrbitAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<OrbitFacts>();
  if (facts == nullptr) return words::no_result(summary);
  std::string words = fmt::format("Steady vibration under {} at level {} and {}.", fmt::join(motion.loads, ", "),
                                  words::number(level), words::frequency_text(omega / two_pi, units));
  if (facts->stability) {
    const std::optional<bool> stable = facts->stability->stable;
    words += !stable ? " Whether it is stable is not known." : *stable ? " It is stable." : " It is unstable.";
  }
  const auto each = [&](const std::vector<OrbitFacts::NamedNumber>& numbers, std::string_view what, const char* unit) {
    constexpr std::size_t most = 4;
    std::vector<std::string> parts;
    for (const auto& [of, value] : numbers) {
      if (parts.size() == most) break;
      parts.push_back(fmt::format("{} ({})", words::quantity(value, unit, units), of));
    }
    if (!parts.empty()) words += fmt::format(" {} {}.", what, fmt::join(parts, ", "));
  };
  each(facts->amplitude, "Amplitudes:", "length");
  each(facts->dissipation, "Energy taken by the joints in a period:", "force length");
  return words;
}

std::string OrbitAnalysis::method_in_words() const {
  return microslip::in_words(motion.method());
}

std::string OrbitAnalysis::how(const AnalysisSummary& summary) const {
  const auto* known = summary.facts_as<OrbitFacts>();
  const OrbitFacts facts = known != nullptr ? *known : OrbitFacts();
  if (motion.piecewise()) {
    return fmt::format(
        "A closed chain of exact linear arcs, {}: {} in a period, {} of the equations; what is left to correct of an "
        "event's phase is at most {} rad. The period is then run from event to event.",
        motion.modes_in_words(), words::count_of(facts.events.value_or(0), "event"),
        words::count_of(facts.iterations, "evaluation"), words::number(facts.error));
  }
  std::string words =
      fmt::format("By {}, {} of the equations with the growth of the load; estimated error {}, tolerance {}, relative.",
                  microslip::in_words(motion.method()), words::count_of(facts.iterations, "evaluation"),
                  words::number(facts.error), words::number(motion.options.tolerance));
  if (facts.stability && std::isfinite(facts.stability->multiplier)) {
    words += fmt::format(" The largest Floquet multiplier is {}, to {}.", words::number(facts.stability->multiplier),
                         words::number(facts.stability->multiplier_error));
  }
  return words + " Sliders are reconstructed from the turning points that each joint remembers.";
}

std::vector<HeadlineNumber> OrbitAnalysis::drawn_headline(const System& system) const {
  std::vector<HeadlineNumber> numbers;
  for (const std::string& label : labels_of(system, motion.record.dofs)) {
    if (numbers.size() == figures_of_a_kind) break;
    numbers.push_back({fmt::format("amplitude[{}]", label), fmt::format("Amplitude of {}", label), ""});
  }
  return numbers;
}

}  // namespace microslip
