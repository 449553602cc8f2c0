// A ledger that does not close is told once, with what would help.

#include <gtest/gtest.h>

#include <limits>

#include "microslip/analyses/motion/motion_facts.hpp"

namespace microslip {
namespace energy_doubt_test {

EnergyLedger off_by(double error) {
  EnergyLedger ledger;
  ledger.error = error;
  return ledger;
}

TEST(EnergyDoubt, IsToldFromATenthOfAPerCentOn) {
  EXPECT_EQ(energy_doubt(off_by(0.0), true), "");
  EXPECT_EQ(energy_doubt(off_by(0.99e-3), true), "");
  EXPECT_EQ(energy_doubt(off_by(0.02), true), "the energy balance is 2 % off: take a smaller step");
}

TEST(EnergyDoubt, HasNoAdviceWhereTheStepDoesNotMatter) {
  EXPECT_EQ(energy_doubt(off_by(0.02), false), "the energy balance is 2 % off");
}

TEST(EnergyDoubt, IsToldOfWhatIsNotFinite) {
  for (const double error : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(energy_doubt(off_by(error), true), "the energy balance is not finite: take a smaller step");
  }
}

}  // namespace energy_doubt_test
}  // namespace microslip
