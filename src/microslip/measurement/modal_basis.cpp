#include "microslip/measurement/modal_basis.hpp"

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

void put_column(const Eigen::VectorXcd& values, Eigen::Index column, Eigen::MatrixXd& out) {
  const Eigen::Index lines = values.size();
  out.col(column).head(lines) = values.real();
  out.col(column).tail(lines) = values.imag();
}

}  // namespace

FitBasis::FitBasis(const ModalLines& lines, const Eigen::VectorXcd& poles, const ModalTerms& terms)
    : poles_(poles), terms_(terms) {
  const Eigen::Index count = lines.lines(), each = terms.a_mode();
  slopes_.resize(2 * count, 2 * poles.size() * each);
  columns_.resize(2 * count, terms.count(poles.size()));
  Eigen::VectorXcd of_mode(count), by_alpha(count), by_beta(count);
  for (Eigen::Index m = 0; m < poles.size(); ++m) {
    const double alpha = -poles(m).real(), beta = poles(m).imag();
    for (Eigen::Index k = 0; k < count; ++k) {
      // d f/d alpha = -2 (s + alpha) f^2, d f/d beta = -2 beta f^2
      const std::complex<double> shifted = lines.s(k) + alpha;
      const std::complex<double> f = 1.0 / (shifted * shifted + beta * beta);
      of_mode(k) = lines.factor(k) * f;
      const std::complex<double> square = -2.0 * of_mode(k) * f;
      by_alpha(k) = square * shifted;
      by_beta(k) = square * beta;
    }
    const Eigen::Index alphas = m * each, betas = (poles.size() + m) * each;
    put_column(of_mode, alphas, columns_);
    put_column(by_alpha, alphas, slopes_);
    put_column(by_beta, betas, slopes_);
    if (terms.normal) continue;
    put_column(of_mode.cwiseProduct(lines.s), alphas + 1, columns_);
    put_column(by_alpha.cwiseProduct(lines.s), alphas + 1, slopes_);
    put_column(by_beta.cwiseProduct(lines.s), betas + 1, slopes_);
  }
  Eigen::Index at = poles.size() * terms.a_mode();
  const auto add_residual = [&](const Eigen::VectorXcd& values) {
    put_column(values, at++, columns_);
    put_column(i_unit * values, at++, columns_);
  };
  if (terms.lower) add_residual(lines.factor.array() / lines.s.array().square());
  if (terms.upper) add_residual(lines.factor);
  if (terms.cut) put_column(lines.factor.cwiseQuotient(lines.s), at, columns_);
}

Eigen::MatrixXd FitBasis::derivatives(const Eigen::VectorXd& unknowns) const {
  Eigen::MatrixXd result(columns_.rows(), 2 * modes());
  derivatives(unknowns, result);
  return result;
}

void FitBasis::derivatives(const Eigen::VectorXd& unknowns, Eigen::MatrixXd& result) const {
  const Eigen::Index each = terms_.a_mode();
  for (Eigen::Index m = 0; m < modes(); ++m) {
    for (const Eigen::Index part : {Eigen::Index{0}, Eigen::Index{1}}) {
      const Eigen::Index at = (part * modes() + m) * each;
      result.col(2 * m + part) = unknowns(m * each) * slopes_.col(at);
      if (each > 1) result.col(2 * m + part) += unknowns(m * each + 1) * slopes_.col(at + 1);
    }
  }
}

Eigen::VectorXd stacked(const Eigen::VectorXcd& values) {
  Eigen::VectorXd result(2 * values.size());
  result << values.real(), values.imag();
  return result;
}

Eigen::VectorXcd unstacked(const Eigen::VectorXd& values) {
  const Eigen::Index half = values.size() / 2;
  Eigen::VectorXcd result(half);
  for (Eigen::Index k = 0; k < half; ++k) result(k) = {values(k), values(half + k)};
  return result;
}

std::complex<double> modal_constant(const Eigen::VectorXd& unknowns, Eigen::Index mode, std::complex<double> pole,
                                    const ModalTerms& terms) {
  if (terms.normal) return unknowns(mode);
  return unknowns(2 * mode) + unknowns(2 * mode + 1) * pole;
}

Eigen::MatrixXcd mode_contribution(const ModalLines& lines, std::complex<double> pole,
                                   const Eigen::MatrixXd& unknowns) {
  Eigen::MatrixXcd result(lines.lines(), unknowns.cols());
  Eigen::VectorXcd f(lines.lines());
  const double alpha = -pole.real(), beta = pole.imag();
  for (Eigen::Index k = 0; k < lines.lines(); ++k) {
    const std::complex<double> shifted = lines.s(k) + alpha;
    f(k) = lines.factor(k) / (shifted * shifted + beta * beta);
  }
  const Eigen::VectorXcd sf = lines.s.cwiseProduct(f);
  for (Eigen::Index c = 0; c < unknowns.cols(); ++c) {
    result.col(c) = unknowns(0, c) * f;
    if (unknowns.rows() > 1) result.col(c) += unknowns(1, c) * sf;
  }
  return result;
}

ModalLines some_lines(const ModalLines& lines, const Eigen::MatrixXcd& values, Eigen::Index from, Eigen::Index count) {
  ModalLines some;
  some.frequency = lines.frequency.segment(from, count);
  some.s = lines.s.segment(from, count);
  some.factor = lines.factor.segment(from, count);
  some.values = values.middleRows(from, count);
  some.weight = lines.weight.middleRows(from, count);
  some.channels = lines.channels;
  some.references = lines.references;
  some.window_decay = lines.window_decay;
  return some;
}

}  // namespace microslip
