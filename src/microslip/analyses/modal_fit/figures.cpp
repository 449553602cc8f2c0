#include <fmt/format.h>

#include <algorithm>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/modal_fit/analysis.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

Curve dots(Curve curve) {
  curve.style = CurveStyle::dots;
  return curve;
}

Curve by_mode(Curve curve) {
  curve.split = {"mode"};
  return curve;
}

/// Poles of the diagram as `near_hz` names them.
Picking picking_of_poles() {
  Picking picking;
  picking.key = "near_hz";
  picking.noun = "pole";
  picking.same = "mode";
  picking.known = curve_of("", "frequency_hz", "zeta", "mode");
  picking.known.more = {"mode"};
  picking.beside = damping_ratio_axis(false);
  picking.advice =
      "near_hz in the study file chooses the modes: one within 2 % of each frequency, from the poles that come again "
      "there at any order, and no others. It takes the place of modes.";
  return picking;
}

Figure stabilisation_figure() {
  std::vector<Curve> curves = {curve_of("frf", "frequency_hz", "composite_on_orders", "composite, logarithmic")};
  constexpr const char* kinds[] = {"new", "frequency stable", "and damping", "and shape"};
  for (int kind = 3; kind >= 0; --kind) {
    Curve curve = dots(curve_of("stabilisation", "frequency_hz", "order", kinds[kind]));
    curve.where = {{"stability", static_cast<double>(kind)}};
    curve.more = {"zeta", "mode"};
    curves.push_back(std::move(curve));
  }
  Figure figure = figure_of("stabilisation", "Stabilisation of the poles", frequency_axis(), {"order", "-", false},
                            std::move(curves),
                            "A pole of the structure comes again at every order from some on. Marked: those that modes "
                            "were chosen from. Under the pointer: damping, and the number of the mode. The line behind "
                            "is the composite of the responses.");
  figure.marks.push_back({dots(curve_of("stabilisation", "frequency_hz", "order", "chosen")), "mode"});
  figure.picking = picking_of_poles();
  return figure;
}

Figure mac_figure() {
  Curve curve = curve_of("mac", "mode", "with_mode");
  curve.z = "mac";
  Figure figure = figure_of("mac", "MAC of the modes among themselves", {"mode", "-", false}, {"mode", "-", false},
                            {curve}, "1 on the diagonal; what is bright beside it the channels can hardly tell apart.");
  figure.kind = FigureKind::map;
  figure.z = {"MAC", "-", false};
  return figure;
}

}  // namespace

std::vector<Figure> ModalFitAnalysis::figures(const System&) const {
  const std::string unit = response_unit();
  const Axis size{"response over force", unit, true};
  std::vector<Figure> result = {
      figure_of("composite", "Composite of measured and fitted responses", frequency_axis(), size,
                {curve_of("frf", "frequency_hz", "composite", "measured"),
                 curve_of("frf", "frequency_hz", "composite_fit", "fit"),
                 curve_of("frf", "frequency_hz", "composite_residual", "residual"),
                 curve_of("frf", "frequency_hz", "composite_noise", "noise")},
                "Root mean square over all responses; the residual is that of the differences.")};
  if (options.method == ModalMethod::lscf) result.push_back(stabilisation_figure());
  result.push_back(figure_of(
      "nyquist", "Circles of the modes", {"real part", unit, false}, {"imaginary part", unit, false},
      {by_mode(dots(curve_of("nyquist", "re", "im", "measured"))), by_mode(curve_of("circles", "re", "im", "fit"))},
      "Each mode in the response where it is strongest; the fit between the lines as well."));
  result.push_back(mac_figure());
  Curve shape = by_mode(curve_of("sensors", "channel", "phi_relative"));
  shape.style = CurveStyle::line_and_dots;
  result.push_back(figure_of("shapes", "Shapes at the channels", {"place of the channel", "-", false},
                             {"displacement over the largest, real part", "-", false}, {shape},
                             "In the order of the columns of the shapes."));
  Curve damping = dots(curve_of("", "frequency_hz", "zeta", "modes"));
  std::vector<Curve> dampings = {damping};
  if (options.method == ModalMethod::lscf) {
    Curve poles = dots(curve_of("stabilisation", "frequency_hz", "zeta", "stable poles"));
    poles.where = {{"stability", 3.0}};
    poles.more = {"order", "mode"};
    dampings.insert(dampings.begin(), std::move(poles));
  }
  result.push_back(
      figure_of("damping", "Damping over frequency", frequency_axis(), damping_ratio_axis(true), std::move(dampings)));
  return result;
}

std::string ModalFitAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<ModalFitFacts>();
  if (facts == nullptr || facts->modes.empty()) return words::no_result(summary);
  std::string text = fmt::format("{}:", words::count_of(static_cast<long>(facts->modes.size()), "mode"));
  for (std::size_t m = 0; m < std::min(facts->modes.size(), words::modes_in_words); ++m) {
    const ModalFitFacts::Mode& mode = facts->modes[m];
    text += fmt::format("{} {} with a damping ratio of {}", m == 0 ? "" : ",",
                        words::frequency_text(mode.frequency_hz, mode.frequency_error, units),
                        words::with_error(mode.zeta, mode.zeta_error));
  }
  text += ".";
  return text + words::more_modes(facts->modes.size());
}

std::string ModalFitAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<ModalFitFacts>();
  const std::string first =
      options.method == ModalMethod::lscf
          ? fmt::format(
                "Poles of polynomials of orders up to {}, those that come again, all polished together by "
                "maximum likelihood",
                facts != nullptr ? facts->highest_order : options.highest_order)
          : std::string(
                "Modes fitted one after the other around the highest peak of what the others leave, and again "
                "until nothing moved");
  if (facts == nullptr) return first + ".";
  return fmt::format("{}; {} lines of {}, {} shapes. Noise is that {}; the residual is {} of it.", first, facts->lines,
                     words::count_of(facts->functions, "response"), word_of(options.terms.normal, shape_forms),
                     facts->noise_known ? "of the data" : "of the residual itself",
                     words::number(facts->residual_over_noise));
}

}  // namespace microslip
