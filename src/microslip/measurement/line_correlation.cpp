#include "microslip/measurement/line_correlation.hpp"

#include <algorithm>

#include "microslip/numerics/dense.hpp"

namespace microslip {

LineCorrelation::Run::Run(Eigen::Index from, Eigen::Index lines, const Eigen::VectorXcd& apart)
    : first(from), count(lines), fft(fast_length_above(static_cast<std::size_t>(2 * lines))), work(fft.length()) {
  const auto length = static_cast<Eigen::Index>(fft.length());
  work[0] = 1.0;
  for (Eigen::Index m = 1; m <= std::min(apart.size(), lines - 1); ++m) {
    work[static_cast<std::size_t>(m)] = apart(m - 1);
    work[static_cast<std::size_t>(length - m)] = std::conj(apart(m - 1));
  }
  fft.forward(work);
  spectrum.resize(length);
  for (Eigen::Index t = 0; t < length; ++t) {
    spectrum(t) = work[static_cast<std::size_t>(t)].real() / static_cast<double>(length);
  }
}

LineCorrelation::LineCorrelation(Eigen::Index lines, const Eigen::VectorXcd& apart,
                                 const std::vector<Eigen::Index>& numbers)
    : lines_(lines) {
  if (apart.size() == 0) return;
  for (Eigen::Index from = 0, to = 0; from < lines; from = to) {
    const auto number = [&](Eigen::Index k) { return numbers.empty() ? k : numbers[static_cast<std::size_t>(k)]; };
    for (to = from + 1; to < lines && number(to) == number(to - 1) + 1;) ++to;
    if (to - from > 1) {
      runs_.emplace_back(from, to - from, apart);
    } else {
      singles_.push_back(from);
    }
  }
}

Eigen::MatrixXd LineCorrelation::gram(const Eigen::MatrixXd& columns) {
  if (runs_.empty()) return transpose_times(columns, columns);
  Eigen::MatrixXd single(2 * static_cast<Eigen::Index>(singles_.size()), columns.cols());
  for (std::size_t i = 0; i < singles_.size(); ++i) {
    const auto row = 2 * static_cast<Eigen::Index>(i);
    single.row(row) = columns.row(singles_[i]);
    single.row(row + 1) = columns.row(lines_ + singles_[i]);
  }
  Eigen::MatrixXd sum = transpose_times(single, single);
  for (Run& run : runs_) add_gram(run, columns, sum);
  return sum;
}

void LineCorrelation::add_gram(Run& run, const Eigen::MatrixXd& columns, Eigen::MatrixXd& sum) const {
  const auto length = static_cast<Eigen::Index>(run.fft.length());
  Eigen::MatrixXd transformed(2 * length, columns.cols());
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    std::fill(run.work.begin(), run.work.end(), std::complex<double>{});
    for (Eigen::Index k = 0; k < run.count; ++k) {
      run.work[static_cast<std::size_t>(k)] = {columns(run.first + k, c), columns(lines_ + run.first + k, c)};
    }
    run.fft.forward(run.work);
    for (Eigen::Index t = 0; t < length; ++t) {
      transformed(t, c) = run.work[static_cast<std::size_t>(t)].real();
      transformed(length + t, c) = run.work[static_cast<std::size_t>(t)].imag();
    }
  }
  const Eigen::MatrixXd weighted = run.spectrum.replicate(2, 1).asDiagonal() * transformed;
  sum += transpose_times(transformed, weighted);
}

}  // namespace microslip
