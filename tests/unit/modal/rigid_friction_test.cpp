// No method that works through the laws' forces accepts rigid friction in silence.

#include <gtest/gtest.h>

#include <functional>

#include "microslip/modal/nonlinear_mode.hpp"
#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/periodic/harmonic_balance.hpp"
#include "microslip/periodic/period_map.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "microslip/system/joint_equation.hpp"
#include "microslip/transient/averaging.hpp"
#include "microslip/transient/transient.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace rigid_friction_test {

TEST(RigidFriction, IsRefusedByEveryMethodWithoutEvents) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 4.0}}, {}, ModalDamping{{0.01}}),
                      {{"brake", Coulomb<double>(2.0, 1.0), testing::between(1, -1, 0)}});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Ones(1);
  TransientOptions transient;
  transient.duration = 1.0;
  transient.step = 0.1;
  AveragingOptions averaging;
  averaging.duration = 1.0;
  averaging.step = 0.1;
  InitialConditions moving;
  moving.v = Eigen::VectorXd::Ones(1);
  MemorySink sink;
  const Record record = record_everything(system);
  const std::pair<const char*, std::function<void()>> methods[] = {
      {"transient", [&] { static_cast<void>(simulate(system, {}, moving, record, sink, transient)); }},
      {"averaging", [&] { static_cast<void>(simulate_by_averaging(system, {}, moving, record, sink, averaging)); }},
      {"joint equation", [&] { JointEquation(system, JointEquation::Terms::all); }},
      {"harmonic balance", [&] { HarmonicBalance(system, load, 3, 64); }},
      {"frequency response",
       [&] {
         static_cast<void>(steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {1.5}}, {{0}, -1}));
       }},
      {"shooting", [&] { PeriodMap(system, load, 64); }},
      {"qsma",
       [&] {
         static_cast<void>(quasi_static_modal_analysis(system, 0, {0.1, 1.0, 5}));
       }},
      {"nonlinear mode",
       [&] {
         static_cast<void>(nonlinear_mode(system, 0, {0.1, 1.0}));
       }},
  };
  for (const auto& [name, run] : methods) {
    SCOPED_TRACE(name);
    try {
      run();
      ADD_FAILURE() << "accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("\"brake\""), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("method = \"events\""), std::string::npos) << error.what();
    }
  }
}

}  // namespace rigid_friction_test
}  // namespace microslip
