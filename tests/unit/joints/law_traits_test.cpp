// What laws say they are, and laws that do not say enough.
#include "microslip/joints/law_traits.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "microslip/joints/make_law.hpp"

namespace microslip {
namespace {

class Damper : public CustomLaw {
 public:
  explicit Damper(int states) : states_(states) {}
  std::string name() const override { return "damper"; }
  int components() const override { return 2; }
  int state_size() const override { return states_; }
  void evaluate(std::span<const double>, const CustomInput&, CustomTrial&) const override {}
  CustomMatrix stuck_stiffness() const override { return {}; }

 private:
  int states_;
};

struct Expected {
  Law law;
  MemoryKind memory;
  bool straight, lines, odd, masing;
  SliderCount sliders;
  std::vector<double> corners;
};

std::vector<Expected> expectations() {
  using enum MemoryKind;
  constexpr auto no = SliderCount::none, one = SliderCount::one, many = SliderCount::many;
  const auto iwan = Iwan4Backbone<double>::from_physical(10.0, 4.0, -0.5, 1.0);
  const std::vector<double> u = {-1.0, 0.5, 1.0, 2.0}, f = {-1.0, 0.5, 2.0, 2.5};
  return {
      {Linear<double>(2.0), none, true, true, true, true, no, {}},
      {Polynomial<double>({2.0}), none, true, true, true, true, no, {}},
      {Polynomial<double>({2.0, 0.0, 0.0}), none, true, true, true, true, no, {}},
      {Polynomial<double>(std::vector<double>{}), none, true, true, true, true, no, {}},
      {Polynomial<double>({2.0, 0.0, 0.3}), none, false, false, true, false, no, {}},
      {Polynomial<double>({2.0, 0.1}), none, false, false, false, false, no, {}},
      {Gap<double>(3.0, 0.2), none, false, true, false, false, no, {0.2}},
      {PiecewiseLinearSpring<double>(u, f), none, false, true, false, false, no, {0.5, 1.0}},
      {Jenkins<double>(4.0, 1.0), reversals, false, false, true, true, one, {}},
      {Iwan4<double>(iwan), reversals, false, false, true, true, many, {}},
      {IwanSliders<double>(slider_grid(iwan, 8, 1.5)), reversals, false, false, true, true, many, {}},
      {iwan_uniform(2.0, 1.0, 0.1), reversals, false, false, true, true, many, {}},
      {masing_table<double>({0.5, 1.0}, {1.0, 1.5}), reversals, false, false, true, true, many, {}},
      {Iwan5<double>(iwan, 0.7), sliders, false, false, true, false, many, {}},
      {Iwan5Sliders<double>(slider_grid(iwan, 8, 1.5), 0.7), sliders, false, false, true, false, many, {}},
      {BoucWen<double>({3.0, 0.1, 1.0, 0.5, 0.5, 1.0}), fading, false, false, true, false, no, {}},
      {Coulomb<double>(1.0, 0.5), none, false, false, true, false, no, {}},
      {CustomLawHandle(std::make_shared<Damper>(0)), unknown, false, false, false, false, no, {}},
  };
}

TEST(LawTraits, OfEveryLaw) {
  for (const Expected& expected : expectations()) {
    const Law& law = expected.law;
    const auto index = law.index();
    EXPECT_EQ(memory_of(law), expected.memory) << index;
    EXPECT_EQ(is_straight(law), expected.straight) << index;
    EXPECT_EQ(is_made_of_lines(law), expected.lines) << index;
    EXPECT_EQ(is_odd(law), expected.odd) << index;
    EXPECT_EQ(obeys_masing_rules(law), expected.masing) << index;
    EXPECT_EQ(sliders_of(law), expected.sliders) << index;
    EXPECT_EQ(corners_of(law), expected.corners) << index;
    const bool friction = std::holds_alternative<Coulomb<double>>(law);
    const bool custom = std::holds_alternative<CustomLawHandle>(law);
    EXPECT_EQ(is_rigid_friction(law), friction) << index;
    EXPECT_EQ(is_spring(law), expected.memory == MemoryKind::none && !friction) << index;
    EXPECT_EQ(has_backbone(law), !friction && !custom) << index;
    EXPECT_EQ(components_of(law), custom ? 2 : 1) << index;
    EXPECT_EQ(needs_rates(law), friction || custom) << index;
    EXPECT_EQ(tells_energy(law), !custom) << index;
    EXPECT_EQ(closes_at_once(law), expected.memory == MemoryKind::none || expected.memory == MemoryKind::reversals)
        << index;
    EXPECT_EQ(tells_change_of_memory(law), expected.memory != MemoryKind::sliders) << index;
  }
  EXPECT_FALSE(tells_change_of_memory(CustomLawHandle(std::make_shared<Damper>(1))));
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
struct WithoutShape : Whole {
  static constexpr MemoryKind memory = MemoryKind::reversals;
};
struct WithoutZ : Whole {
  static constexpr MemoryKind memory = MemoryKind::fading;
};
struct WithoutDuals : Whole {
  static constexpr MemoryKind memory = MemoryKind::sliders;
};
struct WithoutLevels : Whole {
  static constexpr bool rigid_friction = true;
};
struct Unknown : Whole {
  static constexpr MemoryKind memory = MemoryKind::unknown;
};

TEST(LawTraits, AnswersAreAsked) {
  static_assert(JointLaw<Whole>);
  static_assert(!JointLaw<WithoutMemory> && !JointLaw<WithoutCorners> && !JointLaw<WithoutOddness>);
  static_assert(!JointLaw<WithoutPieces> && !JointLaw<WithoutBackbone> && !JointLaw<WithUnknownBackbone>);
  static_assert(!JointLaw<WithoutSliders> && !JointLaw<WithoutShape> && !JointLaw<WithoutZ>);
  static_assert(!JointLaw<WithoutDuals> && !JointLaw<WithoutLevels> && !JointLaw<Unknown>);
  static_assert(StraightLaw<Linear<double>> && !StraightLaw<Polynomial<double>> && !StraightLaw<Gap<double>>);
}

}  // namespace
}  // namespace microslip
