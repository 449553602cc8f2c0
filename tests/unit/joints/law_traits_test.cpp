// What laws say they are, and laws that do not say enough.
#include "microslip/joints/law_traits.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "microslip/joints/make_law.hpp"

namespace microslip {
namespace law_traits_test {

class Damper : public CustomLaw {
 public:
  explicit Damper(int states, bool closes = false) : states_(states), closes_(closes) {}
  std::string name() const override { return "damper"; }
  int components() const override { return 2; }
  int state_size() const override { return states_; }
  void evaluate(std::span<const double>, const CustomInput&, CustomTrial&) const override {}
  CustomMatrix stuck_stiffness() const override { return {}; }
  bool return_point_memory() const override { return closes_; }

 private:
  int states_;
  bool closes_;
};

struct Expected {
  Law law;
  MemoryKind memory;
  bool straight, lines, masing;
  SliderCount sliders;
  std::vector<double> corners;
};

std::vector<Expected> expectations() {
  using enum MemoryKind;
  constexpr auto no = SliderCount::none, one = SliderCount::one, many = SliderCount::many;
  const auto iwan = Iwan4Backbone<double>::from_physical(10.0, 4.0, -0.5, 1.0);
  const std::vector<double> u = {-1.0, 0.5, 1.0, 2.0}, f = {-1.0, 0.5, 2.0, 2.5};
  return {
      {Linear<double>(2.0), none, true, true, true, no, {}},
      {Polynomial<double>({2.0}), none, true, true, true, no, {}},
      {Polynomial<double>({2.0, 0.0, 0.0}), none, true, true, true, no, {}},
      {Polynomial<double>(std::vector<double>{}), none, true, true, true, no, {}},
      {Polynomial<double>({2.0, 0.0, 0.3}), none, false, false, false, no, {}},
      {Polynomial<double>({2.0, 0.1}), none, false, false, false, no, {}},
      {Gap<double>(3.0, 0.2), none, false, true, false, no, {0.2}},
      {PiecewiseLinearSpring<double>(u, f), none, false, true, false, no, {0.5, 1.0}},
      {Jenkins<double>(4.0, 1.0), reversals, false, false, true, one, {}},
      {Iwan4<double>(iwan), reversals, false, false, true, many, {}},
      {IwanSliders<double>(slider_grid(iwan, 8, 1.5)), reversals, false, false, true, many, {}},
      {iwan_uniform(2.0, 1.0, 0.1), reversals, false, false, true, many, {}},
      {masing_table<double>({0.5, 1.0}, {1.0, 1.5}), reversals, false, false, true, many, {}},
      {Iwan5<double>(iwan, 0.7), sliders, false, false, false, many, {}},
      {Iwan5Sliders<double>(slider_grid(iwan, 8, 1.5), 0.7), sliders, false, false, false, many, {}},
      {BoucWen<double>({3.0, 0.1, 1.0, 0.5, 0.5, 1.0}), fading, false, false, false, no, {}},
      {Coulomb<double>(1.0, 0.5), none, false, false, false, no, {}},
      {CustomLawHandle(std::make_shared<Damper>(0)), unknown, false, false, false, no, {}},
  };
}

// Answers written down, so that a change of them is seen.
TEST(LawTraits, AreAsWrittenDown) {
  for (const Expected& expected : expectations()) {
    const Law& law = expected.law;
    const auto index = law.index();
    EXPECT_EQ(memory_of(law), expected.memory) << index;
    EXPECT_EQ(is_straight(law), expected.straight) << index;
    EXPECT_EQ(is_made_of_lines(law), expected.lines) << index;
    EXPECT_EQ(obeys_masing_rules(law), expected.masing) << index;
    EXPECT_EQ(sliders_of(law), expected.sliders) << index;
    EXPECT_EQ(corners_of(law), expected.corners) << index;
    const bool friction = std::holds_alternative<Coulomb<double>>(law);
    const bool custom = std::holds_alternative<CustomLawHandle>(law);
    EXPECT_EQ(is_rigid_friction(law), friction) << index;
    EXPECT_EQ(is_custom(law), custom) << index;
    EXPECT_EQ(is_linear_between_events(law), friction || expected.lines) << index;
    EXPECT_EQ(remembers(law), !custom && expected.memory != MemoryKind::none) << index;
    EXPECT_EQ(memory_fades(law), expected.memory == MemoryKind::fading) << index;
    EXPECT_EQ(remembers_decay(law), expected.memory == MemoryKind::fading || expected.memory == MemoryKind::sliders)
        << index;
    EXPECT_EQ(is_spring(law), expected.memory == MemoryKind::none && !friction) << index;
    EXPECT_EQ(has_backbone(law), !friction && !custom) << index;
    EXPECT_EQ(components_of(law), custom ? 2 : 1) << index;
    EXPECT_EQ(needs_rates(law), friction || custom) << index;
    EXPECT_EQ(tells_energy(law), !custom) << index;
    EXPECT_EQ(closes_at_once(law), expected.memory == MemoryKind::none || expected.memory == MemoryKind::reversals)
        << index;
    EXPECT_EQ(tells_change_of_memory(law), expected.memory != MemoryKind::sliders) << index;
  }
}

// Of every law of the catalogue: what it says of itself goes together. That its forces are so, tests the suite of laws.
TEST(LawTraits, OfEveryLawGoTogether) {
  for (const LawInfo& info : law_catalogue()) {
    for (const LawExample& example : info.examples) {
      SCOPED_TRACE(info.name + " " + example.words);
      const Law law = make_law(example.spec);
      const MemoryKind memory = memory_of(law);
      const bool friction = is_rigid_friction(law), spring = is_spring(law);
      EXPECT_NE(memory, MemoryKind::unknown);
      EXPECT_EQ(spring, memory == MemoryKind::none && !friction);
      EXPECT_TRUE(spring || !(is_straight(law) || is_made_of_lines(law)));
      EXPECT_TRUE(!is_straight(law) || (is_made_of_lines(law) && corners_of(law).empty()));
      EXPECT_TRUE(spring || corners_of(law).empty());
      EXPECT_TRUE(!friction || (needs_rates(law) && !has_backbone(law)));
      EXPECT_EQ(is_linear_between_events(law), friction || is_made_of_lines(law));
      EXPECT_EQ(obeys_masing_rules(law), memory == MemoryKind::reversals || is_straight(law));
      EXPECT_EQ(remembers(law), memory != MemoryKind::none);
      EXPECT_EQ(closes_at_once(law), memory == MemoryKind::none || memory == MemoryKind::reversals);
      EXPECT_EQ(remembers_decay(law), !closes_at_once(law));
      EXPECT_TRUE(sliders_of(law) == SliderCount::none || memory == MemoryKind::reversals ||
                  memory == MemoryKind::sliders);
      EXPECT_TRUE(memory != MemoryKind::sliders || sliders_of(law) != SliderCount::none);
      EXPECT_TRUE(tells_energy(law));
      EXPECT_FALSE(is_custom(law));
      EXPECT_EQ(components_of(law), 1);
    }
  }
}

// What a custom law remembers fades unless it has no state, or says that it closes its loops.
TEST(LawTraits, OfCustomLaws) {
  const Law stateless = CustomLawHandle(std::make_shared<Damper>(0)),
            fading = CustomLawHandle(std::make_shared<Damper>(1)),
            closing = CustomLawHandle(std::make_shared<Damper>(1, true));
  EXPECT_FALSE(remembers(stateless) || memory_fades(stateless) || remembers_decay(stateless));
  EXPECT_TRUE(remembers(fading) && memory_fades(fading) && remembers_decay(fading));
  EXPECT_TRUE(remembers(closing));
  EXPECT_FALSE(memory_fades(closing) || remembers_decay(closing));
  EXPECT_TRUE(tells_change_of_memory(stateless));
  EXPECT_FALSE(tells_change_of_memory(fading) || tells_change_of_memory(closing));
}

// Where F0' is a power law: K - R/(chi+1) u^(chi+1), with the spring beside it.
TEST(LawTraits, PowerMicroslip) {
  const auto iwan =
      power_microslip_of(Iwan4<double>(Iwan4Backbone<double>::from_distribution(2.0, 0.5, 1.2, 0.3), 0.4));
  ASSERT_TRUE(iwan);
  EXPECT_NEAR(iwan->slope.softening, 2.0 / 1.3, 1e-15);
  EXPECT_NEAR(iwan->slope.power, 1.3, 1e-15);
  EXPECT_EQ(iwan->residual, 0.4);
  EXPECT_TRUE(power_microslip_of(iwan_uniform(2.0, 1.0, 0.1)));
  EXPECT_FALSE(power_microslip_of(Jenkins<double>(4.0, 1.0)));
  EXPECT_FALSE(power_microslip_of(Iwan5<double>(Iwan4Backbone<double>::from_distribution(2.0, 0.5, 1.2, 0.3), 0.7)));
}

// A spring that answers everything, and springs that leave out or contradict one answer: these are no laws, and do not
// get into the variant.
struct Whole {
  using Scalar = double;
  struct State {};
  struct Trial : TrialBase<double> {};
  static constexpr MemoryKind memory = MemoryKind::none;
  static constexpr SliderCount sliders = SliderCount::none;
  static constexpr bool rigid_friction = false, needs_rates = false, has_backbone = false, straight_pieces = false;
  static bool is_odd() { return true; }
  static bool is_straight() { return false; }
  static std::span<const double> corners() { return {}; }
  static int degree() { return 0; }
  static Trial evaluate(const State&, const JointInput<double>&) { return {}; }
  static void commit(State&, const Trial&) {}
  static double stuck_stiffness() { return 0.0; }
  static double slipped_stiffness() { return 0.0; }
  static double stored_energy(const State&) { return 0.0; }
  static double dissipated_energy(const State&) { return 0.0; }
};
struct WithoutMemory : Whole {
  static void memory();
};
struct WithoutCorners : Whole {
  static void corners();
};
struct WithoutOddness : Whole {
  static void is_odd();
};
struct WithoutPieces : Whole {
  static constexpr bool straight_pieces = true;
};
struct WithoutBackbone : Whole {
  static constexpr bool has_backbone = true;
};
struct WithUnknownBackbone : Whole {
  static BackbonePoint<double> backbone(double) { return {}; }
};
struct WithoutSliders : Whole {
  static constexpr SliderCount sliders = SliderCount::many;
};

// Of every other kind of memory one that answers everything, and those that leave out one thing.
struct WithSliders : Whole {
  static constexpr SliderCount sliders = SliderCount::many;
  static constexpr bool has_backbone = true;
  static BackbonePoint<double> backbone(double) { return {}; }
  static double slider_position(const State&, double) { return 0.0; }
  static double max_slider_strength() { return 0.0; }
  static double slipped_fraction(const State&) { return 0.0; }
};
struct WholeMasing : WithSliders {
  static constexpr MemoryKind memory = MemoryKind::reversals;
  struct Shape {
    static BackboneSlope<double> at(double) { return {}; }
    static double yield() { return 0.0; }
    static double initial_slope() { return 0.0; }
    static std::vector<double> corners() { return {}; }
  };
  static Shape shape() { return {}; }
  static double residual() { return 0.0; }
};
struct WithoutShape : WholeMasing {
  static void shape();
};
struct WithoutResidual : WholeMasing {
  static void residual();
};
struct WholeFading : Whole {
  static constexpr MemoryKind memory = MemoryKind::fading;
  struct State {
    double u = 0.0, z = 0.0;
  };
  struct Trial : TrialBase<double> {
    double z = 0.0, slope = 0.0, gain = 0.0;
  };
  static double z_stiffness() { return 0.0; }
  static Trial evaluate(const State&, const JointInput<double>&) { return {}; }
  static void commit(State&, const Trial&) {}
  static double stored_energy(const State&) { return 0.0; }
  static double dissipated_energy(const State&) { return 0.0; }
};
struct WithoutZ : WholeFading {
  static void z_stiffness();
};
struct WithoutGain : WholeFading {
  struct Trial : TrialBase<double> {
    double z = 0.0, slope = 0.0;
  };
  static Trial evaluate(const State&, const JointInput<double>&) { return {}; }
  static void commit(State&, const Trial&) {}
};
struct WholeSliders : WithSliders {
  static constexpr MemoryKind memory = MemoryKind::sliders;
  static constexpr bool exact_tangent = true;
  template <class>
  static WholeSliders with_scalar() {
    return {};
  }
  static double decay_reach() { return 1.0; }
  static void list_onsets(const State&, int, std::vector<SlipOnset<double>>&) {}
};
struct WithoutDuals : WholeSliders {  // with_scalar of what it is derived from makes another law
};
struct WithoutReach : WholeSliders {
  template <class>
  static WithoutReach with_scalar() {
    return {};
  }
  static void decay_reach();
};
struct WithoutOnsets : WholeSliders {
  template <class>
  static WithoutOnsets with_scalar() {
    return {};
  }
  static void list_onsets();
};
struct WholeFriction : Whole {
  static constexpr bool rigid_friction = true;
  static double static_level() { return 1.0; }
  static double kinetic_level() { return 1.0; }
};
struct WithoutLevels : WholeFriction {
  static void kinetic_level();
};
struct Unknown : Whole {
  static constexpr MemoryKind memory = MemoryKind::unknown;
};

TEST(LawTraits, AnswersAreAsked) {
  static_assert(JointLaw<Whole> && JointLaw<WholeMasing> && JointLaw<WholeFading> && JointLaw<WholeSliders>);
  static_assert(JointLaw<WholeFriction>);
  static_assert(!JointLaw<WithoutMemory> && !JointLaw<WithoutCorners> && !JointLaw<WithoutOddness>);
  static_assert(!JointLaw<WithoutPieces> && !JointLaw<WithoutBackbone> && !JointLaw<WithUnknownBackbone>);
  static_assert(!JointLaw<WithoutSliders> && !JointLaw<WithoutShape> && !JointLaw<WithoutResidual>);
  static_assert(!JointLaw<WithoutZ> && !JointLaw<WithoutGain> && !JointLaw<WithoutDuals> && !JointLaw<WithoutReach>);
  static_assert(!JointLaw<WithoutOnsets>);
  static_assert(!JointLaw<WithoutLevels> && !JointLaw<Unknown>);
  static_assert(StraightLaw<Linear<double>> && !StraightLaw<Polynomial<double>> && !StraightLaw<Gap<double>>);
}

}  // namespace law_traits_test
}  // namespace microslip
