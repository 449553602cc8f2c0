#include "microslip/modal/zero_crossings.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

/// Zero of the straight line through samples `from` to `to`, for a crossing where noise changes the sign several times.
double zero_of_regression(std::span<const double> y, std::size_t from, std::size_t to) {
  const double centre = 0.5 * static_cast<double>(from + to);
  double sum = 0.0, moment = 0.0, square = 0.0;
  for (std::size_t i = from; i <= to; ++i) {
    const double x = static_cast<double>(i) - centre;
    sum += y[i];
    moment += x * y[i];
    square += x * x;
  }
  const double mean = sum / static_cast<double>(to - from + 1), slope = moment / square;
  const double x = centre - mean / slope;
  return slope != 0.0 && x > static_cast<double>(from) && x < static_cast<double>(to) ? x : centre;
}

}  // namespace

std::vector<double> zero_crossings(std::span<const double> y, double noise, double floor) {
  std::vector<double> crossings;
  double side = 0.0, extreme = 0.0;
  bool changed = false;  // its sign, since the signal was surely on its side
  std::size_t first = 0, last = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (side == 0.0) {
      if (std::abs(y[i]) > 4.0 * noise) side = std::copysign(1.0, y[i]);
      extreme = std::abs(y[i]);
      continue;
    }
    const double here = side * y[i], threshold = std::max(4.0 * noise, 0.2 * extreme);
    if (here < 0.0 && side * y[i - 1] >= 0.0) {
      if (!changed) first = i - 1;
      changed = true;
      last = i - 1;
    }
    if (here > threshold) changed = false;
    extreme = std::max(extreme, here);
    if (-here <= threshold || !changed) continue;
    if (extreme < floor * noise) {
      if (crossings.size() > 1) break;
      crossings.clear();  // the half-cycles above the floor have not begun
    }
    crossings.push_back(first == last
                            ? zero_between_samples(y, last)
                            : zero_of_regression(y, first > 1 ? first - 1 : 0, std::min(last + 2, y.size() - 1)));
    side = -side;
    extreme = -here;
    changed = false;
  }
  return crossings;
}

}  // namespace microslip
