#pragma once
// Several runs on the same axes.

#include <span>
#include <string>
#include <vector>

#include "microslip/report/resolve.hpp"
#include "microslip/report/run_directory.hpp"

namespace microslip {

/// Short names that tell runs apart: the directories without "-results", else the titles, else the paths.
[[nodiscard]] std::vector<std::string> run_labels(std::span<const RunDirectory> runs);

/// The same analysis in each run; null where a run has none. By kind and name; where names differ, by kind, if there is
/// only one of it. In the order of the first run, then what only others have.
using MatchedAnalyses = std::vector<const ReportedAnalysis*>;
[[nodiscard]] std::vector<MatchedAnalyses> match_analyses(std::span<const RunDirectory> runs);

/// The curves of all in one plot, each under the name of its run. What cannot share the axes of the first is left out,
/// and a note says why. Needs one at least, and as many labels.
[[nodiscard]] Resolved overlaid(std::span<Resolved> parts, std::span<const std::string> labels);

}  // namespace microslip
