#pragma once
// Laws that shooting takes: the derivatives of their memory are known. Internal to shooting.

#include "microslip/joints/any_law.hpp"

namespace microslip {

template <class L>
concept FollowedLaw = L::memory == MemoryKind::none || L::memory == MemoryKind::reversals ||
                      L::memory == MemoryKind::fading || (SliderLaw<L> && requires { requires L::exact_tangent; });

}  // namespace microslip
