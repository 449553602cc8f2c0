#include "microslip/measurement/modal_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

constexpr Eigen::Index fewest_lines = 16;
constexpr double spacing_tolerance = 1e-3;  // of a step: files round their frequencies

void check_alike(const std::vector<FrequencyResponses>& references) {
  if (references.empty()) throw std::invalid_argument("there are no frequency responses");
  const FrequencyResponses& first = references.front();
  for (const FrequencyResponses& responses : references) {
    const auto named = static_cast<Eigen::Index>(responses.channels.size());
    if (responses.values.cols() != named || responses.values.rows() != responses.frequency.size()) {
      throw std::invalid_argument(fmt::format("responses to {}: {} x {} values for {} frequencies and {} channels",
                                              responses.reference, responses.values.rows(), responses.values.cols(),
                                              responses.frequency.size(), named));
    }
    if (responses.channels != first.channels) {
      throw std::invalid_argument(
          fmt::format("responses to {} and to {} have different channels", first.reference, responses.reference));
    }
    if (responses.frequency.size() != first.frequency.size() || responses.quantity != first.quantity ||
        responses.window_decay != first.window_decay || !responses.frequency.isApprox(first.frequency, 1e-9)) {
      throw std::invalid_argument(fmt::format("responses to {} and to {} differ in frequencies, quantity or window",
                                              first.reference, responses.reference));
    }
  }
}

void check_even(const Eigen::VectorXd& frequency) {
  const Eigen::Index count = frequency.size();
  if (count < 2) throw std::invalid_argument("fewer than two frequencies");
  const double step = (frequency(count - 1) - frequency(0)) / static_cast<double>(count - 1);
  for (Eigen::Index k = 0; k < count; ++k) {
    const double even = frequency(0) + step * static_cast<double>(k);
    if (!(step > 0.0) || !(std::abs(frequency(k) - even) <= spacing_tolerance * step)) {
      throw std::invalid_argument(fmt::format(
          "frequencies must rise in even steps: at the mean step {:.6g} line {} would be at {:.9g}, it is at {:.9g}",
          step, k + 1, even, frequency(k)));
    }
  }
}

/// Nothing is stated, or an error that is a number.
bool has_errors(const FrequencyResponses& of, Eigen::Index channel, Eigen::Index first, Eigen::Index count) {
  if (of.error.rows() != of.values.rows() || of.error.cols() != of.values.cols()) return true;
  return of.error.col(channel).segment(first, count).array().isFinite().any();
}

/// Places of the channels to fit; those without values or errors go to `left_out`.
std::vector<std::size_t> chosen_channels(const std::vector<FrequencyResponses>& references,
                                         const std::vector<std::string>& wanted, Eigen::Index first, Eigen::Index count,
                                         std::vector<std::string>& left_out) {
  const std::vector<std::string>& all = references.front().channels;
  for (const std::string& name : wanted) {
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      throw std::invalid_argument(fmt::format("there is no channel \"{}\"", name));
    }
  }
  std::vector<std::size_t> chosen;
  bool any_values = false;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), all[c]) == wanted.end()) continue;
    const bool has_values = std::all_of(references.begin(), references.end(), [&](const FrequencyResponses& of) {
      const auto values = of.values.col(static_cast<Eigen::Index>(c)).segment(first, count);
      return values.allFinite() && values.cwiseAbs().maxCoeff() > 0.0;
    });
    any_values = any_values || has_values;
    const bool has_noise = std::all_of(references.begin(), references.end(), [&](const FrequencyResponses& of) {
      return has_errors(of, static_cast<Eigen::Index>(c), first, count);
    });
    if (has_values && has_noise) {
      chosen.push_back(c);
    } else {
      left_out.push_back(all[c]);
    }
  }
  if (chosen.empty() && any_values) {
    throw std::invalid_argument(
        "no error of the responses is a finite number: one average tells nothing of the noise, a fit needs two or "
        "more, "
        "or responses without errors");
  }
  if (chosen.empty()) throw std::invalid_argument("no channel has values");
  return chosen;
}

