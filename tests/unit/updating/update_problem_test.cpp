// A model against a test as a problem of inference: derivatives of every kind of row, modes that change places, and
// whether stated errors are right.

#include "microslip/updating/update_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "microslip/inference/least_squares.hpp"
#include "microslip/numerics/constants.hpp"
#include "unit/updating/updating_chain.hpp"

namespace microslip {
namespace update_problem_test {

using test::Chain;

MatrixChange still(Eigen::Index n, Eigen::Index joints) {
  MatrixChange change;
  change.mass.resize(n, n);
  change.stiffness.resize(n, n);
  change.stuck = Eigen::VectorXd::Zero(joints);
  return change;
}

/// The spring behind mass 3 (parameter 0) and as 2/p that behind mass 1, KT of joint 1 with twice itself in joint 3,
/// chi of joint 2, the damping ratio.
UpdateModel::Parts parts_of(const Chain& chain) {
  UpdateModel::Parts parts;
  parts.matrices = chain.matrices();
  parts.laws = chain.laws;
  const auto spring = [&](std::size_t i) {
    Chain other = chain;
    other.springs[i] += 1.0;
    ModelNumber number{chain.springs[i], -1, -1, still(5, 3)};
    number.change.stiffness = other.matrices().stiffness - parts.matrices.stiffness;
    return number;
  };
  ModelNumber ratio{1e-3, -1, -1, still(5, 3)};
  ratio.change.ratios = {1.0};
  parts.numbers = {spring(2), spring(0), {1.3, 0, 1, {}}, {0.7, 2, 0, {}}, {-0.2, 1, 1, {}}, ratio};
  parts.links = {{0, 0, 1.0, false}, {0, 1, 3.4, true},  {1, 2, 1.0, false},
                 {1, 3, 2.0, false}, {2, 4, 1.0, false}, {3, 5, 1.0, false}};
  parts.parameters = 4;
  return parts;
}

std::vector<UpdateParameter> parameters() {
  return {{"spring", 1.2, 2.4, 1.7, false, {}},
          {"KT", 0.3, 3.0, 1.3, true, {}},
          {"chi", -0.6, 0.4, -0.2, false, {}},
          {"zeta", 1e-4, 1e-2, 1e-3, true, {}}};
}

CurveTarget curve_of_mode(int mode, bool shift, bool secant) {
  CurveTarget target;
  target.name = "mode";
  target.mode = mode;
  target.shift = shift;
  target.secant = secant;
  target.discrepancy = false;
  for (int i = 0; i < 30; ++i) target.q.push_back(0.02 * std::pow(15.0, i / 29.0));
  target.omega.assign(30, 1.0);
  target.zeta.assign(30, 0.01);
  target.omega_error.assign(30, 1e-4);
  target.zeta_error.assign(30, 1e-4);
  return target;
}

ModeTarget measured_modes(const UpdateModel& model, ShapeRows rows) {
  ModeTarget target;
  target.name = "modes";
  target.numbers = {1, 2, 3};
  target.sensors = Eigen::MatrixXd::Identity(4, 5);
  target.shapes = target.sensors * model.modes().shapes.leftCols(3);
  target.shapes(0, 0) *= 1.2;  // no shape of the model
  target.frequency = model.modes().omega.head(3) / two_pi;
  target.frequency_error = 1e-4 * target.frequency;
  target.shape_rows = rows;
  target.shape_error = Eigen::MatrixXd::Constant(4, 3, 1e-2);
  return target;
}

LoopTarget loop_of_joint(int joint, bool settled) {
  LoopTarget target;
  target.joint = joint;
  target.settled = settled;
  for (int i = 0; i <= 40; ++i) target.u.push_back(0.3 + 0.4 * std::sin(two_pi * i / 40.0));
  for (int i = 0; i <= 40; ++i) target.force.push_back(std::sin(two_pi * i / 40.0 + 0.3));
  target.force_error.assign(41, 0.01);
  return target;
}

// Fourth-order differences of every row over every x: their rounding is 1e-12 of the row over a step of 1e-3 in x (of
// which some are logarithms), their truncation the fourth power of it.
TEST(UpdateProblem, RowsHaveTheirDerivatives) {
  const auto model = std::make_shared<const UpdateModel>(parts_of(test::iwan_chain()));
  const UpdateProblem problem(model, parameters(), {curve_of_mode(0, true, false), curve_of_mode(2, false, true)},
                              {measured_modes(*model, ShapeRows::components), measured_modes(*model, ShapeRows::mac)},
                              {loop_of_joint(0, false), loop_of_joint(1, true), loop_of_joint(2, true)});
  Eigen::VectorXd x = problem.start();
  x(0) += 0.05;
  x(1) += 0.1;
  const ResidualProblem::Answer answer = problem.evaluate(x, true);
  ASSERT_TRUE(answer.why.empty()) << answer.why;
  ASSERT_TRUE(answer.values.allFinite());
  ASSERT_EQ(answer.values, problem.evaluate(x, false).values);
  for (Eigen::Index p = 0; p < 4; ++p) {
    const auto at = [&](double step) {
      Eigen::VectorXd other = x;
      other(p) += step;
      return problem.evaluate(other, false).values;
    };
    const double h = 1e-3;
    const Eigen::VectorXd numeric = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
    for (std::size_t g = 0; g < problem.groups().size(); ++g) {
      const auto first = static_cast<Eigen::Index>(problem.groups()[g].first);
      const auto count = static_cast<Eigen::Index>(problem.groups()[g].count);
      const Eigen::VectorXd exact = answer.jacobian.col(p).segment(first, count);
      const double size = answer.values.segment(first, count).cwiseAbs().maxCoeff();
      EXPECT_LT((exact - numeric.segment(first, count)).cwiseAbs().maxCoeff(),
                1e-8 * numeric.segment(first, count).cwiseAbs().maxCoeff() + 2e-8 * size)
          << problem.groups()[g].name << ", " << problem.parameters()[static_cast<std::size_t>(p)].name;
    }
  }
}

/// Two oscillators on the ground that know nothing of each other; the joint is on the first.
UpdateModel::Parts pair_of_oscillators() {
  UpdateModel::Parts parts;
  const LinearStructure structure =
      LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 1.0}, {-1, 1, 4.0}}, {}, ModalDamping{{1e-3}});
  parts.matrices.mass = structure.mass();
  parts.matrices.stiffness = structure.stiffness();
  parts.matrices.damping = structure.damping();
  parts.matrices.directions = Eigen::MatrixXd::Identity(2, 1);
  parts.laws = {test::law("iwan4", {{"FS", 1.0}, {"KT", 0.5}, {"chi", -0.5}, {"beta", 1.0}})};
  ModelNumber spring{1.0, -1, -1, still(2, 1)};
  spring.change.stiffness.insert(0, 0) = 1.0;
  parts.numbers = {spring};
  parts.links = {{0, 0, 1.0, false}};
  parts.parameters = 1;
  return parts;
}

