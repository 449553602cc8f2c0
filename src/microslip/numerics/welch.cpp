#include "microslip/numerics/welch.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace microslip {

WelchPsd::WelchPsd(std::size_t segment, double step)
    : step_(step),
      bin_(1.0 / (static_cast<double>(segment) * step)),
      window_(segment),
      samples_(segment),
      fft_(segment),
      work_(segment),
      sum_(segment / 2 + 1) {
  assert(segment >= 4 && segment % 2 == 0);
  for (std::size_t j = 0; j < segment; ++j) {
    window_[j] = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(segment));
    window_power_ += window_[j] * window_[j];
  }
}

void WelchPsd::add(double sample) {
  samples_[filled_++] = sample;
  if (filled_ < samples_.size()) return;
  count_segment();
  const std::size_t half = samples_.size() / 2;
  std::copy(samples_.begin() + static_cast<std::ptrdiff_t>(half), samples_.end(), samples_.begin());
  filled_ = half;
}

void WelchPsd::count_segment() {
  for (std::size_t j = 0; j < samples_.size(); ++j) work_[j] = window_[j] * samples_[j];
  fft_.forward(work_);
  for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += std::norm(work_[k]);
  ++segments_;
}

std::vector<double> WelchPsd::psd() const {
  std::vector<double> result(sum_.size());
  if (segments_ == 0) return result;
  const double scale = step_ / (window_power_ * static_cast<double>(segments_));
  for (std::size_t k = 0; k < result.size(); ++k) {
    const double sides = k == 0 || k + 1 == result.size() ? 1.0 : 2.0;
    result[k] = sides * scale * sum_[k];
  }
  return result;
}

}  // namespace microslip
