#include "microslip/modal/joint_decay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/joints/law_traits.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

constexpr int cycles_at_start = 4;  ///< of constant amplitude, for memory that fades
constexpr int cycles_before = 1;
constexpr double farthest_shape = 0.3;  ///< of s, to which du/d ln a is followed
constexpr double no_power = 1e-12;      ///< of p

JointMemory new_joint(const Law& law, double normal) {
  const std::array<const Law*, 1> laws = {&law};
  const std::array<double, 1> normals = {normal};
  return JointMemory(laws, normals);
}

}  // namespace

JointDecay::JointDecay(const Law& law, double normal, int harmonics, int steps)
    : fresh_(new_joint(law, normal)),
      custom_(is_custom(law)),
      tells_energy_(tells_energy(law)),
      harmonics_(harmonics),
      steps_(2 * ((steps + 1) / 2)),
      scanner_(harmonics),
      response_(fresh_.make_response()),
      before_(response_) {}

void JointDecay::add_instant(double tau, const double* series, const double* by_log_amplitude) {
  const SeriesPoint u = series_at(series, harmonics_, tau), by = series_at(by_log_amplitude, harmonics_, tau);
  instants_.push_back({tau, u.value, u.slope, by.value - u.value, by.slope - u.slope});
}

double DecayLaw::at(double tau) const {
  const double highest = std::log(start_ratio), fallen = d * (tau - 1.5 * pi);
  if (std::abs(p) < no_power) return std::min(-fallen, highest);
  if (1.0 + p * fallen > 0.0) return std::min(-std::log1p(p * fallen) / p, highest);  // e^(-p s) = 1 + p fallen
  return p > 0.0 ? highest : -std::numeric_limits<double>::infinity();  // p > 0: it came down from infinity
}

double DecayLaw::begin() const {
  const double highest = std::log(start_ratio);
  return 1.5 * pi - (std::abs(p) < no_power ? highest : -std::expm1(-p * highest) / p) / d;
}

double DecayLaw::squares(double from, double to) const {
  if (d == 0.0) return to - from;
  const double start = d > 0.0 ? std::clamp(begin(), from, to) : from;
  const double held = start_ratio * start_ratio * (start - from);
  if (start == to) return held;
  const double m = 2.0 - p, s0 = at(start), s1 = at(to), x = m * (s0 - s1);
  if (std::abs(x) > 1.0) return held + (std::exp(m * s0) - std::exp(m * s1)) / (m * d);  // s1 may be -infinity
  return held + std::exp(m * s1) * (x == 0.0 ? 1.0 : std::expm1(x) / x) * (s0 - s1) / d;
}

void JointDecay::follow(const double* series, const double* by_log_amplitude, double omega) {
  omega_ = omega;
  instants_.clear();
  for (const double from : {0.0, pi}) {
    if (custom_) {
      for (int i = 1; i < steps_ / 2; ++i) add_instant(from + two_pi * i / steps_, series, by_log_amplitude);
    } else {
      for (const auto& extremum : scanner_.extrema(series)) {
        if (extremum.tau > from && extremum.tau < from + pi) add_instant(extremum.tau, series, by_log_amplitude);
      }
    }
    add_instant(from + pi, series, by_log_amplitude);
    if (from == 0.0) middle_ = instants_.size();
  }
}

void JointDecay::approach(const DecayLaw& decay) {
  approached_ = fresh_;
  u_ = 0.0;
  const double cycles = std::max(-decay.begin() / two_pi - cycles_before, 0.0);
  const int count = static_cast<int>(std::min(std::ceil(cycles), static_cast<double>(most_cycles)));
  const double hurry = count > 0 ? cycles / count : 1.0;
  const double last = -two_pi * cycles_before, first = last - two_pi * count;
  const auto ratio_at = [&](double tau) { return decay.at(last + hurry * (tau - last)); };
  step(approached_, instants_.back(), ratio_at(first));  // tau = 0
  for (int i = 0; i < 2 * cycles_at_start; ++i) {
    half_period(approached_, i, [&](double) { return ratio_at(first); });
  }
  for (int i = 0; i < 2 * count; ++i) half_period(approached_, i - 2 * (count + cycles_before), ratio_at);
}

