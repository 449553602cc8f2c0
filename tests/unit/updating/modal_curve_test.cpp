// Modal curves at fixed amplitudes: values against quasi-static modal analysis, derivatives against differences.

#include "microslip/updating/modal_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "microslip/modal/quasi_static_modal.hpp"
#include "unit/updating/updating_chain.hpp"

namespace microslip {
namespace modal_curve_test {

using test::Chain;
using test::iwan_chain;
using test::law;

Chain mixed_chain() {
  Chain chain;
  chain.laws = {law("iwan_uniform", {{"k", 1.1}, {"fq", 0.8}, {"alpha", 0.2}}), law("linear", {{"k", 0.4}}),
                law("iwan6", {{"FS", 0.5}, {"KT", 0.8}, {"chi", -0.3}, {"beta", 1.0}, {"Kinf", 0.2}})};
  return chain;
}

ModalCurveValues curve_of(const Chain& chain, const AmplitudeGrid& grid, int mode,
                          const std::vector<CurveDirection>& directions = {}) {
  const ModelMatrices matrices = chain.matrices();
  const ModelModes modes = model_modes(matrices);
  ModalCurveSolver solver(grid);
  const auto numbers = directions.empty() ? std::vector<VirginCurve<LawNumber>>{} : chain.numbers();
  return solver.solve(mode_constants(matrices, modes, mode), chain.curves(), numbers, directions);
}

// Force and slope less those of the spring at rest, and the loss without another power: against the curve itself, whose
// difference has the rounding of the force, and its own loss. On both sides of the yield of every law.
TEST(VirginCurve, SlipIsWhatTheSpringAtRestLeaves) {
  for (const Chain& chain : {iwan_chain(), mixed_chain()}) {
    for (const VirginCurve<double>& curve : chain.curves()) {
      for (const double u : {1e-3, -0.05, 0.4, -0.9, 1.6, 3.0}) {
        const auto slip = curve.slip(u), point = curve.at(u);
        const double stuck = curve.stuck_stiffness(), rounding = 4e-16 * stuck;
        EXPECT_NEAR(slip.force, point.force - stuck * u, 4.0 * rounding * std::abs(u)) << u;
        EXPECT_NEAR(slip.slope, point.slope - stuck, 4.0 * rounding) << u;
        EXPECT_NEAR(curve.loss(u, slip), curve.loss(u), 1e-14 * curve.loss(u)) << u;
      }
    }
  }
}

// The same equilibria by another way (load prescribed, joints with memory, another quadrature): omega, the tangent and
// the loss agree to the tolerance of the equilibria; omega_ringdown to the quadratures, 1e-4 of the shift by the bounds
// in amplitude_grid.hpp and masing_harmonic.hpp; zeta inherits it through its viscous part only. In the first mode a
// joint comes back a little at last, where quasi-static analysis changes to full cycles; the solver lets pass what
// changes the loss by less than 1e-3.
void expect_values_of_qsma(const Chain& chain, double low, double high, std::size_t jumps) {
  const AmplitudeGrid grid({low, high}, 12);
  const System system = chain.system();
  for (int mode = 0; mode < 3; ++mode) {
    const ModalCurveValues curve = curve_of(chain, grid, mode);
    ASSERT_EQ(curve.reached, grid.size()) << curve.why;
    EXPECT_GE(curve.jumps.size(), jumps);
    const double omega0 = system.stuck_modes().omega(mode);
    for (const int node : {grid.first(), (grid.first() + grid.size()) / 2, grid.size() - 1}) {
      const double q = grid.nodes()[static_cast<std::size_t>(node)];
      const double omega = curve.values(node, omega_column);
      const double alpha = omega * omega * q;
      const ModalCurve other = quasi_static_modal_analysis(system, mode, {1e-3 * alpha, alpha, 80});
      ASSERT_EQ(other.ending, Ending::completed) << other.message;
      const ModalPoint& point = other.points.back();
      EXPECT_NEAR(point.q / q, 1.0, 1e-9);
      EXPECT_NEAR(curve.values(node, zeta_secant_column) / point.zeta_secant, 1.0, 1e-7);
      const double shift = omega0 - point.omega_ringdown;
      EXPECT_NEAR(curve.values(node, omega_ringdown_column), point.omega_ringdown, 1e-4 * shift) << "mode " << mode;
      EXPECT_NEAR(curve.values(node, zeta_column) / point.zeta, 1.0, 1e-6) << "mode " << mode;
    }
  }
}

TEST(ModalCurveAtAmplitudes, HasTheValuesOfQuasiStaticAnalysisInMicroslip) {
  expect_values_of_qsma(iwan_chain(), 1e-3, 0.3, 0);
  expect_values_of_qsma(mixed_chain(), 1e-3, 0.3, 0);
}

/// Fourth-order central difference of a curve over a number.
Eigen::MatrixXd difference(const std::function<Eigen::MatrixXd(double)>& values, double at, double step = 1e-3) {
  const double h = step * std::abs(at);
  return (8.0 * (values(at + h) - values(at - h)) - (values(at + 2.0 * h) - values(at - 2.0 * h))) / (12.0 * h);
}

/// Every column of the derivative. 1e-9 of it is what the fourth power of the step leaves, 2e-8 of the value over the
/// number what the tolerance of the equilibria (1e-12, over a step of 1e-3 and for a loss that goes with the cube)
/// does.
void expect_same(const Eigen::MatrixXd& exact, const Eigen::MatrixXd& differences, const Eigen::MatrixXd& values,
                 double number, int from, int to, const std::string& what, double quadrature = 0.0,
                 double step = 1e-3) {
  for (int column = 0; column < curve_columns; ++column) {
    const Eigen::VectorXd a = exact.col(column).segment(from, to - from);
    const Eigen::VectorXd b = differences.col(column).segment(from, to - from);
    const double rounding = 2e-11 / step * values.col(column).cwiseAbs().maxCoeff() / std::abs(number);
    const bool by_harmonic = column == omega_ringdown_column || column == zeta_column;
    const double share = 1e-9 + (by_harmonic ? quadrature : 0.0);
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), share * b.cwiseAbs().maxCoeff() + rounding)
        << what << ", column " << column;
  }
}

