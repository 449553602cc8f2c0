#include "microslip/measurement/modal_errors.hpp"

#include <cmath>

#include "microslip/measurement/line_correlation.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

/// Influences of the errors of one function.
struct Influence {
  Eigen::MatrixXd of_unknowns;  ///< U
  Eigen::MatrixXd of_poles;     ///< J
  Eigen::MatrixXd derivatives;  ///< D
};

/// Columns of each mode cut down to its lines; `each` columns a mode, the rest stays.
Eigen::MatrixXd cut_down(Eigen::MatrixXd columns, const Eigen::MatrixXd& lines_of_mode, Eigen::Index each) {
  for (Eigen::Index m = 0; m < lines_of_mode.cols(); ++m) {
    const Eigen::VectorXd mask = lines_of_mode.col(m).replicate(2, 1);
    for (Eigen::Index c = m * each; c < (m + 1) * each; ++c) columns.col(c).array() *= mask.array();
  }
  return columns;
}

/// a^-1 b of a matrix without symmetry, rows and columns scaled.
Eigen::MatrixXd solve_general(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const auto reciprocal = [](double norm) { return norm > 0.0 ? 1.0 / norm : 1.0; };
  const Eigen::VectorXd columns = a.colwise().norm().transpose().unaryExpr(reciprocal);
  const Eigen::MatrixXd half = a * columns.asDiagonal();
  const Eigen::VectorXd rows = half.rowwise().norm().unaryExpr(reciprocal);
  const LuFactors<double> factors(Eigen::MatrixXd(rows.asDiagonal() * half));
  return columns.asDiagonal() * factors.solve(Eigen::MatrixXd(rows.asDiagonal() * b));
}

Influence influence_of(const ModalLines& lines, const FitBasis& basis, const ModalPolish& fit, Eigen::Index function,
                       const Eigen::MatrixXd& lines_of_mode) {
  const Eigen::VectorXd weight = lines.weight.col(function).replicate(2, 1);
  const Eigen::MatrixXd phi = weight.asDiagonal() * basis.columns();
  Influence result;
  result.derivatives = weight.asDiagonal() * basis.derivatives(fit.unknowns.col(function));
  const bool all = lines_of_mode.size() == 0;
  const Eigen::MatrixXd psi = all ? phi : cut_down(phi, lines_of_mode, basis.terms().a_mode());
  const Eigen::MatrixXd e = all ? result.derivatives : cut_down(result.derivatives, lines_of_mode, 2);
  // U^T = (Psi^T Phi)^-1 Psi^T
  result.of_unknowns = solve_general(transpose_times(psi, phi), psi.transpose()).transpose();
  result.of_poles = e - times(result.of_unknowns, transpose_times(phi, e));
  return result;
}

/// Sums for the ratio of residual to noise, weighted by the influence on each mode.
struct NoiseRatio {
  explicit NoiseRatio(Eigen::Index modes)
      : weighted(Eigen::VectorXd::Zero(modes)),
        weight(Eigen::VectorXd::Zero(modes)),
        weight_squared(Eigen::VectorXd::Zero(modes)) {}
  void add(const Eigen::MatrixXd& of_poles, const Eigen::VectorXd& residual) {
    const Eigen::Index lines = residual.size() / 2;
    const Eigen::ArrayXd square = 0.5 * (residual.head(lines).cwiseAbs2() + residual.tail(lines).cwiseAbs2());
    for (Eigen::Index m = 0; m < weight.size(); ++m) {
      const Eigen::ArrayXXd both = of_poles.middleCols(2 * m, 2).cwiseAbs2();
      const Eigen::ArrayXd at = both.topRows(lines).rowwise().sum() + both.bottomRows(lines).rowwise().sum();
      weighted(m) += (at * square).sum();
      weight(m) += at.sum();
      weight_squared(m) += at.square().sum();
    }
  }
  /// Of squares with variance 1 (mean of two squared normal numbers); correlated lines count less.
  [[nodiscard]] Eigen::VectorXd deviation(const ModalLines& lines) const {
    double alike = 1.0;
    for (Eigen::Index m = 0; m < lines.correlation.size(); ++m) alike += 2.0 * std::norm(lines.correlation(m));
    return (alike * weight_squared).cwiseSqrt().cwiseQuotient(weight);
  }

  Eigen::VectorXd weighted, weight, weight_squared;
};

}  // namespace

double ModalErrors::variance(const ModalGradient& of) const {
  Eigen::VectorXd on_poles = of.poles;
  double result = 0.0;
  for (const ModalGradient::OfFunction& part : of.unknowns) {
    const auto f = static_cast<std::size_t>(part.function);
    on_poles -= transfer[f].transpose() * part.gradient;
    result += part.gradient.dot(own[f] * part.gradient);
  }
  for (const ModalGradient::OfFunction& part : of.unknowns) {
    result += 2.0 * part.gradient.dot(with_poles[static_cast<std::size_t>(part.function)] * on_poles);
  }
  return result + on_poles.dot(poles * on_poles);
}

