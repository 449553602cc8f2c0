#include "microslip/analyses/compare_records/common_times.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/resample.hpp"

namespace microslip {
namespace {

constexpr double same_grid = 1e-6;  // steps
constexpr int kernel_lobes = 32;
constexpr double fewest_common = 16.0;
constexpr std::size_t probes = 4000;

struct Grid {
  double start = 0.0, step = 0.0;
  std::size_t count = 0;
};

double last_time(const SampledMotion& motion) {
  return motion.time(static_cast<double>(motion.values.size()) - 1.0);
}

/// All signals begin with nothing.
bool begins_at_rest(const std::vector<SampledMotion>& motion) {
  return std::all_of(motion.begin(), motion.end(),
                     [](const SampledMotion& each) { return each.values.front() == 0.0; });
}

/// Samples of `slow` from `from` to `to`.
Grid grid_of(const SampledMotion& slow, double from, double to) {
  const auto count = static_cast<double>(slow.values.size());
  const double first = std::clamp(std::ceil((from - slow.start) / slow.step - same_grid), 0.0, count);
  const double last = std::clamp(std::floor((to - slow.start) / slow.step + same_grid), -1.0, count - 1.0);
  if (last - first + 1.0 < fewest_common) return {};
  return {slow.time(first), slow.step, static_cast<std::size_t>(last - first) + 1};
}

std::vector<SampledMotion> cut_to(const Grid& grid, std::vector<SampledMotion> motion) {
  for (SampledMotion& each : motion) {
    const auto first = static_cast<std::ptrdiff_t>(std::lround((grid.start - each.start) / each.step));
    each.values = {each.values.begin() + first, each.values.begin() + first + static_cast<std::ptrdiff_t>(grid.count)};
    each.start = grid.start;
  }
  return motion;
}

std::vector<double> on_grid(const SampledMotion& motion, const Grid& grid, const Resampler& by) {
  return by.at(motion.values, (grid.start - motion.start) / motion.step, grid.step / motion.step, grid.count);
}

/// What twice as many lobes change, in the signal of the largest values.
double resampling_error(const std::vector<SampledMotion>& motion, const Grid& grid, double cutoff,
                        const Resampler& by) {
  const auto size = [](const SampledMotion& each) {
    double largest = 0.0;
    for (const double value : each.values) largest = std::max(largest, std::abs(value));
    return largest;
  };
  const SampledMotion& strongest = *std::max_element(
      motion.begin(), motion.end(), [&](const SampledMotion& a, const SampledMotion& b) { return size(a) < size(b); });
  const double largest = size(strongest);
  if (!(largest > 0.0)) return 0.0;
  const Resampler longer(cutoff, 2 * kernel_lobes);
  Grid some = grid;
  const std::size_t every = std::max<std::size_t>(1, grid.count / probes);
  some.step *= static_cast<double>(every);
  some.count = (grid.count - 1) / every + 1;
  const std::vector<double> a = on_grid(strongest, some, by), b = on_grid(strongest, some, longer);
  double error = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) error = std::max(error, std::abs(a[i] - b[i]));
  return error / largest;
}

/// `fast` at the samples of `slow`.
CommonTimes resampled_to(std::vector<SampledMotion> fast, std::vector<SampledMotion> slow) {
  const SampledMotion& quick = fast.front();
  const double cutoff = std::min(1.0, quick.step / slow.front().step);
  const Resampler by(cutoff, kernel_lobes);
  const double reach = by.reach() * quick.step;
  const Grid grid =
      grid_of(slow.front(), begins_at_rest(fast) ? quick.start : quick.start + reach, last_time(quick) - reach);
  if (grid.count == 0) return {};
  CommonTimes result;
  result.resampled = true;
  result.error = resampling_error(fast, grid, cutoff, by);
  for (SampledMotion& each : fast) {
    each.values = on_grid(each, grid, by);
    each.start = grid.start;
    each.step = grid.step;
  }
  result.first = std::move(fast);
  result.second = cut_to(grid, std::move(slow));
  return result;
}

}  // namespace

CommonTimes at_common_times(std::vector<SampledMotion> first, std::vector<SampledMotion> second) {
  const SampledMotion &a = first.front(), &b = second.front();
  const double apart = (b.start - a.start) / a.step;
  const double drift =
      std::abs(b.step / a.step - 1.0) * static_cast<double>(std::min(a.values.size(), b.values.size()));
  if (std::abs(apart - std::round(apart)) < same_grid && drift < same_grid) {
    const Grid grid = grid_of(a, std::max(a.start, b.start), std::min(last_time(a), last_time(b)));
    if (grid.count == 0) return {};
    return {cut_to(grid, std::move(first)), cut_to(grid, std::move(second)), false, 0.0};
  }
  if (a.step <= b.step) return resampled_to(std::move(first), std::move(second));
  CommonTimes turned = resampled_to(std::move(second), std::move(first));
  std::swap(turned.first, turned.second);
  return turned;
}

}  // namespace microslip
