#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numbers>
#include <numeric>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/orbit_analysis.hpp"

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

std::vector<Figure> figures(const OrbitAnalysis& analysis, const System& system) {
  const std::vector<std::string> dofs = labels_of(system, analysis.motion.record.dofs);
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

std::string in_words(const OrbitAnalysis& analysis, const AnalysisSummary& summary, const UnitLabels& units) {
  const auto& facts = summary.facts;
  if (!facts.contains("iterations")) return no_result(summary);
  const FrfAnalysis& motion = analysis.motion;
  std::string words =
      fmt::format("Steady vibration under {} at level {} and {}.", fmt::join(motion.loads, ", "),
                  number(motion.levels.front()), frequency_text(motion.at.front() / (2.0 * std::numbers::pi), units));
  if (facts.contains("stable")) {
    words += facts["stable"].is_null()     ? " Whether it is stable is not known."
             : facts["stable"].get<bool>() ? " It is stable."
                                           : " It is unstable.";
  }
  const auto each = [&](const char* key, const std::string& what, const char* unit) {
    if (!facts.contains(key)) return;
    std::vector<std::string> parts;
    constexpr std::size_t most = 4;
    for (const auto& [name, value] : facts[key].items()) {
      if (parts.size() == most) break;
      if (value.is_number()) parts.push_back(fmt::format("{} ({})", quantity(value.get<double>(), unit, units), name));
    }
    if (!parts.empty()) words += fmt::format(" {} {}.", what, fmt::join(parts, ", "));
  };
  each("amplitude", "Amplitudes:", "length");
  each("dissipation", "Energy taken by the joints in a period:", "force length");
  return words;
}

std::string method_of(const OrbitAnalysis& analysis) {
  return method_of(analysis.motion);
}

std::string how(const OrbitAnalysis& analysis, const AnalysisSummary& summary) {
  const auto& facts = summary.facts;
  std::string words = fmt::format(
      "By {}, {} of the equations with the growth of the load; estimated error {}, tolerance {}, relative.",
      analysis.motion.shooting ? "shooting" : "harmonic balance", count_of(facts.value("iterations", 0L), "evaluation"),
      number(number_in(facts, "error").value_or(0.0)), number(analysis.motion.options.tolerance));
  if (const auto multiplier = number_in(facts, "multiplier")) {
    words += fmt::format(" The largest Floquet multiplier is {}, to {}.", number(*multiplier),
                         number(number_in(facts, "multiplier_error").value_or(0.0)));
  }
  return words + " Sliders are reconstructed from the turning points that each joint remembers.";
}

}  // namespace microslip
