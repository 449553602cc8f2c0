#pragma once
// Hits of a hammer in records, and the samples that belong to each: a lead and a block. The block begins at the largest
// force. All blocks are of equal length, even, and without zeros behind them: at the lines k/T of a block of length T
// exp(-i omega T) = 1, so that a motion that is cut off at T keeps its poles (theory.md). The lead, before the block,
// is four times as long as the hit lasts and 48 samples at least, but no more than half of what is before the hit, nor
// than the block: filters without phase ring before it.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "microslip/measurement/measured_record.hpp"

namespace microslip {

struct Hit {
  std::size_t record = 0;             ///< from 0
  std::size_t begin = 0, end = 0;     ///< samples in which the force is not at rest
  std::optional<std::size_t> second;  ///< where it rises again within the block: a double hit
  std::size_t quiet = 0;              ///< samples from there to `lead` are before the hit
  std::size_t lead = 0;               ///< first sample of the lead
  std::size_t block = 0;              ///< first sample of the block
  double rest = 0.0;                  ///< force before it, or of the whole record where nothing is before it
  double peak = 0.0;                  ///< the largest force, less that
};

struct HitBlocks {
  std::vector<Hit> hits;  ///< in the order of the records
  std::size_t samples = 0;
  std::vector<std::string> notes;
};

/// `duration` [time] of a block; records may then hold several hits. 0: one hit a record, to its end; the shortest one
/// tells, less up to 2 % for a length whose transform is fast.
[[nodiscard]] HitBlocks find_hits(const MeasuredTest& test, double duration);

}  // namespace microslip
