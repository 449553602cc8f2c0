#include <fmt/format.h>

#include <algorithm>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/frf/analysis.hpp"
#include "microslip/analyses/response/response_facts.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {

ResponseCurves::Abscissa FrfAnalysis::abscissa() const {
  // Rigid friction may hold the structure still: no logarithm of that.
  return {false, frequency_axis(), !motions.piecewise() && over_decade(from, to)};
}

std::string FrfAnalysis::range_in_words(const UnitLabels& units) const {
  const auto [first, last] = std::minmax_element(at.begin(), at.end());
  const double low = has_curves() ? std::min(from, to) : *first;
  const double high = has_curves() ? std::max(from, to) : *last;
  const std::string end = words::frequency_text(high / two_pi, units);
  return low == high ? end : fmt::format("{} to {}", words::number(low / two_pi), end);
}

std::string FrfAnalysis::how(const AnalysisSummary& summary) const {
  if (!motions.piecewise()) return ResponseCurves::how(summary);
  const auto* known = summary.facts_as<ResponseFacts>();
  const ResponseFacts facts = known != nullptr ? *known : ResponseFacts();
  return fmt::format(
      "Periodic motions as closed chains of exact linear arcs, {}{}: {}, {} of the equations. The last correction of "
      "an event's phase was at most {} rad.",
      piecewise_options.modes > 0 ? words::count_of(piecewise_options.modes, "mode") : std::string("all modes"),
      has_curves() ? "; curves followed by arclength through folds" : "", words::count_of(facts.points, "point"),
      words::count_of(facts.iterations, "evaluation"), words::number(facts.phase_error));
}

}  // namespace microslip