void expect_law_derivatives(const Chain& chain, const AmplitudeGrid& grid, double quadrature = 0.0,
                            double step = 1e-3) {
  const ModelMatrices matrices = chain.matrices();
  const ModelModes modes = model_modes(matrices);
  for (int mode = 0; mode < 3; ++mode) {
    for (int j = 0; j < 3; ++j) {
      const auto& numbers = chain.laws[static_cast<std::size_t>(j)].numbers;
      for (std::size_t n = 0; n < numbers.size(); ++n) {
        if (numbers[n].first == "sliders" || numbers[n].first == "spacing") continue;
        MatrixChange change;
        change.mass.resize(5, 5);
        change.stiffness.resize(5, 5);
        change.stuck = Eigen::VectorXd::Zero(3);
        change.stuck(j) = chain.numbers()[static_cast<std::size_t>(j)].stuck_stiffness().gradient()[n + 1];
        const ModeChange moved = mode_change(matrices, modes, change, mode);
        const ModalCurveValues curve =
            curve_of(chain, grid, mode, {{&moved.constants, {{j, static_cast<int>(n), 1.0}}}});
        int reached = curve.reached;
        const Eigen::MatrixXd numeric = difference(
            [&](double value) {
              Chain other = chain;
              other.laws[static_cast<std::size_t>(j)].numbers[n].second = value;
              const ModalCurveValues varied = curve_of(other, grid, mode);
              reached = std::min(reached, varied.reached);
              return varied.values;
            },
            numbers[n].second, step);
        ASSERT_GT(reached, grid.first() + 3);
        expect_same(curve.derivatives[0], numeric, curve.values, numbers[n].second, grid.first(), reached,
                    "mode " + std::to_string(mode + 1) + ", joint " + std::to_string(j + 1) + ", " + numbers[n].first,
                    quadrature);
      }
    }
  }
}

// Through the ends of microslip of all joints, where slopes jump between nodes. Quasi-static analysis halves its steps
// there and finds corners from both sides.
TEST(ModalCurveAtAmplitudes, HasTheValuesOfQuasiStaticAnalysisIntoMacroslip) {
  Chain chain = iwan_chain();
  chain.laws[1] = law("jenkins", {{"kt", 0.9}, {"fs", 0.6}});
  expect_values_of_qsma(chain, 0.05, 12.0, 2);
}

