#include "microslip/measurement/response_gain.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "microslip/measurement/line_correlation.hpp"
#include "microslip/measurement/modal_basis.hpp"

namespace microslip {
namespace {

constexpr double least_difference = 0.07, standard_errors = 5.0;

/// Sum of w |x|^2 without what noise adds, its variance, and the part of that which noise has without any x.
struct Size {
  double square = 0.0, variance = 0.0, of_noise = 0.0;
};

class Sizes {
 public:
  Sizes(Eigen::VectorXd weight, const Eigen::VectorXcd& correlation, double noise_freedom)
      : weight_(std::move(weight)),
        level_variance_(noise_freedom > 0.0 ? 2.0 / noise_freedom : 0.0),
        of_lines_(weight_.size(), correlation),
        of_squares_(weight_.size(), correlation.cwiseAbs2().cast<std::complex<double>>()) {}

  [[nodiscard]] Size of(const Eigen::VectorXcd& x, const Eigen::VectorXd& error) {
    const auto counts = [this](Eigen::Index k) { return weight_(k) > 0.0; };
    Eigen::VectorXcd column = Eigen::VectorXcd::Zero(x.size()), squares = column;
    Size size;
    double noise = 0.0;
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      if (!counts(k)) continue;
      size.square += weight_(k) * std::norm(x(k));
      noise += 2.0 * weight_(k) * error(k) * error(k);
      column(k) = weight_(k) * error(k) * x(k);
      squares(k) = weight_(k) * error(k) * error(k);
    }
    size.square -= noise;
    size.of_noise = 4.0 * of_squares_.gram(stacked(squares))(0, 0);
    // |x|^2 as it was measured holds noise: twice what the squares of noise make
    size.variance = std::max(4.0 * of_lines_.gram(stacked(column))(0, 0) - size.of_noise, size.of_noise);
    const double of_level = level_variance_ * noise * noise;
    size.variance += of_level;
    size.of_noise += of_level;
    return size;
  }

 private:
  Eigen::VectorXd weight_;
  double level_variance_;  ///< of the noise's own variance, over its square
  LineCorrelation of_lines_, of_squares_;
};

}  // namespace

bool ResponseGain::differs() const {
  return std::abs(value - 1.0) > std::max(least_difference, standard_errors * error);
}

ResponseGain gain_between(const Eigen::VectorXcd& a, const Eigen::VectorXd& a_error, const Eigen::VectorXcd& b,
                          const Eigen::VectorXd& b_error, const Eigen::VectorXcd& correlation, double noise_freedom) {
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(a.size());
  double both = 0.0;
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    const double variance = a_error(k) * a_error(k) + b_error(k) * b_error(k);
    if (!(variance > 0.0) || !std::isfinite(variance)) continue;
    weight(k) = 1.0 / variance;
    both += weight(k) * (std::conj(a(k)) * b(k)).real();
  }
  Sizes sizes(std::move(weight), correlation, noise_freedom);
  const Size of_a = sizes.of(a, a_error), of_b = sizes.of(b, b_error);
  if (!(of_a.square > standard_errors * std::sqrt(of_a.of_noise))) return {};
  const double square = std::max(0.0, of_b.square) / of_a.square;
  const double deviation = std::sqrt(of_b.variance + square * square * of_a.variance) / of_a.square;
  const double size = std::sqrt(square);
  const double error = std::min(0.5 * deviation / size, std::sqrt(deviation));  // the second where b is noise
  return {std::copysign(size, both), error, true};
}

}  // namespace microslip
