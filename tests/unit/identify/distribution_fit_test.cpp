// Sliders from curves: the element itself, the fit and its options, the four parameters, and what is refused.

#include "microslip/identify/distribution_fit.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "microslip/identify/iwan4_curve_fit.hpp"
#include "microslip/identify/spline_distribution.hpp"
#include "support/true_distributions.hpp"

namespace microslip {
namespace distribution_fit_test {

using test::TrueDistribution;

SliderDistribution two_cells() {
  SliderDistribution d;
  d.edge = {0.0, 1.0, 3.0};
  d.stiffness = {2.0, 6.0};
  d.phi_max = 4.0;
  d.end_stiffness = 1.0;
  d.residual = 0.5;
  return d;
}

// By hand: at u = 2 the first cell slips with 2 * 0.5, the second holds 6 (2 - 1/4), the end 2, the spring 1.
TEST(SliderDistribution, ByHand) {
  const SliderDistribution d = two_cells();
  EXPECT_NEAR(d.force(2.0), 1.0 + 6.0 * 1.75 + 2.0 + 1.0, 1e-14);
  EXPECT_NEAR(d.slip_force(), 1.0 + 12.0 + 4.0, 1e-14);
  EXPECT_NEAR(d.stiffness_at_rest(), 9.0, 1e-14);
  EXPECT_NEAR(d.density(1), 3.0, 1e-14);
  EXPECT_NEAR(d.force(10.0), 17.0 + 5.0, 1e-13);
}

// D = 8 W - 4 X F, the area of a Masing loop, W the work along the backbone by a fine trapezoidal rule: with 1e5 steps
// its error is h^2/12 F' < 1e-9.
TEST(SliderDistribution, DissipationIsTheAreaOfTheLoop) {
  for (const bool spread : {true, false}) {
    SliderDistribution d = two_cells();
    d.spread = spread;
    for (const double x : {0.5, 0.9, 2.0, 3.5, 6.0}) {
      constexpr int steps = 100'000;
      double work = 0.0;
      for (int i = 0; i <= steps; ++i) work += d.force(x * i / steps) * (i == 0 || i == steps ? 0.5 : 1.0) * x / steps;
      EXPECT_NEAR(d.dissipation(x), 8.0 * work - 4.0 * x * d.force(x), 1e-7) << x << spread;
    }
  }
}

// The table law of its points. Sliders of single strengths are straight lines, exactly; spread ones are parabolas, and
// the law's spline is off only near the edges, where the slope is averaged over a third of a cell.
TEST(SliderDistribution, TheLawFollows) {
  SliderDistribution d = two_cells();
  d.spread = false;
  const MasingTable<double> points = d.law();
  EXPECT_NEAR(points.stuck_stiffness(), 9.5, 1e-13);
  EXPECT_NEAR(points.slipped_stiffness(), 0.5, 1e-13);
  for (const double x : {0.2, 0.7, 1.5, 2.5, 3.9, 8.0}) {
    EXPECT_NEAR(points.backbone(x).force, d.force(x), 1e-12);
    EXPECT_NEAR(points.dissipation(x), d.dissipation(x), 1e-12);
  }
  d.spread = true;
  const MasingTable<double> smooth = d.law();
  EXPECT_NEAR(smooth.stuck_stiffness(), 9.5, 1e-12);
  for (const double x : {0.2, 0.5, 1.7, 2.5, 3.9, 8.0}) {
    const double third = 2.0 / 3.0, bend = 3.0;  // widest third of a cell, largest density
    EXPECT_NEAR(smooth.backbone(x).force, d.force(x), bend * third * third / 8.0) << x;
  }
}

// Noise of size 1 on a parabola at uneven points, whose third differences vanish. A median of n normal numbers is good
// to 1.17/sqrt(n), four neighbouring differences count as one: 5 % at 2000 points, three times.
TEST(ForceCurve, ScatterIsTheNoise) {
  ForceCurve curve;
  Normal normal(3);
  for (int i = 1; i <= 2000; ++i) {
    const double u = std::pow(i / 2000.0, 1.5);
    curve.u.push_back(u);
    curve.f.push_back(1e3 * (u - 0.4 * u * u) + normal());
  }
  EXPECT_NEAR(scatter(curve), 1.0, 0.16);
  EXPECT_FALSE(concavity_fault(curve));
  for (std::size_t i = 900; i < 1100; ++i) curve.f[i] -= 100.0;
  EXPECT_TRUE(concavity_fault(curve));
}

ForceCurve u_shape_curve(int points, double noise, std::uint64_t seed = 1, double residual = 0.0) {
  return test::u_shape().curve(points, 1.25, noise, seed, false, residual);
}

DistributionFitOptions quick(std::optional<double> residual) {
  DistributionFitOptions options;
  options.residual = residual;
  options.bands = false;
  return options;
}

// K_inf from the tail, a fifth of 100 points: a straight line through n points over the length l has a slope good to
// noise sqrt(12/n)/l. Five of them.
TEST(DistributionFitSlow, FindsTheResidualStiffness) {
  const TrueDistribution truth = test::u_shape();
  const double noise = 1e-4;
  const DistributionFit fit = fit_distribution({u_shape_curve(100, noise, 1, test::paper3_residual)}, quick({}));
  ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
  EXPECT_TRUE(fit.macroslip);
  const double error = noise * truth.slip_force() * std::sqrt(12.0 / 20.0) / (0.25 * truth.phi_max);
  EXPECT_NEAR(fit.residual.value, test::paper3_residual, 5.0 * error);
  EXPECT_NEAR(fit.slip_force.value, truth.slip_force(), 5.0 * error * 1.125 * truth.phi_max);
}

// The same numbers on every run.
TEST(DistributionFit, IsDeterministic) {
  const ForceCurve a = u_shape_curve(30, 1e-3, 1), b = u_shape_curve(20, 1e-3, 2);
  const DistributionFit first = fit_distribution({a, b}), second = fit_distribution({a, b});
  EXPECT_EQ(first.distribution.stiffness, second.distribution.stiffness);
  EXPECT_EQ(first.slip_force.low, second.slip_force.low);
  EXPECT_EQ(first.slip_force.high, second.slip_force.high);
}

// Twelve sliders of single strengths and a spring, noise of 0.1 % of the largest force: none of them is weaker than
// 0.05, which smoothing does not know. Of 12 curves a band of 95 % holds the truth in 9 or more, but for one chance in
// 400 (binomial). Each band holds its value.
TEST(DistributionFit, BandsHoldSlidersThatAreNotSmooth) {
  constexpr int sliders = 12, curves = 12, points = 30;
  const double stiffness = 0.2 / sliders, residual = 0.5;
  const auto strength = [](int i) { return 0.05 * std::pow(1.35, i); };
  const auto force = [&](double u) {
    double sum = residual * u;
    for (int i = 0; i < sliders; ++i) sum += stiffness * std::min(u, strength(i));
    return sum;
  };
  const auto loss = [&](double x) {
    double sum = 0.0;
    for (int i = 0; i < sliders; ++i) sum += 4.0 * stiffness * strength(i) * std::max(x - strength(i), 0.0);
    return sum;
  };
  double slip = 0.0;
  for (int i = 0; i < sliders; ++i) slip += stiffness * strength(i);
  std::array<int, 6> held{};
  const std::array<std::size_t, 3> place = {0, 2, 11};
  for (int c = 0; c < curves; ++c) {
    Normal normal(static_cast<std::uint64_t>(c) + 1);
    ForceCurve curve;
    for (int i = 1; i <= points; ++i) {
      curve.u.push_back(2.0 * i / points);
      curve.f.push_back(force(curve.u.back()) + 1e-3 * force(2.0) * normal());
    }
    const DistributionFit fit = fit_distribution({curve});
    ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
    const auto holds = [](const Banded& band, double truth) {
      EXPECT_LE(band.low, band.value);
      EXPECT_GE(band.high, band.value);
      return truth >= band.low && truth <= band.high ? 1 : 0;
    };
    held[0] += holds(fit.stiffness, 0.2);
    held[1] += holds(fit.slip_force, slip);
    held[2] += holds(fit.residual, residual);
    for (std::size_t k = 0; k < place.size(); ++k) {
      held[3 + k] += holds(fit.dissipation[place[k]], loss(curve.u[place[k]]));
    }
  }
  for (std::size_t k = 0; k < held.size(); ++k) EXPECT_GE(held[k], 9) << k;
}

// 100 even points, 40 of which have bands of their own, against all of them. D is a power of u, 2.5, whose chord over
// two steps is 1.5 times as high at the second point. The upper end: to a third of the width. The lower end depends on
// where in its cell a deflection lies, and as a share of D is among those of the neighbours.
TEST(DistributionFit, BandsBetweenNodes) {
  DistributionFitOptions options;
  options.residual = 0.0;
  const ForceCurve curve = u_shape_curve(100, 1e-5);
  const DistributionFit some = fit_distribution({curve}, options);
  options.loss_nodes = curve.size();
  const DistributionFit all = fit_distribution({curve}, options);
  int between = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const Banded &band = some.dissipation[i], &own = all.dissipation[i];
    EXPECT_NEAR(band.high, own.high, (own.high - own.low) / 3.0) << i;
    double least = 1.0, most = 0.0;
    for (std::size_t k = i - std::min<std::size_t>(i, 4); k < std::min(i + 5, curve.size()); ++k) {
      least = std::min(least, all.dissipation[k].low / all.dissipation[k].value);
      most = std::max(most, all.dissipation[k].low / all.dissipation[k].value);
    }
    EXPECT_GT(band.low / band.value, least - 1e-9) << i;
    EXPECT_LT(band.low / band.value, most + 1e-9) << i;
    between += band.high != own.high ? 1 : 0;
  }
  EXPECT_GE(between, 50);
}

// Twelve points that end before macroslip, K_inf known, noise of 0.05 %: sliders meet them exactly, or nearly so, and
// the noise is that of the smooth fit. Of 6 curves a band of 95 % holds the truth in 4 or more, but for one chance in
// 450 (binomial).
TEST(DistributionFit, BandsOfFewPoints) {
  const TrueDistribution truth = test::two_bumps();
  DistributionFitOptions options;
  options.residual = 0.0;
  std::array<int, 3> held{};
  constexpr std::array<std::size_t, 3> place = {3, 6, 11};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const ForceCurve curve = truth.curve(12, 0.8, 5e-4, seed);
    const DistributionFit fit = fit_distribution({curve}, options);
    ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
    for (std::size_t k = 0; k < place.size(); ++k) {
      const Banded& band = fit.dissipation[place[k]];
      const double loss = truth.dissipation(curve.u[place[k]]);
      held[k] += loss >= band.low && loss <= band.high ? 1 : 0;
    }
  }
  for (std::size_t k = 0; k < held.size(); ++k) EXPECT_GE(held[k], 4) << k;
}

