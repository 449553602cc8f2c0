#pragma once
// Frequency responses between measured channels: what an estimate from records makes, or a file holds, and what a modal
// fit takes.

#include <Eigen/Core>
#include <algorithm>
#include <string>
#include <vector>

#include "microslip/measurement/quantity.hpp"

namespace microslip {

/// Responses of several channels to one reference, on one grid of frequencies.
struct FrequencyResponses {
  std::string reference;              ///< name of the channel of the force
  std::vector<std::string> channels;  ///< names of the responses
  Quantity quantity = Quantity::acceleration;
  Eigen::VectorXd frequency;  ///< [1/time], evenly spaced, rising
  Eigen::MatrixXcd values;    ///< frequencies x channels
  Eigen::MatrixXd error;  ///< standard deviation of the real and of the imaginary part, each, that is independent from
                          ///< line to line (but see line_correlation); empty: not known
  double noise_freedom = 0.0;  ///< degrees of freedom behind the variances error^2, of the channel where they are
                               ///< fewest; 0: not known, or many
  /// Standard deviation, over its size, of what the noise of the force adds to the real and to the imaginary part of
  /// values/true - 1: the same factor for all channels, and smooth over lines as the force window is short. The whole
  /// variance of a value is error^2 + (size force_error)^2. Empty: nothing beyond `error`.
  Eigen::VectorXd force_error;
  Eigen::MatrixXd coherence;  ///< empty: not known
  double window_decay =
      0.0;  ///< [1/time] of the exponential window exp(-window_decay t): poles lie that much further left
  double force_amplitude = 0.0;  ///< largest force of the hits behind it; 0: not known
  double block = 0.0;  ///< [time] length of the blocks behind it, without a taper and without zeros, beginning
                       ///< with the hit: residues of a pole p at the lines of 1/block hold the factor
                       ///< 1 - exp((p - window_decay) block); 0: not known, or none such
  int averages = 0;    ///< hits or segments behind it; 0: not known
  bool hann = false;   ///< segments under a Hann window: lines leak into their neighbours
  /// Correlation of the errors of lines 1, 2, ... apart, E[e(k+m) conj e(k)] over their standard deviations. Empty:
  /// that of the exponential window on a record as long as the reciprocal of the line spacing; none without a window.
  Eigen::VectorXcd line_correlation;
};

/// The fewer of two degrees of freedom, 0 for not known or many.
[[nodiscard]] inline double fewer_degrees(double a, double b) {
  return a > 0.0 && b > 0.0 ? std::min(a, b) : std::max(a, b);
}

/// All that is known of a test: the responses to fit, and the same from parts of the data (single hits, the first part
/// of each record), from which a fit tells how far the structure is from linear.
struct MeasuredResponses {
  /// A part, for people: "hit 2", "first 0.5 s".
  struct Part {
    std::string name;
    std::vector<FrequencyResponses> references;
    bool of_all = false;  ///< a piece of every hit or record; else data that no other part but such a piece has
  };
  std::vector<FrequencyResponses> references;  ///< one a reference, of the same channels and frequencies
  std::vector<Part> parts;
};

}  // namespace microslip
