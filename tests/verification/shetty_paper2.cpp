// Shetty and Allen, Paper II of the dissertation: the Bouc-Wen law against the four-parameter Iwan element on mode 8 of
// the Sumali beam (Table 8), with the corrections of docs/verification.md.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/identify/bouc_wen_fit.hpp"
#include "microslip/modal/ringdown.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/transient/transient.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double k_inf = 1.673e6;  // the printed 1.67e6 does not give the printed frequencies
constexpr double f_s = 1.518, k_t = 1.34e5, table_chi = -0.162, table_beta = 2.0;

Iwan4Backbone<double> iwan(double chi = table_chi) {
  return Iwan4Backbone<double>::from_physical(f_s, k_t, chi, table_beta);
}

/// First loading of the oscillator in equal steps of its static force, (II-12), up to AR = x/phi_max.
ForceCurve first_loading(const Iwan4Backbone<double>& element, double ratio, int steps) {
  const double end = ratio * element.phi_max(), force = k_inf * end + element.at(end).force;
  ForceCurve curve;
  double x = 0.0;
  for (int i = 1; i <= steps; ++i) {
    const double target = i == steps ? force : force * i / steps;
    for (int k = 0; k < 50; ++k) {  // concave: Newton from below
      const auto at = element.at(x);
      x += (target - k_inf * x - at.force) / (k_inf + at.slope);
    }
    curve.u.push_back(x);
    curve.f.push_back(target);
  }
  return curve;
}

HysteresisRecord loop(const Iwan4Backbone<double>& element, double ratio, int steps = 200) {
  return record_of(first_loading(element, ratio, steps), Motion::masing);
}

/// (II-5), A = 1.
BoucWenFitOptions paper_options() {
  BoucWenFitOptions options;
  options.k0 = k_inf + k_t;
  options.alpha = k_inf / (k_inf + k_t);
  options.polish = false;
  return options;
}

TEST(PaperTwo, Frequencies) {
  EXPECT_NEAR(std::sqrt(k_inf + k_t) / (2.0 * std::numbers::pi), 213.94, 0.005);
  EXPECT_NEAR(std::sqrt(k_inf) / (2.0 * std::numbers::pi), 205.86, 0.005);
}

// Section 3.2 at AR 0.8: loops between the forces of the Iwan element, as the paper runs them. A regression and an
// integration of their own gave 3.320e-6 and 3.635e-6; of the printed areas the first agrees with that to 1 %, the
// second does not.
TEST(PaperTwo, LoopAreasOfTheFittedLaws) {
  const HysteresisRecord record = loop(iwan(), 0.8);
  const double force = record.f.front();
  const struct {
    double n, area, printed;
    bool agrees;
  } cases[] = {{1.0, 3.320e-6, 3.303e-6, true}, {2.0, 3.635e-6, 3.725e-6, false}};
  for (const auto& c : cases) {
    const BoucWenCandidate fitted = bouc_wen_least_squares({record}, c.n, paper_options());
    const BoucWenCycle cycle = cycle_of_force(BoucWen<double>(fitted.parameters), force);
    ASSERT_TRUE(cycle.found);
    EXPECT_NEAR(cycle.dissipation / c.area, 1.0, 0.01) << c.n;
    EXPECT_EQ(std::abs(cycle.dissipation / c.printed - 1.0) < 0.01, c.agrees) << c.n;
  }
}

