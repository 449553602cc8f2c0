#pragma once
// The tables of kind = "ringdown".

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
  MeasuredMotion motion;            ///< from the start of the ring-down on
  std::vector<std::size_t> chosen;  ///< signals that were processed
  std::vector<ModeRingdown> curves;
};

void write_ringdown_tables(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                           Results& results);

}  // namespace microslip
