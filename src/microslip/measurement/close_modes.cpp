#include "microslip/measurement/close_modes.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/measurement/modal_errors.hpp"
#include "microslip/measurement/modal_shapes.hpp"
#include "microslip/measurement/stabilisation.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// Around a mode, all others taken off.
ModalLines lines_of_one(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms, Eigen::Index mode) {
  constexpr double reach = 12.0;  // half-power half-widths
  constexpr Eigen::Index least = 16;
  const double width = reach * (lines.window_decay - fit.poles(mode).real()) / two_pi;
  const double spacing = lines.frequency(1) - lines.frequency(0);
  const auto middle = static_cast<Eigen::Index>((fit.poles(mode).imag() / two_pi - lines.frequency(0)) / spacing);
  const auto half = std::max<Eigen::Index>(least, static_cast<Eigen::Index>(width / spacing));
  const Eigen::Index from = std::clamp<Eigen::Index>(middle - half, 0, lines.lines() - 1);
  const Eigen::Index to = std::clamp<Eigen::Index>(middle + half, from, lines.lines() - 1);
  ModalLines local = some_lines(lines, lines.values, from, to - from + 1);
  for (Eigen::Index m = 0; m < fit.poles.size(); ++m) {
    if (m == mode) continue;
    local.values -= mode_contribution(local, fit.poles(m), fit.unknowns.middleRows(m * terms.a_mode(), terms.a_mode()));
  }
  return local;
}

/// Both known, within the lines, and no twins.
bool are_two(const ModalLines& local, const ModalPolish& pair, const ModalTerms& terms) {
  const ModalErrors errors = modal_errors(local, pair, terms);
  for (Eigen::Index m = 0; m < 2; ++m) {
    const Complex pole = pair.poles(m);
    if (!(pole.imag() > two_pi * local.frequency(0) && pole.imag() < two_pi * local.frequency(local.lines() - 1))) {
      return false;
    }
    const double ratio = std::max(1.0, errors.noise_ratio(m));
    const double decay_error = std::sqrt(std::max(0.0, errors.poles(2 * m, 2 * m)) * ratio);
    if (!(decay_error < 0.5 * (local.window_decay - pole.real()))) return false;
  }
  const Eigen::VectorXcd a = modal_constants(local, pair, terms, 0).reshaped();
  const Eigen::VectorXcd b = modal_constants(local, pair, terms, 1).reshaped();
  return pole_distance(pair.poles(0), pair.poles(1)) > near_poles || shape_likeness(a, b) < same_shape;
}

}  // namespace

std::optional<std::pair<Complex, Complex>> two_for_one(const ModalLines& lines, const ModalPolish& fit,
                                                       const ModalTerms& terms, Eigen::Index mode) {
  const ModalLines local = lines_of_one(lines, fit, terms, mode);
  if (2 * local.lines() < 2 * terms.count(2)) return std::nullopt;
  const Complex pole = fit.poles(mode);
  const ModalPolish one = polish_modes(local, Eigen::VectorXcd::Constant(1, pole), terms);
  const Complex off(0.0, 0.4 * pole.real());
  Eigen::VectorXcd start(2);
  start << one.poles(0) + off, one.poles(0) - off;
  const ModalPolish two = polish_modes(local, start, terms);
  // chi^2 falls by far more than the unknowns that came in explain.
  const auto more = static_cast<double>(terms.a_mode() * local.functions() + 2);
  const double freedom = 2.0 * static_cast<double>(local.lines() * local.functions()) -
                         static_cast<double>(terms.count(2) * local.functions() + 4);
  const double noise = std::max(1.0, two.chi_squared / std::max(1.0, freedom));
  if (!((one.chi_squared - two.chi_squared) / noise > 3.0 * more + 20.0)) return std::nullopt;
  if (!are_two(local, two, terms)) return std::nullopt;
  return std::pair{two.poles(0), two.poles(1)};
}

}  // namespace microslip