// The same loops by the classical Runge-Kutta method under a given force: dF = (K_inf + h g) dx. 2000 steps a branch;
// the fourth order is lost where the slope has a corner (n = 1 at z = 0): second, (1/2000)^2 of a change of order 1.
TEST(PaperTwo, LoopAreasByRungeKutta) {
  const HysteresisRecord record = loop(iwan(), 0.8);
  const double force = record.f.front();
  for (const double n : {1.0, 2.0}) {
    const auto p = bouc_wen_least_squares({record}, n, paper_options()).parameters;
    const auto slopes = [&](double z, double direction) {
      const double sign = z > 0.0 ? direction : z < 0.0 ? -direction : 0.0;
      const double g = 1.0 - (p.gamma + p.beta * sign) * std::pow(std::abs(z), n);
      const double dx = 1.0 / (k_inf + k_t * g);
      return std::pair{dx, g * dx};  // dx/dF, dz/dF
    };
    double x = 0.0, z = 0.0, area = 0.0;
    const int steps = 2000;
    const auto go = [&](double from, double to) {
      const double h = (to - from) / steps, direction = h > 0.0 ? 1.0 : -1.0;
      for (int i = 0; i < steps; ++i) {
        const auto [x1, z1] = slopes(z, direction);
        const auto [x2, z2] = slopes(z + 0.5 * h * z1, direction);
        const auto [x3, z3] = slopes(z + 0.5 * h * z2, direction);
        const auto [x4, z4] = slopes(z + h * z3, direction);
        const double dx = h / 6.0 * (x1 + 2.0 * x2 + 2.0 * x3 + x4);
        area += (from + (i + 0.5) * h) * dx;
        x += dx;
        z += h / 6.0 * (z1 + 2.0 * z2 + 2.0 * z3 + z4);
      }
    };
    go(0.0, force);
    for (int cycle = 0; cycle < 40; ++cycle) {
      area = 0.0;
      go(force, -force);
      go(-force, force);
    }
    const BoucWenCycle exact = cycle_of_force(BoucWen<double>(p), force);
    EXPECT_NEAR(area / exact.dissipation, 1.0, 1e-5) << n;
    EXPECT_NEAR(x / exact.amplitude, 1.0, 1e-6) << n;
  }
}

// (II-9) as printed has dx in its first column. A symmetric loop takes (x, z) to (-x, -z): that column stays, the other
// column and the left side change sign, so that beta is 0 but for rounding.
TEST(PaperTwo, PrintedRegressionHasNoBeta) {
  const HysteresisRecord record = loop(iwan(), 0.8);
  const auto rows = static_cast<Eigen::Index>(record.size());
  Eigen::MatrixXd columns(rows, 2);
  Eigen::VectorXd left(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto at = static_cast<std::size_t>(i), next = (at + 1) % record.size();
    const double dx = record.u[next] - record.u[at];
    const double z0 = (record.f[at] - k_inf * record.u[at]) / k_t, z1 = (record.f[next] - k_inf * record.u[next]) / k_t;
    const double z = 0.5 * (z0 + z1);
    columns(i, 0) = -dx * z;
    columns(i, 1) = -dx * std::abs(z);
    left[i] = z1 - z0 - dx;
  }
  const Eigen::VectorXd solution = least_squares(columns, left);
  EXPECT_LT(std::abs(solution[0] / solution[1]), 1e-10);
}

// Section 3.3. The printed beta = 2.38e4, gamma = 5.18e5 cannot be found; n = 1 gives about 1.4e4 and 2.3e4 from AR 0.4
// to 1 ("about": 10 %, where the printed ones are 1.7 and 22 times as large). In macroslip n is 4.0 to 4.7, depending
// on the steps, where the paper has 5.1.
TEST(PaperTwo, EffectOfTheAmplitude) {
  for (const double ratio : {0.4, 0.8, 1.0}) {
    const auto p = bouc_wen_least_squares({loop(iwan(), ratio)}, 1.0, paper_options()).parameters;
    EXPECT_NEAR(p.beta / 1.4e4, 1.0, 0.1) << ratio;
    EXPECT_NEAR(p.gamma / 2.3e4, 1.0, 0.1) << ratio;
  }
  BoucWenFitOptions options = paper_options();
  options.n_low = 1.0;
  options.n_high = 8.0;
  const BoucWenFit micro = fit_bouc_wen({loop(iwan(), 0.4)}, options);
  EXPECT_EQ(micro.best.parameters.n, 1.0);  // the lowest that the paper allows
  EXPECT_TRUE(micro.n_at_bound);
  const BoucWenFit macro = fit_bouc_wen({loop(iwan(), 1.23)}, options);
  EXPECT_GT(macro.best.parameters.n, 4.0);
  EXPECT_LT(macro.best.parameters.n, 4.7);
}

