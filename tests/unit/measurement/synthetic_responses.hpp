#pragma once
// Frequency responses of known modes, with noise: H = s^q sum_m phi_c phi_r/(s^2 + 2 zeta omega s + omega^2).

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "microslip/measurement/frequency_responses.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip::testing {

struct KnownModes {
  std::vector<double> frequency_hz, zeta;
  Eigen::MatrixXd shapes;  ///< channels x modes, unit modal mass
  std::vector<int> reference_channels{0};
  Quantity quantity = Quantity::acceleration;
  double window_decay = 0.0;

  [[nodiscard]] std::size_t modes() const { return frequency_hz.size(); }
};

/// Bending of a free beam or the like: cos(pi m x), the left end moves in every mode.
inline Eigen::MatrixXd cosine_shapes(Eigen::Index channels, Eigen::Index modes) {
  Eigen::MatrixXd shapes(channels, modes);
  for (Eigen::Index c = 0; c < channels; ++c) {
    for (Eigen::Index m = 0; m < modes; ++m) {
      shapes(c, m) = std::cos(pi * static_cast<double>(m + 1) * static_cast<double>(c) / static_cast<double>(channels));
    }
  }
  return shapes;
}

inline std::vector<std::string> channel_names(Eigen::Index count) {
  std::vector<std::string> names;
  for (Eigen::Index c = 0; c < count; ++c) names.push_back(std::to_string(c + 1) + ".y");
  return names;
}

inline FrequencyResponses exact_responses(const KnownModes& known, double from, double to, Eigen::Index lines,
                                          int reference = 0) {
  FrequencyResponses result;
  const Eigen::Index channels = known.shapes.rows();
  result.channels = channel_names(channels);
  result.reference = result.channels[static_cast<std::size_t>(reference)];
  result.quantity = known.quantity;
  result.window_decay = known.window_decay;
  result.frequency = Eigen::VectorXd::LinSpaced(lines, from, to);
  result.values = Eigen::MatrixXcd::Zero(lines, channels);
  for (Eigen::Index k = 0; k < lines; ++k) {
    const std::complex<double> s(known.window_decay, two_pi * result.frequency(k));
    const std::complex<double> factor = std::pow(s, static_cast<int>(known.quantity));
    for (std::size_t m = 0; m < known.modes(); ++m) {
      const double omega = two_pi * known.frequency_hz[m];
      const std::complex<double> f = factor / (s * s + 2.0 * known.zeta[m] * omega * s + omega * omega);
      const auto mode = static_cast<Eigen::Index>(m);
      for (Eigen::Index c = 0; c < channels; ++c) {
        result.values(k, c) += known.shapes(c, mode) * known.shapes(reference, mode) * f;
      }
    }
  }
  return result;
}

/// Independent normal errors, of real and imaginary part each `share` of the channel's root mean square.
inline void add_noise(double share, std::uint64_t seed, bool tell, FrequencyResponses& responses) {
  Normal normal(seed);
  responses.error.resize(tell ? responses.values.rows() : 0, tell ? responses.values.cols() : 0);
  for (Eigen::Index c = 0; c < responses.values.cols(); ++c) {
    const double deviation =
        share * responses.values.col(c).norm() / std::sqrt(static_cast<double>(responses.values.rows()));
    for (Eigen::Index k = 0; k < responses.values.rows(); ++k) {
      const double re = normal(), im = normal();
      responses.values(k, c) += std::complex<double>(deviation * re, deviation * im);
    }
    if (tell) responses.error.col(c).setConstant(deviation);
  }
}

}  // namespace microslip::testing
