#pragma once
// Keys that analyses of periodic motions under harmonic loads share: frf, level_sweep, orbit.

#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/response/motion_request.hpp"

namespace microslip {

/// Levels of the load, none of them 0; a negative one turns it round. 1 where the key is missing.
[[nodiscard]] std::vector<double> read_levels(const TableReader& reader);

/// `omega` or `frequency_hz`, a number or a list of them [rad/time].
[[nodiscard]] std::vector<double> read_fixed_frequencies(const TableReader& reader);

/// `record` and `peak`. Without them all degrees of freedom are recorded, and peaks are those of the one that the load
/// pushes most.
[[nodiscard]] ResponseRecord read_response_record(const TableReader& reader, const System& system,
                                                  const HarmonicLoad& load);

/// method = "piecewise_linear"? Complains where a joint is rigid friction and the method does not take it.
[[nodiscard]] bool asks_for_exact_orbits(const TableReader& reader, const System& system);

/// Load, record and options of exact orbits.
[[nodiscard]] MotionRequest read_exact_motions(const TableReader& reader, const StudyParts& parts);

/// Method, load, record, accuracy of harmonic balance or shooting. `curves`: over frequency, not single frequencies.
[[nodiscard]] MotionRequest read_smooth_motions(const TableReader& reader, const StudyParts& parts, bool curves);

}  // namespace microslip