double JointDecay::step(JointMemory& memory, const Instant& instant, double s) {
  const double shape = std::clamp(s, -farthest_shape, farthest_shape), ratio = std::exp(s);
  const double u = ratio * (instant.u + shape * instant.shape);
  const double rate = omega_ * ratio * (instant.slope + shape * instant.shape_slope);
  memory.evaluate(&u, &rate, instant.tau / omega_, response_);
  memory.commit();
  const double du = u - u_;
  const double work = 0.5 * du * (before_.force[0] + response_.force[0]) +
                      du * du * (before_.stiffness[0] - response_.stiffness[0]) / 12.0;
  u_ = u;
  std::swap(before_, response_);
  return work;
}

template <class Ratio>
double JointDecay::half_period(JointMemory& memory, int begin, Ratio&& ratio_at) {
  double work = 0.0;
  const bool second = begin % 2 != 0;
  const double start = pi * (second ? begin - 1 : begin);  // of the period
  const std::size_t from = second ? middle_ : 0, to = second ? instants_.size() : middle_;
  for (std::size_t i = from; i < to; ++i) work += step(memory, instants_[i], ratio_at(start + instants_[i].tau));
  return work;
}

JointDecay::Cycle JointDecay::cycle(const DecayLaw& decay) {
  const auto ratio_at = [&](double tau) { return decay.at(tau); };
  JointMemory memory = approached_;
  for (int i = -2 * cycles_before; i < 0; ++i) half_period(memory, i, ratio_at);
  Cycle result;
  std::array<double, 4> work{}, stored{};  // at 0, pi, 2 pi, 3 pi; work since 0
  stored[0] = memory.stored_energy(0);
  const double taken = stored[0] + memory.dissipated_energy(0);
  for (int i = 0; i < 3; ++i) {
    const double done = half_period(memory, i, ratio_at);
    stored[i + 1] = memory.stored_energy(0);
    work[i + 1] = tells_energy_ ? stored[i + 1] + memory.dissipated_energy(0) - taken : work[i] + done;
  }
  result.work = 0.5 * (work[2] + work[3] - work[1]);
  result.stored = 0.25 * (stored[0] + stored[1] + stored[2] + stored[3]);
  return result;
}

Decay find_decay(std::vector<JointDecay>& joints, const DecayingStructure& structure, const DecayLaw& about) {
  constexpr int rounds = 2, most_steps = 12;
  // Of d: below `least` it is not needed for the way down; beyond `largest` there is no swing; `rounding` is no growth.
  constexpr double least = 1e-6, largest = 0.5, rounding = 1e-9;
  Decay result;
  const auto miss = [&](double d) {
    const DecayLaw law{d, about.p};
    const auto square = [&](int i) { return std::exp(2.0 * law.at(pi * i)); };  // of amplitude/a
    double sum = 0.25 * structure.rise * (square(0) - square(2) + square(1) - square(3)) -
                 structure.viscous / (4.0 * pi) * (law.squares(0.0, two_pi) + law.squares(pi, 3.0 * pi));
    result.stored = 0.0;
    for (JointDecay& joint : joints) {
      const JointDecay::Cycle cycle = joint.cycle(law);
      sum -= cycle.work;
      result.stored += cycle.stored;
    }
    return sum;
  };
  double d = std::clamp(about.d, least, largest);
  for (int round = 0; round < rounds; ++round) {
    for (JointDecay& joint : joints) joint.approach({std::max(d, least), about.p});
    double before = d > least ? 0.9 * d : 2.0 * least, miss_before = miss(before);
    bool found = false;
    for (int i = 0; i < most_steps && !found; ++i) {  // secants
      const double now = miss(d);
      found = now == 0.0;
      if (now == miss_before) break;
      const double step = now * (d - before) / (now - miss_before);
      found = found || std::abs(step) <= 1e-9 * std::abs(d) + 1e-13;
      before = d;
      miss_before = now;
      d = std::clamp(d - step, -2.0 * largest, 2.0 * largest);
    }
    if (!found || !(d < largest && d > -rounding)) return {};
    d = std::max(d, 0.0);
    const DecayLaw law{d, about.p};
    const bool lasts = std::isfinite(law.at(3.0 * pi));
    const bool swings = d * std::exp(about.p * law.at(0.0)) < largest;  // at the start of the first cycle already
    if (!lasts || !swings) return {};
  }
  static_cast<void>(miss(d));
  result.rate = d;
  return result;
}

}  // namespace microslip