/// Errors that are positive and finite; else nothing is known.
bool knows_noise(const std::vector<FrequencyResponses>& references) {
  return std::all_of(references.begin(), references.end(), [](const FrequencyResponses& of) {
    return of.error.rows() == of.values.rows() && of.error.cols() == of.values.cols() && (of.error.array() > 0.0).any();
  });
}

/// 1/error; where an error is not positive the least positive one of its channel is taken.
Eigen::VectorXd weights_of(const Eigen::VectorXd& error) {
  double least = std::numeric_limits<double>::infinity();
  for (const double e : error) {
    if (std::isfinite(e) && e > 0.0) least = std::min(least, e);
  }
  return error.unaryExpr([&](double e) {
    if (std::isnan(e) || std::isinf(e)) return 0.0;
    return 1.0 / (e > 0.0 ? e : least);
  });
}

/// Standard deviation of real and imaginary part from what lines differ from the mean of their neighbours: of noise
/// alone the square has the mean 3 sigma^2, and its median, which peaks do not move, is ln 2 of it.
double rough_noise(const Eigen::VectorXcd& values) {
  std::vector<double> squares;
  for (Eigen::Index k = 1; k + 1 < values.size(); ++k) {
    squares.push_back(std::norm(values(k) - 0.5 * (values(k - 1) + values(k + 1))));
  }
  const double size = values.cwiseAbs().maxCoeff();
  return std::max(std::sqrt(percentile(squares, 0.5) / (3.0 * std::log(2.0))), 1e-12 * size);
}

/// Of an exponential window on white noise over a record as long as 1/(line spacing): the transform of the window's
/// square, 2 d/(2 d + i m domega).
Eigen::VectorXcd window_correlation(double decay, double spacing, Eigen::Index lines) {
  Eigen::VectorXcd correlation(lines - 1);
  for (Eigen::Index m = 1; m < lines; ++m) {
    correlation(m - 1) = 1.0 / std::complex<double>(1.0, two_pi * spacing * static_cast<double>(m) / (2.0 * decay));
  }
  return correlation;
}

}  // namespace

ModalLines modal_lines(const std::vector<FrequencyResponses>& references, std::pair<double, double> band,
                       const std::vector<std::string>& channels) {
  check_alike(references);
  const FrequencyResponses& first = references.front();
  check_even(first.frequency);
  const double spacing = (first.frequency(first.frequency.size() - 1) - first.frequency(0)) /
                         static_cast<double>(first.frequency.size() - 1);
  Eigen::Index from = 0, to = first.frequency.size();
  while (from < to && (first.frequency(from) < band.first || first.frequency(from) < 0.5 * spacing)) ++from;
  while (to > from && first.frequency(to - 1) > band.second) --to;
  if (to - from < fewest_lines) {
    throw std::invalid_argument(fmt::format("{} lines between {:.6g} and {:.6g}, a fit needs at least {}", to - from,
                                            band.first, band.second, fewest_lines));
  }
  ModalLines result;
  const std::vector<std::size_t> chosen = chosen_channels(references, channels, from, to - from, result.left_out);
  for (const std::size_t c : chosen) result.channels.push_back(first.channels[c]);
  result.frequency = first.frequency.segment(from, to - from);
  result.window_decay = first.window_decay;
  result.block = first.block;
  result.s.resize(to - from);
  for (Eigen::Index k = 0; k < to - from; ++k) result.s(k) = {first.window_decay, two_pi * result.frequency(k)};
  result.quantity = first.quantity;
  result.factor = response_factor(result.s, first.quantity);
  result.hann = std::any_of(references.begin(), references.end(), [](const FrequencyResponses& of) { return of.hann; });
  result.noise_known = knows_noise(references);
  const auto functions = static_cast<Eigen::Index>(chosen.size() * references.size());
  result.values.resize(to - from, functions);
  result.weight.resize(to - from, functions);
  for (std::size_t r = 0; r < references.size(); ++r) {
    const FrequencyResponses& of = references[r];
    result.references.push_back(of.reference);
    result.noise_freedom = fewer_degrees(result.noise_freedom, of.noise_freedom);
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      const Eigen::Index column = result.function(c, r), source = static_cast<Eigen::Index>(chosen[c]);
      result.values.col(column) = of.values.col(source).segment(from, to - from);
      if (result.noise_known) {
        result.weight.col(column) = weights_of(of.error.col(source).segment(from, to - from));
      } else {
        result.weight.col(column).setConstant(1.0 / rough_noise(result.values.col(column)));
      }
    }
  }
  for (const FrequencyResponses& of : references) {
    if (of.force_error.size() != of.frequency.size()) continue;
    result.force_error.push_back(of.force_error.segment(from, to - from));
  }
  if (result.force_error.size() != references.size()) result.force_error.clear();
  result.correlation = correlation_of(first, to - from);
  return result;
}

