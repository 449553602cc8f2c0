#pragma once
// What sums up a motion that was integrated step by step: counts and energy. For every kind that runs one.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "microslip/system/system.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

/// The energy ledger at the end, with the names of the joints.
struct EnergyFacts {
  EnergyLedger ledger;
  std::vector<std::string> joints;  ///< names, in the order of ledger.joints

  [[nodiscard]] nlohmann::ordered_json to_json() const;
};

/// What to say where the ledger does not close to 0.1 %; empty where it does. `in_steps`: the motion hangs on a step.
[[nodiscard]] std::string energy_doubt(const EnergyLedger& ledger, bool in_steps);

[[nodiscard]] EnergyFacts energy_facts(const EnergyLedger& ledger, const System& system);

struct MotionFacts {
  long steps = 0;
  long newton_iterations = 0;
  long halved_steps = 0;
  double time = 0.0;  ///< reached
  EnergyFacts energy;

  /// steps, newton_iterations, halved_steps, time, energy.
  void add_to(nlohmann::ordered_json& json) const;
  /// "500 steps, 520 Newton iterations, energy error 2.86e-05".
  [[nodiscard]] std::string in_a_line() const;
};

[[nodiscard]] MotionFacts motion_facts(const TransientResult& result, const System& system);

}  // namespace microslip