// The first oscillator is mode 1, with a spring of 6 beside its joint mode 2: omega^2 = spring + 0.5.
TEST(UpdateProblem, ModesArePairedByShapeWhereTheyChangePlaces) {
  const auto model = std::make_shared<const UpdateModel>(pair_of_oscillators());
  ModeTarget modes;
  modes.name = "modes";
  modes.numbers = {1};
  modes.sensors = Eigen::MatrixXd::Identity(2, 2);
  modes.shapes = Eigen::MatrixXd::Identity(2, 1);
  modes.frequency = Eigen::VectorXd::Constant(1, std::sqrt(1.5) / two_pi);
  modes.frequency_error = Eigen::VectorXd::Constant(1, 1e-3);
  modes.shape_rows = ShapeRows::mac;
  const UpdateProblem problem(model, {{"spring", 0.5, 10.0, 1.0, false, {}}}, {curve_of_mode(0, false, true)}, {modes});
  for (const double spring : {1.0, 6.0}) {
    const Eigen::VectorXd x = Eigen::VectorXd::Constant(1, spring);
    const UpdateProblem::NodeCurve curve = problem.curve_at(x, 0);
    EXPECT_EQ(curve.mode, spring < 3.5 ? 0 : 1);
    const ResidualProblem::Answer answer = problem.evaluate(x, true);
    EXPECT_NEAR(answer.values(60), std::sqrt(spring + 0.5) / two_pi, 1e-12);
    EXPECT_NEAR(answer.jacobian(60, 0), 0.5 / std::sqrt(spring + 0.5) / two_pi, 1e-12);
    EXPECT_NEAR(answer.values(61), 0.0, 1e-12);
    // At the smallest amplitude the joint is all but stuck: K_T u - F_0 is below 3 % of K_T u there.
    EXPECT_NEAR(answer.values(0), std::sqrt(spring + 0.5), 0.03 * 0.5);
  }
}

// 200 tests of known errors on known parameters. z-scores are standard normal: over 200 runs their mean lies within
// 4/sqrt(200) = 0.28, their mean square within 4 sqrt(2/200) = 0.4 of 1, but for one run of 10^4 each (four parameters:
// one of 1000 for the test; the seed is fixed).
TEST(UpdateProblem, StatedErrorsAreRight) {
  const auto model = std::make_shared<const UpdateModel>(parts_of(test::iwan_chain()));
  CurveTarget first = curve_of_mode(0, false, false), second = curve_of_mode(1, true, false);
  Eigen::VectorXd truth(4);
  truth << 1.75, std::log(1.2), -0.25, std::log(2e-3);
  const Eigen::VectorXd exact = UpdateProblem(model, parameters(), {first, second}, {}).evaluate(truth, false).values;
  for (int i = 0; i < 30; ++i) {
    first.zeta_error[i] = 0.02 * exact(30 + i);
    second.zeta_error[i] = 0.02 * exact(90 + i);
  }
  std::mt19937_64 random(20);
  std::normal_distribution<double> normal;
  constexpr int runs = 200;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(4), square = mean;
  for (int run = 0; run < runs; ++run) {
    for (int i = 0; i < 30; ++i) {
      first.omega[i] = exact(i) + first.omega_error[i] * normal(random);
      first.zeta[i] = exact(30 + i) + first.zeta_error[i] * normal(random);
      second.omega[i] = exact(60 + i) + 0.5 + second.omega_error[i] * normal(random);  // an offset that nobody knows
      second.zeta[i] = exact(90 + i) + second.zeta_error[i] * normal(random);
    }
    const UpdateProblem problem(model, parameters(), {first, second}, {});
    LeastSquaresOptions options;
    options.starts = 1;
    const LeastSquares fit = fit_least_squares(problem, options);
    ASSERT_TRUE(fit.converged) << fit.message;
    const Eigen::VectorXd z = (fit.x - truth).cwiseQuotient(fit.information.errors);
    mean += z / runs;
    square += z.cwiseAbs2() / runs;
  }
  for (Eigen::Index p = 0; p < 4; ++p) {
    EXPECT_NEAR(mean(p), 0.0, 0.28) << p;
    EXPECT_NEAR(square(p), 1.0, 0.4) << p;
  }
}

}  // namespace update_problem_test
}  // namespace microslip
