#include "microslip/joints/law_traits.hpp"

#include <algorithm>
#include <cmath>

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

bool obeys_masing_rules(const Law& law) {
  return memory_of(law) == MemoryKind::reversals || is_straight(law);
}

bool is_custom(const Law& law) {
  return std::visit([]<class L>(const L&) { return UsersLaw<L>; }, law);
}

bool remembers(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (UsersLaw<L>) {
          return l.remembers();
        } else {
          return L::memory != MemoryKind::none;
        }
      },
      law);
}

bool closes_at_once(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (UsersLaw<L>) {
          return l.return_point_memory();
        } else {
          return closes_at_once(L::memory);
        }
      },
      law);
}

bool memory_fades(const Law& law) {
  switch (memory_of(law)) {
    case MemoryKind::none:
    case MemoryKind::reversals:
    case MemoryKind::sliders:
      return false;
    case MemoryKind::fading:
      return true;
    case MemoryKind::unknown:
      return remembers(law) && !closes_at_once(law);
  }
  return false;
}

bool remembers_decay(const Law& law) {
  return remembers(law) && !closes_at_once(law);
}

bool tells_change_of_memory(const Law& law) {
  switch (memory_of(law)) {
    case MemoryKind::none:
    case MemoryKind::reversals:
    case MemoryKind::fading:
      return true;
    case MemoryKind::sliders:
      return false;
    case MemoryKind::unknown:
      return !remembers(law);
  }
  return false;
}

bool has_backbone(const Law& law) {
  return std::visit([]<class L>(const L&) { return L::has_backbone; }, law);
}

std::optional<PowerMicroslip> power_microslip_of(const Law& law) {
  return std::visit(
      []<class L>(const L& l) -> std::optional<PowerMicroslip> {
        if constexpr (requires { l.shape().power_slope(); }) {
          return PowerMicroslip{l.shape().power_slope(), l.residual()};
        }
        return std::nullopt;
      },
      law);
}

SliderCount sliders_of(const Law& law) {
  return std::visit([]<class L>(const L&) { return L::sliders; }, law);
}

std::vector<double> slider_strengths(const Law& law, int count) {
  constexpr double weakest = 1e-3;
  std::vector<double> strengths;
  std::visit(
      [&]<class L>(const L& l) {
        if constexpr (L::sliders != SliderCount::none) {
          const int sliders = L::sliders == SliderCount::one ? std::min(count, 1) : count;
          for (int i = 0; i < sliders; ++i) {
            const double share = sliders > 1 ? static_cast<double>(i) / (sliders - 1) : 1.0;
            strengths.push_back(l.max_slider_strength() * std::pow(weakest, 1.0 - share));
          }
        }
      },
      law);
  return strengths;
}

bool is_rigid_friction(const Law& law) {
  return std::visit([]<class L>(const L&) { return L::rigid_friction; }, law);
}

bool is_linear_between_events(const Law& law) {
  return is_rigid_friction(law) || is_made_of_lines(law);
}

int components_of(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (UsersLaw<L>) {
          return l.components();
        } else {
          return 1;
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
        if constexpr (UsersLaw<L>) {
          return l.has_energies();
        } else {
          return true;
        }
      },
      law);
}

}  // namespace microslip
