#include "microslip/joints/joint_memory.hpp"

#include <cmath>

#include "microslip/joints/law_traits.hpp"

namespace microslip {

namespace {

template <class L>
typename L::State initial_state([[maybe_unused]] const L& law) {
  if constexpr (!UsersLaw<L>) {
    return {};
  } else {
    return law.initial_state();
  }
}

}  // namespace

JointMemory::JointMemory(std::span<const Law* const> laws, std::span<const double> normals) {
  slots_.reserve(laws.size());
  for (std::size_t j = 0; j < laws.size(); ++j) {
    const double normal = j < normals.size() ? normals[j] : 0.0;
    std::visit(
        [&]<class L>(const L& law) {
          const int count = components_of(*laws[j]);
          components_.push_back(count);
          total_components_ += count;
          block_size_ += count * count;
          slots_.emplace_back(Slot<L>{&law, initial_state(law), {}, normal});
        },
        *laws[j]);
  }
}

JointResponse JointMemory::make_response() const {
  return {std::vector<double>(total_components_), std::vector<double>(block_size_), std::vector<double>(block_size_)};
}

void JointMemory::evaluate(const double* u, const double* v, double t, JointResponse& response) {
  double* force = response.force.data();
  double* stiffness = response.stiffness.data();
  double* damping = response.damping.data();
  for (AnySlot& any : slots_) {
    std::visit(
        [&]<class L>(Slot<L>& slot) {
          if constexpr (!UsersLaw<L>) {
            slot.trial = slot.law->evaluate(slot.state, JointInput<double>{*u++, *v++, t, slot.normal});
            *force++ = slot.trial.force;
            *stiffness++ = slot.trial.stiffness;
            *damping++ = slot.trial.damping;
          } else {
            const int d = slot.law->components();
            CustomInput input;
            for (int i = 0; i < d; ++i) input.u[i] = u[i], input.v[i] = v[i];
            input.t = t;
            input.normal = slot.normal;
            slot.law->evaluate_into(slot.state, input, slot.trial);
            for (int i = 0; i < d; ++i) {
              force[i] = slot.trial.force[i];
              for (int k = 0; k < d; ++k) {
                stiffness[i * d + k] = slot.trial.stiffness[i][k];
                damping[i * d + k] = slot.trial.damping[i][k];
              }
            }
            u += d, v += d, force += d, stiffness += d * d, damping += d * d;
          }
        },
        any);
  }
}

void JointMemory::commit() {
  for (AnySlot& any : slots_) {
    std::visit(
        []<class L>(Slot<L>& slot) {
          bool finite = true;
          if constexpr (!UsersLaw<L>) {
            finite = std::isfinite(slot.trial.force);
          } else {
            for (int i = 0; i < slot.law->components(); ++i) finite = finite && std::isfinite(slot.trial.force[i]);
          }
          if (!finite) throw std::domain_error("a joint force is not finite");
          slot.law->commit(slot.state, slot.trial);
        },
        any);
  }
}

double JointMemory::stored_energy(int joint) const {
  return visit(joint, [](const auto& law, const auto& state) -> double { return law.stored_energy(state); });
}

double JointMemory::dissipated_energy(int joint) const {
  return visit(joint, [](const auto& law, const auto& state) -> double { return law.dissipated_energy(state); });
}

}  // namespace microslip
