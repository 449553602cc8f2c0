// Force and derivative of a joint in periodic motion, against marching the law itself, closed forms and differences.

#include "microslip/periodic/alternating_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "microslip/joints/joint_memory.hpp"
#include "microslip/numerics/fourier_series.hpp"

namespace microslip {
namespace alternating_transform_test {

constexpr double pi = std::numbers::pi;

Law iwan4(double chi = -0.5, double beta = 0.5, double residual = 0.0) {
  return Iwan4<double>(Iwan4Backbone<double>::from_physical(10.0, 5.0, chi, beta), residual);
}

struct Case {
  std::string name;
  Law law;
  double size;         ///< of the motion
  double march_error;  ///< of the comparison, relative to the largest coefficient; see MarchedLaw
  double difference_error;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

/// A motion with a mean, a strong first harmonic and enough of the others for minor loops.
std::vector<double> motion(int harmonics, double size, bool minor_loops) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  std::vector<double> u(static_cast<std::size_t>(series_size(harmonics)));
  u[0] = 0.13 * size;
  for (int h = 1; h <= harmonics; ++h) {
    const double scale = h == 1 ? 1.0 : (minor_loops ? 0.9 / h : 0.2 / (h * h));
    u[static_cast<std::size_t>(2 * h - 1)] = size * scale * (h == 1 ? 0.8 : normal(generator));
    u[static_cast<std::size_t>(2 * h)] = size * scale * (h == 1 ? 0.5 : normal(generator));
  }
  return u;
}

/// Steps of equal length through enough periods for any law to settle, trapezoidal Fourier coefficients of the last;
/// from rest, or from where `past` leaves the joint.
std::vector<double> marched_force(const Law& law, const std::vector<double>& u, int harmonics, int steps, int periods,
                                  const std::vector<double>& past = {}) {
  std::vector<double> force(u.size(), 0.0);
  std::visit(
      [&]<class L>(const L& l) {
        if constexpr (!UsersLaw<L>) {
          typename L::State state{};
          for (const double at : past) l.commit(state, l.evaluate(state, {at, 0.0, 0.0, 0.0}));
          std::vector<double> basis(u.size());
          for (int period = 0; period < periods; ++period) {
            for (int i = 0; i < steps; ++i) {
              series_basis(harmonics, 2.0 * pi * i / steps, basis.data());
              double at = 0.0;
              for (std::size_t k = 0; k < u.size(); ++k) at += basis[k] * u[k];
              const auto trial = l.evaluate(state, {at, 0.0, 0.0, 0.0});
              l.commit(state, trial);
              if (period + 1 < periods) continue;
              for (std::size_t k = 0; k < u.size(); ++k)
                force[k] += (k == 0 ? 1.0 : 2.0) / steps * basis[k] * trial.force;
            }
          }
        }
      },
      law);
  return force;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double v : values) result = std::max(result, std::abs(v));
  return result;
}

class Transform : public ::testing::TestWithParam<Case> {};

// A march of N equal steps samples each reversal within h = 2 pi/N of its place: u_r is off by u'' h^2/8 at most, and
// the trapezoidal sum across a kink of the force by k' h^2/12. With N = 40000 both are below 1e-8 of the force; the
// bound of each case leaves room for the number of reversals and kinks (up to ten). Laws that drop forces (iwan5 in
// macroslip, sliders of iwan5) are off by one step's drop for each: 1.6e-4 of it over pi.
TEST_P(Transform, AgreesWithMarchingTheLaw) {
  constexpr int harmonics = 5;
  for (const bool minor_loops : {false, true}) {
    const auto u = motion(harmonics, GetParam().size, minor_loops);
    AlternatingTransform transform(GetParam().law, 0.0, harmonics, 512);
    std::vector<double> force(u.size());
    ASSERT_TRUE(transform.evaluate(u.data(), 1.0, force.data()));
    const auto expected = marched_force(GetParam().law, u, harmonics, 40000, 8);
    for (std::size_t k = 0; k < u.size(); ++k) {
      EXPECT_NEAR(force[k], expected[k], GetParam().march_error * largest(expected))
          << "coefficient " << k << (minor_loops ? ", minor loops" : "");
    }
  }
}

// Central differences with d = 1e-5 of the motion: d^2 f'''/6 and rounding 1e-16/d give 1e-9 to 1e-7 where f is smooth;
// third derivatives of x^(chi+2) are unbounded at reversals, their integral is of order d^(3/2).
TEST_P(Transform, DerivativeAgreesWithDifferences) {
  constexpr int harmonics = 4;
  for (const bool minor_loops : {false, true}) {
    auto u = motion(harmonics, GetParam().size, minor_loops);
    AlternatingTransform transform(GetParam().law, 0.0, harmonics, 512);
    std::vector<double> force(u.size()), more(u.size()), less(u.size());
    Eigen::MatrixXd jacobian;
    ASSERT_TRUE(transform.evaluate(u.data(), 1.0, force.data(), &jacobian));
    const double d = 1e-5 * GetParam().size;
    const double scale = jacobian.cwiseAbs().maxCoeff();
    for (std::size_t c = 0; c < u.size(); ++c) {
      const double old = u[c];
      u[c] = old + d;
      ASSERT_TRUE(transform.evaluate(u.data(), 1.0, more.data()));
      u[c] = old - d;
      ASSERT_TRUE(transform.evaluate(u.data(), 1.0, less.data()));
      u[c] = old;
      for (std::size_t r = 0; r < u.size(); ++r) {
        EXPECT_NEAR(jacobian(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)),
                    (more[r] - less[r]) / (2.0 * d), GetParam().difference_error * scale)
            << r << ", " << c << (minor_loops ? ", minor loops" : "");
      }
    }
  }
}