// Noise that is said to be 1e-200: squares of what the data are in that unit are infinite, and nothing is known.
TEST(DistributionFit, BandsThatAreNotFoundAreOpen) {
  DistributionFitOptions options;
  options.residual = 0.0;
  options.noise = 1e-200;
  const DistributionFit fit = fit_distribution({u_shape_curve(12, 1e-3)}, options);
  EXPECT_NE(fit.message.find("bands are open"), std::string::npos) << fit.message;
  for (const Banded& band : fit.dissipation) {
    EXPECT_EQ(band.low, 0.0);
    EXPECT_TRUE(std::isinf(band.high));
  }
}

// Points of weight 1e-8 do not count: a quarter of the points is off by 1000 times the noise.
TEST(DistributionFitSlow, WeightsCount) {
  const TrueDistribution truth = test::u_shape();
  ForceCurve curve = u_shape_curve(120, 1e-4);
  curve.weight.assign(curve.size(), 1.0);
  for (std::size_t i = 0; i < curve.size(); i += 4) {
    curve.f[i] += 0.1 * truth.slip_force();
    curve.weight[i] = 1e-8;
  }
  const DistributionFit fit = fit_distribution({curve}, quick(0.0));
  // 18 points in the tail count; the pull of the others is 1e-8 * 0.1.
  EXPECT_NEAR(fit.slip_force.value / truth.slip_force(), 1.0, 5.0 * 1e-4 / std::sqrt(18.0));
}