TEST(ModalCurveAtAmplitudes, DerivativesByTheNumbersOfLawsAreExactInMicroslip) {
  const AmplitudeGrid grid({1e-2, 0.3}, 6);
  expect_law_derivatives(iwan_chain(), grid);
  expect_law_derivatives(mixed_chain(), grid);
}

// Through the ends of microslip; no node lies so near to one that a difference crosses it. The quadrature of K1 and its
// derivative are those of the same integral, but not derivatives of each other where a slope jumps within a segment:
// the error of the quadrature, (0.75 ln 10/12)^4/384 = 1e-6 of K1 itself for each of three jumps, changes over the
// length ln 10/12 of a segment while the jump moves through it, 1.6e-5 of K1, which is some ten times its shift.
TEST(ModalCurveAtAmplitudes, DerivativesAreExactIntoMacroslip) {
  expect_law_derivatives(iwan_chain(), AmplitudeGrid({0.05, 30.0}, 12), 5e-4, 1e-4);
}

TEST(ModalCurveAtAmplitudes, DerivativesByMatricesAreExact) {
  const AmplitudeGrid grid({1e-2, 0.3}, 6);
  Chain chain = iwan_chain();
  chain.damper = 0.02;
  const auto check = [&](Chain& varied, double& number, const std::string& what) {
    const ModelMatrices here = varied.matrices();
    const double at = number, h = 1e-3 * at;
    MatrixChange change;
    number = at + h;
    const ModelMatrices there = varied.matrices();
    number = at;
    change.mass = (there.mass - here.mass) / h;
    change.stiffness = (there.stiffness - here.stiffness) / h;
    change.stuck = Eigen::VectorXd::Zero(3);
    if (const auto* modal = std::get_if<ModalDamping>(&there.damping)) {
      const auto& ratios = std::get<ModalDamping>(here.damping).ratios;
      for (std::size_t i = 0; i < ratios.size(); ++i) change.ratios.push_back((modal->ratios[i] - ratios[i]) / h);
    } else if (const auto* rayleigh = std::get_if<RayleighDamping>(&there.damping)) {
      const auto& own = std::get<RayleighDamping>(here.damping);
      change.rayleigh_a = (rayleigh->a - own.a) / h;
      change.rayleigh_b = (rayleigh->b - own.b) / h;
    } else {
      change.damping =
          (std::get<MatrixDamping>(there.damping).matrix - std::get<MatrixDamping>(here.damping).matrix) / h;
    }
    for (std::size_t i = 0; i < there.dampers.size(); ++i) {
      change.dampers.push_back((there.dampers[i].coefficient - here.dampers[i].coefficient) / h);
    }
    const ModelModes modes = model_modes(here);
    for (int mode = 0; mode < 5; ++mode) {
      const ModeChange moved = mode_change(here, modes, change, mode);
      const ModalCurveValues curve = curve_of(varied, grid, mode, {{&moved.constants, {}}});
      const Eigen::MatrixXd numeric = difference(
          [&](double value) {
            number = value;
            const Eigen::MatrixXd values = curve_of(varied, grid, mode).values;
            number = at;
            return values;
          },
          at);
      expect_same(curve.derivatives[0], numeric, curve.values, at, grid.first(), curve.reached,
                  what + ", mode " + std::to_string(mode + 1));
      const Eigen::VectorXd exact = modes.shapes * moved.shape;
      const Eigen::MatrixXd shape = difference(
          [&](double value) {
            number = value;
            Eigen::MatrixXd result = model_modes(varied.matrices()).shapes.col(mode);
            number = at;
            if (result.col(0).dot(modes.shapes.col(mode)) < 0.0) result = -result;
            return result;
          },
          at);
      EXPECT_LT((exact - shape.col(0)).cwiseAbs().maxCoeff(), 1e-8) << what;
    }
  };
  check(chain, chain.masses[1], "mass");
  check(chain, chain.springs[2], "spring");
  check(chain, chain.damper, "damper");
  check(chain, std::get<ModalDamping>(chain.damping).ratios[0], "ratio");
  chain.damping = RayleighDamping{0.01, 0.002};
  check(chain, std::get<RayleighDamping>(chain.damping).a, "a");
  check(chain, std::get<RayleighDamping>(chain.damping).b, "b");
  check(chain, chain.springs[0], "spring under Rayleigh damping");
  Eigen::MatrixXd c = 0.01 * Eigen::MatrixXd::Ones(5, 5);
  c.diagonal().setConstant(0.05);
  chain.damping = MatrixDamping{c};
  check(chain, chain.masses[3], "mass under a matrix of dampers");
}

