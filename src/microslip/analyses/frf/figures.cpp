#include <fmt/format.h>

#include <algorithm>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/frf/analysis.hpp"
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

}  // namespace microslip
