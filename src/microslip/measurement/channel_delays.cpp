#include "microslip/measurement/channel_delays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "microslip/measurement/modal_shapes.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

constexpr Eigen::Index fewest_modes = 3, fewest_channels = 3;
constexpr double periods = 2.0;        // of the highest mode: delays are sought so far to either side
constexpr double resolution = 40;      // of its period
constexpr double apart = 0.15;         // of its period: delays that are another one
constexpr double clearly = 25.0;       // of chi^2: five standard deviations
constexpr double farthest_off = 0.15;  // rad: phases that no delay explains
constexpr double standard_errors = 10.0, least_turn = 3.0 * pi / 180.0;

/// An angle up to turns by pi, nearest to 0.
double within_half_turn(double angle) {
  return angle - pi * std::round(angle / pi);
}

/// Phases of a channel, their weights (reciprocal variances) and what a delay is to them.
struct Phases {
  Eigen::VectorXd phase, weight, omega;

  [[nodiscard]] Eigen::VectorXd left(double delay) const {
    return (phase + delay * omega).unaryExpr(&within_half_turn);
  }
  [[nodiscard]] double chi_squared(double delay) const { return left(delay).cwiseAbs2().dot(weight); }
  [[nodiscard]] double information() const { return omega.cwiseAbs2().dot(weight); }
};

/// The one that leaves least, nothing where another one leaves hardly more.
ChannelDelay best_delay(const Phases& phases) {
  const double period = two_pi / phases.omega.maxCoeff();
  const int reach = static_cast<int>(std::lround(periods * resolution));
  const auto at = [&](int step) { return period / resolution * step; };
  int best = 0;
  for (int step = -reach; step <= reach; ++step) {
    if (phases.chi_squared(at(step)) < phases.chi_squared(at(best))) best = step;
  }
  ChannelDelay found{at(best), 1.0 / std::sqrt(phases.information()), false};
  for (int i = 0; i < 3; ++i) {
    found.delay -= phases.left(found.delay).cwiseProduct(phases.weight).dot(phases.omega) / phases.information();
  }
  const double least = phases.chi_squared(found.delay);
  double other = std::numeric_limits<double>::infinity();
  for (int step = -reach; step <= reach; ++step) {
    if (std::abs(at(step) - found.delay) > apart * period) other = std::min(other, phases.chi_squared(at(step)));
  }
  const auto seen = (phases.weight.array() > 1.0 / (0.3 * 0.3)).count();  // known to 0.3 rad
  const double noise = std::max(1.0, least / static_cast<double>(phases.phase.size() - 1));
  found.error *= std::sqrt(noise);
  found.known =
      seen >= fewest_modes && other > least + clearly * noise && std::sqrt(least / phases.weight.sum()) < farthest_off;
  return found;
}

/// What most have, and how well that is known.
ChannelDelay usual_delay(const std::vector<ChannelDelay>& delays) {
  std::vector<double> values, errors;
  for (const ChannelDelay& each : delays) {
    if (!each.known) continue;
    values.push_back(each.delay);
    errors.push_back(each.error);
  }
  if (static_cast<Eigen::Index>(values.size()) < fewest_channels) return {};
  return {median(values), median(errors), true};
}

bool shows(double delay, double error, double highest_hz) {
  return std::abs(delay) > standard_errors * error && two_pi * highest_hz * std::abs(delay) > least_turn;
}

std::string words_for(double delay, double error, double highest_hz, const std::string& than) {
  return fmt::format("{:.3g} +- {:.1g} {} than {} (from the phases of the modes: {:.0f} degrees at {:.4g} Hz)",
                     std::abs(delay), error, delay > 0.0 ? "later" : "earlier", than,
                     std::abs(delay) * highest_hz * 360.0, highest_hz);
}

}  // namespace

