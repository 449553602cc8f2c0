#include "microslip/measurement/modal_circles.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

/// Frequencies and nothing measured.
ModalLines lines_at(const Eigen::VectorXd& frequency, const ModalLines& lines) {
  ModalLines result;
  result.frequency = frequency;
  result.s.resize(frequency.size());
  for (Eigen::Index k = 0; k < frequency.size(); ++k) result.s(k) = {lines.window_decay, two_pi * frequency(k)};
  result.factor = response_factor(result.s, lines.quantity);
  result.values.resize(frequency.size(), 0);
  return result;
}

/// At equal angles as seen from the pole.
Eigen::VectorXd frequencies_around(const ModalLines& lines, double middle, double half_width, double reach) {
  constexpr int points = 121;
  const double most = std::atan(reach / half_width);
  std::vector<double> result;
  for (int i = 0; i < points; ++i) {
    const double angle = most * (2.0 * i / (points - 1.0) - 1.0);
    const double frequency = middle + half_width * std::tan(angle);
    if (frequency >= lines.frequency(0) && frequency <= lines.frequency(lines.lines() - 1)) result.push_back(frequency);
  }
  return Eigen::Map<const Eigen::VectorXd>(result.data(), static_cast<Eigen::Index>(result.size()));
}

Eigen::Index strongest_function(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                Eigen::Index mode) {
  const Eigen::MatrixXd unknowns = fit.unknowns.middleRows(mode * terms.a_mode(), terms.a_mode());
  const ModalLines peak = lines_at(Eigen::VectorXd::Constant(1, fit.poles(mode).imag() / two_pi), lines);
  Eigen::Index strongest = 0;
  mode_contribution(peak, fit.poles(mode), unknowns).row(0).cwiseAbs().maxCoeff(&strongest);
  return strongest;
}

}  // namespace

std::vector<ModalCircle> modal_circles(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms) {
  constexpr double half_widths = 6.0, least_lines = 10.0;
  const double spacing = lines.frequency(1) - lines.frequency(0);
  std::vector<ModalCircle> circles;
  for (Eigen::Index m = 0; m < fit.poles.size(); ++m) {
    const double half_width = (lines.window_decay - fit.poles(m).real()) / two_pi;
    ModalCircle circle;
    circle.function = strongest_function(lines, fit, terms, m);
    circle.reach = std::max(half_widths * half_width, least_lines * spacing);
    circle.frequency = frequencies_around(lines, fit.poles(m).imag() / two_pi, half_width, circle.reach);
    const FitBasis basis(lines_at(circle.frequency, lines), fit.poles, terms);
    circle.values = unstacked(basis.columns() * fit.unknowns.col(circle.function));
    circles.push_back(std::move(circle));
  }
  return circles;
}

}  // namespace microslip
