#pragma once
// The identity of the trials of an analysis: all of the study that they may depend on.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"

namespace microslip {

/// Structure, joints and loads, the analysis' own table but for the keys `free` (and its name), the tables of the
/// analyses that it names as `sources` and of theirs, and the content of every file that was read so far. Call it when
/// everything else has been read.
[[nodiscard]] std::string study_identity(const TableReader& own, const StudyParts& parts,
                                         const std::vector<std::string>& sources,
                                         std::initializer_list<std::string_view> free);

}  // namespace microslip
