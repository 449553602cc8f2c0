#include "microslip/measurement/modal_remarks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "microslip/measurement/stabilisation.hpp"
#include "microslip/numerics/chance_beyond.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

/// Pairs whose distance is not known to be there.
void tell_of_close_pairs(const ModalErrors& errors, const Eigen::VectorXd& inflation, ModalFit& fit) {
  const Eigen::VectorXcd& poles = fit.fit.poles;
  for (Eigen::Index m = 0; m + 1 < poles.size(); ++m) {
    const Eigen::Index n = m + 1;
    const PoleGap gap = gap_between(poles, errors, m, n, std::max(inflation(m), inflation(n)));
    if (gap.is_known()) continue;
    const bool alike = shape_likeness(fit.modes.shapes.col(m), fit.modes.shapes.col(n)) > same_shape;
    fit.doubts.push_back(
        fmt::format("modes {} and {} are {:.3g} Hz apart, with a standard error of {:.2g} Hz: {}",
                    fit.modes.numbers[static_cast<std::size_t>(m)], fit.modes.numbers[static_cast<std::size_t>(n)],
                    gap.frequency / two_pi, gap.frequency_error / two_pi,
                    alike ? "the data cannot tell them apart"
                          : "their shapes tell them apart, their frequencies may be the same and the shapes mixed"));
  }
}

void tell_of_noise(const Eigen::VectorXd& inflation, ModalFit& fit) {
  std::vector<std::string> larger;
  for (Eigen::Index m = 0; m < inflation.size(); ++m) {
    if (inflation(m) > 1.0) {
      larger.push_back(
          fmt::format("mode {}: {:.2g}", fit.modes.numbers[static_cast<std::size_t>(m)], std::sqrt(inflation(m))));
    }
  }
  if (!larger.empty()) {
    fit.remarks.push_back(fmt::format(
        "around some modes the residual is larger than noise (times its standard deviation, {}): what is not linear, "
        "or not in the model; errors are that much larger, which holds as far as it is like noise",
        fmt::join(larger, ", ")));
  }
  if (!fit.lines.noise_known) {
    fit.remarks.push_back("the data state no noise: it is taken from what the fit leaves, smooth over the lines");
  } else if (fit.chi_squared_ratio < 0.5) {
    fit.remarks.push_back(
        fmt::format("the residual is {:.2g} of the stated noise: that is too large, and so are the errors",
                    std::sqrt(fit.chi_squared_ratio)));
  }
}

void tell_of_damping(ModalFit& fit) {
  constexpr double poor = 0.3;
  for (Eigen::Index m = 0; m < fit.modes.zeta.size(); ++m) {
    const int number = fit.modes.numbers[static_cast<std::size_t>(m)];
    if (!(fit.zeta_noise(m) > poor * fit.modes.zeta(m))) continue;
    fit.doubts.push_back(fmt::format("mode {}: its damping is known to {:.0f} % only", number,
                                     100.0 * fit.zeta_noise(m) / fit.modes.zeta(m)));
  }
}

/// Channels in which nothing of any mode stands out of the noise (99.9 %).
void tell_of_silent_channels(const ModalErrors& errors, const Eigen::VectorXd& inflation, const ModalTerms& terms,
                             ModalFit& fit) {
  constexpr double by_chance = 1e-3;
  const Eigen::Index modes = fit.fit.poles.size();
  const auto references = static_cast<Eigen::Index>(fit.lines.references.size());
  const auto degrees = static_cast<int>(terms.a_mode() * modes * references);
  std::vector<std::string> silent;
  for (std::size_t c = 0; c < fit.lines.channels.size(); ++c) {
    double sum = 0.0;
    for (Eigen::Index m = 0; m < modes; ++m) {
      for (Eigen::Index r = 0; r < references; ++r) {
        const Eigen::Index function = fit.lines.function(c, static_cast<std::size_t>(r));
        sum += mode_significance(fit.fit, terms, errors, m, function) / inflation(m);
      }
    }
    if (chance_of_chi_squared(sum, degrees) > by_chance) silent.push_back(fit.lines.channels[c]);
  }
  if (silent.empty()) return;
  fit.doubts.push_back(
      fmt::format("{} {}: nothing of any mode stands out of the noise there; dead, or at rest in all of them",
                  silent.size() == 1 ? "channel" : "channels", fmt::join(silent, ", ")));
}

