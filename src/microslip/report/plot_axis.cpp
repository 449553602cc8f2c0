#include "microslip/report/plot_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace microslip {

void DataRange::add(std::span<const double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    if (log_ && value <= 0.0) {
      ++hidden_;
      continue;
    }
    if (empty()) {
      low_ = high_ = value;
    } else {
      low_ = std::min<long double>(low_, value);
      high_ = std::max<long double>(high_, value);
    }
  }
}

AxisScale::AxisScale(const DataRange& range, double margin) : log_(range.log()) {
  if (range.empty()) {
    low_ = log_ ? 1.0L : 0.0L;
    high_ = log_ ? 10.0L : 1.0L;
  } else {
    low_ = range.low();
    high_ = range.high();
  }
  // Nearer than a few roundings of the numbers: one value, not a range full of rounding noise.
  const long double noise = 4.0L * std::numeric_limits<double>::epsilon() * std::max(std::abs(low_), std::abs(high_));
  const bool single = high_ - low_ <= noise;
  if (log_) {
    const long double share = single ? std::log(2.0L) : margin * std::log(high_ / low_);
    low_ *= std::exp(-share);
    high_ *= std::exp(share);
    start_ = std::log(low_);
    span_ = std::log(high_) - start_;
  } else {
    const long double middle = (low_ + high_) / 2;
    const long double room = single ? (middle == 0.0L ? 1.0L : std::abs(middle) / 10) : margin * (high_ - low_);
    low_ -= room;
    high_ += room;
    start_ = low_;
    span_ = high_ - low_;
  }
}

double AxisScale::place(long double value) const {
  if (!std::isfinite(value) || (log_ && value <= 0.0L)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(((log_ ? std::log(value) : value) - start_) / span_);
}

Ticks AxisScale::ticks(int wanted) const {
  return log_ ? log_ticks(low_, high_, wanted) : linear_ticks(low_, high_, wanted);
}

std::string axis_title(const Axis& axis) {
  if (axis.unit.empty() || axis.unit == "1") return axis.label;
  return axis.label.empty() ? axis.unit : axis.label + " (" + axis.unit + ")";
}

}  // namespace microslip
