#include "microslip/study/force_hits.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

constexpr double fallen_back = 0.05;      // of the largest force: quiet
constexpr double hit_from = 0.25;         // of the largest force
constexpr double beyond_noise = 6.0;      // standard deviations
constexpr double median_of_size = 0.674;  // standard deviations of Gaussian noise
constexpr std::size_t quiet_after = 10;   // lengths of a hit: it is over for good

enum class Loudness : char { quiet, audible, hit };

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Raises the loudness of each sample to that of this force; false for a constant one.
bool add_force(const std::vector<double>& force, std::vector<Loudness>& loudness) {
  std::vector<double> last(force.end() - static_cast<std::ptrdiff_t>((force.size() + 3) / 4), force.end());
  const double rest = median(last);
  for (double& value : last) value = std::abs(value - rest);
  double largest = 0.0;
  for (const double value : force) largest = std::max(largest, std::abs(value - rest));
  if (!(largest > 0.0)) return false;
  const double quiet = std::max(fallen_back * largest, beyond_noise / median_of_size * median(std::move(last)));
  const double hit = std::max(hit_from * largest, quiet);
  for (std::size_t i = 0; i < force.size(); ++i) {
    const double size = std::abs(force[i] - rest);
    const Loudness here = size <= quiet ? Loudness::quiet : size < hit ? Loudness::audible : Loudness::hit;
    loudness[i] = std::max(loudness[i], here);
  }
  return true;
}

}  // namespace

ForceHits force_hits(const std::vector<const std::vector<double>*>& forces, std::size_t least) {
  ForceHits hits;
  if (forces.empty()) return hits;
  std::vector<Loudness> loudness(forces.front()->size(), Loudness::quiet);
  for (const std::vector<double>* force : forces) hits.any = add_force(*force, loudness) || hits.any;
  const auto begin = std::find(loudness.begin(), loudness.end(), Loudness::hit);
  if (begin == loudness.end()) return hits;
  const auto loud = [](Loudness here) { return here != Loudness::quiet; };
  for (auto end = begin + 1;;) {
    const auto length = static_cast<std::size_t>(end - begin);
    const auto next = std::find_if(end, loudness.end(), loud);
    const bool over = static_cast<std::size_t>(next - end) >= std::max(least, quiet_after * length);
    if (next == loudness.end() && static_cast<std::size_t>(next - end) < least) return hits;
    if (over || next == loudness.end()) {
      hits.end = static_cast<std::size_t>(end - loudness.begin());
      if (next != loudness.end()) hits.second = static_cast<std::size_t>(next - loudness.begin());
      return hits;
    }
    end = next + 1;
  }
}

}  // namespace microslip
