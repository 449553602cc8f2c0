#include "microslip/analyses/motion/motion_facts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/words.hpp"

namespace microslip {

nlohmann::ordered_json EnergyFacts::to_json() const {
  nlohmann::ordered_json by_joint = nlohmann::ordered_json::object();
  for (std::size_t j = 0; j < ledger.joints.size(); ++j) by_joint[joints[j]] = ledger.joints[j];
  nlohmann::ordered_json json;
  json["initial"] = ledger.initial;
  json["input"] = ledger.input;
  json["stored"] = ledger.stored;
  json["damping"] = ledger.damping;
  json["joints"] = std::move(by_joint);
  json["error"] = ledger.error;
  return json;
}

std::string energy_doubt(const EnergyLedger& ledger, bool in_steps) {
  constexpr double large_error = 1e-3;
  if (ledger.error <= large_error) return "";
  const std::string size = std::isfinite(ledger.error) ? words::percent(ledger.error) + " off" : "not finite";
  return fmt::format("the energy balance is {}{}", size, in_steps ? ": take a smaller step" : "");
}

EnergyFacts energy_facts(const EnergyLedger& ledger, const System& system) {
  EnergyFacts facts{ledger, {}};
  for (const Joint& joint : system.joints()) facts.joints.push_back(joint.name);
  return facts;
}

void MotionFacts::add_to(nlohmann::ordered_json& json) const {
  json["steps"] = steps;
  json["newton_iterations"] = newton_iterations;
  json["halved_steps"] = halved_steps;
  json["time"] = time;
  json["energy"] = energy.to_json();
}

std::string MotionFacts::in_a_line() const {
  return fmt::format("{} steps, {} Newton iterations, energy error {:.2e}", steps, newton_iterations,
                     energy.ledger.error);
}

MotionFacts motion_facts(const TransientResult& result, const System& system) {
  return {result.steps, result.newton_iterations, result.halved_steps, result.time,
          energy_facts(result.energy, system)};
}

}  // namespace microslip
