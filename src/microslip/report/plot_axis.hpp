#pragma once
// One axis of a picture: from the data's range to places on the paper.

#include <cstddef>
#include <span>

#include "microslip/report/figure.hpp"
#include "microslip/report/number_text.hpp"

namespace microslip {

/// Least and largest of the values that an axis can show.
class DataRange {
 public:
  explicit DataRange(bool log) : log_(log) {}

  void add(std::span<const double> values);
  [[nodiscard]] bool empty() const { return !(low_ <= high_); }
  [[nodiscard]] long double low() const { return low_; }
  [[nodiscard]] long double high() const { return high_; }
  [[nodiscard]] bool log() const { return log_; }
  [[nodiscard]] std::size_t hidden() const { return hidden_; }  ///< not positive, on a log axis

 private:
  bool log_;
  long double low_ = 1.0L, high_ = 0.0L;
  std::size_t hidden_ = 0;
};

class AxisScale {
 public:
  AxisScale() = default;
  /// `margin`: share of the range that is added at both ends. A single value gets room around it.
  AxisScale(const DataRange& range, double margin);

  /// 0 at the low end, 1 at the high one; NaN for what the axis cannot show.
  [[nodiscard]] double place(long double value) const;
  [[nodiscard]] Ticks ticks(int wanted) const;
  [[nodiscard]] bool log() const { return log_; }
  [[nodiscard]] long double low() const { return low_; }
  [[nodiscard]] long double high() const { return high_; }

 private:
  bool log_ = false;
  long double low_ = 0.0L, high_ = 1.0L;
  long double start_ = 0.0L, span_ = 1.0L;  ///< of the value or its logarithm
};

/// "Force (N)": name and unit of an axis.
[[nodiscard]] std::string axis_title(const Axis& axis);

}  // namespace microslip
