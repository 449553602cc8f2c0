#pragma once
// From a law as the user wrote it to the law.

#include <functional>
#include <string>

#include "microslip/joints/catalogue.hpp"

namespace microslip {

/// Throws LawError, which names the offending key, for anything out of bounds.
[[nodiscard]] Law make_law(const LawSpec& spec);

/// Which laws of the catalogue are so, by their examples, for messages: "linear, polynomial of odd powers and jenkins".
[[nodiscard]] std::string laws_that(const std::function<bool(const Law&)>& are_so);

}  // namespace microslip
