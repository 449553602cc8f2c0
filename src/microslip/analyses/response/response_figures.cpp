// Figures and sentences of curves.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numbers>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/response/response_curves.hpp"
#include "microslip/analyses/response/response_facts.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

/// What all figures of a response share: over frequency or level, one curve a level or frequency.
class ResponseFigures {
 public:
  ResponseFigures(const ResponseCurves& analysis, const System& system)
      : analysis_(&analysis), system_(&system), x_(analysis.abscissa()), stable_(analysis.tells_stability(system)) {
    if (analysis.curve_count() > 1) split_ = {x_.level ? "frequency_hz" : "level"};
    if (analysis.looks_for_isolas()) split_.emplace_back("piece");
  }

  /// One a degree of freedom, the first few; the others together.
  void add_amplitudes(std::vector<Figure>& result) const;
  /// Levels side by side, in space.
  void add_levels(std::vector<Figure>& result) const;
  void add_phase(std::vector<Figure>& result) const;
  void add_joints(std::vector<Figure>& result) const;
  void add_multiplier(std::vector<Figure>& result) const;

 private:
  [[nodiscard]] const ResponseRecord& record() const { return analysis_->motions.record; }
  [[nodiscard]] std::vector<std::string> labels() const { return labels_of(*system_, record().dofs); }
  [[nodiscard]] std::string column() const { return x_.level ? "level" : "frequency_hz"; }
  [[nodiscard]] std::string over() const { return x_.level ? "over the level" : "over frequency"; }

  [[nodiscard]] Curve curve(const std::string& column, const std::string& label = "") const {
    Curve curve = curve_of("", this->column(), column, label);
    curve.split = split_;
    if (stable_) curve.stable = "stable";
    if (!analysis_->has_curves()) curve.style = CurveStyle::line_and_dots;
    return curve;
  }
  [[nodiscard]] Figure figure(std::string name, std::string title, Axis y, std::vector<Curve> curves,
                              std::string caption = "") const {
    return figure_of(std::move(name), std::move(title), x_.axis, std::move(y), std::move(curves), std::move(caption));
  }
  void add_marks(Figure& figure, const std::string& column, bool peaks) const;
  [[nodiscard]] std::string stability_caption() const;
  [[nodiscard]] Figure joints(std::string name, const std::string& title, std::string_view symbol, Axis y,
                              const std::vector<std::string>& names, std::string caption) const;

  const ResponseCurves* analysis_;
  const System* system_;
  ResponseCurves::Abscissa x_;
  bool stable_;
  std::vector<std::string> split_;
};

/// Folds, changes of stability, branch points, and the peaks of the one whose peaks are located.
void ResponseFigures::add_marks(Figure& figure, const std::string& column, bool peaks) const {
  if (!analysis_->has_curves()) return;
  const auto add = [&](SpecialKind kind, const char* label) {
    Marks marks;
    marks.points = curve_of("special", this->column(), column, label);
    marks.points.where = {{"type", static_cast<double>(kind)}};
    figure.marks.push_back(std::move(marks));
  };
  add(SpecialKind::fold, "fold");
  if (peaks) add(SpecialKind::peak, "peak");
  add(SpecialKind::stability, "change of stability");
  add(SpecialKind::branch, "branch point");
  add(SpecialKind::jump, "jump");
}

std::string ResponseFigures::stability_caption() const {
  if (!stable_) return "";
  if (!analysis_->has_curves()) return "Dashed where the motion is unstable.";
  return analysis_->motions.piecewise() ? "Solid: stable, dashed: unstable."
                                        : "Solid: stable or not known, dashed: unstable.";
}

