#pragma once
// The tables of kind = "ringdown".

#include <optional>
#include <string>
#include <vector>

#include "microslip/analyses/ringdown/mode_ringdown.hpp"
#include "microslip/results/results.hpp"

namespace microslip {

inline constexpr const char* spectrum_part = "spectrum";
inline constexpr const char* modal_signals_part = "signals";
inline constexpr const char* dominance_part = "dominance";

/// What came of one record.
struct RecordRingdown {
  MeasuredMotion motion;  ///< from the start of the ring-down on
  std::optional<int> dominant_mode;
  std::vector<std::size_t> chosen;      ///< signals that were processed
  std::vector<SampledMotion> in_bands;  ///< the signals, each in the band of its mode where it has one
  std::vector<ModeRingdown> curves;
};

void write_ringdown_tables(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                           Results& results);

}  // namespace microslip