/// The steady cycle of tip z by the series of (II-16), split at z = 0, A = 1: with c = gamma +- beta
///   2 X = sum over both of z sum_k (c z^n)^k/(1 + k n)
///   D/(2 h) = sum over both of +- sum_k c^(k+1) z^(n+2+kn)/(n + 2 + k n)
struct SeriesCycle {
  double amplitude = 0.0, loss = 0.0;  ///< loss over h
};
SeriesCycle series_cycle(const BoucWen<double>::Parameters& p, double z) {
  SeriesCycle cycle;
  for (const double sign : {1.0, -1.0}) {
    const double c = p.gamma + sign * p.beta, w = c * std::pow(z, p.n);
    double power = 1.0;
    for (int k = 0; k < 200; ++k, power *= w) {
      cycle.amplitude += 0.5 * z * power / (1.0 + k * p.n);
      cycle.loss += 2.0 * sign * c * std::pow(z, p.n + 2.0) * power / (p.n + 2.0 + k * p.n);
    }
  }
  return cycle;
}

// n = 1 + chi: loss per cycle within 0.5 % of the Iwan element's up to AR 0.85. At 0.9 it is not quite: 0.53 %, by the
// law and by the series alike (to rounding).
TEST(PaperTwo, LikeTheIwanElement) {
  const auto element = iwan();
  const BoucWen<double> law(bouc_wen_like(element, k_inf));
  const auto& p = law.parameters();
  for (const double ratio : {1e-4, 1e-3, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9}) {
    const double x = ratio * element.phi_max();
    const BoucWenCycle cycle = cycle_of_amplitude(law, x);
    ASSERT_TRUE(cycle.found);
    const SeriesCycle series = series_cycle(p, cycle.z);
    EXPECT_NEAR(series.amplitude / x, 1.0, 1e-12) << ratio;
    EXPECT_NEAR(cycle.dissipation / (k_t * series.loss), 1.0, 1e-11) << ratio;
    const double difference = cycle.dissipation / element.dissipation(x) - 1.0;
    if (ratio < 0.9) {
      EXPECT_LT(std::abs(difference), 0.005) << ratio;
    } else {
      EXPECT_LT(difference, -0.005);
    }
  }
  EXPECT_FALSE(admissibility(p).passive);  // gamma > beta
  EXPECT_EQ(admissibility(p).ikhouane, 2);
}

// The paper's conclusion, that no parameter changes the exponent of the damping: in steady cycles it is n, to the order
// of the slip (beta + gamma) X^n.
TEST(PaperTwo, TheExponentOfTheLossIsThatOfTheLaw) {
  for (const double chi : {-0.01, -0.162, -0.4, -0.6, -0.8}) {
    const auto element = iwan(chi);
    const BoucWen<double> law(bouc_wen_like(element, k_inf));
    const auto& p = law.parameters();
    const double high = 1e-3 * element.phi_max(), low = 0.1 * high;
    const double exponent =
        std::log10(cycle_of_amplitude(law, high).dissipation / cycle_of_amplitude(law, low).dissipation);
    EXPECT_NEAR(exponent, chi + 3.0, p.n * (p.beta + p.gamma) * std::pow(high, p.n)) << chi;
  }
}

// Three loops of different amplitudes tell n; one loop does not.
TEST(PaperTwoSlow, LoopsOfThreeAmplitudesTellTheExponent) {
  for (const double chi : {-0.162, -0.6}) {
    const auto element = iwan(chi);
    BoucWenFitOptions options = paper_options();
    options.polish = true;
    options.n_points = 9;
    const BoucWenFit fit =
        fit_bouc_wen({loop(element, 0.05, 50), loop(element, 0.2, 50), loop(element, 0.8, 50)}, options);
    ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
    // Nearer to 1 + chi than to the paper's 1.
    EXPECT_LT(std::abs(fit.best.parameters.n - (1.0 + chi)), 0.5 * std::abs(chi)) << fit.best.parameters.n;
  }
}

