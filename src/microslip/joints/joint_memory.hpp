#pragma once
// The memory of all joints of a system, a value: copy it to branch, roll back or checkpoint.
//
// `evaluate` fills one trial a joint and leaves the committed states alone; `commit` accepts the last trials. The
// laws are referred to, not copied: they must outlive the memory.

#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "microslip/joints/any_law.hpp"

namespace microslip {

/// Forces and tangents of all joint components. A joint with d components has a d x d block, row by row.
struct JointResponse {
  std::vector<double> force;      ///< one a component
  std::vector<double> stiffness;  ///< blocks dF/du
  std::vector<double> damping;    ///< blocks dF/dv
};

class JointMemory {
 public:
  JointMemory() = default;

  /// Joints that have never moved.
  explicit JointMemory(std::span<const Law* const> laws, std::span<const double> normals = {});

  [[nodiscard]] int joints() const { return static_cast<int>(slots_.size()); }
  [[nodiscard]] int components(int joint) const { return components_[joint]; }
  [[nodiscard]] JointResponse make_response() const;

  /// Trials at deflections u and rates v (one a component) at time t.
  void evaluate(const double* u, const double* v, double t, JointResponse& response);
  /// Accepts the last trials. Throws std::domain_error when a force is not finite: no NaN travels on.
  void commit();

  /// Since the joint was new; zero for custom laws that do not say.
  [[nodiscard]] double stored_energy(int joint) const;
  [[nodiscard]] double dissipated_energy(int joint) const;

  /// `visitor(law, state)` with the types of the joint's law.
  template <class Visitor>
  decltype(auto) visit(int joint, Visitor&& visitor) const {
    return std::visit([&](const auto& slot) -> decltype(auto) { return visitor(*slot.law, slot.state); },
                      slots_[joint]);
  }

  /// `visitor(law, state)` with the committed state open to change; for loops that work on one joint without the detour
  /// through JointResponse.
  template <class Visitor>
  decltype(auto) visit_open(int joint, Visitor&& visitor) {
    return std::visit([&](auto& slot) -> decltype(auto) { return visitor(*slot.law, slot.state); }, slots_[joint]);
  }

 private:
  template <class L>
  struct Slot {
    const L* law;
    typename L::State state;
    typename L::Trial trial;
    double normal = 0.0;
  };
  template <class>
  struct SlotsOf;
  template <class... Ls>
  struct SlotsOf<std::variant<Ls...>> {
    using type = std::variant<Slot<Ls>...>;
  };
  using AnySlot = typename SlotsOf<Law>::type;

  std::vector<AnySlot> slots_;
  std::vector<int> components_;
  int total_components_ = 0;
  int block_size_ = 0;
};

}  // namespace microslip