std::vector<ChannelDelay> channel_delays(const Eigen::MatrixXcd& constants, const Eigen::MatrixXd& error,
                                         const Eigen::VectorXd& frequency_hz) {
  const Eigen::Index channels = constants.rows(), modes = constants.cols();
  std::vector<ChannelDelay> delays(static_cast<std::size_t>(channels));
  if (modes < fewest_modes) return delays;
  const Eigen::MatrixXd size = constants.cwiseAbs();
  const Eigen::RowVectorXd mean = (size.cwiseAbs2().colwise().mean()).cwiseSqrt();
  constexpr int rounds = 4;
  constexpr double least_imaginary = 0.002;
  double imaginary = 0.03;  // of the mean size
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> left;
    for (Eigen::Index c = 0; c < channels; ++c) {
      Phases phases{Eigen::VectorXd(modes), Eigen::VectorXd(modes), two_pi * frequency_hz};
      for (Eigen::Index m = 0; m < modes; ++m) {
        const double share = imaginary * mean(m) / size(c, m), variance = error(c, m) * error(c, m) + share * share;
        phases.phase(m) = std::arg(constants(c, m));
        phases.weight(m) = std::isfinite(variance) ? 1.0 / variance : 0.0;
      }
      if (!(phases.information() > 0.0)) continue;
      ChannelDelay& delay = delays[static_cast<std::size_t>(c)];
      delay = best_delay(phases);
      const Eigen::VectorXd rest = phases.left(delay.delay);
      for (Eigen::Index m = 0; m < modes; ++m) left.push_back(std::abs(rest(m)) * size(c, m) / mean(m));
    }
    if (left.empty()) return delays;
    constexpr double median_of_size = 0.67448975;  // of a normal number
    const double freedom = static_cast<double>(modes - 1) / static_cast<double>(modes);
    imaginary = std::max(least_imaginary, median(left) / median_of_size / std::sqrt(freedom));
  }
  return delays;
}

std::vector<std::string> delays_that_show(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                          const MeasuredModes& modes) {
  std::vector<std::string> told;
  const Eigen::Index channels = modes.shapes.rows(), count = modes.shapes.cols();
  if (terms.normal || count < fewest_modes || channels < fewest_channels) return told;
  const double highest = modes.frequency_hz.maxCoeff();
  for (std::size_t r = 0; r < lines.references.size(); ++r) {
    Eigen::MatrixXcd constants(channels, count);
    Eigen::MatrixXd error(channels, count);
    for (Eigen::Index m = 0; m < count; ++m) {
      const Eigen::MatrixXcd all = modal_constants(lines, fit, terms, m);
      constants.col(m) = all.col(static_cast<Eigen::Index>(r));
      for (Eigen::Index c = 0; c < channels; ++c) {  // the shape is of all references together
        const double share = std::abs(constants(c, m)) / all.row(c).norm();
        error(c, m) = modes.shape_error(c, m) / (std::abs(modes.shapes(c, m)) * share);
      }
    }
    const std::vector<ChannelDelay> delays = channel_delays(constants, error, modes.frequency_hz);
    const ChannelDelay usual = usual_delay(delays);
    if (!usual.known) continue;
    const std::string of = lines.references.size() > 1 ? "to " + lines.references[r] + " " : "";
    if (shows(usual.delay, usual.error, highest)) {
      told.push_back(
          fmt::format("responses {}come {}, or a damper at the place of the force turns them as much: real parts of "
                      "shapes and modal masses are off, and errors may be too small; records are to be shifted",
                      of, words_for(usual.delay, usual.error, highest, "the force")));
    }
    for (Eigen::Index c = 0; c < channels; ++c) {
      const ChannelDelay& own = delays[static_cast<std::size_t>(c)];
      const double delay = own.delay - usual.delay, by = std::hypot(own.error, usual.error);
      if (!own.known || !shows(delay, by, highest)) continue;
      told.push_back(
          fmt::format("channel {} {}comes {}, or a damper near it turns the modes as much: its components are off",
                      lines.channels[static_cast<std::size_t>(c)], of, words_for(delay, by, highest, "most others")));
    }
  }
  return told;
}

}  // namespace microslip