/// Ring-down of one oscillator, K_inf beside the law and no other damping, after half a sine of half the stuck period
/// that leaves a linear oscillator with the amplitude.
std::vector<RingdownPoint> ring(const Law& law, double amplitude, double duration) {
  const double omega = std::sqrt(k_inf + k_t), pulse = std::numbers::pi / omega;
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, k_inf}}, {}, ModalDamping{{0.0}}),
                      {{"joint", law, testing::between(1, -1, 0)}});
  const Load load{"pulse", Eigen::VectorXd::Ones(1),
                  Signal(HalfSine{2.0 * omega * omega * amplitude / std::numbers::pi, pulse}), false};
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.step = 2.5e-5;
  options.duration = duration;
  MemorySink sink;
  const std::vector<Load> loads = {load};
  const auto result = simulate(system, loads, {}, record_everything(system), sink, options);
  EXPECT_EQ(result.ending, Ending::completed) << result.message;
  const auto time = sink.column("time"), velocity = sink.column("v[1]");
  SampledMotion motion{0.0, options.step, Quantity::velocity, {}};
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (time[i] < pulse) continue;
    if (motion.values.empty()) motion.start = time[i];
    motion.values.push_back(velocity[i]);
  }
  return turning_point_ringdown(motion).points;
}

/// Least-squares slope of ln zeta over ln q.
double exponent_of(const std::vector<RingdownPoint>& points) {
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(points.size()), 2);
  Eigen::VectorXd right(columns.rows());
  for (Eigen::Index i = 0; i < columns.rows(); ++i) {
    const RingdownPoint& point = points[static_cast<std::size_t>(i)];
    columns.row(i) << 1.0, std::log(point.q);
    right[i] = std::log(point.zeta);
  }
  return least_squares(columns, right)[1];
}

// The same in ring-downs, which the paper looks at: the damping rises as q^n. To first order zeta = D/(2 pi q^2 K), D
// ~ q^(n+2) and K = K_0 (1 - c q^n), c at most (beta + gamma) K_T/K_0: the slope is n (1 + c q^n).
TEST(PaperTwoSlow, TheExponentOfRingDownsIsThatOfTheLaw) {
  for (const double chi : {-0.162, -0.4, -0.6}) {
    const auto element = iwan(chi);
    const BoucWen<double>::Parameters p = bouc_wen_like(element);
    const double amplitude = 0.1 * element.phi_max();
    const double order = p.n * (p.beta + p.gamma) * std::pow(amplitude, p.n) * k_t / (k_inf + k_t);
    EXPECT_NEAR(exponent_of(ring(BoucWen<double>(p), amplitude, 3.0)), p.n, order) << chi;
    EXPECT_NEAR(exponent_of(ring(Iwan4<double>(element), amplitude, 3.0)), p.n, order) << chi;
  }
  // And of the laws that the paper fits: 1 and 2, whatever chi is.
  for (const double n : {1.0, 2.0}) {
    BoucWen<double>::Parameters p = bouc_wen_least_squares({loop(iwan(), 0.8)}, n, paper_options()).parameters;
    p.k0 = k_t;
    p.alpha = 0.0;
    const double amplitude = 0.4 * iwan().phi_max();
    const double order = n * (p.beta + p.gamma) * std::pow(amplitude, n) * k_t / (k_inf + k_t);
    EXPECT_NEAR(exponent_of(ring(BoucWen<double>(p), amplitude, 3.0)), n, order) << n;
  }
}

// Damping of the ring-down from AR 0.8, law like the Iwan element against the element. Steady cycles differ by less
// than 0.5 %; the loops of a decaying motion are open by what the amplitude loses in a cycle, 2 pi zeta of it, and the
// loss goes with its power n + 2.
TEST(PaperTwoSlow, DampingOfRingDownsLikeTheIwanElement) {
  const auto element = iwan();
  const BoucWen<double>::Parameters p = bouc_wen_like(element);
  const double amplitude = 0.8 * element.phi_max();
  const auto exact = ring(Iwan4<double>(element), amplitude, 1.5);
  const auto like = ring(BoucWen<double>(p), amplitude, 1.5);
  ASSERT_GT(like.size(), 500U);
  std::size_t at = 0;
  int compared = 0;
  for (const RingdownPoint& point : like) {
    while (at + 1 < exact.size() && exact[at + 1].q > point.q) ++at;
    if (at + 1 >= exact.size() || point.q > exact[at].q) continue;
    const double share = (point.q - exact[at].q) / (exact[at + 1].q - exact[at].q);
    const double zeta = exact[at].zeta + share * (exact[at + 1].zeta - exact[at].zeta);
    EXPECT_NEAR(point.zeta / zeta, 1.0, 0.005 + (p.n + 2.0) * 2.0 * std::numbers::pi * zeta) << point.q;
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace microslip