// Known noise takes Mallows' rule, a given lambda is used, sliders may have single strengths: F_S holds in all of them,
// for the tail of 20 points has it.
TEST(DistributionFitSlow, Options) {
  const TrueDistribution truth = test::u_shape();
  const ForceCurve curve = u_shape_curve(100, 1e-3);
  const auto expect = [&](const DistributionFitOptions& options) {
    const DistributionFit fit = fit_distribution({curve}, options);
    EXPECT_EQ(fit.ending, Ending::completed) << fit.message;
    EXPECT_NEAR(fit.slip_force.value / truth.slip_force(), 1.0, 5.0 * 1e-3 / std::sqrt(20.0));
    for (const double k : fit.distribution.stiffness) EXPECT_GE(k, 0.0);
    return fit;
  };
  DistributionFitOptions known = quick(0.0);
  known.noise = 1e-3 * truth.slip_force();
  EXPECT_DOUBLE_EQ(expect(known).noise, *known.noise);
  DistributionFitOptions given = quick(0.0);
  given.smoothing = 0.3;
  EXPECT_EQ(expect(given).smoothing, 0.3);
  given.smoothing = 0.0;
  expect(given);
  DistributionFitOptions single = quick(0.0);
  single.spread = false;
  EXPECT_EQ(expect(single).distribution.interpolation(), Interpolation::linear);
}

