#include "microslip/periodic/joint_past.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "microslip/joints/law_traits.hpp"
#include "microslip/system/static_solution.hpp"

namespace microslip {
namespace {

bool remembers_reversals(const Law& law) {
  const MemoryKind memory = memory_of(law);
  return memory == MemoryKind::reversals || memory == MemoryKind::sliders;
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
  Eigen::VectorXd result = series.row(0).cwiseAbs();  // at rest
  for (Eigen::Index c = 0; c < series.cols(); ++c) {
    const auto& extrema = scanner.extrema(series.col(c).data());
    if (!extrema.empty()) result(c) = 0.0;
    for (const auto& extremum : extrema) result(c) = std::max(result(c), std::abs(extremum.value));
  }
  return result;
}

std::string joint_past(const System& system, const HarmonicLoad& load, const std::vector<ResponsePoint>& points,
                       bool grows) {
  if (points.empty() || !has_constant_load(load)) return {};
  const StaticSolution at_rest = static_solution(system, load.constant);
  if (at_rest.ending != Ending::completed) {
    return fmt::format("under the constant load alone: {}; whether joints were farther out before is not known",
                       at_rest.message);
  }
  Eigen::VectorXd grown = (system.directions().transpose() * at_rest.q).cwiseAbs();
  double highest = 0.0;  // level of the points that count in `grown`
  std::map<std::size_t, Past> joints;
  std::map<int, SeriesScanner> scanners;
  for (const ResponsePoint& point : points) {
    if (!point.known()) continue;
    SeriesScanner& scanner = scanners.try_emplace(point.orbit.harmonics, point.orbit.harmonics).first->second;
    const Eigen::VectorXd now = farthest_deflections(point.orbit.deflection, scanner);
    const double blur = 1.0 + 2.0 * std::max(1e-6, point.errors.at_point());
    for (std::size_t j = 0; j < system.joints().size(); ++j) {
      const int c = system.offset(static_cast<int>(j));
      if (!remembers_reversals(system.joints()[j].law)) continue;
      const double before = std::max(grown(c), point.farthest_before.size() > 0 ? point.farthest_before(c) : 0.0);
      if (!(before > blur * now(c))) continue;
      Past& past = joints[j];
      if (past.points++ == 0) past.omega = point.orbit.omega, past.before = before, past.now = now(c);
    }
    if (!grows || !(std::abs(point.orbit.level) > highest)) continue;
    highest = std::abs(point.orbit.level);
    grown = grown.cwiseMax(now);
    if (point.farthest_before.size() > 0) grown = grown.cwiseMax(point.farthest_before);
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