/// symbol[joint] of each of these joints in one figure.
Figure ResponseFigures::joints(std::string name, const std::string& title, std::string_view symbol, Axis y,
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

void ResponseFigures::add_amplitudes(std::vector<Figure>& result) const {
  const std::vector<std::string> names = labels();
  const Axis y{"amplitude", "length", x_.decades};
  const std::string caption = fmt::format("Half of the range of the displacement. {}", stability_caption());
  for (std::size_t i = 0; i < names.size() && i < figures_of_a_kind; ++i) {
    const std::string values = column_of("amplitude", names[i]);
    Figure one = figure(fmt::format("amplitude-{}", i + 1), fmt::format("Amplitude of {} {}", names[i], over()), y,
                        {curve(values)}, caption);
    add_marks(one, values, record().dofs[i] == record().peak_dof);
    result.push_back(std::move(one));
  }
  if (names.size() <= figures_of_a_kind) return;
  const std::vector<std::string> others(names.begin() + figures_of_a_kind, names.end());
  Figure rest = figure("amplitude-others", "Amplitude of the others " + over(), y, {}, caption);
  for (std::size_t i = 0; i < others.size() && i < curves_in_a_figure; ++i) {
    rest.curves.push_back(curve(column_of("amplitude", others[i]), others[i]));
  }
  if (others.size() > curves_in_a_figure) {
    rest.caption += fmt::format(" {} more are in the table.", others.size() - curves_in_a_figure);
  }
  result.push_back(std::move(rest));
}

void ResponseFigures::add_levels(std::vector<Figure>& result) const {
  constexpr std::size_t fewest = 3;
  if (!analysis_->has_curves() || x_.level || analysis_->curve_count() < fewest || record().dofs.empty()) return;
  const std::string label = labels().front();
  Curve line = curve("level");
  line.z = column_of("amplitude", label);
  Figure space = figure("levels", fmt::format("Amplitude of {} over frequency and level", label),
                        {"level of the load", "-", false}, {std::move(line)},
                        "Half of the range of the displacement, all levels in space: drag to turn.");
  space.z = {"amplitude", "length", false};
  result.push_back(std::move(space));
}

void ResponseFigures::add_phase(std::vector<Figure>& result) const {
  constexpr std::size_t most_phases_drawn = 3;
  const std::vector<std::string> names = labels();
  if (names.empty()) return;
  Figure phase = figure("phase", "Phase of the first harmonic " + over(), {"phase", "rad", false}, {},
                        "Against the load, between −π and π.");
  for (std::size_t i = 0; i < names.size() && i < most_phases_drawn; ++i) {
    phase.curves.push_back(curve(column_of("phase1", names[i]), names.size() > 1 ? names[i] : ""));
    phase.curves.back().period = 2.0 * std::numbers::pi;
  }
  result.push_back(std::move(phase));
}

void ResponseFigures::add_joints(std::vector<Figure>& result) const {
  if (!analysis_->motions.piecewise()) {
    result.push_back(joints("dissipation", "Dissipation of the joints " + over(), "dissipation",
                            {"energy", "force length", false}, joint_names(*system_), "In a period."));
    return;
  }
  std::vector<std::string> names;
  for (const Joint& joint : system_->joints()) {
    if (is_rigid_friction(joint.law)) names.push_back(joint.name);
  }
  if (names.empty()) return;
  result.push_back(joints("friction", "Energy that friction takes " + over(), "friction_energy",
                          {"energy", "force length", false}, names, "In a period of the load."));
  result.push_back(joints("stick", "Share of the period in which the joint sticks", "stick_fraction",
                          {"share", "-", false}, names, "0: slides all the time, 1: never."));
}

void ResponseFigures::add_multiplier(std::vector<Figure>& result) const {
  if (!stable_) return;
  result.push_back(figure("multiplier", "Largest Floquet multiplier", {"magnitude", "-", false}, {curve("multiplier")},
                          "A small disturbance changes by this factor in a period: beyond 1 the motion is unstable."));
}

std::string stability_words(const std::optional<Stability>& stability) {
  if (!stability) return "";
  if (!stability->stable) return ", where its stability is not known";
  return *stability->stable ? "" : ", where it is unstable";
}

std::string peak_words(const std::vector<HighestResponse>& highest, bool over_level, const UnitLabels& units) {
  constexpr std::size_t most = 4;
  std::string words;
  for (std::size_t i = 0; i < highest.size() && i < most; ++i) {
    const HighestResponse& peak = highest[i];
    const std::string level = fmt::format("level {}", words::number(peak.level));
    const std::string frequency = words::frequency_text(peak.frequency_hz, units);
    words += fmt::format(" The largest amplitude of degree of freedom {}{} is {} at {}{}.", peak.dof,
                         highest.size() > 1 ? fmt::format(" at {}", over_level ? frequency : level) : std::string(),
                         words::quantity(peak.amplitude, "length", units), over_level ? level : frequency,
                         stability_words(peak.stability));
  }
  if (highest.size() > most) words += fmt::format(" {} more curves are in the table.", highest.size() - most);
  return words;
}

std::string detached_words(const ResponseFacts& facts, const UnitLabels& units) {
  if (!facts.detached) return "";
  if (facts.detached->empty()) return " No curve detached from it was found.";
  std::string words;
  for (const ResponseFacts::Detached& curve : *facts.detached) {
    words += fmt::format(" {} detached from it{} goes from {} to {}", curve.closed ? "A closed curve" : "A curve",
                         facts.highest.size() > 1 ? fmt::format(" at level {}", words::number(curve.level)) : "",
                         words::number(curve.from_hz), words::frequency_text(curve.to_hz, units));
    if (curve.highest) {
      words += fmt::format(" and reaches {}{}", words::quantity(curve.highest->amplitude, "length", units),
                           stability_words(curve.highest->stability));
    }
    words += '.';
  }
  return words;
}

std::string special_words(const ResponseFacts& facts) {
  std::string words;
  if (facts.special && facts.special->folds > 0) {
    words += fmt::format(" It folds back at {}.", words::count_of(facts.special->folds, "point"));
  }
  if (!facts.tells_stability) return words;
  if (facts.unstable_points > 0) {
    words += fmt::format(" {} of {} points {} unstable.", facts.unstable_points, facts.points,
                         facts.unstable_points == 1 ? "is" : "are");
  }
  if (facts.undecided_points > 0) {
    words += fmt::format(" Of {} the multiplier is too near to 1 to tell.",
                         words::count_of(facts.undecided_points, "point"));
  }
  if (facts.unknown_multipliers > 0) {
    words += fmt::format(" Of {} no multiplier was found.", words::count_of(facts.unknown_multipliers, "point"));
  }
  return words;
}

}  // namespace

