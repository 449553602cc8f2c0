#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/frf_analysis.hpp"

namespace microslip {
namespace {

bool over_decade(double low, double high) {
  return std::min(low, high) > 0.0 && std::max(low, high) >= 10.0 * std::min(low, high);
}

/// What all figures of a response share: over frequency or level, one curve a level or frequency.
class ResponseFigures {
 public:
  ResponseFigures(const FrfAnalysis& analysis, const System& system)
      : analysis_(&analysis), stable_(tells_stability(analysis, system)) {
    x_ = analysis.over_level ? "level" : "frequency_hz";
    x_axis_ = analysis.over_level
                  ? Axis{"level of the load", "-", over_decade(analysis.levels.front(), analysis.levels.back())}
                  : frequency_axis();
    if (analysis.over_level && analysis.at.size() > 1) split_ = {"frequency_hz"};
    if (!analysis.over_level && analysis.levels.size() > 1) split_ = {"level"};
  }

  [[nodiscard]] Curve curve(const std::string& column, const std::string& label = "") const {
    Curve curve = curve_of("", x_, column, label);
    curve.split = split_;
    if (stable_) curve.stable = "stable";
    if (!has_curves(*analysis_)) curve.style = CurveStyle::line_and_dots;
    return curve;
  }

  /// Folds, changes of stability, branch points, and the peaks of the one whose peaks are located.
  void add_marks(Figure& figure, const std::string& column, bool peaks) const {
    if (!has_curves(*analysis_)) return;
    const auto add = [&](SpecialKind kind, const char* label) {
      Marks marks;
      marks.points = curve_of("special", x_, column, label);
      marks.points.where = {{"type", static_cast<double>(kind)}};
      figure.marks.push_back(std::move(marks));
    };
    add(SpecialKind::fold, "fold");
    if (peaks) add(SpecialKind::peak, "peak");
    add(SpecialKind::stability, "change of stability");
    add(SpecialKind::branch, "branch point");
    add(SpecialKind::jump, "jump");
  }

  [[nodiscard]] Figure figure(std::string name, std::string title, Axis y, std::vector<Curve> curves,
                              std::string caption = "") const {
    return figure_of(std::move(name), std::move(title), x_axis_, std::move(y), std::move(curves), std::move(caption));
  }

  [[nodiscard]] std::string over() const { return analysis_->over_level ? "over the level" : "over frequency"; }

  /// symbol[joint] of each of these joints in one figure.
  [[nodiscard]] Figure joints(std::string name, const std::string& title, std::string_view symbol, Axis y,
                              const std::vector<std::string>& names, std::string caption) const {
    Figure result = figure(std::move(name), title, std::move(y), {}, std::move(caption));
    for (std::size_t i = 0; i < names.size() && i < curves_in_a_figure; ++i) {
      result.curves.push_back(curve(column_of(symbol, names[i]), names.size() > 1 ? names[i] : ""));
    }
    if (names.size() > curves_in_a_figure) {
      result.caption += fmt::format(" {} more joints are in the table.", names.size() - curves_in_a_figure);
    }
    return result;
  }

