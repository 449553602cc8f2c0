#include "microslip/analyses/level_sweep/analysis.hpp"
#include "microslip/analyses/response/read_motions.hpp"

namespace microslip {

std::unique_ptr<Analysis> read_level_sweep_analysis(const TableReader& reader, const StudyParts& parts) {
  const bool exact = asks_for_exact_orbits(reader, parts.system);
  if (exact) {
    reader.allow_only({"kind", "name", "load", "levels", "omega", "frequency_hz", "method", "modes", "period",
                       "max_step", "record", "peak", "stability"});
  } else {
    reader.allow_only({"kind", "name", "load", "levels", "omega", "frequency_hz", "method", "harmonics", "samples",
                       "tolerance", "max_step", "record", "peak", "stability", "steps"});
  }
  auto analysis = std::make_unique<LevelSweepAnalysis>();
  static_cast<void>(reader.need("levels"));
  analysis->levels = read_levels(reader);
  const std::vector<double>& levels = analysis->levels;
  if (levels.size() != 2 || levels[0] == levels[1] || levels[0] * levels[1] < 0.0) {
    throw reader.error("levels", "levels must be [from, to], two different numbers of the same sign");
  }
  analysis->at = read_fixed_frequencies(reader);
  analysis->motions = exact ? read_exact_motions(reader, parts) : read_smooth_motions(reader, parts, false);
  return analysis;
}

}  // namespace microslip
