// Forces along a path by sums over the virgin curve, against sliders that are followed one by one.

#include "microslip/updating/masing_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace microslip {
namespace masing_path_test {

/// Springs with a slider each: force k (u - x), which slips at k phi.
class Sliders {
 public:
  double move_to(double u) {
    double force = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      x_[i] = std::clamp(x_[i], u - phi[i], u + phi[i]);
      force += k[i] * (u - x_[i]);
    }
    return force;
  }
  [[nodiscard]] static double virgin(double u) {
    double force = 0.0;
    for (std::size_t i = 0; i < count; ++i) force += k[i] * std::min(u, phi[i]);
    return force;
  }

 private:
  static constexpr std::size_t count = 5;
  static constexpr double k[count] = {1.0, 0.7, 0.4, 0.9, 0.3}, phi[count] = {0.1, 0.3, 0.5, 0.9, 4.0};
  double x_[count] = {};
};

std::vector<double> forces(const MasingPath& path) {
  std::vector<double> result;
  for (const auto& row : path.rows) {
    double force = 0.0;
    for (const auto& [number, factor] : row) force += factor * Sliders::virgin(path.deflections[number]);
    result.push_back(force);
  }
  return result;
}

// Walks that turn often, with loops in loops and beyond all before; some turning points are met again exactly. Forces
// are sums of up to a hundred terms of size 10, rounded.
TEST(MasingPath, FollowsSlidersOnRandomWalks) {
  std::mt19937 random(7);
  std::normal_distribution<double> step(0.0, 0.3);
  for (int walk = 0; walk < 20; ++walk) {
    std::vector<double> u = {0.0};
    for (int i = 0; i < 300; ++i) {
      const bool again = i % 17 == 16;
      u.push_back(again ? u[u.size() - 5] : 0.98 * u.back() + step(random));
    }
    Sliders sliders;
    const std::vector<double> found = forces(masing_path(u));
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(found[i], sliders.move_to(u[i]), 1e-12) << walk << " " << i;
  }
}

// A cycle about any middle, with a loop within it, begun anywhere: the sliders' third one, to a constant.
TEST(MasingPath, ASettledCycleKnowsNothingOfItsBeginning) {
  std::vector<double> cycle;
  constexpr int rows = 60;
  for (int i = 0; i < rows; ++i) {
    const double t = 6.283185307179586 * i / rows;
    cycle.push_back(1.7 + 0.8 * std::sin(t) + 0.5 * std::sin(3.0 * t + 0.4));
  }
  for (const int begin : {0, 11, 37}) {
    std::rotate(cycle.begin(), cycle.begin() + begin, cycle.end());
    Sliders sliders;
    std::vector<double> settled;
    for (int pass = 0; pass < 3; ++pass) {
      settled.clear();
      for (const double u : cycle) settled.push_back(sliders.move_to(u));
    }
    const std::vector<double> found = forces(settled_masing_path(cycle));
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      EXPECT_NEAR(found[i] - found[0], settled[i] - settled[0], 1e-12) << begin << " " << i;
    }
  }
}

}  // namespace masing_path_test
}  // namespace microslip
