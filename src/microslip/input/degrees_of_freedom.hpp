#pragma once
// Labels in a study -> degrees of freedom.

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

inline constexpr std::string_view ground_label = "ground";
inline constexpr int ground = -1;

/// Index of the label that `value` holds; `ground` where `ground_allowed`. Complains with the nearest label.
[[nodiscard]] int degree_of_freedom(const TableReader& reader, const TomlValue& value, std::string_view what,
                                    const std::vector<std::string>& labels, bool ground_allowed);

/// { "1" = 1.0, "3" = -1.0 } -> a vector, zero elsewhere. "ground" counts nothing, where it is allowed.
[[nodiscard]] Eigen::VectorXd weighted_labels(const TableReader& reader, std::string_view key,
                                              const std::vector<std::string>& labels, bool ground_allowed);

/// Degrees of freedom whose shapes go into tables: all, of a truncated system those that joints hold on to and the
/// dependent ones.
[[nodiscard]] std::vector<int> shape_dofs(const System& system);

}  // namespace microslip
