#include <fmt/format.h>

#include <cmath>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/loop/analysis.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/joints/law_traits.hpp"

namespace microslip {
namespace {

Figure slider_figure(const std::string& joint, std::size_t number, std::size_t sliders) {
  Figure figure =
      figure_of(fmt::format("sliders-{}", number), fmt::format("Sliders of joint {}", joint), time_axis(),
                {"position", "length", false}, {}, "A slider follows where it slips and stays where it sticks.");
  for (std::size_t k = 1; k <= sliders && k <= curves_in_a_figure; ++k) {
    figure.curves.push_back(curve_of("", "time", fmt::format("x[{}.{}]", joint, k), fmt::format("slider {}", k)));
  }
  return figure;
}

/// The first joint, after one cycle or more.
std::string last_cycle(const LoopFacts::OfJoint& joint, const UnitLabels& units) {
  return fmt::format(" Its last cycle has the secant {} and takes {}{}.",
                     words::quantity(joint.secant, "force/length", units),
                     words::quantity(joint.work, "force length", units),
                     std::abs(joint.gap) > 1e-9 * joint.largest_force
                         ? fmt::format("; it misses its start by {}", words::quantity(joint.gap, "force", units))
                         : "");
}

}  // namespace

std::vector<Figure> LoopAnalysis::figures(const System& system) const {
  std::vector<Figure> result = loop_figures(names, "The area of a closed loop is what the joint takes.");
  result.push_back(
      each_over("force", "Force over time", "", "time", time_axis(), "f", {"force", "force", false}, names));
  result.push_back(each_over("stiffness", "Tangent over time", "", "time", time_axis(), "stiffness",
                             {"tangent", "force/length", false}, names));
  std::vector<std::string> slipping;
  std::vector<Figure> of_sliders;
  for (const int j : joints) {
    const Joint& joint = system.joints()[static_cast<std::size_t>(j)];
    if (sliders_of(joint.law) == SliderCount::none) continue;
    slipping.push_back(joint.name);
    const std::size_t count = slider_strengths_of(joint.law).size();
    if (count > 0 && of_sliders.size() < figures_of_a_kind) {
      of_sliders.push_back(slider_figure(joint.name, slipping.size(), count));
    }
  }
  if (!slipping.empty()) {
    result.push_back(each_over("slipped", "Share of the sliders that slip, by stiffness", "", "time", time_axis(),
                               "slipped", {"share of the stuck stiffness", "-", false}, slipping,
                               "0: all stick, 1: macroslip."));
  }
  result.insert(result.end(), of_sliders.begin(), of_sliders.end());
  if (path.branches() < 3) return result;
  Curve work = curve_of("cycles", "cycle", "work", "");
  work.split = {"joint"};
  work.style = CurveStyle::line_and_dots;
  result.push_back(figure_of("work", "Energy of each cycle", {"cycle", "-", false}, {"energy", "force length", false},
                             {work}, "From each turning point to the next and back."));
  return result;
}

std::string LoopAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<LoopFacts>();
  if (facts == nullptr) return words::no_result(summary);
  std::string words;
  for (std::size_t j = 0; j < facts->joints.size() && j < figures_of_a_kind; ++j) {
    const LoopFacts::OfJoint& joint = facts->joints[j];
    words += fmt::format("{}Joint {} through {}: at its turning points the force is {} at most", j > 0 ? " " : "",
                         joint.name, words::count_of(static_cast<long>(path.branches()), "turning point"),
                         words::quantity(joint.largest_force, "force", units));
    if (!std::isnan(joint.dissipation)) {
      words += fmt::format(", and it takes {}", words::quantity(joint.dissipation, "force length", units));
    }
    words += ".";
    if (!std::isnan(joint.work)) words += last_cycle(joint, units);
  }
  return words;
}

std::string LoopAnalysis::how(const AnalysisSummary& summary) const {
  std::string words = fmt::format(
      "Each joint alone, from rest, {} points a branch, evenly spaced in time on half a cosine; work by Simpson's "
      "rule, "
      "dissipation by the law's own energy.",
      path.parts);
  const auto* facts = summary.facts_as<LoopFacts>();
  if (facts == nullptr) return words;
  double worst = 0.0;
  for (const LoopFacts::OfJoint& joint : facts->joints) worst = std::max(worst, std::fmax(joint.energy_error, 0.0));
  return words + fmt::format(" The two agree to {}.", words::number(worst));
}

}  // namespace microslip
