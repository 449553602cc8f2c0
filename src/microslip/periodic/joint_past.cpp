#include "microslip/periodic/joint_past.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "microslip/joints/law_traits.hpp"
#include "microslip/system/static_solution.hpp"

namespace microslip {
namespace {

/// How much another force a joint with return-point memory has in a motion between `low` and `high` for having been at
/// `before`, farther out than both, relative to the range of its force there:
///   F' = F0(b) - 2 F0((b - l)/2) + 2 F0((h - l)/2)   at h, for b > h, instead of F0(h) or of -F0(|l|) + 2 F0((h -
///   l)/2).
double change_of_force(const Law& law, double before, double low, double high) {
  return std::visit(
      [&]<class L>(const L& l) {
        if constexpr (MasingLaw<L>) {
          const auto f = [&](double x) { return static_cast<double>(l.shape().at(std::abs(x)).force); };
          if (before < 0.0) std::tie(low, high) = std::pair(-high, -low);
          const double b = std::abs(before), swing = 2.0 * f(0.5 * (high - low));
          const double virgin = high >= -low ? f(high) : -f(low) + swing;
          const double remembered = f(b) - 2.0 * f(0.5 * (b - low)) + swing;
          return swing > 0.0 ? std::abs(remembered - virgin) / swing : 0.0;
        } else {
          return 0.0;
        }
      },
      law);
}

/// Mean and even harmonics of a joint over its odd ones: of a loop that is the same on both sides 0.
double asymmetry(const Eigen::VectorXd& series, int harmonics) {
  double even = series(0) * series(0), odd = 0.0;
  for (int h = 1; h <= harmonics; ++h) (h % 2 == 0 ? even : odd) += series.segment(2 * h - 1, 2).squaredNorm();
  return odd > 0.0 ? std::sqrt(even / odd) : 0.0;
}

/// Where a joint has been farther out.
struct Past {
  std::size_t points = 0;
  double omega = 0.0, before = 0.0, now = 0.0;  ///< of the first: |u| [length]
};

}  // namespace

bool has_constant_load(const HarmonicLoad& load) {
  return load.constant.size() > 0 && !load.constant.isZero(0.0);
}

Eigen::VectorXd farthest_deflections(const Eigen::MatrixXd& series, SeriesScanner& scanner) {
  Eigen::VectorXd result = series.row(0);  // at rest
  for (Eigen::Index c = 0; c < series.cols(); ++c) {
    const auto& extrema = scanner.extrema(series.col(c).data());
    if (!extrema.empty()) result(c) = 0.0;
    for (const auto& extremum : extrema) result(c) = farther(result(c), extremum.value);
  }
  return result;
}

double farther(double a, double b) {
  return std::abs(b) > std::abs(a) ? b : a;
}

std::string sliders_without_memory(const System& system, const std::vector<ResponsePoint>& points) {
  std::map<std::size_t, std::size_t> joints;  // points of each
  for (const ResponsePoint& point : points) {
    if (!point.known()) continue;
    for (std::size_t j = 0; j < system.joints().size(); ++j) {
      if (memory_of(system.joints()[j].law) != MemoryKind::sliders) continue;
      const int c = system.offset(static_cast<int>(j));
      const double least = 1e-6 + 2.0 * point.errors.at_point();
      if (asymmetry(point.orbit.deflection.col(c), point.orbit.harmonics) > least) ++joints[j];
    }
  }
  std::string list;
  for (const auto& [j, count] : joints) {
    list += fmt::format("{}\"{}\" at {} of {} points", list.empty() ? "" : ", ", system.joints()[j].name, count,
                        points.size());
  }
  if (list.empty()) return {};
  return fmt::format(
      "the loop is not the same on both sides, and the law has no return-point memory: {}. Its sliders "
      "are where the motion given would put them from rest, or from a transient that it was found by; a growing load "
      "may "
      "leave them elsewhere and lead to another motion: compare with a transient",
      list);
}

std::string joint_past(const System& system, const HarmonicLoad& load, const std::vector<ResponsePoint>& points,
                       bool grows) {
  if (points.empty() || !has_constant_load(load)) return {};
  const StaticSolution at_rest = static_solution(system, load.constant);
  if (at_rest.ending != Ending::completed) {
    return fmt::format("under the constant load alone: {}; whether joints were farther out before is not known",
                       at_rest.message);
  }
  Eigen::VectorXd grown = system.directions().transpose() * at_rest.q;
  const auto add = [](const Eigen::VectorXd& more, Eigen::VectorXd& to) {
    for (Eigen::Index c = 0; c < more.size(); ++c) to(c) = farther(to(c), more(c));
  };
  double highest = 0.0;  // level of the points that count in `grown`
  std::map<std::size_t, Past> joints;
  std::map<int, SeriesScanner> scanners;
  for (const ResponsePoint& point : points) {
    if (!point.known()) continue;
    SeriesScanner& scanner = scanners.try_emplace(point.orbit.harmonics, point.orbit.harmonics).first->second;
    const Eigen::VectorXd now = farthest_deflections(point.orbit.deflection, scanner);
    Eigen::VectorXd before = grown;
    add(point.farthest_before, before);
    const double error = std::max(1e-6, point.errors.at_point());
    for (std::size_t j = 0; j < system.joints().size(); ++j) {
      const int c = system.offset(static_cast<int>(j));
      if (!(std::abs(before(c)) > (1.0 + 2.0 * error) * std::abs(now(c)))) continue;
      const auto& extrema = scanner.extrema(point.orbit.deflection.col(c).data());
      if (extrema.size() < 2) continue;
      const auto [low, high] = std::minmax_element(extrema.begin(), extrema.end(),
                                                   [](const auto& a, const auto& b) { return a.value < b.value; });
      if (!(change_of_force(system.joints()[j].law, before(c), low->value, high->value) > 10.0 * error)) continue;
      Past& past = joints[j];
      if (past.points++ == 0) {
        past.omega = point.orbit.omega, past.before = std::abs(before(c)), past.now = std::abs(now(c));
      }
    }
    if (!grows || !(std::abs(point.orbit.level) > highest)) continue;
    highest = std::abs(point.orbit.level);
    add(now, grown);
    add(point.farthest_before, grown);
  }
  std::string list;
  for (const auto& [j, past] : joints) {
    list += fmt::format("{}\"{}\" at {} of {} points, the first omega = {:.6g} ({:.3g} before, {:.3g} in the motion)",
                        list.empty() ? "" : "; ", system.joints()[j].name, past.points, points.size(), past.omega,
                        past.before, past.now);
  }
  if (list.empty()) return {};
  return fmt::format(
      "joints that the constant load, or a smaller vibration beside it, deflects farther than the motion "
      "does: {}. The motion given is that of joints that have not been there; a growing load may lead to "
      "another one: compare with a transient that starts from the static state",
      list);
}

}  // namespace microslip
