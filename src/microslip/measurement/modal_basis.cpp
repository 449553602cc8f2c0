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

ModalBasis::ModalBasis(const ModalLines& lines, const Eigen::VectorXcd& poles, const ModalTerms& terms)
    : lines_(&lines), poles_(poles), terms_(terms) {
  const Eigen::Index count = lines.lines();
  squares_.resize(count, poles.size());
  columns_.resize(2 * count, terms.count(poles.size()));
  Eigen::VectorXcd of_mode(count);
  for (Eigen::Index m = 0; m < poles.size(); ++m) {
    const double alpha = -poles(m).real(), beta = poles(m).imag();
    for (Eigen::Index k = 0; k < count; ++k) {
      const std::complex<double> shifted = lines.s(k) + alpha;
      const std::complex<double> f = 1.0 / (shifted * shifted + beta * beta);
      of_mode(k) = lines.factor(k) * f;
      squares_(k, m) = of_mode(k) * f;
    }
    put_column(of_mode, m * terms.a_mode(), columns_);
    if (!terms.normal) put_column(of_mode.cwiseProduct(lines.s), 2 * m + 1, columns_);
  }
  Eigen::Index at = poles.size() * terms.a_mode();
  const auto add_residual = [&](const Eigen::VectorXcd& values) {
    put_column(values, at++, columns_);
    put_column(i_unit * values, at++, columns_);
  };
  if (terms.lower) add_residual(lines.factor.array() / lines.s.array().square());
  if (terms.upper) add_residual(lines.factor);
}

Eigen::MatrixXd ModalBasis::derivatives(const Eigen::VectorXd& unknowns) const {
  // d f/d alpha = -2 (s + alpha) f^2, d f/d beta = -2 beta f^2
  Eigen::MatrixXd result(columns_.rows(), 2 * modes());
  const Eigen::Index count = lines_->lines();
  for (Eigen::Index m = 0; m < modes(); ++m) {
    const double alpha = -poles_(m).real(), beta = poles_(m).imag();
    const double a = unknowns(m * terms_.a_mode()), b = terms_.normal ? 0.0 : unknowns(2 * m + 1);
    for (Eigen::Index k = 0; k < count; ++k) {
      const std::complex<double> s = lines_->s(k);
      const std::complex<double> common = -2.0 * (a + b * s) * squares_(k, m);
      const std::complex<double> by_alpha = common * (s + alpha), by_beta = common * beta;
      result(k, 2 * m) = by_alpha.real();
      result(k + count, 2 * m) = by_alpha.imag();
      result(k, 2 * m + 1) = by_beta.real();
      result(k + count, 2 * m + 1) = by_beta.imag();
    }
  }
  return result;
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
