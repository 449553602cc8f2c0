#pragma once
// Frequency responses from random excitation by Welch's method: segments that overlap, each under a Hann window, less
// its mean. The errors are those of the part of the response that the force does not explain,
//   E|dH|^2 = (1 - coherence)/coherence |H|^2/n,
// with n - 1 for n where the coherence is estimated from the same n averages. Segments that overlap are not
// independent: n = segments/(1 + 2 sum_k (1 - k/segments) rho_k^2), rho_k the correlation of windows k apart.
// Ref: Welch 1967; Bendat and Piersol, Random Data, ch. 9.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "microslip/measurement/frequency_responses.hpp"
#include "microslip/measurement/measured_record.hpp"
#include "microslip/measurement/response_sums.hpp"

namespace microslip {

struct RandomOptions {
  FrfEstimator estimator = FrfEstimator::H1;
  std::size_t segment = 0;                 ///< samples; 0: a sixteenth of all, and a fast length
  double overlap = 0.5;                    ///< share of a segment, 0 to 0.9
  double band_low = 0.0, band_high = 0.0;  ///< [1/time] lines that are kept; 0: all but that of the mean
};

struct RandomEstimate {
  MeasuredResponses responses;  ///< parts: each record alone, where there are several
  std::size_t segment = 0;
  int segments = 0;       ///< of all records
  double averages = 0.0;  ///< as good as so many independent ones
  double step = 0.0;
  std::vector<std::string> notes;
  bool stopped = false;
};

/// Segments as good as independent ones: `count` of them, `hop` samples apart.
[[nodiscard]] double independent_segments(std::size_t segment, std::size_t hop, int count);

/// All records have the same reference. `go_on` as for responses_of_hits.
[[nodiscard]] RandomEstimate responses_of_random(const MeasuredTest& test, Quantity quantity,
                                                 const RandomOptions& options,
                                                 const std::function<bool(double)>& go_on = {});

}  // namespace microslip
