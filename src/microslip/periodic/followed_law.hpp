#pragma once
// Laws that shooting takes: the derivatives of their memory are known. Internal to shooting.

#include "microslip/joints/any_law.hpp"

namespace microslip {

template <class L>
consteval bool is_followed() {
  switch (L::memory) {
    case MemoryKind::none:
    case MemoryKind::reversals:
    case MemoryKind::fading:
      return true;
    case MemoryKind::sliders:
      if constexpr (SliderLaw<L>) return L::exact_tangent;
      return false;
    case MemoryKind::unknown:
      return false;
  }
  return false;
}

template <class L>
concept FollowedLaw = is_followed<L>();

}  // namespace microslip
