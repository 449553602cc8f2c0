#pragma once
// A range that is gone through in points: `alpha = [1.0, 1e4]`, `points = 50`, `spacing = "log"`.

#include <string_view>

#include "microslip/analyses/choice.hpp"
#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

inline constexpr Choice<Spacing> spacings[] = {{"log", Spacing::log}, {"linear", Spacing::linear}};

/// `key` holds [from, to] with 0 < from < to.
[[nodiscard]] LoadRamp read_ramp(const TableReader& reader, std::string_view key, long long most_points);

}  // namespace microslip
