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

std::vector<Spot> without_repeats_on(const std::vector<Spot>& line, double grid) {
  std::vector<Spot> kept;
  std::unordered_set<std::uint64_t> strokes;
  bool open = false;  // the last kept point is where the next stroke begins
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!drawn(line[i])) {
      open = false;
      continue;
    }
    const bool stroke = i > 0 && drawn(line[i - 1]);
    if (!stroke) {
      const bool alone = i + 1 == line.size() || !drawn(line[i + 1]);
      if (alone && strokes.insert(cell(line[i], grid) << 32U | cell(line[i], grid)).second) {
        if (!kept.empty()) kept.push_back(line_break);
        kept.push_back(line[i]);
      }
      continue;
    }
    const std::uint64_t from = cell(line[i - 1], grid), to = cell(line[i], grid);
    if (!strokes.insert(std::min(from, to) << 32U | std::max(from, to)).second) {
      open = false;
      continue;
    }
    if (!open) {
      if (!kept.empty()) kept.push_back(line_break);
      kept.push_back(line[i - 1]);
    }
    kept.push_back(line[i]);
    open = true;
  }
  return kept;
}

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

std::vector<Spot> without_repeats(std::vector<Spot> line, double grid, std::size_t most) {
  for (int i = 0; i < 6 && line.size() > most; ++i, grid *= 2.0) line = without_repeats_on(line, grid);
  return line;
}

std::vector<Spot> thin_dots(const std::vector<Spot>& dots, double grid) {
  std::vector<Spot> kept;
  std::unordered_set<std::uint64_t> cells;
  for (const Spot& dot : dots) {
    if (drawn(dot) && cells.insert(cell(dot, grid)).second) kept.push_back(dot);
  }
  return kept;
}

}  // namespace microslip