// Sliders that the motion does not move stay where an earlier one left them. One to 5, beyond macroslip, and back to 0:
// what slips sticks at 5 - theta phi, and going back by 5 > (1 + theta) phi_max it all slips again, so that from rest
// and from there the sliders stand up to theta phi apart. The bounds are those of the march above.
TEST(TransformFromAMemory, AgreesWithMarchingTheLaw) {
  constexpr int harmonics = 4;
  const auto distribution = Iwan4Backbone<double>::from_physical(10.0, 5.0, -0.5, 0.5);
  const std::vector<double> past = {5.0, 0.0};
  const std::pair<Law, double> laws[] = {{Iwan5<double>(distribution, 0.6), 1e-7},
                                         {Iwan5Sliders<double>(slider_grid(distribution, 12), 0.6), 1e-3}};
  const auto u = motion(harmonics, 1.0, true);
  for (const auto& [law, bound] : laws) {
    const Law* const of_joint[] = {&law};
    JointMemory memory(of_joint);
    JointResponse response = memory.make_response();
    const double rate = 0.0;
    for (const double at : past) {
      memory.evaluate(&at, &rate, 0.0, response);
      memory.commit();
    }
    AlternatingTransform transform(law, 0.0, harmonics, 512), from_rest(law, 0.0, harmonics, 512);
    transform.begin_with(memory, 0);
    std::vector<double> force(u.size()), more(u.size()), less(u.size()), resting(u.size());
    Eigen::MatrixXd jacobian;
    ASSERT_TRUE(transform.evaluate(u.data(), 1.0, force.data(), &jacobian));
    ASSERT_TRUE(from_rest.evaluate(u.data(), 1.0, resting.data()));
    const auto expected = marched_force(law, u, harmonics, 40000, 8, past);
    for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(force[k], expected[k], bound * largest(expected)) << k;
    EXPECT_GT(std::abs(force[0] - resting[0]), 0.1 * largest(expected));
    std::vector<double> held(u.size());  // no motion: one step to where it stays
    held[0] = -0.7;
    ASSERT_TRUE(transform.evaluate(held.data(), 1.0, force.data()));
    EXPECT_NEAR(force[0], marched_force(law, held, harmonics, 4, 1, past)[0], 1e-12 * 10.0);
    ASSERT_TRUE(from_rest.evaluate(held.data(), 1.0, resting.data()));
    EXPECT_NEAR(resting[0], marched_force(law, held, harmonics, 4, 1)[0], 1e-12 * 10.0);
    EXPECT_GT(std::abs(force[0] - resting[0]), 0.1 * std::abs(resting[0]));
    const double d = 1e-5, scale = jacobian.cwiseAbs().maxCoeff();
    for (std::size_t c = 0; c < u.size(); ++c) {
      auto moved = u;
      moved[c] = u[c] + d;
      ASSERT_TRUE(transform.evaluate(moved.data(), 1.0, more.data()));
      moved[c] = u[c] - d;
      ASSERT_TRUE(transform.evaluate(moved.data(), 1.0, less.data()));
      for (std::size_t r = 0; r < u.size(); ++r) {
        EXPECT_NEAR(jacobian(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)),
                    (more[r] - less[r]) / (2.0 * d), 1e-5 * scale)
            << r << ", " << c;
      }
    }
  }
}