// Even points over the logarithm and weights by it: the same F_S. The last tenth of ln(1000) has the tail.
TEST(DistributionFitSlow, LogarithmicPoints) {
  const TrueDistribution truth = test::u_shape();
  DistributionFitOptions options = quick(0.0);
  options.weigh_by_log_u = true;
  const DistributionFit fit = fit_distribution({truth.curve(300, 1.25, 1e-4, 1, true)}, options);
  const double tail = 300.0 * std::log(1.25) / std::log(1000.0);  // 9.7 points
  EXPECT_NEAR(fit.slip_force.value / truth.slip_force(), 1.0, 5.0 * 1e-4 / std::sqrt(tail));
}

// Data that end before macroslip: the sliders that slipped are found, the others cannot be told from a spring.
TEST(DistributionFit, MicroslipOnly) {
  const TrueDistribution truth = test::u_shape();
  const ForceCurve curve = truth.curve(100, 0.5, 1e-5, 1);
  const DistributionFit free = fit_distribution({curve}, quick({}));
  EXPECT_FALSE(free.macroslip);
  EXPECT_EQ(free.phi_max.value, curve.u.back());
  const DistributionFit known = fit_distribution({curve}, quick(0.0));
  EXPECT_FALSE(known.macroslip);
  // Force at the end of the data: smoothed over a handful of points, so 5 noises are plenty.
  for (const DistributionFit& fit : {free, known}) {
    EXPECT_NEAR(fit.distribution.force(curve.u.back()), truth.force(curve.u.back()), 5e-5 * truth.slip_force());
  }
  EXPECT_LE(known.slip_force.value, truth.slip_force());
}

TEST(DistributionFit, DataThatNoSlidersFollow) {
  ForceCurve convex;
  for (int i = 1; i <= 30; ++i) {
    convex.u.push_back(i / 30.0);
    convex.f.push_back(std::pow(i / 30.0, 2));
  }
  const DistributionFit fit = fit_distribution({convex}, quick({}));
  EXPECT_EQ(fit.ending, Ending::no_convergence);
  EXPECT_NE(fit.message.find("not concave beyond noise: at u = 0.5 they lie 0.25 below"), std::string::npos)
      << fit.message;
}

// Of 20 noisy curves none is refused.
TEST(DistributionFitSlow, NoiseAloneIsNoReason) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(fit_distribution({u_shape_curve(50, 1e-2, seed)}, quick(0.0)).ending, Ending::completed) << seed;
  }
}