/// A line of the residual far above what is stated, of all functions together, that no mode is near to.
void tell_of_peaks(ModalFit& fit) {
  const ModalLines& lines = fit.lines;
  const Eigen::Index count = lines.lines();
  const Eigen::VectorXd squares = fit.fit.residuals.cwiseAbs2().rowwise().mean();
  const Eigen::VectorXd height = 0.5 * (squares.head(count) + squares.tail(count));
  const double limit =
      std::max(1.0, fit.chi_squared_ratio) *
      (1.0 + (12.0 + std::log(static_cast<double>(count))) / std::sqrt(static_cast<double>(lines.functions())));
  Eigen::Index highest = 0;
  if (!(height.maxCoeff(&highest) > limit)) return;
  const double frequency = lines.frequency(highest);
  for (const std::complex<double> pole : fit.fit.poles) {
    const double reach =
        5.0 * (lines.window_decay - pole.real()) / two_pi + 3.0 * (lines.frequency(1) - lines.frequency(0));
    if (std::abs(frequency - pole.imag() / two_pi) < reach) return;  // the inflation tells of it
  }
  fit.remarks.push_back(
      fmt::format("the residual has a peak at {:.6g} Hz, {:.1f} times the noise, that no mode explains", frequency,
                  std::sqrt(height(highest))));
}

}  // namespace

void tell_of_modes(const ModalErrors& errors, const Eigen::VectorXd& inflation, const ModalFitOptions& options,
                   ModalFit& fit) {
  if (fit.fit.poles.size() == 0) {
    fit.doubts.push_back(
        !options.near.empty() ? "no mode was found near any of the frequencies that are named"
        : options.method == ModalMethod::isolation
            ? "no mode was found: no peak stands out of the noise"
            : "no mode was found: no pole comes again from order to order and stands out of the noise");
    return;
  }
  if (!fit.converged && !fit.interrupted) fit.doubts.push_back("the fit did not settle");
  if (fit.lines.channels.size() == 1 && fit.lines.references.size() > 1) {
    fit.doubts.push_back(
        fmt::format("one channel and {} references: the shapes have one component", fit.lines.references.size()));
  }
  tell_of_close_pairs(errors, inflation, fit);
  tell_of_silent_channels(errors, inflation, options.terms, fit);
  tell_of_damping(fit);
  tell_of_noise(inflation, fit);
  tell_of_peaks(fit);
  constexpr double cut_off = 0.02;
  for (Eigen::Index m = 0; m < fit.fit.poles.size() && options.terms.normal && fit.lines.block > 0.0; ++m) {
    const double left = std::exp((fit.fit.poles(m).real() - fit.lines.window_decay) * fit.lines.block);
    if (left < cut_off) continue;
    fit.doubts.push_back(
        fmt::format("mode {}: {:.1f} % of its motion is left where the records end: normal shapes do not fit to that; "
                    "take shapes = \"complex\", or a window",
                    m + 1, 100.0 * left));
  }
}

void tell_of_spread(ModalFit& fit) {
  constexpr double of_shape = 0.01;  // of the largest component: less is in the errors alone
  std::vector<std::string> modes;
  for (Eigen::Index m = 0; m < fit.frequency_spread.size(); ++m) {
    Eigen::Index channel = 0;
    const double size = fit.modes.shapes.col(m).cwiseAbs().maxCoeff();
    const double shape = fit.shape_spread.col(m).maxCoeff(&channel) / size;
    if (!(fit.frequency_spread(m) > 0.0) && !(fit.zeta_spread(m) > 0.0) && !(shape > of_shape)) continue;
    modes.push_back(fmt::format(
        "mode {}: {:.2g} % of frequency, {:.2g} % of damping", fit.modes.numbers[static_cast<std::size_t>(m)],
        100.0 * fit.frequency_spread(m) / fit.modes.frequency_hz(m), 100.0 * fit.zeta_spread(m) / fit.modes.zeta(m)));
    if (!(shape > of_shape)) continue;
    modes.back() += fmt::format(", {:.2g} % of the largest component at channel {}", 100.0 * shape,
                                fit.modes.channels[static_cast<std::size_t>(channel)]);
  }
  if (modes.empty()) return;
  fit.remarks.push_back(
      fmt::format("parts of the data differ by more than noise ({}): the structure is not linear, or the hits were not "
                  "made alike; the "
                  "errors hold the spread",
                  fmt::join(modes, "; ")));
}

Eigen::VectorXd largest_leakage(const ModalFit& fit) {
  const double spacing = fit.lines.frequency(1) - fit.lines.frequency(0);
  const Eigen::ArrayXd lines = 2.0 * fit.modes.zeta.array() * fit.modes.frequency_hz.array() / spacing;
  return fit.modes.zeta.array() * (4.0 / 3.0 / lines.square()).min(1.0);
}

void tell_of_leakage(ModalFit& fit) {
  constexpr double seen = 0.01;  // of the damping
  const Eigen::VectorXd leakage = largest_leakage(fit);
  std::vector<std::string> modes;
  for (Eigen::Index m = 0; m < leakage.size(); ++m) {
    if (leakage(m) < seen * fit.modes.zeta(m)) continue;
    modes.push_back(fmt::format("mode {}: {:.2g} %", fit.modes.numbers[static_cast<std::size_t>(m)],
                                100.0 * leakage(m) / fit.modes.zeta(m)));
  }
  if (modes.empty()) return;
  fit.doubts.push_back(fmt::format(
      "leakage under the Hann window may have raised the damping by up to ({}), which the errors hold; a finer "
      "resolution_hz has less of it",
      fmt::join(modes, ", ")));
}

}  // namespace microslip