// Lines are integrated in closed form: the number of nodes asked for has no part in it. What is left is rounding, some
// 100 terms of 1e-16 of the largest coefficient. Marching it in 40000 steps misses reversals by u'' h^2/8, 2e-7 for u''
// of 65, each for its part of the period, with a stiffness of 4 at most.
TEST(TransformOfLines, NeedsNoNodes) {
  constexpr int harmonics = 12;
  const auto u = motion(harmonics, 1.0, true);
  const Law laws[] = {Jenkins<double>(3.0, 1.0), Gap<double>(4.0, 0.3),
                      IwanSliders<double>(SliderGrid<double>{{1.0, 2.0, 0.5}, {0.2, 0.5, 1.0}}, 0.3),
                      PiecewiseLinearSpring<double>({-0.5, -0.2, 0.3, 0.6}, {-2.0, -0.5, -0.5, 1.0}),
                      masing_table<double>({0.2, 0.5, 1.0}, {1.0, 1.8, 2.2}, Interpolation::linear, 0.3)};
  for (const Law& law : laws) {
    std::vector<double> few(u.size()), many(u.size());
    AlternatingTransform coarse(law, 0.0, harmonics, 16), fine(law, 0.0, harmonics, 4096);
    ASSERT_TRUE(coarse.evaluate(u.data(), 1.0, few.data()));
    ASSERT_TRUE(fine.evaluate(u.data(), 1.0, many.data()));
    for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(few[k], many[k], 1e-13 * largest(many)) << k;
    const auto expected = marched_force(law, u, harmonics, 40000, 3);
    for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(few[k], expected[k], 1e-6) << k;
  }
}

std::vector<Case> cases() {
  const auto distribution = Iwan4Backbone<double>::from_physical(10.0, 5.0, -0.5, 0.5);
  BoucWen<double>::Parameters bw;
  bw.k0 = 4.0, bw.alpha = 0.2, bw.beta = 0.3, bw.gamma = 0.2, bw.n = 1.4;
  return {
      {"linear", Linear<double>(3.0), 1.0, 1e-12, 1e-9},
      {"polynomial", Polynomial<double>({1.0, 0.3, 0.5}), 1.0, 1e-12, 1e-8},
      {"gap", Gap<double>(4.0, 0.3), 1.0, 1e-7, 1e-5},
      {"piecewise_linear", PiecewiseLinearSpring<double>({-0.5, -0.2, 0.3, 0.6}, {-2.0, -0.5, -0.5, 1.0}), 1.0, 1e-7,
       1e-5},
      {"jenkins_slipping", Jenkins<double>(3.0, 1.0), 1.0, 1e-7, 1e-5},
      {"iwan4_microslip", iwan4(), 1.0, 1e-7, 1e-6},
      {"iwan4_near_minus_one", iwan4(-0.8), 1.0, 1e-7, 1e-4},
      {"iwan4_macroslip", iwan4(), 4.0, 1e-7, 1e-5},
      {"iwan6", iwan4(-0.3, 1.0, 2.0), 3.0, 1e-7, 1e-5},
      {"iwan_uniform", IwanUniform<double>(IwanUniformBackbone<double>(3.0, 2.0), 0.4), 1.0, 1e-7, 1e-6},
      {"bouc_wen", BoucWen<double>(bw), 1.5, 1e-7, 1e-5},
      {"iwan5", Iwan5<double>(distribution, 0.6), 1.0, 1e-7, 1e-5},
      {"iwan5_macroslip", Iwan5<double>(distribution, 0.6), 4.0, 1e-4, 1e-5},
      {"iwan5_sliders", Iwan5Sliders<double>(slider_grid(distribution, 12), 0.6), 2.0, 1e-3, 1e-5},
  };
}
INSTANTIATE_TEST_SUITE_P(Laws, Transform, ::testing::ValuesIn(cases()), [](const auto& c) { return c.param.name; });

}  // namespace alternating_transform_test
}  // namespace microslip
