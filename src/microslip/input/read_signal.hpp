#pragma once
// signal = { kind = "half_sine", ... } -> a signal.

#include <string_view>

#include "microslip/input/read_measured_signal.hpp"
#include "microslip/system/signal.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// The table under `key`. Noise without a duration of its own gets duration 0: the analysis gives it one. `notes`: of a
/// measured signal.
[[nodiscard]] Signal::Kind read_signal(const TableReader& owner, std::string_view key = "signal",
                                       SignalNotes* notes = nullptr);

/// Samples that noise may have.
inline constexpr double most_noise_samples = 1e8;

}  // namespace microslip