Eigen::VectorXcd correlation_of(const FrequencyResponses& responses, Eigen::Index lines) {
  const Eigen::VectorXcd& own = responses.line_correlation;
  if (own.size() > 0) return own.head(std::min(own.size(), lines - 1));
  if (!(responses.window_decay > 0.0)) return {};
  return window_correlation(responses.window_decay, responses.frequency(1) - responses.frequency(0), lines);
}

Eigen::VectorXcd response_factor(const Eigen::VectorXcd& s, Quantity quantity) {
  return s.unaryExpr([quantity](std::complex<double> at) {
    return quantity == Quantity::displacement ? 1.0 : quantity == Quantity::velocity ? at : at * at;
  });
}

ModalLines thinned(const ModalLines& lines, const Eigen::VectorXcd& poles) {
  constexpr Eigen::Index few = 2000;
  constexpr double reach = 40.0;         // half-power half-widths: what lies beyond has 1e-5 of the information
  constexpr double least = 60.0;         // lines
  constexpr Eigen::Index of_rest = 800;  // lines
  if (lines.lines() <= few) return lines;
  const double spacing = lines.frequency(1) - lines.frequency(0);
  const Eigen::Index every = std::max<Eigen::Index>(1, lines.lines() / of_rest);
  std::vector<bool> keep(static_cast<std::size_t>(lines.lines()), false);
  for (Eigen::Index k = 0; k < lines.lines(); k += every) keep[static_cast<std::size_t>(k)] = true;
  const auto line = [&](double place) {  // poles may be anywhere
    return place > 0.0 ? static_cast<Eigen::Index>(std::min(place, static_cast<double>(lines.lines() - 1))) : 0;
  };
  for (const std::complex<double> pole : poles) {
    const double middle = (pole.imag() / two_pi - lines.frequency(0)) / spacing;
    const double half = std::max(least, reach * (lines.window_decay - pole.real()) / (two_pi * spacing));
    std::fill(keep.begin() + line(middle - half), keep.begin() + line(middle + half) + 1, true);
  }
  ModalLines result = lines;
  result.numbers.clear();
  for (Eigen::Index k = 0; k < lines.lines(); ++k) {
    if (keep[static_cast<std::size_t>(k)]) result.numbers.push_back(k);
  }
  if (result.numbers.size() == keep.size()) return lines;
  result.frequency = lines.frequency(result.numbers);
  result.s = lines.s(result.numbers);
  result.factor = lines.factor(result.numbers);
  result.values = lines.values(result.numbers, Eigen::all);
  result.weight = lines.weight(result.numbers, Eigen::all);
  for (std::size_t r = 0; r < lines.force_error.size(); ++r) {
    result.force_error[r] = lines.force_error[r](result.numbers);
  }
  return result;
}

Eigen::VectorXd composite(const Eigen::MatrixXcd& values) {
  return (values.cwiseAbs2().rowwise().sum() / static_cast<double>(values.cols())).cwiseSqrt();
}

}  // namespace microslip
