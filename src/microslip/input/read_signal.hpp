#pragma once
// signal = { kind = "half_sine", ... } -> a signal.

#include <string_view>

#include "microslip/system/signal.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// The table under `key`. Noise without a duration of its own gets duration 0: the analysis gives it one.
[[nodiscard]] Signal::Kind read_signal(const TableReader& owner, std::string_view key = "signal");

/// Samples that noise may have.
inline constexpr double most_noise_samples = 1e8;

}  // namespace microslip