TEST(DistributionFit, RefusesWhatIsNoFirstLoading) {
  const auto complaint = [](const ForceCurve& curve) -> std::string {
    try {
      static_cast<void>(fit_distribution({curve}, quick({})));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const ForceCurve good = u_shape_curve(20, 0.0);
  ForceCurve bad = good;
  bad.f[4] = std::nan("");
  EXPECT_EQ(complaint(bad), "curve 1, point 5: f must be a finite number, got nan");
  bad = good;
  std::swap(bad.u[4], bad.u[5]);
  EXPECT_NE(complaint(bad).find("curve 1, point 6: u must increase"), std::string::npos) << complaint(bad);
  bad = good;
  bad.u[0] = -1.0;
  EXPECT_NE(complaint(bad).find("point 1: u must be >= 0"), std::string::npos);
  bad = good;
  bad.weight.assign(20, 1.0);
  bad.weight[7] = 0.0;
  EXPECT_EQ(complaint(bad), "curve 1, point 8: weight must be > 0, got 0");
  bad.weight.pop_back();
  EXPECT_EQ(complaint(bad), "curve 1, point 1: u has 20 points, f has 20, weight has 19");
  EXPECT_EQ(complaint(u_shape_curve(7, 0.0)), "a distribution needs at least 8 points, got 7");
  EXPECT_EQ(complaint(u_shape_curve(20001, 0.0)),
            "a fit takes at most 20000 points, got 20001: average neighbouring ones");
  EXPECT_THROW(static_cast<void>(fit_distribution({})), std::invalid_argument);
  DistributionFitOptions options = quick(-1.0);
  EXPECT_THROW(static_cast<void>(fit_distribution({good}, options)), std::invalid_argument);
}

// Stopped between two bands: the fit is whole, and so are the bands found; the others are not known. Stopped before: a
// fit all the same.
TEST(DistributionFit, StopsWhenAsked) {
  const TrueDistribution truth = test::u_shape();
  DistributionFitOptions options;
  options.residual = 0.0;
  int calls = 0;
  const DistributionFit late = fit_distribution({u_shape_curve(60, 1e-3)}, options, [&](double fraction) {
    calls += fraction > 0.0 ? 1 : 0;
    return calls < 2;
  });
  EXPECT_EQ(late.ending, Ending::interrupted);
  EXPECT_EQ(calls, 2);
  EXPECT_LT(late.slip_force.low, late.slip_force.high);
  EXPECT_TRUE(std::isnan(late.density.front().low) && std::isnan(late.density.front().high));
  EXPECT_TRUE(std::isnan(late.dissipation.back().low) && std::isnan(late.dissipation.back().high));
  EXPECT_EQ(late.residual.low, 0.0);  // given: it has none
  EXPECT_NE(late.message.find("interrupted before all bands were known"), std::string::npos) << late.message;
  const DistributionFit early = fit_distribution({u_shape_curve(60, 1e-3)}, options, [](double) { return false; });
  EXPECT_EQ(early.ending, Ending::interrupted);
  EXPECT_TRUE(std::isnan(early.slip_force.low) && std::isnan(early.density.front().high));
  // 12 points in the tail.
  EXPECT_NEAR(early.slip_force.value / truth.slip_force(), 1.0, 5.0 * 1e-3 / std::sqrt(12.0));
}

// Parameters of Paper I with K_inf beside them, clean data: the search is to 1e-7 of chi.
TEST(Iwan4CurveFit, FindsItsParameters) {
  const auto law = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0);
  ForceCurve curve;
  for (int i = 1; i <= 200; ++i) {
    const double u = law.phi_max() * 1.5 * i / 200.0;
    curve.u.push_back(u);
    curve.f.push_back(law.at(u).force + 3.55e4 * u);
    curve.weight.push_back(1.0);
  }
  const Iwan4CurveFit fit = fit_iwan4_curve(curve, {});
  EXPECT_NEAR(fit.slip_force, 100.0, 1e-4);
  EXPECT_NEAR(fit.stiffness, 6.32e4, 6.32e4 * 1e-5);
  EXPECT_NEAR(fit.chi, -0.75, 1e-5);
  EXPECT_NEAR(fit.beta, 5.0, 5e-4);
  EXPECT_NEAR(fit.residual, 3.55e4, 3.55e4 * 1e-6);
  const double u = 0.3 * law.phi_max();
  EXPECT_NEAR(fit.force(u), law.at(u).force + 3.55e4 * u, 1e-5);
  EXPECT_NEAR(fit.dissipation(u) / law.dissipation(u), 1.0, 1e-4);
}

// A uniform distribution: its backbone is one parabola, which every piece reproduces, and the sliders have rho exactly;
// (III-16) and (III-17) leave K_T to the first difference quotient, here taken at u_1 = 0, u_2 = h: K_T - rho h/2.
TEST(SplineDistribution, UniformSliders) {
  ForceCurve curve;
  const double rho = 2.0, h = 0.01;
  for (int i = 0; i <= 140; ++i) {
    const double u = h * i, x = std::min(u, 1.0);
    curve.u.push_back(u);
    curve.f.push_back(rho * (x - 0.5 * x * x));
  }
  SplineDistributionOptions options;
  options.residual = 0.0;
  options.spacing = 1.0;
  options.sliders = 10;
  options.phi_max = 1.0;
  const SplineDistribution spline = spline_distribution({curve}, options);
  EXPECT_EQ(spline.negative, 0);
  EXPECT_TRUE(spline.macroslip);
  for (std::size_t j = 0; j + 1 < spline.distribution.cells(); ++j) {  // the last piece holds the corner
    EXPECT_NEAR(spline.distribution.density(j), rho, 1e-8) << j;
    EXPECT_NEAR(spline.distribution.centre(j), 0.1 * static_cast<double>(j + 1), 1e-12);
  }
  EXPECT_NEAR(spline.distribution.stiffness_at_rest(), rho * (1.0 - 0.5 * h), 1e-10);
}

}  // namespace distribution_fit_test
}  // namespace microslip
