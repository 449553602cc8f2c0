#include "microslip/report/thin_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace microslip {
namespace {

struct Run {
  std::size_t first = 0, low = 0, high = 0, last = 0;
};

void close_run(const Run& run, std::vector<std::size_t>& kept) {
  const std::size_t a = std::min(run.low, run.high), b = std::max(run.low, run.high);
  kept.push_back(run.first);
  if (a > run.first) kept.push_back(a);
  if (b > a && b > run.first) kept.push_back(b);
  if (run.last > b) kept.push_back(run.last);
}

}  // namespace

std::vector<std::size_t> thin_curve(const std::vector<double>& x, const std::vector<double>& y, bool log,
                                    std::size_t columns) {
  const std::size_t size = std::min(x.size(), y.size());
  const auto place = [&](double value) { return log ? std::log10(value) : value; };
  constexpr double most = std::numeric_limits<double>::max();
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (std::size_t i = 0; i < size; ++i) {
    if (log && !(x[i] > 0.0)) continue;
    lowest = x[i] < lowest && x[i] >= -most ? x[i] : lowest;
    highest = x[i] > highest && x[i] <= most ? x[i] : highest;
  }
  std::vector<std::size_t> kept;
  const double start = place(lowest);
  const double width = (place(highest) - start) / static_cast<double>(std::max<std::size_t>(1, columns));
  const bool one_column = !(width > 0.0) || !std::isfinite(width);
  const auto edge = [&](double column) {
    const double value = start + column * width;
    return log ? std::pow(10.0, value) : value;
  };
  Run run;
  double from = 0.0, to = 0.0;  // the column of the run
  bool open = false;
  bool gap = true;  // no gap before the first point
  for (std::size_t i = 0; i < size; ++i) {
    if (open && x[i] >= from && x[i] < to && y[i] == y[i]) {
      if (y[i] < y[run.low]) run.low = i;
      if (y[i] > y[run.high]) run.high = i;
      run.last = i;
      continue;
    }
    if (open) close_run(run, kept);
    open = std::isfinite(x[i]) && std::isfinite(y[i]) && (!log || x[i] > 0.0);
    if (!open) {
      if (!gap) kept.push_back(i);
      gap = true;
      continue;
    }
    gap = false;
    run = {i, i, i, i};
    const double column = one_column ? 0.0 : std::floor((place(x[i]) - start) / width);
    from = one_column ? lowest : edge(column);
    to = one_column ? most : edge(column + 1.0);
  }
  if (open) close_run(run, kept);
  return kept;
}

}  // namespace microslip