std::vector<Figure> ResponseCurves::figures(const System& system) const {
  const ResponseFigures parts(*this, system);
  std::vector<Figure> result;
  parts.add_amplitudes(result);
  parts.add_levels(result);
  parts.add_phase(result);
  parts.add_joints(result);
  parts.add_multiplier(result);
  return result;
}

std::string ResponseCurves::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<ResponseFacts>();
  if (facts == nullptr || facts->points == 0) return words::no_result(summary);
  return fmt::format("Steady vibration under {}, {}.{}{}{}", fmt::join(motions.loads, ", "), range_in_words(units),
                     peak_words(facts->highest, abscissa().level, units), detached_words(*facts, units),
                     special_words(*facts));
}

std::string ResponseCurves::method_in_words() const {
  return microslip::in_words(motions.method());
}

std::string ResponseCurves::how(const AnalysisSummary& summary) const {
  const auto* known = summary.facts_as<ResponseFacts>();
  const ResponseFacts facts = known != nullptr ? *known : ResponseFacts();
  const std::string points = words::count_of(facts.points, "point");
  const std::string evaluations = words::count_of(facts.iterations, "evaluation");
  const std::string curve = has_curves() ? "; curves followed by arclength through folds" : "";
  const auto error = [](double value) { return words::number(value); };
  if (motions.piecewise()) {
    return fmt::format(
        "Periodic motions as closed chains of exact linear arcs, {}{}: {}, {} of the equations. The last correction of "
        "an event's phase was at most {} rad.",
        motions.modes_in_words(), curve, points, evaluations, error(facts.phase_error));
  }
  if (motions.shooting()) {
    return fmt::format(
        "Shooting with up to {} steps a period{}: {}, {} of the period map. Estimated error of the steps: {} of the "
        "motion, tolerance {}.",
        facts.samples, curve, points, evaluations, error(facts.quadrature_error),
        words::number(motions.options.tolerance));
  }
  const bool fixed_point = motions.options.solver == HarmonicSolver::fixed_point;
  return fmt::format(
      "Harmonic balance with up to {} and {} samples of each joint a period, {}{}: {}, {} of the equations. Estimated "
      "error: {} from harmonics left out, {} from sampling, relative; tolerance {}.",
      words::count_of(facts.harmonics, "harmonic"), facts.samples,
      fixed_point ? "fixed-point iteration" : "Newton's method", curve, points, evaluations,
      error(facts.truncation_error), error(facts.quadrature_error), words::number(motions.tolerance()));
}

}  // namespace microslip
