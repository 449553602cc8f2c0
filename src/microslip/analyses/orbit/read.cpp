#include "microslip/analyses/orbit/analysis.hpp"
#include "microslip/analyses/response/read_motions.hpp"

namespace microslip {

std::unique_ptr<Analysis> read_orbit_analysis(const TableReader& reader, const StudyParts& parts) {
  const bool exact = asks_for_exact_orbits(reader, parts.system);
  if (exact) {
    reader.allow_only(
        {"kind", "name", "load", "level", "omega", "frequency_hz", "method", "modes", "period", "record", "points"});
  } else {
    reader.allow_only({"kind", "name", "load", "level", "omega", "frequency_hz", "method", "harmonics", "samples",
                       "tolerance", "record", "steps", "points", "sliders"});
  }
  auto analysis = std::make_unique<OrbitAnalysis>();
  analysis->level = reader.number_or("level", analysis->level, any_number);
  if (analysis->level == 0.0) throw reader.error("level", "level must not be 0: there is no motion without a load");
  const std::vector<double> frequencies = read_fixed_frequencies(reader);
  if (frequencies.size() != 1) {
    throw reader.error(reader.has("omega") ? "omega" : "frequency_hz", "an orbit has one frequency");
  }
  analysis->omega = frequencies.front();
  if (parts.system.components() == 0) throw reader.error("an orbit is that of joints: there is none");
  analysis->motion = exact ? read_exact_motions(reader, parts) : read_smooth_motions(reader, parts, false);
  analysis->points = static_cast<int>(reader.integer_or("points", analysis->points, 16, 1 << 20));
  analysis->sliders = static_cast<int>(reader.integer_or("sliders", analysis->sliders, 0, 1000));
  return analysis;
}

}  // namespace microslip
