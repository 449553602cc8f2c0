#pragma once
// A figure as report.json keeps it.

#include <nlohmann/json_fwd.hpp>

#include "microslip/report/figure.hpp"

namespace microslip {

[[nodiscard]] nlohmann::ordered_json to_json(const Figure& figure);

/// The reverse. What is not there has its default; throws std::invalid_argument where something is of another type, or
/// a word is not known.
[[nodiscard]] Figure figure_from_json(const nlohmann::ordered_json& json);

}  // namespace microslip
