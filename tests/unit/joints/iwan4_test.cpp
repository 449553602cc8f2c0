#include "microslip/joints/iwan4.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "microslip/joints/jenkins.hpp"
#include "unit/joints/law_suite.hpp"

namespace microslip {
namespace iwan4_test {

using law_suite::random_history;
using law_suite::step;

// The joint of the three masses, F_S = 10, K_T = 1, chi = -0.5, beta = 5: the formulas in iwan4.hpp by hand,
//   beta + (chi+1)/(chi+2) = 16/3,  phi_max = 10*6/(16/3) = 11.25,  S = 5/6,  R = 5/(11.25^1.5 * 16/3) = 0.0248452
TEST(Iwan4, ParametersOfTheThreeMasses) {
  const auto backbone = Iwan4Backbone<>::from_physical(10.0, 1.0, -0.5, 5.0);
  EXPECT_NEAR(backbone.phi_max(), 11.25, 1e-13);
  EXPECT_NEAR(backbone.r(), 0.0248452, 5e-8);  // printed to six digits
  EXPECT_NEAR(backbone.s(), 5.0 / 6.0, 1e-15);
  EXPECT_NEAR(backbone.beta(), 5.0, 1e-12);
  EXPECT_NEAR(backbone.initial_slope(), 1.0, 1e-14);
  EXPECT_NEAR(backbone.yield_force(), 10.0, 1e-13);
}

TEST(Iwan4, BothSetsOfParametersGiveTheSameElement) {
  const auto physical = Iwan4Backbone<>::from_physical(3.0, 7.0, 0.4, 0.2);
  const auto distribution =
      Iwan4Backbone<>::from_distribution(physical.r(), physical.s(), physical.phi_max(), physical.chi());
  EXPECT_NEAR(distribution.yield_force(), 3.0, 1e-14);
  EXPECT_NEAR(distribution.initial_slope(), 7.0, 1e-14);
  EXPECT_NEAR(distribution.beta(), 0.2, 1e-14);
}

// docs/verification.md, L (2.9): in macroslip D = 4 F_S X - 4 [R phi_max^(chi+3)/(chi+3) + S phi_max^2]; both branches
// meet at phi_max.
TEST(Iwan4, DissipationIsContinuousAtMacroslip) {
  const auto b = Iwan4Backbone<>::from_physical(10.0, 1.0, -0.5, 5.0);
  const double micro = 4.0 * b.r() * std::pow(11.25, 2.5) / (1.5 * 2.5);
  // All the sliders at phi_max begin to slip there at no loss.
  EXPECT_NEAR(b.dissipation(11.25 * (1.0 - 1e-15)), micro, 1e-12);
  EXPECT_NEAR(b.dissipation(11.25), micro, 1e-12);
  EXPECT_NEAR(b.dissipation(20.0),
              4.0 * 10.0 * 20.0 - 4.0 * (b.r() * std::pow(11.25, 2.5) / 2.5 + 5.0 / 6.0 * 11.25 * 11.25), 1e-10);
}

// The definition: Jenkins elements in parallel, rho(phi) dphi of stiffness each, slip at phi. Strengths at the
// midpoints of a grid uniform in phi^(chi+1) with the exact stiffness of each cell: error O(1/N^2), N = 4000.
TEST(Iwan4, IsTheLimitOfManySliders) {
  const double r = 2.0, s = 0.5, phi_max = 1.2, chi = -0.4;
  constexpr int n = 4000;
  std::vector<Jenkins<>> sliders;
  const double total = r * std::pow(phi_max, chi + 1.0) / (chi + 1.0);
  for (int i = 0; i < n; ++i) {
    // Centroid of the cell: integral of phi rho over that of rho.
    const double low = phi_max * std::pow(static_cast<double>(i) / n, 1.0 / (chi + 1.0));
    const double high = phi_max * std::pow((i + 1.0) / n, 1.0 / (chi + 1.0));
    const double force = r * (std::pow(high, chi + 2.0) - std::pow(low, chi + 2.0)) / (chi + 2.0);
    sliders.emplace_back(total / n, force);
  }
  sliders.emplace_back(s, s * phi_max);
  std::vector<Jenkins<>::State> states(sliders.size());

  const Iwan4<> law(Iwan4Backbone<>::from_distribution(r, s, phi_max, chi));
  Iwan4<>::State state;
  const double size = law.shape().yield_force();
  for (const double u : random_history(0.5, 60, 11)) {
    double force = 0.0, stored = 0.0, dissipated = 0.0;
    for (std::size_t i = 0; i < sliders.size(); ++i) {
      force += step(sliders[i], states[i], u).force;
      stored += sliders[i].stored_energy(states[i]);
      dissipated += sliders[i].dissipated_energy(states[i]);
    }
    EXPECT_NEAR(step(law, state, u).force, force, 1e-6 * size);
    EXPECT_NEAR(law.stored_energy(state), stored, 1e-6 * size);
    EXPECT_NEAR(law.dissipated_energy(state), dissipated, 1e-5 * dissipated + 1e-6 * size);
    const std::size_t middle = sliders.size() / 2;
    EXPECT_NEAR(law.slider_position(state, sliders[middle].max_slider_strength()), states[middle].slider, 1e-12);
  }
}

// What slips is the part of the distribution below the deflection, integral of R phi^chi from 0 to u, over K_T; below
// half the way back on a branch. A slider is dragged by what its strength does not hold.
TEST(Iwan4, WhatSlipsIsTheIntegralOfTheDistribution) {
  const double r = 2.0, s = 0.5, phi_max = 1.2, chi = -0.4;
  const Iwan4<> law(Iwan4Backbone<>::from_distribution(r, s, phi_max, chi));
  const auto below = [&](double phi) { return r * std::pow(phi, chi + 1.0) / (chi + 1.0); };
  const double stiffness = below(phi_max) + s;
  Iwan4<>::State state;
  for (const double u : {0.01, 0.2, 0.7, 1.1}) {
    step(law, state, u);
    EXPECT_NEAR(law.slipped_fraction(state), below(u) / stiffness, 1e-14) << u;
    EXPECT_NEAR(law.slider_position(state, 0.15), std::max(0.0, u - 0.15), 1e-15) << u;
  }
  for (const double u : {1.0, 0.3, -0.9}) {
    step(law, state, u);
    EXPECT_NEAR(law.slipped_fraction(state), below(0.5 * (1.1 - u)) / stiffness, 1e-14) << u;
    EXPECT_NEAR(law.slider_position(state, 0.15), std::min(1.1 - 0.15, u + 0.15), 1e-15) << u;
  }
  step(law, state, -3.0);
  EXPECT_NEAR(law.slipped_fraction(state), 1.0, 1e-14);
}

// Kinf acts in parallel: the same loop, sheared.
TEST(Iwan4, ResidualSpringActsInParallel) {
  const auto backbone = Iwan4Backbone<>::from_physical(1.0, 2.0, -0.3, 0.1);
  const Iwan4<> plain(backbone), sheared(backbone, 0.4);
  Iwan4<>::State a, b;
  for (const double u : random_history(1.0, 30, 12)) {
    EXPECT_NEAR(step(sheared, b, u).force, step(plain, a, u).force + 0.4 * u, 1e-14);
    EXPECT_DOUBLE_EQ(sheared.dissipated_energy(b), plain.dissipated_energy(a));
  }
  EXPECT_DOUBLE_EQ(sheared.slipped_stiffness(), 0.4);
  EXPECT_DOUBLE_EQ(sheared.stuck_stiffness(), 2.4);
}

}  // namespace iwan4_test
}  // namespace microslip
