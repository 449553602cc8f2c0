#pragma once
// Five masses in a chain with three joints, for tests of updating.

#include <string>
#include <utility>
#include <vector>

#include "microslip/joints/make_law.hpp"
#include "microslip/system/system.hpp"
#include "microslip/updating/modal_curve.hpp"

namespace microslip::test {

using Numbers = std::vector<std::pair<std::string, double>>;

inline LawSpec law(std::string name, Numbers numbers) {
  LawSpec spec;
  spec.law = std::move(name);
  spec.numbers = std::move(numbers);
  return spec;
}

/// Five masses in a chain, the first on the ground; three joints beside the springs.
struct Chain {
  std::vector<double> masses = {1.0, 1.4, 0.8, 1.1, 0.9};
  std::vector<double> springs = {2.0, 1.5, 1.7, 1.2, 1.9};
  std::vector<LawSpec> laws;
  Damping damping = ModalDamping{{1e-3}};
  double damper = 0.0;  ///< between the first and the fourth mass

  [[nodiscard]] ModelMatrices matrices() const {
    std::vector<LumpedLink> links;
    for (int i = 0; i < 5; ++i) links.push_back({i - 1, i, springs[static_cast<std::size_t>(i)]});
    const LinearStructure structure = LinearStructure::lumped(masses, {}, links, {{0, 3, damper}}, damping);
    ModelMatrices result;
    result.mass = structure.mass();
    result.stiffness = structure.stiffness();
    result.damping = structure.damping();
    result.dampers = structure.dampers();
    result.directions = directions();
    result.stuck.resize(3);
    for (int j = 0; j < 3; ++j) result.stuck(j) = curves()[static_cast<std::size_t>(j)].stuck_stiffness();
    return result;
  }
  [[nodiscard]] static Eigen::MatrixXd directions() {
    Eigen::MatrixXd b = Eigen::MatrixXd::Zero(5, 3);
    b(0, 0) = -1.0, b(1, 0) = 1.0;
    b(0, 1) = -1.0, b(2, 1) = 1.0;
    b(4, 2) = 1.0;
    return b;
  }
  [[nodiscard]] std::vector<VirginCurve<double>> curves() const {
    std::vector<VirginCurve<double>> result;
    for (const LawSpec& spec : laws) {
      std::vector<double> numbers;
      for (const auto& [key, value] : spec.numbers) numbers.push_back(value);
      result.emplace_back(spec, numbers);
    }
    return result;
  }
  [[nodiscard]] std::vector<VirginCurve<LawNumber>> numbers() const {
    std::vector<VirginCurve<LawNumber>> result;
    for (const LawSpec& spec : laws) result.emplace_back(spec, law_numbers(spec));
    return result;
  }
  [[nodiscard]] System system() const {
    std::vector<LumpedLink> links;
    for (int i = 0; i < 5; ++i) links.push_back({i - 1, i, springs[static_cast<std::size_t>(i)]});
    std::vector<Joint> joints;
    for (std::size_t j = 0; j < laws.size(); ++j) {
      joints.push_back(
          {"j" + std::to_string(j + 1), make_law(laws[j]), directions().col(static_cast<Eigen::Index>(j))});
    }
    return System(LinearStructure::lumped(masses, {}, links, {{0, 3, damper}}, damping), std::move(joints));
  }
};

inline Chain iwan_chain() {
  Chain chain;
  chain.laws = {law("iwan4", {{"FS", 1.0}, {"KT", 1.3}, {"chi", -0.4}, {"beta", 2.0}}),
                law("iwan4", {{"KT", 0.9}, {"chi", -0.2}, {"phi_max", 1.5}, {"share", 0.6}}),
                law("iwan6", {{"R", 0.7}, {"S", 0.2}, {"phi_max", 0.8}, {"chi", 0.1}, {"Kinf", 0.3}})};
  return chain;
}

}  // namespace microslip::test
