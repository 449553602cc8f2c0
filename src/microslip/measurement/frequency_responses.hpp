#pragma once
// Frequency responses between measured channels: what an estimate from records makes, or a file holds, and what a modal
// fit takes.

#include <Eigen/Core>
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
  Eigen::MatrixXd error;      ///< standard deviation of the real and of the imaginary part, each; empty: not known
  Eigen::MatrixXd coherence;  ///< empty: not known
  double window_decay =
      0.0;  ///< [1/time] of the exponential window exp(-window_decay t): poles lie that much further left
  double force_amplitude = 0.0;  ///< largest force of the hits behind it; 0: not known

  // What an estimate may tell beyond that; a modal fit takes it into its errors.
  /// Correlation of the errors of lines 1, 2, ... apart, E[e(k+m) conj e(k)] over their standard deviations. Empty:
  /// that of the exponential window on a record as long as the reciprocal of the line spacing; none without a window.
  Eigen::VectorXcd line_correlation;
  /// A line each: the part of `error` that all channels share, over the magnitude of their values: noise of the
  /// reference. Empty: none.
  Eigen::VectorXd common_error;
  /// [time] of the records whose free decay is cut off at their end, behind the hit; 0: nothing is cut off.
  double duration = 0.0;
};

/// All that is known of a test: the responses to fit, and the same from parts of the data (single hits, the first part
/// of each record), from which a fit tells how far the structure is from linear.
struct MeasuredResponses {
  /// A part, for people: "hit 2", "first 0.5 s".
  struct Part {
    std::string name;
    std::vector<FrequencyResponses> references;
  };
  std::vector<FrequencyResponses> references;  ///< one a reference, of the same channels and frequencies
  std::vector<Part> parts;
};

}  // namespace microslip