 private:
  const FrfAnalysis* analysis_;
  bool stable_;
  std::string x_;
  Axis x_axis_;
  std::vector<std::string> split_;
};

std::string stability_caption(const FrfAnalysis& analysis, const System& system) {
  if (!tells_stability(analysis, system)) return "";
  if (!has_curves(analysis)) return "Dashed where the motion is unstable.";
  return analysis.piecewise ? "Solid: stable, dashed: unstable." : "Solid: stable or not known, dashed: unstable.";
}

/// One a degree of freedom, the first few; the others together.
void add_amplitudes(const FrfAnalysis& analysis, const System& system, const ResponseFigures& parts,
                    std::vector<Figure>& result) {
  const std::vector<std::string> labels = labels_of(system, analysis.record.dofs);
  // Rigid friction may hold the structure still: no logarithm of that.
  const bool log =
      !analysis.piecewise && (analysis.over_level ? over_decade(analysis.levels.front(), analysis.levels.back())
                                                  : over_decade(analysis.from, analysis.to));
  const Axis y{"amplitude", "length", log};
  const std::string caption =
      fmt::format("Half of the range of the displacement. {}", stability_caption(analysis, system));
  for (std::size_t i = 0; i < labels.size() && i < figures_of_a_kind; ++i) {
    const std::string column = column_of("amplitude", labels[i]);
    Figure figure =
        parts.figure(fmt::format("amplitude-{}", i + 1), fmt::format("Amplitude of {} {}", labels[i], parts.over()), y,
                     {parts.curve(column)}, caption);
    parts.add_marks(figure, column, analysis.record.dofs[i] == analysis.record.peak_dof);
    result.push_back(std::move(figure));
  }
  if (labels.size() <= figures_of_a_kind) return;
  const std::vector<std::string> others(labels.begin() + figures_of_a_kind, labels.end());
  Figure figure = parts.figure("amplitude-others", "Amplitude of the others " + parts.over(), y, {}, caption);
  for (std::size_t i = 0; i < others.size() && i < curves_in_a_figure; ++i) {
    figure.curves.push_back(parts.curve(column_of("amplitude", others[i]), others[i]));
  }
  if (others.size() > curves_in_a_figure) {
    figure.caption += fmt::format(" {} more are in the table.", others.size() - curves_in_a_figure);
  }
  result.push_back(std::move(figure));
}

/// Levels side by side, in space.
void add_levels(const FrfAnalysis& analysis, const System& system, const ResponseFigures& parts,
                std::vector<Figure>& result) {
  constexpr std::size_t fewest = 3;
  if (!has_curves(analysis) || analysis.over_level || analysis.levels.size() < fewest || analysis.record.dofs.empty()) {
    return;
  }
  const std::string label = labels_of(system, analysis.record.dofs).front();
  Curve curve = parts.curve("level");
  curve.z = column_of("amplitude", label);
  Figure figure = parts.figure("levels", fmt::format("Amplitude of {} over frequency and level", label),
                               {"level of the load", "-", false}, {std::move(curve)},
                               "Half of the range of the displacement, all levels in space: drag to turn.");
  figure.z = {"amplitude", "length", false};
  result.push_back(std::move(figure));
}

std::vector<std::string> friction_joints(const System& system) {
  std::vector<std::string> names;
  for (const Joint& joint : system.joints()) {
    if (is_rigid_friction(joint.law)) names.push_back(joint.name);
  }
  return names;
}

std::string range_words(const FrfAnalysis& analysis, const UnitLabels& units) {
  if (analysis.over_level) {
    return fmt::format("levels from {} to {}", number(analysis.levels.front()), number(analysis.levels.back()));
  }
  double low = std::min(analysis.from, analysis.to), high = std::max(analysis.from, analysis.to);
  if (!analysis.at.empty()) {
    low = *std::min_element(analysis.at.begin(), analysis.at.end());
    high = *std::max_element(analysis.at.begin(), analysis.at.end());
  }
  const std::string to = frequency_text(high / (2.0 * std::numbers::pi), units);
  return low == high ? to : fmt::format("{} to {}", number(low / (2.0 * std::numbers::pi)), to);
}

std::string peak_words(const nlohmann::ordered_json& highest, bool over_level, const UnitLabels& units) {
  constexpr std::size_t most = 4;
  std::string words;
  for (std::size_t i = 0; i < highest.size() && i < most; ++i) {
    const auto& peak = highest[i];
    const auto value = [&](const char* key) { return number_in(peak, key).value_or(0.0); };
    words += fmt::format(
        " The largest amplitude of degree of freedom {}{} is {} at {}{}.", peak.value("dof", std::string()),
        highest.size() > 1 ? over_level ? fmt::format(" at {}", frequency_text(value("frequency_hz"), units))
                                        : fmt::format(" at level {}", number(value("level")))
                           : std::string(),
        quantity(value("amplitude"), "length", units),
        over_level ? fmt::format("level {}", number(value("level"))) : frequency_text(value("frequency_hz"), units),
        !peak.contains("stable")      ? ""
        : peak["stable"].is_null()    ? ", where its stability is not known"
        : !peak["stable"].get<bool>() ? ", where it is unstable"
                                      : "");
  }
  if (highest.size() > most) words += fmt::format(" {} more curves are in the table.", highest.size() - most);
  return words;
}

std::string special_words(const nlohmann::ordered_json& facts) {
  std::string words;
  if (const long folds = facts.value("folds", 0L); folds > 0) {
    words += fmt::format(" It folds back at {}.", count_of(folds, "point"));
  }
  if (const long unstable = facts.value("unstable_points", 0L); unstable > 0) {
    words +=
        fmt::format(" {} of {} points {} unstable.", unstable, facts.value("points", 0L), unstable == 1 ? "is" : "are");
  }
  if (const long undecided = facts.value("undecided_points", 0L); undecided > 0) {
    words += fmt::format(" Of {} the multiplier is too near to 1 to tell.", count_of(undecided, "point"));
  }
  return words;
}

}  // namespace

std::vector<Figure> figures(const FrfAnalysis& analysis, const System& system) {
  const ResponseFigures parts(analysis, system);
  std::vector<Figure> result;
  add_amplitudes(analysis, system, parts, result);
  add_levels(analysis, system, parts, result);
  const std::vector<std::string> labels = labels_of(system, analysis.record.dofs);
  constexpr std::size_t most_phases = 3;
  if (!labels.empty()) {
    Figure phase = parts.figure("phase", "Phase of the first harmonic " + parts.over(), {"phase", "rad", false}, {},
                                "Against the load, between −π and π.");
    for (std::size_t i = 0; i < labels.size() && i < most_phases; ++i) {
      phase.curves.push_back(parts.curve(column_of("phase1", labels[i]), labels.size() > 1 ? labels[i] : ""));
      phase.curves.back().period = 2.0 * std::numbers::pi;
    }
    result.push_back(std::move(phase));
  }
  if (analysis.piecewise) {
    const std::vector<std::string> names = friction_joints(system);
    if (!names.empty()) {
      result.push_back(parts.joints("friction", "Energy that friction takes " + parts.over(), "friction_energy",
                                    {"energy", "force length", false}, names, "In a period of the load."));
      result.push_back(parts.joints("stick", "Share of the period in which the joint sticks", "stick_fraction",
                                    {"share", "-", false}, names, "0: slides all the time, 1: never."));
    }
  } else {
    result.push_back(parts.joints("dissipation", "Dissipation of the joints " + parts.over(), "dissipation",
                                  {"energy", "force length", false}, joint_names(system), "In a period."));
  }
  if (tells_stability(analysis, system)) {
    result.push_back(parts.figure("multiplier", "Largest Floquet multiplier", {"magnitude", "-", false},
                                  {parts.curve("multiplier")},
                                  "A small disturbance changes by this factor in a period: beyond 1 the motion is "
                                  "unstable."));
  }
  return result;
}

std::string in_words(const FrfAnalysis& analysis, const AnalysisSummary& summary, const UnitLabels& units) {
  if (summary.facts.value("points", 0L) == 0) return no_result(summary);
  std::string words =
      fmt::format("Steady vibration under {}, {}.", fmt::join(analysis.loads, ", "), range_words(analysis, units));
  if (summary.facts.contains("highest")) words += peak_words(summary.facts["highest"], analysis.over_level, units);
  return words + special_words(summary.facts);
}

std::string method_of(const FrfAnalysis& analysis) {
  if (analysis.piecewise) return "exact linear arcs";
  return analysis.shooting ? "shooting" : "harmonic balance";
}

std::string how(const FrfAnalysis& analysis, const AnalysisSummary& summary) {
  const auto& facts = summary.facts;
  const std::string points = count_of(facts.value("points", 0L), "point");
  const std::string evaluations = count_of(facts.value("iterations", 0L), "evaluation");
  const std::string curve = has_curves(analysis) ? "; curves followed by arclength through folds" : "";
  const auto error = [&](const char* key) { return number(number_in(facts, key).value_or(0.0)); };
  if (analysis.piecewise) {
    return fmt::format(
        "Periodic motions as closed chains of exact linear arcs, {}{}: {}, {} of the equations. The last correction of "
        "an event's phase was at most {} rad.",
        analysis.piecewise_options.modes > 0 ? count_of(analysis.piecewise_options.modes, "mode")
                                             : std::string("all modes"),
        curve, points, evaluations, error("phase_error"));
  }
  if (analysis.shooting) {
    return fmt::format(
        "Shooting with up to {} steps a period{}: {}, {} of the period map. Estimated error of the steps: {} of the "
        "motion, tolerance {}.",
        facts.value("steps", 0L), curve, points, evaluations, error("step_error"), number(analysis.options.tolerance));
  }
  const bool fixed_point = analysis.options.solver == HarmonicSolver::fixed_point;
  return fmt::format(
      "Harmonic balance with up to {} and {} samples of each joint a period, {}{}: {}, {} of the equations. Estimated "
      "error: {} from harmonics left out, {} from sampling, relative; tolerance {}.",
      count_of(facts.value("harmonics", 0L), "harmonic"), facts.value("samples", 0L),
      fixed_point ? "fixed-point iteration" : "Newton's method", curve, points, evaluations, error("truncation_error"),
      error("quadrature_error"),
      number(fixed_point ? analysis.options.fixed_point_tolerance : analysis.options.tolerance));
}

std::vector<Figure> figures(const LevelSweepAnalysis& analysis, const System& system) {
  return figures(analysis.curves, system);
}

std::string in_words(const LevelSweepAnalysis& analysis, const AnalysisSummary& summary, const UnitLabels& units) {
  return in_words(analysis.curves, summary, units);
}

std::string method_of(const LevelSweepAnalysis& analysis) {
  return method_of(analysis.curves);
}

std::string how(const LevelSweepAnalysis& analysis, const AnalysisSummary& summary) {
  return how(analysis.curves, summary);
}

}  // namespace microslip
