#include <fmt/format.h>

#include "microslip/analyses/level_sweep/analysis.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {

ResponseCurves::Abscissa LevelSweepAnalysis::abscissa() const {
  // Rigid friction may hold the structure still: no logarithm of that.
  const bool decades = !motions.piecewise() && over_decade(levels.front(), levels.back());
  return {true, Axis{"level of the load", "-", decades}, decades};
}

std::string LevelSweepAnalysis::range_in_words(const UnitLabels&) const {
  return fmt::format("levels from {} to {}", words::number(levels.front()), words::number(levels.back()));
}

}  // namespace microslip
