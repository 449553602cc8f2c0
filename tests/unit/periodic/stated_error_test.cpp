// The error that harmonic balance states of a motion, against motions that are right to 1e-10: exact orbits for springs
// of straight lines, and for cubic springs the same equations with up to 300 harmonics, whose series falls faster than
// any power. Sliders and Iwan joints have the same equations too, wherever that states a hundredth of the error in
// question. No stated error may be less than a third of the true one, and half of them are at most ten times it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "microslip/numerics/random.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace stated_error_test {

/// Chains of one to three masses near 1 and springs near 1 with one or two joints that begin to bend at deflections
/// near 1, under a force on the last mass that bends them.
struct Case {
  System system;
  HarmonicLoad load;
  double omega;
};

enum class Joints { stops, cubic, slipping };

Law random_law(Joints kind, double stiffness, double corner, bool smooth) {
  switch (kind) {
    case Joints::stops:
      return Gap<double>(stiffness, corner);
    case Joints::cubic:
      return Polynomial<double>({0.0, 0.0, stiffness});
    case Joints::slipping:
      break;
  }
  if (smooth) return Iwan4<double>(Iwan4Backbone<double>::from_physical(stiffness * corner, stiffness, -0.3, 1.0));
  return Jenkins<double>(stiffness, stiffness * corner);
}

Case random_case(std::uint64_t seed, Joints kind) {
  Uniform uniform(seed);
  const auto between = [&](double low, double high) { return low + 0.5 * (high - low) * (1.0 + uniform()); };
  const int n = 1 + static_cast<int>(between(0.0, 2.999));
  std::vector<double> masses;
  std::vector<LumpedLink> springs;
  for (int i = 0; i < n; ++i) {
    masses.push_back(between(0.5, 2.0));
    springs.push_back({i - 1, i, between(0.5, 2.0)});
  }
  std::vector<Joint> joints;
  const int number = 1 + static_cast<int>(between(0.0, 1.999));
  for (int j = 0; j < number; ++j) {
    const int to = static_cast<int>(between(0.0, n - 0.001));
    const double stiffness = std::exp(between(-1.5, 1.5)), corner = between(0.2, 1.0);
    const Law law = random_law(kind, stiffness, corner, uniform() > 0.0);
    joints.push_back({"j" + std::to_string(j), law, testing::between(n, j == 0 ? -1 : to - 1, to)});
  }
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Zero(n);
  load.force(n - 1) = between(0.1, 0.6);
  System system(LinearStructure::lumped(masses, {}, springs, {}, ModalDamping{{between(0.02, 0.1)}}), joints);
  const double omega = system.stuck_modes().omega(0) * between(0.4, 1.6);
  return {std::move(system), std::move(load), omega};
}

std::vector<double> amplitudes_of(const Case& c, const FrequencyResponseOptions& options, double* stated) {
  std::vector<int> dofs;
  for (int i = 0; i < c.load.force.size(); ++i) dofs.push_back(i);
  const auto response =
      steady_vibration(c.system, c.load, AtFrequencies{.level = 1.0, .omegas = {c.omega}}, {dofs, -1}, options);
  if (response.points.size() != 1) return {};
  if (stated != nullptr) *stated = response.points[0].errors.at_point();
  return response.points[0].amplitude;
}

std::string name_of(Joints kind) {
  return kind == Joints::stops ? "stops" : kind == Joints::cubic ? "cubic" : "slipping";
}

/// Stated over true errors of amplitudes, of points that state more than 1e-9.
std::vector<double> ratios_of(Joints kind, int wanted) {
  std::vector<double> ratios;
  int others = 0;
  FrequencyResponseOptions options, reference;
  options.stability = reference.stability = false;
  reference.tolerance = 1e-11;
  reference.max_harmonics = 300;
  if (kind == Joints::stops) reference.method = SteadyMethod::piecewise_linear;
  for (std::uint64_t seed = 1; seed < 20 * static_cast<std::uint64_t>(wanted); ++seed) {
    if (static_cast<int>(ratios.size()) == wanted) break;
    options.tolerance = seed % 2 == 0 ? 1e-4 : 1e-6;
    const Case c = random_case(seed, kind);
    double stated = 0.0, of_reference = 0.0;
    const std::vector<double> found = amplitudes_of(c, options, &stated),
                              right = amplitudes_of(c, reference, &of_reference);
    if (found.empty() || right.empty() || !(stated > 1e-9) || of_reference > 0.01 * stated) continue;
    double apart = 0.0;
    const double size = *std::max_element(right.begin(), right.end());
    for (std::size_t i = 0; i < found.size(); ++i) apart = std::max(apart, std::abs(found[i] - right[i]) / size);
    if (apart > 0.05) {  // another motion
      ++others;
      continue;
    }
    ratios.push_back(stated / std::max(apart, 1e-10));
    EXPECT_GE(ratios.back(), 1.0 / 3.0) << name_of(kind) << " seed " << seed << ": stated " << stated << ", true "
                                        << apart;
  }
  EXPECT_EQ(static_cast<int>(ratios.size()), wanted);
  EXPECT_LE(others, wanted / 10) << "rows of other motions, or wrong";
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

double median(const std::vector<double>& sorted) {
  return sorted[sorted.size() / 2];
}

// Too few for a median.
TEST(StatedError, OfAFewMotions) {
  for (const Joints kind : {Joints::stops, Joints::cubic, Joints::slipping}) (void)ratios_of(kind, 6);
}

TEST(StatedErrorSlow, OfTwoHundredMotions) {
  for (const auto& [kind, number] :
       {std::pair(Joints::stops, 80), std::pair(Joints::cubic, 60), std::pair(Joints::slipping, 60)}) {
    const std::vector<double> ratios = ratios_of(kind, number);
    RecordProperty(name_of(kind) + "_least", std::to_string(ratios.front()));
    RecordProperty(name_of(kind) + "_median", std::to_string(median(ratios)));
    EXPECT_LE(median(ratios), 10.0) << name_of(kind);
  }
}

}  // namespace stated_error_test
}  // namespace microslip