// Free in space, held together by the joint alone: the load cannot rise beyond the limit load, where T = 0.
TEST(ModalCurveAtAmplitudes, TellsWhereTheLoadCannotRise) {
  const double stiffness = 2.0, slip = 0.5;
  ModelMatrices matrices;
  const LinearStructure pair = LinearStructure::lumped({1.0, 3.0}, {}, {}, {}, ModalDamping{{1e-3}});
  matrices.mass = pair.mass();
  matrices.stiffness = pair.stiffness();
  matrices.directions.resize(2, 1);
  matrices.directions << -1.0, 1.0;
  matrices.stuck = Eigen::VectorXd::Constant(1, stiffness);
  matrices.damping = pair.damping();
  const LawSpec spec = law("iwan_uniform", {{"k", stiffness}, {"fq", slip}});
  const ModelModes modes = model_modes(matrices);
  ASSERT_EQ(modes.rigid, 1);
  const ModeConstants constants = mode_constants(matrices, modes, 1);
  const double yield = 2.0 * slip / stiffness / std::abs(constants.beta(0));  // of q
  const AmplitudeGrid grid({0.1 * yield, 3.0 * yield}, 10);
  ModalCurveSolver solver(grid);
  const std::vector<double> numbers = {stiffness, slip};
  const std::vector<VirginCurve<double>> laws = {VirginCurve<double>(spec, numbers)};
  const std::vector<VirginCurve<LawNumber>> duals = {VirginCurve<LawNumber>(spec, law_numbers(spec))};
  MatrixChange change;
  change.mass.resize(2, 2);
  change.stiffness.resize(2, 2);
  change.stuck = Eigen::VectorXd::Ones(1);
  const ModeChange moved = mode_change(matrices, modes, change, 1);
  const ModalCurveValues curve = solver.solve(constants, laws, duals, {{&moved.constants, {{0, 0, 1.0}}}});
  EXPECT_NE(curve.why.find("cannot rise"), std::string::npos);
  ASSERT_GT(curve.reached, grid.first());
  ASSERT_LT(curve.reached, grid.size());
  EXPECT_LT(grid.nodes()[static_cast<std::size_t>(curve.reached) - 1], yield);
  EXPECT_GE(grid.nodes()[static_cast<std::size_t>(curve.reached)], yield * (1.0 - 1e-3));
  // With u = beta q the curve is F0: T = beta^2 k (1 - q/yield), so zeta grows without bound; the derivative by k is
  // that of the closed form, D = 2 k u^3/(3 u_y), here at the last node.
  const auto closed = [&](double k) {
    const double q = grid.nodes()[static_cast<std::size_t>(curve.reached) - 1];
    const double beta = constants.beta(0), u = std::abs(beta) * q, uy = 2.0 * slip / k;
    const double omega0 = std::sqrt(beta * beta * k);
    const double loss = 2.0 * k * u * u * u / (3.0 * uy);
    // K1 of s' = -beta^2 k y/(y_yield): 8/(pi Q^2) integral y sqrt(y (Q - y)) dy = 8/(pi Q^2) pi Q^3/16 = Q/2.
    const double harmonic = beta * beta * k * (1.0 - 0.5 * u / uy);
    return (loss + std::numbers::pi * 2e-3 * omega0 * std::sqrt(harmonic) * q * q) /
           (2.0 * std::numbers::pi * q * q * beta * beta * k * (1.0 - u / uy));
  };
  const int last = curve.reached - 1;
  EXPECT_NEAR(curve.values(last, zeta_column) / closed(stiffness), 1.0, 1e-6);
  const double h = 1e-5;
  const double numeric = (closed(stiffness + h) - closed(stiffness - h)) / (2.0 * h);
  EXPECT_NEAR(curve.derivatives[0](last, zeta_column) / numeric, 1.0, 1e-5);
}

}  // namespace modal_curve_test
}  // namespace microslip
