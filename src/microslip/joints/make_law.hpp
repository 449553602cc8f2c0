#pragma once
// From a law as the user wrote it to the law.

#include <functional>
#include <optional>
#include <string>

#include "microslip/joints/any_law.hpp"
#include "microslip/joints/catalogue.hpp"

namespace microslip {

/// Throws LawError, which names the offending key, for anything out of bounds.
[[nodiscard]] Law make_law(const LawSpec& spec);

/// Slider distribution of iwan4, iwan5 and iwan6 as given; nothing of other laws. Throws as make_law.
[[nodiscard]] std::optional<Iwan4Backbone<double>> iwan_distribution(const LawSpec& spec);

/// Which laws of the catalogue are so, by their examples, for messages: "linear, polynomial of odd powers and jenkins".
[[nodiscard]] std::string laws_that(const std::function<bool(const Law&)>& are_so);

}  // namespace microslip