PoleGap gap_between(const Eigen::VectorXcd& poles, const ModalErrors& errors, Eigen::Index m, Eigen::Index n,
                    double inflation) {
  const auto error = [&](Eigen::Index part) {
    const Eigen::Index a = 2 * m + part, b = 2 * n + part;
    return std::sqrt(std::max(0.0, inflation * (errors.poles(a, a) + errors.poles(b, b) - 2.0 * errors.poles(a, b))));
  };
  return {std::abs(poles(n).real() - poles(m).real()), error(0), std::abs(poles(n).imag() - poles(m).imag()), error(1)};
}

PoleNumbers numbers_of(const Eigen::VectorXcd& poles, const ModalErrors& errors, const Eigen::VectorXd& inflation) {
  const Eigen::Index count = poles.size();
  PoleNumbers result{Eigen::VectorXd(count), Eigen::VectorXd(count), Eigen::VectorXd(count), Eigen::VectorXd(count)};
  for (Eigen::Index m = 0; m < count; ++m) {
    const double alpha = -poles(m).real(), beta = poles(m).imag(), omega = std::hypot(alpha, beta);
    const Eigen::Matrix2d covariance = inflation(m) * errors.poles.block<2, 2>(2 * m, 2 * m);
    const Eigen::Vector2d of_omega(alpha / omega, beta / omega);
    const double cube = omega * omega * omega;
    const Eigen::Vector2d of_zeta(beta * beta / cube, -alpha * beta / cube);
    result.frequency(m) = omega / two_pi;
    result.frequency_error(m) = std::sqrt(std::max(0.0, of_omega.dot(covariance * of_omega))) / two_pi;
    result.zeta(m) = alpha / omega;
    result.zeta_error(m) = std::sqrt(std::max(0.0, of_zeta.dot(covariance * of_zeta)));
  }
  return result;
}

Eigen::VectorXd inflation_of(const ModalErrors& errors) {
  constexpr double rare = 3.0;
  Eigen::VectorXd result = Eigen::VectorXd::Ones(errors.noise_ratio.size());
  for (Eigen::Index m = 0; m < result.size(); ++m) {
    if (errors.noise_ratio(m) > 1.0 + rare * errors.noise_ratio_error(m)) result(m) = errors.noise_ratio(m);
  }
  return result;
}

ModalErrors modal_errors(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                         const Eigen::MatrixXd& lines_of_mode) {
  const FitBasis basis(lines, fit.poles, terms);
  const Eigen::Index parameters = 2 * fit.poles.size(), unknowns = terms.count(fit.poles.size());
  ModalErrors errors;
  LineCorrelation correlation(lines.lines(), lines.correlation, lines.numbers);
  Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(parameters, parameters), spread = slope;
  std::vector<Eigen::MatrixXd> crossed;
  NoiseRatio ratio(fit.poles.size());
  for (Eigen::Index f = 0; f < lines.functions(); ++f) {
    const Influence influence = influence_of(lines, basis, fit, f, lines_of_mode);
    Eigen::MatrixXd both(2 * lines.lines(), unknowns + parameters);
    both << influence.of_unknowns, influence.of_poles;
    const Eigen::MatrixXd gram = correlation.gram(both);
    errors.own.push_back(gram.topLeftCorner(unknowns, unknowns));
    crossed.push_back(gram.topRightCorner(unknowns, parameters));
    spread += gram.bottomRightCorner(parameters, parameters);
    slope += transpose_times(influence.of_poles, influence.derivatives);
    errors.transfer.push_back(transpose_times(influence.of_unknowns, influence.derivatives));
    ratio.add(influence.of_poles, fit.residuals.col(f));
  }
  const auto by_slope = [&slope](const Eigen::MatrixXd& right) { return solve_general(slope, right); };  // H^-1
  errors.poles = by_slope(by_slope(spread).transpose());
  for (const Eigen::MatrixXd& cross : crossed) errors.with_poles.push_back(by_slope(cross.transpose()).transpose());
  const double values = 2.0 * static_cast<double>(lines.lines() * lines.functions());
  const double freedom = values - static_cast<double>(unknowns * lines.functions() + parameters);
  errors.noise_ratio = ratio.weighted.cwiseQuotient(ratio.weight) * (freedom > 0.0 ? values / freedom : 1.0);
  errors.noise_ratio_error = ratio.deviation(lines);
  return errors;
}

}  // namespace microslip
