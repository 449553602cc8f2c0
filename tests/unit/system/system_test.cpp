#include "microslip/system/system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/system/static_solution.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace system_test {

using testing::between;
using testing::iwan_joint;

TEST(System, RayleighDampingCountsTheStiffnessWithoutJoints) {
  const System system = testing::three_masses(RayleighDamping{0.02, 0.01});
  const Eigen::MatrixXd c = 0.02 * system.structure().mass() + 0.01 * system.structure().stiffness();
  const Modes& modes = system.stuck_modes();
  const Eigen::VectorXd expected = (modes.shapes.transpose() * c * modes.shapes).diagonal();
  const Eigen::VectorXd ratios = system.damping_ratios();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(ratios(i), expected(i) / (2.0 * modes.omega(i)), 1e-14);
}

TEST(System, DiscreteDampersAddToTheRatios) {
  const System system = testing::three_masses(ModalDamping{{0.01}}, {{-1, 0, 0.3}, {0, 2, 0.2}});
  const Modes& modes = system.stuck_modes();
  for (int i = 0; i < 3; ++i) {
    const double first = modes.shapes(0, i);
    const double across = modes.shapes(2, i) - modes.shapes(0, i);
    EXPECT_NEAR(system.damping_ratios()(i),
                0.01 + (0.3 * first * first + 0.2 * across * across) / (2.0 * modes.omega(i)), 1e-14);
  }
}

TEST(System, RigidFrictionIsNoLawOfTheMotion) {
  const LinearStructure structure = LinearStructure::lumped({1.0}, {}, {{-1, 0, 4.0}}, {}, ModalDamping{});
  const System system(structure, {{"brake", Coulomb<double>(2.0, 1.0), between(1, -1, 0)}});
  EXPECT_EQ(system.joints()[0].normal.static_value(), 1.0);  // the levels are forces
  EXPECT_DOUBLE_EQ(system.stuck_modes().omega(0), 2.0);      // no spring
  EXPECT_DOUBLE_EQ(system.slipped_modes().omega(0), 2.0);
  try {
    static_cast<void>(system.initial_memory());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "joint \"brake\": rigid friction (coulomb) needs method = \"events\" (transient) or "
                 "\"piecewise_linear\" (frf)");
  }
  EXPECT_THROW(static_cast<void>(static_solution(system, Eigen::VectorXd::Ones(1))), std::invalid_argument);

  const System pressed(structure, {{"j", Linear<double>(1.0), between(1, -1, 0)}});
  EXPECT_EQ(pressed.joints()[0].normal.static_value(), 0.0);
  EXPECT_NO_THROW(refuse_rigid_friction(pressed));
  EXPECT_THROW(System(structure, {{"j", Coulomb<double>(2.0, 1.0), between(1, -1, 0), Signal(Sine{1.0, 2.0, 0.0})}}),
               std::invalid_argument);  // a negative normal load
}

TEST(System, ConstrainedRigidModesAreLeftOut) {
  for (const bool constrain : {false, true}) {
    const System system(LinearStructure::lumped({1.0, 1.0, 1.0}, {}, {{0, 1, 4.0}}, {}, ModalDamping{{0.0}}, constrain),
                        {iwan_joint("j", 3, 1, 2, 1.0, 2.0, -0.5, 1.0)});
    EXPECT_EQ(system.stuck_modes().omega.size(), constrain ? 2 : 3);
    EXPECT_EQ(system.stuck_modes().rigid, constrain ? 0 : 1);
    // Macroslip frees the third mass: a second mode at zero, which is not a rigid motion of the stuck structure.
    const Modes slipped = system.slipped_modes();
    EXPECT_EQ(slipped.omega.size(), constrain ? 2 : 3);
    EXPECT_EQ(slipped.rigid, constrain ? 1 : 2);
    EXPECT_NEAR(slipped.omega(slipped.omega.size() - 1), std::sqrt(8.0), 1e-12);  // two masses on a spring, 2 k/m
  }
}

TEST(System, OtherLawsKeepTheModes) {
  const System system = testing::three_masses();
  const auto with = [](double slip_force, double stiffness, int from, const char* name = "lap") {
    return std::vector<Joint>{iwan_joint(name, 3, from, 2, slip_force, stiffness, -0.5, 5.0)};
  };
  const auto weaker = system.with_laws(with(3.0, 1.0, 1));
  ASSERT_TRUE(weaker);
  const System again(system.structure(), with(3.0, 1.0, 1));
  EXPECT_EQ(weaker->stuck_modes().omega, again.stuck_modes().omega);
  EXPECT_EQ(weaker->stuck_modes().shapes, again.stuck_modes().shapes);
  EXPECT_EQ(weaker->slipped_joint_stiffness(), again.slipped_joint_stiffness());
  EXPECT_EQ(weaker->modal_damping(), again.modal_damping());
  EXPECT_FALSE(system.with_laws(with(10.0, 2.0, 1)));           // stiffness at rest
  EXPECT_FALSE(system.with_laws(with(10.0, 1.0, 0)));           // direction
  EXPECT_FALSE(system.with_laws(with(10.0, 1.0, 1, "other")));  // name
  EXPECT_FALSE(system.with_laws({}));
}

