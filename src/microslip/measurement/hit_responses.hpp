#pragma once
// Frequency responses from hammer hits, with their errors from the noise of the channels.
//
// With noise N_i of a response and M_i of the force in the transforms of hit i, to first order for H1, H2 and Hv alike,
//   E|dH|^2 = (sum |F_i|^2 (E|N_i|^2 + |H|^2 E|M_i|^2))/(sum |F_i|^2)^2,
// half of it in the real and half in the imaginary part. The noise is that before the hits (channel_noise.hpp). Under a
// force window the noise of the force is a smooth factor over the lines, the same for all channels, and stands by
// itself (FrequencyResponses::force_error); without one it is part of the error of each line. Lines under an
// exponential window are not independent: of the noise of lines m apart the correlation is
//   1/(1 + i pi m/(c T)),   c the window's decay, T the block.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "microslip/measurement/frequency_responses.hpp"
#include "microslip/measurement/hit_blocks.hpp"
#include "microslip/measurement/measured_record.hpp"
#include "microslip/measurement/response_sums.hpp"

namespace microslip {

struct HitOptions {
  FrfEstimator estimator = FrfEstimator::H1;
  double duration = 0.0;  ///< [time] of a block; 0: one hit a record
  bool force_window = true;
  double window_end = 1.0;                 ///< of the exponential window, at the end of the block; 1: none
  double window_decay = 0.0;               ///< [1/time] of it instead; 0: by its end
  double band_low = 0.0, band_high = 0.0;  ///< [1/time] lines that are kept; 0: all but that of the mean
  bool leave_out_double_hits = false;
  bool leave_out_overloads = true;
};

/// A hit, as a table tells it.
struct HitFacts {
  Hit hit;
  double time = 0.0;        ///< when it begins
  double duration = 0.0;    ///< of the pulse
  double double_hit = 0.0;  ///< time between the two; 0: it is none
  int overloads = 0;        ///< channels at the end of their range, the force among them
  bool force_clipped = false;
  bool used = true;
  double force_to_noise = 0.0;     ///< peak over standard deviation; 0: not known
  double response_to_noise = 0.0;  ///< the same of the channel where it is least
};

struct HitEstimate {
  MeasuredResponses responses;  ///< none where no hit could be used
  std::vector<HitFacts> hits;
  std::size_t samples = 0;  ///< of a block
  double step = 0.0;
  double decay = 0.0;        ///< [1/time] of the exponential window
  double force_bias = 0.0;   ///< the largest share by which noise of the force makes H1 too small, 1 at most
  double biased_from = 0.0;  ///< [1/time] the first line at which it is above 1 %; 0: none
  double tail = 0.0;  ///< at the end of the block, before the window, a response is still this share of its largest
  std::vector<std::string> notes;
  bool stopped = false;
};

/// `go_on` is asked now and then, with the share that is done; may be empty.
[[nodiscard]] HitEstimate responses_of_hits(const MeasuredTest& test, Quantity quantity, const HitOptions& options,
                                            const std::function<bool(double)>& go_on = {});

}  // namespace microslip
