#pragma once
// Noise of every channel of a test with hits, and what is wrong with them: dead and clipped channels, hits on a
// structure that still moves.

#include <string>
#include <vector>

#include "microslip/measurement/channel_noise.hpp"
#include "microslip/measurement/hit_blocks.hpp"
#include "microslip/measurement/measured_record.hpp"

namespace microslip {

struct TestNoise {
  std::vector<ChannelNoise> responses;  ///< by channel
  std::vector<ChannelNoise> force;      ///< by record: hammers may differ
  /// Variance before a hit over the mean of all, hits x channels, where it differs by more than chance; else 1.
  std::vector<std::vector<double>> level;
  std::vector<double> force_level;  ///< the same of the force, by hit
  std::vector<double> before;       ///< samples, by channel, over which offsets are known (offset_before); 0: none
  std::vector<std::string> notes;
};
[[nodiscard]] TestNoise noise_of_test(const MeasuredTest& test, const HitBlocks& blocks);

/// Whether the channel can be used for the hit: it is there, moves and is not clipped.
struct ChannelUse {
  std::vector<std::vector<bool>> clipped;  ///< hits x channels
  std::vector<bool> force_clipped;         ///< by hit
  std::vector<std::vector<bool>> dead;     ///< records x channels: all values are the same
};
[[nodiscard]] ChannelUse channel_use(const MeasuredTest& test, const HitBlocks& blocks, const TestNoise& noise);

}  // namespace microslip
