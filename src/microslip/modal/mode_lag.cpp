#include "microslip/modal/mode_lag.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "microslip/numerics/constants.hpp"

namespace microslip {

ModeLag largest_lag(const NonlinearModePoint& point, const Eigen::MatrixXcd& by_log_amplitude,
                    const LinearModes& modes) {
  const auto loss_of = [&](Eigen::Index s, Eigen::Index h) {
    return pi * point.omega * modes.damping(s) * static_cast<double>(h * h) * std::norm(point.modal(s, h));
  };
  double lost = point.dissipation;
  for (Eigen::Index s = 0; s < point.modal.rows(); ++s) {
    for (Eigen::Index h = 1; h < point.modal.cols(); ++h) lost += loss_of(s, h);
  }
  ModeLag most;
  for (Eigen::Index s = 0; s < point.modal.rows(); ++s) {
    for (Eigen::Index h = 1; h < point.modal.cols() && s != modes.mode; ++h) {
      const double loss = loss_of(s, h);
      if (!(loss > 0.0)) continue;
      const double w = static_cast<double>(h) * point.omega;
      const std::complex stiffness(modes.stiffness(s) - w * w,
                                   w * (modes.damping(s) - 2.0 * point.zeta_secant * point.omega));
      const std::complex<double> power = by_log_amplitude(s, h) / point.modal(s, h);
      const double behind = std::abs(power - 1.0) * point.zeta * point.omega * 2.0 * w / std::abs(stiffness);
      const double share = 2.0 * behind * loss / lost;
      if (share > most.share) most = {share, static_cast<int>(s), static_cast<int>(h)};
    }
  }
  return most;
}

std::string lags_in_words(const NonlinearModeCurve& curve) {
  constexpr double little = 0.02;
  const NonlinearModePoint *first = nullptr, *worst = nullptr;
  int count = 0;
  for (const NonlinearModePoint& point : curve.points) {
    if (!(point.lag.share > little)) continue;
    ++count;
    if (first == nullptr) first = &point;
    if (worst == nullptr || point.lag.share > worst->lag.share) worst = &point;
  }
  if (count == 0) return {};
  return fmt::format(
      "mode {}: at {} of {} amplitudes, the first q = {:.3g}, another mode near resonance with a harmonic settles too "
      "slowly for the decay: zeta of a ring-down differs by estimate by {:.2g} % at q = {:.3g}, where harmonic {} "
      "drives mode {}",
      curve.mode + 1, count, curve.points.size(), first->q, 100.0 * worst->lag.share, worst->q, worst->lag.harmonic,
      worst->lag.mode + 1);
}

}  // namespace microslip
