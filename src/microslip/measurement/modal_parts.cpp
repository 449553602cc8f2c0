#include "microslip/measurement/modal_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "microslip/measurement/modal_errors.hpp"
#include "microslip/measurement/modal_spread.hpp"

namespace microslip {
namespace {

/// A single hit of a roving hammer: it says nothing of the rest.
bool lacks_channels(const MeasuredResponses::Part& part, const std::vector<std::string>& channels) {
  const std::vector<std::string>& own = part.references.front().channels;
  return std::any_of(channels.begin(), channels.end(), [&](const std::string& channel) {
    return std::find(own.begin(), own.end(), channel) == own.end();
  });
}

/// For each reference of a part the channel at its point.
std::vector<SignedChannel> driving_of(const ModalLines& part, const PartFits& with, const ModalLines& whole) {
  std::vector<SignedChannel> driving;
  for (const std::string& reference : part.references) {
    const auto at = std::find(whole.references.begin(), whole.references.end(), reference);
    if (at != whole.references.end()) {
      driving.push_back(with.driving[static_cast<std::size_t>(at - whole.references.begin())]);
    }
  }
  return driving;
}

/// Real parts of the shapes with the signs of the whole; none where the part has another scale.
void take_shapes(const ModalLines& lines, const ModalPolish& fit, const ModalErrors& errors, const PartFits& with,
                 const ModalFit& whole, ModalPart& part) {
  const std::vector<SignedChannel> driving = driving_of(lines, with, whole.lines);
  ModalShapes shapes = modal_shapes(lines, fit, with.terms, errors, driving, inflation_of(errors), with.anchors);
  if (driving.size() != lines.references.size() || shapes.unit_modal_mass != whole.modes.unit_modal_mass) return;
  part.shapes = shapes.shapes.real();
  part.shape_error = std::move(shapes.error);
  for (Eigen::Index m = 0; m < part.shapes.cols(); ++m) {
    if (part.shapes.col(m).dot(whole.modes.shapes.col(m).real()) < 0.0) part.shapes.col(m) *= -1.0;
  }
}

/// Throws std::invalid_argument where there is nothing to fit.
ModalPart fit_of_part(const MeasuredResponses::Part& of, const PartFits& with, const ModalFit& whole) {
  ModalPart part;
  part.name = of.name;
  part.of_all = of.of_all;
  ModalLines lines = modal_lines(of.references, with.band, whole.lines.channels);
  if (lines.channels != whole.lines.channels) throw std::invalid_argument("channels are missing");
  if (!lines.noise_known && lines.weight.rows() == whole.lines.weight.rows() &&
      lines.weight.cols() == whole.lines.weight.cols()) {
    lines.weight = whole.lines.weight;
  }
  lines = thinned(lines, whole.fit.poles);
  const ModalPolish fit = polish_modes(lines, whole.fit.poles, with.terms, {}, with.carry_on);
  if (!fit.converged) throw std::invalid_argument("the fit does not settle");
  const ModalErrors errors = modal_errors(lines, fit, with.terms);
  PoleNumbers found = numbers_of(fit.poles, errors, inflation_of(errors));
  part.frequency_hz = std::move(found.frequency);
  part.frequency_error = std::move(found.frequency_error);
  part.zeta = std::move(found.zeta);
  part.zeta_error = std::move(found.zeta_error);
  take_shapes(lines, fit, errors, with, whole, part);
  for (const FrequencyResponses& responses : of.references) {
    part.force_amplitude = std::max(part.force_amplitude, responses.force_amplitude);
    part.noise_freedom = fewer_degrees(part.noise_freedom, responses.noise_freedom);
  }
  return part;
}

/// Degrees of freedom of the noise behind all parts: the least; 0: many.
double freedom_of(const std::vector<ModalPart>& parts) {
  double least = 0.0;
  for (const ModalPart& part : parts) least = fewer_degrees(least, part.noise_freedom);
  return least;
}

/// Of a number of the whole and of the parts that have it; `of` gives it, `error` its standard error.
template <class Number, class Error>
double spread_of(const std::vector<ModalPart>& parts, double whole, double whole_error, double chance, const Number& of,
                 const Error& error) {
  std::vector<PartNumber> numbers;
  numbers.reserve(parts.size());
  for (const ModalPart& part : parts) numbers.push_back({of(part), error(part), part.of_all});
  return spread_beyond_noise(whole, whole_error, numbers, chance, freedom_of(parts));
}

}  // namespace

Eigen::MatrixXd root_of_squares(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a.cwiseAbs2() + b.cwiseAbs2()).cwiseSqrt();
}

std::vector<ModalPart> fits_of_parts(const std::vector<MeasuredResponses::Part>& parts, const PartFits& with,
                                     ModalFit& whole) {
  std::vector<ModalPart> fits;
  for (const MeasuredResponses::Part& part : parts) {
    if (!with.carry_on()) break;
    if (lacks_channels(part, whole.lines.channels)) continue;
    try {
      fits.push_back(fit_of_part(part, with, whole));
    } catch (const std::invalid_argument& error) {
      whole.doubts.push_back(
          fmt::format("{}: {}; it says nothing of how linear the structure is", part.name, error.what()));
    }
  }
  return fits;
}

void add_spread_of_parts(ModalFit& fit) {
  MeasuredModes& modes = fit.modes;
  const Eigen::Index count = modes.zeta.size(), channels = modes.shapes.rows();
  fit.frequency_spread = fit.zeta_spread = Eigen::VectorXd::Zero(count);
  fit.shape_spread = Eigen::MatrixXd::Zero(channels, count);
  std::vector<ModalPart> with_shapes;
  std::copy_if(fit.parts.begin(), fit.parts.end(), std::back_inserter(with_shapes),
               [](const ModalPart& part) { return part.shapes.size() > 0; });
  // Of a linear structure one test in a thousand is to differ anywhere, in whichever of its numbers (Bonferroni).
  constexpr double by_chance = 1e-3;
  const Eigen::Index numbers = count * (2 + (with_shapes.empty() ? 0 : channels));
  const double chance = by_chance / static_cast<double>(std::max<Eigen::Index>(1, numbers));
  for (Eigen::Index m = 0; m < count; ++m) {
    const auto pole_number = [m](Eigen::VectorXd ModalPart::*which) {
      return [m, which](const ModalPart& part) { return (part.*which)(m); };
    };
    fit.frequency_spread(m) =
        spread_of(fit.parts, modes.frequency_hz(m), fit.frequency_noise(m), chance,
                  pole_number(&ModalPart::frequency_hz), pole_number(&ModalPart::frequency_error));
    fit.zeta_spread(m) = spread_of(fit.parts, modes.zeta(m), fit.zeta_noise(m), chance, pole_number(&ModalPart::zeta),
                                   pole_number(&ModalPart::zeta_error));
    for (Eigen::Index c = 0; c < channels; ++c) {
      fit.shape_spread(c, m) = spread_of(
          with_shapes, modes.shapes(c, m).real(), modes.shape_error(c, m), chance,
          [c, m](const ModalPart& part) { return part.shapes(c, m); },
          [c, m](const ModalPart& part) { return part.shape_error(c, m); });
    }
  }
  modes.frequency_error = root_of_squares(fit.frequency_noise, fit.frequency_spread);
  modes.zeta_error = root_of_squares(fit.zeta_noise, fit.zeta_spread);
  modes.shape_error = root_of_squares(modes.shape_error, fit.shape_spread);
}

}  // namespace microslip
