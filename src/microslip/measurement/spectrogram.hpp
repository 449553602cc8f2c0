#pragma once
// The spectrum of a signal over time: segments under a Hann window, evenly spread over the signal.

#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

struct Spectrogram {
  std::vector<double> time;       ///< [time] middles of the segments, from the first sample
  std::vector<double> frequency;  ///< [1/time]
  std::vector<double> amplitude;  ///< of a sine; time by time, all frequencies of each
};

/// `times` segments and `lines` frequencies in (0, highest], each with the largest of the transform's bins around it.
/// Segments are as long as resolves the lines, an eighth of the signal at most. Empty of a signal that is too short.
[[nodiscard]] Spectrogram spectrogram(std::span<const double> signal, double step, double highest, std::size_t times,
                                      std::size_t lines);

}  // namespace microslip
