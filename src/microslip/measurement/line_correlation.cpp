#include "microslip/measurement/line_correlation.hpp"

#include <algorithm>

#include "microslip/numerics/dense.hpp"

namespace microslip {

LineCorrelation::LineCorrelation(Eigen::Index lines, const Eigen::VectorXcd& apart)
    : lines_(lines),
      none_(apart.size() == 0),
      fft_(none_ ? 1 : fast_length_above(static_cast<std::size_t>(2 * lines))),
      work_(fft_.length()) {
  if (none_) return;
  const auto length = static_cast<Eigen::Index>(fft_.length());
  std::fill(work_.begin(), work_.end(), std::complex<double>{});
  work_[0] = 1.0;
  for (Eigen::Index m = 1; m <= std::min(apart.size(), lines - 1); ++m) {
    work_[static_cast<std::size_t>(m)] = apart(m - 1);
    work_[static_cast<std::size_t>(length - m)] = std::conj(apart(m - 1));
  }
  fft_.forward(work_);
  spectrum_.resize(length);
  for (Eigen::Index t = 0; t < length; ++t) {
    spectrum_(t) = work_[static_cast<std::size_t>(t)].real() / static_cast<double>(length);
  }
}

Eigen::MatrixXd LineCorrelation::gram(const Eigen::MatrixXd& columns) {
  if (none_) return transpose_times(columns, columns);
  const auto length = static_cast<Eigen::Index>(fft_.length());
  Eigen::MatrixXd transformed(2 * length, columns.cols());
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    std::fill(work_.begin(), work_.end(), std::complex<double>{});
    for (Eigen::Index k = 0; k < lines_; ++k) {
      work_[static_cast<std::size_t>(k)] = {columns(k, c), columns(lines_ + k, c)};
    }
    fft_.forward(work_);
    for (Eigen::Index t = 0; t < length; ++t) {
      transformed(t, c) = work_[static_cast<std::size_t>(t)].real();
      transformed(length + t, c) = work_[static_cast<std::size_t>(t)].imag();
    }
  }
  const Eigen::MatrixXd weighted = spectrum_.replicate(2, 1).asDiagonal() * transformed;
  return transpose_times(transformed, weighted);
}

}  // namespace microslip
