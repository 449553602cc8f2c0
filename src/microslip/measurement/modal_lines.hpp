#pragma once
// Frequency responses as a modal fit takes them: one column a function (channel and reference), weighted lines.
//   s = i omega + window decay:   what an exponential window exp(-d t) does to a transform is to shift s by d, so that
//                                 poles, residues and the powers of s that make velocities of displacements stay exact.

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "microslip/measurement/frequency_responses.hpp"

namespace microslip {

struct ModalLines {
  Eigen::VectorXd frequency;  ///< [1/time]
  Eigen::VectorXcd s;         ///< [rad/time]
  Eigen::VectorXcd factor;    ///< 1, s or s^2: from displacement to what was measured
  Quantity quantity = Quantity::displacement;
  Eigen::MatrixXcd values;   ///< lines x functions
  Eigen::MatrixXd weight;    ///< lines x functions: 1/(standard deviation of the real and of the imaginary part)
  bool noise_known = false;  ///< the weights come from the data, else they are a first guess

  std::vector<std::string> channels;
  std::vector<std::string> references;
  double window_decay = 0.0;
  bool hann = false;                         ///< see FrequencyResponses
  double block = 0.0;                        ///< see FrequencyResponses
  Eigen::VectorXcd correlation;              ///< of lines 1, 2, ... apart; empty: none
  double noise_freedom = 0.0;                ///< the fewest: see FrequencyResponses
  std::vector<Eigen::VectorXd> force_error;  ///< a reference each, or empty: see FrequencyResponses
  std::vector<std::string> left_out;         ///< channels without values
  std::vector<Eigen::Index> numbers;         ///< of the lines, where some between them are left out; empty: none is

  [[nodiscard]] Eigen::Index lines() const { return values.rows(); }
  [[nodiscard]] Eigen::Index functions() const { return values.cols(); }
  /// Column of a channel and a reference.
  [[nodiscard]] Eigen::Index function(std::size_t channel, std::size_t reference) const {
    return static_cast<Eigen::Index>(reference * channels.size() + channel);
  }
  /// The other way round.
  [[nodiscard]] std::size_t channel_of(Eigen::Index function) const {
    return static_cast<std::size_t>(function) % channels.size();
  }
  [[nodiscard]] std::size_t reference_of(Eigen::Index function) const {
    return static_cast<std::size_t>(function) / channels.size();
  }
};

/// Of the lines within the band [1/time], without that at 0, in `channels`: those that are not named are left out, all
/// where none is named. Channels with values that are not finite, or all zero, are left out and told. Throws
/// std::invalid_argument where references do not fit together or too little is left.
[[nodiscard]] ModalLines modal_lines(const std::vector<FrequencyResponses>& references, std::pair<double, double> band,
                                     const std::vector<std::string>& channels = {});

/// Of the errors of lines 1, 2, ... apart, among so many lines: see FrequencyResponses::line_correlation. Empty: none.
[[nodiscard]] Eigen::VectorXcd correlation_of(const FrequencyResponses& responses, Eigen::Index lines);

/// 1, s or s^2.
[[nodiscard]] Eigen::VectorXcd response_factor(const Eigen::VectorXcd& s, Quantity quantity);

/// What the fit of these poles needs of many lines: all those near to a pole, of the rest every so many. Far from all
/// poles lines know next to nothing of them. All lines where there are few.
[[nodiscard]] ModalLines thinned(const ModalLines& lines, const Eigen::VectorXcd& poles);

/// |H|, root mean square over the functions.
[[nodiscard]] Eigen::VectorXd composite(const Eigen::MatrixXcd& values);

}  // namespace microslip
