#pragma once
// The work of kind = "compare_records": both motions at common times, in modes and bands, and what lies between them.

#include <cstddef>
#include <string>
#include <vector>

#include "microslip/analyses/compare_records/analysis.hpp"
#include "microslip/analyses/ringdown/mode_ringdown.hpp"
#include "microslip/results/results.hpp"

namespace microslip {

/// One signal of both motions at the common times.
struct ComparedSignal {
  int mode = 0;             ///< number; 0: a channel
  std::size_t channel = 0;  ///< its place; of a mode the point
  double noise = 0.0;       ///< standard deviation in the measured one
  std::vector<double> measured, simulated;
  std::vector<double> measured_envelope, simulated_envelope;
  std::vector<double> phase;  ///< over the span; nan where it is not known
};

/// Frequency and damping of a mode along both ring-downs.
struct ComparedCurves {
  ModeRingdown measured, simulated;
};

struct RecordComparison {
  double start = 0.0, step = 0.0;  ///< of the common times
  std::size_t begin = 0, end = 0;  ///< samples of the span
  std::size_t point = 0;           ///< place of the channel that is told in full
  bool unit_modal_mass = true;
  double resampling_error = 0.0;
  bool resampled = false;
  std::vector<ComparedSignal> signals;                   ///< channels, then modes
  std::vector<ComparedCurves> curves;                    ///< one a mode
  std::vector<CompareRecordsFacts::Signal> differences;  ///< one a signal
  std::vector<std::string> notes;
  bool interrupted = false;

  [[nodiscard]] double time(std::size_t sample) const { return start + step * static_cast<double>(sample); }
};

/// Throws std::invalid_argument where there is nothing to compare, and says why.
[[nodiscard]] RecordComparison compare_records(const CompareRecordsAnalysis& analysis, AnalysisRun& with);

}  // namespace microslip
