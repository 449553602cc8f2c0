#include "microslip/report/thin_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_set>

namespace microslip {
namespace {

constexpr Spot line_break = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

bool drawn(const Spot& spot) {
  return std::isfinite(spot.x) && std::isfinite(spot.y);
}

/// The points of a run [first, last] that count.
void keep_extremes(const std::vector<Spot>& line, std::size_t first, std::size_t last, std::vector<Spot>& kept) {
  std::size_t low = first, high = first;
  for (std::size_t i = first; i <= last; ++i) {
    if (line[i].y < line[low].y) low = i;
    if (line[i].y > line[high].y) high = i;
  }
  std::array<std::size_t, 4> picked = {first, low, high, last};
  std::sort(picked.begin(), picked.end());
  for (std::size_t i = 0; i < picked.size(); ++i) {
    if (i == 0 || picked[i] != picked[i - 1]) kept.push_back(line[picked[i]]);
  }
}

std::uint64_t cell(const Spot& spot, double grid) {
  const auto part = [&](double value) {
    return static_cast<std::uint64_t>(static_cast<std::uint16_t>(static_cast<std::int64_t>(std::floor(value / grid))));
  };
  return part(spot.x) << 16U | part(spot.y);
}

/// Pixels of a picture that have ink.
class InkedPixels {
 public:
  InkedPixels(double width, double height, double pixel)
      : pixel_(pixel),
        columns_(static_cast<std::size_t>(width / pixel) + 2),
        inked_(columns_ * (static_cast<std::size_t>(height / pixel) + 2), 0) {}

  /// Draws a stroke; false when it shows nothing new.
  bool draw(const Spot& from, const Spot& to) {
    const double length = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
    const int steps = static_cast<int>(length / (0.7 * pixel_)) + 1;
    bool fresh = false;
    for (int i = 0; i <= steps; ++i) {
      const double t = static_cast<double>(i) / steps;
      const double x = from.x + t * (to.x - from.x), y = from.y + t * (to.y - from.y);
      const auto place = static_cast<std::size_t>(std::max(0.0, y / pixel_)) * columns_ +
                         std::min(columns_ - 1, static_cast<std::size_t>(std::max(0.0, x / pixel_)));
      if (place >= inked_.size() || inked_[place] != 0) continue;
      inked_[place] = 1;
      fresh = true;
    }
    return fresh;
  }

 private:
  double pixel_;
  std::size_t columns_;
  std::vector<char> inked_;
};

}  // namespace

std::vector<Spot> thin_line(const std::vector<Spot>& line, double column) {
  std::vector<Spot> kept;
  std::size_t i = 0;
  while (i < line.size()) {
    if (!drawn(line[i])) {
      if (!kept.empty() && drawn(kept.back())) kept.push_back(line_break);
      ++i;
      continue;
    }
    const double place = std::floor(line[i].x / column);
    std::size_t last = i;
    while (last + 1 < line.size() && drawn(line[last + 1]) && std::floor(line[last + 1].x / column) == place) ++last;
    keep_extremes(line, i, last, kept);
    i = last + 1;
  }
  while (!kept.empty() && !drawn(kept.back())) kept.pop_back();
  return kept;
}

std::vector<Spot> only_new_ink(const std::vector<Spot>& line, double width, double height, double pixel) {
  std::vector<Spot> kept;
  InkedPixels pixels(width, height, pixel);
  bool open = false;  // the last kept point is where the next stroke begins
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = i == 0 || !drawn(line[i - 1]);
    const bool alone = begins && (i + 1 == line.size() || !drawn(line[i + 1]));
    if (!drawn(line[i]) || (begins && !alone)) {
      open = false;
      continue;
    }
    const Spot& from = alone ? line[i] : line[i - 1];
    if (!pixels.draw(from, line[i])) {
      open = false;
      continue;
    }
    if (!open) {
      if (!kept.empty()) kept.push_back(line_break);
      if (!alone) kept.push_back(from);
    }
    kept.push_back(line[i]);
    open = true;
  }
  return kept;
}

std::vector<std::size_t> kept_dots(const std::vector<Spot>& dots, double grid) {
  std::vector<std::size_t> kept;
  std::unordered_set<std::uint64_t> cells;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (drawn(dots[i]) && cells.insert(cell(dots[i], grid)).second) kept.push_back(i);
  }
  return kept;
}

std::vector<Spot> thin_dots(const std::vector<Spot>& dots, double grid) {
  std::vector<Spot> kept;
  for (const std::size_t i : kept_dots(dots, grid)) kept.push_back(dots[i]);
  return kept;
}

}  // namespace microslip
