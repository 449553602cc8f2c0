#include <fmt/format.h>

#include <algorithm>

#include "microslip/analyses/mode_numbers.hpp"
#include "microslip/analyses/peaks/analysis.hpp"
#include "microslip/analyses/response/read_motions.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

/// Where the first peak is looked for: `omega`, `frequency_hz` or around a stuck mode.
void read_range(const TableReader& reader, const System& system, PeaksAnalysis& analysis) {
  const std::string key = reader.exactly_one_of({"omega", "frequency_hz", "mode"});
  if (key == "mode") {
    // Joints that slip lower the frequency, at most to that of the slipped joints; stops and cubic springs raise it.
    constexpr double below = 0.5, above = 1.3;
    const std::vector<int> modes = read_modes(reader, system);
    if (modes.size() != 1) throw reader.error("mode", "mode must be one number: a curve of peaks has one");
    analysis.mode = modes.front();
    const double omega = system.stuck_modes().omega(analysis.mode);
    analysis.from = below * omega;
    analysis.to = above * omega;
    return;
  }
  const std::vector<double> range = reader.numbers(key, positive_number);
  if (range.size() != 2 || range[0] == range[1]) {
    throw reader.error(key, fmt::format("{} must be [from, to], two different numbers", key));
  }
  const double unit = key == "omega" ? 1.0 : two_pi;
  analysis.from = unit * range[0];
  analysis.to = unit * range[1];
}

void check_levels(const TableReader& reader, const std::vector<double>& levels) {
  const bool ordered = std::ranges::is_sorted(levels) || std::ranges::is_sorted(levels, std::ranges::greater());
  if (levels.size() < 2 || !ordered || std::ranges::adjacent_find(levels) != levels.end() ||
      levels.front() * levels.back() < 0.0) {
    throw reader.error("levels",
                       "levels must be [from, .., to], two different numbers at least, of the same sign, rising or "
                       "falling");
  }
}

}  // namespace

std::unique_ptr<Analysis> read_peaks_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "load", "levels", "over", "values", "omega", "frequency_hz", "mode", "harmonics",
                     "samples", "tolerance", "max_step", "record", "peak", "stability"});
  auto analysis = std::make_unique<PeaksAnalysis>();
  read_range(reader, parts.system, *analysis);
  analysis->motions = read_smooth_motions(reader, parts, true);
  analysis->levels = read_levels(reader);
  if (!reader.has("over")) {
    reader.refuse("values", "over");
    static_cast<void>(reader.need("levels"));
    check_levels(reader, analysis->levels);
    return analysis;
  }
  if (analysis->levels.size() != 1) throw reader.error("levels", "with over the level is one number: [1.0]");
  analysis->model = std::make_shared<const VariedModel>(reader, parts, analysis->motions.record.peak_dof);
  return analysis;
}

}  // namespace microslip
