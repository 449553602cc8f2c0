#include "microslip/identify/hysteresis_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace microslip {
namespace {

constexpr std::size_t fewest_points = 8;
constexpr double closed_gap = 1e-3;  // of the range: a loop for motion_of
constexpr double widest_gap = 0.05;  // that a loop may have between its last point and its first

double range(const std::vector<double>& x) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return *high - *low;
}

/// Distance between the ends over the range, the larger of u and f.
double gap(const ForceCurve& curve) {
  const auto share = [](const std::vector<double>& x) { return std::abs(x.back() - x.front()) / range(x); };
  return std::max(share(curve.u), share(curve.f));
}

bool turns_back(const ForceCurve& curve) {
  int direction = curve.u.front() > 0.0 ? 1 : curve.u.front() < 0.0 ? -1 : 0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const double step = curve.u[i] - curve.u[i - 1];
    if (step == 0.0) continue;
    const int now = step > 0.0 ? 1 : -1;
    if (direction != 0 && now != direction) return true;
    direction = now;
  }
  return false;
}

/// Around a closed record.
std::size_t next(const HysteresisRecord& record, std::size_t i) {
  return i + 1 < record.size() ? i + 1 : 0;
}

}  // namespace

Motion motion_of(const ForceCurve& curve) {
  if (curve.size() < fewest_points || !(range(curve.u) > 0.0) || !(range(curve.f) > 0.0)) return Motion::history;
  if (!first_loading_fault(curve, fewest_points)) return Motion::masing;
  return turns_back(curve) && gap(curve) <= closed_gap ? Motion::loop : Motion::history;
}

std::optional<CurveFault> record_fault(const ForceCurve& curve, Motion motion) {
  if (motion == Motion::masing) return first_loading_fault(curve, fewest_points);
  if (curve.size() < fewest_points) {
    return CurveFault{0, fmt::format("at least {} points are needed, got {}", fewest_points, curve.size())};
  }
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (!std::isfinite(curve.u[i])) return CurveFault{i, fmt::format("u must be a finite number, got {}", curve.u[i])};
    if (!std::isfinite(curve.f[i])) return CurveFault{i, fmt::format("f must be a finite number, got {}", curve.f[i])};
    if (!curve.weight.empty() && !(std::isfinite(curve.weight[i]) && curve.weight[i] > 0.0)) {
      return CurveFault{i, fmt::format("weight must be > 0, got {}", curve.weight[i])};
    }
  }
  if (!(range(curve.u) > 0.0)) return CurveFault{0, "u never changes"};
  if (!(range(curve.f) > 0.0)) return CurveFault{0, "f never changes"};
  if (!turns_back(curve)) {
    return CurveFault{0,
                      "u never turns back, and beta and gamma cannot be told apart; of a first loading, motion = "
                      "\"masing\" makes a loop"};
  }
  if (motion == Motion::loop && gap(curve) > widest_gap) {
    return CurveFault{curve.size() - 1,
                      fmt::format("the loop does not close: its ends are {:.2g} of its range apart", gap(curve))};
  }
  return std::nullopt;
}

HysteresisRecord record_of(const ForceCurve& curve, Motion motion) {
  HysteresisRecord record;
  record.closed = motion != Motion::history;
  if (motion == Motion::masing) {
    ForceCurve rise = curve;
    if (rise.u.front() > 0.0) {
      rise.u.insert(rise.u.begin(), 0.0);
      rise.f.insert(rise.f.begin(), 0.0);
      if (!rise.weight.empty()) rise.weight.insert(rise.weight.begin(), rise.weight.front());
    }
    const double tip_u = rise.u.back(), tip_f = rise.f.back();
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t i = 0; i + 1 < rise.size(); ++i) {  // each branch ends where the other begins
        record.u.push_back(sign * (tip_u - 2.0 * rise.u[i]));
        record.f.push_back(sign * (tip_f - 2.0 * rise.f[i]));
        if (!rise.weight.empty()) record.weight.push_back(rise.weight[i]);
      }
    }
  } else {
    record.u = curve.u;
    record.f = curve.f;
    record.weight = curve.weight;
    // A last point that repeats the first says nothing more.
    if (record.closed && record.u.back() == record.u.front() && record.f.back() == record.f.front()) {
      record.u.pop_back();
      record.f.pop_back();
      if (!record.weight.empty()) record.weight.pop_back();
    }
  }
  const double sum = std::accumulate(record.weight.begin(), record.weight.end(), 0.0);
  for (double& weight : record.weight) weight *= static_cast<double>(record.size()) / sum;
  return record;
}

double work(const HysteresisRecord& record, const std::vector<double>& f) {
  double sum = record.closed ? 0.0 : 0.5 * f.front() * record.u.front();
  for (std::size_t i = 0; i + (record.closed ? 0 : 1) < record.size(); ++i) {
    const std::size_t j = next(record, i);
    sum += 0.5 * (f[i] + f[j]) * (record.u[j] - record.u[i]);
  }
  return sum;
}

double nonlinear_part(const HysteresisRecord& record) {
  double uu = 0.0, uf = 0.0, ff = 0.0;
  for (std::size_t i = 0; i < record.size(); ++i) {
    uu += record.u[i] * record.u[i];
    uf += record.u[i] * record.f[i];
    ff += record.f[i] * record.f[i];
  }
  const double slope = uf / uu;
  double square = 0.0;
  for (std::size_t i = 0; i < record.size(); ++i) square += std::pow(record.f[i] - slope * record.u[i], 2);
  // A straight line to rounding has no part of its own: measure in its force instead.
  const double least = 1e-12 * ff;
  return std::sqrt((square > least ? square : ff) / static_cast<double>(record.size()));
}

}  // namespace microslip
