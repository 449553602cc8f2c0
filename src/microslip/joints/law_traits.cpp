#include "microslip/joints/law_traits.hpp"

namespace microslip {

MemoryKind memory_of(const Law& law) {
  return std::visit([]<class L>(const L&) { return L::memory; }, law);
}

bool is_spring(const Law& law) {
  return std::visit([]<class L>(const L&) { return SpringLaw<L>; }, law);
}

bool is_straight(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (SpringLaw<L>) return l.is_straight();
        return false;
      },
      law);
}

bool is_made_of_lines(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (SpringLaw<L>) return L::straight_pieces || l.is_straight();
        return false;
      },
      law);
}

std::vector<double> corners_of(const Law& law) {
  return std::visit(
      []<class L>(const L& l) -> std::vector<double> {
        if constexpr (SpringLaw<L>) return {l.corners().begin(), l.corners().end()};
        return {};
      },
      law);
}

bool is_odd(const Law& law) {
  return std::visit([](const auto& l) { return l.is_odd(); }, law);
}

bool obeys_masing_rules(const Law& law) {
  return memory_of(law) == MemoryKind::reversals || is_straight(law);
}

bool closes_at_once(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (JointLaw<L>) {
          return closes_at_once(L::memory);
        } else {
          return l.return_point_memory();
        }
      },
      law);
}

bool tells_change_of_memory(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (JointLaw<L>) {
          return L::memory != MemoryKind::sliders;
        } else {
          return !l.remembers();
        }
      },
      law);
}

bool has_backbone(const Law& law) {
  return std::visit([]<class L>(const L&) { return L::has_backbone; }, law);
}

SliderCount sliders_of(const Law& law) {
  return std::visit([]<class L>(const L&) { return L::sliders; }, law);
}

bool is_rigid_friction(const Law& law) {
  return std::visit([]<class L>(const L&) { return L::rigid_friction; }, law);
}

int components_of(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (JointLaw<L>) {
          return 1;
        } else {
          return l.components();
        }
      },
      law);
}

bool needs_rates(const Law& law) {
  return std::visit([]<class L>(const L&) { return L::needs_rates; }, law);
}

bool tells_energy(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (JointLaw<L>) {
          return true;
        } else {
          return l.has_energies();
        }
      },
      law);
}

}  // namespace microslip
