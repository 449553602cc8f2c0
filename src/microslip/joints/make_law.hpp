#pragma once
// From a law as the user wrote it to the law.

#include "microslip/joints/any_law.hpp"
#include "microslip/joints/catalogue.hpp"

namespace microslip {

/// Throws LawError, which names the offending key, for anything out of bounds.
[[nodiscard]] Law make_law(const LawSpec& spec);

}  // namespace microslip
