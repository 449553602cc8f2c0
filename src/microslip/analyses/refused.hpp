#pragma once
// Data that a method refuses end its analysis, not the study.

#include <stdexcept>
#include <utility>

#include "microslip/results/analysis_summary.hpp"

namespace microslip {

/// Whether `work` throws std::invalid_argument: the summary then ends with no_convergence, and says why.
template <class Work>
[[nodiscard]] bool refused(AnalysisSummary& summary, Work&& work) {
  try {
    std::forward<Work>(work)();
    return false;
  } catch (const std::invalid_argument& error) {
    summary.ending = Ending::no_convergence;
    summary.message = error.what();
    return true;
  }
}

}  // namespace microslip
