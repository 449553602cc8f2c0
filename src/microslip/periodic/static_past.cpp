#include "microslip/periodic/static_past.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "microslip/joints/law_traits.hpp"

namespace microslip {
namespace {

bool remembers_reversals(const Law& law) {
  const MemoryKind memory = memory_of(law);
  return memory == MemoryKind::reversals || memory == MemoryKind::sliders;
}

}  // namespace

Eigen::VectorXd static_deflections(const System& system, const HarmonicLoad& load) {
  if (load.constant.size() == 0 || load.constant.isZero(0.0)) return {};
  constexpr double any_omega = 1.0;  // nothing moves
  constexpr int samples = 16;
  HarmonicBalance equations(system, load, 1, samples);
  const Residual residual = [&](const Eigen::VectorXd& y, double level, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                                Eigen::VectorXd* by_level) {
    return equations.residual(y, any_omega, level, r, jacobian, nullptr, by_level);
  };
  const RelativeSize size = [&](const Eigen::VectorXd& r, const Eigen::VectorXd& y) {
    return equations.relative_size(r, y, 0.0);
  };
  Eigen::VectorXd y = equations.linear_solution(any_omega, 0.0);
  if (!solve_at(residual, size, y, 0.0, 1e-9, 100).converged) return {};
  const Eigen::Index series = series_size(1);
  return Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<>>(y.data(), y.size() / series,
                                                                    Eigen::InnerStride<>(series));
}

std::string static_past(const System& system, const HarmonicLoad& load, const std::vector<ResponsePoint>& points) {
  const Eigen::VectorXd before = points.empty() ? Eigen::VectorXd() : static_deflections(system, load);
  if (before.size() == 0) return {};
  struct Found {
    std::size_t points = 0;
    const ResponsePoint* first = nullptr;
    double farthest = 0.0;  ///< at the first
  };
  std::map<std::size_t, Found> joints;
  std::map<int, SeriesScanner> scanners;
  for (const ResponsePoint& point : points) {
    if (!point.known()) continue;
    SeriesScanner& scanner = scanners.try_emplace(point.orbit.harmonics, point.orbit.harmonics).first->second;
    for (std::size_t j = 0; j < system.joints().size(); ++j) {
      const int component = system.offset(static_cast<int>(j));
      if (before(component) == 0.0 || !remembers_reversals(system.joints()[j].law)) continue;
      double farthest = std::abs(point.orbit.deflection(0, component));  // at rest
      for (const auto& extremum : scanner.extrema(point.orbit.deflection.col(component).data())) {
        farthest = std::max(farthest, std::abs(extremum.value));
      }
      const double error = std::max(1e-9, point.errors.at_point());
      if (!(std::abs(before(component)) * (1.0 - error) > farthest * (1.0 + error))) continue;
      Found& found = joints[j];
      if (found.points++ == 0) found.first = &point, found.farthest = farthest;
    }
  }
  if (joints.empty()) return {};
  std::string list;
  for (const auto& [j, found] : joints) {
    list += fmt::format(
        "{}\"{}\" (at {} of {}, the first omega = {:.6g}: {:.3g} under the constant load, {:.3g} in the "
        "motion)",
        list.empty() ? "" : ", ", system.joints()[j].name, found.points, points.size(), found.first->orbit.omega,
        std::abs(before(system.offset(static_cast<int>(j)))), found.farthest);
  }
  return fmt::format(
      "joints that the constant load alone deflects farther than the motion does: {}. The motion given is "
      "that of joints that have not been there; a load that grows after the constant one may lead to "
      "another: compare with a transient that starts from the static state",
      list);
}

}  // namespace microslip