TEST(System, RefusesWhatDoesNotFit) {
  const auto structure = LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.1, 0.1, 0.1}});
  EXPECT_THROW(System(structure, {}), std::invalid_argument);  // three ratios, two modes
  const auto good = LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{});
  EXPECT_THROW(System(good, {iwan_joint("j", 3, 0, 1, 1.0, 1.0, -0.5, 1.0)}), std::invalid_argument);
  EXPECT_THROW(System(good, {{"soft", Linear<double>(-10.0), between(2, 0, 1)}}), std::invalid_argument);
}

/// Not a number beyond a deflection of 1.
class Broken : public CustomLaw {
 public:
  [[nodiscard]] std::string name() const override { return "broken"; }
  [[nodiscard]] int components() const override { return 1; }
  void evaluate(std::span<const double>, const CustomInput& in, CustomTrial& trial) const override {
    trial.force[0] = in.u[0] > 1.0 ? std::nan("") : 0.0;
  }
  [[nodiscard]] CustomMatrix stuck_stiffness() const override { return {}; }
};

TEST(JointEquation, ANanIsNeverASolution) {
  // The joint that breaks stands before one that converges.
  const System system(LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 10.0}, {-1, 1, 10.0}}, {}, ModalDamping{}),
                      {{"broken", CustomLawHandle(std::make_shared<Broken>()), between(2, -1, 0)},
                       iwan_joint("j", 2, -1, 1, 1.0, 2.0, -0.5, 1.0)});
  const StaticSolution solution = static_solution(system, Eigen::Vector2d(20.0, 0.1));
  EXPECT_NE(solution.ending, Ending::completed);
  EXPECT_NEAR(solution.q(0), 1.0, 1e-4);  // as far as it goes
  EXPECT_NE(solution.message.find("\"broken\""), std::string::npos) << solution.message;
}

// k u + F0(u) = p on the virgin curve; then the joint remembers.
TEST(StaticSolution, FollowsTheBackbone) {
  const System system = testing::shetty_oscillator();
  const auto backbone = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0);
  const double u = 0.8 * backbone.phi_max();
  const double p = 3.55e4 * u + backbone.at(u).force;
  const StaticSolution solution = static_solution(system, Eigen::VectorXd::Constant(1, p));
  EXPECT_EQ(solution.ending, Ending::completed);
  EXPECT_NEAR(solution.q(0), u, 1e-12 * u);
  EXPECT_NEAR(solution.forces(0), backbone.at(u).force, 1e-10);
  EXPECT_NEAR(solution.memory.dissipated_energy(0), 0.25 * backbone.dissipation(u), 1e-9 * backbone.dissipation(u));
}

TEST(StaticSolution, ReportsTheLimitLoad) {
  // Only an Iwan joint of strength 10 holds the mass.
  const System system(LinearStructure::lumped({1.0}, {}, {}, {}, ModalDamping{}),
                      {iwan_joint("j", 1, -1, 0, 10.0, 100.0, -0.5, 1.0)});
  const StaticSolution solution = static_solution(system, Eigen::VectorXd::Constant(1, 12.0));
  EXPECT_EQ(solution.ending, Ending::limit_load);
  EXPECT_NEAR(solution.load_fraction, 10.0 / 12.0, 1e-3);
  EXPECT_NE(solution.message.find("\"j\""), std::string::npos);
}

TEST(StaticSolution, InertiaReliefOfAFreeBody) {
  // Two equal free masses and a spring k, force p on one: both accelerate with p/2m, the spring carries p/2.
  const System system(LinearStructure::lumped({2.0, 2.0}, {}, {{0, 1, 50.0}}, {}, ModalDamping{}), {});
  const StaticSolution solution = static_solution(system, Eigen::Vector2d(0.0, 3.0));
  EXPECT_NEAR(solution.q(1) - solution.q(0), 1.5 / 50.0, 1e-15);
  EXPECT_NEAR(solution.q.sum(), 0.0, 1e-15);
}

}  // namespace system_test
}  // namespace microslip
