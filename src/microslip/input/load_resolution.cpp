#include "microslip/input/load_resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double half_period(double omega, double amplitude) {
  return omega > 0.0 && amplitude != 0.0 ? pi / omega : never;
}

struct HalfWave {
  double operator()(const Constant&) const { return never; }
  double operator()(const HalfSine& s) const { return s.amplitude == 0.0 ? never : s.duration; }
  double operator()(const Sine& s) const { return half_period(s.omega, s.amplitude); }
  double operator()(const SineBeat& s) const { return half_period(s.omega, s.amplitude); }
  double operator()(const RampedSine& s) const { return half_period(s.omega, s.from != 0.0 ? s.from : s.to); }
  double operator()(const RandomNoise& s) const { return s.amplitude == 0.0 ? never : 0.5 / s.cutoff; }
  double operator()(const Fourier& s) const {
    double shortest = never;
    for (const auto* coefficients : {&s.cosines, &s.sines}) {
      for (std::size_t h = 0; h < coefficients->size(); ++h) {
        shortest = std::min(shortest, half_period(static_cast<double>(h + 1) * s.omega, (*coefficients)[h]));
      }
    }
    return shortest;
  }
  double operator()(const TableSignal& s) const {
    // Turns back by less than a share of the range are noise.
    constexpr double noise = 0.05;
    const auto [low, high] = std::minmax_element(s.values.begin(), s.values.end());
    const double enough = noise * std::max(std::abs(*low), std::abs(*high));
    double shortest = never, turned = s.times.front(), tip = 0.0;
    double tip_time = s.times.front();
    int direction = 0;
    for (std::size_t i = 0; i < s.times.size(); ++i) {
      const double change = s.values[i] - tip;
      if (direction * change >= 0.0 && (direction != 0 || std::abs(change) > enough)) {
        if (direction == 0) direction = change > 0.0 ? 1 : -1;
        tip = s.values[i];
        tip_time = s.times[i];
      } else if (std::abs(change) > enough) {
        if (tip_time > turned) shortest = std::min(shortest, tip_time - turned);
        turned = tip_time;
        direction = -direction;
        tip = s.values[i];
        tip_time = s.times[i];
      }
    }
    if (!s.hold && direction != 0 && s.times.back() > turned) shortest = std::min(shortest, s.times.back() - turned);
    return shortest;
  }
};

}  // namespace

double shortest_half_wave(const Signal& signal) {
  return std::visit(HalfWave{}, signal.kind());
}

std::string unresolved_loads(std::span<const Load> loads, double step) {
  std::string text;
  for (const Load& load : loads) {
    const double half_wave = shortest_half_wave(load.signal);
    if (2.0 * step <= half_wave) continue;
    text += fmt::format(
        "{}the step of {:g} does not see load \"{}\", whose shortest half wave takes {:g}: take {:g} or less",
        text.empty() ? "" : "; ", step, load.name, half_wave, 0.5 * half_wave);
  }
  return text;
}

}  // namespace microslip
